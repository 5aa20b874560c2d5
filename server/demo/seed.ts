import { compose, openDataDirectory, type ServerOptions, serviceKeyOf } from '../compose.ts';
import { rendererOf } from '../routes.ts';
import { type DemoCredentials, seedDemo } from './demo.ts';
import { makePastTrade, type PastTrade } from './past-trade.ts';

/**
 * Makes the demo's tenants with a history of any size on an empty database, and answers their credentials: `serve --demo` on it prints the same. Refused
 * where a tenant lives already, and on a data directory in use. What was left half-made is to be thrown away.
 */
export async function seedHistory(options: ServerOptions, trade: PastTrade): Promise<DemoCredentials> {
  const { keyStore, release } = await openDataDirectory(options);
  try {
    const ports = { renderAnswer: rendererOf([]), report: () => {}, ownAddress: () => null };
    const composition = await compose(options, ports, keyStore, { isHistory: true });
    try {
      const { tenants } = composition.core.identity;
      if (await tenants.hasLive()) throw new Error('This database holds a live tenant: no history is made up in it.');
      if (await tenants.first()) throw new Error('This database holds a tenant already: a history is made in an empty one.');
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
