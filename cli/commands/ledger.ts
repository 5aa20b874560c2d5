import type { Command } from 'commander';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { outputOf } from '../output.ts';
import { addDatabaseOptions } from '../storage.ts';

const EXAMPLES = `
It only reads, also while the server is running. The exit code is 6 if there are differences.

Examples:
  $ paydesk ledger --data-dir .paydesk/data
  $ paydesk ledger --database-url postgres://127.0.0.1/paydesk --json`;

export function addLedger(paydesk: Command): void {
  addDatabaseOptions(paydesk.command('ledger').description('sum the ledger, and compare it with every record of money'), {
    dataDir: 'data directory; not required with --database-url (default: PAYDESK_DATA_DIR)',
  })
    .addHelpText('after', EXAMPLES)
    .action(async (options: { dataDir?: string; databaseUrl?: string }, command: Command) => {
      const { PAYDESK_DATA_DIR, PAYDESK_DATABASE_URL } = process.env;
      const { dataDir = PAYDESK_DATA_DIR, databaseUrl = PAYDESK_DATABASE_URL } = options;
      if (dataDir === undefined && databaseUrl === undefined)
        throw new CommandFailure(EXIT.usage, '--data-dir or --database-url is required.');
      const { checkLedger } = await import('#server');
      // A data directory that was named explicitly is meant, not the database of the environment.
      const { transfers, differences } = await checkLedger(options.dataDir === undefined ? { dataDir, databaseUrl } : { ...options });
      const count = differences.length;
      const lines = differences.map(
        ({ comparison, tenantId, merchantId, currency, subject, ledger, record }) =>
          `${comparison}: ${subject} (${merchantId}, ${tenantId}, ${currency}): ledger ${ledger}, record ${record}`,
      );
      const summary =
        count === 0
          ? 'no differences'
          : `${count} ${count === 1 ? 'difference' : 'differences'} (at most 1,000 of each kind are shown; amounts in minor units)`;
      outputOf(command).write({ transfers, differences }, [...lines, `${transfers} transfers summed: ${summary}.`].join('\n'));
      if (count > 0) process.exitCode = EXIT.different;
    });
}
