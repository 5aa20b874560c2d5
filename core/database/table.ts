import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

/** A row as stored: snake_case columns of text and integers only, so that both databases keep the same bytes. */
export type StoredValue = string | number | null;

type ColumnOf<Value> = [Value] extends [string]
  ? 'text'
  : [Value] extends [number]
    ? 'integer'
    : [Value] extends [string | null]
      ? 'text?'
      : 'integer?';
type Column<Row> = keyof Row & string;

interface TableOptions<Row> {
  /** The primary key. Begins with tenant_id, except for tables that belong to no tenant. */
  key: readonly Column<Row>[];
  unique?: readonly (readonly Column<Row>[])[];
  indexes?: readonly { name: string; columns: readonly Column<Row>[]; where?: string; unique?: boolean }[];
}

/** A table as statements are built from it. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  readonly types: Readonly<Record<string, 'text' | 'integer'>>;
  readonly key: readonly string[];
  /** Whether every statement on it must name the tenant. */
  readonly tenantScoped: boolean;
  readonly entity: EntitySchema;
}

/** A table as its capability declares it; the same declaration is TypeORM's entity. */
export interface Table<Row> extends TableShape {
  readonly columns: readonly Column<Row>[];
  readonly key: readonly Column<Row>[];
}

/** Declares a table. Columns marked `?` may be null. */
export function table<Row extends object>(
  name: string,
  columns: { readonly [Name in Column<Row>]: ColumnOf<Row[Name]> },
  options: TableOptions<Row>,
): Table<Row> {
  const names = Object.keys(columns) as Column<Row>[];
  const entityColumns: Record<string, EntitySchemaColumnOptions> = {};
  const types: Record<string, 'text' | 'integer'> = {};
  for (const column of names) {
    const declared: string = columns[column];
    types[column] = declared.startsWith('text') ? 'text' : 'integer';
    entityColumns[column] = {
      name: column,
      type: types[column] === 'text' ? 'text' : 'bigint',
      nullable: declared.endsWith('?'),
      primary: options.key.includes(column),
    };
  }
  const entity = new EntitySchema({
    name,
    tableName: name,
    columns: entityColumns,
    uniques: (options.unique ?? []).map((of) => ({ columns: [...of] })),
    indices: (options.indexes ?? []).map((index) => ({
      name: index.name,
      columns: [...index.columns],
      ...(index.where ? { where: index.where } : {}),
      ...(index.unique ? { unique: true } : {}),
    })),
  });
  return { name, columns: names, types, key: options.key, tenantScoped: options.key[0] === 'tenant_id', entity };
}
