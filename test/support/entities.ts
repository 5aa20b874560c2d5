import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { TABLES } from '#core';

/** The declared tables of the service as TypeORM's entities. */
export const ENTITIES: EntitySchema[] = TABLES.map(({ name, columns, types, nullable, key, unique, indexes, checks }) => {
  const column = (column: string): EntitySchemaColumnOptions => ({
    name: column,
    type: types[column] === 'text' ? 'text' : 'bigint',
    nullable: nullable.includes(column),
    primary: (key as readonly string[]).includes(column),
  });
  return new EntitySchema({
    name,
    tableName: name,
    columns: Object.fromEntries(columns.map((name) => [name, column(name)])),
    uniques: unique.map((columnNames) => ({ columns: [...columnNames] })),
    checks: [...checks],
    indices: indexes.map(({ columns: indexed, ...index }) => ({ ...index, columns: [...indexed] })),
  });
});
