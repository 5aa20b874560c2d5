import type { KeyObject } from 'node:crypto';
import { type ChainHead, type Database, queriesOn, TENANT } from '#core/database';
import type { Actor } from '#core/kernel';
import { breakOf, startSealOf } from './chain.ts';
import type { AuditFilter } from './list.ts';
import { isMatch, toEntry } from './list.ts';
import type { AuditEntry } from './records.ts';
import { AUDIT, AUDIT_BLOCKS, AUDIT_STARTS, type AuditRow, ENTRIES_PER_BLOCK } from './schema.ts';
import { entriesAfter, isSealedStart, startOf } from './verify.ts';

/** A point of a chain: the number and the hash of an entry, or 0 and an empty hash before the first one. */
export type ChainPoint = Pick<ChainHead, 'n' | 'hash'>;

/** Moves the oldest entries of the audit log into archives, and reads archived ones. */
export interface AuditArchiving {
  /** Returns the time of a tenant's oldest entry in the database, which is not verified; null if there is none. */
  oldestAt(tenantId: string): Promise<string | null>;
  /** Returns the point up to which a tenant's entries were archived. @throws if it was changed without the key. */
  start(tenantId: string): Promise<ChainPoint>;
  /** Returns the entries after a point up to the first one that was written after a year. @throws if one of them does not follow the entry before it. */
  take(tenantId: string, point: ChainPoint, limit: number, year: number): Promise<readonly AuditRow[]>;
  /** Returns the point at an entry. */
  pointOf(row: AuditRow): ChainPoint;
  /** Deletes up to `limit` of the entries up to a number, and moves the start of the log in the same commit. Returns true if none is left. */
  deleteUpTo(tenantId: string, n: number, limit: number): Promise<boolean>;
  /** Returns why an archived entry does not follow the point before it; null if it does. */
  breakOf(point: ChainPoint, row: AuditRow): string | null;
  /** Returns the entries of a list that a caller may read and that match a filter. */
  entriesOf(actor: Actor, filter: AuditFilter, rows: readonly AuditRow[]): readonly (AuditEntry & { readonly n: number })[];
}

export function createArchiving(database: Database, key: KeyObject): AuditArchiving {
  return {
    async oldestAt(tenantId) {
      const entries = queriesOn(AUDIT).selectFrom('audit_entries').select('at').where('tenant_id', '=', TENANT);
      return (await database.read(tenantId).row(entries.orderBy('n').limit(1)))?.at ?? null;
    },
    async start(tenantId) {
      const start = await startOf(database.read(tenantId));
      if (!isSealedStart(key, start)) throw new Error(`The start of the audit log of ${tenantId} was changed.`);
      return start;
    },
    async take(tenantId, point, limit, year) {
      const entries = await entriesAfter(database.read(tenantId), point.n, limit);
      const end = entries.findIndex(({ at }) => at >= `${year + 1}`);
      const rows = end < 0 ? entries : entries.slice(0, end);
      let last = point;
      for (const row of rows) {
        const reason = breakOf(key, last, row);
        if (reason !== null) throw new Error(`The audit log of ${tenantId} is broken at entry ${row.id}: ${reason}.`);
        last = row;
      }
      return rows;
    },
    deleteUpTo: (tenantId, n, limit) =>
      database.unitOfWork.transaction(tenantId, async (work) => {
        // The row may not exist yet, so that it cannot be locked.
        await work.advisoryLock(`audit-start/${tenantId}`);
        const start = await startOf(work);
        if (start.n >= n) return true;
        const to = Math.min(start.n + limit, n);
        const last = await work.one(AUDIT, { n: to });
        if (!last) throw new Error(`Entry ${to} of the audit log of ${tenantId} is missing.`);
        const moved = { tenant_id: tenantId, n: to, hash: last.hash };
        const next = { ...moved, seal: startSealOf(key, moved) };
        const deletion = queriesOn(AUDIT).deleteFrom('audit_entries').where('tenant_id', '=', TENANT).where('n', '<=', to);
        await work.execute(deletion);
        const emptied = queriesOn(AUDIT_BLOCKS)
          .deleteFrom('audit_blocks')
          .where('tenant_id', '=', TENANT)
          .where('block', '<', Math.floor(to / ENTRIES_PER_BLOCK));
        await work.execute(emptied);
        if (start.n === 0) work.insert(AUDIT_STARTS, next);
        else await work.update(AUDIT_STARTS, { tenant_id: tenantId }, { n: next.n, hash: next.hash, seal: next.seal });
        return to >= n;
      }),
    pointOf: ({ n, hash }) => ({ n, hash }),
    breakOf: (point, row) => breakOf(key, point, row),
    entriesOf: (actor, filter, rows) => rows.filter((row) => isMatch(actor, filter, row)).map((row) => ({ ...toEntry(row), n: row.n })),
  };
}
