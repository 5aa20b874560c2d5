import { serviceActor } from '#core/kernel';
import { compose, openDataDirectory, type ServerOptions } from '../compose.ts';

interface KeyExchange {
  readonly keyId: string;
  /** Location of the new key. */
  readonly keyLocation: string;
  /** Accounts whose data keys were renewed. */
  readonly renewed: number;
}

/**
 * Exchanges the master key of an installation whose server is stopped and, with `dataKeys`, renews the data keys of its accounts. Other
 * workstations on the same database may be running. @throws Error with an explanation if the data directory is in use, if its key does not
 * open the database or is kept by the desktop, or if a data key was created less than two minutes ago; nothing is changed then.
 */
export async function exchangeKey(options: ServerOptions, { dataKeys = false } = {}): Promise<KeyExchange> {
  const { keyStore, release } = await openDataDirectory(options);
  try {
    const ports = { renderResponse: () => ({ status: 200, body: '' }), report: () => {}, ownAddress: () => null };
    const { core, close } = await compose(options, ports, keyStore, { starts: false });
    try {
      const first = await core.identity.tenants.first();
      if (!first) throw new Error('This data directory contains no installation, so there is no key to exchange.');
      await core.identity.tenants.load();
      const tenants = dataKeys ? await core.identity.tenants.ids() : [];
      // Another workstation may just have renewed a data key. Checked before anything is changed.
      for (const id of tenants) await core.vault.checkRenewable(id);
      const { keyId } = await core.keyManagement.exchangeMasterKey(serviceActor(first.tenantId));
      for (const id of tenants) await core.vault.rotateDataKey(id);
      return { keyId, keyLocation: keyStore.place, renewed: tenants.length };
    } finally {
      await close();
    }
  } finally {
    release();
  }
}
