import Alert from '@mui/material/Alert';
import { t } from '#renderer/base/language';
import { useMerchant } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { CardRanges } from './card-ranges.tsx';
import { ChoiceSetting, Group, NumberSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { PageTips } from './page-tips.tsx';
import { SalesTax } from './sales-tax.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import { surchargeWarning } from './surcharge-warning.ts';
import type { Draft } from './use-draft.ts';

/** Rules for the parts of amounts: surcharges, tax and tips. */
export function AmountsTab({ merchantId }: TabProps) {
  const merchant = useMerchant();
  return (
    <SectionForm merchantId={merchantId} name="amounts">
      {(draft: Draft<ValuesOf<'amounts'>>, isReadOnly) => {
        const { values, set, faultOf } = draft;
        const warning = surchargeWarning(merchant, values.surchargePercent);
        return (
          <>
            <Group title={SETTING_NAMES.amounts.surchargeGroup}>
              <NumberSetting
                label={SETTING_NAMES.amounts.surcharge}
                unit="%"
                help={t(
                  '0 to 4. The lowest limit applies: this percentage, your card fee, the card scheme, or the state of the business or the payer.',
                )}
                value={values.surchargePercent}
                onValue={(surchargePercent) => set({ surchargePercent: surchargePercent ?? 0 })}
                fault={faultOf('surchargePercent')}
                isReadOnly={isReadOnly}
              />
              <ChoiceSetting
                label={SETTING_NAMES.amounts.surchargesOfPrograms}
                help={t('A program that uses the API can have card data of its own.')}
                value={values.surchargeCheck}
                options={[
                  ['rule', t('Must follow this percentage')],
                  ['limits', t('May have any surcharge within the legal limits')],
                ]}
                onValue={(surchargeCheck) => set({ surchargeCheck })}
                fault={faultOf('surchargeCheck')}
                isReadOnly={isReadOnly}
              />
              {warning !== null && <Alert severity="warning">{warning}</Alert>}
              {values.surchargePercent > 0 && (
                <Alert severity="info">
                  {t(
                    'Only cards that are known to be credit cards have a surcharge, never debit cards, prepaid cards or bank accounts. The state in your profile must allow it. Tell your processor and Visa 30 days before you start, and put up a notice at the entrance and the register.',
                  )}
                </Alert>
              )}
            </Group>
            <SalesTax draft={draft} isReadOnly={isReadOnly} />
            <PageTips draft={draft} isReadOnly={isReadOnly} />
            <Group title={SETTING_NAMES.amounts.cardRanges}>
              <CardRanges />
            </Group>
          </>
        );
      }}
    </SectionForm>
  );
}
