import type { Work } from '#core/database';
import { type Actor, isoTime, realNow, ServiceError } from '#core/kernel';
import type { Job } from '#core/platform/scheduling';
import type { HostedPageStatus, HostedPayment } from '#core/processing/gateways';
import { type Dependencies, HOSTED_PAGES_JOB } from '../dependencies.ts';
import { askNow } from '../hosted-page-state/ask.ts';
import { HOSTED_PAGES, type HostedPageProblem, type HostedPageRow } from '../hosted-page-state/schema.ts';
import { findInvoice } from '../read.ts';
import type { InvoiceRow } from '../schema.ts';
import { bookPayments, recordedReferences } from './book.ts';
import { lostCreation } from './create.ts';
import { amountOf, changePage, ended, isNeeded, referenceOf, toHostedPage } from './page.ts';
import type { HostedPage } from './records.ts';

const CONCURRENCY = 8;
/** Longer than the requests to a processor may take together. */
const LEASE_MS = 400_000;
/** Time after which a form that was shown at the last moment is expected to have been sent. Payments are found later, too. */
const FORM_GRACE_MS = 15 * 60_000;

/** Job that finds payments on the pages of processors, and closes pages that their invoices no longer need. It uses real time, because processors do. */
export function hostedPagesJob(deps: Dependencies): Job<HostedPageRow> {
  return {
    name: HOSTED_PAGES_JOB,
    table: HOSTED_PAGES,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    async run(page) {
      try {
        return await checkPage(deps, page);
      } catch (cause) {
        // Releases the page for the next inquiry, because the lease is as long as processors may take to answer.
        await changePage(deps, page, page.fence, () => ({}));
        throw cause;
      }
    },
  };
}

async function checkPage(deps: Dependencies, claimed: HostedPageRow): Promise<string> {
  const { fence } = claimed;
  const page = claimed.status === 'creating' ? await changePage(deps, claimed, fence, lostCreation) : claimed;
  if (page === null || page.status === 'failed') return 'skipped';
  const closing = await closeIfUnneeded(deps, page);
  const status = await deps.payments.hostedPages.find({ ...referenceOf(page), amount: amountOf(page), at: page.created_at });
  const booked = status.kind === 'paid' ? await bookPayments(deps, page, status.payments) : null;
  if (booked === 'waits') await changePage(deps, page, fence, () => ({}));
  else if (booked === null)
    await changePage(deps, page, fence, async (current, invoice, work) =>
      resultOf(current, invoice, { status, others: await notBooked(work, current, status) }, closing, deps),
    );
  return booked === null || booked === 'waits' ? 'asked' : booked;
}

/** Result of closing a page. `kept`: it is still needed, or has ended before. */
type Closing = 'kept' | 'closed' | 'failed' | 'impossible';

async function closeIfUnneeded(deps: Dependencies, page: HostedPageRow): Promise<Closing> {
  if (page.ended_at !== null && page.problem !== 'not_closed') return 'kept';
  const { row } = await findInvoice(deps, { tenantId: page.tenant_id, merchantId: null }, page.invoice_id);
  if (page.ended_at === null && page.is_close_wanted === 0 && isNeeded(deps, row, page)) return 'kept';
  // Without its ID the processor cannot close the page.
  if (page.reference === null && page.delivery !== 'form') return page.ended_at === null ? 'impossible' : 'kept';
  return deps.payments.hostedPages.close({ ...referenceOf(page), reference: page.reference });
}

/** Returns the columns of a page after an inquiry that booked nothing. */
function resultOf(
  page: HostedPageRow,
  invoice: InvoiceRow,
  { status, others }: { readonly status: HostedPageStatus; readonly others: readonly HostedPayment[] },
  closing: Closing,
  deps: Dependencies,
): Partial<HostedPageRow> {
  const at = isoTime(realNow());
  const asked = status.kind === 'unknown' ? { unanswered_at: at } : { checked_at: at, unanswered_at: null };
  const problem = problemOf(page, status, others, closing);
  const found = status.kind === 'unknown' || status.kind === 'pending' ? page.found : others.length > 0 ? foundJson(others) : null;
  const result = { ...asked, problem, found };
  if (page.ended_at !== null) return result;
  const end = endOf(deps, page, invoice, status, closing);
  if (end !== null) return { ...result, status: end, ...ended(page, isUnclosed(page, closing)) };
  const isReview = status.kind === 'paid' || (page.status === 'review' && status.kind !== 'unpaid');
  // The invoice was changed after it was read for this inquiry.
  const isLate = closing === 'kept' && !isNeeded(deps, invoice, page);
  return { ...result, status: isReview ? 'review' : 'open', ...(isLate && { due_ms: realNow() }) };
}

/** Returns true if the payer can still open the page: without its ID at the processor, only a person can close it there. */
const isUnclosed = ({ delivery }: HostedPageRow, closing: Closing): boolean =>
  closing === 'failed' || (closing === 'impossible' && delivery !== 'form');

