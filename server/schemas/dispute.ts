import { Type } from 'typebox';
import { type Dispute, type DisputeDetail, type DisputeSummary, EVIDENCE_ITEMS, OWN_DOCUMENTS } from '#core/books/disputes';
import { type Money, toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { DISPUTE_CATEGORIES, DISPUTE_SCHEMES } from '#shared/dispute-reasons';
import { AmountIn, DateIn, Lines, Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const STATUSES = ['retrieval', 'open', 'submitted', 'prearbitration', 'arbitration', 'won', 'lost', 'accepted'];
const STAGES = ['retrieval', 'chargeback', 'prearbitration', 'arbitration'];
const MOVEMENTS = ['chargeback', 'chargeback_reversed', 'dispute_fee'];
const NOTES_MAX = 4_000;
const REASON_MAX = 200;
const CODE_MAX = 20;
const CASE_MAX = 100;

const Amount = Type.Number({ description: 'major units', examples: [49.99] });

const DisputeFields = {
  disputeId: Type.String({ examples: ['dsp_00000000000000000000000000'] }),
  merchantId: Type.String(),
  transactionId: Type.String({ description: 'the disputed payment' }),
  status: literals(STATUSES, '`submitted` waits for the decision; `won`, `lost` and `accepted` are concluded'),
  stage: literals(STAGES, 'stage of the procedure; `retrieval` is an inquiry that moved no money'),
  scheme: literals(DISPUTE_SCHEMES),
  reasonCode: Maybe(Type.String({ description: 'code of the card scheme', examples: ['10.4'] })),
  reason: Type.String({ description: 'name of the reason code, or the reason as it was reported' }),
  reasonDescription: Maybe(Type.String({ description: 'claim of the payer or bank in one sentence' })),
  category: literals(DISPUTE_CATEGORIES, 'kind of the reason, which determines the evidence'),
  amount: Amount,
  currency: Type.String(),
  withheldAmount: Type.Number({ description: 'part of the amount that is withheld at present, in major units' }),
  returnedAmount: Type.Number({ description: 'part of the amount that the decision returned to the merchant, in major units' }),
  feesAmount: Type.Number({ description: 'fees of the processor for this dispute, in major units' }),
  dueDate: Type.String({ description: 'last day to respond in the time zone of the merchant, YYYY-MM-DD' }),
  awaitsResponse: Type.Boolean({ description: 'true if evidence must be submitted by the due date' }),
  origin: literals(['manual', 'processor', 'sandbox'], 'source of the dispute: a person or program, the processor, or the sandbox'),
  processorCase: Maybe(Type.String({ description: 'ID of the case at the processor' })),
  notes: Maybe(Type.String()),
  createdBy: Type.String(),
  submittedAt: Maybe(Timestamp),
  submittedPackId: Maybe(Type.String({ description: 'evidence pack that was submitted' })),
  concludedAt: Maybe(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** A disputed payment. */
export const DisputeOut = named('Dispute', Type.Object(DisputeFields));

const MovementOut = named(
  'DisputeMovement',
  Type.Object({
    movementId: Type.String(),
    kind: literals(MOVEMENTS),
    amount: Type.Number({ description: 'major units; negative if it was taken from the merchant' }),
    settlementId: Maybe(Type.String({ description: 'settlement that includes it; null until it is settled' })),
    at: Timestamp,
  }),
);

const ReportOut = named(
  'DisputeReport',
  Type.Object({
    reportId: Type.String(),
    kind: literals(['chargeback', 'reversal']),
    amount: Amount,
    reasonCode: Maybe(Type.String({ description: 'code of the card scheme, as the processor reported it' })),
    reason: Maybe(Type.String({ description: 'reason, as the processor reported it' })),
    reportedAt: Maybe(Type.String({ description: 'time of the step at the processor; null if it reports none' })),
    receivedAt: Timestamp,
    result: literals(
      ['opened', 'advanced', 'recorded', 'unmatched', 'conflict'],
      'effect on the dispute: `recorded` changed nothing, and a `conflict` requires a person',
    ),
    note: Maybe(Type.String({ description: 'reason of a conflict' })),
  }),
);

export const DisputeDetailOut = named(
  'DisputeDetail',
  Type.Object({
    ...DisputeFields,
    movements: Type.Array(MovementOut),
    reports: Type.Array(ReportOut, { description: 'reports of the processor about this dispute, oldest first' }),
  }),
);

export const DisputeSummaryOut = named(
  'DisputeSummary',
  Type.Object({
    currency: Type.String(),
    dueCount: Type.Integer({ description: 'disputes that await a response' }),
    dueSoonCount: Type.Integer({ description: 'disputes that await a response within 7 days or are overdue' }),
    nextDueDate: Maybe(Type.String({ description: 'earliest due date of a dispute that awaits a response' })),
    activeCount: Type.Integer({ description: 'disputes that are not concluded' }),
    amountAtStake: Type.Number({ description: 'amount of the active disputes in `currency`, in major units' }),
    wonCount: Type.Integer(),
    lostCount: Type.Integer({ description: 'lost and accepted disputes' }),
    winRate: Maybe(Type.Number({ description: 'won disputes divided by concluded ones; null if none is concluded' })),
  }),
);

export const DisputeCheckOut = named(
  'DisputeCheck',
  Type.Object({ gateways: Type.Integer({ description: 'gateways whose chargebacks are being read' }) }),
);

export const DISPUTE_FILTERS = [...STATUSES, 'active', 'due', 'closed'];

const ReasonCodeIn = Type.Optional(
  Text(CODE_MAX, 'code of the scheme of the card: Visa 10.1 to 13.9, Mastercard 48xx, Amex, Discover, or an ACH return code'),
);
const ReasonIn = Type.Optional(Text(REASON_MAX, 'reason in words; by default the name of the code'));
const DueDateIn = Type.Optional(DateIn('last day to respond, YYYY-MM-DD; by default in 14 days'));
const FeeIn = Type.Optional(AmountIn);
/** Of a decision in part: by default everything of a won dispute, and nothing of a lost one. */
const ReturnedIn = Type.Optional(AmountIn);

export const NewDisputeBody = Type.Object({
  transactionId: Text(60, 'the disputed payment'),
  amount: Type.Optional(AmountIn),
  reasonCode: ReasonCodeIn,
  reason: ReasonIn,
  stage: Type.Optional(literals(STAGES, 'stage that the dispute has reached; by default `chargeback`')),
  dueDate: DueDateIn,
  processorCase: Type.Optional(Text(CASE_MAX, 'ID of the case at the processor')),
  feeAmount: FeeIn,
  notes: Type.Optional(Lines(NOTES_MAX)),
});

export const DisputeChangeBody = Type.Object({
  notes: Type.Optional(Maybe(Lines(NOTES_MAX))),
  reasonCode: Type.Optional(Maybe(Text(20, 'a reason code of the scheme, such as 10.4; null for none'))),
  reason: ReasonIn,
  dueDate: Type.Optional(DateIn('last day to respond, YYYY-MM-DD')),
  processorCase: Type.Optional(Maybe(Text(CASE_MAX))),
});

export const ConclusionBody = Type.Object({
  outcome: literals(
    ['won', 'lost', 'chargeback', 'prearbitration', 'arbitration'],
    'the decision (`won`, `lost`), a chargeback that follows an inquiry, or an escalation by the bank of the payer',
  ),
  feeAmount: FeeIn,
  returnedAmount: ReturnedIn,
  dueDate: DueDateIn,
});

export const AttachmentFields = Type.Object({
  item: literals(EVIDENCE_ITEMS, 'item of the checklist that the document supports'),
  name: Type.Optional(Text(200, 'name of the document; by default that of the file')),
});

export const DisputeAttachmentOut = named(
  'DisputeAttachment',
  Type.Object({
    attachmentId: Type.String(),
    item: literals(EVIDENCE_ITEMS),
    name: Type.String(),
    mediaType: literals(['application/pdf', 'image/png', 'image/jpeg']),
    bytes: Type.Integer(),
    pages: Type.Integer(),
    sha256: Type.String({ description: 'hash of the document' }),
    createdBy: Type.String(),
    createdAt: Timestamp,
  }),
);

export const EvidencePackOut = named(
  'EvidencePack',
  Type.Object({
    packId: Type.String(),
    pages: Type.Integer(),
    pdfBytes: Type.Integer(),
    archiveBytes: Type.Integer(),
    manifestSha256: Type.String({ description: 'hash of the manifest, which the audit log also records' }),
    createdBy: Type.String(),
    createdAt: Timestamp,
  }),
);

export const EvidenceOut = named(
  'DisputeEvidence',
  Type.Object({
    checklist: Type.Array(
      Type.Object({
        item: literals(EVIDENCE_ITEMS),
        label: Type.String(),
        state: literals(['found', 'missing', 'not_kept'], '`not_kept`: not recorded for this payment'),
        detail: Type.String({ description: 'facts of the records in one sentence' }),
      }),
    ),
    letter: Type.String({ description: 'draft of the letter to the acquirer' }),
    attachments: Type.Array(DisputeAttachmentOut),
    documents: Type.Array(Type.Object({ document: literals(OWN_DOCUMENTS), title: Type.String() }), {
      description: 'documents of Paydesk that a pack can include',
    }),
    packs: Type.Array(EvidencePackOut, { description: 'created packs, newest first' }),
  }),
);

export const PackBody = Type.Object({
  letter: Type.Optional(Lines(20_000, 'text of the letter; by default the draft. Empty lines separate paragraphs')),
  attachmentIds: Type.Optional(
    Type.Array(Text(60), { maxItems: 20, description: 'attached documents to include, if not all of them fit; by default all' }),
  ),
  documents: Type.Optional(
    Type.Array(literals(OWN_DOCUMENTS), { maxItems: 2, uniqueItems: true, description: 'documents of Paydesk to include; by default all' }),
  ),
});
export const SubmitBody = Type.Object({ packId: Type.Optional(Text(60, 'evidence pack that was sent')) });

export function disputeRecord({ amount, withheldAmount, returnedAmount, feesAmount, ...rest }: Dispute) {
  return {
    ...rest,
    amount: toNumber(amount),
    withheldAmount: toNumber(withheldAmount),
    returnedAmount: toNumber(returnedAmount),
    feesAmount: toNumber(feesAmount),
  };
}

const withNumber = <Item extends { readonly amount: Money }>({ amount, ...rest }: Item) => ({ ...rest, amount: toNumber(amount) });

export const disputeDetailRecord = ({ movements, reports, ...dispute }: DisputeDetail) => ({
  ...disputeRecord(dispute),
  movements: movements.map(withNumber),
  reports: reports.map(withNumber),
});

export const disputeSummaryRecord = ({ amountAtStake, ...rest }: DisputeSummary) => ({ ...rest, amountAtStake: toNumber(amountAtStake) });
