import { createHmac, type KeyObject } from 'node:crypto';
import type { Chain, ChainHead } from '#core/database';
import { AUDIT, AUDIT_HEADS, type AuditRow, ENTRIES_PER_BLOCK, TIME_BLOCK } from './schema.ts';

function hmac(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Returns the keyed hash of an entry and of the hash before it. Without the key, a changed table cannot be made consistent. */
export function hashOf(key: KeyObject, row: Omit<AuditRow, 'hash'>): string {
  const { tenant_id, n, id, at, actor, actor_id, action, resource, merchant_id, before, after, ip, request_id, previous_hash, user_agent } =
    row;
  return hmac(
    key,
    JSON.stringify([
      ...[tenant_id, n, id, at, actor, actor_id, action, resource, merchant_id, before, after, ip, request_id, previous_hash],
      // Entries without a user agent keep the hash that they had before the column existed.
      ...(user_agent === null ? [] : [user_agent]),
    ]),
  );
}

/** Returns the seal of the end of a chain, which reveals that entries were cut off. */
export function sealOf(key: KeyObject, head: Omit<ChainHead, 'seal'>): string {
  return hmac(key, `head|${head.tenant_id}|${head.n}|${head.hash}`);
}

/** Returns the seal of the point up to which entries were archived, which reveals that entries were deleted without being archived. */
export function startSealOf(key: KeyObject, start: Omit<ChainHead, 'seal'>): string {
  return hmac(key, `start|${start.tenant_id}|${start.n}|${start.hash}`);
}

/** Returns why an entry does not follow the entry with that number and hash; null if it does. */
export function breakOf(key: KeyObject, previous: Pick<ChainHead, 'n' | 'hash'>, row: AuditRow): string | null {
  if (row.n !== previous.n + 1) return `${row.n - previous.n - 1} entries before it are missing`;
  if (row.previous_hash !== previous.hash) return 'it does not match the entry before it';
  return row.hash === hashOf(key, row) ? null : 'its content was changed';
}

export function auditChain(key: KeyObject): Chain<AuditRow, ChainHead> {
  return {
    table: AUDIT,
    heads: AUDIT_HEADS,
    link(head, row) {
      const placed = { ...row, n: head.n + 1, previous_hash: head.hash };
      const hash = hashOf(key, placed);
      const end = { tenant_id: row.tenant_id, n: placed.n, hash };
      return { row: { ...placed, hash }, head: { ...end, seal: '' } };
    },
    seal: (head) => ({ ...head, seal: sealOf(key, head) }),
    blocks: { size: ENTRIES_PER_BLOCK, statement: TIME_BLOCK },
  };
}
