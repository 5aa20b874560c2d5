import {
  AggregateFunctionNode,
  AliasNode,
  ColumnNode,
  createQueryId,
  DeleteQueryNode,
  IdentifierNode,
  InsertQueryNode,
  type LimitNode,
  type OperationNode,
  PostgresQueryCompiler,
  ReferenceNode,
  type RootOperationNode,
  type SelectAllNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  ValueNode,
} from 'kysely';
import { assert } from '#core/kernel';
import type { Params } from './statements.ts';
import { columnsByTable, countedTables, type StoredValue } from './table.ts';

/** Placeholder for the tenant of the Read or Work that runs a query. */
export const TENANT = Symbol('tenant') as unknown as string;

/** Writes parameters by name, as statements of both databases are stored, and limits as literals, on which the plans of PostgreSQL depend. */
export class NamedCompiler extends PostgresQueryCompiler {
  protected override appendValue(parameter: unknown): void {
    if (parameter === TENANT) {
      this.append(':tenantId');
      return;
    }
    this.addParameter(parameter);
    this.append(`:p${this.numParameters}`);
  }

  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (ValueNode.is(limit) && typeof limit.value === 'number') this.append(`limit ${Math.trunc(limit.value)}`);
    else super.visitLimit(node);
  }

  /** Writes all columns of a table by name: PostgreSQL rejects a prepared `*` after another version added a column. */
  protected override visitSelectAll(node: SelectAllNode): void {
    const { parentNode } = this;
    const alias = parentNode && ReferenceNode.is(parentNode) ? parentNode.table?.table.identifier.name : undefined;
    const within = this.nodeStack.findLast((each) => SelectQueryNode.is(each) || AggregateFunctionNode.is(each));
    // `count(*)` is left as it is.
    const table = within && SelectQueryNode.is(within) ? tableOf(within, alias) : undefined;
    const columns = table === undefined ? undefined : columnsByTable.get(table);
    if (columns === undefined) super.visitSelectAll(node);
    else if (alias === undefined) this.append(columns.join(', '));
    else this.append(columns.join(`, "${alias}".`));
  }
}

/** Returns the table that has an alias in a query, or without an alias its only table; undefined if it is a subquery. */
function tableOf(query: SelectQueryNode, alias: string | undefined): string | undefined {
  const sources = [...(query.from?.froms ?? []), ...(query.joins ?? []).map(({ table }) => table)];
  const named = sources.map((source) => {
    const [node, name] = AliasNode.is(source) ? [source.node, source.alias] : [source, undefined];
    const table = TableNode.is(node) ? node.table.identifier.name : undefined;
    return { table, alias: name && IdentifierNode.is(name) ? name.name : table };
  });
  if (alias === undefined) return named.length === 1 ? named[0]?.table : undefined;
  return named.find((source) => source.alias === alias)?.table;
}

/** SQL with named parameters and their values; the tenant is named `:tenantId` and has no value yet. */
export interface CompiledStatement {
  readonly sql: string;
  readonly params: Params;
}

/** Refuses queries that would change counted rows without their counts; `insert`, `update` and `delete` of a Work change both. */
function checkCounts(node: OperationNode): void {
  const isUpdate = UpdateQueryNode.is(node);
  const table = isUpdate ? node.table : InsertQueryNode.is(node) ? node.into : DeleteQueryNode.is(node) ? node.from.froms[0] : undefined;
  const counts = table !== undefined && TableNode.is(table) ? countedTables.get(table.table.identifier.name) : undefined;
  if (counts === undefined) return;
  const columns = isUpdate ? (node.updates ?? []).map(({ column }) => (ColumnNode.is(column) ? column.column.name : '')) : counts.by;
  assert(!columns.some((column) => column === counts.unless || counts.by.includes(column)), 'counted rows are changed by Work');
}

const compiler = new NamedCompiler();

export function compileNode(node: OperationNode): CompiledStatement {
  checkCounts(node);
  const { sql, parameters } = compiler.compileQuery(node as RootOperationNode, createQueryId());
  const params: Record<string, StoredValue> = {};
  for (const [index, value] of parameters.entries()) params[`p${index + 1}`] = value as StoredValue;
  return { sql, params };
}
