import { assert } from '#core/kernel';
import type { StoredValue, Table, TableShape } from './table.ts';

/** SQL with :named parameters, converted to the positional form of a driver. */
interface Compiled {
  readonly text: string;
  readonly names: readonly string[];
}

type Dialect = 'sqlite' | 'postgres';
export type Params = Readonly<Record<string, StoredValue>>;
export type Where<Row> = { readonly [Name in keyof Row]?: Row[Name] | undefined };
export interface FindOptions<Row> {
  orderBy?: readonly (readonly [keyof Row & string, 'asc' | 'desc'])[];
  limit?: number;
}

/** A guarded update without the type of its rows, from which its statement is built. */
export interface GuardedShape {
  readonly table: TableShape;
  readonly where: readonly string[];
  readonly set: readonly string[];
  readonly guard: string;
}

/** An update that changes its row only if `guard` is true. Of two concurrent callers, the second changes nothing and gets LostRace. */
export interface GuardedUpdate<Row> extends GuardedShape {
  readonly table: Table<Row>;
  readonly where: readonly (keyof Row & string)[];
  readonly set: readonly (keyof Row & string)[];
}

/**
 * A statement over rows of its caller, which its SQL reads as the relation {rows} and may combine with stored rows. The SQL is valid on SQLite and
 * PostgreSQL, and takes the tenant from the tenant_id of each row.
 */
export interface BulkStatement<Row> {
  readonly columns: { readonly [Name in keyof Row & string]: 'text' | 'integer' };
  readonly sql: string;
}

/** A bulk statement without the type of its rows, from which its SQL is built. */
export interface BulkShape {
  readonly columns: Readonly<Record<string, 'text' | 'integer'>>;
  readonly sql: string;
}

const NAMED = /(?<!:):([A-Za-z_][A-Za-z0-9_]*)/g;
const caches: Record<Dialect, Map<string, Compiled>> = { sqlite: new Map(), postgres: new Map() };

export function compile(sql: string, dialect: Dialect): Compiled {
  const cached = caches[dialect].get(sql);
  if (cached) return cached;
  const names: string[] = [];
  const text = sql.replace(NAMED, (_, name: string) => {
    if (dialect === 'sqlite') {
      names.push(name);
      return '?';
    }
    const cached = names.indexOf(name);
    if (cached >= 0) return `$${cached + 1}`;
    names.push(name);
    return `$${names.length}`;
  });
  const compiled = { text, names };
  caches[dialect].set(sql, compiled);
  return compiled;
}

/** Returns the values of a compiled statement in its order. @throws if a parameter has no value, which is a programming error. */
export function bind({ names }: Pick<Compiled, 'names'>, params: Params): StoredValue[] {
  return names.map((name) => {
    const value = params[name];
    // The message is created for a failure only: a sale binds hundreds of values.
    if (value === undefined) assert(false, `statement parameter :${name} has a value`);
    return value as StoredValue;
  });
}

const sqlCache = new Map<string, string>();

export function cachedSql(key: string, build: () => string): string {
  const cached = sqlCache.get(key);
  if (cached !== undefined) return cached;
  const sql = build();
  sqlCache.set(key, sql);
  return sql;
}

/** Returns a function that builds its result once for each table or statement. */
export function builtOnce<Shape extends object, Result extends string | object>(build: (shape: Shape) => Result): (shape: Shape) => Result {
  const results = new WeakMap<Shape, Result>();
  return (shape) => {
    const known = results.get(shape);
    if (known !== undefined) return known;
    const result = build(shape);
    results.set(shape, result);
    return result;
  };
}

function condition(table: TableShape, where: Record<string, unknown>, prefix: string): { sql: string; shape: string } {
  const parts: string[] = [];
  let shape = '';
  for (const [column, value] of Object.entries(where)) {
    if (value === undefined) continue;
    assert(table.columns.includes(column), `${table.name}.${column} is a column`);
    parts.push(value === null ? `${column} IS NULL` : `${column} = :${prefix}${column}`);
    shape += value === null ? `${column}!` : `${column}=`;
  }
  assert(parts.length > 0, `a statement on ${table.name} has a condition`);
  return { sql: parts.join(' AND '), shape };
}

function prefixed(prefix: string, values: Record<string, unknown>): Record<string, StoredValue> {
  const params: Record<string, StoredValue> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== null) params[prefix + name] = value as StoredValue;
  return params;
}

interface Statement {
  readonly sql: string;
  readonly params: Params;
}

