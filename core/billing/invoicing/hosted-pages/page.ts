import type { Work } from '#core/database';
import { allows, type Currency, isoTime, later, money, type RealTime, realNow, serviceActor } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import type { HostedPageAddress, HostedPageReference } from '#core/processing/gateways';
import { type Dependencies, HOSTED_PAGES_JOB, notifyScreens } from '../dependencies.ts';
import { auditInvoice } from '../events.ts';
import { HOSTED_PAGE_OVERPAYMENTS, HOSTED_PAGES, type HostedPageProblem, type HostedPageRow } from '../hosted-page-state/schema.ts';
import { lockInvoice } from '../repository.ts';
import { INVOICES, type InvoiceRow } from '../schema.ts';
import { INVOICE_STEPS } from '../steps.ts';
import type { HostedPage } from './records.ts';

/** Purpose of the encryption of addresses. */
const ADDRESS = 'hosted-page';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Intervals of inquiries by the age of a page: a payer who has just got it probably pays now. */
const INTERVALS = [
  { until: 30 * MINUTE_MS, ms: 15_000 },
  { until: DAY_MS, ms: 2 * MINUTE_MS },
  { until: Number.POSITIVE_INFINITY, ms: 15 * MINUTE_MS },
] as const;
/** The same by the time since a page has ended. A form that is open in a browser is probably sent soon. */
const INTERVALS_OF_ENDED = [
  { until: 7 * DAY_MS, ms: 15 * MINUTE_MS },
  { until: Number.POSITIVE_INFINITY, ms: DAY_MS },
] as const;
const FORM_SENT_WITHIN_MS = 15 * MINUTE_MS;
/** Time for which ended pages are watched: a form that is open in a browser can be sent late, and an email can be opened late. */
const WATCHED_MS = { form: DAY_MS, link: DAY_MS, email: 7 * DAY_MS } as const;
/** Time for which a page is watched that the processor did not close, so that it can still be paid. */
const WATCHED_UNCLOSED_MS = 366 * DAY_MS;

/** Returns the time of the next inquiry; null if the page is no longer watched. */
export function nextInquiry({ delivery, created_at, ended_at, watch_until_ms: until }: HostedPageRow): RealTime | null {
  const now = realNow();
  const age = now - Date.parse(ended_at ?? created_at);
  if (ended_at !== null && (until === null || until <= now)) return null;
  const isFormSent = ended_at !== null && delivery === 'form' && age < FORM_SENT_WITHIN_MS;
  const intervals = ended_at === null || isFormSent ? INTERVALS : INTERVALS_OF_ENDED;
  return later(now, intervals.find((each) => age < each.until)?.ms ?? DAY_MS);
}

/** Returns the columns of a page that ends now and is still watched for late payments; longer if it can still be paid. */
export function ended(
  { delivery }: Pick<HostedPageRow, 'delivery'>,
  isUnclosed = false,
): Pick<HostedPageRow, 'ended_at' | 'watch_until_ms' | 'sealed_address'> {
  const now = realNow();
  const watchedMs = isUnclosed ? WATCHED_UNCLOSED_MS : WATCHED_MS[delivery];
  return { ended_at: isoTime(now), watch_until_ms: later(now, watchedMs), sealed_address: null };
}

/** Returns the columns of an ended page that a person has closed at the processor, because Paydesk could not: it is watched no longer than a closed one. */
export function closedByPerson(page: HostedPageRow): Partial<HostedPageRow> {
  const { ended_at: endedAt, problem, delivery } = page;
  if (endedAt === null || (problem !== 'not_closed' && problem !== 'creation_unknown')) return {};
  const closed = { problem: null, watch_until_ms: later(Date.parse(endedAt) as RealTime, WATCHED_MS[delivery]) };
  return { ...closed, due_ms: nextInquiry({ ...page, ...closed }) };
}

/** Returns true if the invoice still asks for exactly the amount of its page. */
export function isNeeded(deps: Dependencies, row: InvoiceRow, page: HostedPageRow): boolean {
  const isExpired = row.expires_ms !== null && row.expires_ms <= deps.clockOf(row.tenant_id).now();
  return allows(INVOICE_STEPS, row.status, 'pay') && !isExpired && row.amount_minor - row.paid_minor === page.amount_minor;
}

export const amountOf = ({ amount_minor, currency }: Pick<HostedPageRow, 'amount_minor' | 'currency'>) =>
  money(amount_minor, currency as Currency);

export const referenceOf = ({ tenant_id, gateway_id, processor_ref }: HostedPageRow): HostedPageReference => ({
  tenantId: tenant_id,
  gatewayId: gateway_id,
  processorRef: processor_ref,
});

export const sealAddress = (deps: Dependencies, tenantId: string, address: HostedPageAddress): Promise<string> =>
  deps.secrets.seal(tenantId, ADDRESS, JSON.stringify(address));

