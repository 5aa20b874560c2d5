import type { Record as RecordAudit } from '#core/audit';
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
/** Batches of one run: then other jobs have their turn. */
const RUN_BATCHES = 50;

interface CardMaskingNeeds {
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
export function maskCardNumbersJob(needs: CardMaskingNeeds): Job<CardNumberScanRow> {
  const { database, report, forget } = needs;
  return {
    name: 'mask-card-numbers',
    table: CARD_NUMBER_SCANS,
    clock: 'real',
    atOnce: 1,
    leaseMs: 120_000,
    async run(scan) {
      let masked = 0;
      for (let batch = 0; batch < RUN_BATCHES; batch += 1) {
        const done = await database.unitOfWork.run(scan.tenant_id, (work) => runBatch(needs, work, scan));
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
      await database.unitOfWork.run(scan.tenant_id, (work) =>
        work.update(CARD_NUMBER_SCANS, { id: scan.id, fence: scan.fence }, released(realNow())),
      );
      return 'continued';
    },
  };
}

/** Masks one batch and moves the position behind it; ends the search after the last table. */
async function runBatch(
  { freeText, audit, batchRows = BATCH_ROWS }: CardMaskingNeeds,
  work: Work,
  { tenant_id, id, fence }: CardNumberScanRow,
) {
  const scan = await work.lockOne(CARD_NUMBER_SCANS, { id, fence });
  if (scan === null) return { state: 'done', masked: 0, before: 0 } as const;
  const position = scan.position === null ? null : (JSON.parse(scan.position) as Position);
  const at = position === null ? 0 : freeText.findIndex(({ table }) => table.name === position.table);
  const current = freeText[at];
  const rows = current ? await nextRows(work, current, position?.after ?? [], batchRows) : [];
  let masked = 0;
  for (const row of rows) if (current && (await maskRow(work, current, row))) masked += 1;
  const rowsMasked = scan.rows_masked + masked;
  const next = current && positionAfter(freeText, at, rows, batchRows);
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

function positionAfter(freeText: readonly FreeText[], at: number, rows: readonly StoredRow[], batchRows: number): Position | null {
  const last = rows.at(-1);
  const { table } = freeText[at] as FreeText;
  if (last && rows.length === batchRows) return { table: table.name, after: keyOf(table).map((name) => last[name] ?? null) };
  const following = freeText[at + 1];
  return following ? { table: following.table.name, after: [] } : null;
}

const keyOf = (table: TableShape) => table.key.filter((name) => name !== 'tenant_id');

/** The rows that follow a key, in the order of keys. */
function nextRows(work: Work, { table, columns }: FreeText, after: readonly StoredValue[], limit: number): Promise<StoredRow[]> {
  const key = keyOf(table);
  assert(table.tenantScoped && key.length > 0, `${table.name} has rows of tenants`);
  const selected = [...new Set([...key, ...columns])];
  let rows = rowsOf(table).select(selected).limit(limit);
  for (const name of key) rows = rows.orderBy(name);
  const behind = sql<boolean>`(${sql.join(key.map((name) => sql.ref(name)))}) > (${sql.join(after)})`;
  return work.rows(after.length === 0 ? rows : rows.where(behind)) as Promise<StoredRow[]>;
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
