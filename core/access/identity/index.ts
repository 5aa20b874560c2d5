import { bind } from '#core/kernel';
import { checkAddress } from './address-check.ts';
import { checkStillHolds, revokeApiKey, revokeBeyond, updateApiKey } from './api-keys/change.ts';
import { createApiKey, ensureApiKey } from './api-keys/create.ts';
import { getApiKey, isOriginOfAny, listApiKeys, ownApiKey, peopleOf } from './api-keys/read.ts';
import { createCaches } from './caches.ts';
import { authenticateClientToken, checkClientToken, clientToken } from './client-tokens.ts';
import { deleteOldCodes } from './codes.ts';
import { COMPANY_ATTEMPTS, COMPANY_IDENTITIES, COMPANY_SETTINGS } from './company/schema.ts';
import { backChannelLogout, companyLogoutUrl } from './company/sessions.ts';
import { getSettings, offered, saveSettings } from './company/settings.ts';
import { beginCompanySignIn, deleteOldAttempts, deliverAnswer, finishCompanySignIn } from './company/sign-in.ts';
import { createTenant } from './create-tenant.ts';
import type { Dependencies } from './dependencies.ts';
import { createInstallationAdmins } from './installation-admins.ts';
import { generatePasscode, resendPasscode, verifyPasscode } from './one-time-passcodes.ts';
import { sendPageCode, verifyPageCode } from './page-codes.ts';
import { deleteOldPasswordLinks, requestPasswordLink, resetPassword } from './password-links.ts';
import { removeOwnPin, removePinOf, setPin } from './pins.ts';
import {
  authenticateKey,
  authenticateToken,
  holders,
  peopleWithPin,
  principalByPin,
  principalOf,
  principalOfSession,
} from './principals.ts';
import { logout, logoutByAccessToken, refresh, switchPerson } from './refresh-session.ts';
import {
  API_KEYS,
  AUTHENTICATORS,
  CODES,
  PASSWORD_TOKENS,
  RECOVERY_CODES,
  ROLE_ROWS,
  SESSIONS,
  SIGNING_KEYS,
  TENANTS,
  USER_PINS,
  USERS,
} from './schema.ts';
import { deleteOldSessions, listSessions, revokeSession } from './sessions.ts';
import { confirmIdentity, login, resendSignInCode, verifySignInCode } from './sign-in.ts';
import { replaceOldSigningKeys, rotateSigningKey } from './signing-keys.ts';
import { claimSpending } from './spending.ts';
import { confirmApp, enrollApp, getTwoFactor, replaceRecoveryCodes, resetTwoFactor, setTwoFactor } from './two-factor.ts';
import { removeUser, setPermissions, updateUser } from './users/change.ts';
import { allowCompanyAccount, createUser, inviteUser } from './users/invite.ts';
import { changePassword, setOwnLanguage, setOwnName } from './users/own.ts';
import { getUser, listUsers, namedUsers, selfUser, userIdOf } from './users/user.ts';

export type { RevokeKeysBeyond } from './access-dependencies.ts';
export { BegunSignIn, CompanySettings } from './company/records.ts';
export type { NewTenant } from './create-tenant.ts';
export type { LoginContext } from './dependencies.ts';
export { isAllowedAddress } from './networks.ts';
export type { IsConfirmed } from './passwords.ts';
export type { Principal } from './principals.ts';
export { peopleFor } from './principals.ts';
export {
  ApiKey,
  ApiKeyWithSecret,
  CreatedUser,
  NewInstallation,
  OtpRequired,
  Person,
  Role,
  ScreenLanguage,
  SelfUser,
  SentCode,
  SentPasscode,
  Session,
  SignedIn,
  SignedInWithAccessToken,
  TwoFactorMethod,
  User,
} from './records.ts';
export { checkGrant, PIN_PERMISSIONS, ROLES } from './roles.ts';
export { TIERS, type Tier } from './schema.ts';
export { createTenants } from './tenants.ts';
export { createUserAccess } from './user-access.ts';

export const TABLES = [
  TENANTS,
  USERS,
  ROLE_ROWS,
  API_KEYS,
  SESSIONS,
  CODES,
  AUTHENTICATORS,
  RECOVERY_CODES,
  PASSWORD_TOKENS,
  SIGNING_KEYS,
  USER_PINS,
  COMPANY_SETTINGS,
  COMPANY_IDENTITIES,
  COMPANY_ATTEMPTS,
];

