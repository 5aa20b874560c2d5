import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
const MEMORY_NEEDED = 6 * 2 ** 30;

/**
 * Makes a folder in memory for the databases of the run and makes it the temporary folder of all processes, where the machine has at least 6 GiB of it.
 * Returns its path, for removal after the run, or undefined if the tests use the usual temporary folder.
 */
export function makeTemporaryFolder(): string | undefined {
  if (!existsSync(MEMORY) || !allowsPrograms()) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_NEEDED) return undefined;
  process.env.TMPDIR = mkdtempSync(join(MEMORY, 'paydesk-'));
  // If the tests run as root, PostgreSQL runs as a user of its own.
  chmodSync(process.env.TMPDIR, 0o755);
  return process.env.TMPDIR;
}

/** Tests write small programs and run them, which containers often forbid in this folder. */
function allowsPrograms(): boolean {
  const mounts = existsSync(MOUNTS) ? readFileSync(MOUNTS, 'utf8').split('\n') : [];
  const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === MEMORY)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}
