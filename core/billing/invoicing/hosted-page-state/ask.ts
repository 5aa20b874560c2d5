import { setTimeout } from 'node:timers/promises';
import { isoTime, realNow, ServiceError } from '#core/kernel';
import { type Dependencies, HOSTED_PAGES_JOB } from '../dependencies.ts';
import { HOSTED_PAGES, type HostedPageRow } from './schema.ts';

/** Time for which an answer of the processor counts, so that repeated submissions of a pay page do not ask it each time. */
const ANSWER_COUNTS_MS = 2_000;
/** Time for which a processor that did not answer is not waited for again. */
const SILENCE_COUNTS_MS = 30_000;

/** Time for which an inquiry is waited for, and the interval of looking whether a running one of another process has ended. */
const WAIT_MS = 5_000;
const LOOK_MS = 100;
const PAGES_MAX = 20;

/**
 * Asks the processor about a page now. An inquiry that is running, of this or another process, may have begun before the caller's change, so it is waited for,
 * and the processor is asked again. A processor that does not answer within the time limit is not waited for: the inquiry ends in the background.
 */
export async function askNow(deps: Dependencies, page: HostedPageRow): Promise<void> {
  const limit = new AbortController();
  const isAnswered = await Promise.race([
    ask(deps, page, limit.signal).then(() => true),
    setTimeout(WAIT_MS, false, { signal: limit.signal, ref: false }),
  ]).finally(() => limit.abort());
  if (isAnswered) return;
  await deps.database.unitOfWork.transaction(page.tenant_id, (work) =>
    work.update(HOSTED_PAGES, { id: page.id }, { unanswered_at: isoTime(realNow()) }),
  );
}

async function ask(deps: Dependencies, { tenant_id: tenantId, id }: HostedPageRow, limit: AbortSignal): Promise<void> {
  while (!limit.aborted) {
    const page = await deps.database.read(tenantId).one(HOSTED_PAGES, { id });
    if (page === null) return;
    const { lease_ms, fence } = page;
    if (lease_ms <= realNow()) {
      const set = { due_ms: realNow() };
      const free = await deps.database.unitOfWork.transaction(tenantId, (work) => work.update(HOSTED_PAGES, { id, lease_ms, fence }, set));
      if (free === 1 && (await deps.scheduler.runOne(HOSTED_PAGES_JOB, tenantId, id)) !== null) return;
    }
    await setTimeout(LOOK_MS);
  }
}

const isRecent = (at: string | null, ms: number): boolean => at !== null && realNow() - Date.parse(at) < ms;

/**
 * Asks about the pages of an invoice before the invoice is charged in another way, so that a payment on one of them is found first, also on a page that has
 * ended and is still watched. Without an answer the charge continues: a payment that is found later is shown for a refund. @throws ServiceError
 * RESOURCE_CONFLICT with `details.reason` `hosted_page_payment` if the processor shows a payment that is not decided or not booked.
 */
export async function reconcilePages(deps: Dependencies, tenantId: string, invoiceId: string): Promise<void> {
  const pagesOf = () =>
    deps.database.read(tenantId).find(HOSTED_PAGES, { invoice_id: invoiceId }, { limit: PAGES_MAX, orderBy: [['id', 'desc']] });
  const isAsked = ({ status, due_ms, checked_at, unanswered_at }: HostedPageRow) =>
    due_ms !== null && status !== 'creating' && !isRecent(checked_at, ANSWER_COUNTS_MS) && !isRecent(unanswered_at, SILENCE_COUNTS_MS);
  const pages = await pagesOf();
  if (pages.length === 0) return;
  await Promise.all(pages.filter(isAsked).map((page) => askNow(deps, page)));
  if ((await pagesOf()).some(hasOpenPayment)) throw openPayment();
}

/** Returns true if the processor shows a payment on the page that is not decided or not booked. A person who closes the page accepts that. */
export const hasOpenPayment = ({ ended_at, status, problem }: HostedPageRow): boolean =>
  ended_at === null && (status === 'review' || problem === 'in_review');

export const openPayment = () =>
  new ServiceError(
    'RESOURCE_CONFLICT',
    'The gateway shows a payment on its page of this invoice. Wait for its outcome, or close the page of the gateway first.',
    { details: { reason: 'hosted_page_payment' } },
  );
