import { Type } from 'typebox';
import { APPROVAL_STATUSES, AppliedRules, Approval, ApprovalWithResult } from '#core/access/approvals';
import { Person, peopleFor } from '#core/access/identity';
import { ServiceError } from '#core/kernel';
import { list } from '#core/platform/fields';
import { countWrongPins, loginContextOf } from '#server/hooks';
import { Paginated, type Route, route, Success } from '#server/http';
import {
  ApprovalRulesIn,
  bodyOrQuery,
  DateQuery,
  datedPageFrom,
  Maybe,
  oneOf,
  PageQuery,
  Params,
  ProtectedText,
  Text,
} from '#server/schemas';
import { runApproved, showApproval } from './run-approved.ts';

const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const MerchantQuery = Type.Object({ merchantId: Type.Optional(Text(60, 'one merchant; the whole account if absent')) });
const params = Params('id');

/** Declares the routes that read approvals, which are the same on the Public and the Admin surface. */
export function approvalRoutes(surface: 'admin' | 'public'): Route[] {
  const tag = surface === 'admin' ? 'Approvals' : 'Public API';
  const read = { surface, tag, scope: 'merchant', method: 'GET', permission: 'session', byPin: true } as const;
  return [
    route({
      ...read,
      path: '/approvals',
      id: `${surface}.listApprovals`,
      summary: 'Approvals by a second person, newest first',
      description: 'All approvals of the merchants of the caller with `approvals:read`; otherwise those of the caller’s own requests.',
      query: Type.Object({
        ...PageQuery,
        ...DateQuery,
        status: oneOf(...APPROVAL_STATUSES),
        requesterId: Type.Optional(Text(60, 'ID of a user or API key')),
        merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')),
      }),
      response: Paginated(Approval),
      errors: ['INVALID_DATE', ...MERCHANT],
      run: async ({ core, actor, query }) => {
        const { status, requesterId, merchantId } = query;
        return core.approvals.page(actor, { status, requesterId, merchantId }, await datedPageFrom(core, actor, query));
      },
    }),
    route({
      ...read,
      path: '/approvals/:id',
      id: `${surface}.getApproval`,
      summary: 'One approval',
      description: 'Its requester gets the response of the operation in `result`, for a day after it has run.',
      params,
      response: Success(ApprovalWithResult),
      errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: async ({ core, actor, params, request, reply }) => {
        const approval = await core.approvals.get(actor, params.id);
        if (approval.status !== 'approved' || approval.executedAt !== null) return showApproval(core, actor, approval);
        // The operation is running, or a killed server left it without a response. It takes effect once, even if two requests run it.
        const { routes } = request.server;
        await runApproved({ core, routes, request, reply }, actor.tenantId, params.id).catch(() => undefined);
        return showApproval(core, actor, await core.approvals.get(actor, params.id));
      },
    }),
  ];
}

const decide = {
  surface: 'admin',
  tag: 'Approvals',
  scope: 'merchant',
  method: 'POST',
  permission: 'session',
  byPin: true,
  params,
} as const;
const DECISION_ERRORS = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'] as const;

const approve = route({
  ...decide,
  path: '/approvals/:id/approve',
  id: 'admin.approveOperation',
  summary: 'Approve an operation, which then runs once',
  description:
    'By another person than the requester, with `approvals:write` and the permission of the operation: from their own session with an empty body, or with `approverId` and `pin` in the session of the requester. Changes of access cannot be approved with a PIN. The operation runs with the permissions of its requester before the response. If its gateway cannot be reached, nothing was done and the failure is in `resultStatus`. If Paydesk itself fails temporarily, its error is the response, and the same call can be repeated.',
  body: Type.Object({
    approverId: Type.Optional(Text(60, 'ID of the person who enters the PIN')),
    pin: Type.Optional(ProtectedText(8, 'PIN of the person, 4 to 8 digits')),
  }),
  response: Success(ApprovalWithResult),
  errors: [...DECISION_ERRORS, 'GATEWAY_ERROR', 'GATEWAY_TIMEOUT', 'GATEWAY_UNAVAILABLE'],
  run: async ({ core, actor, principal, params, body, request, reply }) => {
    const { approverId, pin } = body;
    if ((approverId === undefined) !== (pin === undefined)) throw missingPart(approverId === undefined ? 'approverId' : 'pin');
    const by = approverId === undefined || pin === undefined ? null : { approverId, pin };
    const context = { ...loginContextOf(request), byPin: principal.byPin };
    const decision = () => core.approvals.approve(actor, params.id, by, context);
    await (by === null ? decision() : countWrongPins(core.limits, principal, request, reply, decision));
    await runApproved({ core, routes: request.server.routes, request, reply }, actor.tenantId, params.id);
    return showApproval(core, actor, await core.approvals.get(actor, params.id));
  },
});

