import type { KeyObject } from 'node:crypto';
import { type Database, emptyHead, type Page, type PageRequest, type Read, type Writer } from '#core/database';
import { type Actor, type Clock, type GivenApproval, isoTime, newId } from '#core/kernel';
import { type AuditArchiving, createArchiving } from './archiving.ts';
import { auditChain } from './chain.ts';
import { difference, type Fields, maskUserAgent, toMaskedJson } from './fields.ts';
import { type AuditFilter, activityPage, entryBlocks, page, type SecurityFilter, toActivity } from './list.ts';
import type { AuditEntry, ChainVerification, SecurityActivity } from './records.ts';
import { AUDIT, AUDIT_BLOCKS, AUDIT_HEADS, AUDIT_STARTS, AUDIT_STREAMS, type AuditRow } from './schema.ts';
import { securityKindOf } from './security.ts';
import { type AuditStreaming, createStreaming } from './streaming.ts';
import { startOf, verify } from './verify.ts';

export type { ChainPoint } from './archiving.ts';
export type { Fields } from './fields.ts';
export type { AuditFilter } from './list.ts';
export { AuditEntry, ChainVerification, SecurityActivity } from './records.ts';
export type { AuditRow } from './schema.ts';
export { SECURITY_KINDS, securityEventTypeOf } from './security.ts';
export type { Recipient, StreamedEntry } from './streaming.ts';

export const TABLES = [AUDIT, AUDIT_BLOCKS, AUDIT_HEADS, AUDIT_STARTS, AUDIT_STREAMS];

/** The actor of a change, as an audit entry stores it. */
export type AuditActor = Pick<Actor, 'tenantId' | 'credentialId' | 'name' | 'ip' | 'requestId' | 'userAgent'> & {
  /** Approval of a second person, whose name the entry contains as `approvedBy`. */
  readonly approval?: Pick<GivenApproval, 'approvedBy'>;
};

export interface NewEntry {
  readonly actor: AuditActor;
  /** Resource and verb, such as `merchant.updated`. */
  readonly action: string;
  /** Path of the resource below /api/v1, such as `merchants/mer_…/branding`. */
  readonly resource: string;
  readonly merchantId?: string | null;
  /** Fields of the resource before and after. For a change, only the fields that differ are stored. */
  readonly before?: Fields | null;
  readonly after?: Fields | null;
}

/**
 * Writes an entry in the unit of work of the change that it describes. The entry is linked writer the tenant's chain at the end of that unit.
 */
export type RecordAudit = (writer: AuditWrites, entry: NewEntry) => void;

/** Writer methods that an audit entry needs. */
type AuditWrites = Pick<Writer, 'append' | 'defer' | 'afterCommit'>;

/** Publishes a security activity entry, in the commit that writes it. */
export type PublishActivity = (writer: AuditWrites, tenantId: string, activity: SecurityActivity) => void;

/**
 * An entry by its number and the beginning of its hash, noted outside of the database. While it is the entry of the log, nothing up to it was changed since
 * the note, and the database was not restored to a state before it, even by someone with its key.
 */
export interface Anchor {
  readonly position: number;
  readonly hash: string;
}

/** Tamper-evident audit log: one chain of entries per tenant. */
export interface Audit {
  record: RecordAudit;
  /** Sets the function that publishes security activity. */
  publishWith(publish: PublishActivity): void;
  /** Records that records left as a file. `isComplete` is false if the file was cut; `rows` are then those that were read so far. */
  recordExport(actor: Actor, exported: DataExport): Promise<void>;
  page(actor: Actor, filter: AuditFilter, pageRequest: PageRequest): Promise<Page<AuditEntry>>;
  /** Yields every entry of a filter in blocks, newest first. */
  entryBlocks(actor: Actor, filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]>;
  /** Security activity of the tenant, newest first: the entries of sign-ins, users, roles, keys and message channels. */
  security(actor: Actor, filter: SecurityFilter, pageRequest: PageRequest): Promise<Page<SecurityActivity>>;
  /** Verifies the chain of a tenant, from the end of its archives on. */
  verify(tenantId: string): Promise<ChainVerification>;
  /** Returns the last entry of a tenant as an anchor; null if there is none. */
  lastEntry(tenantId: string): Promise<Anchor | null>;
  readonly archiving: AuditArchiving;
  readonly streaming: AuditStreaming;
}

/** A file with records that a caller received. */
interface DataExport {
  /** Path of the operation below /api/v1. */
  readonly resource: string;
  readonly merchantId: string | undefined;
  /** Query of the request. */
  readonly filter: Readonly<Record<string, string>>;
  readonly rows: number;
  readonly isComplete: boolean;
}

export function createAudit(database: Database, key: KeyObject, clock: Clock): Audit {
  const chain = auditChain(key);
  let publish: PublishActivity | undefined;
  const audit: Audit = {
    record(writer, entry) {
      const now = clock.now();
      const { before, after: changed } = difference(entry.before ?? null, entry.after ?? null);
      const { approval } = entry.actor;
      const after = approval ? { ...changed, approvedBy: approval.approvedBy } : changed;
      const isSecurity = securityKindOf(entry.action) !== undefined;
      const row: AuditRow = {
        tenant_id: entry.actor.tenantId,
        n: 0,
        id: newId('aud', now),
        at: isoTime(now),
        actor: entry.actor.name,
        actor_id: entry.actor.credentialId,
        action: entry.action,
        resource: entry.resource,
        merchant_id: entry.merchantId ?? null,
        before: toMaskedJson(before),
        after: toMaskedJson(after),
        ip: entry.actor.ip,
        user_agent: isSecurity ? maskUserAgent(entry.actor.userAgent) : null,
        request_id: entry.actor.requestId,
        previous_hash: '',
        hash: '',
      };
      writer.append(chain, row);
      if (isSecurity) publish?.(writer, row.tenant_id, toActivity(row));
    },
    publishWith(publisher) {
      publish = publisher;
    },
    async recordExport(actor, { resource, merchantId, filter, rows, isComplete }) {
      await database.unitOfWork.transaction(actor.tenantId, async (work) =>
        audit.record(work, {
          actor,
          action: 'data.exported',
          resource,
          merchantId: merchantId ?? actor.merchantId,
          after: { filter, rows, ...(isComplete ? {} : { complete: false }) },
        }),
      );
    },
    page: (actor, filter, pageRequest) => page(database, actor, filter, pageRequest),
    entryBlocks: (actor, filter) => entryBlocks(database, actor, filter),
    security: (actor, filter, pageRequest) => activityPage(database, actor, filter, pageRequest),
    verify: (tenantId) => verify(database, key, tenantId),
    async lastEntry(tenantId) {
      const { n, hash } = (await database.read(tenantId).one(AUDIT_HEADS, { tenant_id: tenantId })) ?? emptyHead(tenantId);
      return n === 0 ? null : { position: n, hash };
    },
    archiving: createArchiving(database, key),
    streaming: createStreaming(database),
  };
  return audit;
}

/** Returns the number of entries of a tenant's log. */
export async function entryCount(read: Read): Promise<number> {
  const [head] = await read.find(AUDIT_HEADS, { tenant_id: read.tenantId ?? '' }, { limit: 1 });
  return Number(head?.n ?? 0);
}

/** Returns the hash of a tenant's entry by its number; undefined if there is none, or if it was archived and is not the last archived one. */
export async function entryHash(read: Read, n: number): Promise<string | undefined> {
  const start = await startOf(read);
  if (start.n === n && n > 0) return start.hash;
  const [entry] = await read.find(AUDIT, { n }, { limit: 1 });
  return entry?.hash;
}
