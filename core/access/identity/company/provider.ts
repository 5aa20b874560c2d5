import { createRemoteJWKSet, type JWTPayload, customFetch as jwksFetch, jwtVerify } from 'jose';
import type * as Client from 'openid-client';
import { ServiceError } from '#core/kernel';
import type { Dependencies } from '../dependencies.ts';
import type { CompanySettingsRow } from './schema.ts';

/** Longest time of a request to a provider. */
const TIMEOUT_SECONDS = 10;
/** Difference between the clocks of the provider and this server that is accepted. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Time for which the addresses of a provider are cached. */
const CACHED_MS = 3_600_000;
/** Largest number of groups that are read. */
const GROUPS_MAX = 500;
const GROUP_LENGTH_MAX = 256;
/** Time for which a logout token is accepted after its issue. */
const LOGOUT_TOKEN_SECONDS = 120;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** An account at the provider, as its answer describes it. */
export interface CompanyAccount {
  readonly subject: string;
  readonly email: string | null;
  /** Null if the provider says nothing about it. */
  readonly isEmailVerified: boolean | null;
  readonly name: string | null;
  readonly groups: readonly string[];
  /** Session at the provider, which it names in a logout. */
  readonly sid: string | null;
  /** Time at which the person signed in at the provider; null if the provider does not tell it. */
  readonly authMs: number | null;
  readonly refreshToken: string | null;
}

/** Reason for which a sign-in is refused, in the audit log and in `details.reason`. */
export type CompanyRefusal =
  | 'provider_down'
  | 'provider_refused'
  | 'canceled'
  | 'other_browser'
  | 'expired'
  | 'wrong_domain'
  | 'no_groups'
  | 'too_many_groups'
  | 'no_role'
  | 'no_email'
  | 'email_not_verified'
  | 'email_in_use'
  | 'not_set_up';

const MESSAGES: Readonly<Record<CompanyRefusal, string>> = {
  provider_down: 'The sign-in provider of the company does not respond. Try again in a moment, or sign in with a password.',
  provider_refused: 'The answer of the sign-in provider is not valid, so nobody was signed in. Start the sign-in again.',
  canceled: 'The sign-in was canceled at the provider.',
  other_browser: 'This sign-in was started in another browser. Start it again here.',
  expired: 'This sign-in has expired or was already used. Start it again.',
  wrong_domain: 'This account does not belong to the company’s domain.',
  no_groups:
    'The provider sent no groups, so no role can be found. An administrator must add the groups claim to the application at the provider.',
  too_many_groups:
    'This account has too many groups, so the provider left them out. An administrator must limit the claim to the groups of the application, or use application roles.',
  no_role: 'None of the groups of this account has a role in Paydesk. Ask an administrator.',
  no_email: 'The provider sent no email address. An administrator must add the email claim to the application at the provider.',
  email_not_verified: 'The provider has not verified the email address of this account.',
  email_in_use:
    'A user with this email address exists already. An administrator must allow this user to connect the company account before the first sign-in.',
  not_set_up: 'Company sign-in is not set up on this account.',
};

/** Returns the error of a refused sign-in. */
export function refused(reason: CompanyRefusal, cause?: unknown): ServiceError {
  const code = reason === 'provider_down' ? 'SERVICE_UNAVAILABLE' : 'INVALID_CREDENTIALS';
  return new ServiceError(code, MESSAGES[reason], { details: { reason }, cause });
}

/** Returns the reason of a refusal; null for another error. */
export function refusalOf(error: unknown): CompanyRefusal | null {
  const reason = error instanceof ServiceError ? error.details?.reason : undefined;
  return typeof reason === 'string' && Object.hasOwn(MESSAGES, reason) ? (reason as CompanyRefusal) : null;
}

/** Secrets of a sign-in until the answer of the provider. Each is used once. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The settings with the secret that the provider is asked with. */
export type ProviderSettings = Pick<CompanySettingsRow, 'tenant_id' | 'issuer' | 'client_id' | 'groups_claim' | 'domain' | 'updated_at'> & {
  readonly secretText: string | null;
};

