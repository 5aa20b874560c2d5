import { Type } from 'typebox';
import { ApiKey, OtpRequired, type SignedIn, SignedInWithAccessToken } from '#core/access/identity';
import { ServiceError } from '#core/kernel';
import { flag, id, list, literals, nullable, text, time } from '#core/platform/fields';
import { ClientConfig, Fees, MerchantRecord } from '#core/processing/merchants';
import { loginContextOf } from '#server/hooks';
import { Paginated, route, Success, SuccessOfEither } from '#server/http';
import {
  AlwaysTrue,
  DateQuery,
  datedPageFrom,
  IdIn,
  MerchantIn,
  NewMerchantBody,
  PageQuery,
  ProtectedText,
  RefreshBody,
  Text,
} from '#server/schemas';

const tag = 'Public API';
const tenantId = id('ten', 'ID of the tenant');
const merchantId = id('mer', 'ID of the merchant');
const environment = text('`sandbox` or `live`', 'sandbox');
const open = { surface: 'open', method: 'POST', tag } as const;

const showAccess = (signedIn: SignedIn) => ({ ...signedIn, accessToken: signedIn.token });

const accessToken = route({
  ...open,
  path: '/public/accesstoken',
  id: 'public.accessToken',
  summary: 'Sign in and get an access token',
  description:
    'The tenant is that of the body, otherwise that of X-Tenant-ID, otherwise the only tenant in which the email address has a user. With a second factor the response is `otpRequired`, as on /auth/login.',
  body: Type.Object({
    email: Text(254, 'Email address', 'ann@customer.example'),
    password: ProtectedText(1024, 'Password', 'correct horse battery'),
    tenantId: Type.Optional(IdIn('ten', 'tenant')),
  }),
  response: SuccessOfEither(SignedInWithAccessToken, OtpRequired),
  errors: ['TENANT_REQUIRED', 'TENANT_NOT_FOUND', 'INVALID_CREDENTIALS', 'PERMISSION_DENIED'],
  run: async ({ core, body, request }) => {
    const { tenants, signIn } = core.identity;
    const header = request.headers['x-tenant-id'];
    const named = body.tenantId ?? (typeof header === 'string' && header !== '' ? header : undefined);
    if (named !== undefined && !(await tenants.find(named))) throw new ServiceError('TENANT_NOT_FOUND', 'No tenant has this ID.');
    const found = named === undefined ? await tenants.ofEmail(body.email) : [named];
    const [tenantId] = found;
    if (found.length > 1)
      throw new ServiceError('TENANT_REQUIRED', 'This email address has users in several tenants. Send `tenantId`.', {
        details: { tenants: found },
      });
    // The password is checked even without a user, so that the response time does not reveal an unknown address.
    return signIn.login(tenantId ?? '', body.email, body.password, loginContextOf(request));
  },
  show: (answer) => ('token' in answer ? showAccess(answer) : answer),
});

const refreshToken = route({
  ...open,
  path: '/public/refreshToken',
  id: 'public.refreshToken',
  summary: 'Exchange a refresh token',
  description:
    'Exchanges a refresh token for a new access token and a new refresh token. Each refresh token can be used once; a second use ends the session.',
  body: RefreshBody,
  response: Success(SignedInWithAccessToken),
  errors: ['TOKEN_INVALID'],
  run: ({ core, body, request }) => core.identity.signIn.refresh(body.refreshToken, loginContextOf(request)),
  show: showAccess,
});

const testConnection = route({
  surface: 'public',
  scope: 'caller',
  method: 'POST',
  permission: 'session',
  path: '/testConnection',
  id: 'public.testConnection',
  idempotent: false,
  tag,
  summary: 'Check the key and the connection',
  description: 'Changes nothing. Use it to check the address, the key and the tenant before the first payment.',
  response: Success(Type.Object({ connected: AlwaysTrue, tenantId, merchantId, environment })),
  run: async ({ core, actor }) => {
    const merchant = await core.merchants.merchantFor(actor);
    const environment = core.identity.tenants.environmentOf(actor.tenantId);
    return { connected: true as const, tenantId: actor.tenantId, merchantId: merchant.merchantId, environment };
  },
});

const apiKey = route({
  surface: 'public',
  scope: 'caller',
  method: 'GET',
  permission: 'session',
  path: '/api-key',
  id: 'public.getApiKey',
  tag,
  summary: 'The API key of the request',
  description: 'Permissions and spending limits of the key, so that a program can offer only what the key may do.',
  response: Success(
    Type.Object({
      name: text('Name', 'Checkout'),
      environment: literals(['sandbox', 'live'], '`sandbox` or `live`'),
      merchantId: nullable(id('mer', 'the only merchant that the key has access to; null means all merchants')),
      permissions: list(Type.String(), 'Permissions', ['transactions:read']),
      spendingLimits: ApiKey.properties.spendingLimits,
    }),
  ),
  run: async ({ core, actor, principal }) => ({
    name: principal.name,
    environment: core.identity.tenants.environmentOf(actor.tenantId),
    merchantId: principal.merchantId,
    // The permissions of the principal, which a merchant's limits may reduce.
    permissions: [...principal.permissions],
    spendingLimits: (await core.identity.apiKeys.own(principal)).spendingLimits,
  }),
});

