import Alert from '@mui/material/Alert';
import { t } from '#renderer/base/language';
import { useMerchant } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { ChoiceSetting, Group, NumberSetting, SwitchSetting } from '../fields.tsx';
import type { TabProps } from '../form-tabs.tsx';
import { SectionForm } from '../section-form.tsx';
import type { ValuesOf } from '../sections.ts';
import type { Draft } from '../use-draft.ts';
import { LateFeePreview } from './late-fee-preview.tsx';

type LateFees = ValuesOf<'lateFees'>;

const KINDS = [
  ['percent', t('Percentage of the unpaid amount')],
  ['fixed', t('Fixed sum')],
] as const;
const REPEATS = [
  ['never', t('Never')],
  ['weekly', t('Every week')],
  ['monthly', t('Every month')],
] as const;

/** Late fees of unpaid invoices, and a preview of them. */
export function LateFeesTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="lateFees" savedText={t('Saved. Applies to fees that are charged from now on.')}>
      {(draft: Draft<LateFees>, isReadOnly) => <Fields merchantId={merchantId} draft={draft} isReadOnly={isReadOnly} />}
    </SectionForm>
  );
}

function Fields({ merchantId, draft, isReadOnly }: { merchantId: string; draft: Draft<LateFees>; isReadOnly: boolean }) {
  const { currency } = useMerchant();
  const { values, set, faultOf } = draft;
  return (
    <>
      <Group title={t('Late fees')}>
        <Alert severity="info">
          {t('Laws differ: whether a fee is allowed, how high it may be, and whether it must be agreed upon before. You decide.')}
        </Alert>
        <SwitchSetting
          label={SETTING_NAMES['late-fees'].chargeLateFees}
          help={t('Never on disputed invoices, and not until a promised day has passed. An invoice or a customer can be left out.')}
          checked={values.enabled}
          onChecked={(enabled) => set({ enabled })}
          fault={faultOf('enabled')}
          isReadOnly={isReadOnly}
        />
        <ChoiceSetting
          label={SETTING_NAMES['late-fees'].kindOfFee}
          help={t('A line of its own on the invoice, without tax')}
          value={values.kind}
          options={KINDS}
          onValue={(kind) => set({ kind })}
          fault={faultOf('kind')}
          isReadOnly={isReadOnly}
        />
        {values.kind === 'percent' ? (
          <NumberSetting
            label={SETTING_NAMES['late-fees'].percentage}
            help={t('Of the unpaid amount, without earlier fees')}
            unit="%"
            value={values.percent}
            onValue={(percent) => set({ percent: percent ?? 0 })}
            fault={faultOf('percent')}
            isReadOnly={isReadOnly}
          />
        ) : (
          <NumberSetting
            label={SETTING_NAMES['late-fees'].fixedFee}
            help={t('Invoices in other currencies are not charged')}
            unit={currency}
            value={values.amount}
            onValue={(amount) => set({ amount: amount ?? 0 })}
            fault={faultOf('amount')}
            isReadOnly={isReadOnly}
          />
        )}
        <NumberSetting
          label={SETTING_NAMES['late-fees'].daysOfGrace}
          help={t('Days after the due date without a fee')}
          value={values.graceDays}
          onValue={(graceDays) => set({ graceDays: graceDays ?? 0 })}
          fault={faultOf('graceDays')}
          isReadOnly={isReadOnly}
        />
        <ChoiceSetting
          label={SETTING_NAMES['late-fees'].chargedAgain}
          value={values.repeat}
          options={REPEATS}
          onValue={(repeat) => set({ repeat })}
          fault={faultOf('repeat')}
          isReadOnly={isReadOnly}
        />
        <NumberSetting
          label={SETTING_NAMES['late-fees'].ceiling}
          help={t('Largest sum of all fees, in percent of the invoice')}
          unit="%"
          value={values.ceilingPercent}
          onValue={(ceilingPercent) => set({ ceilingPercent: ceilingPercent ?? 0 })}
          fault={faultOf('ceilingPercent')}
          isReadOnly={isReadOnly}
        />
      </Group>
      <LateFeePreview merchantId={merchantId} settings={values} />
    </>
  );
}
