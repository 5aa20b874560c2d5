import { allows, isoTime, serviceActor, timeAfter } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { keep } from './change.ts';
import { deadlineOf, dueMsOf } from './due.ts';
import { type Needs, OVERDUE_JOB } from './needs.ts';
import { INVOICES, type InvoiceRow } from './schema.ts';
import { INVOICE_STEPS } from './steps.ts';
import { note, tell } from './tell.ts';

const AT_ONCE = 16;
const LEASE_MS = 20_000;

/** Tells once of every invoice that is not wholly paid when its day is over (decisions 7); it is payable all the same. */
export function overdueJob(on: Needs): Job<InvoiceRow> {
  return {
    name: OVERDUE_JOB,
    table: INVOICES,
    clock: 'tenant',
    counts: 'invoices',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run({ tenant_id, id, merchant_id }) {
      const merchant = await on.merchants.merchantFor({ tenantId: tenant_id, merchantId: null }, merchant_id);
      return on.database.unitOfWork.run(tenant_id, async (work) => {
        const row = await work.lockOne(INVOICES, { id });
        if (!row) return 'skipped';
        const now = timeAfter(on.clockOf(tenant_id).now(), row.updated_at);
        const deadline = deadlineOf(row, merchant.timezone);
        // It was paid meanwhile, or the merchant has moved to another time zone.
        if (!allows(INVOICE_STEPS, row.status, 'overdue') || deadline === null || deadline > now) {
          await work.update(INVOICES, { id }, released(dueMsOf(row, merchant.timezone)));
          return 'skipped';
        }
        const next = await keep(on, work, row, { status: 'overdue', overdue_at: isoTime(now) }, merchant, now);
        note(on, work, serviceActor(tenant_id), 'overdue', row, next);
        await tell(on, work, 'invoice.overdue', next, null, now);
        return 'overdue';
      });
    },
  };
}
