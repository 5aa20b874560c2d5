import { Type } from 'typebox';
import type { OtpRequired, SignedIn } from '#core/identity';
import { fromOf, namedTenant } from '#server/hooks';
import {
  Maybe,
  MerchantOut,
  OtpOut,
  ProtectedText,
  RefreshBody,
  SentFields,
  SignedInFields,
  Success,
  showMerchant,
  Text,
  Timestamp,
  UserOut,
} from '#server/schemas';
import { success } from '../envelope.ts';
import { route } from '../route.ts';

const tag = 'Authentication';
const open = { surface: 'open', method: 'POST', tag } as const;

const SignedInOut = Success(Type.Object(SignedInFields));
const LoginBody = Type.Object({ email: Text(254), password: ProtectedText(1024) });

const signIn = (path: string, id: string) =>
  route({
    ...open,
    path,
    namesTenant: true,
    id,
    summary: 'Sign in',
    description:
      'Takes X-Tenant-ID. Ten wrong passwords lock the account for 30 minutes; the answer stays INVALID_CREDENTIALS. Where the user has a second factor, the answer is `otpRequired` with the id of the code that was sent. A caller that sends `X-Paydesk-Client: screen` gets a session that is not refreshed after 15 idle minutes.',
    body: LoginBody,
    answer: Type.Union([SignedInOut, OtpOut]),
    errors: ['TENANT_REQUIRED', 'TENANT_NOT_FOUND', 'INVALID_CREDENTIALS'],
    run: async ({ core, body, request }): Promise<SignedIn | OtpRequired> =>
      core.identity.signIn.login(await namedTenant(core, request), body.email, body.password, fromOf(request)),
    show: success,
  });

const verifyOtp = route({
  ...open,
  path: '/auth/verify-otp',
  id: 'admin.verifyOtp',
  summary: 'Finish a sign-in with the code that was sent',
  description: 'Five tries; `details.attemptsRemaining` counts down. Wrong codes count as wrong passwords do.',
  body: Type.Object({ otpId: Text(60), code: Text(20) }),
  answer: SignedInOut,
  errors: ['NOT_FOUND', 'INVALID_CREDENTIALS'],
  run: ({ core, body, request }) => core.identity.signIn.verifyCode(body.otpId, body.code, fromOf(request)),
  show: success,
});

const resendOtp = route({
  ...open,
  path: '/auth/resend-otp',
  id: 'admin.resendOtp',
  summary: 'Send the code once more',
  description: 'Thirty seconds apart and three times in all.',
  body: Type.Object({ otpId: Text(60) }),
  answer: Success(Type.Object(SentFields)),
  errors: ['NOT_FOUND'],
  run: ({ core, body }) => core.identity.signIn.resendCode(body.otpId),
  show: success,
});

const forgotPassword = route({
  ...open,
  path: '/auth/forgot-password',
  id: 'admin.forgotPassword',
  summary: 'Have a link sent to set a new password',
  description:
    'Answers the same whether or not there is such a user. X-Tenant-ID names the tenant; without it, every one in which the address has a user. The link is good for an hour and sent once a minute at most.',
  body: Type.Object({ email: Text(254) }),
  answer: Success(Type.Object({ sent: Type.Literal(true) })),
  errors: ['TENANT_NOT_FOUND'],
  run: async ({ core, body, request }) => {
    const named = request.headers['x-tenant-id'] === undefined ? null : await namedTenant(core, request);
    return core.identity.passwords.forgot(named, body.email, fromOf(request));
  },
  show: () => success({ sent: true }),
});

const resetPassword = route({
  ...open,
  path: '/auth/reset-password',
  id: 'admin.resetPassword',
  summary: 'Set a password by the link that was sent',
  description: 'Also takes up an invitation. Ends every session of the user and opens a locked account.',
  body: Type.Object({ token: Text(200), password: ProtectedText(1024) }),
  answer: Success(Type.Object({ reset: Type.Literal(true) })),
  errors: ['TOKEN_INVALID', 'TOKEN_EXPIRED'],
  run: ({ core, body, request }) => core.identity.passwords.reset(body.token, body.password, fromOf(request)),
  show: () => success({ reset: true }),
});

