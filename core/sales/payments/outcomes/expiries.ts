import { dueColumns, type RowOf, table, text, type Work, type Writer } from '#core/database';
import { later, type TenantTime, tenantTime } from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import { AUTHORIZATION_LIFETIME_MS } from '../transaction.ts';

/** Expiry of an authorization, which is voided unless it is captured in time. The ID is that of the transaction. */
export const EXPIRIES = table(
  'authorization_expiries',
  { tenant_id: text, id: text, ...dueColumns<TenantTime>() },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'authorization_expiries_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type ExpiryRow = RowOf<typeof EXPIRIES>;

/** Schedules the expiry of a new authorization, in the unit of work that approves it. */
export function scheduleExpiry(writer: Writer, tenantId: string, transactionId: string, authorizedMs: TenantTime): void {
  writer.insert(EXPIRIES, { tenant_id: tenantId, id: transactionId, ...dueAt(later(authorizedMs, AUTHORIZATION_LIFETIME_MS)) });
}

/** Schedules the expiry of an authorization whose capture was canceled. */
export async function rescheduleExpiry(work: Work, row: { tenant_id: string; id: string; created_at: string }): Promise<void> {
  await work.delete(EXPIRIES, { id: row.id });
  scheduleExpiry(work, row.tenant_id, row.id, tenantTime(Date.parse(row.created_at)));
}
