import type { Command } from 'commander';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** Options of commands that open the data directory themselves. Each can also be set in the environment. */
export interface StorageOptions {
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly masterKey?: string;
}

const DATA_DIR = 'data directory; also required with --database-url (default: PAYDESK_DATA_DIR)';
const MASTER_KEY = 'key file, or recovery file with its passphrase in PAYDESK_PASSPHRASE (default: PAYDESK_MASTER_KEY)';

/**
 * Adds these options to a command. `dataDir` describes the data directory of commands that need none for some databases, and `masterKey` the
 * key of commands that accept a key file only.
 */
export function addStorageOptions(command: Command, { dataDir = DATA_DIR, masterKey = MASTER_KEY } = {}): Command {
  return addDatabaseOptions(command, { dataDir }).option('--master-key <file>', masterKey);
}

/** Adds the options for the location of the data. */
export function addDatabaseOptions(command: Command, { dataDir = DATA_DIR } = {}): Command {
  return command
    .option('--data-dir <folder>', dataDir)
    .option('--database-url <address>', 'PostgreSQL database (default: PAYDESK_DATABASE_URL)');
}

/** Returns the location and the key of the data; the data directory is undefined if the options name none. */
export function optionalStorageOf({ dataDir, databaseUrl, masterKey }: StorageOptions) {
  const { PAYDESK_DATA_DIR, PAYDESK_DATABASE_URL, PAYDESK_MASTER_KEY, PAYDESK_PASSPHRASE } = process.env;
  return {
    location: { dataDir: dataDir ?? PAYDESK_DATA_DIR, databaseUrl: databaseUrl ?? PAYDESK_DATABASE_URL },
    key: { file: masterKey ?? PAYDESK_MASTER_KEY, passphrase: PAYDESK_PASSPHRASE },
  };
}

/** Returns the location and the key of the data. @throws CommandFailure without a data directory. */
export function storageOf(options: StorageOptions) {
  const { location, key } = optionalStorageOf(options);
  const { dataDir } = location;
  if (dataDir === undefined)
    throw new CommandFailure(
      EXIT.usage,
      '--data-dir is required, also with --database-url: the command locks it, so that no server of this computer uses the data meanwhile, and the key is stored there.',
    );
  return { location: { ...location, dataDir }, key };
}
