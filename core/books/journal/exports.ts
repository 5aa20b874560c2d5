import { newestPage, type Page, type PageRequest, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, addDays, type Caller, isoTime, newId, parseCurrency, parseDate, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { claimEntries, countEntries, entriesOf, type JournalEntry } from './entries.ts';
import { type JournalFormat, selectCurrency } from './formats.ts';
import type { JournalExport } from './records.ts';
import { JOURNAL_EXPORTS, type JournalExportRow } from './schema.ts';

const queries = queriesOn(JOURNAL_EXPORTS);
const DAYS_MAX = 400;

export interface JournalInput {
  readonly startDate: string;
  readonly endDate: string;
  readonly merchantId?: string | undefined;
  /** `new` omits what was exported before. */
  readonly only?: 'new' | undefined;
  /** Omits entries of other currencies, which remain for other exports. */
  readonly currency?: string | undefined;
}

const toExport = (row: JournalExportRow): JournalExport => ({
  journalExportId: row.id,
  merchantId: row.merchant_id,
  startDate: row.start_date,
  endDate: row.end_date,
  only: row.contents === 'new' ? 'new' : null,
  currency: row.currency || null,
  entries: Number(row.entries),
  newEntries: Number(row.new_entries),
  createdBy: row.created_by,
  createdAt: row.created_at,
});

/**
 * Records an export of a period with the entries that no earlier export contained. Exports of one merchant run one after another, so an entry is new in
 * one of them only. @throws ServiceError INVALID_DATE; VALIDATION_ERROR for a period of more than 400 days, or if the entries have several currencies and
 * the format, if it is known, takes one.
 */
export async function createExport(deps: Dependencies, actor: Actor, input: JournalInput, format?: JournalFormat): Promise<JournalExport> {
  const { merchantId } = await deps.merchantFor(actor, input.merchantId);
  const first = parseDate(input.startDate, 'startDate');
  const last = parseDate(input.endDate, 'endDate');
  if (last < first || addDays(first, DAYS_MAX) < last)
    throw new ServiceError('VALIDATION_ERROR', `\`endDate\` must be within ${DAYS_MAX} days after \`startDate\`.`, { field: 'endDate' });
  const currency = input.currency === undefined ? undefined : parseCurrency(input.currency);
  const now = deps.clockOf(actor.tenantId).now();
  const id = newId('jex', now);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    await claimEntries(work, merchantId, { first, last }, { id, currency });
    const counts = (await countEntries(work, merchantId, { first, last }, id))
      .map((each) => ({ ...each, entries: input.only === 'new' ? each.new : each.all }))
      .filter((each) => each.entries > 0 && (currency === undefined || each.currency === currency));
    if (format !== undefined) selectCurrency(format, counts, undefined);
    const sumOf = (part: 'entries' | 'new') => counts.reduce((sum, count) => sum + count[part], 0);
    const row: JournalExportRow = {
      tenant_id: actor.tenantId,
      id,
      merchant_id: merchantId,
      n: (await lastNumber(work, merchantId)) + 1,
      start_date: first,
      end_date: last,
      contents: input.only ?? 'all',
      currency: currency ?? '',
      entries: sumOf('entries'),
      new_entries: sumOf('new'),
      created_by: actor.name,
      created_at: isoTime(now),
    };
    work.insert(JOURNAL_EXPORTS, row);
    deps.audit(work, {
      actor,
      action: 'journal.exported',
      resource: `reporting/journal/exports/${id}`,
      merchantId,
      after: { startDate: first, endDate: last, currency, entries: row.entries, newEntries: row.new_entries, at: isoTime(now) },
    });
    return toExport(row);
  });
}

async function lastNumber(work: Work, merchantId: string): Promise<number> {
  const row = await work.row(
    queries
      .selectFrom('journal_exports')
      .select(({ fn }) => fn.max<number | null>('n').as('n'))
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId),
  );
  return Number(row?.n ?? 0);
}

/** Returns one page of the exports of the caller's merchants or of one merchant, newest first. */
export async function pageOfExports(
  deps: Dependencies,
  actor: Caller,
  merchantId: string | undefined,
  at: PageRequest,
): Promise<Page<JournalExport>> {
  const merchant = merchantId ?? actor.merchantId ?? undefined;
  if (merchant !== undefined) await deps.merchantFor(actor, merchant);
  const found = await newestPage(deps.database.read(actor.tenantId), JOURNAL_EXPORTS, 'jex', { merchant_id: merchant }, at);
  return { ...found, items: found.items.map(toExport) };
}

/** Returns a recorded export with its entries. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function readExport(
  deps: Dependencies,
  actor: Caller,
  journalExportId: string,
): Promise<{ readonly journalExport: JournalExport; readonly entries: readonly JournalEntry[] }> {
  const read = deps.database.read(actor.tenantId);
  const row = await read.one(JOURNAL_EXPORTS, { id: journalExportId });
  if (!row)
    throw new ServiceError('NOT_FOUND', `There is no journal export ${journalExportId.slice(0, 60)}.`, { details: { journalExportId } });
  await deps.merchantFor(actor, row.merchant_id);
  return { journalExport: toExport(row), entries: await entriesOf(read.heavy, row) };
}
