import { setImmediate as pause } from 'node:timers/promises';
import type { Work } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import { createCsvReader, delimiterOf, type Row, restoreFormulas } from '#core/platform/csv';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import { containsCardNumber, redactLongNumbers } from '#shared/card-numbers';
import { changedItem, ITEMS_MAX, lockCatalog, newItem, writeChange, writeNew } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import type { ItemInput } from './item.ts';
import type { ItemKind, ItemRow } from './schema.ts';

/** Columns of a file of items, in the order of an export. */
const IMPORT_COLUMNS = ['itemId', 'kind', 'name', 'price', 'taxRate', 'taxIncluded', 'key', 'barcode', 'status', 'category'] as const;
type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** Result of one line of a file. */
export interface ImportedLine {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly name: string | null;
  readonly result: 'created' | 'updated' | 'unchanged' | 'error';
  /** Reason of an error, as a sentence; null otherwise. */
  readonly reason: string | null;
}

/** Result of an import. */
export interface ItemImport {
  /** False after a dry run, and if a line has an error: then nothing is stored. */
  readonly stored: boolean;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly lines: readonly ImportedLine[];
}

export interface ItemImportInput {
  /** Text of the file in pieces. */
  readonly text: () => AsyncIterable<string>;
  readonly dryRun: boolean;
  readonly merchantId?: string;
}

/** Lines that are compared with the catalog, or written, without a pause, in which the service answers others. */
const BLOCK = 100;

type Cells = Readonly<Partial<Record<ImportColumn, string>>>;
type FileRow = { readonly line: number; readonly cells: Cells } | { readonly line: number; readonly reason: string };

const invalidFile = (message: string, details?: Record<string, unknown>) =>
  new ServiceError('VALIDATION_ERROR', message, { field: 'file', ...(details && { details }) });

/**
 * Creates and updates items from a CSV file with a header row. A line with the ID, the barcode or the key of an existing item updates it; columns
 * that the file does not have stay as they are. If a line has an error, nothing is stored. @throws ServiceError VALIDATION_ERROR for a file without
 * the columns `name` and `price`, or with too many lines.
 */
export async function importItems(deps: Dependencies, actor: Actor, input: ItemImportInput): Promise<ItemImport> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const rows = await readRows(input.text());
  const plan = async (work: Work): Promise<ItemImport> => {
    const catalog = new Map((await lockCatalog(work, merchant.merchantId)).map((item) => [item.id, item]));
    const lines: ImportedLine[] = [];
    const writes: { readonly before: ItemRow | null; readonly next: ItemRow }[] = [];
    const seen = new Set<string>();
    for (const [index, row] of rows.entries()) {
      if (index % BLOCK === 0) await pause();
      if ('reason' in row) {
        lines.push({ line: row.line, name: null, result: 'error', reason: sentence(row.reason) });
        continue;
      }
      const name = row.cells.name === undefined ? null : redactLongNumbers(row.cells.name.slice(0, 100));
      try {
        const change = changeOf(deps, actor, merchant, [...catalog.values()], row.cells, seen);
        if (seen.has(change.next.id)) throw invalidFile('An earlier line of the file is about the same item.');
        seen.add(change.next.id);
        catalog.set(change.next.id, change.next);
        if (change.result !== 'unchanged') writes.push(change);
        lines.push({ line: row.line, name, result: change.result, reason: null });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        lines.push({ line: row.line, name, result: 'error', reason: redactLongNumbers(error.message) });
      }
    }
    const count = (result: ImportedLine['result']) => lines.filter((line) => line.result === result).length;
    const stored = !input.dryRun && count('error') === 0;
    if (stored)
      for (const [index, { before, next }] of writes.entries()) {
        if (index % BLOCK === 0) await pause();
        if (before === null) writeNew(deps, work, actor, next);
        else await writeChange(deps, work, actor, before, next);
      }
    return { stored, created: count('created'), updated: count('updated'), unchanged: count('unchanged'), failed: count('error'), lines };
  };
  return deps.database.unitOfWork.transaction(actor.tenantId, plan);
}

