import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { securityCodeLength } from '#renderer/shared/card-entry';
import { EntryField } from '../form/entry-field.tsx';
import type { SaleRules } from '../form/form.ts';
import { postalRule } from '../form/postal-code.ts';
import type { SaleForm } from '../form/use-sale-form.ts';

export interface PaymentFieldsProps {
  readonly form: SaleForm;
  readonly rules: SaleRules;
  readonly frozen: boolean;
  /** ID of the sentence about the automatic focus. */
  readonly describedBy?: string;
}

/** Number, expiry, security code and ZIP, in the order in which a caller reads them out. */
export function CardFields({ form, rules, frozen, describedBy }: PaymentFieldsProps) {
  const postal = postalRule(rules.country);
  const codeDigits = securityCodeLength(form.brand);
  const common = { frozen, required: true, describedBy };
  return (
    <>
      <EntryField
        {...common}
        bound={form.field('number')}
        label={t('Card number')}
        numeric
        tight
        maxLength={40}
        end={
          <Box component="span" sx={{ color: 'text.secondary', fontSize: 13, whiteSpace: 'nowrap' }}>
            {form.brand?.name}
          </Box>
        }
      />
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', columnGap: 3, pt: 2 }}>
        <EntryField {...common} bound={form.field('expiry')} label={t('Expiry')} numeric placeholder={t('MM/YY')} maxLength={9} />
        {rules.requireCode && (
          <EntryField
            {...common}
            bound={form.field('code')}
            label={t('CVV, {{digits}} digits', { digits: codeDigits })}
            numeric
            masked
            maxLength={codeDigits}
          />
        )}
        {rules.requireZip && (
          <EntryField
            {...common}
            bound={form.field('zip')}
            label={postal.label}
            numeric={postal.numeric}
            placeholder={postal.example}
            maxLength={10}
          />
        )}
      </Box>
    </>
  );
}
