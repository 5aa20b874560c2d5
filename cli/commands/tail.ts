import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { Connection } from '../connection.ts';
import { outputOf } from '../output.ts';

const POLL_MS = 1_000;
const OWN_PATH = '/api/v1/request-log';

interface LoggedRequest {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly code: string | null;
  readonly credential: string | null;
}

const EXAMPLES = `
Examples:
  $ paydesk tail
  $ paydesk tail --failed --json`;

export function addTail(paydesk: Command): void {
  paydesk
    .command('tail')
    .description('show the requests to the server as they arrive')
    .option('--failed', 'failed requests only')
    .option('--once', 'show the last requests and end')
    .addHelpText('after', EXAMPLES)
    .action(async ({ failed, once }: { failed?: boolean; once?: boolean }, command: Command) => {
      const output = outputOf(command);
      const office = await new Connection(command).asAdministrator();
      let last: string | undefined;
      for (;;) {
        const page = await office.get<LoggedRequest[]>('/request-log', { query: { limit: 200, ...(failed && { failed: 'true' }) } });
        const known = page.findIndex(({ id }) => id === last);
        const fresh = page.slice(0, known < 0 ? page.length : known).filter(({ path }) => path !== OWN_PATH);
        for (const request of fresh.reverse()) output.write(request, lineOf(request));
        last = page[0]?.id ?? last;
        if (once) return;
        await pause(POLL_MS);
      }
    });
}

function lineOf({ at, method, path, status, ms, code, id }: LoggedRequest): string {
  return `${at}  ${status}  ${method.padEnd(6)} ${path}  ${Math.round(ms)} ms  ${code ?? ''}${code === null ? '' : ' '}${id}`;
}
