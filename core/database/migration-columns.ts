import type { TableColumnOptions } from 'typeorm';

/** The kinds of columns that migrations create. */
export const migrationColumns = {
  key: (name: string): TableColumnOptions => ({ name, type: 'text', isPrimary: true }),
  integerKey: (name: string): TableColumnOptions => ({ name, type: 'bigint', isPrimary: true }),
  text: (name: string): TableColumnOptions => ({ name, type: 'text' }),
  optional: (name: string): TableColumnOptions => ({ name, type: 'text', isNullable: true }),
  integer: (name: string): TableColumnOptions => ({ name, type: 'bigint' }),
  optionalInteger: (name: string): TableColumnOptions => ({ name, type: 'bigint', isNullable: true }),
  /** An index on the rows in which a column is set, by default the last one. */
  indexWhereSet: (name: string, columnNames: string[], setColumn = columnNames.at(-1)) => ({
    name,
    columnNames,
    where: `${setColumn} IS NOT NULL`,
  }),
};
