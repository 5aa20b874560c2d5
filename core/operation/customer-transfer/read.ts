import {
  conditionsOn,
  cursorOf,
  cutPage,
  newestPage,
  type Page,
  type PageRequest,
  queriesOn,
  rowsOf,
  rowsToRead,
  TENANT,
} from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { Box } from '#core/records/vault';
import type { Dependencies } from './dependencies.ts';
import type { ImportRecord } from './files/index.ts';
import { countsFrom, importedOf, isImporting } from './plan.ts';
import type { CustomerImport, CustomerImportLine, ImportStatus, LineAction, LineCustomer } from './records.ts';
import { IMPORT_LINES, IMPORTS, type ImportLineRow, type ImportRow, lineContext } from './schema.ts';

export function toImport(row: ImportRow): CustomerImport {
  return {
    importId: row.id,
    merchantId: row.merchant_id,
    provider: row.provider,
    filename: row.filename,
    transferKeyId: row.transfer_key_id,
    status: row.status,
    sharedCards: row.shared_cards,
    unreadableCards: row.unreadable_cards,
    lines: Number(row.line_count),
    ignoredColumns: JSON.parse(row.ignored_columns ?? '[]') as string[],
    processed: Number(row.cursor_n),
    imported: importedOf(countsFrom(row.results)),
    planned: countsFrom(row.planned),
    results: countsFrom(row.results),
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}

/** A line without its customer, as the report has it. */
export type ImportLine = Omit<CustomerImportLine, 'customer'>;

const toLine = (row: ImportLineRow, { cursor_n }: ImportRow): ImportLine => ({
  number: Number(row.n),
  line: Number(row.line),
  action: row.action,
  reason: row.reason,
  reference: row.reference,
  name: row.name,
  externalId: row.external_id,
  brand: row.brand,
  last4: row.last4,
  isImported: Number(row.n) <= Number(cursor_n) && isImporting(row.action),
  customerId: row.customer_id,
  paymentMethodId: row.method_id,
});

/** Returns the row of an import of the caller's merchants. @throws ServiceError NOT_FOUND */
export async function readImport({ database }: Pick<Dependencies, 'database'>, actor: Actor, importId: string): Promise<ImportRow> {
  const row = await database.read(actor.tenantId).one(IMPORTS, { id: importId });
  if (row && (actor.merchantId === null || actor.merchantId === row.merchant_id)) return row;
  throw new ServiceError('NOT_FOUND', `There is no import ${importId.slice(0, 60)}.`, { details: { importId } });
}

export const getImport = async (deps: Dependencies, actor: Actor, importId: string) => toImport(await readImport(deps, actor, importId));

export interface ImportFilter {
  readonly merchantId?: string | undefined;
  readonly status?: ImportStatus | undefined;
}

/** Returns one page of imports, newest first. */
export async function pageOfImports(
  deps: Dependencies,
  actor: Actor,
  { merchantId, status }: ImportFilter,
  at: PageRequest,
): Promise<Page<CustomerImport>> {
  const merchant = merchantId ?? actor.merchantId ?? undefined;
  if (merchant !== undefined) await deps.merchantFor(actor, merchant);
  const found = await newestPage(deps.database.read(actor.tenantId), IMPORTS, 'cim', { merchant_id: merchant, status }, at);
  return { ...found, items: found.items.map(toImport) };
}

const queries = queriesOn(IMPORT_LINES);
const line = conditionsOn(IMPORT_LINES);

/** Returns one page of the lines of an import in the order of the file, of all actions or of one. */
export async function pageOfLines(
  deps: Dependencies,
  actor: Actor,
  importId: string,
  action: LineAction | undefined,
  at: PageRequest,
): Promise<Page<CustomerImportLine>> {
  const row = await readImport(deps, actor, importId);
  const read = deps.database.read(actor.tenantId);
  let lines = rowsOf(IMPORT_LINES).where('import_id', '=', importId);
  if (action !== undefined) lines = lines.where('action', '=', action);
  const cursor = cursorOf(at, (text) => /^\d{1,9}$/.test(text));
  const after = cursor === undefined ? undefined : Number(cursor);
  const limit = Math.trunc(at.limit);
  const page = (after === undefined ? lines : lines.where('n', '>', after))
    .selectAll()
    .orderBy('n')
    .limit(rowsToRead(limit))
    .offset(after === undefined ? (Math.trunc(at.page) - 1) * limit : 0);
  const [rows, counted] = await Promise.all([
    read.rows(page) as Promise<unknown> as Promise<ImportLineRow[]>,
    read.row(lines.select(({ fn }) => fn.countAll<number>().as('n'))),
  ]);
  const { items, nextCursor } = cutPage(rows, limit, ({ n }) => String(n));
  const box = await deps.vault.boxOf(read, row.tenant_id, row.id);
  const withCustomer = (each: ImportLineRow): CustomerImportLine => ({
    ...toLine(each, row),
    customer: box === null ? null : customerOf(each, box),
  });
  return { items: items.map(withCustomer), page: at.page, limit, total: Number(counted?.n ?? 0), nextCursor };
}

function customerOf({ n, sealed }: ImportLineRow, box: Box): LineCustomer | null {
  if (sealed === null) return null;
  const { customer } = JSON.parse(box.open(lineContext(Number(n)), sealed)) as ImportRecord;
  const { company = null, email = null, phone = null, address } = customer;
  const { street, city, state, zip, country } = address ?? {};
  return { company, email, phone, address: [street, city, state, zip, country].filter(Boolean).join(', ') || null };
}

const REPORT_BLOCK = 500;

/** Yields every line of an import in blocks, in the order of the file. */
export async function* reportOf(deps: Dependencies, actor: Actor, importId: string): AsyncGenerator<readonly ImportLine[]> {
  const row = await readImport(deps, actor, importId);
  const read = deps.database.read(actor.tenantId);
  for (let last = 0; ; ) {
    const rows = await read.rows(
      queries
        .selectFrom('customer_import_lines')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where('import_id', '=', importId)
        .where(line('n', '>', last))
        .orderBy('n')
        .limit(REPORT_BLOCK),
    );
    yield rows.map((each) => toLine(each, row));
    if (rows.length < REPORT_BLOCK) return;
    last = Number(rows.at(-1)?.n);
  }
}
