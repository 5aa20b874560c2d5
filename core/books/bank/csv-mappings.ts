import type { Read, Work } from '#core/database';
import { type Caller, ServiceError } from '#core/kernel';
import { createCsvReader, delimiterOf } from '#core/platform/csv';
import { shownColumns } from '#core/platform/imports';
import { layoutOf } from '#shared/bank-layouts';
import { plainCell } from '#shared/file-cells';
import { dateFormatsOf, headerRowOf } from '#shared/file-columns';
import type { Dependencies } from './dependencies.ts';
import type { BankMapping, CsvMapping } from './records.ts';
import { BANK_MAPPINGS, type BankAccountRow } from './schema.ts';
import { findColumns } from './statements/index.ts';

/** Largest number of characters of the beginning of a file. */
export const HEAD_MAX = 65_536;

interface MappingInput {
  readonly mapping?: CsvMapping | undefined;
  readonly mappingName?: string | undefined;
}

/** Rows whose dates tell their format. */
const SAMPLE_ROWS = 200;

/** Returns the rows at the beginning of a CSV file. The last one may be cut off, and is left out if it is not the only one. */
function rowsOf(head: string): (readonly string[])[] {
  const csv = createCsvReader(delimiterOf(head));
  const rows = [...csv.read(head), ...csv.end()].flatMap((row) =>
    'cells' in row && row.cells.some((cell) => cell.trim() !== '') ? [row.cells] : [],
  );
  return rows.slice(0, head.length >= HEAD_MAX ? -1 : undefined).slice(0, SAMPLE_ROWS);
}

/**
 * Returns the mapping of a request, the saved one that it names, or that of a known bank, with the format of the dates. @throws ServiceError
 * VALIDATION_ERROR with `details.columns` if there is none, or with `details.dateFormats` if the dates can be read in several formats.
 */
export async function resolveMapping(
  read: Read,
  account: BankAccountRow,
  { mapping, mappingName }: MappingInput,
  head: string,
): Promise<CsvMapping> {
  const rows = rowsOf(head);
  if (mapping !== undefined) return withDateFormat(mapping, rows);
  const name = mappingName?.trim() ?? '';
  const saved = name === '' ? null : await read.one(BANK_MAPPINGS, { merchant_id: account.merchant_id, name });
  if (saved) return withDateFormat(JSON.parse(saved.mapping) as CsvMapping, rows);
  const header = rows[headerRowOf(rows)] ?? [];
  const details = { format: 'csv', columns: shownColumns(header) };
  if (name !== '')
    throw new ServiceError('VALIDATION_ERROR', `There is no saved mapping \`${name.slice(0, 80)}\`.`, { field: 'mappingName', details });
  const layout = layoutOf(header);
  if (layout) return layout;
  throw new ServiceError(
    'VALIDATION_ERROR',
    'The file is CSV. Send `mapping` with the names of its columns, or the `mappingName` of a saved mapping.',
    { field: 'mapping', details },
  );
}

/** Adds the format of the dates, if they can be read in one format only. */
function withDateFormat(mapping: CsvMapping, rows: readonly (readonly string[])[]): CsvMapping {
  if (mapping.dateFormat !== undefined) return mapping;
  const at = mapping.header === 'none' ? 0 : rows.findIndex((cells) => findColumns(mapping, cells) !== null);
  const index = at < 0 ? undefined : findColumns(mapping, rows[at] ?? [])?.indexes.get(mapping.date);
  if (index === undefined) return mapping;
  const dates = rows.slice(mapping.header === 'none' ? 0 : at + 1).flatMap((cells) => plainCell(cells[index] ?? '') || []);
  const formats = dateFormatsOf(dates);
  if (formats.length === 0 || formats.includes('YYYY-MM-DD')) return mapping;
  if (formats.length === 1) return { ...mapping, dateFormat: formats[0] };
  throw new ServiceError(
    'VALIDATION_ERROR',
    `The dates of the file can be read as ${formats.join(' or ')}. Send \`dateFormat\` in the mapping.`,
    {
      field: 'mapping.dateFormat',
      details: { format: 'csv', dateFormats: formats },
    },
  );
}

/** Saves the mapping of a request under its name. */
export async function saveMapping(work: Work, account: BankAccountRow, { mapping, mappingName }: MappingInput, at: string): Promise<void> {
  const name = mappingName?.trim() ?? '';
  if (mapping === undefined || name === '') return;
  const key = { tenant_id: account.tenant_id, merchant_id: account.merchant_id, name };
  const columns = { mapping: JSON.stringify(mapping), updated_at: at };
  if ((await work.update(BANK_MAPPINGS, key, columns)) === 0) work.insert(BANK_MAPPINGS, { ...key, ...columns });
}

/** Returns the saved mappings of a merchant by name. */
export async function listMappings(deps: Dependencies, actor: Caller, merchantId?: string): Promise<BankMapping[]> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const rows = await deps.database
    .read(actor.tenantId)
    .find(BANK_MAPPINGS, { merchant_id: merchant.merchantId }, { orderBy: [['name', 'asc']] });
  return rows.map(({ name, mapping }) => ({ name, mapping: JSON.parse(mapping) as CsvMapping }));
}
