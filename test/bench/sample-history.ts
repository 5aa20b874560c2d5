import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CACHE_FOLDER = join(tmpdir(), 'paydesk-bench');
/** Written once a history is complete. */
const COMPLETE_MARK = 'whole';

/**
 * Returns a data directory with a history of that size in its own folder. The history is created once and kept, so that another run is
 * fast; the returned directory is a copy.
 */
export async function copySampleHistory(transactions: number, to: string): Promise<string> {
  const cached = join(CACHE_FOLDER, String(transactions));
  if (!existsSync(join(cached, COMPLETE_MARK))) {
    process.stderr.write(`making a history of ${transactions} transactions, to be kept in ${cached}\n`);
    await rm(cached, { recursive: true, force: true });
    await seedHistory(transactions, ['--data-dir', cached]);
    writeFileSync(join(cached, COMPLETE_MARK), '');
  }
  const copy = join(to, String(transactions));
  await cp(cached, copy, { recursive: true });
  return copy;
}

/** Creates a history with `paydesk seed`. `storage` is its data directory and its database. @throws Error if the command fails. */
export async function seedHistory(transactions: number, storage: readonly string[]): Promise<void> {
  const args = [join(ROOT, 'cli/paydesk.mjs'), 'seed', '--transactions', String(transactions), ...storage];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the history of ${transactions} transactions could not be made`);
}
