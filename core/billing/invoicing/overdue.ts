import { allows, isoTime, serviceActor, timeAfter } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { writeInvoice } from './change.ts';
import { type Dependencies, OVERDUE_JOB } from './dependencies.ts';
import { deadlineOf, overdueAtMs } from './due-times.ts';
import { auditInvoice, emitInvoiceEvent } from './events.ts';
import { INVOICES, type InvoiceRow } from './schema.ts';
import { INVOICE_STEPS } from './steps.ts';

const CONCURRENCY = 16;
const LEASE_MS = 20_000;

/** Job that marks each unpaid invoice as overdue once when its due date has passed. It can still be paid. */
export function overdueJob(deps: Dependencies): Job<InvoiceRow> {
  return {
    name: OVERDUE_JOB,
    table: INVOICES,
    clock: 'tenant',
    countedAs: 'invoices',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: 'recorded',
    async run({ tenant_id, id, merchant_id }) {
      const merchant = await deps.merchants.merchantFor({ tenantId: tenant_id, merchantId: null }, merchant_id);
      return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        const row = await work.lockOne(INVOICES, { id });
        if (!row) return 'skipped';
        const now = timeAfter(deps.clockOf(tenant_id).now(), row.updated_at);
        const deadline = deadlineOf(row, merchant.timezone);
        // It was paid in the meantime, or the merchant moved to another time zone.
        if (!allows(INVOICE_STEPS, row.status, 'overdue') || deadline === null || deadline > now) {
          await work.update(INVOICES, { id }, released(overdueAtMs(row, merchant.timezone)));
          return 'skipped';
        }
        const next = await writeInvoice(deps, work, row, { status: 'overdue', overdue_at: isoTime(now) }, merchant, now);
        auditInvoice(deps, work, serviceActor(tenant_id), 'overdue', row, next);
        await emitInvoiceEvent(deps, work, 'invoice.overdue', next, null, now);
        return 'overdue';
      });
    },
  };
}
