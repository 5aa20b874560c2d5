import type { PageOf, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordEntry } from '#renderer/kit/record';
import { TimeText } from '#renderer/kit/ui';
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
        <RecordEntry
          key={payment.transactionId}
          to={`/transactions/${payment.transactionId}`}
          name={<TimeText at={payment.createdAt} timeZone={timezone} />}
          state={stateOf(payment)}
          of="transaction"
          amount={payment.type === 'credit' ? -payment.amount : payment.amount}
          currency={payment.currency}
        />
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
