import type { Command } from 'commander';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** Options of commands that open the data directory themselves. Each can also be set in the environment. */
export interface StorageOptions {
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly masterKey?: string;
}

const MASTER_KEY = 'key file, or recovery file with its passphrase in PAYDESK_PASSPHRASE (default: PAYDESK_MASTER_KEY)';

/** Adds these options to a command. `masterKey` describes the key of commands that accept a key file only. */
export function addStorageOptions(command: Command, { masterKey = MASTER_KEY } = {}): Command {
  return command
    .option('--data-dir <folder>', 'data directory (default: PAYDESK_DATA_DIR)')
    .option('--database-url <address>', 'PostgreSQL database (default: PAYDESK_DATABASE_URL)')
    .option('--master-key <file>', masterKey);
}

/** Returns the location and the key of the data. @throws CommandFailure without a data directory. */
export function storageOf({ dataDir, databaseUrl, masterKey }: StorageOptions) {
  const { PAYDESK_DATA_DIR, PAYDESK_DATABASE_URL, PAYDESK_MASTER_KEY, PAYDESK_PASSPHRASE } = process.env;
  const folder = dataDir ?? PAYDESK_DATA_DIR;
  if (folder === undefined) throw new CommandFailure(EXIT.usage, '--data-dir is required.');
  return {
    location: { dataDir: folder, databaseUrl: databaseUrl ?? PAYDESK_DATABASE_URL },
    key: { file: masterKey ?? PAYDESK_MASTER_KEY, passphrase: PAYDESK_PASSPHRASE },
  };
}
