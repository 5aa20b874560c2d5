import { UniqueViolation } from '#core/database';
import { type Actor, isoTime, lastBookableDay, newId, realNow, ServiceError } from '#core/kernel';
import { createCsvReader, delimiterOf, type Row } from '#core/platform/csv';
import {
  abandonImport,
  awaitUnfinished,
  beginImport,
  completeImport,
  foreignReason,
  keepReading,
  leaseEnd,
  orAbandon,
} from '#core/platform/imports';
import { dueAt } from '#core/platform/scheduling';
import { redactLongNumbers } from '#shared/card-numbers';
import { HEADER_ROWS_MAX, headerRowOf } from '#shared/file-columns';
import { SUM_MAX } from './amount-sums.ts';
import { type Dependencies, pause, type Scope, scopeFor } from './dependencies.ts';
import { blockOf, lineRow } from './import-lines.ts';
import { CARD_LIKE, type FileLine, isHeader, type Mapping, type Reader, readerOf } from './mapping.ts';
import { subjectsOf } from './our-lines.ts';
import type { ReconciliationImport } from './records.ts';
import { IMPORT_LINES, IMPORTS, type ImportRow, WHOLE_TENANT } from './schema.ts';
import { SETTLEMENT_FILES } from './unfinished-imports.ts';
import type { UploadedFile } from './upload-file.ts';

/** Largest number of unreadable rows that are listed; all are counted. */
const BAD_LISTED_MAX = 200;
const KEEP_READING = keepReading(IMPORTS);

export interface ImportInput {
  readonly file: UploadedFile;
  readonly filename: string | null;
  readonly mapping: Mapping;
  readonly merchantId?: string | undefined;
}

interface Reading {
  readonly row: ImportRow;
  readonly scope: Scope;
  readonly read: Reader;
  readonly bad: { line: number; reason: string }[];
  /** Sum of the absolute amounts of each currency, in minor units. */
  readonly sums: Map<string, number>;
}

/**
 * Stores the lines of a settlement file in blocks. Bad rows are reported and left out. @throws ServiceError
 * RESOURCE_CONFLICT with `details.importId` if the same bytes were imported before, and with `details.status` and `details.retryAfter`
 * while another request reads them. A file without a readable row can be imported again.
 */
export async function importFile(deps: Dependencies, actor: Actor, input: ImportInput): Promise<ReconciliationImport> {
  const scope = await scopeFor(deps, actor, input.merchantId);
  const { delimiter, header, line: headerLine } = await headOf(input.file, input.mapping);
  const read = readerOf(input.mapping, header, scope.merchant.currency, lastBookableDay(deps.clockOf(actor.tenantId).now()));
  const reading: Reading = { row: await begin(deps, actor, scope.scope, input), scope, read, bad: [], sums: new Map() };
  await orAbandon(
    async () => {
      await readRows(deps, reading, input.file, delimiter, headerLine);
      await end(deps, actor, reading);
    },
    () => abandonImport(deps, SETTLEMENT_FILES, reading.row),
  );
  const { row, bad } = reading;
  return {
    importId: row.id,
    rows: row.row_count,
    imported: row.imported,
    badRows: bad.toSorted((one, other) => one.line - other.line),
    badRowCount: row.bad_count,
    startDate: row.first_date,
    endDate: row.last_date,
    encoding: input.file.encoding,
    delimiter: delimiter === '\t' ? 'tab' : delimiter,
  };
}

const HEAD_MAX = 65_536;

/** Returns the separator and the header of a file, which may follow rows of other kinds. */
async function headOf(file: UploadedFile, mapping: Mapping): Promise<{ delimiter: string; header: readonly string[]; line: number }> {
  let head = '';
  for await (const text of file.text()) {
    head += text;
    if (head.length >= HEAD_MAX) break;
  }
  const foreign = foreignReason(head, { names: 'CSV', hasControls: true });
  if (foreign !== null) throw new ServiceError('VALIDATION_ERROR', foreign, { field: 'file' });
  const delimiter = delimiterOf(head);
  const csv = createCsvReader(delimiter);
  const read = [...csv.read(head.slice(0, HEAD_MAX)), ...csv.end()].filter((row) => !isBlank(row));
  const rows = read.filter((row) => 'cells' in row);
  const cells = rows.slice(0, HEADER_ROWS_MAX).map((row) => ('cells' in row ? row.cells : []));
  const found = cells.findIndex((each) => isHeader(mapping, each));
  const index = found >= 0 ? found : headerRowOf(cells);
  const header = cells[index];
  const [first] = read;
  if (found < 0 && first && 'reason' in first)
    throw new ServiceError('VALIDATION_ERROR', `Line ${first.line} of the file cannot be read: ${first.reason}.`, { field: 'file' });
  if (!header) throw new ServiceError('VALIDATION_ERROR', 'The file has no header row.', { field: 'file' });
  return { delimiter, header, line: rows[index]?.line ?? 1 };
}

const isBlank = (row: Row) => 'cells' in row && row.cells.every((cell) => cell.trim() === '');

