import type { Command } from 'commander';
import { Connection } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { readNamed } from '../files.ts';
import { outputOf } from '../output.ts';

/** Report of a replay; values of a recording can be of any kind. */
interface Report {
  readonly name: string;
  readonly steps: number;
  readonly equalSteps: number;
  readonly omittedSteps: number;
  readonly isEqual: boolean;
  readonly difference: {
    readonly step: number;
    readonly request: string;
    readonly place: string;
    readonly message: string;
    readonly expected: unknown;
    readonly actual: unknown;
  } | null;
}

const EXAMPLES = `
The exit code is 6 if something differs from the recording.

Examples:
  $ paydesk replay refund-twice.jsonl
  $ paydesk replay refund-twice.jsonl --reset --json`;

export function addReplay(paydesk: Command): void {
  paydesk
    .command('replay')
    .description('run the requests of a recording again, and report the first difference')
    .argument('<file>', 'file of a recording')
    .option('--reset', 'delete the payments and customers of the account first')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { reset = false }: { reset?: boolean }, command: Command) => {
      const form = new FormData();
      form.set('reset', String(reset));
      form.set('file', new Blob([await readNamed(file)]), 'recording.jsonl');
      const send = await new Connection(command).fileRequest();
      const response = await send('/sandbox/replays', { method: 'POST', body: form });
      const { data } = (await response.json()) as { data: Report };
      outputOf(command).write(data, textOf(data));
      if (!data.isEqual) process.exitCode = EXIT.different;
    });
}

function textOf({ name, steps, equalSteps, omittedSteps, difference }: Report): string {
  const omitted = omittedSteps === 0 ? '' : ` ${omittedSteps} with secrets were left out.`;
  const summary = `${name}: ${equalSteps} of ${steps} steps ran as recorded.${omitted}`;
  if (difference === null) return summary;
  const { step, request, place, message, expected, actual } = difference;
  return [
    summary,
    `First difference in step ${step}, ${request}, ${place}: ${message}`,
    `  recorded: ${JSON.stringify(expected)}`,
    `  replayed: ${JSON.stringify(actual)}`,
  ].join('\n');
}
