import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whose folder it is stands in its name, so that it can be told when nobody needs it any more. */
const NAME = /^paydesk-(?:import|report)-(?<pid>\d{1,10})-\w{6}$/;
/** Nothing is read for so long; another process has the number since. */
const FORGOTTEN_MS = 86_400_000;

/** A new folder of this process for what does not fit into memory; whoever makes it takes it away. */
export const temporaryFolder = (kind: 'import' | 'report'): Promise<string> => mkdtemp(join(tmpdir(), `paydesk-${kind}-${process.pid}-`));

/** Takes away the folders of processes that ended without doing it: they hold what customers were paid. */
export async function removeLeftovers(): Promise<void> {
  const startedMs = Date.now() - process.uptime() * 1_000;
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = Number(NAME.exec(name)?.groups?.pid);
    if (Number.isNaN(pid)) continue;
    const path = join(tmpdir(), name);
    const madeMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.NaN,
    );
    // A container gives the process after it the same number.
    const isOver = pid === process.pid ? madeMs < startedMs : !isRunning(pid);
    if (isOver || madeMs < Date.now() - FORGOTTEN_MS) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
