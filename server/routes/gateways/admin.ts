import { Type } from 'typebox';
import { list } from '#core/platform/fields';
import { Gateway, GatewayType } from '#core/processing/merchants';
import { Paginated, route, Success } from '#server/http';
import { DateQuery, Deleted, datedPageFrom, GatewayChange, NewGatewayBody, oneOf, PageQuery, Params } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Merchants', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'merchants:read' } as const;
const write = { ...shared, permission: 'merchants:write' } as const;
const MISSING = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const REFUSALS = [...MISSING, 'INVALID_CURRENCY', 'RESOURCE_CONFLICT'] as const;

/** Changes of gateways are protected, because a gateway decides where money and card numbers are sent. */
const change = { ...write, live: 'owner:gateways', confirms: { level: 'recent', accounts: 'live' } } as const;
const LIVE_OWNERS_ONLY = 'On a live account only an owner can call this.';
const GatewayParams = Params('id', 'gwId');
const ACCOUNT_CHECK =
  'For a live gateway the account is first checked at the processor, without side effects. If the processor refuses it, the error is VALIDATION_ERROR with its message, and nothing is saved; if the processor cannot be reached, `check.state` is `unreachable`.';

/** Routes for the gateways of a merchant and the supported processors. */
export const adminGateways = [
  route({
    ...read,
    path: '/gateway-types',
    id: 'admin.listGatewayTypes',
    summary: 'Supported processors with their credential fields',
    description: 'The fields describe the credentials that each processor requires.',
    response: Success(list(GatewayType, 'Processors')),
    run: async ({ core, actor }) => core.merchants.gateways.types(actor),
  }),
  route({
    ...read,
    path: '/merchants/:id/gateways',
    id: 'admin.listGateways',
    summary: 'Gateways of a merchant, most preferred first',
    description: 'Never contains credentials, only whether they are stored.',
    params: Params('id'),
    query: Type.Object({ ...PageQuery, ...DateQuery, status: oneOf('active', 'disabled') }),
    response: Paginated(Gateway),
    errors: [...MISSING, 'INVALID_DATE'],
    run: async ({ core, actor, params, query }) => {
      const request = await datedPageFrom(core, actor, { ...query, merchantId: params.id });
      return core.merchants.gateways.page(actor, params.id, { status: query.status }, request);
    },
  }),
  route({
    ...change,
    method: 'POST',
    path: '/merchants/:id/gateways',
    id: 'admin.addGateway',
    summary: 'Add a gateway',
    description: `The type is \`sandbox\`, or a processor on a live account. Credentials are stored encrypted and never returned. ${ACCOUNT_CHECK} ${LIVE_OWNERS_ONLY}`,
    created: true,
    params: Params('id'),
    body: NewGatewayBody,
    response: Success(Gateway),
    errors: REFUSALS,
    run: ({ core, actor, params, body }) => core.merchants.gateways.add(actor, params.id, body),
  }),
  route({
    ...change,
    method: 'PUT',
    path: '/merchants/:id/gateways/:gwId',
    id: 'admin.updateGateway',
    summary: 'Change a gateway',
    description: `Missing fields stay unchanged, including each credential; another host requires the secret credentials again. Mode, host, currency and credentials that are not secret can't be changed after the gateway accepted payments, or while a payment is open; secret credentials can be replaced. ${ACCOUNT_CHECK} ${LIVE_OWNERS_ONLY}`,
    params: GatewayParams,
    body: GatewayChange,
    response: Success(Gateway),
    errors: [...REFUSALS, 'NOT_FOUND'],
    run: ({ core, actor, params, body }) => core.merchants.gateways.update(actor, params.id, params.gwId, body),
  }),
  route({
    ...write,
    method: 'POST',
    path: '/merchants/:id/gateways/:gwId/check',
    id: 'admin.checkGateway',
    idempotent: false,
    summary: 'Check the account at the processor again',
    description:
      'Without side effects. The result is stored as `check`, even if the account is refused. If no time zone was chosen, that of the first response is used.',
    params: GatewayParams,
    response: Success(Gateway),
    errors: [...MISSING, 'NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: ({ core, actor, params }) => core.merchants.gateways.check(actor, params.id, params.gwId),
  }),
  route({
    ...change,
    method: 'DELETE',
    path: '/merchants/:id/gateways/:gwId',
    id: 'admin.removeGateway',
    summary: 'Remove a gateway that no routing rule uses',
    description: `A live gateway must have no open payments: \`details\` contains the numbers of held captures (\`held\`) and of unconfirmed payments (\`unconfirmed\`). Its payments are still captured and refunded through it. ${LIVE_OWNERS_ONLY}`,
    params: GatewayParams,
    response: Success(Deleted),
    errors: [...MISSING, 'NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: async ({ core, actor, params }) => {
      await core.merchants.gateways.remove(actor, params.id, params.gwId);
      return params.gwId;
    },
    show: (id) => ({ id, deleted: true }),
  }),
];
