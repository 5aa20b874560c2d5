import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { ServiceError } from '#core/kernel';

/** Seconds that an access token is good for. */
export const ACCESS_TOKEN_SECONDS = 900;
export const REFRESH_TOKEN_MS = 30 * 24 * 3_600_000;

const ISSUER = 'paydesk';
const AUDIENCE = 'paydesk-api';
const TYPE = 'at+jwt';

export interface AccessClaims {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** Signs an access token of fifteen minutes, by real time. */
export function signAccessToken(key: KeyObject, claims: AccessClaims): Promise<string> {
  return new SignJWT({ tid: claims.tenantId, sid: claims.sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: TYPE })
    .setSubject(claims.userId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
    .sign(key);
}

/** Reads an access token; TOKEN_EXPIRED when its time is over, TOKEN_INVALID for anything that is not ours (decisions 3). */
export async function readAccessToken(key: KeyObject, token: string): Promise<AccessClaims> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], issuer: ISSUER, audience: AUDIENCE, typ: TYPE });
    const { sub, tid, sid } = payload;
    if (typeof sub !== 'string' || typeof tid !== 'string' || typeof sid !== 'string') throw new Error('claims are missing');
    return { userId: sub, tenantId: tid, sessionId: sid };
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw new ServiceError('TOKEN_EXPIRED', 'The access token has expired; refresh it.', { cause });
    throw new ServiceError('TOKEN_INVALID', 'The access token is not valid.', { cause });
  }
}

/** A secret to hand out once, and what is kept of it. */
export function newSecret(prefix: string): { readonly secret: string; readonly hash: string } {
  const secret = `${prefix}${randomBytes(30).toString('base64url')}`;
  return { secret, hash: hashSecret(secret) };
}

/** Secrets of 240 random bits need no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
