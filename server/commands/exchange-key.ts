import { serviceActor } from '#core/kernel';
import { compose, openDataDirectory, type ServerOptions } from '../compose.ts';

interface KeysExchanged {
  readonly keyId: string;
  /** Location of the new key. */
  readonly place: string;
  /** Accounts whose data keys were renewed. */
  readonly renewed: number;
}

/**
 * Exchanges the master key of an installation whose server does not run, and renews the data keys of its accounts when asked; other stations on its
 * database may run. Throws in words when the data directory is in use, its key is another one or kept by the desktop, or a data key was made less than
 * two minutes ago: nothing is changed then.
 */
export async function exchangeKey(options: ServerOptions, { dataKeys = false } = {}): Promise<KeysExchanged> {
  const { keyStore, release } = await openDataDirectory(options);
  try {
    const ports = { renderAnswer: () => ({ status: 200, body: '' }), report: () => {}, ownAddress: () => null };
    const { core, close } = await compose(options, ports, keyStore, { starts: false });
    try {
      const first = await core.identity.tenants.first();
      if (!first) throw new Error('There is no installation here yet, so there is no key to exchange.');
      await core.identity.tenants.load();
      const tenants = dataKeys ? await core.identity.tenants.ids() : [];
      // Another station may have renewed one: refused before anything is changed.
      for (const id of tenants) await core.vault.checkRenewable(id);
      const { keyId } = await core.custody.exchangeMasterKey(serviceActor(first.tenantId));
      for (const id of tenants) await core.vault.rotateDataKey(id);
      return { keyId, place: keyStore.place, renewed: tenants.length };
    } finally {
      await close();
    }
  } finally {
    release();
  }
}