/** Begins an import. A file without a readable row can be imported again. @throws ServiceError RESOURCE_CONFLICT if the file was imported before, or is being imported. */
async function begin(deps: Dependencies, actor: Actor, scope: string, { file, filename }: ImportInput): Promise<ImportRow> {
  const now = deps.clockOf(actor.tenantId).now();
  const { tenantId } = actor;
  const { fingerprint } = file;
  const row: ImportRow = {
    tenant_id: tenantId,
    id: newId('imp', now),
    scope,
    fingerprint,
    status: 'reading',
    filename: filename === null ? null : redactLongNumbers(filename),
    row_count: 0,
    imported: 0,
    bad_count: 0,
    first_date: null,
    last_date: null,
    created_at: isoTime(now),
    created_by: actor.name,
    ...dueAt(realNow()),
  };
  const existing = () => deps.database.read(tenantId).one(IMPORTS, { scope, fingerprint });
  const unfinished = async () => [(await existing()) ?? []].flat().filter(({ status }) => status !== 'ready');
  for (;;) {
    const earlier = await existing();
    if (earlier?.status === 'ready' && Number(earlier.imported) > 0)
      throw new ServiceError('RESOURCE_CONFLICT', 'This file was imported before.', { field: 'file', details: { importId: earlier.id } });
    if (earlier?.status === 'ready') await abandonImport(deps, SETTLEMENT_FILES, earlier);
    await awaitUnfinished(deps, SETTLEMENT_FILES, { tenantId, fingerprint }, unfinished);
    try {
      return await deps.database.unitOfWork.transaction(tenantId, (work) => beginImport(deps, SETTLEMENT_FILES, work, row));
    } catch (error) {
      // Another request has begun an import of the file.
      if (!(error instanceof UniqueViolation)) throw error;
    }
  }
}

async function readRows(deps: Dependencies, reading: Reading, file: UploadedFile, delimiter: string, headerLine: number): Promise<void> {
  const csv = createCsvReader(delimiter);
  let block: { line: number; of: FileLine }[] = [];
  const size = blockOf(deps.database);
  const write = async () => {
    if (block.length > 0) await writeBlock(deps, reading, block);
    block = [];
  };
  const takeRow = (row: Row) => {
    if (row.line <= headerLine || isBlank(row)) return;
    const line = readRow(reading, row);
    if (line) block.push({ line: row.line, of: line });
  };
  for await (const text of file.text()) {
    for (const row of csv.read(text)) {
      takeRow(row);
      if (block.length >= size) await write();
    }
    await pause();
  }
  for (const row of csv.end()) takeRow(row);
  await write();
}

/** Returns the content of a row; an unreadable row is recorded and gives null. */
function readRow({ row: importRow, read, bad, sums }: Reading, row: Row): FileLine | null {
  importRow.row_count += 1;
  const line = 'reason' in row ? row : addToSums(sums, read(row.cells));
  if (!('reason' in line)) return line;
  leaveOut({ row: importRow, bad }, row.line, line.reason);
  return null;
}

function leaveOut({ row, bad }: Pick<Reading, 'row' | 'bad'>, line: number, reason: string): void {
  row.bad_count += 1;
  if (bad.length < BAD_LISTED_MAX) bad.push({ line, reason });
}

/** Adds a line to the sums of the file, or returns the reason if a sum would exceed the maximum of an exact number. */
function addToSums(sums: Map<string, number>, line: ReturnType<Reader>): ReturnType<Reader> {
  if ('reason' in line) return line;
  const sum = (sums.get(line.currency) ?? 0) + Math.abs(line.minor);
  if (sum > SUM_MAX) return { reason: `with this row, the sum of the amounts in ${line.currency} exceeds the supported maximum` };
  sums.set(line.currency, sum);
  return line;
}

async function writeBlock(
  deps: Dependencies,
  { row, scope, bad }: Reading,
  given: readonly { line: number; of: FileLine }[],
): Promise<void> {
  const { tenant_id, id, fence } = row;
  const subjects = await subjectsOf(
    deps.database.read(tenant_id),
    scope.scope,
    given.map(({ of: fileLine }) => fileLine.reference),
  );
  const isKnown = ({ isCardLike, reference }: FileLine) => !isCardLike || subjects.has(reference);
  for (const { line, of: fileLine } of given) if (!isKnown(fileLine)) leaveOut({ row, bad }, line, CARD_LIKE);
  const block = given.filter(({ of: fileLine }) => isKnown(fileLine));
  const lease_ms = await leaseEnd(deps.database, SETTLEMENT_FILES);
  await deps.database.unitOfWork.writeBatch(tenant_id, (batch) => {
    batch.guardedUpdate(KEEP_READING, { tenant_id, id, fence, lease_ms });
    for (const { line, of: fileLine } of block)
      batch.insert(IMPORT_LINES, lineRow(tenant_id, id, line, fileLine, subjects.get(fileLine.reference)));
  });
  row.imported += block.length;
  for (const { of: fileLine } of block) {
    if (row.first_date === null || fileLine.day < row.first_date) row.first_date = fileLine.day;
    if (row.last_date === null || fileLine.day > row.last_date) row.last_date = fileLine.day;
  }
  await pause();
}

async function end(deps: Dependencies, actor: Actor, { row }: Reading): Promise<void> {
  const { row_count, imported, bad_count, first_date, last_date } = row;
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await completeImport(work, SETTLEMENT_FILES, row, { row_count, imported, bad_count, first_date, last_date });
    deps.audit(work, {
      actor,
      action: 'settlement_import.created',
      resource: `settlement/imports/${row.id}`,
      merchantId: row.scope === WHOLE_TENANT ? null : row.scope,
      after: { rows: row_count, imported, badRows: bad_count, startDate: first_date, endDate: last_date, fingerprint: row.fingerprint },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', row.scope === WHOLE_TENANT ? null : row.scope));
  });
}
