import type { FastifyInstance } from 'fastify';
import type { Core } from '#core';
import { isOutdated } from '#core/database';

/** Paths of the probes, which the server also answers while it checks its database file. */
export const PROBES = { live: '/health/live', ready: '/health/ready' } as const;

/**
 * Adds the probes for orchestrators. They answer under any host name, because an orchestrator uses the address of the container, and tell nothing but
 * one status.
 */
export function addProbes(app: FastifyInstance, core: () => Core): void {
  const options = { config: { isForAnyHost: true } };
  app.get(PROBES.live, options, (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get(PROBES.ready, options, async (_, reply) => {
    const status = await readiness(core);
    return reply
      .code(status === 'ok' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status });
  });
}

/** Returns `ok` if requests can be processed, otherwise the status of the database. */
async function readiness(core: () => Core): Promise<'ok' | 'unavailable' | 'outdated' | 'damaged'> {
  try {
    const { database } = core();
    await database.ping();
    return database.health().damage === null ? 'ok' : 'damaged';
  } catch (error) {
    return isOutdated(error) ? 'outdated' : 'unavailable';
  }
}
