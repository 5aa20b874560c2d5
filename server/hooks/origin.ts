import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import type { Principal } from '#core/access/identity';
import { ServiceError } from '#core/kernel';
import { type AllowedHosts, foreignOrigin } from './host.ts';

/** Headers of responses that a page may read. */
const READABLE_HEADERS =
  'ETag, X-Request-ID, Retry-After, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Paydesk-Version, Paydesk-Ignored-Fields, Paydesk-Journal-Export';
const ACCEPTED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Paydesk-Approval-Reason, Paydesk-Drawer, Paydesk-Version';
const PREFLIGHT_SECONDS = 600;

/**
 * Lets a page of another origin read the response, if the API key of the request allows that origin. Requests of programs and of the server's own pages
 * are not affected. @throws ServiceError PERMISSION_DENIED with `details.reason` `key_origin`.
 */
export function checkOrigin(request: FastifyRequest, reply: FastifyReply, hosts: AllowedHosts, { allowedOrigins }: Principal): void {
  reply.header('vary', 'Origin');
  const origin = foreignOrigin(request, hosts);
  if (origin === null) return;
  if (!allowedOrigins.includes(origin)) throw refused('This API key does not accept', origin);
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', READABLE_HEADERS);
}

/**
 * Answers the preflight request of a browser, which names no API key: the origin must be allowed by any valid key. The request that follows is checked
 * with its own key.
 */
export async function answerPreflight(
  core: Core,
  request: FastifyRequest,
  reply: FastifyReply,
  hosts: AllowedHosts,
): Promise<FastifyReply> {
  const [path = ''] = request.url.split('?');
  const origin = foreignOrigin(request, hosts);
  if (origin === null || request.headers['access-control-request-method'] === undefined)
    throw new ServiceError('NOT_FOUND', `There is no route OPTIONS ${path.slice(0, 200)}.`);
  reply.header('vary', 'Origin');
  if (!(await core.identity.apiKeys.isOriginOfAny(origin))) throw refused('No API key accepts', origin);
  // A page on the internet that calls a server on this computer asks for this separately.
  if (request.headers['access-control-request-private-network'] === 'true') reply.header('access-control-allow-private-network', 'true');
  return reply
    .code(204)
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-methods', 'GET, POST')
    .header('access-control-allow-headers', ACCEPTED_HEADERS)
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .send();
}

const refused = (subject: string, origin: string) =>
  new ServiceError(
    'PERMISSION_DENIED',
    `${subject} requests from pages of ${origin.slice(0, 200)}. Add this origin to \`allowedOrigins\` of the API key.`,
    { field: 'Origin', details: { reason: 'key_origin', origin: origin.slice(0, 200) } },
  );
