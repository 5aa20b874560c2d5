import { hash, randomBytes } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { isId, ServiceError } from '#core/kernel';
import type { SigningKey } from './caches.ts';

/** Lifetime of an access token. */
export const ACCESS_TOKEN_SECONDS = 900;
export const REFRESH_TOKEN_MS = 30 * 24 * 3_600_000;
export const CLIENT_TOKEN_MS = 30 * 60_000;

const ISSUER = 'paydesk';
const ALGORITHM = 'HS256';
const ACCESS = {
  typ: 'at+jwt',
  audience: 'paydesk-api',
  expired: 'The access token has expired. Refresh it.',
  invalid: 'The access token is not valid.',
};
const CLIENT = {
  typ: 'ct+jwt',
  audience: 'paydesk-tokenize',
  expired: 'The client token has expired. Create another one.',
  invalid: 'The client token is not valid.',
};
const TOKEN_LENGTH_MAX = 4_096;

interface AccessClaims {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
}

interface ClientClaims {
  readonly tenantId: string;
  readonly merchantId: string;
  /** The API key that created the token. */
  readonly keyId: string;
  readonly expiresMs: number;
}

/** Finds the key that a token names. */
type FindKey = (id: string) => Promise<SigningKey>;

function sign(key: SigningKey, kind: typeof ACCESS, subject: string, claims: JWTPayload, expiresMs: number): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: kind.typ, kid: key.id })
    .setSubject(subject)
    .setIssuer(ISSUER)
    .setAudience(kind.audience)
    .setIssuedAt()
    .setExpirationTime(Math.floor(expiresMs / 1_000))
    .sign(key.key);
}

/** Largest number of verified tokens that are kept for each key. */
const VERIFIED_MAX = 1_000;

/**
 * Payloads of tokens whose signature was verified, by key, kind and token. Verifying takes a third of the processor time of a short request,
 * because it runs in another thread.
 */
const verifiedByKey = new WeakMap<SigningKey, Map<string, JWTPayload>>();

/** Returns the payload of a token that is signed with the key and has not expired. @throws Error of `jose`. */
async function verify(key: SigningKey, kind: typeof ACCESS, token: string): Promise<JWTPayload> {
  const verified = verifiedByKey.get(key) ?? new Map<string, JWTPayload>();
  verifiedByKey.set(key, verified);
  const name = `${kind.typ} ${token}`;
  const known = verified.get(name);
  if (known?.exp !== undefined && known.exp > Math.floor(Date.now() / 1_000)) return known;
  verified.delete(name);
  const { payload } = await jwtVerify(token, key.key, {
    algorithms: [ALGORITHM],
    issuer: ISSUER,
    audience: kind.audience,
    typ: kind.typ,
    requiredClaims: ['sub', 'tid', 'exp', 'iat'],
  });
  const [oldest] = verified.keys();
  if (verified.size >= VERIFIED_MAX && oldest !== undefined) verified.delete(oldest);
  verified.set(name, payload);
  return payload;
}

/** Verifies a token of a kind with the key that it names, which must be a key of the tenant. */
async function read(findKey: FindKey, kind: typeof ACCESS, token: string): Promise<JWTPayload & { readonly keyTenant: string }> {
  try {
    if (token.length > TOKEN_LENGTH_MAX) throw new Error('the token is too long');
    const { kid } = decodeProtectedHeader(token);
    if (typeof kid !== 'string' || !isId('sig', kid)) throw new Error('the token names no key');
    const key = await findKey(kid);
    const payload = await verify(key, kind, token);
    if (payload.tid !== key.tenantId) throw new Error('the key belongs to another tenant');
    return { ...payload, keyTenant: key.tenantId };
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw new ServiceError('TOKEN_EXPIRED', kind.expired, { cause });
    throw new ServiceError('TOKEN_INVALID', kind.invalid, { cause });
  }
}

/** Signs an access token of fifteen minutes, by real time. */
export function signAccessToken(key: SigningKey, claims: AccessClaims): Promise<string> {
  const expiresMs = Date.now() + ACCESS_TOKEN_SECONDS * 1_000;
  return sign(key, ACCESS, claims.userId, { tid: claims.tenantId, sid: claims.sessionId }, expiresMs);
}

/** Reads an access token. @throws ServiceError TOKEN_EXPIRED, or TOKEN_INVALID for anything that is not a valid token of Paydesk. */
export async function readAccessToken(findKey: FindKey, token: string): Promise<AccessClaims> {
  const { sub = '', sid, keyTenant } = await read(findKey, ACCESS, token);
  if (typeof sid !== 'string') throw new ServiceError('TOKEN_INVALID', ACCESS.invalid);
  return { userId: sub, tenantId: keyTenant, sessionId: sid };
}

/** Signs a token that can only tokenize cards, for thirty minutes. */
export function signClientToken(key: SigningKey, claims: ClientClaims): Promise<string> {
  return sign(key, CLIENT, claims.keyId, { tid: claims.tenantId, mid: claims.merchantId }, claims.expiresMs);
}

/** Returns the error for a client token that is forged, belongs to another tenant, or was created by a revoked key. */
export const invalidClientToken = () => new ServiceError('TOKEN_INVALID', CLIENT.invalid);

/** Reads a client token. @throws ServiceError TOKEN_EXPIRED, or TOKEN_INVALID for anything that is not a client token of Paydesk. */
export async function readClientToken(findKey: FindKey, token: string): Promise<ClientClaims> {
  const { sub = '', mid, exp = 0, keyTenant } = await read(findKey, CLIENT, token);
  if (typeof mid !== 'string') throw invalidClientToken();
  return { keyId: sub, tenantId: keyTenant, merchantId: mid, expiresMs: exp * 1_000 };
}

/** Creates a secret that is returned once, and its hash, which is stored. */
export function newSecret(prefix: string): { readonly secret: string; readonly hash: string } {
  const secret = `${prefix}${randomBytes(30).toString('base64url')}`;
  return { secret, hash: hashSecret(secret) };
}

/** Returns the hash of a secret. Secrets of 240 random bits need no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
