import { type TOptional, Type } from 'typebox';
import { ServiceError } from '#core/kernel';
import type { Row } from '#core/platform/csv';
import { described } from '#core/platform/fields';
import { redactLongNumbers } from '#shared/card-numbers';
import { columnIndex, HEADER_ROWS_MAX, headerRowOf } from '#shared/file-columns';

/** Columns of a file by field, with their names in the file. Other members of a mapping are no names of columns. */
type ColumnNames<Field extends string> = Readonly<Partial<Record<Field, string | undefined>>>;

/** Names of columns that a response lists at most, and their length. */
const SHOWN_MAX = 50;
const SHOWN_LENGTH_MAX = 100;
const NAME_MAX = 200;

/** Name of a column of a file. */
export const ColumnName = Type.String({ minLength: 1, maxLength: NAME_MAX, ...described('the name of a column', 'Column A') });

/** Returns the schema of a mapping, in a request and in a response. */
export const columnMapping = <Field extends string, Required extends Field>(fields: readonly Field[], required: readonly Required[]) =>
  Type.Object(
    Object.fromEntries(
      fields.map((field) => [field, (required as readonly Field[]).includes(field) ? ColumnName : Type.Optional(ColumnName)]),
    ) as Record<Required, typeof ColumnName> & Record<Exclude<Field, Required>, TOptional<typeof ColumnName>>,
    { additionalProperties: false, description: 'Columns of the file by field' },
  );

const shownName = (name: string, lengthMax: number) =>
  redactLongNumbers(name.trim()).slice(0, lengthMax).toWellFormed().replaceAll('\u0000', '');

/** Returns the names of columns as responses list them. */
export const shownColumns = (names: readonly string[]): string[] =>
  names.slice(0, SHOWN_MAX).map((name) => shownName(name, SHOWN_LENGTH_MAX));

/** Returns the columns of a mapping in a row that is the header; null if the row lacks one of them. */
export function mappedColumns<Field extends string>(
  mapping: ColumnNames<Field>,
  fields: readonly Field[],
  cells: readonly string[],
): ReadonlyMap<Field, number> | null {
  const found = new Map<Field, number>();
  for (const field of fields) {
    const name = mapping[field];
    if (name === undefined) continue;
    const index = columnIndex(cells, name);
    if (index < 0) return null;
    found.set(field, index);
  }
  return found;
}

/** Returns the error for a file whose header lacks a column of a mapping. */
export function missingColumn<Field extends string>(
  mapping: ColumnNames<Field>,
  fields: readonly Field[],
  header: readonly string[],
): ServiceError {
  const field = fields.find((each) => mapping[each] !== undefined && columnIndex(header, mapping[each]) < 0);
  return new ServiceError('VALIDATION_ERROR', 'The file has no column with this name.', {
    field: field === undefined ? 'mapping' : `mapping.${field}`,
    details: { columns: shownColumns(header) },
  });
}

/** Returns the mapping that was used, with the names of the columns in the header. */
export const mappingOf = <Field extends string>(columns: ReadonlyMap<Field, number>, header: readonly string[]) =>
  Object.fromEntries([...columns].map(([field, index]) => [field, shownName(header[index] ?? '', NAME_MAX)])) as Record<Field, string>;

/** Searches the header of a file among its first rows. */
export interface HeaderSearch<Header> {
  /** Returns the header if the row is it. @throws ServiceError as `missing` after the last row that can be the header. */
  next(row: Row): Header | null;
  /** Returns the error for a file that ends without a header. */
  missing(): ServiceError;
}

/** Creates the search of a header. @param missing returns the error for the row that looks most like a header; for an empty file, it gets null. */
export function createHeaderSearch<Header>(
  find: (cells: readonly string[]) => Header | null,
  missing: (likely: readonly string[] | null) => ServiceError,
): HeaderSearch<Header> {
  const passed: (readonly string[])[] = [];
  const fail = () => missing(passed[headerRowOf(passed)]?.map((name) => name.trim()) ?? null);
  return {
    next(row) {
      const found = 'cells' in row ? find(row.cells) : null;
      if (found !== null) return found;
      passed.push('cells' in row ? row.cells : []);
      if (passed.length >= HEADER_ROWS_MAX) throw fail();
      return null;
    },
    missing: fail,
  };
}
