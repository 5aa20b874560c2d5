import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { CheckboxGroup, ChoiceSetting, Group, SwitchSetting } from '../fields.tsx';
import type { TabProps } from '../form-tabs.tsx';
import { SectionForm } from '../section-form.tsx';
import type { ValuesOf } from '../sections.ts';
import type { Draft } from '../use-draft.ts';
import { ReminderPreview } from './reminder-preview.tsx';
import { StepFields } from './step-fields.tsx';

type Reminders = ValuesOf<'reminders'>;
type Step = Reminders['steps'][number];

const STEPS_MAX = 12;
const NEXT_DAYS = 7;
/** Days of the week from Monday. */
const WEEKDAYS = [
  ['1', t('Monday')],
  ['2', t('Tuesday')],
  ['3', t('Wednesday')],
  ['4', t('Thursday')],
  ['5', t('Friday')],
  ['6', t('Saturday')],
  ['0', t('Sunday')],
] as const;
const HOURS = Array.from({ length: 13 }, (_, index) => `${String(index + 8).padStart(2, '0')}:00`);

/** Reminders of unpaid invoices: when they are sent, with which text, and a preview of them. */
export function RemindersTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="reminders" savedText={t('Saved. Applies to reminders that are sent from now on.')}>
      {(draft: Draft<Reminders>, isReadOnly) => <Fields merchantId={merchantId} draft={draft} isReadOnly={isReadOnly} />}
    </SectionForm>
  );
}

function Fields({ merchantId, draft, isReadOnly }: { merchantId: string; draft: Draft<Reminders>; isReadOnly: boolean }) {
  const { values, set, faultOf } = draft;
  const { steps, sendAt, weekdays } = values;
  const setSteps = (next: readonly Step[]) => set({ steps: next.toSorted((left, right) => left.days - right.days) });
  const last = steps.at(-1)?.days ?? -NEXT_DAYS;
  const hours = HOURS.includes(sendAt) ? HOURS : [...HOURS, sendAt].toSorted();
  return (
    <>
      <Group title={t('Invoice reminders')}>
        <SwitchSetting
          label={SETTING_NAMES.reminders.sendReminders}
          help={t('They end with a payment, a dispute or a promise to pay. An invoice or a customer can be left out.')}
          checked={values.enabled}
          onChecked={(enabled) => set({ enabled })}
          fault={faultOf('enabled')}
          isReadOnly={isReadOnly}
        />
        <ChoiceSetting
          label={SETTING_NAMES.reminders.sendFrom}
          help={t('In the time zone of the merchant')}
          value={sendAt}
          options={hours.map((hour) => [hour, hour] as const)}
          onValue={(next) => set({ sendAt: next })}
          fault={faultOf('sendAt')}
          isReadOnly={isReadOnly}
        />
        <CheckboxGroup
          label={SETTING_NAMES.reminders.sendOn}
          help={t('A reminder of another day is sent on the next of these days. A public holiday counts as a Sunday.')}
          value={weekdays.map((day) => String(day) as (typeof WEEKDAYS)[number][0])}
          options={WEEKDAYS}
          onValue={(days) => days.length > 0 && set({ weekdays: days.map(Number).toSorted() })}
          fault={faultOf('weekdays')}
          isReadOnly={isReadOnly}
        />
      </Group>
      <Group title={t('Schedule')}>
        {steps.map((step) => (
          <StepFields
            key={step.days}
            step={step}
            isReadOnly={isReadOnly}
            isTaken={(days) => steps.some((other) => other !== step && other.days === days)}
            onChange={(next) => setSteps(steps.map((other) => (other === step ? next : other)))}
            onRemove={() => setSteps(steps.filter((other) => other !== step))}
          />
        ))}
        {faultOf('steps') && (
          <Box role="alert" sx={{ color: 'error.main', fontSize: 13 }}>
            {faultOf('steps')}
          </Box>
        )}
        {!isReadOnly && steps.length < STEPS_MAX && (
          <Box>
            <Button onClick={() => setSteps([...steps, { days: last + NEXT_DAYS, channel: 'email', texts: {} }])}>
              {t('Add reminder')}
            </Button>
          </Box>
        )}
      </Group>
      <ReminderPreview merchantId={merchantId} settings={values} isSwitchedOn={draft.changes.enabled === true} />
    </>
  );
}
