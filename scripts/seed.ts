// `npm run seed -- --transactions N --data-dir DIR [--database-url URL] [--days N] [--seed N]` creates a sandbox with a history of that
// size, to measure large data. Prints progress on stderr, and the demo's credentials as one JSON line at the end; `npm run serve -- --demo`
// then uses it.
import { parseArgs } from 'node:util';
import { seedHistory } from '#server';

const USAGE = 'Usage: npm run seed -- --transactions N --data-dir DIR [--database-url postgres://…] [--days 365] [--seed 1]';
const TRANSACTIONS_MAX = 10_000_000;
const DAYS_MAX = 3_650;
const PROGRESS_INTERVAL_MS = 2_000;

function numberOf(text: string | undefined, name: string, max: number): number {
  const value = Number(text);
  if (text === undefined || !Number.isInteger(value) || value < 1 || value > max)
    throw new Error(`${name} must be a whole number from 1 to ${max}.\n${USAGE}`);
  return value;
}

async function run(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { transactions: text, 'data-dir': text, 'database-url': text, days: text, seed: text } });
  const dataDir = values['data-dir'] ?? process.env.PAYDESK_DATA_DIR;
  if (dataDir === undefined) throw new Error(USAGE);
  const transactions = numberOf(values.transactions, '--transactions', TRANSACTIONS_MAX);
  const days = numberOf(values.days ?? '365', '--days', DAYS_MAX);
  const seed = numberOf(values.seed ?? '1', '--seed', Number.MAX_SAFE_INTEGER);
  const startedAt = performance.now();
  let reportedAt = startedAt;
  const progress = (written: number) => {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_INTERVAL_MS && written < transactions) return;
    reportedAt = now;
    process.stderr.write(`${written} of ${transactions} transactions, ${Math.round(written / ((now - startedAt) / 1_000))} per second\n`);
  };
  const databaseUrl = values['database-url'] ?? process.env.PAYDESK_DATABASE_URL;
  const credentials = await seedHistory({ dataDir, databaseUrl }, { transactions, days, seed, progress });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`${JSON.stringify({ event: 'seeded', transactions, days, seconds, credentials })}\n`);
}

run().catch((error: unknown) => {
  process.stderr.write(`seed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
