import { isoTime } from '#core/kernel';
import type { JobStatus } from '#core/platform/scheduling';
import type { Dependencies, StatusRequest } from './dependencies.ts';
import { counted, durationText, fact, item, timeFact } from './item.ts';
import type { StatusItem } from './records.ts';

/** Largest count that the capabilities return. */
const COUNT_MAX = 1_000;
const DELIVERIES_COUNT_MAX = 10_000;
/** Time after which the request of an operation has normally ended. */
const RUNNING_MAX_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Age of a waiting delivery that shows a failing receiver or server. */
const BACKLOG_MS = 15 * 60_000;

/** Returns the status of payments and refunds: unconfirmed payments, those held for review, and declined refunds. */
export async function paymentsAndRefunds(deps: Dependencies, { actor, nowMs }: StatusRequest): Promise<StatusItem[]> {
  const { unconfirmed, oldestUnconfirmedAt, inReview, refundsFailed, refundsOpen, oldestRefundMs } = await deps.payments.health(actor);
  const age = oldestUnconfirmedAt === null ? 0 : Math.max(0, nowMs - Date.parse(oldestUnconfirmedAt));
  const facts = [
    fact('Unconfirmed', counted(unconfirmed, 'payment', 'payments', COUNT_MAX)),
    ...timeFact('Oldest', oldestUnconfirmedAt),
    ...(inReview === 0 ? [] : [fact('Held for review', counted(inReview, 'payment', 'payments', COUNT_MAX))]),
  ];
  const unconfirmedPayment = counted(unconfirmed, 'payment is', 'payments are', COUNT_MAX);
  const payments =
    unconfirmed === 0
      ? item('payments', { message: 'The outcome of every payment is known.' }, facts)
      : item(
          'payments',
          {
            state: age > HOUR_MS ? 'problem' : 'warning',
            message: `${unconfirmedPayment} unconfirmed, the oldest for ${durationText(age)}. Paydesk inquires at the processor until the outcome is known.`,
            action: 'open-transactions',
          },
          facts,
        );
  const queue = [
    fact('No attempts left', counted(refundsFailed, 'refund', 'refunds')),
    fact('Being retried', counted(refundsOpen, 'refund', 'refunds')),
    ...(oldestRefundMs === null ? [] : timeFact('Oldest', isoTime(oldestRefundMs))),
  ];
  const refunds =
    refundsFailed > 0
      ? item(
          'refunds',
          {
            state: 'problem',
            message: `${counted(refundsFailed, 'declined refund has', 'declined refunds have')} no attempts left. Refund the money in another way.`,
            action: 'open-refund-queue',
          },
          queue,
        )
      : item(
          'refunds',
          { message: refundsOpen === 0 ? 'There are no open declined refunds.' : 'Declined refunds are being retried.' },
          queue,
        );
  return [payments, refunds];
}

/**
 * Returns the status of requests with an Idempotency-Key. A key that stays claimed keeps its caller from the outcome, although the operation has
 * ended.
 */
export async function requestsItem(deps: Dependencies, { actor }: StatusRequest): Promise<StatusItem> {
  const running = await deps.idempotencyKeys.running(actor.tenantId, RUNNING_MAX_MS);
  const oldestAt = running.map((each) => each.oldestAt).toSorted()[0];
  if (oldestAt === undefined) return item('requests', { message: 'No request has run for more than a minute.' });
  const age = Date.now() - Date.parse(oldestAt);
  const ageOf = (at: string) => durationText(Date.now() - Date.parse(at));
  const count = running.reduce((sum, each) => sum + each.count, 0);
  return item(
    'requests',
    {
      state: age > HOUR_MS ? 'problem' : 'warning',
      message: `${counted(count, 'request', 'requests')} without an outcome, the oldest for ${durationText(age)}. Look for its record before you repeat a request with another Idempotency-Key.`,
      action: 'see-logs',
    },
    running.map((each) => fact(each.route, `${counted(each.count, 'request', 'requests')}, the oldest for ${ageOf(each.oldestAt)}`)),
  );
}

