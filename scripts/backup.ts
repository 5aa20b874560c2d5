// `npm run backup -- --data-dir DIR --to FOLDER [--database-url URL] [--master-key FILE]` creates a backup, also while the server
// is running. FILE is a key file or a recovery file, whose passphrase is read from PAYDESK_PASSPHRASE.
import { parseArgs } from 'node:util';
import { backUp } from '#server';

const USAGE = 'Usage: npm run backup -- --data-dir DIR --to FOLDER [--database-url postgres://…] [--master-key FILE]';

async function run(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { 'data-dir': text, to: text, 'database-url': text, 'master-key': text } });
  const { PAYDESK_DATA_DIR, PAYDESK_DATABASE_URL, PAYDESK_MASTER_KEY, PAYDESK_PASSPHRASE } = process.env;
  const dataDir = values['data-dir'] ?? PAYDESK_DATA_DIR;
  const { to } = values;
  if (dataDir === undefined || to === undefined) throw new Error(USAGE);
  const key = { file: values['master-key'] ?? PAYDESK_MASTER_KEY, passphrase: PAYDESK_PASSPHRASE };
  const { file, bytes, transactions } = await backUp({ dataDir, databaseUrl: values['database-url'] ?? PAYDESK_DATABASE_URL }, to, key);
  console.log(`${file}: ${transactions.toLocaleString('en-US')} transactions, ${bytes.toLocaleString('en-US')} bytes.`);
}

run().catch((error: unknown) => {
  console.error(`backup: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
