import { lit } from '#core/database';
import { bind } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import { countObstacles } from '#core/processing/domain-events';
import { getWithActions } from './actions.ts';
import { addAttachment, removeAttachment } from './attachments.ts';
import { acceptDispute, changeDispute, concludeDispute, reopenDispute, submitDispute } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { createPack, evidenceOf, packFile } from './evidence/packs.ts';
import { openAction, openDispute } from './open.ts';
import { get, listTotals, page, summary } from './read.ts';
import { remindJob } from './remind.ts';
import { DISPUTE_REPORTS, DISPUTE_WATCHES } from './report-schema.ts';
import { recordReport } from './reports/record.ts';
import { checkGateways, REPORTS_JOB, reportsJob, watchGateways } from './reports/watch.ts';
import { raiseChargeback } from './sandbox.ts';
import { DISPUTE_ATTACHMENTS, DISPUTE_MOVEMENTS, DISPUTE_PACKS, DISPUTES } from './schema.ts';
import { settleMovement, unsettledMovementSpan, unsettledMovements } from './unsettled-movements.ts';

export { ATTACHMENT_BYTES_MAX } from './attachments.ts';
export { EVIDENCE_ITEMS, OWN_DOCUMENTS } from './checklist.ts';
export type { DisputeResult } from './dependencies.ts';
export { DISPUTE_FILTERS, isAnyDisputed } from './read.ts';
export { READABLE_DISPUTE_MOVEMENTS, READABLE_DISPUTE_REPORTS } from './read-model.ts';
export {
  Dispute,
  DisputeAttachment,
  DisputeCheck,
  DisputeDetail,
  DisputeListItem,
  DisputeSummary,
  Evidence,
  EvidencePack,
} from './records.ts';
export type { SandboxChargeback } from './sandbox.ts';
export { DISPUTE_STAGES, type DisputeStage } from './steps.ts';
export type { UnsettledMovement } from './unsettled-movements.ts';

export const TABLES = [DISPUTES, DISPUTE_MOVEMENTS, DISPUTE_ATTACHMENTS, DISPUTE_PACKS, DISPUTE_REPORTS, DISPUTE_WATCHES];

export type Disputes = ReturnType<typeof createDisputes>;

type DisputesOptions = Omit<Dependencies, 'wake'> & { readonly scheduler: Scheduler };

/** Disputed payments: their procedure, the money that they move, and the evidence. */
export function createDisputes({ scheduler, ...options }: DisputesOptions) {
  const deps: Dependencies = { ...options, wake: scheduler.wake };
  scheduler.register(remindJob(deps));
  scheduler.register(reportsJob(deps));
  return {
    /** Counts what prevents a merchant from being closed, in the unit of work of the closing. */
    merchantClosing: [
      countObstacles(DISPUTES, 'open_disputes', (dispute) => dispute('status', 'not in', [lit('won'), lit('lost'), lit('accepted')])),
    ],
    ...bind(deps, { open: openDispute, openAction, getWithActions, evidence: evidenceOf, recordReport, checkGateways }),
    ...bind(deps, { cleanUp: watchGateways }),
    ...bind(deps, { page, listTotals, get }),
    ...bind(deps, { summary, change: changeDispute, reopen: reopenDispute, submit: submitDispute }),
    ...bind(deps, { addAttachment, removeAttachment, createPack, packFile, accept: acceptDispute, conclude: concludeDispute }),
    ...bind(deps, { raiseChargeback }),
    /** Reads the chargebacks of gateways whose check is due. */
    readReports: (tenantId: string) => scheduler.runDue(REPORTS_JOB, tenantId),
    /** Movements in the view of settlements. */
    ...bind(deps, { unsettled: unsettledMovements, unsettledSpan: unsettledMovementSpan }),
    settleMovement,
  };
}
