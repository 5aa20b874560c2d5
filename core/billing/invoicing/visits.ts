import { createHash } from 'node:crypto';
import { type BulkStatement, queriesOn, TENANT, type Work } from '#core/database';
import { isoTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { VisitOrigin } from './input.ts';
import { INVOICE_VISITS, INVOICES, type InvoiceVisitRow } from './schema.ts';

/** Browser that visited a page. Absent values were not sent. */
interface Visitor {
  readonly ipAddress?: string;
  readonly userAgent?: string;
  /** Random ID in a cookie of the browser. */
  readonly deviceId?: string;
}

/** Visits of an invoice's page by one browser from one address. */
export interface PageVisit extends Visitor {
  readonly visits: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

const PURPOSE = 'invoice-visit';
/** Largest number of browsers whose visits of one page are kept. */
const VISITORS_MAX = 50;
/** Longest time after a payment in which the card schemes accept a dispute, in milliseconds: 540 days. */
const KEPT_MS = 540 * 86_400_000;
/** Largest number of rows that one clean-up deletes. */
const SWEPT_MAX = 1_000;
const VISITOR_CHARS = 22;

const queries = queriesOn(INVOICE_VISITS);

/** Counts a visit of a known browser, or keeps a new one while the page has fewer than the maximum. */
export const COUNT_VISIT: BulkStatement<InvoiceVisitRow> = {
  columns: {
    tenant_id: 'text',
    invoice_id: 'text',
    visitor: 'text',
    sealed: 'text',
    visits: 'integer',
    first_at: 'text',
    last_at: 'text',
  },
  sql: `INSERT INTO invoice_visits (tenant_id, invoice_id, visitor, sealed, visits, first_at, last_at)
    SELECT given.tenant_id, given.invoice_id, given.visitor, given.sealed, given.visits, given.first_at, given.last_at FROM {rows} AS given
    WHERE (SELECT count(*) FROM invoice_visits AS kept WHERE kept.tenant_id = given.tenant_id AND kept.invoice_id = given.invoice_id AND kept.visitor <> given.visitor) < ${VISITORS_MAX}
    ON CONFLICT (tenant_id, invoice_id, visitor) DO UPDATE SET visits = invoice_visits.visits + 1, last_at = excluded.last_at`,
};

/** Keeps a visit of a page on which an invoice can be paid. A fault is logged, because the payer has no use for it. */
export async function recordVisit(
  deps: Dependencies,
  tenantId: string,
  invoiceId: string,
  { ip, userAgent, deviceId }: VisitOrigin,
): Promise<void> {
  const visitor: Visitor = { ipAddress: ip ?? undefined, userAgent, deviceId };
  try {
    const at = isoTime(deps.clockOf(tenantId).now());
    const row: InvoiceVisitRow = {
      tenant_id: tenantId,
      invoice_id: invoiceId,
      visitor: createHash('sha256').update(`${deviceId}|${ip}|${userAgent}`).digest('base64url').slice(0, VISITOR_CHARS),
      sealed: await deps.secrets.seal(tenantId, PURPOSE, JSON.stringify(visitor)),
      visits: 1,
      first_at: at,
      last_at: at,
    };
    await deps.database.unitOfWork.transaction(tenantId, async (work) => work.apply(COUNT_VISIT, row));
  } catch (error) {
    deps.report('A visit of a pay page could not be kept.', { invoiceId, error: String(error) });
  }
}

/** Returns the kept visits of a page, oldest first. */
export async function visitsOf(deps: Dependencies, tenantId: string, invoiceId: string): Promise<PageVisit[]> {
  const rows = await deps.database
    .read(tenantId)
    .find(INVOICE_VISITS, { invoice_id: invoiceId }, { orderBy: [['first_at', 'asc']], limit: VISITORS_MAX });
  return Promise.all(
    rows.map(async ({ sealed, visits, first_at: firstAt, last_at: lastAt }) => {
      const visitor = JSON.parse(await deps.secrets.open(tenantId, PURPOSE, sealed)) as Visitor;
      return { ...visitor, visits: Number(visits), firstAt, lastAt };
    }),
  );
}

/** Removes the visits of a customer's invoices, in the unit of work of the customer's deletion. */
export async function forgetVisits(work: Work, customerId: string): Promise<void> {
  for (const { id } of await work.find(INVOICES, { customer_id: customerId })) await work.delete(INVOICE_VISITS, { invoice_id: id });
}

/** Deletes visits after the time in which a payment can be disputed. */
export async function deleteOldVisits(deps: Dependencies, tenantId: string): Promise<void> {
  const until = isoTime(deps.clockOf(tenantId).now() - KEPT_MS);
  const old = await deps.database
    .read(tenantId)
    .rows(
      queries
        .selectFrom('invoice_visits')
        .select(['invoice_id', 'visitor'])
        .where('tenant_id', '=', TENANT)
        .where('last_at', '<', until)
        .limit(SWEPT_MAX),
    );
  if (old.length === 0) return;
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    for (const row of old) await work.delete(INVOICE_VISITS, row);
  });
}
