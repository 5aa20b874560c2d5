import { isoTime } from '#core/kernel';
import type { JobStatus } from '#core/platform/scheduling';
import type { Asked, Dependencies } from './dependencies.ts';
import { counted, fact, item, lengthText, moment, type StatusItem } from './item.ts';

/** Largest count that the capabilities return. */
const BOUND = 1_000;
const DELIVERIES_BOUND = 10_000;
const HOUR_MS = 3_600_000;
/** Age of a waiting delivery that shows a failing receiver or server. */
const BACKLOG_MS = 15 * 60_000;

/** Payments whose outcome is not known, and those that a processor holds for review. */
export async function paymentsAndRefunds(deps: Dependencies, { by, nowMs }: Asked): Promise<StatusItem[]> {
  const { inDoubt, oldestDoubtAt, inReview, refundsFailed, refundsOpen, oldestRefundMs } = await deps.payments.standing(by);
  const age = oldestDoubtAt === null ? 0 : Math.max(0, nowMs - Date.parse(oldestDoubtAt));
  const facts = [
    fact('In doubt', counted(inDoubt, 'payment', 'payments', BOUND)),
    ...moment('Oldest', oldestDoubtAt),
    ...(inReview === 0 ? [] : [fact('Held for review', counted(inReview, 'payment', 'payments', BOUND))]),
  ];
  const doubt = counted(inDoubt, 'payment is', 'payments are', BOUND);
  const payments =
    inDoubt === 0
      ? item('payments', { message: 'The outcome of every payment is known.' }, facts)
      : item(
          'payments',
          {
            state: age > HOUR_MS ? 'problem' : 'warning',
            message: `${doubt} in doubt, the oldest for ${lengthText(age)}: the processor is asked until it says what became of it.`,
            action: 'open-transactions',
          },
          facts,
        );
  const queue = [
    fact('Used up their tries', counted(refundsFailed, 'refund', 'refunds')),
    fact('Are tried again', counted(refundsOpen, 'refund', 'refunds')),
    ...(oldestRefundMs === null ? [] : moment('Oldest', isoTime(oldestRefundMs))),
  ];
  const refunds =
    refundsFailed > 0
      ? item(
          'refunds',
          {
            state: 'problem',
            message: `${counted(refundsFailed, 'declined refund', 'declined refunds')} used up the tries: somebody must give the money back.`,
            action: 'open-refund-queue',
          },
          queue,
        )
      : item('refunds', { message: refundsOpen === 0 ? 'No declined refund waits.' : 'Declined refunds are being tried again.' }, queue);
  return [payments, refunds];
}

/** Deliveries to the integrations, and the receivers that refuse them. */
export async function webhooksItem(deps: Dependencies, { by, nowMs }: Asked): Promise<StatusItem> {
  const { pending, oldestPendingAt, givenUp, failing } = await deps.webhooks.standing(by);
  const facts = [
    fact('Waiting', counted(pending, 'delivery', 'deliveries', DELIVERIES_BOUND)),
    ...moment('Oldest', oldestPendingAt),
    fact('Given up in 7 days', counted(givenUp, 'delivery', 'deliveries', DELIVERIES_BOUND)),
    ...failing.map(({ url, error }) => fact(hostOf(url), error)),
  ];
  const [first] = failing;
  if (first) {
    const others = failing.length === 1 ? '' : `, and ${counted(failing.length - 1, 'other receiver', 'other receivers')}`;
    const message = `${hostOf(first.url)}${others} refused the last delivery or did not answer it.`;
    return item(
      'webhooks',
      { state: 'problem', message, action: 'open-webhooks', ...(others === '' && { subject: first.endpointId }) },
      facts,
    );
  }
  if (givenUp > 0) {
    const message = `${counted(givenUp, 'delivery was', 'deliveries were', DELIVERIES_BOUND)} given up within seven days: redeliver what is still wanted.`;
    return item('webhooks', { state: 'problem', message, action: 'open-webhooks' }, facts);
  }
  const waitedMs = oldestPendingAt === null ? 0 : nowMs - Date.parse(oldestPendingAt);
  if (waitedMs > BACKLOG_MS) {
    const message = `${counted(pending, 'delivery waits', 'deliveries wait', DELIVERIES_BOUND)}, the oldest for ${lengthText(waitedMs)}.`;
    return item('webhooks', { state: 'warning', message, action: 'open-webhooks' }, facts);
  }
  return item('webhooks', { message: 'Receivers take what is sent to them.' }, facts);
}

