import { Integrity } from '#core/database/integrity';
import { serviceActor } from '#core/kernel';
import { filesIn } from '#core/records/backup';
import { lockOf } from '#core/records/vault';
import { databaseUrlOf } from '#server/operation/config';
import { compose, inDataDirectory, type ServerOptions } from '../compose.ts';
import { checkNotLost } from '../installation-parts.ts';

interface KeyExchange {
  readonly keyId: string;
  /** Location of the new key. */
  readonly keyLocation: string;
  /** Accounts whose data keys were renewed. */
  readonly renewed: number;
}

/**
 * Exchanges the master key of an installation whose server is stopped and, with `dataKeys`, renews the data keys of the accounts that have one.
 * Other workstations on the same database may be running. @throws Error with an explanation if the data directory is in use or contains no
 * installation, if its key does not open the database or is kept by the desktop, or if a data key was created less than two minutes ago;
 * nothing is changed then.
 */
export function exchangeKey(options: ServerOptions, { dataKeys = false } = {}): Promise<KeyExchange> {
  return inDataDirectory(options, async (keyStore) => {
    const url = await databaseUrlOf(options);
    await checkNotLost({ dataDir: options.dataDir, url, integrity: new Integrity() }, keyStore);
    const lock = await lockOf(url ? { url } : { file: filesIn(options.dataDir).service });
    if (lock === null) throw new Error(noInstallation(url, options.dataDir));
    const ports = { renderResponse: () => ({ status: 200, body: '' }), report: () => {}, ownAddress: () => null };
    const { core, close } = await compose(options, ports, keyStore, { starts: false });
    try {
      const { tenants } = core.identity;
      const first = await tenants.first();
      if (!first) throw new Error(noInstallation(url, options.dataDir));
      await tenants.load();
      const renewed: string[] = [];
      // Another workstation may just have renewed a data key. Checked before anything is changed.
      for (const id of dataKeys ? await tenants.ids() : [])
        if (await core.vault.checkRenewable(id, (await tenants.find(id))?.name)) renewed.push(id);
      const { keyId } = await core.keyManagement.exchangeMasterKey(serviceActor(first.tenantId));
      for (const id of renewed) await core.vault.rotateDataKey(id);
      return { keyId, keyLocation: keyStore.place, renewed: renewed.length };
    } finally {
      await close();
    }
  });
}

function noInstallation(url: string | undefined, dataDir: string): string {
  const place = url === undefined ? `data directory ${dataDir}` : 'PostgreSQL database';
  return `The ${place} contains no installation, so there is no key to exchange.`;
}