const refresh = route({
  ...open,
  path: '/auth/refresh',
  id: 'admin.refresh',
  summary: 'Exchange a refresh token',
  description: 'Refresh tokens are used once. One that was used before ends its whole session.',
  body: RefreshBody,
  answer: SignedInOut,
  errors: ['TOKEN_INVALID'],
  run: ({ core, body, request }) => core.identity.signIn.refresh(body.refreshToken, fromOf(request)),
  show: success,
});

const logout = route({
  ...open,
  path: '/auth/logout',
  id: 'admin.logout',
  summary: 'End the session',
  body: RefreshBody,
  answer: Success(Type.Object({ loggedOut: Type.Literal(true) })),
  run: async ({ core, body, request }) => core.identity.signIn.logout(body.refreshToken, fromOf(request)),
  show: () => success({ loggedOut: true }),
});

const me = route({
  surface: 'admin',
  scope: 'caller',
  method: 'GET',
  path: '/auth/me',
  permission: 'session',
  id: 'admin.me',
  tag,
  summary: 'Who is signed in, the tenant and its merchants',
  answer: Success(
    Type.Object({
      user: Type.Object({
        userId: Type.String(),
        email: Type.String(),
        role: Type.String(),
        permissions: Type.Array(Type.String()),
        merchantId: Maybe(Type.String()),
        twoFactor: Type.String(),
        phone: Maybe(Type.String()),
      }),
      tenant: Type.Object({ tenantId: Type.String(), name: Type.String(), environment: Type.String() }),
      merchants: Type.Array(MerchantOut),
    }),
  ),
  run: async ({ core, actor, principal }) => {
    const tenant = await core.identity.tenants.find(actor.tenantId);
    const user = await core.identity.users.self(actor.tenantId, principal.userId ?? '');
    return {
      user: {
        userId: user.userId,
        email: user.email,
        role: user.role,
        permissions: [...actor.permissions],
        merchantId: user.merchantId,
        twoFactor: user.twoFactor,
        phone: user.phone,
      },
      tenant: { tenantId: actor.tenantId, name: tenant?.name ?? '', environment: tenant?.environment ?? 'sandbox' },
      merchants: (await core.merchants.merchantsOf(actor)).map(showMerchant),
    };
  },
  show: success,
});

const twoFactor = route({
  surface: 'admin',
  scope: 'caller',
  method: 'PUT',
  path: '/auth/two-factor',
  permission: 'session',
  id: 'admin.setTwoFactor',
  tag,
  summary: 'Turn the second factor of oneself on or off',
  description:
    'By e-mail, or by text message to the phone number of the user. RESOURCE_CONFLICT on a live account, whose messages do not go out yet.',
  body: Type.Object({
    enabled: Type.Boolean(),
    channel: Type.Optional(Type.Union([Type.Literal('email'), Type.Literal('sms')], { description: 'email (default) or sms' })),
  }),
  answer: Success(UserOut),
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, principal, body }) =>
    core.identity.users.setTwoFactor(actor, principal.userId ?? '', body.enabled, body.channel ?? 'email'),
  show: success,
});

const rotateKey = route({
  surface: 'admin',
  scope: 'tenant',
  method: 'POST',
  path: '/auth/signing-key/rotate',
  permission: 'settings:write',
  id: 'admin.rotateSigningKey',
  tag,
  summary: 'Sign tokens with a new key from now on',
  description: 'Tokens that the old key signed go on until they expire; nobody is signed out. It happens by itself every 90 days.',
  answer: Success(Type.Object({ keyId: Type.String(), rotatedAt: Timestamp })),
  run: ({ core, actor }) => core.identity.rotateSigningKey(actor),
  show: success,
});

export const adminAuth = [
  signIn('/auth/login', 'admin.login'),
  signIn('/auth/token', 'admin.token'),
  verifyOtp,
  resendOtp,
  forgotPassword,
  resetPassword,
  refresh,
  logout,
  me,
  twoFactor,
  rotateKey,
];
