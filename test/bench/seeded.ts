import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const KEPT = join(tmpdir(), 'paydesk-bench');
/** Written once a history is whole. */
const MARK = 'whole';

/**
 * A data directory with a history of that size in a folder of its own. The history is made once and kept, so that another run is quick; what is answered
 * is a copy.
 */
export async function copyOfHistory(transactions: number, to: string): Promise<string> {
  const kept = join(KEPT, String(transactions));
  if (!existsSync(join(kept, MARK))) {
    process.stderr.write(`making a history of ${transactions} transactions, to be kept in ${kept}\n`);
    await rm(kept, { recursive: true, force: true });
    const child = spawn(process.execPath, [join(ROOT, 'scripts/seed.ts'), '--transactions', String(transactions), '--data-dir', kept], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the history of ${transactions} transactions could not be made`);
    writeFileSync(join(kept, MARK), '');
  }
  const copy = join(to, String(transactions));
  await cp(kept, copy, { recursive: true });
  return copy;
}
