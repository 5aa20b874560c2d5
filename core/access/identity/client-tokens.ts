import { type Actor, isoTime, ServiceError } from '#core/kernel';
import { isActiveKey } from './api-keys/key.ts';
import type { Dependencies } from './dependencies.ts';
import { type Principal, refuseClosed } from './principals.ts';
import { currentSigningKey, findSigningKey } from './signing-keys.ts';
import { CLIENT_TOKEN_MS, invalidClientToken, readClientToken, signClientToken } from './tokens.ts';

/** Returns the claims of a client token. @throws ServiceError TOKEN_EXPIRED, TOKEN_INVALID if it is forged or its key was revoked. */
async function activeClientToken(deps: Dependencies, token: string): ReturnType<typeof readClientToken> {
  const claims = await readClientToken((id) => findSigningKey(deps, id), token);
  if (!(await isActiveKey(deps, claims.tenantId, claims.keyId))) throw invalidClientToken();
  await refuseClosed(deps, claims.tenantId, claims.merchantId);
  return claims;
}

/** Creates a token for a web page. For thirty minutes it can tokenize cards, and nothing else. */
export async function clientToken(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
): Promise<{ readonly clientToken: string; readonly expiresAt: string }> {
  const expiresMs = Math.floor((Date.now() + CLIENT_TOKEN_MS) / 1_000) * 1_000;
  const key = await currentSigningKey(deps, actor.tenantId);
  const clientToken = await signClientToken(key, { tenantId: actor.tenantId, merchantId, keyId: actor.credentialId, expiresMs });
  return { clientToken, expiresAt: isoTime(expiresMs) };
}

/** Returns the claims of a client token; null if it is expired, forged or belongs to a revoked key. */
export async function checkClientToken(deps: Dependencies, token: string): Promise<{ merchantId: string; expiresAt: string } | null> {
  const claims = await activeClientToken(deps, token).catch((refused: unknown) => {
    if (refused instanceof ServiceError && refused.status === 401) return null;
    throw refused;
  });
  if (!claims) return null;
  const { merchantId, expiresMs } = claims;
  return { merchantId, expiresAt: isoTime(expiresMs) };
}

/** Returns the principal of a client token, who may only tokenize. @throws ServiceError TOKEN_EXPIRED, TOKEN_INVALID. */
export async function authenticateClientToken(deps: Dependencies, tenantId: string, token: string): Promise<Principal> {
  const claims = await activeClientToken(deps, token);
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant || claims.tenantId !== tenantId) throw invalidClientToken();
  return {
    tenantId,
    credentialId: claims.keyId,
    name: 'client token',
    merchantId: claims.merchantId,
    permissions: new Set(),
    tier: tenant.tier,
    kind: 'client-token',
    scope: 'merchant',
    userId: null,
    sessionId: null,
    byPin: false,
    byCompany: false,
    passwordSignInMs: null,
    spendingLimits: null,
    allowedOrigins: [],
    allowedAddresses: [],
  };
}
