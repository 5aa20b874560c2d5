import {
  type CompiledQuery,
  DummyDriver,
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { assert } from '#core/kernel';
import { type CompiledStatement, compileNode, NamedCompiler, TENANT } from './query-compiler.ts';
import type { RowOf, StoredValue, Table, TableShape } from './table.ts';

/** A query made with a builder of `queriesOn`; its rows have the type that the builder inferred. */
export interface Query<Row> {
  compile(): CompiledQuery<Row>;
  toOperationNode(): OperationNode;
}

interface Queryable {
  readonly name: string;
  readonly row?: unknown;
}
type QueriesOn<Tables extends readonly Queryable[]> = Kysely<{ [Each in Tables[number] as Each['name']]: RowOf<Each> }>;
type AnyRows = Record<string, Record<string, StoredValue>>;

/** Builds statements without a database connection. */
const BUILDER = new Kysely<AnyRows>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new NamedCompiler(),
  },
});

/**
 * Returns a builder of queries on these tables only: the compiler rejects the tables of other capabilities, and columns that do not exist. The builder
 * creates SQL that both databases understand; Read and Work run it.
 */
export function queriesOn<Tables extends readonly Queryable[]>(..._tables: Tables): QueriesOn<Tables> {
  return BUILDER as unknown as QueriesOn<Tables>;
}

/** Returns a query for the tenant's rows of a table, untyped. Callers that read any table add their own type. */
export function rowsOf(table: Pick<TableShape, 'name'>): SelectQueryBuilder<AnyRows, string, object> {
  return BUILDER.selectFrom(table.name).where('tenant_id', '=', TENANT) as unknown as ReturnType<typeof rowsOf>;
}

/** A condition on the rows of a table, built with `conditionsOn`. */
export type Condition = Expression<SqlBool>;

/** Returns a builder of conditions on the rows of one table. */
export function conditionsOn<Row, Name extends string>(_: ReadModel<Row, Name>): ExpressionBuilder<Record<Name, Row>, Name> {
  return expressionBuilder<Record<Name, Row>, Name>();
}

/**
 * Returns a constant as a literal of the statement. Constants are never parameters: SQLite uses a partial index only for a literal, and PostgreSQL
 * plans by the value.
 */
export const lit = <const Value extends StoredValue>(value: Value): RawBuilder<Value> => sql.lit(value);

/** Returns the time of the database in milliseconds, by which leases are counted, as part of a query. */
export function timeOf({ nowSql }: { readonly nowSql: string }): RawBuilder<number> {
  return sql<number>`${sql.raw(nowSql)}`;
}

/** Possible lengths of lists of values. There are few, so that few statements are prepared. */
const LIST_LENGTHS = [8, 32, 128, 512];

/** Returns 1 to 512 values for an `in` condition; the last one is repeated until the list has one of a few lengths. */
export function listOf(values: readonly string[]): string[] {
  const length = LIST_LENGTHS.find((each) => each >= values.length);
  const last = values.at(-1);
  assert(length !== undefined && last !== undefined, 'a list has 1 to 512 values');
  return [...values, ...Array<string>(length - values.length).fill(last)];
}

const preparedStatements = new WeakMap<Query<unknown>, CompiledStatement>();

/** Placeholder for a value that a prepared query receives when it runs. */
export const given = <Value extends StoredValue = string>(name: string): RawBuilder<Value> => sql<Value>`${sql.raw(`:${name}`)}`;

/** Compiles a query to SQL once. Values that differ between calls are `given`. */
export function prepared<Row>(query: Query<Row>): Query<Row> {
  preparedStatements.set(query, compileNode(query.toOperationNode()));
  return query;
}

/** Returns a query as SQL with named parameters. */
export function statementOf(query: Query<unknown>): CompiledStatement {
  return preparedStatements.get(query) ?? compileNode(query.toOperationNode());
}

/** The columns of a table that other capabilities may read, declared by its owner. */
type ReadModel<Row, Name extends string> = Pick<Table<Row, Name>, 'name' | 'row'>;

/** Declares the columns of a table that other capabilities may read. They can query these, and nothing else of the table. */
export function readModel<Row, Name extends string, Column extends keyof Row & string>(
  { name }: Table<Row, Name>,
  _columns: readonly Column[],
): ReadModel<Pick<Row, Column>, Name> {
  return { name };
}
