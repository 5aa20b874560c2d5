import { Type } from 'typebox';
import { ApiKey, ApiKeyWithSecret } from '#core/access/identity';
import { literals } from '#core/platform/fields';
import { Paginated, route, Success } from '#server/http';
import {
  AllowedAddressesIn,
  AllowedOriginsIn,
  DateQuery,
  Deleted,
  datedPageFrom,
  Maybe,
  MerchantIn,
  oneOf,
  PageQuery,
  Params,
  PermissionsIn,
  SpendingLimitsIn,
  Text,
} from '#server/schemas';

const shared = { surface: 'admin', tag: 'API keys', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'api-keys:read' } as const;
const write = { ...shared, permission: 'api-keys:write', confirms: { level: 'recent' } } as const;
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'a name of 1 to 100 characters' });

export const adminApiKeys = [
  route({
    ...write,
    method: 'POST',
    path: '/api-keys',
    id: 'admin.createApiKey',
    approvable: true,
    summary: 'Create an API key',
    description:
      'Only this response contains the key. Without `permissions` it gets those of its creator, except for users, roles and API keys.',
    created: true,
    body: Type.Object({
      name: Name,
      scope: Type.Optional(
        literals(['merchant', 'tenant'], 'merchant or tenant; by default merchant, and then `merchantId` is by default that of the caller'),
      ),
      merchantId: MerchantIn,
      permissions: Type.Optional(PermissionsIn),
      tier: Type.Optional(
        literals(
          ['sandbox', 'standard', 'professional', 'enterprise'],
          "one of sandbox, standard, professional, enterprise; at most the tenant's tier",
        ),
      ),
      expiresAt: Type.Optional(Text(40, 'an ISO 8601 time')),
      spendingLimits: Type.Optional(SpendingLimitsIn),
      allowedOrigins: Type.Optional(AllowedOriginsIn),
      allowedAddresses: Type.Optional(AllowedAddressesIn),
    }),
    response: Success(ApiKeyWithSecret),
    errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_DATE', 'INVALID_AMOUNT', 'INVALID_CURRENCY'],
    run: async ({ core, actor, body: { scope, ...body } }) => {
      if (scope !== undefined) return core.identity.apiKeys.create(actor, { ...body, scope });
      const { merchantId } = await core.merchants.merchantFor(actor, body.merchantId);
      return core.identity.apiKeys.create(actor, { ...body, scope: 'merchant', merchantId });
    },
  }),
  route({
    ...read,
    path: '/api-keys',
    id: 'admin.listApiKeys',
    summary: 'API keys, newest first',
    description: 'Never contains the keys themselves, only their last four digits.',
    query: Type.Object({
      ...PageQuery,
      ...DateQuery,
      status: oneOf('active', 'expired', 'revoked'),
      createdById: Type.Optional(Text(60, 'ID of the person who made or last extended the keys')),
      creatorRole: Type.Optional(Text(60, 'ID of the role of the people who made or last extended the keys')),
    }),
    response: Paginated(ApiKey),
    run: async ({ core, actor, query }) => core.identity.apiKeys.page(actor, query, await datedPageFrom(core, actor, query)),
  }),
  route({
    ...read,
    path: '/api-keys/:id',
    id: 'admin.getApiKey',
    summary: 'One API key',
    description: 'Never contains the key itself.',
    params: Params('id'),
    response: Success(ApiKey),
    errors: MISSING,
    run: ({ core, actor, params }) => core.identity.apiKeys.get(actor, params.id),
  }),
  route({
    ...write,
    method: 'PUT',
    path: '/api-keys/:id',
    id: 'admin.updateApiKey',
    approvable: true,
    summary: 'Change the name, permissions, expiry, spending limits, origins or addresses of a key',
    description: 'A revoked key cannot be changed.',
    params: Params('id'),
    body: Type.Object({
      name: Type.Optional(Name),
      permissions: Type.Optional(PermissionsIn),
      expiresAt: Type.Optional(Maybe(Text(40, 'an ISO 8601 time, or null for none'))),
      spendingLimits: Type.Optional(SpendingLimitsIn),
      allowedOrigins: Type.Optional(AllowedOriginsIn),
      allowedAddresses: Type.Optional(AllowedAddressesIn),
    }),
    response: Success(ApiKey),
    errors: [...MISSING, 'INVALID_DATE', 'INVALID_AMOUNT', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT'],
    run: ({ core, actor, params, body }) => core.identity.apiKeys.update(actor, params.id, body),
  }),
  route({
    ...write,
    method: 'DELETE',
    path: '/api-keys/:id',
    id: 'admin.revokeApiKey',
    summary: 'Revoke a key immediately',
    description: 'The key stays in the list as revoked.',
    params: Params('id'),
    response: Success(Deleted),
    errors: MISSING,
    run: async ({ core, actor, params }) => {
      await core.identity.apiKeys.revoke(actor, params.id);
      return params.id;
    },
    show: (id) => ({ id, deleted: true }),
  }),
];
