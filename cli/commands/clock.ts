import type { Command } from 'commander';
import { Connection } from '../connection.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { outputOf } from '../output.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** The jobs of a move, each for one and for several. */
const JOBS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  webhooks: ['webhook delivery', 'webhook deliveries'],
  refundRetries: ['refund retry', 'refund retries'],
  subscriptions: ['subscription payment', 'subscription payments'],
  invoices: ['invoice', 'invoices'],
  settlements: ['settlement', 'settlements'],
  expirations: ['expiration', 'expirations'],
};

const EXAMPLES = `
Examples:
  $ paydesk clock
  $ paydesk clock +31d
  $ paydesk clock 2027-01-31T12:00:00Z`;

export function addClock(paydesk: Command): void {
  paydesk
    .command('clock')
    .description('show the test clock, or move it forward and run everything that becomes due')
    .argument('[target]', '+ and a number of s, m, h, d or w, or an ISO 8601 time')
    .addHelpText('after', EXAMPLES)
    .action(async (target: string | undefined, _options, command: Command) => {
      const move = target === undefined ? null : moveOf(target);
      const output = outputOf(command);
      const office = await new Connection(command).asAdministrator();
      if (move === null) {
        const clock = await office.get<{ now: string }>('/sandbox/clock');
        output.write(clock, clock.now);
        return;
      }
      const moved = await office.post<{ now: string; ran: Record<string, number> }>('/sandbox/clock', move);
      const ran = Object.entries(moved.ran).flatMap(([name, count]) =>
        count > 0 ? [`${count} ${JOBS[name]?.[count === 1 ? 0 : 1] ?? name}`] : [],
      );
      output.write(moved, `${moved.now}  ${ran.length === 0 ? 'Nothing was due.' : `Ran ${ran.join(', ')}.`}`);
    });
}

/** Returns the move of the clock that a text names. @throws CommandFailure for any other text. */
export function moveOf(text: string): { advanceSeconds: number } | { now: string } {
  const [, count, unit] = /^\+?(\d{1,9})([smhdw])$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit ?? ''];
  if (count !== undefined && seconds !== undefined) return { advanceSeconds: Number(count) * seconds };
  if (/^\d{4}-\d\d-\d\dT/.test(text) && Number.isFinite(Date.parse(text))) return { now: text };
  throw new CommandFailure(EXIT.usage, `${text} is neither a duration such as +31d nor a time such as 2027-01-31T12:00:00Z.`);
}
