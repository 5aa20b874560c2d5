import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { channelName } from '#renderer/base/channels';
import type { Subscription, SubscriptionDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordHeader } from '#renderer/kit/record';
import { actorText, CopyText, dayText, FactList, fullTime, QueryContent, Section, useHeadingFocus } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { frequencyText } from '#renderer/shared/customers';
import { DateStrip } from './date-strip.tsx';
import { PaymentList } from './payment-list.tsx';
import { dunningQuery, subscriptionQuery, upcomingQuery } from './queries.ts';
import { statusNoteOf } from './status-note.ts';
import { SubscriptionActions } from './subscription-actions.tsx';
import { cancelReasonText, customerNameOf, endText, isExpiredOn, methodWithExpiry } from './texts.ts';

/** Details of a subscription: next payment, actions and past payments. */
export function SubscriptionView({ subscriptionId, takesFocus }: { subscriptionId: string; takesFocus: boolean }) {
  const subscription = useQuery(subscriptionQuery(subscriptionId));
  return <QueryContent query={subscription}>{(data) => <Opened subscription={data} takesFocus={takesFocus} />}</QueryContent>;
}

function Opened({ subscription, takesFocus }: { subscription: SubscriptionDetail; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const may = useMay();
  const heading = useHeadingFocus(takesFocus);
  const dunning = useQuery({
    ...dunningQuery(subscription.merchantId),
    enabled: may('merchants:read') && subscription.status === 'past_due',
  });
  const statusNote = statusNoteOf(subscription, dunning.data, timezone);
  const isClosed = subscription.status === 'cancelled' || subscription.status === 'expired';
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader
        title={{ amount: subscription.amount, currency: subscription.currency }}
        after={frequencyText(subscription.frequency)}
        status={subscription.status}
        of="subscription"
        headingRef={heading}
        note={!statusNote.isWarning && statusNote.text}
      >
        <span>{[customerNameOf(subscription), subscription.planId].filter(Boolean).join(' · ')}</span>
      </RecordHeader>
      {statusNote.isWarning && <Alert severity="warning">{statusNote.text}</Alert>}
      {!isClosed && <CardWarning subscription={subscription} />}
      {!isClosed && may('recurring:write') && (
        <SubscriptionActions subscription={subscription} onPanelClosed={() => heading.current?.focus()} />
      )}
      <SubscriptionFacts subscription={subscription} attemptsMax={dunning.data && dunning.data.retryIntervalsDays.length + 1} />
      {(subscription.status === 'active' || subscription.status === 'past_due' || subscription.status === 'paused') && (
        <Upcoming subscription={subscription} />
      )}
      <PaymentList subscriptionId={subscription.subscriptionId} />
    </Box>
  );
}

/** Explains why the next payment will fail. */
function CardWarning({ subscription: { card, nextPaymentDate } }: { subscription: Subscription }) {
  if (card === null)
    return <Alert severity="warning">{t('No card on file. The next payment fails unless a card is added by then.')}</Alert>;
  if (nextPaymentDate === null || !isExpiredOn(card, nextPaymentDate)) return null;
  return (
    <Alert severity="warning">
      {t('{{card}}, before the next payment. Ask the customer for another card.', { card: methodWithExpiry(card) })}
    </Alert>
  );
}

function SubscriptionFacts({ subscription, attemptsMax }: { subscription: Subscription; attemptsMax: number | undefined }) {
  const { timezone } = useMerchant();
  const canSeeCustomer = useMay()('customers:read');
  const isPastDue = subscription.status === 'past_due';
  const isNotStarted =
    subscription.status === 'active' && subscription.paymentsMade === 0 && subscription.nextPaymentDate === subscription.startDate;
  return (
    <FactList
      facts={[
        [
          t('Customer'),
          canSeeCustomer ? (
            <Link key="customer" component={RouterLink} to={`/customers/${subscription.customerId}`}>
              {customerNameOf(subscription)}
            </Link>
          ) : (
            customerNameOf(subscription)
          ),
        ],
        [t('Email'), subscription.customer.name !== null && subscription.customer.email],
        [t('Name'), subscription.planId],
        [t('Tax'), subscription.taxAmount > 0 && writeMoney(subscription.taxAmount, subscription.currency)],
        [t('Purchase order'), subscription.purchaseOrderNumber],
        [
          t('Agreed by'),
          subscription.agreement &&
            [channelName(subscription.agreement.channel), subscription.agreement.reference].filter(Boolean).join(', '),
        ],
        [t('Card'), cardText(subscription)],
        [isNotStarted ? t('Starts') : t('Started'), dayText(subscription.startDate)],
        [t('Ends'), endText(subscription)],
        [t('Attempts'), isPastDue && attemptsText(subscription.failedAttempts, attemptsMax)],
        [t('Next attempt'), isPastDue && subscription.nextRetryAt && fullTime(subscription.nextRetryAt, timezone)],
        [t('Last paid'), subscription.lastPaymentAt && fullTime(subscription.lastPaymentAt, timezone)],
        [t('Paused'), subscription.status === 'paused' && subscription.pausedAt && fullTime(subscription.pausedAt, timezone)],
        [t('Canceled'), subscription.cancelledAt && fullTime(subscription.cancelledAt, timezone)],
        [t('Canceled by'), subscription.cancelledBy && actorText(subscription.cancelledBy)],
        [t('Reason'), subscription.cancelReason && cancelReasonText(subscription.cancelReason)],
        [t('Ended'), subscription.expiredAt && fullTime(subscription.expiredAt, timezone)],
        [t('Subscription ID'), <CopyText key="subscription" text={subscription.subscriptionId} label={t('Subscription ID')} />],
      ]}
    />
  );
}

function cardText({ card, paymentMethodId }: Subscription): string {
  if (card === null) return t('No card on file');
  return paymentMethodId === null
    ? t('{{card}} (the customer’s default)', { card: methodWithExpiry(card) })
    : t('{{card}} (for this subscription only)', { card: methodWithExpiry(card) });
}

const attemptsText = (done: number, total: number | undefined) =>
  total === undefined ? String(done) : t('{{done, number}} of {{total, number}}', { done, total });

function Upcoming({ subscription }: { subscription: Subscription }) {
  const upcoming = useQuery(upcomingQuery(subscription.subscriptionId));
  const title = subscription.status === 'paused' ? t('Payment dates if resumed now') : t('Next payment dates');
  return (
    <Section title={title}>
      <QueryContent
        query={upcoming}
        isEmpty={({ dates }) => dates.length === 0}
        empty={<Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No further payments are due.')}</Box>}
      >
        {({ dates }) => <DateStrip label={title} dates={dates} />}
      </QueryContent>
    </Section>
  );
}
