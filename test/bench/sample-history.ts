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
    const child = spawn(
      process.execPath,
      [join(ROOT, 'cli/paydesk.mjs'), 'seed', '--transactions', String(transactions), '--data-dir', cached],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the history of ${transactions} transactions could not be made`);
    writeFileSync(join(cached, COMPLETE_MARK), '');
  }
  const copy = join(to, String(transactions));
  await cp(cached, copy, { recursive: true });
  return copy;
}