const missingPart = (field: string) =>
  new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required: send \`approverId\` and \`pin\` together.`, { field });

const reject = route({
  ...decide,
  path: '/approvals/:id/reject',
  id: 'admin.rejectOperation',
  summary: 'Reject an operation, or withdraw your own request',
  description: 'By a person who may approve it, or by its requester. Nothing is done.',
  body: Type.Object({ reason: Type.Optional(Text(200, 'reason for the requester; required unless the requester withdraws the request')) }),
  response: Success(ApprovalWithResult),
  errors: [...DECISION_ERRORS, 'REQUIRED_FIELD_MISSING'],
  run: async ({ core, actor, principal, params, body, request }) => {
    const context = { ...loginContextOf(request), byPin: principal.byPin };
    return showApproval(core, actor, await core.approvals.reject(actor, params.id, body.reason ?? null, context));
  },
});

const approvers = route({
  ...decide,
  method: 'GET',
  path: '/approvals/:id/approvers',
  id: 'admin.listApprovers',
  summary: 'People who may approve an operation',
  description:
    'All people with the necessary permissions except the requester, by email address. Addresses are masked for callers without `users:read`.',
  response: Success(Type.Object({ people: list(Person, 'people, by email address') })),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async ({ core, actor, params }) => peopleFor(actor, await core.approvals.approversOf(actor, params.id)),
  show: (people) => ({ people }),
});

const getRules = route({
  surface: 'admin',
  tag: 'Approvals',
  scope: 'merchant',
  method: 'GET',
  permission: 'approvals:read',
  path: '/approvals/rules',
  id: 'admin.getApprovalRules',
  summary: 'Approval rules of a merchant or of the account',
  description: 'A merchant without rules of its own has those of the account.',
  query: MerchantQuery,
  response: Success(AppliedRules),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.approvals.rules(actor, query.merchantId ?? null),
});

const putRules = route({
  surface: 'admin',
  tag: 'Approvals',
  scope: 'tenant',
  method: 'PUT',
  permission: 'roles:write',
  confirms: { level: 'recent' },
  path: '/approvals/rules',
  id: 'admin.setApprovalRules',
  approvable: true,
  summary: 'Change the approval rules of a merchant or of the account',
  description:
    'Absent fields stay. `merchantId`, in the query or in the body, names the merchant whose rules change; without it the rules of the account change. Rules decide what roles may do alone, so that changing them requires `roles:write`. While `accessChanges` is on, the change needs an approval itself.',
  query: MerchantQuery,
  body: Type.Object({
    ...ApprovalRulesIn.properties,
    merchantId: Type.Optional(Maybe(Text(60, 'merchant of the rules, as in the query'))),
  }),
  response: Success(AppliedRules),
  errors: [...MERCHANT, 'INVALID_AMOUNT', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, query, body: { merchantId, ...rules } }) => {
    if (merchantId === null && query.merchantId !== undefined)
      throw new ServiceError('VALIDATION_ERROR', '`merchantId` is null in the body, and names a merchant in the query. Send one of them.', {
        field: 'merchantId',
      });
    return core.approvals.changeRules(actor, bodyOrQuery('merchantId', merchantId ?? undefined, query.merchantId) ?? null, rules);
  },
});

export const adminApprovals = [getRules, putRules, ...approvalRoutes('admin'), approvers, approve, reject];
