import { Type } from 'typebox';
import { OtpRequired, ScreenLanguage, SelfUser, SentCode, SignedIn, TwoFactorMethod, User } from '#core/access/identity';
import { ServiceError } from '#core/kernel';
import { qrPng } from '#core/platform/documents';
import { count, flag, group, id, list, literals, text, time } from '#core/platform/fields';
import { MerchantRecord } from '#core/processing/merchants';
import { bearer, loginContextOf, namedTenant } from '#server/hooks';
import { route, Success, SuccessOfEither } from '#server/http';
import { AlwaysTrue, IdIn, Maybe, ProtectedText, RefreshBody, Text } from '#server/schemas';

const tag = 'Authentication';
const open = { surface: 'open', method: 'POST', tag } as const;

const LoginBody = Type.Object({
  email: Text(254, 'Email address', 'ann@customer.example'),
  password: ProtectedText(1024, 'Password', 'correct horse battery'),
});

const signIn = (path: string, id: string) =>
  route({
    ...open,
    path,
    namesTenant: true,
    id,
    summary: 'Sign in',
    description:
      'Takes X-Tenant-ID. Ten wrong passwords lock the account for 30 minutes; the response is still INVALID_CREDENTIALS. If the user has a second factor, the response is `otpRequired` with the ID of the code that was sent. A caller that sends `X-Paydesk-Client: screen` gets a session that is not refreshed after 15 idle minutes.',
    body: LoginBody,
    response: SuccessOfEither(SignedIn, OtpRequired),
    errors: ['TENANT_REQUIRED', 'TENANT_NOT_FOUND', 'INVALID_CREDENTIALS', 'PERMISSION_DENIED'],
    run: async ({ core, body, request }) =>
      core.identity.signIn.login(await namedTenant(core, request), body.email, body.password, loginContextOf(request)),
  });

const verifyOtp = route({
  ...open,
  path: '/auth/verify-otp',
  id: 'admin.verifyOtp',
  summary: 'Complete a sign-in with a code',
  description:
    'A code that was sent, a code of the authenticator app, or a recovery code. Five attempts; `details.attemptsRemaining` counts down. Wrong codes count like wrong passwords.',
  body: Type.Object({ otpId: IdIn('otp', 'one-time passcode'), code: ProtectedText(20, 'Code of the second factor', '492039') }),
  response: Success(SignedIn),
  errors: ['NOT_FOUND', 'INVALID_CREDENTIALS', 'PERMISSION_DENIED'],
  run: ({ core, body, request }) => core.identity.signIn.verifyCode(body.otpId, body.code, loginContextOf(request)),
});

const resendOtp = route({
  ...open,
  path: '/auth/resend-otp',
  id: 'admin.resendOtp',
  summary: 'Send the code again',
  description: 'At most every thirty seconds and three times in total. RESOURCE_CONFLICT if the code comes from an authenticator app.',
  body: Type.Object({ otpId: IdIn('otp', 'one-time passcode') }),
  response: Success(SentCode),
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, body }) => core.identity.signIn.resendCode(body.otpId),
});

const forgotPassword = route({
  ...open,
  path: '/auth/forgot-password',
  id: 'admin.forgotPassword',
  summary: 'Request a password reset',
  description:
    'The response is the same whether or not the user exists. X-Tenant-ID names the tenant; without it, the request covers every tenant in which the address has a user. The link is valid for one hour and sent at most once a minute.',
  body: Type.Object({ email: Text(254, 'Email address', 'ann@customer.example') }),
  response: Success(Type.Object({ sent: AlwaysTrue })),
  errors: ['TENANT_NOT_FOUND'],
  run: async ({ core, body, request }) => {
    const named = request.headers['x-tenant-id'] === undefined ? null : await namedTenant(core, request);
    return core.identity.passwords.forgot(named, body.email, loginContextOf(request));
  },
  show: () => ({ sent: true }) as const,
});

const resetPassword = route({
  ...open,
  path: '/auth/reset-password',
  id: 'admin.resetPassword',
  summary: 'Set a password with a link',
  description: 'Also accepts an invitation. Ends every session of the user and unlocks the account.',
  body: Type.Object({
    token: Text(200, 'Token of the link', 'Zk3v9q'),
    password: ProtectedText(1024, 'Password', 'correct horse battery'),
  }),
  response: Success(Type.Object({ reset: AlwaysTrue })),
  errors: ['TOKEN_INVALID', 'TOKEN_EXPIRED'],
  run: ({ core, body, request }) => core.identity.passwords.reset(body.token, body.password, loginContextOf(request)),
  show: () => ({ reset: true }) as const,
});

const refresh = route({
  ...open,
  path: '/auth/refresh',
  id: 'admin.refresh',
  summary: 'Exchange a refresh token',
  description: 'A refresh token can be used once. Using it again ends its session.',
  body: RefreshBody,
  response: Success(SignedIn),
  errors: ['TOKEN_INVALID'],
  run: ({ core, body, request }) => core.identity.signIn.refresh(body.refreshToken, loginContextOf(request)),
});