export async function addressOf(
  deps: Dependencies,
  { tenant_id, sealed_address: sealed }: HostedPageRow,
): Promise<HostedPageAddress | null> {
  return sealed === null ? null : (JSON.parse(await deps.secrets.open(tenant_id, ADDRESS, sealed)) as HostedPageAddress);
}

/** Changes a page with its invoice locked. Returns null if the page no longer has the fence of the caller, because another server works on it. */
export async function changePage(
  deps: Dependencies,
  { tenant_id, id, invoice_id }: HostedPageRow,
  fence: number | null,
  change: (page: HostedPageRow, invoice: InvoiceRow, work: Work) => Partial<HostedPageRow> | Promise<Partial<HostedPageRow>>,
): Promise<HostedPageRow | null> {
  return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const invoice = await lockInvoice(work, invoice_id);
    const page = await work.lockOne(HOSTED_PAGES, { id });
    if (!page || (fence !== null && page.fence !== fence)) return null;
    const set = await change(page, invoice, work);
    const next = { ...page, ...set };
    next.attention_at = attentionOf(page, next);
    if (next.attention_at !== null && page.attention_at === null)
      auditInvoice(deps, work, serviceActor(tenant_id), 'hosted_page_review', invoice, invoice, {
        hostedPage: { hostedPageId: id, problem: next.problem, processorRef: page.processor_ref, found: foundOf(next) },
      });
    const whole = { ...next, ...released('due_ms' in set ? (set.due_ms ?? null) : nextInquiry(next)) };
    const { tenant_id: _, id: __, fence: ___, ...columns } = whole;
    await work.update(HOSTED_PAGES, { id }, columns);
    if (whole.ended_at !== null && page.ended_at === null) await work.update(INVOICES, { id: invoice_id }, { hosted_url: null });
    if (whole.status !== page.status || whole.problem !== page.problem || whole.attention_at !== page.attention_at)
      notifyScreens(deps, work, invoice);
    work.afterCommit(() => deps.scheduler.wake(HOSTED_PAGES_JOB, tenant_id));
    return whole;
  });
}

const NEEDS_PERSON: ReadonlySet<HostedPageProblem | null> = new Set(['other_amount', 'several_payments', 'undetermined']);

/** Returns the time from which a changed page waits for a person. Without an answer of the processor, it waits on. */
function attentionOf(page: HostedPageRow, next: HostedPageRow): string | null {
  const isNews = page.found === next.found ? next.found === null && page.problem !== next.problem : next.found !== null;
  const isLeftOpen = next.problem === 'not_closed' && next.ended_at !== null && page.ended_at === null;
  if (isLeftOpen || (NEEDS_PERSON.has(next.problem) && isNews)) return next.attention_at ?? isoTime(realNow());
  return next.problem === null && next.status !== 'overpaid' ? null : next.attention_at;
}

/** Returns the payments that are not booked. */
const foundOf = ({ found }: HostedPageRow) =>
  JSON.parse(found ?? '[]') as { readonly reference: string; readonly minor: number; readonly currency: Currency }[];

/** Returns the address of an open page: its own, or for a form that of the page of this server that opens it. */
async function urlOf(deps: Dependencies, row: HostedPageRow): Promise<string | null> {
  if (row.status !== 'open' || row.delivery === 'email') return null;
  if (row.delivery === 'link') return (await addressOf(deps, row))?.url ?? null;
  if (row.opens_until_ms !== null && row.opens_until_ms <= realNow()) return null;
  const invoice = await deps.database.read(row.tenant_id).one(INVOICES, { id: row.invoice_id });
  const merchant = await deps.merchants.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  return deps.merchants.pageUrl(merchant, `/pay/${invoice?.page_token}/gateway`);
}

/** Returns a page in the form of the API. */
export async function toHostedPage(deps: Dependencies, row: HostedPageRow): Promise<HostedPage> {
  const overpayments = await deps.database.read(row.tenant_id).find(HOSTED_PAGE_OVERPAYMENTS, { hosted_page_id: row.id });
  return {
    hostedPageId: row.id,
    invoiceId: row.invoice_id,
    gateway: row.gateway,
    delivery: row.delivery,
    processorRef: row.processor_ref,
    amount: amountOf(row),
    currency: row.currency as Currency,
    status: row.status,
    problem: row.problem,
    url: await urlOf(deps, row),
    emailedTo: row.emailed_to,
    opensUntil: row.opens_until_ms === null ? null : isoTime(row.opens_until_ms),
    found: foundOf(row).map(({ reference, minor, currency }) => ({ reference, amount: money(minor, currency), currency })),
    transactionId: row.transaction_id,
    overpayments: overpayments.map(({ transaction_id: id }) => id),
    attentionSince: row.attention_at,
    note: row.note,
    createdBy: row.created_by,
    createdAt: row.created_at,
    checkedAt: row.checked_at,
    endedAt: row.ended_at,
  };
}
