import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DemoCredentials } from '#server';
import { ROOT } from './bundle.ts';

/** Line that the server writes to standard output when it is ready. */
export interface ReadyLine {
  event: 'ready';
  baseUrl: string;
  environment: string;
  credentials?: DemoCredentials;
}

interface ServerChild {
  readonly nodeFlags?: readonly string[];
  readonly program?: string;
  /** `pipe` to read the log, which goes to standard error. */
  readonly stderr?: 'inherit' | 'pipe';
}

/** Starts a server as a child process, by default from `server/serve.ts`. Its standard output is piped. */
export function spawnServer(
  flags: readonly string[],
  { nodeFlags = [], program = join(ROOT, 'server/serve.ts'), stderr = 'inherit' }: ServerChild = {},
): ChildProcess {
  return spawn(process.execPath, [...nodeFlags, program, ...flags], { cwd: ROOT, stdio: ['inherit', 'pipe', stderr] });
}

/** Calls `listener` for each ready line of a server: once, or once per restart if Node watches its files. */
export function onReady(server: ChildProcess, listener: (ready: ReadyLine) => void): void {
  if (server.stdout === null) throw new Error('the standard output of the server is not piped');
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (line.startsWith('{"event":"ready"')) listener(JSON.parse(line) as ReadyLine);
    else console.log(line);
  });
}

/** Exits with the exit code of the child when it ends, and forwards SIGINT and SIGTERM to it. */
export async function exitWith(child: ChildProcess): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exit(code ?? 1);
}
