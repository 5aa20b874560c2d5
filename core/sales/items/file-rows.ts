import { ServiceError } from '#core/kernel';
import { type Row, restoreFormulas } from '#core/platform/csv';
import { createHeaderSearch, csvRows, mappingOf, missingColumn, shownColumns } from '#core/platform/imports';
import { plainCell } from '#shared/file-cells';
import { raggedReason } from '#shared/file-columns';
import { ITEMS_MAX } from './change.ts';
import { headerOf, ITEM_COLUMNS, type ItemColumn, type ItemHeader, type ItemMapping, likelyColumns } from './file-layouts.ts';

/** Texts of a row. A column that the row does not have is absent. */
export type Cells = Readonly<Partial<Record<ItemColumn, string>>>;
/** A row of a file, or the reason why it is unreadable. */
export type FileRow = { readonly line: number; readonly cells: Cells } | { readonly line: number; readonly reason: string };

export interface ItemFile {
  readonly header: ItemHeader;
  readonly rows: readonly FileRow[];
}

const invalidFile = (message: string, details?: Record<string, unknown>) =>
  new ServiceError('VALIDATION_ERROR', message, { field: 'file', ...(details && { details }) });

/**
 * Reads a CSV file of items in pieces. Its header may follow other lines. @throws ServiceError VALIDATION_ERROR for a file in another format, without a
 * header or a column of the mapping, or with too many lines.
 */
export async function readItemFile(pieces: AsyncIterable<string>, mapping?: ItemMapping): Promise<ItemFile> {
  let header: ItemHeader | null = null;
  const search = createHeaderSearch(
    (cells) => checkedHeader(cells, mapping),
    (likely) => noHeader(likely, mapping),
  );
  const rows: FileRow[] = [];
  let product: { readonly group: string; readonly cells: Cells } | null = null;
  const take = (row: Row) => {
    if ('cells' in row && row.cells.every((cell) => cell.trim() === '')) return;
    if (header === null) {
      header = search.next(row);
      return;
    }
    if (rows.length >= ITEMS_MAX) throw invalidFile(`The file has more than ${ITEMS_MAX} lines.`);
    if ('reason' in row) {
      rows.push(row);
      return;
    }
    const { columns, names, group } = header;
    const ragged = raggedReason(
      row.cells,
      names,
      (['name', 'price'] as const).map((column) => columns.get(column) ?? 0),
    );
    if (ragged !== null) {
      rows.push({ line: row.line, reason: ragged });
      return;
    }
    const key = group === null ? '' : (row.cells[group] ?? '').trim();
    const own = cellsOf(header, row.cells);
    const cells: Cells = product !== null && key !== '' && product.group === key && !own.name ? inherited(own, product.cells) : own;
    if (key !== '' && own.name) product = { group: key, cells: own };
    const isPicture = header.source !== 'paydesk' && header.source !== 'list' && !own.name && !own.price;
    if (!isPicture) rows.push({ line: row.line, cells: withVariant(header, row.cells, cells) });
  };
  for await (const found of csvRows(pieces)) for (const row of found) take(row);
  if (header === null) throw search.missing();
  return { header, rows };
}

function checkedHeader(cells: readonly string[], mapping: ItemMapping | undefined): ItemHeader | null {
  const header = headerOf(cells, mapping);
  if (header === null || !('several' in header)) return header;
  const names = shownColumns(header.names).map((name) => `\`${name}\``);
  throw header.several === 'price'
    ? invalidFile(`The file has several prices: ${names.join(', ')}. Name the column that counts in \`mapping\`.`, detailsOf(cells))
    : invalidFile(`The file has the column ${names[0]} twice.`);
}

function noHeader(likely: readonly string[] | null, mapping: ItemMapping | undefined): ServiceError {
  if (likely === null) return invalidFile('The file is empty. It needs a header row with the columns `name` and `price`.');
  if (mapping !== undefined) return missingColumn(mapping, ITEM_COLUMNS, likely);
  return invalidFile(
    'The file has no columns for the name and the price. Name them `name` and `price`, or name the columns of the file in `mapping`.',
    { ...detailsOf(likely), expected: [...ITEM_COLUMNS] },
  );
}

const detailsOf = (header: readonly string[]) => ({ columns: shownColumns(header), mapping: mappingOf(likelyColumns(header), header) });

function cellsOf({ columns, taxes, source }: ItemHeader, cells: readonly string[]): Cells {
  const found: Partial<Record<ItemColumn, string>> = {};
  for (const [column, index] of columns) {
    const cell = cells[index];
    if (cell !== undefined) found[column] = plainCell(restoreFormulas(cell)).toWellFormed().replaceAll('\0', '');
  }
  if (source === 'list' || source === 'paydesk' || taxes.length === 0) return found;
  const rates = taxes.filter(({ index }) => /^(?:y|yes|true|1)$/i.test((cells[index] ?? '').trim()));
  const sum = rates.reduce((total, { rate }) => total + Math.round(Number(rate) * 1_000), 0);
  return { ...found, taxRate: sum === 0 ? '' : String(sum / 1_000) };
}

/** Returns the cells of a variant, with those of its product where it has none. */
function inherited(own: Cells, product: Cells): Cells {
  const blank = (['name', 'category', 'status'] as const).filter((column) => !own[column] && product[column] !== undefined);
  return { ...own, ...Object.fromEntries(blank.map((column) => [column, product[column]])) };
}

/** Names that products give the only variant of an item. */
const ONLY_VARIANT = /^(?:regular|default|default title)?$/i;

function withVariant({ options }: ItemHeader, cells: readonly string[], row: Cells): Cells {
  const values = options.map((index) => (cells[index] ?? '').trim()).filter((value) => !ONLY_VARIANT.test(value) && value !== row.name);
  return values.length === 0 || !row.name ? row : { ...row, name: [row.name, ...values].join(', ') };
}
