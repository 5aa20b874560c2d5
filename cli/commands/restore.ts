import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { outputOf } from '../output.ts';
import { addStorageOptions, type StorageOptions, storageOf } from '../storage.ts';

const EXAMPLES = `
Examples:
  $ paydesk restore /backups/paydesk-2026-11-24.paydesk-backup --data-dir ./restored --master-key .paydesk/data/master.key
  $ PAYDESK_PASSPHRASE=… paydesk restore FILE --data-dir DIR --master-key recovery-file`;

export function addRestore(paydesk: Command): void {
  addStorageOptions(paydesk.command('restore').description('restore a backup into an empty data directory or database'))
    .argument('<file>', 'the backup')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: StorageOptions, command: Command) => {
      const { location, key } = storageOf(options);
      const { restoreBackup } = await import('#server');
      const found = await restoreBackup(location, file, key);
      const { createdAt, transactions, isAuditValid, isLedgerRight, fault, keyLocation } = found;
      const isInside = dirname(keyLocation) === resolve(location.dataDir);
      outputOf(command).write(
        { createdAt, transactions, isAuditValid, isLedgerRight, fault, keyLocation },
        [
          `Restored the backup of ${createdAt}: ${transactions.toLocaleString('en-US')} transactions.`,
          `Audit logs: ${isAuditValid ? 'valid' : 'BROKEN'}. Ledger: ${isLedgerRight ? 'balanced' : 'NOT BALANCED'}.${fault === null ? '' : ` ${fault}`}`,
          `The key is stored in ${keyLocation}.${isInside ? '' : ' Start the server with --master-key and this file.'}`,
          'Automatic charges are on hold until an owner resumes them in System, Backup.',
        ].join('\n'),
      );
    });
}
