import type { FastifyRequest } from 'fastify';
import { ServiceError } from '#core/kernel';

const HEADER = 'paydesk-version';
/** Version of the API, as in its paths. */
const VERSION = '1';

/** Checks the version that a client pins. @throws VALIDATION_ERROR if this server does not have it. */
export function checkApiVersion({ headers }: FastifyRequest): void {
  const pinned = headers[HEADER];
  if (pinned === undefined || pinned === VERSION) return;
  throw new ServiceError('VALIDATION_ERROR', `This server has version ${VERSION} of the API only.`, { field: 'Paydesk-Version' });
}
