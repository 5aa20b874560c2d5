import { Type } from 'typebox';
import { namedTenant } from '#server/hooks';
import { Maybe, RefreshBody, SignedInFields, Success, Text } from '#server/schemas';
import { success } from '../envelope.ts';
import { route } from '../route.ts';

const tag = 'Authentication';

const SignedInOut = Success(Type.Object(SignedInFields));
const LoginBody = Type.Object({ email: Text(254), password: Text(1024) });

const signIn = (path: string, id: string) =>
  route({
    surface: 'open',
    method: 'POST',
    path,
    namesTenant: true,
    id,
    tag,
    summary: 'Sign in',
    description: 'Takes X-Tenant-ID. Ten wrong passwords lock the account for 30 minutes; the answer stays INVALID_CREDENTIALS.',
    body: LoginBody,
    answer: SignedInOut,
    errors: ['TENANT_REQUIRED', 'TENANT_NOT_FOUND', 'INVALID_CREDENTIALS'],
    run: async ({ core, body, request }) => core.identity.login(await namedTenant(core, request), body.email, body.password),
    show: success,
  });

const refresh = route({
  surface: 'open',
  method: 'POST',
  path: '/auth/refresh',
  id: 'admin.refresh',
  tag,
  summary: 'Exchange a refresh token',
  description: 'Refresh tokens are used once. One that was used before ends its whole session.',
  body: RefreshBody,
  answer: SignedInOut,
  errors: ['TOKEN_INVALID'],
  run: ({ core, body }) => core.identity.refresh(body.refreshToken),
  show: success,
});

const logout = route({
  surface: 'open',
  method: 'POST',
  path: '/auth/logout',
  id: 'admin.logout',
  tag,
  summary: 'End the session',
  body: RefreshBody,
  answer: Success(Type.Object({ loggedOut: Type.Literal(true) })),
  run: async ({ core, body }) => core.identity.logout(body.refreshToken),
  show: () => success({ loggedOut: true }),
});

const MerchantOut = Type.Object({
  merchantId: Type.String(),
  name: Type.String(),
  legalName: Maybe(Type.String()),
  email: Maybe(Type.String()),
  phone: Maybe(Type.String()),
  currency: Type.String(),
  timezone: Type.String(),
  country: Type.String(),
  address: Maybe(Type.String()),
  city: Maybe(Type.String()),
  state: Maybe(Type.String()),
  zip: Maybe(Type.String()),
  vtSettings: Type.Object({
    requireCvv: Type.Boolean(),
    requireZip: Type.Boolean(),
    allowedModes: Type.Array(Type.String()),
    defaultType: Type.String(),
    receiptWidth: Type.String(),
    autoPrint: Type.Boolean(),
    receiptHeader: Type.String(),
    receiptFooter: Type.String(),
  }),
});

const me = route({
  surface: 'admin',
  method: 'GET',
  path: '/auth/me',
  id: 'admin.me',
  tag,
  summary: 'Who is signed in, the tenant and its merchants',
  answer: Success(
    Type.Object({
      user: Type.Object({ userId: Type.String(), email: Type.String(), permissions: Type.Array(Type.String()) }),
      tenant: Type.Object({ tenantId: Type.String(), name: Type.String(), environment: Type.String() }),
      merchants: Type.Array(MerchantOut),
    }),
  ),
  run: async ({ core, actor, principal }) => {
    const tenant = await core.identity.tenant(actor.tenantId);
    return {
      user: { userId: principal.userId ?? '', email: principal.name, permissions: [...actor.permissions] },
      tenant: { tenantId: actor.tenantId, name: tenant?.name ?? '', environment: tenant?.environment ?? 'sandbox' },
      merchants: await core.identity.merchantsOf(actor),
    };
  },
  show: success,
});

export const adminAuth = [signIn('/auth/login', 'admin.login'), signIn('/auth/token', 'admin.token'), refresh, logout, me];
