import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SETTINGS } from '../../../cli/connection.ts';
import { BUNDLED_COMMAND, type ServerProcess, startServerProcess } from '../../support/process.ts';
import { describeOnSmallData, FULL } from '../../support/server.ts';
import { filesOf, ROOT } from '../../support/sources.ts';

interface Block {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  /** Reason why the block is not run, from the info string `bash skip: reason`. */
  readonly skipped: string | null;
  /** True if each line runs in a terminal of its own, from the info string `sh terminals`. */
  readonly isForTerminals: boolean;
}

const FENCE = /^```(?:sh|bash|shell|console)( terminals)?(?: skip: (.+))?\n([\s\S]*?)^```$/gm;
/** A block of commands whose info string is missing, so that it would not be found. */
const UNNAMED_COMMANDS = /^```\n(?:npx|npm|node|paydesk|curl|bash) /gm;
/** Document whose first block signs in and defines the variables of the others. */
const SIGN_IN = 'docs/webhooks.md';
const documents = filesOf('.', ['.md']).filter(({ path }) => /^(docs\/[^/]+|README|CONTRIBUTING|clients\/\w+\/README)\.md$/.test(path));
const blocks = documents.flatMap(({ path, text }) => blocksOf(path, text));
const run = blocks.filter(({ skipped, isForTerminals }) => skipped === null && !isForTerminals);
const signIn = run.find(({ file }) => file === SIGN_IN)?.code ?? '';

function blocksOf(file: string, text: string): Block[] {
  return [...text.matchAll(FENCE)].map(({ 1: terminals, 2: skipped = null, 3: code = '', index }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    code,
    skipped,
    isForTerminals: terminals !== undefined,
  }));
}

test('finds the shell blocks of the documentation; each one that is not run has a reason', () => {
  expect(run.length).toBeGreaterThan(10);
  for (const { file, line, skipped } of blocks) if (skipped !== null) expect(skipped.length, `${file}:${line}`).toBeGreaterThan(10);
  expect(documents.filter(({ text }) => text.match(UNNAMED_COMMANDS) !== null).map(({ path }) => path)).toEqual([]);
});

describeOnSmallData('the shell blocks of the documentation', ['sqlite'], (fixture) => {
  test(`${SIGN_IN} runs as written`, () => check(SIGN_IN, fixture()));
});

describe('the shell blocks of the documentation, on the demo that the README starts', FULL, () => {
  let server: ServerProcess;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'paydesk-demo-'));
    server = await startServerProcess(dataDir, undefined, ['--sample-data', 'business']);
  }, 300_000);
  afterAll(async () => {
    await server?.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  for (const file of new Set(run.map((block) => block.file))) {
    const needsPython = run.some((block) => block.file === file && block.code.includes('python3'));
    const isMissing = needsPython && spawnSync('python3', ['--version']).status !== 0;
    test.skipIf(isMissing)(`${file} runs as written${isMissing ? ' (not run: there is no python3)' : ''}`, () => check(file, server));
  }

  test.each(blocks.filter(({ isForTerminals }) => isForTerminals))(
    '$file:$line runs as written, each line in its own terminal',
    async ({ code }) => {
      const folder = await mkdtemp(join(tmpdir(), 'paydesk-docs-'));
      const lines = code.trim().split('\n');
      const terminals = lines.map((line, index) => {
        const isFirst = index === 0;
        // A later command reads the settings that the first one has written.
        return `${isFirst ? '' : 'until [ -s .env ]; do sleep 0.2; done\n'}( ${line.replace(/ #.*/, '')} ) > ${index}.txt 2>&1 &\nuntil [ -s ${index}.txt ]; do sleep 0.1; done`;
      });
      const script = [STRICT, COMMANDS, ...terminals, lines.length > 1 ? 'wait $!' : ''].join('\n');
      try {
        const { code: exitCode, output } = await runScript(folder, [script]);
        expect(exitCode, `${output}\n${code}`).toBe(0);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});

type Server = Pick<ServerProcess, 'baseUrl' | 'credentials'>;

/** Runs the blocks of a document in an empty folder beside the ready line of a server. */
async function check(file: string, server: Server): Promise<void> {
  const own = run.filter((block) => block.file === file);
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-docs-'));
  try {
    await symlink(join(ROOT, 'clients'), join(folder, 'clients'));
    await writeFile(join(folder, 'ready.json'), readyLine(server));
    const code = own.map((block) => `# ${block.file}:${block.line}\n${block.code}`).join('\n');
    const before = file === SIGN_IN || file === 'README.md' ? '' : signIn;
    const once = await runScript(folder, [settingsOf(server), COMMANDS, ...(file === 'README.md' ? [WITHOUT_SERVER] : []), before, code]);
    expect(once.code, `${once.output}\n${code}`).toBe(0);
    if (file !== 'README.md') return;
    const twice = await runScript(folder, [WITH_RUNNING_SERVER, code.replaceAll('order-1001', 'order-1002')]);
    expect(twice.code, `second time: ${twice.output}`).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const readyLine = ({ baseUrl, credentials }: Server) =>
  `${JSON.stringify({ event: 'ready', baseUrl, environment: 'sandbox', credentials })}\n`;

/** The settings that `paydesk up` would have written to `.env`. */
const settingsOf = ({ baseUrl, credentials }: Server) =>
  Object.entries({
    [SETTINGS.url]: baseUrl,
    [SETTINGS.tenantId]: credentials.tenantId,
    [SETTINGS.apiKey]: credentials.apiKey,
    [SETTINGS.email]: credentials.adminEmail,
    [SETTINGS.password]: credentials.adminPassword,
  })
    .map(([name, value]) => `export ${name}='${value}'`)
    .join('\n');

/** The command line of the package. A server or simulator gets a free port, because another program may use the documented one. */
const COMMANDS = `paydesk() {
  case "$1" in up|simulator) set -- "$@" --port 0;; esac
  '${process.execPath}' '${BUNDLED_COMMAND}' "$@"
}
npx() { shift; paydesk "$@"; }
`;

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
  const child = spawn('bash', ['-c', [STRICT, ...parts].join('\n')], { cwd, detached: true, stdio: ['ignore', file.fd, file.fd] });
  const [code] = (await once(child, 'exit')) as [number | null];
  endGroup(child.pid);
  await file.close();
  return { code, output: (await readFile(place, 'utf8')).slice(-2_000) };
}

/** Ends the commands that a script has left in the background, such as servers, which belong to its group. */
function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // The script has left none.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
