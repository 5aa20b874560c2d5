import { Type } from 'typebox';
import { ServiceError } from '#core/kernel';
import { RefreshBody, SignedInFields, Success, Text } from '#server/schemas';
import { success } from '../envelope.ts';
import { route } from '../route.ts';

const tag = 'Public API';
const AccessOut = Success(Type.Object({ ...SignedInFields, accessToken: Type.String({ description: 'the same as token' }) }));

const accessToken = route({
  surface: 'open',
  method: 'POST',
  path: '/public/accesstoken',
  id: 'public.accessToken',
  tag,
  summary: 'Sign in for an access token',
  description: 'The tenant is that of the body, else of X-Tenant-ID, else the only tenant in which the e-mail address has a user.',
  body: Type.Object({ email: Text(254), password: Text(1024), tenantId: Type.Optional(Text(60)) }),
  answer: AccessOut,
  errors: ['TENANT_REQUIRED', 'TENANT_NOT_FOUND', 'INVALID_CREDENTIALS'],
  run: async ({ core, body, request }) => {
    const header = request.headers['x-tenant-id'];
    const named = body.tenantId ?? (typeof header === 'string' && header !== '' ? header : undefined);
    if (named !== undefined && !(await core.identity.tenant(named))) throw new ServiceError('TENANT_NOT_FOUND', 'There is no such tenant.');
    const tenants = named === undefined ? await core.identity.tenantsOf(body.email) : [named];
    const [tenantId] = tenants;
    if (tenants.length > 1)
      throw new ServiceError('TENANT_REQUIRED', 'This e-mail address belongs to several tenants; name one.', { details: { tenants } });
    // Without a user the password is still looked at, so that an unknown address cannot be told from a known one.
    return core.identity.login(tenantId ?? '', body.email, body.password);
  },
  show: (signedIn) => success({ ...signedIn, accessToken: signedIn.token }),
});

const refreshToken = route({
  surface: 'open',
  method: 'POST',
  path: '/public/refreshToken',
  id: 'public.refreshToken',
  tag,
  summary: 'Exchange a refresh token',
  body: RefreshBody,
  answer: AccessOut,
  errors: ['TOKEN_INVALID'],
  run: ({ core, body }) => core.identity.refresh(body.refreshToken),
  show: (signedIn) => success({ ...signedIn, accessToken: signedIn.token }),
});

const testConnection = route({
  surface: 'public',
  method: 'POST',
  path: '/testConnection',
  id: 'public.testConnection',
  tag,
  summary: 'Check the key and the connection',
  answer: Success(
    Type.Object({ connected: Type.Literal(true), tenantId: Type.String(), merchantId: Type.String(), environment: Type.String() }),
  ),
  run: async ({ core, actor }) => {
    const merchant = await core.identity.merchantFor(actor);
    const environment = core.identity.environmentOf(actor.tenantId);
    return { connected: true as const, tenantId: actor.tenantId, merchantId: merchant.merchantId, environment };
  },
  show: success,
});

export const publicAccess = [accessToken, refreshToken, testConnection];
