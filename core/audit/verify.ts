import type { KeyObject } from 'node:crypto';
import { type Database, emptyHead, queriesOn, type Read, TENANT } from '#core/database';
import { hashOf, sealOf } from './chain.ts';
import { AUDIT, AUDIT_HEADS, type AuditRow } from './schema.ts';

/** Result of verifying a chain. */
export interface ChainVerification {
  readonly valid: boolean;
  /** Number of entries that the chain should have. */
  readonly entries: number;
  /** ID of the first entry that was changed, or of the first entry after a gap. */
  readonly firstBadId: string | null;
  /** Explains in one sentence where the chain is broken. */
  readonly reason: string | null;
}

const BLOCK = 1_000;
const entries = queriesOn(AUDIT).selectFrom('audit_entries').where('tenant_id', '=', TENANT);

/** Walks a tenant's chain from its first entry to its head (decisions 9). */
export async function verify(database: Database, key: KeyObject, tenantId: string): Promise<ChainVerification> {
  const read = database.read(tenantId);
  const head = (await read.one(AUDIT_HEADS, { tenant_id: tenantId })) ?? emptyHead(tenantId);
  const broken = (reason: string, firstBadId: string | null = null): ChainVerification => ({
    valid: false,
    entries: head.n,
    firstBadId,
    reason,
  });
  let previous = '';
  let n = 0;
  for (;;) {
    const rows = await entriesAfter(read, n);
    for (const row of rows) {
      if (row.n > head.n) break;
      if (row.n !== n + 1) return broken(`${row.n - n - 1} entries before it are missing`, row.id);
      if (row.previous_hash !== previous) return broken('it does not match the entry before it', row.id);
      if (row.hash !== hashOf(key, row)) return broken('its content was changed', row.id);
      previous = row.hash;
      n = row.n;
    }
    if (rows.length < BLOCK || (rows.at(-1)?.n ?? 0) >= head.n) break;
  }
  // Entries may have been appended after the head was read. Entries that no head covers were inserted manually.
  if (head.n === 0 || head.seal !== sealOf(key, head)) return broken('the end of the log was changed');
  if (n < head.n) return broken(`the last ${head.n - n} entries are missing`);
  if (previous !== head.hash) return broken('the last entry does not match the end of the log');
  const after = (await read.one(AUDIT_HEADS, { tenant_id: tenantId }))?.n ?? 0;
  const uncovered = await read.row(entries.select('id').where('n', '>', Math.max(after, head.n)).orderBy('n').limit(1));
  if (uncovered) {
    const now = (await read.one(AUDIT_HEADS, { tenant_id: tenantId }))?.n ?? 0;
    if (now === after) return broken('it was added after the end of the log', uncovered.id);
  }
  return { valid: true, entries: head.n, firstBadId: null, reason: null };
}

function entriesAfter(read: Read, n: number): Promise<AuditRow[]> {
  return read.rows(entries.selectAll().where('n', '>', n).orderBy('n').limit(BLOCK));
}