// Loaded at the first sign-in, because most installations have no provider.
const library = () => import('openid-client');

async function discover(deps: Dependencies, settings: ProviderSettings): Promise<Client.Configuration> {
  const { discovery, None, ClientSecretPost, allowInsecureRequests, enableNonRepudiationChecks, customFetch, clockTolerance } =
    await library();
  const issuer = new URL(settings.issuer);
  const { secretText } = settings;
  const metadata = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  return discovery(issuer, settings.client_id, metadata, secretText === null ? None() : ClientSecretPost(secretText), {
    // The settings allow an address without TLS on this computer and on sandbox accounts only.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
    timeout: TIMEOUT_SECONDS,
    [customFetch]: deps.fetchFor(settings.tenant_id) as never,
  });
}

/** Returns the configuration of a provider. @throws ServiceError SERVICE_UNAVAILABLE. */
async function configOf(deps: Dependencies, settings: ProviderSettings): Promise<Client.Configuration> {
  const key = `${settings.tenant_id} ${settings.updated_at}`;
  const cached = deps.caches.providers.get(key);
  if (cached && cached.untilMs > performance.now()) return cached.config;
  const config = discover(deps, settings).catch((cause: unknown) => {
    deps.caches.providers.delete(key);
    throw refused('provider_down', cause);
  });
  for (const old of deps.caches.providers.keys()) if (old.startsWith(`${settings.tenant_id} `)) deps.caches.providers.delete(old);
  deps.caches.providers.set(key, { config, untilMs: performance.now() + CACHED_MS });
  return config;
}

/** Returns the error of a failed request: an answer of the provider refuses the sign-in; without one, the provider is down. */
function failureOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const {
    code,
    error: name,
    status,
    cause,
  } = error as Readonly<Record<'code' | 'error' | 'status', unknown>> & {
    readonly cause?: { readonly status?: unknown };
  };
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return refused(name === 'access_denied' ? 'canceled' : 'provider_refused', error);
  const isDown = code === undefined || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || Number(status ?? cause?.status ?? 0) >= 500;
  return refused(isDown ? 'provider_down' : 'provider_refused', error);
}

async function accountOf(
  settings: ProviderSettings,
  config: Client.Configuration,
  tokens: Client.TokenEndpointResponse & Client.TokenEndpointResponseHelpers,
  subject: string,
): Promise<CompanyAccount> {
  const { fetchUserInfo } = await library();
  const idClaims: Record<string, unknown> = { ...tokens.claims() };
  const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
  // Groups and the email address are in the ID token at some providers, and in the user information at others.
  const isComplete = idClaims[settings.groups_claim] !== undefined && idClaims.email !== undefined;
  const info = hasUserInfo && !isComplete ? await fetchUserInfo(config, tokens.access_token, subject) : {};
  const claims: Record<string, unknown> = { ...info, ...idClaims };
  if (settings.domain !== null && idClaims.hd !== settings.domain) throw refused('wrong_domain');
  return {
    subject,
    email: textOf(claims.email),
    isEmailVerified: typeof claims.email_verified === 'boolean' ? claims.email_verified : null,
    name: textOf(claims.name)?.slice(0, 100) ?? null,
    groups: groupsOf(claims, settings.groups_claim),
    sid: textOf(idClaims.sid),
    authMs: typeof idClaims.auth_time === 'number' ? idClaims.auth_time * 1_000 : null,
    refreshToken: tokens.refresh_token ?? null,
  };
}

/** Returns the address at which a person signs in, with its secrets. @throws ServiceError SERVICE_UNAVAILABLE. */
export async function beginAtProvider(
  deps: Dependencies,
  settings: ProviderSettings,
  redirectUri: string,
): Promise<{ readonly url: string; readonly secrets: SignInSecrets }> {
  const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge, buildAuthorizationUrl } = await library();
  const config = await configOf(deps, settings);
  const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const offered = config.serverMetadata().scopes_supported ?? [];
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: ['openid', 'email', 'profile', ...['groups', 'offline_access'].filter((scope) => offered.includes(scope))].join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(settings.domain === null ? {} : { hd: settings.domain }),
  });
  return { url: url.href, secrets };
}

