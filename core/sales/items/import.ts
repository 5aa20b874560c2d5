import { setImmediate as pause } from 'node:timers/promises';
import type { Work } from '#core/database';
import { type Actor, ServiceError, toNumber } from '#core/kernel';
import { mappingOf, shownColumns } from '#core/platform/imports';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import { redactLongNumbers } from '#shared/card-numbers';
import { changedItem, lockCatalog, newItem, writeChange, writeNew } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { createItemReader, type ReadItem } from './file-input.ts';
import type { ItemMapping } from './file-layouts.ts';
import { readItemFile } from './file-rows.ts';
import { type ItemInput, toItem } from './item.ts';
import { ITEM_FIELDS, type ItemFieldChange, type ItemFields, type ItemImport, type ItemImportLine } from './records.ts';
import type { ItemRow } from './schema.ts';

export interface ItemImportInput {
  /** Text of the file in pieces. */
  readonly text: () => AsyncIterable<string>;
  readonly dryRun: boolean;
  /** True if the prices of a file that does not say so include the tax. */
  readonly taxIncluded?: boolean | undefined;
  /** Columns by field; by default, columns with usual names are read. */
  readonly mapping?: ItemMapping | undefined;
  readonly merchantId?: string;
}

/** Lines that are compared with the catalog, or written, without a pause, in which the service answers others. */
const BLOCK = 100;

const NOTHING = { changes: [], item: null } as const;

/**
 * Creates and updates items from a CSV file, of Paydesk or of another product. A line with the ID, the barcode or the key of an existing item updates it; columns
 * that the file does not have stay as they are. If a line has an error, nothing is stored. @throws ServiceError VALIDATION_ERROR as
 * `readItemFile`.
 */
export async function importItems(deps: Dependencies, actor: Actor, input: ItemImportInput): Promise<ItemImport> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const { header, rows } = await readItemFile(input.text(), input.mapping);
  const read = createItemReader(header, rows, merchant, input.taxIncluded);
  const plan = async (work: Work): Promise<ItemImport> => {
    const catalog = new Map((await lockCatalog(work, merchant.merchantId)).map((item) => [item.id, item]));
    const lines: ItemImportLine[] = [];
    const writes: { readonly before: ItemRow | null; readonly next: ItemRow }[] = [];
    const seen = new Set<string>();
    for (const [index, row] of rows.entries()) {
      if (index % BLOCK === 0) await pause();
      if ('reason' in row) {
        lines.push({ line: row.line, name: null, result: 'error', reason: sentence(row.reason), ...NOTHING });
        continue;
      }
      const line = { line: row.line, name: row.cells.name === undefined ? null : redactLongNumbers(row.cells.name.slice(0, 100)) };
      try {
        const item = read(row.cells);
        if ('skipped' in item) {
          lines.push({ ...line, result: 'skipped', reason: item.skipped, ...NOTHING });
          continue;
        }
        const change = changeOf(deps, actor, merchant, [...catalog.values()], item, seen);
        if (seen.has(change.next.id))
          throw new ServiceError('VALIDATION_ERROR', 'An earlier line of the file is about the same item.', { field: 'file' });
        seen.add(change.next.id);
        catalog.set(change.next.id, change.next);
        if (change.result !== 'unchanged') writes.push(change);
        const changes = change.result === 'updated' && change.before ? fieldChanges(change.before, change.next) : [];
        lines.push({ ...line, result: change.result, reason: null, changes, item: fieldsOf(change.next) });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        lines.push({ ...line, result: 'error', reason: redactLongNumbers(error.message), ...NOTHING });
      }
    }
    const count = (result: ItemImportLine['result']) => lines.filter((line) => line.result === result).length;
    const stored = !input.dryRun && count('error') === 0;
    if (stored)
      for (const [index, { before, next }] of writes.entries()) {
        if (index % BLOCK === 0) await pause();
        if (before === null) writeNew(deps, work, actor, next);
        else await writeChange(deps, work, actor, before, next);
      }
    return {
      stored,
      layout: header.source,
      mapping: mappingOf(header.columns, header.names),
      ignoredColumns: shownColumns(header.ignored),
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      skipped: count('skipped'),
      failed: count('error'),
      lines,
    };
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
  { itemId, input }: ReadItem,
  seen: ReadonlySet<string>,
): { readonly before: ItemRow | null; readonly next: ItemRow; readonly result: 'created' | 'updated' | 'unchanged' } {
  const before = existing(items, itemId, input);
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

function existing(items: readonly ItemRow[], itemId: string | null, { barcode, key }: ItemInput): ItemRow | null {
  if (itemId !== null) {
    const named = items.find((item) => item.id === itemId);
    if (!named) throw new ServiceError('NOT_FOUND', `There is no item ${itemId.slice(0, 60)}.`, { field: 'itemId' });
    return named;
  }
  const wanted = { barcode: barcode?.trim() || null, key: key?.trim().toUpperCase() || null };
  return (
    items.find((item) => wanted.barcode !== null && item.barcode === wanted.barcode) ??
    items.find((item) => wanted.key !== null && item.key === wanted.key) ??
    null
  );
}

/** Returns the fields of an item with the values of the API. */
function fieldsOf(row: ItemRow): ItemFields {
  const { kind, name, price, taxRate, taxIncluded, key, barcode, category, status } = toItem(row);
  return { kind, name, price: toNumber(price), taxRate, taxIncluded, key, barcode, category, status };
}

/** Returns the fields that differ between two states of an item, with the values of the API. */
function fieldChanges(before: ItemRow, after: ItemRow): ItemFieldChange[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return ITEM_FIELDS.flatMap((field) => (old[field] === next[field] ? [] : [{ field, before: old[field], after: next[field] }]));
}
