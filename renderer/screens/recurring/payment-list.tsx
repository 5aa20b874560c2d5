import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { SubscriptionPayment } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { dayText, MoneyText, QueryContent, Section, StatusChip } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { PAYMENTS_MAX, PAYMENTS_SHOWN, paymentsQuery } from './queries.ts';

/** Chip styles and labels of attempts. */
const CHIPS: Readonly<Record<SubscriptionPayment['status'], readonly [state: string, label: string]>> = {
  pending: ['pending', t('Pending')],
  succeeded: ['approved', t('Paid')],
  failed: ['declined', t('Declined')],
  unsent: ['retry', t('Not sent')],
  missed: ['voided', t('Skipped')],
  abandoned: ['voided', t('Given up')],
};

/** Attempts to charge a subscription with their results, newest first. */
export function PaymentList({ subscriptionId }: { subscriptionId: string }) {
  const [limit, setLimit] = useState(PAYMENTS_SHOWN);
  const payments = useQuery(paymentsQuery(subscriptionId, limit));
  return (
    <Section title={t('Payments')}>
      <QueryContent
        query={payments}
        isEmpty={({ total }) => total === 0}
        empty={<Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No payments yet.')}</Box>}
      >
        {({ items, total }) => (
          <>
            <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
              {items.map((payment) => (
                <PaymentRow key={payment.id} payment={payment} />
              ))}
            </Box>
            {total > items.length &&
              (limit < PAYMENTS_MAX ? (
                <Button size="small" loading={payments.isPlaceholderData} onClick={() => setLimit(PAYMENTS_MAX)} sx={{ mt: 2 }}>
                  {t('Show earlier payments')}
                </Button>
              ) : (
                <Box sx={{ mt: 2, fontSize: 12, color: 'text.secondary' }}>
                  {t('The newest {{shown, number}} of {{total, number}} payments.', { shown: items.length, total })}
                </Box>
              ))}
          </>
        )}
      </QueryContent>
    </Section>
  );
}

function PaymentRow({ payment }: { payment: SubscriptionPayment }) {
  const canSee = useMay()('transactions:read');
  const { status, dueDate, attempt, amount, currency, transactionId } = payment;
  const [state, label] = CHIPS[status];
  const note = noteOf(payment);
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: { xs: '1fr auto', sm: '104px minmax(0, 1fr) auto auto' },
        columnGap: 3,
        rowGap: 1,
        alignItems: 'center',
        py: 2,
        fontSize: 13,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      <time dateTime={dueDate}>{dayText(dueDate)}</time>
      <Box component="span" className="figures" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {attempt > 0 && t('Attempt {{attempt}}', { attempt })}
      </Box>
      <Box component="span" sx={{ textAlign: { sm: 'end' } }}>
        <MoneyText amount={amount} currency={currency} sx={{ fontWeight: 600 }} />
      </Box>
      <span>
        <StatusChip state={state} label={label} />
      </span>
      <Box sx={{ gridColumn: '1 / -1', color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {note && <Box>{note}</Box>}
        {transactionId !== null && canSee && (
          <Link
            component={RouterLink}
            to={`/transactions/${transactionId}`}
            aria-label={t('Transaction of {{date}}, attempt {{attempt}}', { date: dayText(dueDate), attempt })}
          >
            {t('Transaction')}
          </Link>
        )}
      </Box>
    </Box>
  );
}

function noteOf({ status, declineReason, periods, attempt }: SubscriptionPayment): string | null {
  if (status === 'missed') return t('{{count, number}} payments from this date not charged', { count: periods });
  if (status === 'abandoned') return t('Not charged after {{count, number}} attempts', { count: attempt });
  if (status !== 'unsent') return declineReason && serviceText(declineReason);
  return declineReason === null
    ? t('The processor was unavailable; retried automatically')
    : t('{{reason}}; retried automatically', { reason: serviceText(declineReason) });
}