/** Exchanges the answer of the provider. `answerUrl` is the redirect address of Paydesk with the query that arrived. */
export async function finishAtProvider(
  deps: Dependencies,
  settings: ProviderSettings,
  answerUrl: URL,
  { state, nonce, verifier }: SignInSecrets,
): Promise<CompanyAccount> {
  const { authorizationCodeGrant } = await library();
  const config = await configOf(deps, settings);
  try {
    const tokens = await authorizationCodeGrant(config, answerUrl, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    return await accountOf(settings, config, tokens, tokens.claims()?.sub ?? '');
  } catch (error) {
    throw failureOf(error);
  }
}

/** Reads the account again. @throws ServiceError INVALID_CREDENTIALS if the provider refuses it, SERVICE_UNAVAILABLE. */
export async function refreshAtProvider(
  deps: Dependencies,
  settings: ProviderSettings,
  refreshToken: string,
  subject: string,
): Promise<CompanyAccount> {
  const { refreshTokenGrant } = await library();
  const config = await configOf(deps, settings);
  try {
    const tokens = await refreshTokenGrant(config, refreshToken);
    if ((tokens.claims()?.sub ?? subject) !== subject) throw refused('provider_refused');
    return await accountOf(settings, config, tokens, subject);
  } catch (error) {
    throw failureOf(error);
  }
}

/** Returns the address at which the session at the provider ends; null if the provider has none. */
export async function providerLogoutUrl(deps: Dependencies, settings: ProviderSettings, returnTo: string): Promise<string | null> {
  const { buildEndSessionUrl } = await library();
  const config = await configOf(deps, settings);
  if (config.serverMetadata().end_session_endpoint === undefined) return null;
  return buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
}

/** The sessions that a logout token ends: those of an account, or one of them. */
interface LogoutToken {
  readonly subject: string | null;
  readonly sid: string | null;
  readonly issuedMs: number;
}

/** Checks a logout token of the provider (OpenID Connect Back-Channel Logout 1.0, 2.6). @throws ServiceError INVALID_CREDENTIALS. */
export async function readLogoutToken(deps: Dependencies, settings: ProviderSettings, token: string): Promise<LogoutToken> {
  const config = await configOf(deps, settings);
  const { jwks_uri: address, issuer } = config.serverMetadata();
  if (address === undefined) throw refused('provider_refused');
  const key = `${settings.tenant_id} ${address}`;
  const keys =
    deps.caches.providerKeys.get(key) ?? createRemoteJWKSet(new URL(address), { [jwksFetch]: deps.fetchFor(settings.tenant_id) as never });
  deps.caches.providerKeys.set(key, keys);
  let claims: JWTPayload & { readonly events?: unknown; readonly nonce?: unknown; readonly sid?: unknown };
  try {
    ({ payload: claims } = await jwtVerify(token, keys, {
      issuer,
      audience: settings.client_id,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: LOGOUT_TOKEN_SECONDS,
      requiredClaims: ['iat', 'jti'],
    }));
  } catch (error) {
    throw refused('provider_refused', error);
  }
  const events = claims.events;
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  const sid = textOf(claims.sid);
  if (!isLogout || claims.nonce !== undefined || (claims.sub === undefined && sid === null)) throw refused('provider_refused');
  return { subject: claims.sub ?? null, sid, issuedMs: (claims.iat ?? 0) * 1_000 };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' && value.length <= 1_000 ? value : null);

/** Returns the groups of the claims. @throws ServiceError INVALID_CREDENTIALS if they are missing, which is not the same as none. */
function groupsOf(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = claims[name];
  const isLeftOut = typeof claims._claim_names === 'object' && claims._claim_names !== null && name in claims._claim_names;
  if (value === undefined) throw refused(isLeftOut || claims.hasgroups === true ? 'too_many_groups' : 'no_groups');
  const list = Array.isArray(value) ? value : [value];
  if (list.length > GROUPS_MAX) throw refused('too_many_groups');
  return list.filter((each): each is string => typeof each === 'string' && each !== '' && each.length <= GROUP_LENGTH_MAX);
}
