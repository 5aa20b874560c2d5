import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '#core/kernel';
import type { Route } from '#server/http';

const HEADER = 'paydesk-version';
/** Version of the API, as in its paths. */
const VERSION = '1';

/** Names the version in a response, and checks the one that a client pins. @throws VALIDATION_ERROR if this server does not have it. */
export function checkApiVersion({ headers }: FastifyRequest, reply: FastifyReply): void {
  reply.header(HEADER, VERSION);
  const pinned = headers[HEADER];
  if (pinned === undefined || pinned === VERSION) return;
  throw new ServiceError('VALIDATION_ERROR', `This server has version ${VERSION} of the API only.`, { field: 'Paydesk-Version' });
}

/** Returns the headers of the responses of a deprecated route (RFC 9745 and RFC 8594); none for other routes. */
export function deprecationHeaders({ deprecated }: Pick<Route, 'deprecated'>): Record<string, string> {
  if (deprecated === undefined) return {};
  return {
    deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    sunset: new Date(deprecated.lastDay).toUTCString(),
    link: '</docs/changelog>; rel="deprecation"',
  };
}
