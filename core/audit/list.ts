import type { Database, Page, PageOf } from '#core/database';
import type { Actor } from '#core/kernel';
import { AUDIT, type AuditRow } from './schema.ts';

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

/** One page of a tenant's entries, newest first; a caller of one merchant sees that merchant's. */
export async function page(database: Database, by: Actor, filter: AuditFilter, at: PageOf): Promise<Page<AuditEntry>> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [keyof AuditFilter, string][];
  const conditions = ['tenant_id = :tenantId', ...given.map(([name]) => CONDITIONS[name])];
  const params: Record<string, string | number> = Object.fromEntries(given);
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
    items: rows.map(toEntry),
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
