import type { Command } from 'commander';
import { Connection } from '../connection.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { outputOf } from '../output.ts';

interface Health {
  readonly status: string;
  readonly version: string;
  readonly database: { readonly kind: string; readonly status: string };
  readonly problems: readonly string[];
  readonly uptime: number;
}

const EXAMPLES = `
Examples:
  $ paydesk status
  $ paydesk status --json | jq .problems`;

export function addStatus(paydesk: Command): void {
  paydesk
    .command('status')
    .description('show the health of the server; the exit code is 1 if it has problems')
    .addHelpText('after', EXAMPLES)
    .action(async (_options, command: Command) => {
      const output = outputOf(command);
      const { url } = new Connection(command);
      const response = await fetch(`${url}/health`).catch(() => {
        throw new CommandFailure(EXIT.unreachable, `Paydesk at ${url} did not respond. Start one with \`paydesk up\`.`);
      });
      const health = (await response.json()) as Health;
      const { status, version, database, problems, uptime } = health;
      output.write(
        health,
        [`${url}: ${status}, version ${version}, ${database.kind} ${database.status}, up ${uptime} s`, ...problems].join('\n'),
      );
      if (status !== 'ok') process.exitCode = EXIT.failed;
    });
}
