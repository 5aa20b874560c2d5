import type { Read, Work } from '#core/database';
import { ServiceError } from '#core/kernel';
import { createCsvReader, delimiterOf } from '#core/platform/csv';
import { redactLongNumbers } from '#shared/card-numbers';
import type { Caller, Dependencies } from './dependencies.ts';
import { BANK_MAPPINGS, type BankAccountRow } from './schema.ts';
import type { CsvMapping } from './statements/index.ts';

/** A saved mapping of a merchant. */
export interface SavedMapping {
  readonly name: string;
  readonly mapping: CsvMapping;
}

interface MappingInput {
  readonly mapping?: CsvMapping | undefined;
  readonly mappingName?: string | undefined;
}

/** Returns the column names of a CSV file. */
export function headerOf(head: string): readonly string[] {
  const csv = createCsvReader(delimiterOf(head));
  for (const row of [...csv.read(head), ...csv.end()])
    if ('cells' in row && row.cells.some((cell) => cell.trim() !== ''))
      return row.cells.slice(0, 50).map((name) => redactLongNumbers(name.trim()).slice(0, 100).toWellFormed());
  return [];
}

/** Returns the mapping of a request, or the saved one that it names. @throws ServiceError VALIDATION_ERROR with `details.columns` if there is none. */
export async function resolveMapping(
  read: Read,
  account: BankAccountRow,
  { mapping, mappingName }: MappingInput,
  columns: readonly string[],
): Promise<CsvMapping> {
  if (mapping !== undefined) return mapping;
  const name = mappingName?.trim() ?? '';
  const saved = name === '' ? null : await read.one(BANK_MAPPINGS, { merchant_id: account.merchant_id, name });
  if (saved) return JSON.parse(saved.mapping) as CsvMapping;
  const details = { format: 'csv', columns };
  if (name !== '')
    throw new ServiceError('VALIDATION_ERROR', `There is no saved mapping \`${name.slice(0, 80)}\`.`, { field: 'mappingName', details });
  throw new ServiceError(
    'VALIDATION_ERROR',
    'The file is CSV. Send `mapping` with the names of its columns, or the `mappingName` of a saved mapping.',
    { field: 'mapping', details },
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
export async function listMappings(deps: Dependencies, actor: Caller, merchantId?: string): Promise<SavedMapping[]> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const rows = await deps.database
    .read(actor.tenantId)
    .find(BANK_MAPPINGS, { merchant_id: merchant.merchantId }, { orderBy: [['name', 'asc']] });
  return rows.map(({ name, mapping }) => ({ name, mapping: JSON.parse(mapping) as CsvMapping }));
}
