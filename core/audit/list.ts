import type { Database, Page, PageOf } from '#core/database';
import type { Actor } from '#core/kernel';
import { AUDIT, type AuditRow } from './schema.ts';
import { type SecurityKind, securityActions, securityKindOf } from './security.ts';

/** An entry as it is shown (decisions 9). */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly resource: string;
  readonly merchantId: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly ip: string | null;
  readonly requestId: string;
  readonly hash: string;
  readonly previousHash: string;
}

export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  /** The thing itself and what lies below it. */
  readonly resource?: string;
  readonly requestId?: string;
  /** First and last instant, ISO 8601. */
  readonly from?: string;
  readonly until?: string;
}

const CONDITIONS: Readonly<Record<keyof AuditFilter, string>> = {
  actor: 'actor = :actor',
  action: 'action = :action',
  resource: "(resource = :resource OR substr(resource, 1, length(:resource) + 1) = :resource || '/')",
  requestId: 'request_id = :requestId',
  from: 'at >= :from',
  until: 'at < :until',
};

/** Security activity as it is shown. */
export interface SecurityActivity extends Omit<AuditEntry, 'hash' | 'previousHash' | 'merchantId'> {
  readonly kind: SecurityKind;
  readonly userAgent: string | null;
}

export interface SecurityFilter {
  readonly kind?: SecurityKind;
  /** A user or API key, by ID: what it did, and what was done to it. */
  readonly actorId?: string;
  readonly from?: string;
  readonly until?: string;
}

type Params = Record<string, string | number>;

/** One page of a tenant's entries, newest first; a caller of one merchant sees that merchant's. */
export async function page(database: Database, by: Actor, filter: AuditFilter, at: PageOf): Promise<Page<AuditEntry>> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [keyof AuditFilter, string][];
  const conditions = given.map(([name]) => CONDITIONS[name]);
  return map(await rowsOf(database, by, conditions, Object.fromEntries(given), at), toEntry);
}

export async function activityPage(database: Database, by: Actor, filter: SecurityFilter, at: PageOf): Promise<Page<SecurityActivity>> {
  const { kind, actorId, from, until } = filter;
  const params: Params = Object.fromEntries(securityActions(kind).map((action, index) => [`action${index}`, action]));
  const conditions = [`action IN (${Object.keys(params).map((name) => `:${name}`)})`];
  if (actorId !== undefined) {
    conditions.push("(actor_id = :actorId OR resource IN ('users/' || :actorId, 'api-keys/' || :actorId))");
    params.actorId = actorId;
  }
  for (const [name, value] of [['from', from] as const, ['until', until] as const]) {
    if (value === undefined) continue;
    conditions.push(CONDITIONS[name]);
    params[name] = value;
  }
  return map(await rowsOf(database, by, conditions, params, at), toActivity);
}

const map = <Row, Item>(of: Page<Row>, show: (row: Row) => Item): Page<Item> => ({ ...of, items: of.items.map(show) });

async function rowsOf(
  database: Database,
  by: Actor,
  filters: readonly string[],
  filterParams: Params,
  at: PageOf,
): Promise<Page<AuditRow>> {
  const conditions = ['tenant_id = :tenantId', ...filters];
  const params: Params = { ...filterParams };
  if (by.merchantId !== null) {
    conditions.push('merchant_id = :merchant');
    params.merchant = by.merchantId;
  }
  const where = conditions.join(' AND ');
  const cursor = at.cursor !== undefined && /^\d{1,15}$/.test(at.cursor) ? Number(at.cursor) : undefined;
  const limit = Math.trunc(at.limit);
  const read = database.read(by.tenantId);
  const [rows, [counted]] = await Promise.all([
    read.all<AuditRow>(
      `SELECT ${AUDIT.columns.join(', ')} FROM audit_entries WHERE ${where} ${cursor === undefined ? '' : 'AND n < :cursor'} ORDER BY n DESC LIMIT ${limit} OFFSET :offset`,
      {
        ...params,
        offset: cursor === undefined ? (Math.trunc(at.page) - 1) * limit : 0,
        ...(cursor === undefined ? {} : { cursor }),
      },
    ),
    read.all<{ n: number }>(`SELECT count(*) AS n FROM audit_entries WHERE ${where}`, params),
  ]);
  const last = rows.at(-1);
  return {
    items: rows,
    page: at.page,
    limit: at.limit,
    total: counted?.n ?? 0,
    nextCursor: rows.length === limit && last ? String(last.n) : null,
  };
}

function toEntry(row: AuditRow): AuditEntry {
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

/** Returns an entry of security activity as it is shown. */
export function toActivity(row: AuditRow): SecurityActivity {
  const { hash, previousHash, merchantId, ...entry } = toEntry(row);
  const kind = securityKindOf(entry.action);
  if (kind === undefined) throw new Error(`${entry.action} is no security activity.`);
  return { ...entry, kind, userAgent: row.user_agent };
}
