import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { Invoice, InvoicePayment } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { Entry, MoneyText, MutedText, Section, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { paidWith, paymentChip } from '../texts.ts';

/** Payments with their results, newest first. */
export function PaymentList({ invoice: { payments, currency } }: { invoice: Invoice }) {
  const newestFirst = payments.toSorted((first, second) => second.createdAt.localeCompare(first.createdAt));
  return (
    <Section title={t('Payments')}>
      {payments.length === 0 ? (
        <MutedText>{t('No payments yet.')}</MutedText>
      ) : (
        <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {newestFirst.map((payment) => (
            <PaymentEntry key={payment.paymentId} payment={payment} currency={currency} />
          ))}
        </Box>
      )}
    </Section>
  );
}

function PaymentEntry({ payment, currency }: { payment: InvoicePayment; currency: string }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const print = usePrintReceipt();
  const [state, label] = paymentChip(payment);
  const { paymentId, amount, tipAmount, surchargeAmount, status, transactionId, refundedAmount, declineReason, note, origin, createdAt } =
    payment;
  const notes = [
    tipAmount > 0 && t('plus {{amount}} tip', { amount: writeMoney(tipAmount, currency) }),
    surchargeAmount > 0 && t('plus {{amount}} surcharge', { amount: writeMoney(surchargeAmount, currency) }),
    refundedAmount > 0 && t('{{amount}} refunded', { amount: writeMoney(refundedAmount, currency) }),
    declineReason && serviceText(declineReason),
    origin === 'page' && t('On the pay page'),
    note,
  ].filter(Boolean);
  return (
    <Entry>
      <StatusChip state={state} label={label} />
      <Box component="span" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
        {paidWith(payment)}
      </Box>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        <TimeText at={createdAt} timeZone={timezone} />
      </Box>
      {transactionId !== null && may('transactions:read') && (
        <Link
          component={RouterLink}
          to={`/transactions/${transactionId}`}
          aria-label={t('Transaction of {{amount}}', { amount: writeMoney(amount, currency) })}
        >
          {t('Transaction')}
        </Link>
      )}
      {transactionId === null && status === 'succeeded' && may('notifications:read') && (
        <Button
          size="small"
          onClick={() => void print({ payment: { paymentId }, copy: 'customer' })}
          aria-label={t('Print the receipt for {{amount}}', { amount: writeMoney(amount, currency) })}
        >
          {t('Receipt')}
        </Button>
      )}
      <Box component="span" sx={{ marginInlineStart: 'auto' }}>
        <MoneyText amount={amount} currency={currency} sx={{ fontWeight: 600 }} />
      </Box>
      {notes.length > 0 && <Box sx={{ flexBasis: '100%', color: 'text.secondary', overflowWrap: 'anywhere' }}>{notes.join(' · ')}</Box>}
    </Entry>
  );
}
