import TextField from '@mui/material/TextField';
import { UserPlus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { KeyHint } from '#renderer/kit/ui';
import { CustomerField } from '#renderer/shared/customers';
import { lastFourText } from '#shared/card-brands';

interface SaleCustomerFieldProps {
  readonly merchantId: string;
  readonly customer: Customer | null;
  readonly frozen: boolean;
  readonly inputRef: React.Ref<HTMLInputElement>;
  readonly onPick: (customer: Customer | null) => void;
}

/** The form uses Enter and Backspace to move between the fields of the payment. */
function keepKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== 'Backspace') return;
  event.stopPropagation();
  if (event.key === 'Enter') event.preventDefault();
}

/** The customer of a sale, as the first row of the ticket. */
export function SaleCustomerField({ merchantId, customer, frozen, inputRef, onPick }: SaleCustomerFieldProps) {
  return (
    <CustomerField
      id="sale-customer"
      merchantId={merchantId}
      value={customer}
      onChange={onPick}
      detailOf={({ email, company, defaultPaymentMethod: method }) =>
        [email ?? company, method ? lastFourText(method.last4) : t('no card on file')].filter(Boolean).join(' · ')
      }
      isDisabled={frozen}
      onKeyDown={keepKey}
      renderInput={(params) => (
        <TextField
          {...params}
          inputRef={inputRef}
          placeholder={t('Add customer')}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, 'aria-label': t('Customer on file') },
            input: {
              ...params.slotProps.input,
              startAdornment: <UserPlus size={16} aria-hidden />,
              endAdornment: customer === null ? <KeyHint keys="F4" /> : params.slotProps.input.endAdornment,
              sx: { '& fieldset': { border: 0 }, px: 0, gap: 2 },
            },
          }}
          sx={(theme) => ({ borderBottom: `1px solid ${theme.vars.palette.divider}`, mx: -4, px: 4, py: 0.5, width: 'calc(100% + 32px)' })}
        />
      )}
    />
  );
}