const sentence = (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;

/** Returns the item that a line creates or changes. @throws ServiceError with the reason why it cannot. */
function changeOf(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  items: readonly ItemRow[],
  cells: Cells,
  seen: ReadonlySet<string>,
): { readonly before: ItemRow | null; readonly next: ItemRow; readonly result: 'created' | 'updated' | 'unchanged' } {
  const input = inputOf(cells);
  const before = existing(items, cells, input);
  if (before === null) {
    const same = sameItem(deps, items, input, seen);
    if (same !== null) return { before: same, next: same, result: 'unchanged' };
    return { before, next: newItem(deps, actor, merchant, items, input), result: 'created' };
  }
  const next = changedItem(deps, items, before, input);
  return { before, next, result: isSame(before, next) ? 'unchanged' : 'updated' };
}

const isSame = (before: ItemRow, next: ItemRow): boolean =>
  (Object.keys(next) as (keyof ItemRow)[]).every((name) => name === 'updated_at' || next[name] === before[name]);

/**
 * Returns the item that a line without ID, barcode and key describes in every column, and no earlier line of the file. The same file, imported a
 * second time because its answer was lost, finds the items of the first time.
 */
function sameItem(deps: Dependencies, items: readonly ItemRow[], input: ItemInput, seen: ReadonlySet<string>): ItemRow | null {
  if (input.barcode || input.key || input.price === undefined) return null;
  const name = input.name?.trim();
  const described = items.filter((item) => item.name === name && item.barcode === null && item.key === null && !seen.has(item.id));
  return described.find((item) => isSame(item, changedItem(deps, items, item, input))) ?? null;
}

function existing(items: readonly ItemRow[], { itemId }: Cells, { barcode, key }: ItemInput): ItemRow | null {
  const id = itemId?.trim() ?? '';
  if (id !== '') {
    const named = items.find((item) => item.id === id);
    if (!named) throw new ServiceError('NOT_FOUND', `There is no item ${id.slice(0, 60)}.`, { field: 'itemId' });
    return named;
  }
  const wanted = { barcode: barcode?.trim() || null, key: key?.trim().toUpperCase() || null };
  return (
    items.find((item) => wanted.barcode !== null && item.barcode === wanted.barcode) ??
    items.find((item) => wanted.key !== null && item.key === wanted.key) ??
    null
  );
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, yes: true, '1': true, false: false, no: false, '0': false };

/** Returns the fields of a line. An empty cell clears an optional field, and is left out for the others. */
function inputOf(cells: Cells): ItemInput {
  const textOf = (column: ImportColumn) => (cells[column] === undefined ? undefined : cells[column].trim());
  const given = (column: ImportColumn) => textOf(column) || undefined;
  const clearing = (column: ImportColumn) => {
    const text = textOf(column);
    return text === '' ? null : text;
  };
  const kind = given('kind')?.toLowerCase();
  if (kind !== undefined && kind !== 'item' && kind !== 'amount') throw invalidFile('`kind` must be item or amount.');
  const status = given('status')?.toLowerCase();
  if (status !== undefined && status !== 'active' && status !== 'archived') throw invalidFile('`status` must be active or archived.');
  const included = given('taxIncluded')?.toLowerCase();
  const taxIncluded = included === undefined ? undefined : BOOLEANS[included];
  if (included !== undefined && taxIncluded === undefined) throw invalidFile('`taxIncluded` must be true or false.');
  const name = textOf('name');
  const category = clearing('category');
  if (name !== undefined && containsCardNumber(name)) throw invalidFile('`name` contains a card number.');
  if (category && containsCardNumber(category)) throw invalidFile('`category` contains a card number.');
  const fields = {
    kind: kind as ItemKind | undefined,
    name,
    price: given('price'),
    taxRate: clearing('taxRate'),
    taxIncluded,
    key: clearing('key'),
    barcode: clearing('barcode'),
    status,
    category,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ItemInput;
}

async function readRows(pieces: AsyncIterable<string>): Promise<FileRow[]> {
  let csv: ReturnType<typeof createCsvReader> | null = null;
  let columns: readonly (ImportColumn | null)[] | null = null;
  const rows: FileRow[] = [];
  const take = (row: Row) => {
    if ('cells' in row && row.cells.every((cell) => cell.trim() === '')) return;
    if (columns === null) {
      columns = headerFrom(row);
      return;
    }
    if (rows.length >= ITEMS_MAX) throw invalidFile(`The file has more than ${ITEMS_MAX} lines.`);
    rows.push('reason' in row ? row : { line: row.line, cells: cellsOf(columns, row.cells) });
  };
  for await (const piece of pieces) {
    csv ??= createCsvReader(delimiterOf(piece));
    for (const row of csv.read(piece)) take(row);
  }
  if (csv !== null) for (const row of csv.end()) take(row);
  if (columns === null) throw invalidFile('The file is empty. It needs a header row with the columns `name` and `price`.');
  return rows;
}

function headerFrom(row: Row): readonly (ImportColumn | null)[] {
  const names = 'cells' in row ? row.cells.map((cell) => cell.replace(/^\uFEFF/, '').trim()) : [];
  const simple = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '');
  const columns = names.map((name) => IMPORT_COLUMNS.find((column) => simple(column) === simple(name)) ?? null);
  const isComplete = columns.includes('name') && columns.includes('price');
  if (isComplete && new Set(columns.filter((column) => column !== null)).size === columns.filter((column) => column !== null).length)
    return columns;
  throw invalidFile('The first line must name the columns, each once, and among them `name` and `price`.', {
    columns: [...IMPORT_COLUMNS],
  });
}

function cellsOf(columns: readonly (ImportColumn | null)[], cells: readonly string[]): Partial<Record<ImportColumn, string>> {
  const found: Partial<Record<ImportColumn, string>> = {};
  for (const [index, column] of columns.entries())
    if (column !== null)
      found[column] = restoreFormulas(cells[index] ?? '')
        .toWellFormed()
        .replaceAll('\0', '');
  return found;
}
