import { compose, openDataDirectory, type ServerOptions, serviceKeyOf } from '../compose.ts';
import { rendererOf } from '../routes.ts';
import { type DemoCredentials, seedDemo } from './demo.ts';
import { makePastTrade, type PastTrade } from './past-trade.ts';

/**
 * Creates the demo's tenants with a history of any size on an empty database and returns their credentials; `serve --demo` on it prints the
 * same. Refused if a tenant exists, and on a data directory in use. A partial result must be deleted.
 */
export async function seedHistory(options: ServerOptions, trade: PastTrade): Promise<DemoCredentials> {
  const { keyStore, release } = await openDataDirectory(options);
  try {
    const ports = { renderAnswer: rendererOf([]), report: () => {}, ownAddress: () => null };
    const composition = await compose(options, ports, keyStore, { isHistory: true });
    try {
      const { tenants } = composition.core.identity;
      if (await tenants.hasLive()) throw new Error('This database contains a live tenant, so no sample history is created in it.');
      if (await tenants.first()) throw new Error('This database contains a tenant already. Sample history requires an empty database.');
      return await seedDemo(composition, serviceKeyOf(composition.keyRing, options), (made, tenantId) =>
        makePastTrade(made, tenantId, trade),
      );
    } finally {
      await composition.close();
    }
  } finally {
    release();
  }
}
