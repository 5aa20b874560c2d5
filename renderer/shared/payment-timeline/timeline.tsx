import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { api, type HistoryEntry, type TransactionDetail, takeData } from '#renderer/base/client';
import { serviceText, Trans, t } from '#renderer/base/language';
import { actorText, MoneyText, type RecordKind, Section, sentenceCase, statusStyle, TimeText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { disputesOfPaymentQuery } from '#renderer/shared/disputes';
import { messagesAboutQuery, messageTitle } from '#renderer/shared/receipt-delivery';
import { type DisputeStep, disputeSteps } from './dispute-entries.ts';

const ACTION_NAMES: Readonly<Record<string, string>> = {
  sale: t('Sale'),
  auth: t('Authorization'),
  credit: t('Credit'),
  capture: t('Capture'),
  cancelCapture: t('Capture canceled'),
  cancel_capture: t('Capture canceled'),
  adjust: t('Amount changed'),
  void: t('Void'),
  refund: t('Refund'),
};

/** Actions whose result is a status of the transaction; the others are records of their own. */
const STEPS_OF_TRANSACTION = new Set(['sale', 'auth', 'capture', 'cancelCapture', 'cancel_capture', 'void']);
const RETURNS_MONEY = new Set(['refund', 'credit']);

/** A step of the timeline, whatever caused it. */
interface TimelineEntry {
  readonly key: string;
  readonly at: string;
  /** Status, which selects icon and color. */
  readonly state: string;
  readonly title: ReactNode;
  readonly detail: string;
  /** Amount, negative if money is returned; absent for webhooks and messages. */
  readonly amount?: number;
}

/** Events of a payment in order of time: steps at the gateway and of its disputes, webhook deliveries, and messages such as receipts. */
export function PaymentTimeline({ transaction }: { transaction: TransactionDetail }) {
  const { transactionId, history, currency } = transaction;
  const may = useMay();
  const deliveries = useQuery({ ...deliveriesQuery(transactionId), enabled: may('webhooks:read') });
  const messages = useQuery({ ...messagesAboutQuery(transactionId), enabled: may('notifications:read') });
  const disputes = useQuery({ ...disputesOfPaymentQuery(transactionId), enabled: may('disputes:read') });
  const entries = [
    ...history.map((entry) => stepOf(entry, transaction.gateway)),
    ...(deliveries.data ?? []).map(
      ({ id, endpointId, eventType, status, createdAt }): TimelineEntry => ({
        key: id,
        at: createdAt,
        state: status,
        title: (
          <>
            <Outcome event={t('Webhook')} state={status} />
            {' · '}
            <Link component={RouterLink} to={`/webhooks/${endpointId}/${id}`}>
              {eventType}
            </Link>
          </>
        ),
        detail: '',
      }),
    ),
    ...(messages.data ?? []).map(
      ({ messageId, kind, to, status, createdAt }): TimelineEntry => ({
        key: messageId,
        at: createdAt,
        state: status,
        title: (
          <>
            <Outcome event={t('Message')} state={status} />
            {' · '}
            <Link component={RouterLink} to={`/messages/${messageId}`}>
              {messageTitle({ kind, to })}
            </Link>
          </>
        ),
        detail: '',
      }),
    ),
    ...(disputes.data ?? []).flatMap((dispute) => disputeSteps(dispute).map((step, index) => disputeEntry(dispute.disputeId, step, index))),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <Section title={t('History')}>
      <Box component="ol" aria-label={t('History')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {entries.map((entry, index) => (
          <Step key={entry.key} entry={entry} currency={currency} isLast={index === entries.length - 1} />
        ))}
      </Box>
    </Section>
  );
}

/** Describes an event with its status: "Refund approved". */
function Outcome({ event, of, state }: { event: string; of?: RecordKind | undefined; state: string }) {
  return (
    <Trans
      i18nKey="<0>{{event}}</0> {{status}}"
      components={[<strong key="0" />]}
      values={{ event, status: statusStyle(state, of).label.toLowerCase() }}
    />
  );
}

/** Returns the entry of a step of a dispute. */
function disputeEntry(disputeId: string, { at, state, text, amount }: DisputeStep, index: number): TimelineEntry {
  const title = (
    <Link component={RouterLink} to={`/disputes/${disputeId}`} color="inherit" underline="hover">
      {text}
    </Link>
  );
  return { key: `${disputeId} ${index}`, at, state, title, detail: '', ...(amount !== undefined && { amount }) };
}

/** Returns the entry of a step at the gateway. */
function stepOf({ at, action, processorRef, result, reason, actor, approvedBy, amount }: HistoryEntry, gateway: string): TimelineEntry {
  return {
    key: `${at} ${action} ${processorRef}`,
    at,
    state: result,
    title: (
      <>
        <Outcome
          event={ACTION_NAMES[action] ?? sentenceCase(action)}
          of={STEPS_OF_TRANSACTION.has(action) ? 'transaction' : undefined}
          state={result}
        />
        {reason && <Box component="span" sx={{ color: 'text.secondary' }}>{` · ${serviceText(reason)}`}</Box>}
      </>
    ),
    detail: ` · ${
      approvedBy === null
        ? actorText(actor)
        : t('{{person}}, approved by {{approver}}', { person: actorText(actor), approver: actorText(approvedBy) })
    } · ${gateway}`,
    ...(amount !== null && { amount: RETURNS_MONEY.has(action) ? -amount : amount }),
  };
}

function Step({ entry, currency, isLast }: { entry: TimelineEntry; currency: string; isLast: boolean }) {
  const { timezone } = useMerchant();
  const { tone, icon: Icon } = statusStyle(entry.state);
  return (
    <Box component="li" sx={{ display: 'grid', gridTemplateColumns: '24px 1fr auto', columnGap: 3, fontSize: 13 }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center' }}>
        <Box
          sx={(theme) => ({
            display: 'grid',
            placeItems: 'center',
            width: 24,
            height: 24,
            borderRadius: '50%',
            color: theme.vars.palette.tone[tone].main,
            backgroundColor: theme.vars.palette.tone[tone].tint,
          })}
        >
          <Icon size={13} strokeWidth={2.25} aria-hidden />
        </Box>
        {!isLast && <Box sx={{ flex: 1, width: '1px', minHeight: 12, backgroundColor: 'divider' }} />}
      </Box>
      <Box sx={{ pb: isLast ? 0 : 3, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ lineHeight: '24px' }}>{entry.title}</Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
          <TimeText at={entry.at} timeZone={timezone} />
          {entry.detail}
        </Box>
      </Box>
      <Box sx={{ lineHeight: '24px' }}>{entry.amount !== undefined && <MoneyText amount={entry.amount} currency={currency} />}</Box>
    </Box>
  );
}

/** Webhook deliveries about the transaction, newest first. */
function deliveriesQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['webhooks', 'of-transaction', transactionId],
    queryFn: () => takeData(api.GET('/api/v1/transactions/{id}/deliveries', { params: { path: { id: transactionId } } })),
  });
}
