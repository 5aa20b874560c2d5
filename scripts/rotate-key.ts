// `npm run rotate-key -- --data-dir DIR [--database-url URL] [--master-key FILE] [--data-keys]` exchanges the master key of a stopped server. With
// --data-keys it also renews the data keys, with which the cards of each account are encrypted. For a running server use
// POST /api/v1/system/master-key/exchange.
import { parseArgs } from 'node:util';
import { exchangeKey } from '#server';

const USAGE = 'Usage: npm run rotate-key -- --data-dir DIR [--database-url postgres://…] [--master-key FILE] [--data-keys]';

async function run(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { 'data-dir': text, 'database-url': text, 'master-key': text, 'data-keys': { type: 'boolean' } },
  });
  const { PAYDESK_DATA_DIR, PAYDESK_DATABASE_URL, PAYDESK_MASTER_KEY } = process.env;
  const dataDir = values['data-dir'] ?? PAYDESK_DATA_DIR;
  if (dataDir === undefined) throw new Error(USAGE);
  const { keyId, keyLocation, renewed } = await exchangeKey(
    {
      dataDir,
      databaseUrl: values['database-url'] ?? PAYDESK_DATABASE_URL,
      masterKey: values['master-key'] ?? PAYDESK_MASTER_KEY,
    },
    { dataKeys: values['data-keys'] === true },
  );
  console.log(`The master key was exchanged: ${keyId}, in ${keyLocation}. Earlier recovery files no longer work; create a new one.`);
  if (renewed > 0) console.log(`The data keys of ${renewed} ${renewed === 1 ? 'account' : 'accounts'} were renewed.`);
}

run().catch((error: unknown) => {
  console.error(`rotate-key: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
