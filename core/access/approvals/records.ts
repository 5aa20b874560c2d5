import { Type } from 'typebox';
import { APPROVAL_KINDS } from '#core/kernel';
import {
  amount,
  count,
  currencyCode,
  flag,
  group,
  id,
  list,
  literals,
  mapOf,
  nullable,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;
/** Status of an approval. An approved operation runs once, immediately after the approval. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
export const DECIDED_VIA = ['session', 'pin'] as const;

const approvalId = id('apr', 'ID of the approval');
const reason = text('Sentence that explains why an approval is needed', 'Refunds above 100 USD need two people.');
const expiresAt = time('Time at which a pending approval expires');
const fields = {
  approvalId,
  merchantId: nullable(id('mer', 'Merchant of the operation; null for the whole account')),
  kind: literals(APPROVAL_KINDS, 'Rule that requires the approval'),
  status: literals(APPROVAL_STATUSES, '`pending` waits for a decision'),
  operation: text('Operation ID of the request', 'admin.refundTransaction'),
  resource: text('Path of the resource below /api/v1', 'transactions/txn_01m7y495cj0020acfq3xv5ygj8'),
  amount: nullable(amount('Largest amount that the approval covers; null if no money moves', 250)),
  currency: nullable(currencyCode('ISO 4217 code of the amount; null if no money moves')),
  reason,
  requestReason: nullable(
    text('Reason that the requester gave, in `Paydesk-Approval-Reason` or in `reason` of the operation', 'The coffee was cold.'),
  ),
  details: mapOf(Type.Unknown(), 'Further facts for the approver', { amount: 250 }),
  requestedBy: text('Email address of the user, or name of the API key', 'ann@harbor.example'),
  requesterId: id('usr', 'ID of the user or API key'),
  requesterUserIds: list(
    id('usr', 'ID of a user'),
    'Users behind the request, who cannot approve it: the user, or those who made or last changed the API key',
  ),
  decidedBy: nullable(text('Person who approved or rejected', 'ben@harbor.example')),
  decidedAt: nullable(time('Time of the decision; null before it')),
  decidedVia: nullable(literals(DECIDED_VIA, '`pin` if the approver entered a PIN at the workstation of the requester')),
  note: nullable(text('Reason of a rejection; null if the requester withdrew the request without one', null)),
  executedAt: nullable(time('Time at which the operation had run; null before')),
  resultStatus: nullable(
    count(
      'HTTP status of the response of the operation. From 500, nothing was done. Null until it has run, and if the operation took effect but its response was lost',
      200,
    ),
  ),
  expiresAt,
  createdAt: time('Time of creation'),
};
/** Request for the approval of a second person. */
export const Approval = record('Approval', fields);
export type Approval = RecordOf<typeof Approval>;

export const ApprovalWithResult = record('ApprovalWithResult', {
  ...fields,
  result: nullable(
    mapOf(Type.Unknown(), 'Response of the operation, for its requester only and for a day; null before it has run and for others', {
      success: true,
    }),
  ),
  requestsOfDay: group('Requests of the same requester on the day of this one, of merchants that the caller can see', {
    count: count('Number of requests, with this one', 2),
    amounts: list(
      group('Sum of the requests in one currency', { amount: amount('Sum of the amounts', 310), currency: currencyCode() }),
      'Sums by currency; empty if no request moves money',
    ),
  }),
});
export type ApprovalWithResult = RecordOf<typeof ApprovalWithResult>;

/** Answer to an operation that waits for an approval. */
export const RequiredApproval = group('The approval that the operation waits for', {
  approvalRequired: Type.Literal(true, { description: 'always true: nothing was done yet' }),
  approvalId,
  expiresAt,
  status: literals(APPROVAL_STATUSES, 'Status of the approval; a repeated request may find it decided'),
  reason,
});

const limit = (description: string, example: number, maximum?: number) =>
  nullable(Type.Number({ minimum: 0, ...(maximum !== undefined && { maximum }), description, examples: [example] }));

/** Rules by which operations need the approval of a second person. Requests to change them have the same fields. */
export const RULE_FIELDS = {
  refundAbove: limit(
    'refunds and credits of a payment above this sum, in major units of `currency`, need an approval; null means none do',
    100,
  ),
  currency: nullable(
    currencyCode(
      'currency of `refundAbove` and `payOutAbove`, by default that of the merchant; amounts in another currency always need an approval. Null while both are',
    ),
  ),
  payOutAbove: limit(
    'pay-outs from a cash drawer need an approval if those of its day are above this sum, in major units of `currency`; 0 means all do, null means none do',
    50,
  ),
  voidAfterMinutes: nullable(
    Type.Integer({
      minimum: 0,
      description: 'voids later than this number of minutes after the payment need an approval; null means none do',
      examples: [30],
    }),
  ),
  unlinkedCredit: flag('true if credits without an original payment need an approval'),
  drawerOpening: flag('true if opening a cash drawer without a sale needs an approval'),
  discountAbovePercent: limit(
    'discounts above this percentage of the price, with at most 2 decimals, need an approval; 0 means all do, null means none do. A line below the price of its item counts as a discount',
    10,
    100,
  ),
  maxTipPercent: limit(
    'tips that staff or programs set above this percentage of the amount without tip and surcharge, with at most 2 decimals, need an approval; null means none do. 100 by default',
    100,
    1_000,
  ),
  accessChanges: flag(
    'true if changes of API keys, roles, rights of users and approval rules need an approval; for the whole account only',
  ),
  personSeconds: Type.Integer({ description: 'time for the approval of a request by a person, in seconds', examples: [60] }),
  keySeconds: Type.Integer({ description: 'time for the approval of a request by an API key, in seconds', examples: [86_400] }),
  approversExempt: flag(
    'true if people who may approve need no approval for their own payments, discounts and drawer openings; never applies to changes of access',
  ),
};

/** The rules that apply to a merchant, or to the whole account. */
export const AppliedRules = record('ApprovalRules', {
  merchantId: nullable(id('mer', 'merchant of the rules; null for the whole account')),
  inherited: flag('true if the merchant has no rules of its own, so that those of the account apply'),
  ...RULE_FIELDS,
  merchantsInOtherCurrencies: list(
    group('A merchant in another currency', {
      merchantId: id('mer', 'ID of the merchant'),
      name: text('Name of the merchant', 'Harbor Street'),
      currency: currencyCode(),
    }),
    'merchants with these rules whose currency is not that of the amounts: each of their refunds or pay-outs needs an approval, until they have rules of their own',
  ),
});
export type AppliedRules = RecordOf<typeof AppliedRules>;
export type ApprovalRules = Pick<AppliedRules, keyof typeof RULE_FIELDS>;