const logout = route({
  ...open,
  path: '/auth/logout',
  id: 'admin.logout',
  summary: 'End the session',
  description:
    'Ends the session of the access token in `Authorization`, or of `refreshToken`, or both. The access token and refresh token of an ended session stop working immediately. Without `refreshToken`, a wrong access token is an error.',
  body: Type.Partial(RefreshBody),
  response: Success(
    Type.Object({
      loggedOut: Type.Boolean({ description: 'true if a session ended; false if it had ended before, or if the refresh token is unknown' }),
      sessionIds: Type.Array(Type.String(), { description: 'sessions that this request ended' }),
    }),
  ),
  errors: ['UNAUTHORIZED', 'TOKEN_INVALID', 'TOKEN_EXPIRED'],
  run: async ({ core, body: { refreshToken }, request }) => {
    const { signIn } = core.identity;
    const context = loginContextOf(request);
    const accessToken = bearer(request);
    if (refreshToken === undefined && accessToken === undefined)
      throw new ServiceError('UNAUTHORIZED', 'Send the access token in `Authorization: Bearer`, or `refreshToken` in the body.');
    const byRefreshToken = refreshToken === undefined ? null : await signIn.logout(refreshToken, context);
    if (accessToken === undefined) return [byRefreshToken];
    const ending = signIn.logoutByAccessToken(accessToken, context);
    return [byRefreshToken, refreshToken === undefined ? await ending : await ending.catch(() => null)];
  },
  show: (ended) => {
    const sessionIds = ended.filter((id) => id !== null);
    return { loggedOut: sessionIds.length > 0, sessionIds };
  },
});

const me = route({
  surface: 'admin',
  scope: 'caller',
  method: 'GET',
  path: '/auth/me',
  permission: 'session',
  byPin: true,
  id: 'admin.me',
  tag,
  summary: 'The signed-in user with tenant and merchants',
  description: 'Screens call it after sign-in to learn the permissions of the user.',
  response: Success(
    Type.Object({
      user: SelfUser,
      tenant: group('Tenant of the user', {
        tenantId: id('ten', 'ID of the tenant'),
        name: text('Name', 'Harbor Street'),
        environment: text('`sandbox` or `live`', 'sandbox'),
      }),
      merchants: list(MerchantRecord, 'Merchants of the user'),
      people: list(
        Type.Object({ email: text('Email address', 'ann@customer.example'), name: text('Name', 'Ann Marsh') }),
        'names of users, for records that name them by email address; only the own one without `reporting:read`',
      ),
    }),
  ),
  run: async ({ core, actor, principal }) => {
    const tenant = await core.identity.tenants.find(actor.tenantId);
    const user = await core.identity.users.self(actor.tenantId, principal.userId ?? '');
    return {
      user: { ...user, permissions: [...actor.permissions], byPin: principal.byPin, byCompany: principal.byCompany },
      tenant: { tenantId: actor.tenantId, name: tenant?.name ?? '', environment: tenant?.environment ?? 'sandbox' },
      merchants: await core.merchants.merchantsOf(actor),
      people: [...(await core.identity.users.named(actor, principal.userId ?? ''))],
    };
  },
});

const self = { surface: 'admin', scope: 'caller', permission: 'session', tag } as const;
const confirmed = { ...self, confirms: { level: 'password' } } as const;

const setName = route({
  ...self,
  method: 'PUT',
  path: '/auth/name',
  id: 'admin.setName',
  summary: 'Set your name',
  description: 'Lists show the name beside the email address. Null removes it.',
  body: Type.Object({ name: Maybe(Text(100, 'name of the person', 'Ann Marsh')) }),
  response: Success(User),
  errors: ['NOT_FOUND'],
  run: ({ core, actor, principal, body }) => core.identity.users.setOwnName(actor, principal.userId ?? '', body.name),
});

const setLanguage = route({
  ...self,
  method: 'PUT',
  path: '/auth/language',
  byPin: true,
  id: 'admin.setLanguage',
  summary: 'Set the language of your screens',
  description: 'Null leaves it to the computer. Messages of the API stay English; receipts have the language of the merchant.',
  body: Type.Object({ language: Maybe(ScreenLanguage) }),
  response: Success(User),
  errors: ['NOT_FOUND'],
  run: ({ core, actor, principal, body }) => core.identity.users.setOwnLanguage(actor, principal.userId ?? '', body.language),
});

const twoFactor = route({
  ...self,
  method: 'GET',
  path: '/auth/two-factor',
  id: 'admin.getTwoFactor',
  summary: 'Your second factor',
  description: 'Returns the method and the number of unused recovery codes, never a code or secret.',
  response: Success(Type.Object({ method: TwoFactorMethod, recoveryCodesLeft: count('Number of unused recovery codes', 10) })),
  run: ({ core, actor, principal }) => core.identity.twoFactor.get(actor.tenantId, principal.userId ?? ''),
});

