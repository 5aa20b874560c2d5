import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ApiFixture, describeOnSmallData, FULL } from '../../support/server.ts';
import { filesOf, ROOT } from '../../support/sources.ts';

interface Block {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  /** Reason why the block is not run, from the info string `bash skip: reason`. */
  readonly skipped: string | null;
}

const FENCE = /^```(?:sh|bash|shell|console)(?: skip: (.+))?\n([\s\S]*?)^```$/gm;
/** Document whose first block signs in and defines the variables of the others. */
const SIGN_IN = 'docs/webhooks.md';
const blocks: readonly Block[] = [
  ...filesOf('docs', ['.md']).map(({ path }) => path),
  'README.md',
  'CONTRIBUTING.md',
  'clients/node/README.md',
  'clients/python/README.md',
]
  .map((path) => filesOf('.', ['.md']).find((file) => file.path === path))
  .flatMap((file) => (file === undefined ? [] : blocksOf(file.path, file.text)));
const run = blocks.filter(({ skipped }) => skipped === null);
const signIn = run.find(({ file }) => file === SIGN_IN)?.code ?? '';

function blocksOf(file: string, text: string): Block[] {
  return [...text.matchAll(FENCE)].map(({ 1: skipped = null, 2: code = '', index }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    code,
    skipped,
  }));
}

test('finds the shell blocks of the documentation; each one that is not run has a reason', () => {
  expect(run.length).toBeGreaterThan(10);
  for (const { file, line, skipped } of blocks) if (skipped !== null) expect(skipped.length, `${file}:${line}`).toBeGreaterThan(10);
});

describeOnSmallData('the shell blocks of the documentation', ['sqlite'], (fixture) => {
  for (const file of new Set(run.map((block) => block.file))) {
    const needsPython = run.some((block) => block.file === file && block.code.includes('python3'));
    const isMissing = needsPython && spawnSync('python3', ['--version']).status !== 0;
    test.skipIf(isMissing)(
      `${file} runs as written${isMissing ? ' (not run: there is no python3)' : ''}`,
      file === SIGN_IN ? {} : FULL,
      () => check(file),
    );
  }

  async function check(file: string): Promise<void> {
    const own = run.filter((block) => block.file === file);
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-docs-'));
    try {
      await symlink(join(ROOT, 'clients'), join(folder, 'clients'));
      await writeFile(join(folder, 'ready.json'), readyLine(fixture()));
      const code = own.map((block) => `# ${block.file}:${block.line}\n${block.code}`).join('\n');
      const before = file === SIGN_IN || file === 'README.md' ? '' : signIn;
      const once = await runScript(folder, [...(file === 'README.md' ? [WITHOUT_SERVER] : []), before, code]);
      expect(once.code, `${once.output}\n${code}`).toBe(0);
      if (file !== 'README.md') return;
      const twice = await runScript(folder, [WITH_RUNNING_SERVER, code.replaceAll('order-1001', 'order-1002')]);
      expect(twice.code, `second time: ${twice.output}`).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
});

const readyLine = ({ baseUrl, credentials }: ApiFixture) =>
  `${JSON.stringify({ event: 'ready', baseUrl, environment: 'sandbox', credentials })}\n`;

/** Requests that fail end the script, as do other commands. `curl` alone would ignore an error response. */
const STRICT = 'set -euo pipefail\ncurl() { command curl --fail-with-body -s "$@"; }\n';
/** The server of the tests takes the place of the one that the README starts; its ready line is written after a moment. */
const WITHOUT_SERVER = 'mv ready.json served.json\nnpm() { sleep 0.1; cat served.json; sleep 30; }\n';
/** A server on the same folder ends with an error. */
const WITH_RUNNING_SERVER = 'npm() { echo "paydesk: The data directory is in use." >&2; return 1; }\n';

async function runScript(cwd: string, parts: readonly string[]): Promise<{ code: number | null; output: string }> {
  // A pipe may still hold output when the script ends, and commands in the background keep it open.
  const place = join(cwd, 'output.txt');
  const file = await open(place, 'w');
  const script = [STRICT, ...parts, 'kill $(jobs -p) 2> /dev/null || true'].join('\n');
  const child = spawn('bash', ['-c', script], { cwd, detached: true, stdio: ['ignore', file.fd, file.fd] });
  const [code] = (await once(child, 'exit')) as [number | null];
  await file.close();
  return { code, output: (await readFile(place, 'utf8')).slice(-2_000) };
}
