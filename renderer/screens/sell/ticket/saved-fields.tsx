import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { PaymentMethod, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { methodText } from '#renderer/base/payment-methods';
import { keyTip } from '#renderer/kit/ui';
import { customerName } from '#renderer/shared/customers';
import { shortMethodLabel } from '../charge/payment-method.ts';
import type { Payer } from '../customer/use-payer.ts';
import { EntryField } from '../form/entry-field.tsx';
import type { PaymentFieldsProps } from './card-fields.tsx';

interface SavedFieldsProps extends PaymentFieldsProps {
  /** Sales whose card may be charged again. */
  readonly recent: readonly Transaction[];
  /** Customer whose card it is, if one was chosen. */
  readonly payer: Payer | null;
  readonly onMethod: (method: PaymentMethod) => void;
  readonly onCustomer: () => void;
}

/** Payment with a saved card: of the chosen customer, of one of today's sales, or by token. */
export function SavedFields({ form, frozen, recent, payer, onMethod, onCustomer }: SavedFieldsProps) {
  return (
    <>
      {payer && <CustomerCards payer={payer} frozen={frozen} onMethod={onMethod} />}
      <Box hidden={payer !== null}>
        <EntryField bound={form.field('token')} label={t('Card token')} required frozen={frozen} placeholder="tok_…" maxLength={80} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
          <Button size="small" disabled={frozen} onClick={onCustomer} {...keyTip('F4')}>
            {t('Choose a customer')}
          </Button>
          <RecentCards form={form} frozen={frozen} recent={recent} />
        </Box>
      </Box>
    </>
  );
}

function CustomerCards({ payer, frozen, onMethod }: { payer: Payer; frozen: boolean; onMethod: (method: PaymentMethod) => void }) {
  const { customer, methods, chosen } = payer;
  if (methods.length === 0) {
    return (
      <Box role="note" sx={{ fontSize: 13, color: 'text.secondary', py: 3 }}>
        {t('{{customer}} has no card on file. Enter the card, and save it under More.', { customer: customerName(customer) })}
      </Box>
    );
  }
  return (
    <Box sx={{ py: 2 }}>
      <Box id="saved-of-customer" sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary', mb: 1 }}>
        {t('Payment methods of {{customer}}', { customer: customerName(customer) })}
      </Box>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-labelledby="saved-of-customer"
        value={chosen?.paymentMethodId ?? null}
        disabled={frozen}
        onChange={(_, id: string | null) => {
          const method = methods.find(({ paymentMethodId }) => paymentMethodId === id);
          if (method) onMethod(method);
        }}
        sx={{ flexWrap: 'wrap' }}
      >
        {methods.map((method) => (
          <ToggleButton key={method.paymentMethodId} value={method.paymentMethodId}>
            {methodText(method)}
            {method.expiryMonth && `, ${method.expiryMonth}/${method.expiryYear?.slice(-2)}`}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}

/** Cards of today's sales, each with a button that fills it in. */
function RecentCards({ form, frozen, recent }: Pick<SavedFieldsProps, 'form' | 'frozen' | 'recent'>) {
  const cards = chargeable(recent);
  if (cards.length === 0) return null;
  return (
    <Box>
      <Box id="saved-recent" sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary', mb: 1 }}>
        {t('Cards from recent sales')}
      </Box>
      <Box role="group" aria-labelledby="saved-recent" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {cards.map(({ token, label }) => (
          <Button
            key={token}
            size="small"
            disabled={frozen}
            onClick={() => {
              form.fill({ token });
              form.focus(form.next() ?? 'token');
            }}
          >
            {label}
          </Button>
        ))}
      </Box>
    </Box>
  );
}

/** Returns each card once, by its newest sale. Declined cards are left out. */
function chargeable(recent: readonly Transaction[]): { token: string; label: string }[] {
  const byToken = new Map<string, string>();
  for (const sale of recent) {
    if (sale.token === null || sale.card === null || sale.status !== 'approved' || byToken.has(sale.token)) continue;
    byToken.set(sale.token, [shortMethodLabel(sale), sale.customer?.name].filter(Boolean).join(' · '));
  }
  return [...byToken].map(([token, label]) => ({ token, label }));
}
