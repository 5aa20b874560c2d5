import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Core } from '#core';
import type { LoginContext, Principal } from '#core/access/identity';
import { ServiceError } from '#core/kernel';
import type { Surface } from '#server/http';
import { maskCardNumbers } from '#shared/card-numbers';
import { addressOf } from './address.ts';

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the token in the Authorization header of a request; undefined if there is none. */
export function bearer(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
}

/** Thrown if a request has no credential. It does not count as a wrong credential, because nothing was guessed. */
class MissingCredential extends ServiceError {
  constructor(message: string) {
    super('UNAUTHORIZED', message);
  }
}

/** Error codes of wrong credentials. An expired token is not one of them: it was valid and signed by this server. */
const WRONG_CREDENTIAL: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'TOKEN_INVALID', 'TENANT_NOT_FOUND', 'FORBIDDEN']);

/** Returns true if an authentication was refused for a wrong key, token, tenant or internal key. */
export function isWrongCredential(error: unknown): boolean {
  return error instanceof ServiceError && !(error instanceof MissingCredential) && WRONG_CREDENTIAL.has(error.code);
}

/** Returns the tenant of the X-Tenant-ID header. @throws TENANT_REQUIRED, TENANT_NOT_FOUND. */
export async function namedTenant(core: Core, request: FastifyRequest): Promise<string> {
  const tenantId = header(request, 'x-tenant-id');
  if (tenantId === undefined) throw new ServiceError('TENANT_REQUIRED', 'The X-Tenant-ID header is required.');
  if (!(await core.identity.tenants.find(tenantId))) throw new ServiceError('TENANT_NOT_FOUND', 'No tenant has this ID.');
  request.tenantId = tenantId;
  return tenantId;
}

/** Returns the context of a sign-in. Screens identify themselves, because their sessions end when they are idle. */
export function loginContextOf(request: FastifyRequest): LoginContext {
  return {
    ip: addressOf(request),
    requestId: request.id,
    userAgent: maskCardNumbers(header(request, 'user-agent') ?? '') || null,
    kind: header(request, 'x-paydesk-client') === 'screen' ? 'screen' : 'api',
  };
}

/** Tells integrators which surface accepts their key. */
const API_KEY_ON_ADMIN =
  'This operation requires the access token of a signed-in user. API keys belong to /api/v1/public (x-api-key) and /api/v1/sdk (Authorization: Bearer).';

const SERVICE: Omit<Principal, 'tenantId'> = {
  credentialId: 'service',
  name: 'service',
  merchantId: null,
  permissions: new Set(['refunds:write'] as const),
  tier: 'enterprise',
  kind: 'service',
  scope: 'tenant',
  userId: null,
  sessionId: null,
  byPin: false,
  byCompany: false,
  passwordSignInMs: null,
  spendingLimits: null,
  allowedOrigins: [],
  allowedAddresses: [],
};

function isServiceKey(sent: string, key: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(key));
}

/** Authenticates a request by the credential of the surface; the tenant is checked before the credential. */
export async function principalOf(
  core: Core,
  surface: Exclude<Surface, 'open'>,
  request: FastifyRequest,
  /** The internal service key, if the route accepts it. */
  serviceKey: string | null,
  /** True if the route accepts a client token, which a web page may contain. */
  acceptsClientToken = false,
): Promise<Principal> {
  if (surface === 'sdk') {
    const key = bearer(request);
    if (key === undefined) throw new MissingCredential('Send the API key as Authorization: Bearer.');
    return core.identity.authenticateKey(null, key);
  }
  const tenantId = await namedTenant(core, request);
  if (surface === 'public') {
    const clientToken = acceptsClientToken ? header(request, 'x-client-token') : undefined;
    if (clientToken !== undefined) return core.identity.authenticateClientToken(tenantId, clientToken);
    const key = header(request, 'x-api-key');
    if (key === undefined) {
      throw new MissingCredential(
        acceptsClientToken
          ? 'Send the API key in the x-api-key header, or a client token in x-client-token.'
          : 'Send the API key in the x-api-key header.',
      );
    }
    return core.identity.authenticateKey(tenantId, key);
  }
  const service = serviceKey === null ? undefined : header(request, 'x-internal-service-key');
  if (service !== undefined && serviceKey !== null) {
    if (!isServiceKey(service, serviceKey)) throw new ServiceError('UNAUTHORIZED', 'The internal service key is not valid.');
    return { ...SERVICE, tenantId };
  }
  const token = bearer(request);
  if (token === undefined) {
    if (header(request, 'x-api-key') !== undefined) throw new MissingCredential(API_KEY_ON_ADMIN);
    throw new MissingCredential('Send the access token as Authorization: Bearer.');
  }
  if (token.startsWith('pk_')) throw new ServiceError('TOKEN_INVALID', API_KEY_ON_ADMIN);
  return core.identity.authenticateToken(tenantId, token);
}
