import type { RecordAudit } from '#core/audit';
import { type Database, rowsOf, type StoredValue, sql, type Table, type TableShape, type Work } from '#core/database';
import { assert, isoTime, realNow, serviceActor } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { containsCardNumber, isCardInteger, maskCardNumbers } from '#shared/card-numbers';
import { CARD_NUMBER_SCANS, type CardNumberScanRow } from './schema.ts';

export const TABLES = [CARD_NUMBER_SCANS];

/** A table with the columns that hold free text. Rows whose key is made from free text are removed instead of masked. */
export interface FreeText {
  readonly table: TableShape;
  readonly columns: readonly string[];
  readonly removes?: true;
}

type StoredRow = Readonly<Record<string, StoredValue>>;
interface Position {
  readonly table: string;
  readonly after: readonly StoredValue[];
}

const BATCH_ROWS = 200;
/** Maximum number of batches per run, so that other jobs can run in between. */
const BATCHES_PER_RUN = 50;

interface CardMaskingDependencies {
  readonly database: Database;
  readonly freeText: readonly FreeText[];
  readonly audit: RecordAudit;
  readonly report: (message: string, context: Readonly<Record<string, unknown>>) => void;
  /** Drops cached rows, after texts were masked. */
  readonly forget: (tenantId: string) => void;
  readonly batchRows?: number;
}

/**
 * Masks the card numbers in texts that were stored before card numbers were refused. A tenant's rows are searched once, in batches; the position is
 * committed with each batch, so an interrupted search continues where it stopped. The audit log states the number of rows.
 */
export function maskCardNumbersJob(deps: CardMaskingDependencies): Job<CardNumberScanRow> {
  const { database, report, forget } = deps;
  return {
    name: 'mask-card-numbers',
    table: CARD_NUMBER_SCANS,
    clock: 'real',
    concurrency: 1,
    leaseMs: 120_000,
    longestWaitMs: 3_600_000,
    async run(scan) {
      let masked = 0;
      for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
        const done = await database.unitOfWork.transaction(scan.tenant_id, (work) => runBatch(deps, work, scan));
        masked += done.masked;
        if (done.state === 'more') continue;
        if (done.masked + done.before > 0) {
          forget(scan.tenant_id);
          await database.purgeDeletedRows();
          report('Card numbers in stored texts were masked', { tenantId: scan.tenant_id, rows: done.masked + done.before });
        }
        return 'masked';
      }
      if (masked > 0) forget(scan.tenant_id);
      await database.unitOfWork.transaction(scan.tenant_id, (work) =>
        work.update(CARD_NUMBER_SCANS, { id: scan.id, fence: scan.fence }, released(realNow())),
      );
      return 'continued';
    },
  };
}

/** Masks one batch and stores the position after it. Finishes the search after the last table. */
async function runBatch(
  { freeText, audit, batchRows = BATCH_ROWS }: CardMaskingDependencies,
  work: Work,
  { tenant_id, id, fence }: CardNumberScanRow,
) {
  const scan = await work.lockOne(CARD_NUMBER_SCANS, { id, fence });
  if (scan === null) return { state: 'done', masked: 0, before: 0 } as const;
  const position = scan.position === null ? null : (JSON.parse(scan.position) as Position);
  const tableIndex = position === null ? 0 : freeText.findIndex(({ table }) => table.name === position.table);
  const current = freeText[tableIndex];
  const rows = current ? await nextRows(work, current, position?.after ?? [], batchRows) : [];
  let masked = 0;
  for (const row of rows) if (current && (await maskRow(work, current, row))) masked += 1;
  const rowsMasked = scan.rows_masked + masked;
  const next = current && positionAfter(freeText, tableIndex, rows, batchRows);
  if (next) {
    await work.update(CARD_NUMBER_SCANS, { id, fence }, { position: JSON.stringify(next), rows_masked: rowsMasked });
    return { state: 'more', masked, before: scan.rows_masked } as const;
  }
  const finished = { ...released(null), rows_masked: rowsMasked, finished_at: isoTime(Date.now()) };
  await work.update(CARD_NUMBER_SCANS, { id, fence }, finished);
  audit(work, {
    actor: serviceActor(tenant_id),
    action: 'card_numbers.masked',
    resource: `card-number-scans/${id}`,
    after: { rowsMasked },
  });
  return { state: 'done', masked, before: scan.rows_masked } as const;
}

function positionAfter(freeText: readonly FreeText[], tableIndex: number, rows: readonly StoredRow[], batchRows: number): Position | null {
  const last = rows.at(-1);
  const { table } = freeText[tableIndex] as FreeText;
  if (last && rows.length === batchRows) return { table: table.name, after: keyOf(table).map((name) => last[name] ?? null) };
  const following = freeText[tableIndex + 1];
  return following ? { table: following.table.name, after: [] } : null;
}

const keyOf = (table: TableShape) => table.key.filter((name) => name !== 'tenant_id');

/** Returns the rows after a key, in the order of keys. */
function nextRows(work: Work, { table, columns }: FreeText, after: readonly StoredValue[], limit: number): Promise<StoredRow[]> {
  const key = keyOf(table);
  assert(table.tenantScoped && key.length > 0, `${table.name} is a table of tenants`);
  const selected = [...new Set([...key, ...columns])];
  let rows = rowsOf(table).select(selected).limit(limit);
  for (const name of key) rows = rows.orderBy(name);
  const isAfter = sql<boolean>`(${sql.join(key.map((name) => sql.ref(name)))}) > (${sql.join(after)})`;
  return work.rows(after.length === 0 ? rows : rows.where(isAfter)) as Promise<StoredRow[]>;
}

/** Masks the texts of a row, unless another request changed them in the meantime. Returns true if a text was masked. */
async function maskRow(work: Work, { table, columns, removes }: FreeText, row: StoredRow): Promise<boolean> {
  const key = Object.fromEntries(keyOf(table).map((name) => [name, row[name]]));
  const target = table as Table<Record<string, StoredValue>>;
  let changed = 0;
  for (const name of columns) {
    const text = row[name];
    if (typeof text !== 'string') continue;
    const masked = maskStored(text);
    if (masked === text) continue;
    changed += removes ? await work.delete(target, key) : await work.update(target, { ...key, [name]: text }, { [name]: masked });
  }
  return changed > 0;
}

/** Masks a stored text; in JSON, its texts, names and numbers. */
function maskStored(text: string): string {
  if (!containsCardNumber(text)) return text;
  if (!/^\s*[[{]/.test(text)) return maskCardNumbers(text);
  try {
    return JSON.stringify(maskValue(JSON.parse(text)));
  } catch {
    return maskCardNumbers(text);
  }
}

function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskCardNumbers(value);
  if (typeof value === 'number') return isCardInteger(value) ? maskCardNumbers(String(value)) : value;
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [maskCardNumbers(name), maskValue(inner)]));
}
