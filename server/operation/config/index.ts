import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Choices of the first run, in a file of the data directory. */
interface Config {
  readonly databaseUrl?: string;
}

const CONFIG_FILE = 'config.json';

/** Returns the PostgreSQL database of the options or of the first run; undefined for SQLite in the data directory. */
export async function databaseUrlOf({
  databaseUrl,
  dataDir,
}: {
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
}): Promise<string | undefined> {
  return databaseUrl ?? (await readConfig(dataDir)).databaseUrl;
}

async function readConfig(dataDir: string): Promise<Config> {
  try {
    return JSON.parse(await readFile(join(dataDir, CONFIG_FILE), 'utf8')) as Config;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${CONFIG_FILE} in the data directory can't be read. Correct or remove it.`, { cause: error });
  }
}

/** Stores the choice of the first run. Only the file's owner may read it, because the address may contain a password. */
export async function writeConfig(dataDir: string, config: Config): Promise<void> {
  const file = join(dataDir, CONFIG_FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}
