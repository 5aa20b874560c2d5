import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'clock-shift.c');

/**
 * Lets the clocks of all programs of a run start at a time: of tests, servers, databases and browsers. Builds a library for this,
 * which is removed when the run ends. @throws Error if the time is not valid, or if the system is not Linux with a C compiler.
 */
export function startAtDate(date: string): void {
  const startMs = Date.parse(date);
  if (Number.isNaN(startMs)) throw new Error(`--date ${date} is not a time such as 2028-02-29T10:50:00Z.`);
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-clock-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  const library = join(folder, 'clock-shift.so');
  const { status, stderr, error } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], { encoding: 'utf8' });
  if (process.platform !== 'linux' || status !== 0) throw new Error(`--date needs Linux and a C compiler: ${error?.message ?? stderr}`);
  process.env.PAYDESK_TEST_SHIFT_SECONDS = String(Math.round((startMs - Date.now()) / 1_000));
  process.env.LD_PRELOAD = library;
}
