import type { Command } from 'commander';
import { Connection } from '../connection.ts';
import { bodyOf, lineOf, readEvents } from '../history.ts';
import { wholeNumber } from '../numbers.ts';
import { outputOf } from '../output.ts';

const LIMIT_MAX = 200;

interface EventsOptions {
  readonly after?: string;
  readonly types?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

const EXAMPLES = `
Examples:
  $ paydesk events
  $ paydesk events --types transaction.approved,refund.processed --from 2026-11-01
  $ paydesk events --after evt_01m86qg31500005ad7f9t9cyqr --json`;

export function addEvents(paydesk: Command): void {
  paydesk
    .command('events')
    .description('list events of the history, newest last')
    .option('--after <event>', 'begin with the oldest event after this one')
    .option('--types <types>', 'event types, separated by commas')
    .option('--from <time>', 'first day, or an ISO 8601 time')
    .option('--to <time>', 'end, exclusive')
    .option('--limit <number>', 'number of events, at most 200', wholeNumber(1, LIMIT_MAX), 50)
    .addHelpText('after', EXAMPLES)
    .action(async (options: EventsOptions, command: Command) => {
      const output = outputOf(command);
      const events = await readEvents(new Connection(command).withApiKey(), '/public', options);
      for (const event of events) output.write(JSON.parse(bodyOf(event)) as object, lineOf(event));
      if (events.length === 0) output.note('No event matches.');
    });
}
