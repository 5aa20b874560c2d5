import type { Command } from 'commander';
import { wholeNumber } from '../numbers.ts';
import { outputOf } from '../output.ts';
import { addDatabaseOptions, type StorageOptions, storageOf } from '../storage.ts';

const TRANSACTIONS_MAX = 10_000_000;
const DAYS_MAX = 3_650;
const PROGRESS_INTERVAL_MS = 2_000;

interface SeedOptions extends StorageOptions {
  readonly transactions: number;
  readonly days: number;
  readonly seed: number;
}

const EXAMPLES = `
Examples:
  $ paydesk seed --transactions 1000000 --data-dir ./large
  $ paydesk up --data-dir ./large`;

export function addSeed(paydesk: Command): void {
  addDatabaseOptions(paydesk.command('seed').description('create a sandbox with a large history, to measure large data'))
    .requiredOption('--transactions <number>', 'number of sales', wholeNumber(1, TRANSACTIONS_MAX))
    .option('--days <number>', 'number of days', wholeNumber(1, DAYS_MAX), 365)
    .option('--seed <number>', 'seed of the random numbers', wholeNumber(1, Number.MAX_SAFE_INTEGER), 1)
    .addHelpText('after', EXAMPLES)
    .action(async ({ transactions, days, seed, ...storage }: SeedOptions, command: Command) => {
      const output = outputOf(command);
      const startedAt = performance.now();
      let reportedAt = startedAt;
      const progress = (written: number) => {
        const now = performance.now();
        if (now - reportedAt < PROGRESS_INTERVAL_MS && written < transactions) return;
        reportedAt = now;
        output.note(`${written} of ${transactions} transactions, ${Math.round(written / ((now - startedAt) / 1_000))} per second`);
      };
      const { seedHistory } = await import('#server');
      const credentials = await seedHistory(storageOf(storage).location, { transactions, days, seed, progress });
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      output.write(
        { event: 'seeded', transactions, days, seconds, credentials },
        `Created ${transactions.toLocaleString('en-US')} transactions of ${days} days in ${seconds} s. Start it with \`paydesk up --data-dir ${storageOf(storage).location.dataDir}\`.`,
      );
    });
}
