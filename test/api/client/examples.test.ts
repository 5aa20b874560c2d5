import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whyNotRun } from '../../support/other-programs.ts';
import { describeOnAnyDatabase, FULL } from '../../support/server.ts';
import { ROOT } from '../../support/sources.ts';
import { runExample } from './run-example.ts';

const EXAMPLE = join(ROOT, 'examples/sell-and-receive');
const OUTCOME = { code: 0, output: 'Sold 19.99, refunded 5, received transaction.approved and refund.processed.' };

/** Languages of the example; the tests of one are skipped if its programs are missing. */
const LANGUAGES = [
  { name: 'Node', program: process.execPath, file: 'sell.ts', needs: [process.execPath] },
  { name: 'Python', program: 'python3', file: 'sell.py', needs: ['python3'] },
  { name: 'PHP', program: 'php', file: 'sell.php', needs: ['php'] },
  { name: 'C#', program: 'mono', file: 'sell.cs', needs: ['mcs', 'mono'] },
] as const;

for (const { name, program, file, needs } of LANGUAGES) {
  const reason = whyNotRun(...needs);
  describeOnAnyDatabase(`example in ${name}${reason === undefined ? '' : ` (not run: ${reason})`}`, (fixture) => {
    test.skipIf(reason !== undefined)('sells, refunds and verifies the webhooks', name === 'Python' ? {} : FULL, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'paydesk-example-build-'));
      try {
        expect(await runExample(program, name === 'C#' ? compile(folder) : join(EXAMPLE, file), fixture())).toEqual(OUTCOME);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
}

/** Compiles the program in C# into a folder. Returns its path. */
function compile(folder: string): string {
  const output = join(folder, 'sell.exe');
  const references = ['System.Net.Http', 'System.Runtime.Serialization'].map((name) => `-r:${name}.dll`);
  const { status, stderr } = spawnSync('mcs', [`-out:${output}`, ...references, join(EXAMPLE, 'sell.cs')], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return output;
}
