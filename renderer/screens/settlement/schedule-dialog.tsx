import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SettlementSchedule } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { TimeZonePicker } from '#renderer/kit/pickers';
import { Dialog, FormDialog, focusField, fullTime, QueryContent, useSubmit } from '#renderer/kit/ui';
import { TimeField } from '#renderer/session/date-entry';
import { useMerchant } from '#renderer/session/user';
import { changeSchedule, type ScheduleChange } from './operations.ts';
import { refreshSettlement, scheduleQuery } from './queries.ts';
import { FREQUENCIES, type Frequency, scheduleText, WEEKDAYS } from './texts.ts';

const FORM_ID = 'settlement-schedule';
const DELAY_MAX = 30;
const MONTH_DAY_MAX = 31;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Changes the settlement schedule from the next cutoff on. */
export function ScheduleDialog({ onClose }: { onClose: () => void }) {
  const { merchantId } = useMerchant();
  const schedule = useQuery(scheduleQuery(merchantId));
  if (schedule.data) return <Form schedule={schedule.data} onClose={onClose} />;
  return (
    <Dialog title={t('Settlement schedule')} isOpen onClose={onClose} actions={<Button onClick={onClose}>{t('Cancel')}</Button>}>
      <QueryContent query={schedule}>{() => null}</QueryContent>
    </Dialog>
  );
}

interface ScheduleForm {
  readonly frequency: Frequency;
  readonly cutoffTime: string;
  readonly delayDays: string;
  readonly timezone: string;
  readonly weekday: number;
  readonly dayOfMonth: string;
}

type Fault = Partial<Record<keyof ScheduleForm, string>>;

function faultsOf({ frequency, cutoffTime, delayDays, dayOfMonth }: ScheduleForm): Fault {
  const isWhole = (text: string, least: number, most: number) => /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return {
    ...(frequency !== 'manual' && !TIME.test(cutoffTime) && { cutoffTime: t('Enter a time.') }),
    ...(!isWhole(delayDays, 0, DELAY_MAX) && { delayDays: t('Enter whole days from 0 to {{max}}.', { max: DELAY_MAX }) }),
    ...(frequency === 'monthly' &&
      !isWhole(dayOfMonth, 1, MONTH_DAY_MAX) && { dayOfMonth: t('Enter a day from 1 to {{max}}.', { max: MONTH_DAY_MAX }) }),
  };
}

function Form({ schedule, onClose }: { schedule: SettlementSchedule; onClose: () => void }) {
  const { merchantId } = useMerchant();
  const [form, setForm] = useState<ScheduleForm>(() => ({
    frequency: schedule.frequency as Frequency,
    cutoffTime: schedule.cutoffTime,
    delayDays: String(schedule.delayDays),
    timezone: schedule.timezone,
    weekday: schedule.weekday,
    dayOfMonth: String(schedule.dayOfMonth),
  }));
  const [isChecked, setChecked] = useState(false);
  const faults = faultsOf(form);
  const saving = useSubmit({
    send: (change: ScheduleChange) => changeSchedule(merchantId, change),
    refreshFirst: refreshSettlement,
    announcement: ({ nextCutoffAt, timezone }) =>
      nextCutoffAt === null
        ? t('Saved. Settlement is manual.')
        : t('Saved. The next cutoff is {{time}}.', { time: fullTime(nextCutoffAt, timezone) }),
    onClose,
  });
  const set = (part: Partial<ScheduleForm>) => {
    setForm({ ...form, ...part });
    setChecked(false);
    saving.reset();
  };
  const errorOf = (field: keyof ScheduleForm) =>
    (isChecked ? faults[field] : undefined) ?? (saving.failure?.field === field ? saving.failure.message : undefined);
  const isFieldError = saving.failure?.field !== undefined && saving.failure.field in form;
  const submit = () => {
    setChecked(true);
    const missing = Object.keys(faults)[0];
    if (missing !== undefined) focusField(`${FORM_ID}-${missing}`);
    else saving.onSubmit(changeOf(form, schedule));
  };
  const field = (name: keyof ScheduleForm, label: string) => ({
    id: `${FORM_ID}-${name}`,
    label,
    value: form[name],
    error: errorOf(name) !== undefined,
    helperText: errorOf(name),
  });
  return (
    <FormDialog
      {...saving}
      failure={isFieldError ? null : saving.failure}
      title={t('Settlement schedule')}
      submitLabel={t('Save schedule')}
      onSubmit={submit}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          <TextField
            {...field('frequency', t('Frequency'))}
            select
            autoFocus
            onChange={({ target }) => set({ frequency: target.value as Frequency })}
          >
            {FREQUENCIES.map(({ value, name }) => (
              <MenuItem key={value} value={value}>
                {name}
              </MenuItem>
            ))}
          </TextField>
          {form.frequency === 'weekly' && (
            <TextField {...field('weekday', t('Weekday'))} select onChange={({ target }) => set({ weekday: Number(target.value) })}>
              {WEEKDAYS.map((name, at) => (
                <MenuItem key={name} value={at + 1}>
                  {name}
                </MenuItem>
              ))}
            </TextField>
          )}
          {form.frequency === 'monthly' && (
            <TextField
              {...field('dayOfMonth', t('Day of the month'))}
              onChange={({ target }) => set({ dayOfMonth: target.value.trim() })}
              slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: 2 } }}
            />
          )}
          {form.frequency !== 'manual' && (
            <TimeField {...field('cutoffTime', t('Cutoff time'))} value={form.cutoffTime} onChange={(time) => set({ cutoffTime: time })} />
          )}
          <TextField
            {...field('delayDays', t('Settlement date delay, in days'))}
            onChange={({ target }) => set({ delayDays: target.value.trim() })}
            slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: 2 } }}
          />
          <TimeZonePicker
            id={`${FORM_ID}-timezone`}
            label={t('Time zone')}
            value={form.timezone}
            onValue={(timezone) => set({ timezone })}
            fault={errorOf('timezone')}
          />
        </Box>
        <Box data-rule sx={{ fontSize: 13, color: 'text.secondary' }}>
          {Object.keys(faults).length === 0 &&
            `${scheduleText({ ...form, delayDays: Number(form.delayDays), dayOfMonth: Number(form.dayOfMonth) })}. `}
          {t('Applies from the next cutoff.')}
        </Box>
      </Box>
    </FormDialog>
  );
}

/**
 * Returns the fields to send. Fields that do not apply to the frequency stay unchanged. A time zone that is sent becomes the schedule's own
 * and no longer follows the merchant's, so it is sent only if it was changed.
 */
function changeOf(
  { frequency, cutoffTime, delayDays, timezone, weekday, dayOfMonth }: ScheduleForm,
  before: SettlementSchedule,
): ScheduleChange {
  return {
    frequency,
    delayDays: Number(delayDays),
    ...(timezone !== before.timezone && { timezone }),
    ...(frequency !== 'manual' && { cutoffTime }),
    ...(frequency === 'weekly' && { weekday }),
    ...(frequency === 'monthly' && { dayOfMonth: Number(dayOfMonth) }),
  };
}
