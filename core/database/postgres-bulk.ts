import {
  BULK_ROWS,
  type BulkShape,
  bind,
  builtOnce,
  bulkSql,
  cachedSql,
  compile,
  contentOf,
  type GuardedShape,
  guardedSql,
  type Params,
} from './statements.ts';
import type { StoredValue, TableShape } from './table.ts';

/** A statement of PostgreSQL with its values. */
export interface BulkCall {
  readonly text: string;
  readonly values: unknown[];
}

type ColumnTypes = Readonly<Record<string, 'text' | 'integer'>>;

/**
 * Rows as the relation of a statement, each column an array. If all rows belong to one tenant, the tenant is a single parameter after the arrays:
 * a distributed PostgreSQL sends the statement to the node of that tenant instead of all nodes (docs/citus.md).
 */
interface Relation {
  /** Differs between rows of one tenant and rows of several tenants, whose statements differ. */
  readonly key: string;
  /** FROM item, for example `unnest($1::text[]) AS v(id)`. */
  readonly from: string;
  /** Returns the SQL expression of a column. */
  readonly expression: (column: string) => string;
  readonly values: unknown[];
}

const TENANT_COLUMN = 'tenant_id';
const ARRAY_TYPE = { text: 'text[]', integer: 'bigint[]' } as const;
/** Maximum number of rows that are inserted with VALUES. Each number of rows is a statement of its own. */
const VALUES_ROWS_MAX = 8;

function relationOf(columns: readonly string[], types: ColumnTypes, rows: readonly Params[]): Relation {
  const tenantId = rows[0]?.[TENANT_COLUMN];
  const isOneTenant = columns.includes(TENANT_COLUMN) && rows.every((row) => row[TENANT_COLUMN] === tenantId);
  const listed = isOneTenant ? columns.filter((column) => column !== TENANT_COLUMN) : columns;
  const arrays: unknown[] = listed.map((column) => rows.map((row) => row[column] as StoredValue));
  const parameters = listed.map((column, index) => `$${index + 1}::${ARRAY_TYPE[types[column] as 'text']}`);
  return {
    key: isOneTenant ? 'one tenant' : 'tenants',
    from: `unnest(${parameters.join(', ')}) AS v(${listed.join(', ')})`,
    expression: (column) => (isOneTenant && column === TENANT_COLUMN ? `$${columns.length}::text` : `v.${column}`),
    values: isOneTenant ? [...arrays, tenantId] : arrays,
  };
}

function forOneRow(sql: string, row: Params): BulkCall {
  const compiled = compile(sql, 'postgres');
  return { text: compiled.text, values: bind(compiled, row) };
}

/** Returns the statement that inserts rows. `ending` follows the rows, for example an ON CONFLICT clause. */
export function insertMany(table: TableShape, rows: readonly Params[], ending = ''): BulkCall {
  const { columns, types, name } = table;
  const into = `INSERT INTO ${name} (${columns.join(', ')})`;
  if (rows.length <= VALUES_ROWS_MAX) {
    const text = cachedSql(`insert ${rows.length} ${name} ${ending}`, () => {
      const lists = rows.map((_, n) => `(${columns.map((_column, index) => `$${n * columns.length + index + 1}`).join(', ')})`);
      return `${into} VALUES ${lists.join(', ')} ${ending}`;
    });
    return { text, values: rows.flatMap((row) => columns.map((column) => row[column] as StoredValue)) };
  }
  const { key, from, expression, values } = relationOf(columns, types, rows);
  const text = cachedSql(
    `insert many ${name} ${key} ${ending}`,
    () => `${into} SELECT ${columns.map(expression).join(', ')} FROM ${from} ${ending}`,
  );
  return { text, values };
}

/** Returns the statement that adds to counter rows and creates missing ones. The counter column is `n`. */
export function countMany(table: TableShape, rows: readonly Params[]): BulkCall {
  return insertMany(table, rows, `ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET n = ${table.name}.n + excluded.n`);
}

/** Returns the statement of guarded updates. */
export function guardedMany(update: GuardedShape, rows: readonly Params[]): BulkCall {
  const [first] = rows;
  if (rows.length === 1 && first) return forOneRow(guardedSql(update), first);
  const { table, where, set, guard } = update;
  const { key, from, expression, values } = relationOf([...where, ...set], table.types, rows);
  const text = cachedSql(`guarded many ${table.name} ${where} ${set} ${guard} ${key}`, () => {
    const assignments = set.map((column) => `${column} = ${expression(column)}`);
    const matches = where.map((column) => `t.${column} = ${expression(column)}`);
    return `UPDATE ${table.name} t SET ${assignments.join(', ')} FROM ${from} WHERE ${matches.join(' AND ')} AND t.${guard}`;
  });
  return { text, values };
}

/** Returns a bulk statement over rows. */
export function bulkMany(statement: BulkShape, rows: readonly Params[]): BulkCall {
  const [first] = rows;
  if (rows.length === 1 && first) return forOneRow(bulkSql(statement), first);
  const { columns, sql } = statement;
  const names = Object.keys(columns);
  const { key, from, expression, values } = relationOf(names, columns, rows);
  const text = cachedSql(`set many ${sql} ${key}`, () => {
    const selected = names.map((column) => `${expression(column)} AS ${column}`);
    return sql.replace(BULK_ROWS, `(SELECT ${selected.join(', ')} FROM ${from})`);
  });
  return { text, values };
}

/** Returns the statement that locks the heads of tenants' logs in the order of `tenantIds`, creates missing ones and returns all. */
export function lockHeads(heads: TableShape, tenantIds: readonly string[]): BulkCall {
  const empty = Object.fromEntries(heads.columns.map((column) => [column, heads.types[column] === 'integer' ? 0 : '']));
  const rows = tenantIds.map((tenant_id) => ({ ...empty, tenant_id }));
  return insertMany(heads, rows, `ON CONFLICT (tenant_id) DO UPDATE SET n = ${heads.name}.n RETURNING ${heads.columns.join(', ')}`);
}

/** Returns the statement that saves existing heads. */
export const saveHeads = (heads: TableShape, saved: readonly Params[]): BulkCall => guardedMany(headUpdate(heads), saved);

const headUpdate = builtOnce(
  (heads: TableShape): GuardedShape => ({ table: heads, where: [TENANT_COLUMN], set: contentOf(heads), guard: 'n >= 0' }),
);
