import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Approval, ApprovalWithResult } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { paymentOf } from './texts.ts';

/** Fact with a link to the payment of an operation, which is named by its card and its amount. */
export function paymentFact(approval: Approval, onOpen?: () => void): readonly [string, ReactNode] {
  const payment = paymentOf(approval);
  return [
    t('Payment'),
    payment && (
      <Link key="payment" component={RouterLink} to={`/transactions/${payment.id}`} onClick={onOpen}>
        {payment.text}
      </Link>
    ),
  ];
}

/** Fact with the requests of the same person on the day, from which an approver sees a pattern. */
export function requestsOfDayFact(approval: ApprovalWithResult | undefined): readonly [string, ReactNode] {
  const { count, amounts } = approval?.requestsOfDay ?? { count: 0, amounts: [] };
  const sums = amounts.map(({ amount, currency }) => writeMoney(amount, currency)).join(', ');
  return [t('Requests of this person that day'), count > 0 && [numberText(count), sums].filter(Boolean).join(': ')];
}