const setTwoFactor = route({
  ...confirmed,
  method: 'PUT',
  path: '/auth/two-factor',
  id: 'admin.setTwoFactor',
  summary: 'Set or turn off the second factor',
  description:
    'Codes by text message go to the phone number of the user. RESOURCE_CONFLICT if the account cannot send messages through the channel. An authenticator app is enrolled with `POST /auth/two-factor/totp`.',
  body: Type.Object({
    enabled: flag('true to turn it on', true),
    channel: Type.Optional(literals(['email', 'sms'], 'email (default) or sms')),
  }),
  response: Success(User),
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, principal, body }) =>
    core.identity.twoFactor.set(actor, principal.userId ?? '', body.enabled ? (body.channel ?? 'email') : 'off'),
});

const enrollApp = route({
  ...confirmed,
  method: 'POST',
  path: '/auth/two-factor/totp',
  id: 'admin.enrollAuthenticatorApp',
  idempotent: false,
  summary: 'Start the enrollment of an authenticator app',
  description:
    'Codes of RFC 6238: SHA-1, six digits, 30 seconds. The present second factor stays active until the first code is confirmed. Only this response contains the secret.',
  response: Success(
    Type.Object({
      secret: Type.String({ description: 'Base32, to be typed into the app' }),
      uri: Type.String({ description: 'otpauth:// address of the QR code' }),
      qrCode: Type.String({ description: 'a PNG as a data URL' }),
    }),
  ),
  errors: ['NOT_FOUND'],
  run: async ({ core, actor, principal }) => {
    const enrollment = await core.identity.twoFactor.enrollApp(actor, principal.userId ?? '');
    return { ...enrollment, qrCode: `data:image/png;base64,${(await qrPng(enrollment.uri)).toString('base64')}` };
  },
});

const RecoveryCodes = Success(
  Type.Object({
    recoveryCodes: Type.Array(Type.String(), { description: 'ten codes, which only this response contains; each can be used once' }),
  }),
);
const showCodes = (recoveryCodes: readonly string[]) => ({ recoveryCodes });

const confirmApp = route({
  ...self,
  method: 'POST',
  path: '/auth/two-factor/totp/confirm',
  id: 'admin.confirmAuthenticatorApp',
  idempotent: false,
  summary: 'Confirm an authenticator app with its first code',
  description: 'From then on, signing in requires a code of the app. RESOURCE_CONFLICT without an enrollment.',
  body: Type.Object({ code: ProtectedText(20, 'Code of the second factor', '492039') }),
  response: RecoveryCodes,
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, principal, body }) => core.identity.twoFactor.confirmApp(actor, principal.userId ?? '', body.code),
  show: showCodes,
});

const renewRecoveryCodes = route({
  ...confirmed,
  method: 'POST',
  path: '/auth/two-factor/recovery-codes',
  id: 'admin.renewRecoveryCodes',
  idempotent: false,
  summary: 'Create new recovery codes',
  description: 'The old ones stop working. RESOURCE_CONFLICT while the second factor is off.',
  response: RecoveryCodes,
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, principal }) => core.identity.twoFactor.renewRecoveryCodes(actor, principal.userId ?? ''),
  show: showCodes,
});

const changePassword = route({
  ...confirmed,
  method: 'PUT',
  path: '/auth/password',
  id: 'admin.changePassword',
  summary: 'Change your password',
  description: 'Ends every other session of the user.',
  body: Type.Object({ newPassword: ProtectedText(1024, '12 or more characters') }),
  response: Success(Type.Object({ changed: AlwaysTrue })),
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, principal, body, request }) =>
    core.identity.users.changePassword(
      actor,
      principal.userId ?? '',
      principal.sessionId,
      body.newPassword,
      request.isConfirmed ?? (() => false),
    ),
  show: () => ({ changed: true }) as const,
});

const rotateKey = route({
  surface: 'admin',
  scope: 'tenant',
  method: 'POST',
  path: '/auth/signing-key/rotate',
  permission: 'settings:write',
  confirms: { level: 'recent' },
  id: 'admin.rotateSigningKey',
  idempotent: false,
  tag,
  summary: 'Rotate the signing key',
  description:
    'Tokens of the old key stay valid until they expire, so all users stay signed in. Rotation happens automatically every 90 days.',
  response: Success(Type.Object({ keyId: id('key', 'ID of the key'), rotatedAt: time('Time of the rotation') })),
  run: ({ core, actor }) => core.identity.rotateSigningKey(actor),
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
  setName,
  setLanguage,
  twoFactor,
  setTwoFactor,
  enrollApp,
  confirmApp,
  renewRecoveryCodes,
  changePassword,
  rotateKey,
];