const hostOf = (url: string) => new URL(url).host;
const MANY = { email: 'E-mails', sms: 'Texts' } as const;

/** E-mails and texts on their way out. */
export async function messagesItem(deps: Dependencies, { by }: Asked): Promise<StatusItem> {
  const channels = await deps.notifications.standing(by);
  const facts = channels.flatMap(({ channel, isSetUp, waiting, queued, failed, restsUntilMs }) => [
    fact(
      MANY[channel],
      [
        ...(isSetUp ? [] : ['not set up']),
        ...(waiting === 0 ? [] : [`${waiting} wait for a person`]),
        ...(queued === 0 ? [] : [`${queued} on the way`]),
        ...(failed === 0 ? [] : [`${failed} failed in 7 days`]),
        ...(isSetUp && waiting + queued + failed === 0 ? ['nothing waits'] : []),
      ].join(', '),
    ),
    ...(restsUntilMs === null ? [] : moment(`${MANY[channel]} tried again`, isoTime(restsUntilMs))),
  ]);
  const atFault = channels.find(({ isSetUp, lastError }) => isSetUp && lastError !== null);
  if (atFault) {
    const message = `${MANY[atFault.channel]} are not going out: ${sentence(atFault.lastError ?? '')}`;
    return item('messages', { state: 'problem', message, action: 'set-up-messages', subject: atFault.channel }, facts);
  }
  const sum = (count: (of: (typeof channels)[number]) => number) => channels.reduce((total, channel) => total + count(channel), 0);
  const failed = sum((channel) => channel.failed);
  if (failed > 0) {
    const message = `${counted(failed, 'message', 'messages', BOUND)} could not be sent within seven days.`;
    return item('messages', { state: 'problem', message, action: 'open-messages' }, facts);
  }
  const waiting = sum((channel) => channel.waiting);
  if (waiting > 0) {
    const isUnset = channels.some((channel) => channel.waiting > 0 && !channel.isSetUp);
    const why = isUnset ? 'until mail or texts are set up' : 'for a person to send them';
    const message = `${counted(waiting, 'message waits', 'messages wait', BOUND)} ${why}.`;
    return item('messages', { state: 'warning', message, action: isUnset ? 'set-up-messages' : 'open-messages' }, facts);
  }
  return item('messages', { message: 'Nothing waits in the outbox.' }, facts);
}

const sentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`);

/** Returns the status of scheduled work. */
export function schedulerItem(jobs: readonly JobStatus[]): StatusItem {
  const overdue = jobs.filter(({ isOverdue }) => isOverdue);
  const held = jobs.filter(({ isHeld }) => isHeld);
  const failed = jobs.filter(({ lastFailed }) => lastFailed);
  const lastAt =
    jobs
      .flatMap((job) => job.lastAt ?? [])
      .toSorted()
      .at(-1) ?? null;
  const nextAt = jobs.flatMap((job) => job.nextAt ?? []).toSorted()[0] ?? null;
  const facts = [...moment('Last run here', lastAt), ...moment('Next', nextAt)];
  if (overdue.length > 0) {
    const message = `${counted(overdue.length, 'job is', 'jobs are')} overdue: the server has more to do than it can, or something stands in its way.`;
    return item('scheduler', { state: 'problem', message, action: 'see-logs' }, facts);
  }
  if (held.length > 0) {
    const message = 'Automatic charges wait since the restore, until an owner lets them go on.';
    return item('scheduler', { state: 'warning', message, action: 'open-backup' }, facts);
  }
  if (failed.length > 0) {
    const message = `${counted(failed.length, 'job', 'jobs')} broke off the last time and will be tried again.`;
    return item('scheduler', { state: 'warning', message, action: 'see-logs' }, facts);
  }
  return item('scheduler', { message: 'What falls due is done on time.' }, facts);
}