/** Returns the status of webhook deliveries and of the receivers that refuse them. */
export async function webhooksItem(deps: Dependencies, { actor, nowMs }: StatusRequest): Promise<StatusItem> {
  const { pending, oldestPendingAt, givenUp, failing } = await deps.webhooks.health(actor);
  const facts = [
    fact('Waiting', counted(pending, 'delivery', 'deliveries', DELIVERIES_COUNT_MAX)),
    ...timeFact('Oldest', oldestPendingAt),
    fact('Failed in 7 days', counted(givenUp, 'delivery', 'deliveries', DELIVERIES_COUNT_MAX)),
    ...failing.map(({ url, error }) => fact(hostOf(url), error)),
  ];
  const [first] = failing;
  if (first) {
    const others = failing.length === 1 ? '' : `, and ${counted(failing.length - 1, 'other receiver', 'other receivers')}`;
    const message = `${hostOf(first.url)}${others} rejected the last delivery or did not respond.`;
    return item(
      'webhooks',
      { state: 'problem', message, action: 'open-webhooks', ...(others === '' && { subject: first.endpointId }) },
      facts,
    );
  }
  if (givenUp > 0) {
    const message = `${counted(givenUp, 'delivery has', 'deliveries have', DELIVERIES_COUNT_MAX)} failed for good within the last seven days. Redeliver those that are still needed.`;
    return item('webhooks', { state: 'problem', message, action: 'open-webhooks' }, facts);
  }
  const waitedMs = oldestPendingAt === null ? 0 : nowMs - Date.parse(oldestPendingAt);
  if (waitedMs > BACKLOG_MS) {
    const message = `${counted(pending, 'delivery is waiting', 'deliveries are waiting', DELIVERIES_COUNT_MAX)}, the oldest for ${durationText(waitedMs)}.`;
    return item('webhooks', { state: 'warning', message, action: 'open-webhooks' }, facts);
  }
  return item('webhooks', { message: 'Receivers accept the deliveries.' }, facts);
}

const hostOf = (url: string) => new URL(url).host;
const CHANNEL_NAMES = { email: 'Emails', sms: 'Text messages' } as const;

/** Returns the status of outgoing emails and text messages. */
export async function messagesItem(deps: Dependencies, { actor }: StatusRequest): Promise<StatusItem> {
  const channels = await deps.notifications.channelHealth(actor);
  const facts = channels.flatMap(({ channel, isSetUp, waiting, queued, failed, suspendedUntilMs }) => [
    fact(
      CHANNEL_NAMES[channel],
      [
        ...(isSetUp ? [] : ['not set up']),
        ...(waiting === 0 ? [] : [`${waiting} to be sent manually`]),
        ...(queued === 0 ? [] : [`${queued} queued`]),
        ...(failed === 0 ? [] : [`${failed} failed in 7 days`]),
        ...(isSetUp && waiting + queued + failed === 0 ? ['none waiting'] : []),
      ].join(', '),
    ),
    ...(suspendedUntilMs === null ? [] : timeFact(`${CHANNEL_NAMES[channel]} retried`, isoTime(suspendedUntilMs))),
  ]);
  const atFault = channels.find(({ isSetUp, lastError }) => isSetUp && lastError !== null);
  if (atFault) {
    const message = `${CHANNEL_NAMES[atFault.channel]} are not being sent: ${sentence(atFault.lastError ?? '')}`;
    return item('messages', { state: 'problem', message, action: 'set-up-messages', subject: atFault.channel }, facts);
  }
  const sum = (count: (channelOf: (typeof channels)[number]) => number) => channels.reduce((total, channel) => total + count(channel), 0);
  const failed = sum((channel) => channel.failed);
  if (failed > 0) {
    const message = `${counted(failed, 'message', 'messages', COUNT_MAX)} could not be sent within the last seven days.`;
    return item('messages', { state: 'problem', message, action: 'open-messages' }, facts);
  }
  const waiting = sum((channel) => channel.waiting);
  if (waiting > 0) {
    const isUnset = channels.some((channel) => channel.waiting > 0 && !channel.isSetUp);
    const why = isUnset ? 'until email or text messages are set up' : 'to be sent manually';
    const message = `${counted(waiting, 'message is waiting', 'messages are waiting', COUNT_MAX)} ${why}.`;
    return item('messages', { state: 'warning', message, action: isUnset ? 'set-up-messages' : 'open-messages' }, facts);
  }
  return item('messages', { message: 'No messages are waiting in the outbox.' }, facts);
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns the status of scheduled work. */
export function schedulerItem(jobs: readonly JobStatus[]): StatusItem {
  const overdue = jobs.filter(({ isOverdue }) => isOverdue);
  const heldJobs = jobs.filter(({ isHeld }) => isHeld);
  const failed = jobs.filter(({ lastFailed }) => lastFailed);
  const lastAt =
    jobs
      .flatMap((job) => job.lastAt ?? [])
      .toSorted()
      .at(-1) ?? null;
  const nextAt = jobs.flatMap((job) => job.nextAt ?? []).toSorted()[0] ?? null;
  const facts = [...timeFact('Last run here', lastAt), ...timeFact('Next', nextAt)];
  if (overdue.length > 0) {
    const message = `${counted(overdue.length, 'job is', 'jobs are')} overdue. The server is overloaded, or something blocks it.`;
    return item('scheduler', { state: 'problem', message, action: 'see-logs' }, facts);
  }
  if (heldJobs.length > 0) {
    const message = 'Automatic charges are on hold since the restore, until an owner resumes them.';
    return item('scheduler', { state: 'warning', message, action: 'open-backup' }, facts);
  }
  if (failed.length > 0) {
    const message = `${counted(failed.length, 'job', 'jobs')} failed in the last run and will be retried.`;
    return item('scheduler', { state: 'warning', message, action: 'see-logs' }, facts);
  }
  return item('scheduler', { message: 'All jobs run on time.' }, facts);
}
