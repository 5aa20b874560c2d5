import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { readNamed } from '../files.ts';
import { outputOf } from '../output.ts';
import { addStorageOptions, type StorageOptions, storageOf } from '../storage.ts';

const EXAMPLES = `
The code or passphrase of the file is read from PAYDESK_PASSPHRASE, or else from the terminal.

Examples:
  $ paydesk recover-key paydesk-recovery.json --data-dir ./data
  $ PAYDESK_PASSPHRASE=… paydesk recover-key paydesk-recovery.json --data-dir ./data --json`;

export function addRecoverKey(paydesk: Command): void {
  addStorageOptions(paydesk.command('recover-key').description('store the master key of a recovery file where the server expects it'), {
    masterKey: 'key file to write (default: PAYDESK_MASTER_KEY, or master.key in the data directory)',
  })
    .argument('<file>', 'recovery file')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: StorageOptions, command: Command) => {
      const { location, key } = storageOf(options);
      const recoveryFile = await readNamed(file);
      const { recoverKey } = await import('#server');
      const keyLocation = await recoverKey({ ...location, masterKey: key.file }, recoveryFile, key.passphrase ?? (await askPassphrase()));
      outputOf(command).write({ keyLocation }, `The key of the recovery file is stored in ${keyLocation}. The server can be started now.`);
    });
}

async function askPassphrase(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question('Code or passphrase of the recovery file: ');
  lines.close();
  return answer;
}
