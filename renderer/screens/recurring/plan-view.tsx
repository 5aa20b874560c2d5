import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Subscription } from '#renderer/client';
import { useMay, useMerchant } from '#renderer/session';
import { Answer, CopyText, dayText, exactTime, FactList, MoneyText, StatusChip, useHeadingFocus } from '#renderer/ui';
import { DateStrip } from './date-strip.tsx';
import { PaymentList } from './payment-list.tsx';
import { PlanActions } from './plan-actions.tsx';
import { dunningQuery, planQuery, upcomingQuery } from './queries.ts';
import { standingOf } from './standing.ts';
import { cancelledByWords, cancelReasonWords, endWords, frequencyWords, isExpiredOn, methodWords, payerOf } from './words.ts';

/** One plan: what comes next, what can be done, what was charged. */
export function PlanView({ planId, takesFocus }: { planId: string; takesFocus: boolean }) {
  const plan = useQuery(planQuery(planId));
  return <Answer of={plan}>{(data) => <Opened plan={data} takesFocus={takesFocus} />}</Answer>;
}

function Opened({ plan, takesFocus }: { plan: Subscription; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const heading = useHeadingFocus(takesFocus);
  const dunning = useQuery({ ...dunningQuery(plan.merchantId), enabled: may('merchants:read') && plan.status === 'past_due' });
  const standing = standingOf(plan, dunning.data, timezone);
  const isClosed = plan.status === 'cancelled' || plan.status === 'expired';
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <Box component="header" sx={{ pr: 10 }}>
        <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ fontSize: 28, lineHeight: '36px' }}>
          <MoneyText amount={plan.amount} currency={plan.currency} code />{' '}
          <Box component="span" sx={{ fontSize: 16, fontWeight: 500 }}>
            {frequencyWords(plan.frequency)}
          </Box>
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1.5, fontSize: 13, color: 'text.secondary' }}>
          <StatusChip state={plan.status} />
          <span>{[payerOf(plan), plan.planId].filter(Boolean).join(' · ')}</span>
        </Box>
      </Box>
      <Alert severity={standing.tone}>{standing.text}</Alert>
      {!isClosed && <CardWarning plan={plan} />}
      {!isClosed && may('recurring:write') && <PlanActions plan={plan} onPanelClosed={() => heading.current?.focus()} />}
      <PlanFacts plan={plan} triesMax={dunning.data && dunning.data.retryIntervalsDays.length + 1} />
      {(plan.status === 'active' || plan.status === 'past_due' || plan.status === 'paused') && <Upcoming plan={plan} />}
      <PaymentList planId={plan.subscriptionId} />
    </Box>
  );
}

/** Explains why the next payment will fail. */
function CardWarning({ plan: { card, nextPaymentDate } }: { plan: Subscription }) {
  if (card === null) return <Alert severity="warning">No card on file. The next payment fails unless the customer has one by then.</Alert>;
  if (nextPaymentDate === null || !isExpiredOn(card, nextPaymentDate)) return null;
  return <Alert severity="warning">{methodWords(card)}: before the next payment. Ask the customer for another card.</Alert>;
}

function PlanFacts({ plan, triesMax }: { plan: Subscription; triesMax: number | undefined }) {
  const { timezone } = useMerchant();
  const canSeeCustomer = useMay()('customers:read');
  const isPastDue = plan.status === 'past_due';
  const own = plan.paymentMethodId === null ? "the customer's default" : 'for this plan only';
  const isToStart = plan.status === 'active' && plan.paymentsMade === 0 && plan.nextPaymentDate === plan.startDate;
  return (
    <FactList
      facts={[
        [
          'Customer',
          canSeeCustomer ? (
            <Link key="customer" component={RouterLink} to={`/customers/${plan.customerId}`}>
              {payerOf(plan)}
            </Link>
          ) : (
            payerOf(plan)
          ),
        ],
        ['E-mail', plan.customer.name !== null && plan.customer.email],
        ['Plan', plan.planId],
        ['Card', plan.card ? `${methodWords(plan.card)} (${own})` : 'No card on file'],
        [isToStart ? 'Starts' : 'Started', dayText(plan.startDate)],
        ['Ends', endWords(plan)],
        ['Tries made', isPastDue && `${plan.failedAttempts}${triesMax === undefined ? '' : ` of ${triesMax}`}`],
        ['Next try', isPastDue && plan.nextRetryAt && exactTime(plan.nextRetryAt, timezone)],
        ['Last paid', plan.lastPaymentAt && exactTime(plan.lastPaymentAt, timezone)],
        ['Paused', plan.status === 'paused' && plan.pausedAt && exactTime(plan.pausedAt, timezone)],
        ['Cancelled', plan.cancelledAt && exactTime(plan.cancelledAt, timezone)],
        ['Cancelled by', plan.cancelledBy && cancelledByWords(plan.cancelledBy)],
        ['Reason', plan.cancelReason && cancelReasonWords(plan.cancelReason)],
        ['Ended', plan.expiredAt && exactTime(plan.expiredAt, timezone)],
        ['Plan id', <CopyText key="plan" text={plan.subscriptionId} what="Plan id" />],
      ]}
    />
  );
}

function Upcoming({ plan }: { plan: Subscription }) {
  const upcoming = useQuery(upcomingQuery(plan.subscriptionId));
  const title = plan.status === 'paused' ? 'Dates if it is resumed now' : 'Next dates';
  return (
    <Box component="section" aria-label={title}>
      <Typography variant="h3" sx={{ mb: 2 }}>
        {title}
      </Typography>
      <Answer
        of={upcoming}
        isEmpty={({ dates }) => dates.length === 0}
        empty={<Box sx={{ fontSize: 13, color: 'text.secondary' }}>No further payment comes.</Box>}
      >
        {({ dates }) => <DateStrip label={title} dates={dates} />}
      </Answer>
    </Box>
  );
}
