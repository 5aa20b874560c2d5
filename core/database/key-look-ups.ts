import { findTogether } from './find-together.ts';
import type { BulkCall } from './postgres-bulk.ts';
import { cachedSql } from './statements.ts';
import type { TableShape } from './table.ts';

/** Maximum number of keys that one statement looks up. */
const KEYS_MAX = 256;

/** Rows as a statement returns them. */
type Rows = readonly Readonly<Record<string, unknown>>[];

/** Name of the tenant's column, the first one of a key. */
const TENANT_COLUMN = 'tenant_id';

interface LookUp {
  readonly table: TableShape;
  readonly tenantId: string;
  readonly key: string;
}

/**
 * Returns the column that identifies a row of a tenant, if a condition is exactly this column; otherwise null. `where` names the tenant as
 * well.
 */
export function keyColumnOf({ key, types }: TableShape, where: Readonly<Record<string, unknown>>): string | null {
  const [tenantColumn, column] = key;
  if (key.length !== 2 || tenantColumn !== TENANT_COLUMN || column === undefined || types[column] !== 'text') return null;
  const given = Object.keys(where).filter((name) => where[name] !== undefined);
  const isKey = given.length === 2 && typeof where[column] === 'string' && typeof where[TENANT_COLUMN] === 'string';
  return isKey ? column : null;
}

/**
 * Look-ups of rows by their key. Those of one turn of the event loop are one statement for each table and tenant, because a statement costs more than
 * the row that it finds (decision record 147).
 */
export class KeyLookUps {
  readonly #find: (lookUp: LookUp) => Promise<object | null>;

  /** @param send Runs a statement and returns its rows. */
  constructor(send: (call: BulkCall) => Promise<Rows>) {
    this.#find = findTogether({
      max: KEYS_MAX,
      groupOf: ({ table, tenantId }) => `${table.name} ${tenantId}`,
      findAll: (lookUps) => findRows(send, lookUps),
    });
  }

  /** Returns the row with a key of two columns, the tenant and `key`; null if there is none. */
  find(table: TableShape, tenantId: string, key: string): Promise<object | null> {
    return this.#find({ table, tenantId, key });
  }
}

/** Finds rows of one table and tenant. */
async function findRows(send: (call: BulkCall) => Promise<Rows>, lookUps: readonly LookUp[]): Promise<(object | null)[]> {
  const [first] = lookUps;
  if (first === undefined) return [];
  const { table, tenantId } = first;
  const column = table.key[1] as string;
  const rows = await send(statementFor(table, column, tenantId, [...new Set(lookUps.map(({ key }) => key))]));
  const found = new Map(rows.map((row) => [row[column], row]));
  // Each caller gets an object of its own.
  return lookUps.map(({ key }) => (found.has(key) ? { ...found.get(key) } : null));
}

function statementFor({ name, columns }: TableShape, column: string, tenantId: string, keys: readonly string[]): BulkCall {
  const [only] = keys;
  const isOne = keys.length === 1;
  const text = cachedSql(
    `look up ${isOne ? 'one' : 'many'} ${name}`,
    () => `SELECT ${columns.join(', ')} FROM ${name} WHERE ${TENANT_COLUMN} = $1 AND ${column} = ${isOne ? '$2' : 'ANY ($2::text[])'}`,
  );
  return { text, values: [tenantId, isOne ? only : keys] };
}