const clientToken = route({
  surface: 'public',
  scope: 'merchant',
  method: 'POST',
  permission: 'transactions:write',
  path: '/client-token',
  id: 'public.createClientToken',
  idempotent: false,
  tag,
  summary: 'Create a client token for a web page',
  description: 'Valid for 30 minutes, for tokenize-card only, sent as x-client-token. It ends with the key that created it.',
  body: Type.Object({ merchantId: MerchantIn }),
  response: Success(
    Type.Object({
      clientToken: text('Token for a web page, which may only store cards', 'ct_…'),
      expiresAt: time('Time at which it expires'),
    }),
  ),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async ({ core, actor, body }) =>
    core.identity.clientToken(actor, (await core.merchants.merchantFor(actor, body.merchantId)).merchantId),
});

const validateClientToken = route({
  ...open,
  path: '/public/validate-client-token',
  id: 'public.validateClientToken',
  summary: 'Check a client token',
  description: '`valid` is false if the token is expired, forged, or of a revoked key.',
  body: Type.Object({ clientToken: Text(4_096, 'Token for a web page, which may only store cards', 'ct_…') }),
  response: Success(
    Type.Object({
      valid: flag('true if the token can be used', true),
      expiresAt: nullable(time('Time at which it expires')),
      merchantId: nullable(merchantId),
    }),
  ),
  run: ({ core, body }) => core.identity.checkClientToken(body.clientToken),
  show: (checked) => ({ valid: checked !== null, expiresAt: checked?.expiresAt ?? null, merchantId: checked?.merchantId ?? null }),
});

const readMerchants = { surface: 'public', method: 'GET', tag, permission: 'merchants:read', scope: 'merchant' } as const;

const merchants = [
  route({
    surface: 'public',
    scope: 'tenant',
    method: 'POST',
    tag,
    permission: 'merchants:write',
    path: '/merchants/provision',
    id: 'public.provisionMerchant',
    summary: 'Provision a merchant with a tenant-level key',
    description: 'Creates a merchant of the tenant of the key. Requires a key with the scope `tenant`.',
    created: true,
    body: NewMerchantBody,
    response: Success(MerchantRecord),
    errors: ['INVALID_EMAIL', 'INVALID_PHONE', 'INVALID_CURRENCY', 'MERCHANT_NOT_AUTHORIZED'],
    run: ({ core, actor, body }) => core.merchants.create(actor, body),
  }),
  route({
    ...readMerchants,
    path: '/merchants',
    id: 'public.listMerchants',
    summary: 'Merchants that the key has access to, newest first',
    description: 'A key with the scope `merchant` gets its own merchant only.',
    rate: 'list-merchants',
    query: Type.Object({ ...PageQuery, ...DateQuery }),
    response: Paginated(MerchantRecord),
    run: async ({ core, actor, query }) => core.merchants.page(actor, {}, await datedPageFrom(core, actor, query)),
  }),
  route({
    ...readMerchants,
    path: '/merchant',
    id: 'public.getMerchant',
    summary: 'A merchant by its ID',
    description: 'Returns the merchant of the query parameter `id`.',
    query: Type.Object({ id: { ...Text(60, 'merchant ID'), examples: ['mer_01m7y495cj0020acfq3xv5ygj8'] } }),
    response: Success(MerchantRecord),
    errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
    run: ({ core, actor, query }) => core.merchants.get(actor, query.id),
  }),
  route({
    ...readMerchants,
    path: '/getConfig',
    id: 'public.getConfig',
    summary: 'Configuration of the merchant for integrations',
    description: 'Returns what a checkout needs to know: currency, accepted payment methods, branding and settings of the Sell screen.',
    response: Success(ClientConfig),
    run: ({ core, actor }) => core.merchants.config(actor),
  }),
  route({
    ...readMerchants,
    path: '/getFee',
    id: 'public.getFee',
    summary: 'Fees of the merchant by payment method',
    description: 'Percent of the captured amount plus the fixed part, at most `cap`, in major units.',
    response: Success(Fees),
    run: ({ core, actor }) => core.merchants.fees(actor),
  }),
];

export const publicAccess = [accessToken, refreshToken, testConnection, apiKey, clientToken, validateClientToken, ...merchants];
