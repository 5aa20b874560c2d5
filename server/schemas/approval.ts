import { type TSchema, Type } from 'typebox';
import type { Approval } from '#core/access/approvals';
import { toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { schemaInSdkNaming } from '#server/http';
import { Maybe, Success, Timestamp } from './fields.ts';
import { named } from './named.ts';

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;
const KINDS = [
  'refund',
  'void',
  'unlinked_credit',
  'tip',
  'pay_out',
  'drawer_opening',
  'discount',
  'gift_card',
  'access_change',
  'key_limit',
];

const Fields = {
  approvalId: Type.String({ examples: ['apr_00000000000000000000000000'] }),
  merchantId: Maybe(Type.String({ description: 'merchant of the operation; null for the whole account' })),
  kind: literals(KINDS, 'rule that requires the approval'),
  status: literals(APPROVAL_STATUSES, '`pending` waits for a decision'),
  operation: Type.String({ description: 'operation ID of the request', examples: ['admin.refundTransaction'] }),
  resource: Type.String({ description: 'path of the resource below /api/v1', examples: ['transactions/txn_00000000000000000000000000'] }),
  amount: Maybe(
    Type.Number({ description: 'largest amount that the approval covers, in major units; null if no money moves', examples: [250] }),
  ),
  currency: Maybe(Type.String()),
  reason: Type.String({ description: 'sentence that explains why an approval is needed' }),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'further facts for the approver' }),
  requestedBy: Type.String({ description: 'email address of the user, or name of the API key' }),
  requesterId: Type.String({ description: 'ID of the user or API key', examples: ['usr_00000000000000000000000000'] }),
  requesterUserIds: Type.Array(Type.String(), {
    description: 'users behind the request, who cannot approve it: the user, or those who made or last changed the API key',
  }),
  decidedBy: Maybe(Type.String({ description: 'person who approved or rejected' })),
  decidedAt: Maybe(Timestamp),
  decidedVia: Maybe(literals(['session', 'pin'], '`pin` if the approver entered a PIN at the workstation of the requester')),
  note: Maybe(Type.String({ description: 'reason of a rejection' })),
  executedAt: Maybe({ ...Timestamp, description: 'time at which the operation had run; null before' }),
  resultStatus: Maybe(
    Type.Integer({
      description:
        'HTTP status of the response of the operation. From 500, nothing was done. Null until it has run, and if the operation took effect but its response was lost',
      examples: [200],
    }),
  ),
  expiresAt: Timestamp,
  createdAt: Timestamp,
};

/** Request for the approval of a second person. */
export const ApprovalOut = named('Approval', Type.Object(Fields));

export const ApprovalWithResult = named(
  'ApprovalWithResult',
  Type.Object({
    ...Fields,
    result: Maybe(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'response of the operation, for its requester only and for a day; null before it has run and for others',
      }),
    ),
  }),
);

const Required = Type.Object({
  approvalRequired: Type.Literal(true, { description: 'always true: nothing was done yet' }),
  approvalId: Type.String({ examples: ['apr_00000000000000000000000000'] }),
  expiresAt: Timestamp,
  status: literals(APPROVAL_STATUSES, 'status of the approval; a repeated request may find it decided'),
  reason: Type.String({ description: 'sentence that explains why an approval is needed' }),
});

/** Response of an operation that waits for an approval. */
export const ApprovalRequiredOut = named('ApprovalRequired', Success(Required));

/** The same response in the naming of the SDK surface. */
export const SdkApprovalRequiredOut = named('SdkApprovalRequired', Success(schemaInSdkNaming(Required as TSchema) as TSchema));

export const PersonOut = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  name: Maybe(Type.String()),
  hasPin: Type.Boolean({ description: 'true if the person has set a PIN' }),
});

const RuleFields = {
  refundAbove: Maybe(
    Type.Number({
      minimum: 0,
      description: 'refunds and credits of a payment above this sum, in major units of `currency`, need an approval; null means none do',
      examples: [100],
    }),
  ),
  currency: Maybe(
    Type.String({
      maxLength: 20,
      description:
        'currency of `refundAbove` and `payOutAbove`, by default that of the merchant; amounts in another currency always need an approval. Null while both are',
      examples: ['USD'],
    }),
  ),
  payOutAbove: Maybe(
    Type.Number({
      minimum: 0,
      description:
        'pay-outs from a cash drawer need an approval if those of its day are above this sum, in major units of `currency`; 0 means all do, null means none do',
      examples: [50],
    }),
  ),
  voidAfterMinutes: Maybe(
    Type.Integer({
      minimum: 0,
      description: 'voids later than this number of minutes after the payment need an approval; null means none do',
      examples: [30],
    }),
  ),
  unlinkedCredit: Type.Boolean({ description: 'true if credits without an original payment need an approval' }),
  drawerOpening: Type.Boolean({ description: 'true if opening a cash drawer without a sale needs an approval' }),
  discountAbovePercent: Maybe(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        'discounts above this percentage of the price, with at most 2 decimals, need an approval; 0 means all do, null means none do. A line below the price of its item counts as a discount',
      examples: [10],
    }),
  ),
  maxTipPercent: Maybe(
    Type.Number({
      minimum: 0,
      maximum: 1_000,
      description:
        'tips that staff or programs set above this percentage of the amount without tip and surcharge, with at most 2 decimals, need an approval; null means none do. 100 by default',
      examples: [100],
    }),
  ),
  accessChanges: Type.Boolean({
    description: 'true if changes of API keys, roles, rights of users and approval rules need an approval; for the whole account only',
  }),
  personSeconds: Type.Integer({ description: 'time for the approval of a request by a person, in seconds', examples: [60] }),
  keySeconds: Type.Integer({ description: 'time for the approval of a request by an API key, in seconds', examples: [86_400] }),
  approversExempt: Type.Boolean({
    description:
      'true if people who may approve need no approval for their own payments, discounts and drawer openings; never applies to changes of access',
  }),
};

export const ApprovalRulesOut = named(
  'ApprovalRules',
  Type.Object({
    merchantId: Maybe(Type.String({ description: 'merchant of the rules; null for the whole account' })),
    inherited: Type.Boolean({ description: 'true if the merchant has no rules of its own, so that those of the account apply' }),
    ...RuleFields,
    merchantsInOtherCurrencies: Type.Array(Type.Object({ merchantId: Type.String(), name: Type.String(), currency: Type.String() }), {
      description:
        'merchants with these rules whose currency is not that of the amounts: each of their refunds or pay-outs needs an approval, until they have rules of their own',
    }),
  }),
);

export const ApprovalRulesIn = Type.Partial(
  Type.Object({
    inherited: Type.Boolean({ description: 'true removes the rules of the merchant, so that those of the account apply' }),
    ...RuleFields,
  }),
);

/** Returns an approval as the Public and Admin surfaces return it. */
export function approvalRecord({ amount, ...approval }: Approval) {
  return { ...approval, amount: amount && toNumber(amount), currency: amount?.currency ?? null };
}
