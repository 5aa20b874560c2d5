// A server with several processes, seen from its log.
import type { ServerProcess } from './process.ts';
import { until } from './until.ts';

/** Far above the time that the start of a process takes on a busy computer. */
export const REPLACED_WITHIN_MS = 90_000;

interface LogLine {
  readonly pid: number;
  readonly process: number | 'main';
  readonly msg: string;
  readonly requestId?: string;
}

type Logging = Pick<ServerProcess, 'log'>;

/** Returns the lines of the log of all processes. */
export const linesOf = (server: Logging) =>
  server
    .log()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as LogLine] : []));

/** Returns the IDs of the operating system of the processes that were started last, by their numbers. */
export const pidsOf = (server: Logging) =>
  new Map(linesOf(server).flatMap((line) => (line.msg.startsWith('Server listening') ? [[line.process, line.pid] as const] : [])));

/** Returns the numbers of the processes that answered requests. */
export const processesOf = (server: Logging, responses: readonly { readonly headers: Headers }[]) => {
  const wanted = new Set(responses.map(({ headers }) => headers.get('x-request-id')));
  return new Set(linesOf(server).flatMap((line) => (line.msg === 'request' && wanted.has(line.requestId ?? '') ? [line.process] : [])));
};

/** Waits until the log contains the requests of these answers. */
export const logged = (server: Logging, answers: readonly { readonly headers: Headers }[]) =>
  until('the requests are in the log', () => {
    const ids = new Set(linesOf(server).map(({ msg, requestId }) => (msg === 'request' ? requestId : undefined)));
    return answers.every(({ headers }) => ids.has(headers.get('x-request-id') ?? undefined));
  });

/** Sends requests, each on a connection of its own, in parallel until each of the processes has answered one of them. */
export async function fromEachProcess<Result extends { headers: Headers }>(
  server: Logging,
  processes: number,
  ask: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const answers: Result[] = [];
  await until('each process has answered', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(answers.length + index)));
    answers.push(...asked);
    // Without this, a late log causes further requests, up to the limit of requests per minute.
    await logged(server, asked);
    return processesOf(server, answers).size === processes;
  });
  return answers;
}

/** Kills a process of a server, and waits until another one has its number. */
export async function replaceProcess(server: Logging, index: number): Promise<void> {
  const pid = pidsOf(server).get(index) as number;
  process.kill(pid, 'SIGKILL');
  await until('the process is replaced', () => pidsOf(server).get(index) !== pid, { withinMs: REPLACED_WITHIN_MS });
}

/** Returns true if a process has not ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
