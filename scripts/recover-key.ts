// `npm run recover-key -- paydesk-recovery.json --data-dir DIR [--database-url URL] [--master-key FILE]` stores the key of a recovery file where the server
// expects it. The code or passphrase is read from PAYDESK_RECOVERY_PASSPHRASE, or else from the terminal.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { recoverKey } from '#server';

const USAGE = 'Usage: npm run recover-key -- paydesk-recovery.json --data-dir DIR [--database-url postgres://…] [--master-key FILE]';

async function askPassphrase(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question('Code or passphrase of the recovery file: ');
  lines.close();
  return answer;
}

async function run(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    options: { 'data-dir': text, 'database-url': text, 'master-key': text },
    allowPositionals: true,
  });
  const { PAYDESK_DATA_DIR, PAYDESK_DATABASE_URL, PAYDESK_MASTER_KEY, PAYDESK_RECOVERY_PASSPHRASE } = process.env;
  const dataDir = values['data-dir'] ?? PAYDESK_DATA_DIR;
  const [file] = positionals;
  if (dataDir === undefined || file === undefined) throw new Error(USAGE);
  const options = {
    dataDir,
    databaseUrl: values['database-url'] ?? PAYDESK_DATABASE_URL,
    masterKey: values['master-key'] ?? PAYDESK_MASTER_KEY,
  };
  const keyLocation = await recoverKey(options, await readFile(file), PAYDESK_RECOVERY_PASSPHRASE ?? (await askPassphrase()));
  console.log(`The key of the recovery file is stored in ${keyLocation}. The server can be started now.`);
}

run().catch((error: unknown) => {
  console.error(`recover-key: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
