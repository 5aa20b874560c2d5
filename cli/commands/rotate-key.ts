import type { Command } from 'commander';
import { outputOf } from '../output.ts';
import { addStorageOptions, type StorageOptions, storageOf } from '../storage.ts';

const EXAMPLES = `
For a running server use POST /api/v1/system/master-key/exchange.

Examples:
  $ paydesk rotate-key --data-dir ./data
  $ paydesk rotate-key --data-dir ./data --data-keys`;

export function addRotateKey(paydesk: Command): void {
  addStorageOptions(paydesk.command('rotate-key').description('exchange the master key of a stopped server'), {
    masterKey: 'key file of the server (default: PAYDESK_MASTER_KEY, or master.key in the data directory)',
  })
    .option('--data-keys', 'also renew the data keys, with which the cards of each account are encrypted')
    .addHelpText('after', EXAMPLES)
    .action(async ({ dataKeys = false, ...options }: StorageOptions & { dataKeys?: boolean }, command: Command) => {
      const { location, key } = storageOf(options);
      const { exchangeKey } = await import('#server');
      const exchange = await exchangeKey({ ...location, masterKey: key.file }, { dataKeys });
      const { keyId, keyLocation, renewed } = exchange;
      outputOf(command).write(
        { keyId, keyLocation, renewed },
        [
          `The master key was exchanged: ${keyId}, in ${keyLocation}. Earlier recovery files no longer work; create a new one.`,
          ...(renewed > 0 ? [`The data keys of ${renewed} ${renewed === 1 ? 'account' : 'accounts'} were renewed.`] : []),
        ].join('\n'),
      );
    });
}
