import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
const MEMORY_NEEDED = 6 * 2 ** 30;
const NAME = /^paydesk-(\d+)-/;

/**
 * Makes a folder in memory the temporary folder of this process and all processes that it starts, until it exits, because databases on a
 * disk wait for it at each commit. Does nothing where the machine has less than 6 GiB of such memory, or if a run has such a folder already.
 */
export function keepTemporaryFilesInMemory(): void {
  if (tmpdir().startsWith(MEMORY) || !existsSync(MEMORY) || !allowsPrograms()) return;
  removeFoldersOfKilledRuns();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_NEEDED) return;
  const folder = mkdtempSync(join(MEMORY, `paydesk-${process.pid}-`));
  // If the tests run as root, PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Tests write small programs and run them, which containers often forbid in this folder. */
function allowsPrograms(): boolean {
  const mounts = existsSync(MOUNTS) ? readFileSync(MOUNTS, 'utf8').split('\n') : [];
  const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === MEMORY)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}

function removeFoldersOfKilledRuns(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
