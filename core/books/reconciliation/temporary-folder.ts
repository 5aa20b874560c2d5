import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder is named after its process, so that leftovers can be recognized. */
const NAME = /^paydesk-(?:import|report)-(?<pid>\d{1,10})-(?<unique>\w{6,20})$/;
/** Start of the unique part of this process's names: its folders are kept even if the clock is changed. */
const OWN = randomBytes(4).toString('hex');
/** Age after which a folder is a leftover even if another process has the same number. */
const LEFTOVER_AGE_MS = 86_400_000;

/** Creates a folder of this process for data that does not fit into memory. Its creator removes it. */
export const temporaryFolder = (kind: 'import' | 'report'): Promise<string> =>
  mkdtemp(join(tmpdir(), `paydesk-${kind}-${process.pid}-${OWN}`));

/** Removes the folders of processes that ended without removing them, because they contain payment data. */
export async function removeLeftovers(): Promise<void> {
  const startedMs = Date.now() - process.uptime() * 1_000;
  const newMs = await timeOfNewFolder();
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const { pid: number, unique } = NAME.exec(name)?.groups ?? {};
    if (unique === undefined || unique.startsWith(OWN)) continue;
    const pid = Number(number);
    const path = join(tmpdir(), name);
    const createdMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.NaN,
    );
    // A container gives the process after it the same number.
    const isLeftover = pid === process.pid ? createdMs < startedMs : !isRunning(pid);
    if (isLeftover || createdMs < newMs - LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Returns the time that a new folder gets. The age of others counts from it, so that a wrong clock of this process removes nothing in use. */
async function timeOfNewFolder(): Promise<number> {
  const folder = await temporaryFolder('import');
  const { mtimeMs } = await stat(folder);
  await rm(folder, { recursive: true, force: true });
  return mtimeMs;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
