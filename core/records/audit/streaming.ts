import { type Database, lit, queriesOn, sql, TENANT, timeOf } from '#core/database';
import { toEntry } from './list.ts';
import type { AuditEntry } from './records.ts';
import { AUDIT_HEADS, AUDIT_STREAMS, type AuditRow } from './schema.ts';
import { type SecurityKind, securityKindOf } from './security.ts';
import { entriesAfter } from './verify.ts';

/** An entry as it leaves the database. `position` is its number in the chain of its tenant, from 1. */
export interface StreamedEntry extends AuditEntry {
  readonly tenantId: string;
  readonly position: number;
  /** Kind of security activity; null for other entries. */
  readonly securityKind: SecurityKind | null;
  readonly userAgent: string | null;
}

/** A place outside of the database that receives the audit log. */
export interface Recipient {
  /** Name of the place, by which the database knows what it has received. */
  readonly place: string;
  /** Sends entries of one tenant, in their order. Resolves when they were received. */
  send(entries: readonly StreamedEntry[]): Promise<void>;
  /** Learns of entries that were archived before they could be sent, and are left out. */
  omitted(tenantId: string, first: number, last: number): void;
}

/** Sends the audit log of every tenant to places outside of the database: each entry at least once, in the order of its chain. */
export interface AuditStreaming {
  /**
   * Sends a place the entries that it has not received, one tenant after the other. Other servers send it nothing at the same time. @throws the error of
   * `send`.
   */
  sendTo(recipient: Recipient, signal: AbortSignal): Promise<void>;
  /** Returns the number of entries that a place has not received. */
  waiting(place: string): Promise<number>;
}

const BATCH = 500;
/** Longer than it takes to send a batch. */
const LEASE_MS = 120_000;

const heads = queriesOn(AUDIT_HEADS, AUDIT_STREAMS).selectFrom('audit_heads as h');
/** The number of the last entry of each tenant, and of the last one that a place has received. */
const progressOf = (place: string) =>
  heads
    .leftJoin('audit_streams as s', (on) => on.onRef('s.tenant_id', '=', 'h.tenant_id').on('s.id', '=', place))
    .select(({ fn, val }) => ['h.tenant_id', 'h.n as head', fn.coalesce('s.n', val(0)).as('sent')]);

export function createStreaming(database: Database): AuditStreaming {
  const { unitOfWork } = database;
  const now = timeOf(database);
  const streams = queriesOn(AUDIT_STREAMS);
  const leaseEnd = sql<number>`${now} + ${lit(LEASE_MS)}`;

  /** Returns the place's row with a lease of this server; null if another server sends. */
  const claimed = (tenantId: string, place: string) =>
    unitOfWork.transaction(tenantId, async (work) => {
      const row = { tenant_id: TENANT, id: place, n: 0, lease_ms: 0, fence: 0 };
      await work.execute(
        streams
          .insertInto('audit_streams')
          .values(row)
          .onConflict((conflict) => conflict.doNothing()),
      );
      const claim = streams
        .updateTable('audit_streams')
        .set({ lease_ms: leaseEnd, fence: sql<number>`fence + 1` })
        .where('tenant_id', '=', TENANT)
        .where('id', '=', place)
        .where('lease_ms', '<=', now);
      return (await work.execute(claim)) === 0 ? null : work.one(AUDIT_STREAMS, { id: place });
    });
  /** Notes what a place has received. Returns false if another server sends now. */
  const note = (tenantId: string, place: string, fence: number, n: number, isLast: boolean) =>
    unitOfWork.transaction(tenantId, async (work) => {
      const change = streams
        .updateTable('audit_streams')
        .set({ n, lease_ms: isLast ? 0 : leaseEnd })
        .where('tenant_id', '=', TENANT)
        .where('id', '=', place)
        .where('fence', '=', fence);
      return (await work.execute(change)) > 0;
    });

  async function sendTenant(tenantId: string, recipient: Recipient, signal: AbortSignal): Promise<void> {
    const { place } = recipient;
    const row = await claimed(tenantId, place);
    if (row === null || row === undefined) return;
    const read = database.read(tenantId);
    let { n } = row;
    try {
      for (let isOurs = true, isLast = false; isOurs && !isLast && !signal.aborted; ) {
        const entries = await entriesAfter(read, n, BATCH);
        const first = entries[0]?.n ?? n + 1;
        if (first > n + 1) recipient.omitted(tenantId, n + 1, first - 1);
        if (entries.length > 0) await recipient.send(entries.map(toStreamed));
        n = entries.at(-1)?.n ?? n;
        isLast = entries.length < BATCH;
        isOurs = await note(tenantId, place, row.fence, n, isLast);
      }
    } catch (error) {
      // The next attempt need not wait for the end of the lease.
      await note(tenantId, place, row.fence, n, true);
      throw error;
    }
  }

  return {
    async sendTo(recipient, signal) {
      const behind = progressOf(recipient.place).where(({ eb, fn, val }) => eb('h.n', '>', fn.coalesce('s.n', val(0))));
      for (const { tenant_id } of await database.readAcrossTenants().rows(behind.orderBy('h.tenant_id')))
        if (!signal.aborted) await sendTenant(tenant_id, recipient, signal);
    },
    async waiting(place) {
      const found = await database.readAcrossTenants().rows(progressOf(place));
      return found.reduce((sum, { head, sent }) => sum + Math.max(0, Number(head) - Number(sent)), 0);
    },
  };
}

function toStreamed(row: AuditRow): StreamedEntry {
  const { tenant_id: tenantId, n: position, action, user_agent: userAgent } = row;
  return { tenantId, position, ...toEntry(row), securityKind: securityKindOf(action) ?? null, userAgent };
}
