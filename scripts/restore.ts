// `npm run restore -- FILE --data-dir DIR [--database-url URL] [--master-key FILE]` brings a backup back into an empty data directory or database.
// The key is a key file or a recovery file; the latter's passphrase comes from PAYDESK_PASSPHRASE.
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup } from '#server';

const USAGE = 'Usage: npm run restore -- FILE --data-dir DIR [--database-url postgres://…] [--master-key FILE]';

async function run(): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { 'data-dir': text, 'database-url': text, 'master-key': text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const { PAYDESK_DATA_DIR, PAYDESK_DATABASE_URL, PAYDESK_MASTER_KEY, PAYDESK_PASSPHRASE } = process.env;
  const dataDir = values['data-dir'] ?? PAYDESK_DATA_DIR;
  const [file, ...others] = positionals;
  if (dataDir === undefined || file === undefined || others.length > 0) throw new Error(USAGE);
  const key = { file: values['master-key'] ?? PAYDESK_MASTER_KEY, passphrase: PAYDESK_PASSPHRASE };
  const found = await restoreBackup({ dataDir, databaseUrl: values['database-url'] ?? PAYDESK_DATABASE_URL }, file, key);
  const { createdAt, transactions, isAuditValid, isLedgerRight, fault, keyPlace } = found;
  console.log(`Restored the backup of ${createdAt}: ${transactions.toLocaleString('en-US')} transactions.`);
  console.log(
    `Audit logs ${isAuditValid ? 'valid' : 'BROKEN'}, ledger ${isLedgerRight ? 'adds up' : 'DOES NOT ADD UP'}.${fault === null ? '' : ` ${fault}`}`,
  );
  const isInside = dirname(keyPlace) === resolve(dataDir);
  console.log(`Its key is kept in ${keyPlace}.${isInside ? '' : ' Start the server with --master-key and this file.'}`);
  console.log('Automatic charges wait until an owner lets them go on: System, Backup.');
}

run().catch((error: unknown) => {
  console.error(`restore: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
