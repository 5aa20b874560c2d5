// `npm run restore -- FILE --data-dir DIR [--database-url URL] [--master-key FILE]` restores a backup into an empty data directory or database.
// The key is a key file or a recovery file, whose passphrase is read from PAYDESK_PASSPHRASE.
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
  const { createdAt, transactions, isAuditValid, isLedgerRight, fault, keyLocation } = found;
  console.log(`Restored the backup of ${createdAt}: ${transactions.toLocaleString('en-US')} transactions.`);
  console.log(
    `Audit logs: ${isAuditValid ? 'valid' : 'BROKEN'}. Ledger: ${isLedgerRight ? 'balanced' : 'NOT BALANCED'}.${fault === null ? '' : ` ${fault}`}`,
  );
  const isInside = dirname(keyLocation) === resolve(dataDir);
  console.log(`The key is stored in ${keyLocation}.${isInside ? '' : ' Start the server with --master-key and this file.'}`);
  console.log('Automatic charges are on hold until an owner resumes them in System, Backup.');
}

run().catch((error: unknown) => {
  console.error(`restore: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