/** Returns the status with which a page ends now; null if it does not end. A payment that is not booked or not decided keeps it, unless a person closes it. */
function endOf(deps: Dependencies, page: HostedPageRow, invoice: InvoiceRow, status: HostedPageStatus, closing: Closing) {
  const isForm = page.delivery === 'form';
  const isWanted = page.is_close_wanted > 0;
  if (page.is_close_wanted > 1) return 'closed';
  if ((status.kind === 'paid' || status.kind === 'pending') && !isWanted) return null;
  if (closing === 'closed' || (closing === 'impossible' && (isForm || isWanted || status.kind === 'unpaid'))) return 'closed';
  const isOver = page.opens_until_ms !== null && page.opens_until_ms + FORM_GRACE_MS <= realNow();
  return isForm && isOver && isNeeded(deps, invoice, page) ? 'expired' : null;
}

/** Returns the payments that the processor shows besides the recorded ones. */
async function notBooked(work: Work, page: HostedPageRow, status: HostedPageStatus): Promise<readonly HostedPayment[]> {
  if (status.kind !== 'paid' || (page.transaction_id !== null && status.payments.length === 1)) return [];
  const recorded = await recordedReferences(work, page);
  return status.payments.filter(({ reference }) => !recorded.has(reference));
}

function problemOf(
  page: HostedPageRow,
  status: HostedPageStatus,
  others: readonly HostedPayment[],
  closing: Closing,
): HostedPageProblem | null {
  if (others.length > 0) return page.transaction_id === null && others.length === 1 ? 'other_amount' : 'several_payments';
  if (status.kind === 'pending') return 'in_review';
  if (status.kind === 'unknown' && status.alert !== undefined) return status.alert === 'other-amount' ? 'other_amount' : 'undetermined';
  if (isUnclosed(page, closing)) return 'not_closed';
  // The payer may have a page whose creation is lost, also after an inquiry without an answer.
  const isKept = page.problem === 'not_closed' || page.problem === 'creation_unknown' || page.status === 'review';
  if (status.kind === 'unknown') return isKept ? page.problem : 'no_answer';
  return page.problem === 'creation_unknown' || (page.problem === 'not_closed' && page.ended_at !== null && closing === 'kept')
    ? page.problem
    : null;
}

const foundJson = (payments: readonly HostedPayment[]): string =>
  JSON.stringify(payments.map(({ reference, amount: { minor, currency } }) => ({ reference, minor, currency })));

/** Returns a page of an invoice that the caller may access. @throws ServiceError INVOICE_NOT_FOUND, NOT_FOUND. */
async function pageOf(deps: Dependencies, actor: Actor, invoiceId: string): Promise<HostedPageRow> {
  const { row } = await findInvoice(deps, actor, invoiceId);
  const [page] = await deps.database
    .read(actor.tenantId)
    .find(HOSTED_PAGES, { invoice_id: row.id }, { limit: 1, orderBy: [['id', 'desc']] });
  if (!page) throw new ServiceError('NOT_FOUND', 'This invoice has no payment page at a processor.', { details: { invoiceId } });
  return page;
}

/** Asks about the newest page of an invoice and returns it. */
export async function checkNow(deps: Dependencies, actor: Actor, invoiceId: string): Promise<HostedPage> {
  const page = await pageOf(deps, actor, invoiceId);
  const isBeingCreated = page.status === 'creating' && page.due_ms !== null && page.due_ms > realNow();
  if (!isBeingCreated && page.status !== 'failed') await askNow(deps, page);
  return readPage(deps, page);
}

/** Closes the newest page of an invoice. A page that the processor does not confirm stays open, and the job tries again. */
export async function closePage(deps: Dependencies, actor: Actor, invoiceId: string): Promise<HostedPage> {
  const page = await pageOf(deps, actor, invoiceId);
  if (page.ended_at !== null) return toHostedPage(deps, page);
  if (page.status === 'creating')
    throw new ServiceError('RESOURCE_CONFLICT', 'The page is being created. Try again in a moment.', { details: { reason: 'creating' } });
  await changePage(deps, page, null, (current, invoice, work) => {
    deps.audit(work, {
      actor,
      action: 'invoice.hosted_page_closed',
      resource: `invoices/${invoice.id}`,
      merchantId: invoice.merchant_id,
      after: { hostedPageId: current.id, status: current.status, processorRef: current.processor_ref },
    });
    // A second request ends a page that the processor does not close.
    return { is_close_wanted: Math.min(current.is_close_wanted + 1, 2), attention_at: null };
  });
  await askNow(deps, page);
  return readPage(deps, page);
}

async function readPage(deps: Dependencies, page: HostedPageRow): Promise<HostedPage> {
  return toHostedPage(deps, (await deps.database.read(page.tenant_id).one(HOSTED_PAGES, { id: page.id })) ?? page);
}
