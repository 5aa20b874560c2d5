import { setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  type Condition,
  conditionsOn,
  cursorOf,
  cutPage,
  type Database,
  type Page,
  type PageRequest,
  queriesOn,
  type Read,
  rowsToRead,
  sql,
  TENANT,
} from '#core/database';
import type { Actor } from '#core/kernel';
import { type EntryRange, partsOf, rangesOf } from './ranges.ts';
import type { AuditEntry, SecurityActivity } from './records.ts';
import { AUDIT, type AuditRow } from './schema.ts';
import { type SecurityKind, securityActions, securityKindOf } from './security.ts';

export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  /** The resource and everything below it. */
  readonly resource?: string;
  readonly requestId?: string;
  /** First and last instant, ISO 8601. */
  readonly from?: string;
  readonly until?: string;
}

const entry = conditionsOn(AUDIT);
const CONDITIONS: { readonly [Name in keyof AuditFilter]-?: (value: string) => Condition } = {
  actor: (actor) => entry('actor', '=', actor),
  action: (action) => entry('action', '=', action),
  resource: (resource) =>
    entry.or([
      entry('resource', '=', resource),
      sql<boolean>`substr(${entry.ref('resource')}, 1, ${resource.length + 1}) = ${`${resource}/`}`,
    ]),
  requestId: (requestId) => entry('request_id', '=', requestId),
  from: (from) => entry('at', '>=', from),
  until: (until) => entry('at', '<', until),
};

/** Returns true if a caller may read an archived entry and it matches a filter, as `entriesOf` and `CONDITIONS` find entries in the database. */
export function isMatch(caller: Actor, filter: AuditFilter, row: AuditRow): boolean {
  const { actor, action, resource, requestId, from, until } = filter;
  return (
    row.tenant_id === caller.tenantId &&
    (caller.merchantId === null || row.merchant_id === caller.merchantId) &&
    (actor === undefined || row.actor === actor) &&
    (action === undefined || row.action === action) &&
    (resource === undefined || row.resource === resource || row.resource.startsWith(`${resource}/`)) &&
    (requestId === undefined || row.request_id === requestId) &&
    (from === undefined || row.at >= from) &&
    (until === undefined || row.at < until)
  );
}

export interface SecurityFilter {
  readonly kind?: SecurityKind;
  /** ID of a user or API key: entries by it and entries about it. */
  readonly actorId?: string;
  readonly from?: string;
  readonly until?: string;
}

/** Returns one page of a tenant's entries, newest first. A caller limited to one merchant gets the entries of that merchant. */
export async function page(database: Database, actor: Actor, filter: AuditFilter, pageRequest: PageRequest): Promise<Page<AuditEntry>> {
  const { from, until, ...others } = filter;
  const { resource, ...withoutResource } = others;
  const read = database.read(actor.tenantId).heavy;
  const ofResource = resource === undefined ? null : await fewOfResource(database, read, resource);
  const conditions = ofResource === null ? conditionsOf(others) : [ofResource, ...conditionsOf(withoutResource)];
  const isPlain = conditions.length === 0 && actor.merchantId === null;
  const isIndexed = filter.action !== undefined || ofResource !== null;
  const ranges = await rangesOf(read, { from, until });
  // The sign keeps SQLite, which has no statistics, from reading the range by the key instead of the entries by their index.
  const number = isIndexed ? sql<number>`+n` : entry.ref('n');
  const select = (range: EntryRange, below = range.through + 1) =>
    entriesOf(actor, [
      ...conditions,
      ...(range.isWithin ? [] : conditionsOf({ from, until })),
      entry(number, '>', range.after),
      entry(number, '<', Math.min(below, range.through + 1)),
    ]);
  const { page: pageNumber, limit } = pageRequest;
  const cursor = cursorNumber(pageRequest);
  let skip = cursor === undefined ? (Math.trunc(pageNumber) - 1) * Math.trunc(limit) : 0;
  const rows: AuditRow[] = [];
  let total = 0;
  for (const range of isPlain || isIndexed ? ranges : partsOf(ranges, ENTRIES_PER_SCAN)) {
    const count = isPlain && range.isWithin ? range.through - range.after : await countOf(read, select(range));
    total += count;
    const missing = rowsToRead(limit) - rows.length;
    if (count <= skip) skip -= count;
    else if (missing > 0 && (cursor === undefined || cursor > range.after + 1)) {
      const found = select(range, cursor).selectAll().orderBy('n', 'desc').limit(sql<number>`${missing}`).offset(skip);
      rows.push(...(await read.rows(found)));
      skip = 0;
    }
    if (!isPlain) await yieldToOthers();
  }
  return mapPage(toPage(rows, pageRequest, total), toEntry);
}

/** Numbers that one statement of a list looks through if no index finds its entries. Other requests run between two statements. */
const ENTRIES_PER_SCAN = 10_000;

/** Most entries of a resource that one statement finds by their index. */
const FEW = 5_000;

/**
 * Returns the condition for the entries of a resource and everything below it, if their index finds few. Null if they are many, such as those of all
 * transactions, and on PostgreSQL, whose collation may not sort texts with the same beginning next to each other.
 */
