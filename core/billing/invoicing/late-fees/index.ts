import type { Work } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { dailyJob, settingsChanged, timeZoneChanged } from '../daily-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { customerDeleted, exemptCustomer, exemptInvoice, reverse } from './change.ts';
import { feesOfCustomer, lateFeesOf, preview } from './read.ts';
import { lateFeesRun } from './run.ts';
import { LATE_FEE_EXEMPTIONS, LATE_FEE_RUNS, LATE_FEES } from './schema.ts';

export { CustomerLateFees, InvoiceLateFees, LateFeePreview } from './records.ts';

export const LATE_FEE_TABLES = [LATE_FEE_RUNS, LATE_FEES, LATE_FEE_EXEMPTIONS];

/** Late fees of unpaid invoices, their reversals and exemptions. */
export function createLateFees(deps: Dependencies) {
  const run = lateFeesRun(deps);
  deps.scheduler.register(dailyJob(deps, run));
  return {
    ...bind(deps, { get: lateFeesOf, reverse, ofCustomer: feesOfCustomer, preview }),
    exemptInvoice: (actor: Actor, invoiceId: string, enabled?: boolean) =>
      enabled === undefined ? lateFeesOf(deps, actor, invoiceId) : exemptInvoice(deps, actor, invoiceId, enabled),
    exemptCustomer: (actor: Actor, customerId: string, enabled?: boolean) =>
      enabled === undefined ? feesOfCustomer(deps, actor, customerId) : exemptCustomer(deps, actor, customerId, enabled),
    settingsChanged: (work: Work, changed: ChangeEvents['merchant.late-fees-changed']) =>
      settingsChanged({ ...deps, run }, work, { ...changed, columns: {} }),
    ...bind({ ...deps, run }, { timeZoneChanged }),
    customerDeleted,
  };
}
