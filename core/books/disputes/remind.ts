import { dateIn, money, storedCurrency, timeAfter } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { REMIND_JOB } from './apply.ts';
import type { Dependencies } from './dependencies.ts';
import { daysBetween, nextReminderMs, REMINDER_DAYS } from './due-dates.ts';
import { DISPUTES, type DisputeRow } from './schema.ts';
import { awaitsResponse } from './steps.ts';

const CONCURRENCY = 8;
const LEASE_MS = 20_000;

/** Job that publishes `dispute.evidence_due` 7, 3 and 1 days before the due date of a dispute that awaits a response. */
export function remindJob(deps: Dependencies): Job<DisputeRow> {
  return {
    name: REMIND_JOB,
    table: DISPUTES,
    clock: 'tenant',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: 'recorded',
    async run({ tenant_id, id, merchant_id }) {
      const { timezone } = await deps.merchantFor({ tenantId: tenant_id, merchantId: null }, merchant_id);
      return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        const row = await work.lockOne(DISPUTES, { id });
        if (!row) return 'skipped';
        const now = deps.clockOf(tenant_id).now();
        await work.update(DISPUTES, { id }, released(nextReminderMs(row, timezone, now)));
        const daysRemaining = daysBetween(dateIn(timezone, now), row.due_date);
        // The merchant moved to another time zone, or no server ran on the days of the reminder.
        if (!awaitsResponse(row.status) || daysRemaining < 0 || daysRemaining > REMINDER_DAYS[0]) return 'skipped';
        deps.emit(work, {
          tenantId: tenant_id,
          merchantId: row.merchant_id,
          type: 'dispute.evidence_due',
          resourceId: row.transaction_id,
          atMs: timeAfter(now, row.updated_at),
          data: {
            disputeId: row.id,
            transactionId: row.transaction_id,
            amount: money(row.amount_minor, storedCurrency(row.currency)),
            reason: row.reason,
            status: row.status,
            dueDate: row.due_date,
            daysRemaining,
          },
        });
        work.afterCommit(() => deps.changed(tenant_id, 'disputes', merchant_id));
        return 'reminded';
      });
    },
  };
}
