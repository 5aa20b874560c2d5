import { Type } from 'typebox';
import {
  amount,
  count,
  currencyCode,
  day,
  flag,
  id,
  list,
  literals,
  nullable,
  number,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { DISPUTE_CATEGORIES, DISPUTE_SCHEMES } from '#shared/dispute-reasons';
import { EVIDENCE_ITEMS, EVIDENCE_STATES, OWN_DOCUMENTS } from './checklist.ts';
import { REPORT_KINDS, REPORT_RESULTS } from './report-schema.ts';
import { DISPUTE_ORIGINS, MOVEMENT_KINDS } from './schema.ts';
import { DISPUTE_STAGES, DISPUTE_STATUSES } from './steps.ts';

const createdBy = text('Name of the creator', 'admin@demo.example');
const createdAt = time('Time of creation');

/** A disputed payment. */
export const Dispute = record('Dispute', {
  disputeId: text('ID of the dispute', 'dsp_00000000000000000000000000'),
  merchantId: id('mer', 'ID of the merchant'),
  transactionId: id('txn', 'The disputed payment'),
  status: literals(DISPUTE_STATUSES, '`submitted` waits for the decision; `won`, `lost` and `accepted` are concluded'),
  stage: literals(DISPUTE_STAGES, 'Stage of the procedure; `retrieval` is an inquiry that moved no money'),
  scheme: literals(DISPUTE_SCHEMES, 'Scheme of the card, or `ach`'),
  reasonCode: nullable(text('Code of the card scheme', '10.4')),
  reason: text('Name of the reason code, or the reason as it was reported'),
  reasonDescription: nullable(text('Claim of the payer or bank in one sentence')),
  category: literals(DISPUTE_CATEGORIES, 'Kind of the reason, which determines the evidence'),
  amount: amount('Amount', 49.99),
  currency: currencyCode(),
  withheldAmount: amount('Part of the amount that is withheld at present'),
  returnedAmount: amount('Part of the amount that the decision returned to the merchant', 0),
  feesAmount: amount('Fees of the processor for this dispute'),
  dueDate: day('Last day to respond in the time zone of the merchant, YYYY-MM-DD'),
  awaitsResponse: flag('True if evidence must be submitted by the due date'),
  origin: literals(DISPUTE_ORIGINS, 'Source of the dispute: a person or program, the processor, or the sandbox'),
  processorCase: nullable(text('ID of the case at the processor')),
  notes: nullable(text('Notes of the staff', null)),
  createdBy,
  submittedAt: nullable(time('Time at which the evidence was sent')),
  submittedPackId: nullable(text('Evidence pack that was submitted')),
  concludedAt: nullable(time('Time at which the outcome became known')),
  createdAt,
  updatedAt: time('Time of the last change'),
});
export type Dispute = RecordOf<typeof Dispute>;

/** Money that a dispute moved. */
const DisputeMovement = record('DisputeMovement', {
  movementId: id('dsm', 'ID of the movement'),
  kind: literals(MOVEMENT_KINDS, 'Kind'),
  amount: amount('Amount; negative if it was taken from the merchant', -49.99),
  settlementId: nullable(id('stl', 'Settlement that includes it; null until it is settled')),
  at: time('Time of the event'),
});
export type DisputeMovement = RecordOf<typeof DisputeMovement>;

/** A chargeback or reversal that the processor reported about a dispute. */
const DisputeReport = record('DisputeReport', {
  reportId: id('drp', 'ID of the report of the processor'),
  kind: literals(REPORT_KINDS, 'Kind'),
  amount: amount('Amount', 49.99),
  reasonCode: nullable(text('Code of the card scheme, as the processor reported it', '10.4')),
  reason: nullable(text('Reason, as the processor reported it', null)),
  reportedAt: nullable(text('Time of the step at the processor; null if it reports none')),
  receivedAt: time('Time at which Paydesk received the report'),
  result: literals(REPORT_RESULTS, 'Effect on the dispute: `recorded` changed nothing, and a `conflict` requires a person'),
  note: nullable(text('Reason of a conflict', null)),
});
export type DisputeReport = RecordOf<typeof DisputeReport>;

/** A dispute in a list, with the state of its evidence. */
export const DisputeListItem = record('DisputeListItem', {
  ...Dispute.properties,
  documentCount: count('Documents that people attached', 2),
  packCount: count('Evidence packs that were created', 1),
});
export type DisputeListItem = RecordOf<typeof DisputeListItem>;

export const DisputeDetail = record('DisputeDetail', {
  ...Dispute.properties,
  movements: list(DisputeMovement, 'Money that the dispute moved, oldest first'),
  reports: list(DisputeReport, 'Reports of the processor about this dispute, oldest first'),
});
export type DisputeDetail = RecordOf<typeof DisputeDetail>;

/** Disputes of a merchant, or of all merchants of a tenant. Counts include every currency. */
export const DisputeSummary = record('DisputeSummary', {
  currency: currencyCode(),
  dueCount: count('Disputes that await a response'),
  dueSoonCount: count('Disputes that await a response within 7 days or are overdue'),
  nextDueDate: nullable(day('Earliest due date of a dispute that awaits a response')),
  activeCount: count('Disputes that are not concluded'),
  amountAtStake: amount('Amount of the active disputes in `currency`'),
  wonCount: count('Number of disputes that were won', 3),
  lostCount: count('Lost and accepted disputes'),
  winRate: nullable(number('Won disputes divided by concluded ones; null if none is concluded')),
});
export type DisputeSummary = RecordOf<typeof DisputeSummary>;

/** A document that a person added to a dispute. */
export const DisputeAttachment = record('DisputeAttachment', {
  attachmentId: id('dat', 'ID of the attachment'),
  item: literals(EVIDENCE_ITEMS, 'Item of the checklist'),
  name: text('Name', 'Harbor Street'),
  mediaType: literals(['application/pdf', 'image/png', 'image/jpeg'], 'Media type of the document'),
  bytes: count('Size in bytes', 1048576),
  pages: count('Number of pages', 1),
  sha256: text('Hash of the document'),
  createdBy,
  createdAt,
});
export type DisputeAttachment = RecordOf<typeof DisputeAttachment>;

/** An evidence pack as it was created. */
export const EvidencePack = record('EvidencePack', {
  packId: id('dpk', 'ID of the evidence pack'),
  pages: count('Number of pages', 1),
  pdfBytes: count('Size of the PDF in bytes', 48000),
  archiveBytes: count('Size of the archive in bytes', 96000),
  manifestSha256: text('Hash of the manifest, which the audit log also records'),
  createdBy,
  createdAt,
});
export type EvidencePack = RecordOf<typeof EvidencePack>;

const ChecklistEntry = Type.Object({
  item: literals(EVIDENCE_ITEMS, 'Item of the checklist'),
  label: text('Name for people', 'November 21'),
  state: literals(EVIDENCE_STATES, '`not_kept`: not recorded for this payment'),
  detail: text('Facts of the records in one sentence'),
});
export type ChecklistEntry = RecordOf<typeof ChecklistEntry>;

/** Evidence of a dispute at present. */
export const Evidence = record('DisputeEvidence', {
  checklist: list(ChecklistEntry, 'Evidence that the reason of the dispute asks for'),
  letter: text('Draft of the letter to the acquirer'),
  attachments: list(DisputeAttachment, 'Attached documents'),
  documents: list(
    Type.Object({ document: literals(OWN_DOCUMENTS, 'Document'), title: text('Title of the document', 'Receipt') }),
    'Documents of Paydesk that a pack can include',
  ),
  packs: list(EvidencePack, 'Created packs, newest first'),
});
export type Evidence = RecordOf<typeof Evidence>;

export const DisputeCheck = record('DisputeCheck', { gateways: count('gateways whose chargebacks are being read', 1) });