async function fewOfResource(database: Database, read: Read, resource: string): Promise<Condition | null> {
  if (database.kind !== 'sqlite') return null;
  const ofTenant = queriesOn(AUDIT).selectFrom('audit_entries').select('n').where('tenant_id', '=', TENANT);
  // `0` follows `/`.
  const below = ofTenant.where('resource', '>=', `${resource}/`).where('resource', '<', `${resource}0`);
  const numbers = ofTenant.where('resource', '=', resource).unionAll(below);
  const found = await read.rows(numbers.limit(FEW + 1));
  return found.length > FEW ? null : entry('n', 'in', numbers);
}

async function countOf(read: Read, entries: ReturnType<typeof entriesOf>): Promise<number> {
  const counted = await read.row(entries.select(({ fn }) => fn.countAll<number>().as('total')));
  return Number(counted?.total ?? 0);
}

function cursorNumber(pageRequest: PageRequest): number | undefined {
  const after = cursorOf(pageRequest, (text) => /^\d{1,15}$/.test(text));
  return after === undefined ? undefined : Number(after);
}

const toPage = (rows: readonly AuditRow[], { page: pageNumber, limit }: PageRequest, total: number): Page<AuditRow> => ({
  ...cutPage(rows, limit, ({ n }) => String(n)),
  page: pageNumber,
  limit,
  total,
});

function conditionsOf(filter: AuditFilter): Condition[] {
  const filters = Object.entries(filter).filter(([, value]) => value !== undefined) as [keyof AuditFilter, string][];
  return filters.map(([name, value]) => CONDITIONS[name](value));
}

/** Number of rows that an export reads with one query. */
const EXPORT_BLOCK = 1_000;

/** Yields every entry of a filter in blocks, newest first, as `page` finds them. Entries written during the export are left out. */
export async function* entryBlocks(database: Database, actor: Actor, filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
  const entries = entriesOf(actor, conditionsOf(filter)).selectAll().orderBy('n', 'desc').limit(EXPORT_BLOCK);
  const read = database.read(actor.tenantId);
  let rows = await read.rows(entries);
  for (;;) {
    yield rows.map(toEntry);
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_BLOCK) return;
    rows = await read.rows(entries.where('n', '<', last.n));
  }
}

export async function activityPage(
  database: Database,
  actor: Actor,
  filter: SecurityFilter,
  pageRequest: PageRequest,
): Promise<Page<SecurityActivity>> {
  const { kind, actorId, from, until } = filter;
  // As a list of numbers, because SQLite would read all entries of the tenant in their order for a list of actions.
  const numbers = queriesOn(AUDIT)
    .selectFrom('audit_entries')
    .select('n')
    .where('tenant_id', '=', TENANT)
    .where('action', 'in', securityActions(kind));
  const conditions: Condition[] = [entry('n', 'in', numbers)];
  if (actorId !== undefined)
    conditions.push(entry.or([entry('actor_id', '=', actorId), entry('resource', 'in', [`users/${actorId}`, `api-keys/${actorId}`])]));
  if (from !== undefined) conditions.push(CONDITIONS.from(from));
  if (until !== undefined) conditions.push(CONDITIONS.until(until));
  return mapPage(await rowsOf(database, actor, conditions, pageRequest), toActivity);
}

const mapPage = <Row, Item>(rows: Page<Row>, toItem: (row: Row) => Item): Page<Item> => ({ ...rows, items: rows.items.map(toItem) });

function entriesOf(actor: Actor, conditions: readonly Condition[]) {
  const entries = queriesOn(AUDIT)
    .selectFrom('audit_entries')
    .where('tenant_id', '=', TENANT)
    .where(({ and }) => and([...conditions]));
  return actor.merchantId === null ? entries : entries.where('merchant_id', '=', actor.merchantId);
}

async function rowsOf(
  database: Database,
  actor: Actor,
  conditions: readonly Condition[],
  pageRequest: PageRequest,
): Promise<Page<AuditRow>> {
  const entries = entriesOf(actor, conditions);
  const cursor = cursorNumber(pageRequest);
  const limit = Math.trunc(pageRequest.limit);
  const page = cursor === undefined ? entries : entries.where('n', '<', cursor);
  const offset = cursor === undefined ? (Math.trunc(pageRequest.page) - 1) * limit : 0;
  const read = database.read(actor.tenantId).heavy;
  const [rows, total] = await Promise.all([
    read.rows(page.selectAll().orderBy('n', 'desc').limit(rowsToRead(limit)).offset(offset)),
    countOf(read, entries),
  ]);
  return toPage(rows, pageRequest, total);
}

/** Returns an entry in the form of the API. */
export function toEntry(row: AuditRow): AuditEntry {
  const { id, at, actor, action, resource, merchant_id, before, after, ip, request_id, hash, previous_hash } = row;
  return {
    id,
    at,
    actor,
    action,
    resource,
    merchantId: merchant_id,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
    ip,
    requestId: request_id,
    hash,
    previousHash: previous_hash,
  };
}

/** Returns an entry of security activity in the form of the API. */
export function toActivity(row: AuditRow): SecurityActivity {
  const { hash, previousHash, merchantId, ...entry } = toEntry(row);
  const kind = securityKindOf(entry.action);
  if (kind === undefined) throw new Error(`${entry.action} is not security activity.`);
  return { ...entry, kind, userAgent: row.user_agent };
}
