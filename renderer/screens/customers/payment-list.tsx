import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { PageOf, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { Entry, MoneyText, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { Section } from './section.tsx';

/** Last payments of a customer, each with a link. */
export function PaymentList({ payments }: { payments: PageOf<Transaction> }) {
  const { timezone } = useMerchant();
  const { items, total } = payments;
  return (
    <Section
      title={
        total > items.length
          ? t('Last {{shown, number}} of {{count, number}} transactions', { shown: items.length, count: total })
          : t('Transactions')
      }
      empty={t('No payments yet.')}
    >
      {items.map((payment) => (
        <Entry key={payment.transactionId}>
          <Link component={RouterLink} to={`/transactions/${payment.transactionId}`}>
            <TimeText at={payment.createdAt} timeZone={timezone} />
          </Link>
          <StatusChip state={stateOf(payment)} of="transaction" />
          <Box component="span" sx={{ marginInlineStart: 'auto', fontWeight: 600 }}>
            <MoneyText amount={payment.type === 'credit' ? -payment.amount : payment.amount} currency={payment.currency} code />
          </Box>
        </Entry>
      ))}
    </Section>
  );
}

/** Returns the state for the chip: authorized for held money, the refund status if there are refunds, settled, or the status of the API. */
function stateOf({ type, captured, status, refundStatus, settledAt }: Transaction): string {
  if (status !== 'approved') return status;
  if (type === 'auth' && !captured) return 'authorized';
  if (refundStatus !== 'none') return refundStatus;
  return settledAt === null ? status : 'settled';
}