/** Query for the IDs of all tenants. */
export const EVERY_TENANT = TENANTS;

/** Authentication and permissions of callers. */
export type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(given: Omit<Dependencies, 'caches'>) {
  const deps: Dependencies = { ...given, caches: createCaches(given.database) };
  const { tenants } = deps;
  return {
    tenants,
    roles: deps.access.roles,
    users: {
      ...bind(deps, { page: listUsers, self: selfUser, named: namedUsers, idOf: userIdOf, get: getUser, create: createUser }),
      ...bind(deps, { update: updateUser, remove: removeUser, invite: inviteUser, setPermissions, allowCompanyAccount }),
      ...bind(deps, { setOwnName, setOwnLanguage, changePassword }),
    },
    sessions: bind(deps, { page: listSessions, revoke: revokeSession }),
    apiKeys: {
      checkStillHolds,
      ...bind(deps, { page: listApiKeys, get: getApiKey, own: ownApiKey, create: createApiKey, ensure: ensureApiKey }),
      ...bind(deps, { update: updateApiKey, revoke: revokeApiKey, revokeBeyond, isOriginOfAny }),
    },
    installationAdmins: createInstallationAdmins(tenants),
    /**
     * Passwords, second factors and rotating refresh tokens. All times are real time, so that a tenant's test clock ends no
     * session.
     */
    signIn: {
      ...bind(deps, { login, verifyCode: verifySignInCode, resendCode: resendSignInCode, confirm: confirmIdentity }),
      ...bind(deps, { refresh, switchPerson, logout, logoutByAccessToken }),
    },
    /**
     * Sign-in at the provider of a company by OpenID Connect: authorization code with PKCE, bound to the browser that began it. Groups of the provider decide
     * about the role at each sign-in and at each refresh of the session; rights of owners never come from a group.
     */
    company: {
      ...bind(deps, { begin: beginCompanySignIn, deliver: deliverAnswer, finish: finishCompanySignIn }),
      ...bind(deps, { logoutUrl: companyLogoutUrl, backChannelLogout }),
      /** Settings of the company sign-in. Only owners change them: they decide about the rights of everybody else. */
      settings: bind(deps, { get: getSettings, offered, save: saveSettings }),
    },
    /** One-time passcodes for an integrator's own customers, each within its tenant and merchant. */
    passcodes: bind(deps, { generate: generatePasscode, verify: verifyPasscode, resend: resendPasscode }),
    /** One-time codes by which a customer proves on a page that the address on file is theirs. */
    pageCodes: bind(deps, { send: sendPageCode, verify: verifyPageCode }),
    /** Links with which a user sets a password. Responses never reveal whether a user exists. All times are real time. */
    passwords: bind(deps, { forgot: requestPasswordLink, reset: resetPassword }),
    /**
     * The caller's own second factor: an authenticator app, or codes by email or text message. Callers confirm their password
     * before.
     */
    twoFactor: {
      ...bind(deps, { get: getTwoFactor, set: setTwoFactor, enrollApp, confirmApp, reset: resetTwoFactor }),
      ...bind(deps, { renewRecoveryCodes: replaceRecoveryCodes }),
    },
    /**
     * PINs of users. A PIN identifies a person at a workstation where another person is signed in already. It is never enough for an operation that
     * requires a password.
     */
    pins: bind(deps, { set: setPin, removeOwn: removeOwnPin, removeFor: removePinOf }),
    ...bind(deps, { authenticateKey, authenticateToken, principalOfSession, principalOf, principalByPin, checkAddress, peopleOf }),
    ...bind(deps, { holders, peopleWithPin, claimSpending, clientToken, checkClientToken, authenticateClientToken }),
    ...bind(deps, { rotateSigningKey, createTenant }),
    /** Steps of the hourly clean-up for a tenant. */
    cleanUps: [deleteOldAttempts, deleteOldSessions, deleteOldCodes, deleteOldPasswordLinks, replaceOldSigningKeys].map(
      (cleanUp) => (tenantId: string) => cleanUp(deps, tenantId),
    ),
  };
}
