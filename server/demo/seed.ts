import { compose, inDataDirectory, type ServerOptions, serviceKeyOf } from '#server/operation';
import { rendererOf } from '#server/routes';
import { type DemoCredentials, seedDemo } from './demo.ts';
import { createHistory, type HistoryOptions } from './sample-history.ts';

/**
 * Creates the demo tenants with a history of any size in an empty database and returns their credentials; `serve --demo` prints the same ones
 * later. A partial result must be deleted. @throws Error if a tenant exists or the data directory is in use.
 */
export async function seedHistory(options: ServerOptions, history: HistoryOptions): Promise<DemoCredentials> {
  return inDataDirectory(options, async (keyStore) => {
    const ports = { renderResponse: rendererOf([]), report: () => {}, ownAddress: () => null };
    const composition = await compose(options, ports, keyStore, { isHistory: true });
    try {
      const { tenants } = composition.core.identity;
      if (await tenants.hasLive()) throw new Error('This database contains a live tenant, so no sample history is created in it.');
      if (await tenants.first()) throw new Error('This database contains a tenant already. Sample history requires an empty database.');
      const credentials = await seedDemo(composition, serviceKeyOf(composition.keyRing, options), (made, { tenantId }) =>
        createHistory(made, tenantId, history),
      );
      const { database } = composition.core;
      // PostgreSQL plans without statistics until its autovacuum has seen the new rows.
      if (database.kind === 'postgres') await database.unitOfWork.transaction(null, (work) => work.run('ANALYZE'));
      return credentials;
    } finally {
      await composition.close();
    }
  });
}
