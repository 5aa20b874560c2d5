import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { BegunSignIn, CompanySettings, SignedIn } from '#core/access/identity';
import { ServiceError } from '#core/kernel';
import { flag, id, list, nullable, text, time } from '#core/platform/fields';
import { addressOf, loginContextOf } from '#server/hooks';
import { route, Success, SuccessOfEither } from '#server/http';
import { AlwaysTrue, CompanySettingsBody, Params, ProtectedText, Text } from '#server/schemas';

const tag = 'Company sign-in';
const open = { surface: 'open', tag } as const;
const owners = { surface: 'admin', tag, permission: 'owner:users', scope: 'tenant' } as const;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** The answer of the provider, as the redirect address receives it. */
const AnswerFields = {
  state: ProtectedText(200, '`state` of the redirect address'),
  code: Type.Optional(ProtectedText(4_000, 'Code')),
  iss: Type.Optional(Text(500, 'issuer, if the provider sends it')),
  error: Type.Optional(Text(100, 'error of the provider instead of a code')),
};

/** @throws ServiceError PERMISSION_DENIED unless the request comes from this computer, as that of the desktop application and its browser does. */
function checkOnThisComputer(request: FastifyRequest): void {
  if (LOOPBACK.test(addressOf(request)) && LOOPBACK.test(request.socket.remoteAddress ?? '')) return;
  throw new ServiceError('PERMISSION_DENIED', 'Only the desktop application on the computer of this server can sign in this way.');
}

const offered = route({
  ...open,
  method: 'GET',
  path: '/auth/company',
  rate: 'unlimited',
  id: 'admin.listCompanySignIns',
  summary: 'Accounts with a company sign-in',
  description: 'For the sign-in screen: the accounts whose users can sign in at a provider of OpenID Connect.',
  response: Success(
    Type.Object({
      accounts: list(
        Type.Object({ tenantId: id('ten', 'ID of the tenant'), name: text('Name', 'Harbor Street') }),
        'Accounts whose users can sign in at a provider',
      ),
    }),
  ),
  run: ({ core }) => core.identity.company.settings.offered(),
  show: (accounts) => ({ accounts }),
});

const begin = route({
  ...open,
  method: 'POST',
  path: '/auth/company/begin',
  id: 'admin.beginCompanySignIn',
  summary: 'Begin a company sign-in',
  description:
    'Open `url` in the browser, and keep `browserKey` in this browser only: `POST /auth/company/finish` needs it with the answer of the provider. With `desktop`, which is accepted from this computer only, the provider opens in the browser of the system, and the application asks `finish` until the answer has arrived.',
  body: Type.Object({
    tenantId: Text(60, 'account whose company sign-in begins'),
    desktop: Type.Optional(flag('true for a sign-in of the desktop application')),
  }),
  response: Success(BegunSignIn),
  errors: ['INVALID_CREDENTIALS', 'SERVICE_UNAVAILABLE'],
  run: async ({ core, body: { tenantId, desktop = false }, request }) => {
    if (desktop) checkOnThisComputer(request);
    return core.identity.company.begin(tenantId, { isDesktop: desktop });
  },
});

const finish = route({
  ...open,
  method: 'POST',
  path: '/auth/company/finish',
  id: 'admin.finishCompanySignIn',
  summary: 'Finish a company sign-in',
  description:
    'INVALID_CREDENTIALS names the cause in `details.reason`: `canceled`, `expired`, `other_browser`, `no_role`, `no_groups`, `too_many_groups`, `no_email`, `email_not_verified`, `email_in_use`, `wrong_domain`, `provider_refused` or `not_set_up`. `pending` is true while the answer for a desktop application has not arrived.',
  body: Type.Object({ ...AnswerFields, browserKey: ProtectedText(100, 'Secret of the browser that began a sign-in') }),
  response: SuccessOfEither(SignedIn, Type.Object({ pending: AlwaysTrue })),
  errors: ['INVALID_CREDENTIALS', 'SERVICE_UNAVAILABLE', 'INVALID_EMAIL', 'PERMISSION_DENIED'],
  run: async ({ core, body: { browserKey, ...answer }, request }) =>
    core.identity.company.finish(answer, browserKey, loginContextOf(request)),
  show: (signedIn) => signedIn ?? { pending: true },
});

const deliver = route({
  ...open,
  method: 'POST',
  path: '/auth/company/deliver',
  id: 'admin.deliverCompanySignIn',
  summary: 'Hand an answer to the desktop application',
  description: 'The page at the redirect address calls it in the browser of the system. Accepted from this computer only.',
  body: Type.Object(AnswerFields),
  response: Success(Type.Object({ delivered: AlwaysTrue })),
  errors: ['INVALID_CREDENTIALS', 'PERMISSION_DENIED'],
  run: async ({ core, body, request }) => {
    checkOnThisComputer(request);
    await core.identity.company.deliver(body);
  },
  show: () => ({ delivered: true }) as const,
});

const logoutUrl = route({
  surface: 'admin',
  tag,
  method: 'GET',
  path: '/auth/company/logout-url',
  permission: 'session',
  scope: 'caller',
  id: 'admin.getCompanyLogoutUrl',
  summary: 'Address that ends the session at the provider',
  description:
    'Null if the session did not begin at a provider, or if the provider has no such address. The session of Paydesk ends by `POST /auth/logout`.',
  response: Success(Type.Object({ url: nullable(text('Address', 'https://login.harbor.example/logout')) })),
  run: async ({ core, principal }) => core.identity.company.logoutUrl(principal.tenantId, principal.sessionId ?? ''),
  show: (url) => ({ url }),
});

const get = route({
  ...owners,
  method: 'GET',
  path: '/company-sign-in',
  id: 'admin.getCompanySignIn',
  summary: 'Settings of the company sign-in',
  description:
    'For owners. The client secret is never returned. `seenGroups` helps to find the value of a group, such as an ID of Entra ID.',
  response: Success(CompanySettings),
  run: ({ core, actor }) => core.identity.company.settings.get(actor),
});

const save = route({
  ...owners,
  method: 'PUT',
  path: '/company-sign-in',
  id: 'admin.saveCompanySignIn',
  confirms: { level: 'recent' },
  approvable: true,
  summary: 'Change the company sign-in',
  description: 'Replaces all settings. The groups decide about the roles of users at their next sign-in and refresh. A security event.',
  body: CompanySettingsBody,
  response: Success(CompanySettings),
  errors: ['MERCHANT_NOT_FOUND'],
  run: ({ core, actor, body }) => core.identity.company.settings.save(actor, body),
});

const allow = route({
  surface: 'admin',
  tag,
  method: 'POST',
  path: '/users/:userId/company-account',
  permission: 'users:write',
  scope: 'merchant',
  id: 'admin.allowCompanyAccount',
  confirms: { level: 'recent' },
  approvable: true,
  summary: 'Allow a user to connect the company account',
  description:
    'For a user who exists already. Within a week, the account at the provider with the same verified email address can sign in as this user. Without it, the provider cannot sign in as an existing user.',
  params: Params('userId'),
  response: Success(Type.Object({ allowedUntil: time('Time until which the company account can be connected') })),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.identity.users.allowCompanyAccount(actor, params.userId),
});

export const adminCompanySignIn = [offered, begin, finish, deliver, logoutUrl, get, save, allow];