export function selectStatement<Row>(table: Table<Row>, where: Where<Row>, options: FindOptions<Row> = {}, lock = false): Statement {
  const { sql, shape } = condition(table, where, 'w_');
  const order = (options.orderBy ?? []).map(([column, direction]) => `${column} ${direction}`).join(', ');
  const text = cachedSql(`select ${table.name} ${shape} ${order} ${options.limit ?? ''} ${lock}`, () =>
    [
      `SELECT ${table.columns.join(', ')} FROM ${table.name} WHERE ${sql}`,
      order && `ORDER BY ${order}`,
      options.limit !== undefined && `LIMIT ${Math.trunc(options.limit)}`,
      lock && 'FOR UPDATE',
    ]
      .filter(Boolean)
      .join(' '),
  );
  return { sql: text, params: prefixed('w_', where) };
}

export const insertSql = builtOnce(
  ({ name, columns }: TableShape) =>
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
);

export function updateStatement<Row>(table: TableShape, where: Where<Row>, set: Where<Row>): Statement {
  const { sql, shape } = condition(table, where, 'w_');
  const params: Record<string, StoredValue> = prefixed('w_', where);
  const assignments: string[] = [];
  for (const [column, value] of Object.entries(set)) {
    if (value === undefined) continue;
    assert(table.columns.includes(column), `${table.name}.${column} is a column`);
    assignments.push(`${column} = :s_${column}`);
    params[`s_${column}`] = value as StoredValue;
  }
  assert(assignments.length > 0, `an update of ${table.name} sets a column`);
  return {
    sql: cachedSql(
      `update ${table.name} ${shape} ${assignments.join()}`,
      () => `UPDATE ${table.name} SET ${assignments.join(', ')} WHERE ${sql}`,
    ),
    params,
  };
}

export function deleteStatement<Row>(table: Table<Row>, where: Where<Row>): Statement {
  const { sql, shape } = condition(table, where, 'w_');
  return { sql: cachedSql(`delete ${table.name} ${shape}`, () => `DELETE FROM ${table.name} WHERE ${sql}`), params: prefixed('w_', where) };
}

export const guardedSql = builtOnce(
  ({ table, where, set, guard }: GuardedShape) =>
    `UPDATE ${table.name} SET ${set.map((column) => `${column} = :${column}`).join(', ')} WHERE ${where.map((column) => `${column} = :${column}`).join(' AND ')} AND ${guard}`,
);

/** Placeholder for the rows in the SQL of a bulk statement. */
export const BULK_ROWS = '{rows}';

/** Returns the SQL of a bulk statement for one row of named parameters. */
export const bulkSql = builtOnce(({ columns, sql }: BulkShape) => {
  const values = Object.entries(columns).map(([column, type]) => `CAST(:${column} AS ${type === 'text' ? 'TEXT' : 'BIGINT'}) AS ${column}`);
  return sql.replace(BULK_ROWS, `(SELECT ${values.join(', ')})`);
});

/** Returns the SQL of a bulk statement for the rows of a JSON array, the parameter `rows`. SQLite only. */
export const bulkJsonSql = builtOnce(({ columns, sql }: BulkShape) => {
  const values = Object.entries(columns).map(
    ([column, type]) => `CAST(value ->> '${column}' AS ${type === 'text' ? 'TEXT' : 'BIGINT'}) AS ${column}`,
  );
  return sql.replace(BULK_ROWS, `(SELECT ${values.join(', ')} FROM json_each(:rows))`);
});

/** Returns the SQL that adds to a number of counter rows and creates missing ones, with positional parameters. The counter column is `n`. */
export function countSql({ name, columns, key }: TableShape, rows: number): string {
  return cachedSql(`count ${rows} ${name}`, () => {
    const row = `(${columns.map(() => '?').join(', ')})`;
    const values = Array.from({ length: rows }, () => row).join(', ');
    return `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${values} ON CONFLICT (${key.join(', ')}) DO UPDATE SET n = ${name}.n + excluded.n`;
  });
}

/** Returns the SQL that reads the head of a tenant's log. */
export const headSql = builtOnce(
  (heads: TableShape) => `SELECT ${heads.columns.join(', ')} FROM ${heads.name} WHERE tenant_id = :tenant_id`,
);

/** Returns the columns of a head besides its tenant. */
export const contentOf = (heads: TableShape) => heads.columns.filter((column) => column !== 'tenant_id');

/** Returns the SQL that saves the head of a tenant's log, new or existing. */
export const saveHeadSql = builtOnce(
  (heads: TableShape) =>
    `${insertSql(heads)} ON CONFLICT (tenant_id) DO UPDATE SET ${contentOf(heads)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`,
);
