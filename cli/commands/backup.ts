import type { Command } from 'commander';
import { outputOf } from '../output.ts';
import { addStorageOptions, type StorageOptions, storageOf } from '../storage.ts';

const EXAMPLES = `
Examples:
  $ paydesk backup --data-dir .paydesk/data --to /backups
  $ PAYDESK_PASSPHRASE=… paydesk backup --data-dir DIR --to /backups --master-key recovery-file`;

export function addBackup(paydesk: Command): void {
  addStorageOptions(paydesk.command('backup').description('create an encrypted backup, also while the server is running'))
    .requiredOption('--to <folder>', 'folder of the backups')
    .addHelpText('after', EXAMPLES)
    .action(async (options: StorageOptions & { to: string }, command: Command) => {
      const { location, key } = storageOf(options);
      // The service is loaded only here, because it takes longer to load than other commands take to run.
      const { backUp } = await import('#server');
      const made = await backUp(location, options.to, key);
      const { file, bytes, transactions } = made;
      outputOf(command).write(
        { file, bytes, transactions },
        `${file}: ${transactions.toLocaleString('en-US')} transactions, ${bytes.toLocaleString('en-US')} bytes.`,
      );
    });
}
