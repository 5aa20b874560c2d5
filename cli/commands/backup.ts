import type { Command } from 'commander';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { outputOf } from '../output.ts';
import { addStorageOptions, optionalStorageOf, type StorageOptions } from '../storage.ts';

const EXAMPLES = `
Examples:
  $ paydesk backup --data-dir .paydesk/data --to /backups
  $ paydesk backup --database-url postgres://127.0.0.1/paydesk --master-key /etc/paydesk/master.key --to /backups
  $ PAYDESK_PASSPHRASE=… paydesk backup --data-dir DIR --to /backups --master-key recovery-file`;

export function addBackup(paydesk: Command): void {
  addStorageOptions(paydesk.command('backup').description('create an encrypted backup, also while the server is running'), {
    dataDir: 'data directory; not required with --database-url and --master-key (default: PAYDESK_DATA_DIR)',
  })
    .requiredOption('--to <folder>', 'folder of the backups')
    .addHelpText('after', EXAMPLES)
    .action(async (options: StorageOptions & { to: string }, command: Command) => {
      const { location, key } = optionalStorageOf(options);
      if (location.dataDir === undefined && (location.databaseUrl === undefined || key.file === undefined))
        throw new CommandFailure(EXIT.usage, '--data-dir is required, or --database-url and --master-key.');
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
