import { Type } from 'typebox';
import { DISPUTE_STAGES, EVIDENCE_ITEMS, OWN_DOCUMENTS } from '#core/books/disputes';
import { EXAMPLE_ID, literals } from '#core/platform/fields';
import { AmountIn, DateIn, Lines, Maybe, Text } from './fields.ts';

const NOTES_MAX = 4_000;
const REASON_MAX = 200;
const CODE_MAX = 20;
const CASE_MAX = 100;

const ReasonCodeIn = Type.Optional(
  Text(CODE_MAX, 'code of the scheme of the card: Visa 10.1 to 13.9, Mastercard 48xx, Amex, Discover, or an ACH return code'),
);
const ReasonIn = Type.Optional(Text(REASON_MAX, 'reason in words; by default the name of the code'));
const DueDateIn = Type.Optional(DateIn('last day to respond, YYYY-MM-DD; by default in 14 days'));
const FeeIn = Type.Optional(AmountIn);
/** Of a decision in part: by default everything of a won dispute, and nothing of a lost one. */
const ReturnedIn = Type.Optional(AmountIn);

export const NewDisputeBody = Type.Object({
  transactionId: Text(60, 'the disputed payment', `txn_${EXAMPLE_ID}`),
  amount: Type.Optional(AmountIn),
  reasonCode: ReasonCodeIn,
  reason: ReasonIn,
  stage: Type.Optional(literals(DISPUTE_STAGES, 'stage that the dispute has reached; by default `chargeback`')),
  dueDate: DueDateIn,
  processorCase: Type.Optional(Text(CASE_MAX, 'ID of the case at the processor')),
  feeAmount: FeeIn,
  notes: Type.Optional(Lines(NOTES_MAX, 'Notes of the staff')),
});

export const DisputeChangeBody = Type.Object({
  notes: Type.Optional(Maybe(Lines(NOTES_MAX, 'Notes of the staff'))),
  reasonCode: Type.Optional(Maybe(Text(20, 'a reason code of the scheme, such as 10.4; null for none'))),
  reason: ReasonIn,
  dueDate: Type.Optional(DateIn('last day to respond, YYYY-MM-DD')),
  processorCase: Type.Optional(Maybe(Text(CASE_MAX, 'ID of the case at the processor'))),
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
