// @module-tag full
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { buildCommand } from '../../../scripts/build-command.ts';
import { ROOT } from '../../support/sources.ts';
import { isSiege } from '../../support/tier.ts';

/** Files of the package. `lib` and `out/renderer` are built when it is packed. */
const EXPECTED = [
  'CHANGELOG.md',
  'README.md',
  'cli/paydesk.mjs',
  'cli/stop-with-npm.mjs',
  'package.json',
  'packaging/Containerfile',
  'packaging/paydesk.service',
  ...globSync('docs/{,operations/}*.md', { cwd: ROOT }),
];
const BUILT = /^(lib\/[\w-]+\.js|out\/renderer\/.*\.(html|js|css|json|woff2|svg|png|txt|br|gz)|out\/main\/main\.js)$/;

/** Line of a comment, which may name types as `import('package')`. */
const COMMENT_LINE = /^\s*(?:\/\*)?\*.*$/gm;

const opened: { folders: string[]; children: ChildProcess[] } = { folders: [], children: [] };
afterEach(async () => {
  for (const child of opened.children.splice(0)) child.kill('SIGKILL');
  for (const folder of opened.folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Returns a folder with the package as npm would unpack it, except for the screens. */
async function unpack(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-package-'));
  opened.folders.push(folder);
  for (const file of EXPECTED) cpSync(join(ROOT, file), join(folder, file));
  await buildCommand(join(folder, 'lib'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function start(folder: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [join(folder, 'cli/paydesk.mjs'), ...args], { cwd: join(folder, 'work') });
  opened.children.push(child);
  return child;
}

test('the package contains the command with its documents and nothing else', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  const packed = JSON.parse(output) as Packed[] | Record<string, Packed>;
  const paths = Object.values(packed)[0]?.files.map(({ path }) => path) ?? [];
  expect(paths.filter((path) => !BUILT.test(path)).toSorted()).toEqual(EXPECTED.toSorted());
});

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

test('the packed command runs without the sources, with the packages of `dependencies` only', { timeout: 120_000 }, async () => {
  const folder = await unpack();
  await mkdir(join(folder, 'work'));
  const imported = globSync('lib/*.js', { cwd: folder }).flatMap((path) =>
    [
      ...readFileSync(join(folder, path), 'utf8')
        .replaceAll(COMMENT_LINE, '')
        .matchAll(
          // Statements begin their line; a property named `import` is indented.
          /^(?:import|export)\b(?:[^'";]*?\bfrom\b)?\s*['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm,
        ),
    ].map(([, fixed, lazy]) => fixed ?? lazy ?? ''),
  );
  const packages = imported.filter((name) => !/^(\.|node:)/.test(name) && !builtinModules.includes(name));
  const allowed = Object.keys(manifest.dependencies);
  expect(packages.length).toBeGreaterThan(2);
  expect(packages.filter((name) => !allowed.some((each) => name === each || name.startsWith(`${each}/`)))).toEqual([]);

  const twin = start(folder, ['simulator', 'nmi', '--json']);
  expect(JSON.parse(await firstLine(twin))).toMatchObject({ ready: true, kind: 'nmi' });
  const ledger = start(folder, ['ledger', '--data-dir', folder]);
  const [problem, [failed]] = await Promise.all([text(ledger.stderr as never), once(ledger, 'exit')]);
  expect([failed, problem]).toEqual([1, `paydesk: There is no paydesk.sqlite in ${folder}.\n`]);
  if (!isSiege) return;
  const up = start(folder, ['up', '--port', '0', '--json']);
  expect(JSON.parse(await firstLine(up))).toMatchObject({ ready: true });
  const trigger = start(folder, ['trigger', 'transaction.declined', '--json']);
  const [out, [code]] = await Promise.all([text(trigger.stdout as never), once(trigger, 'exit')]);
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ type: 'transaction.declined' })]);
});

async function firstLine(child: ChildProcess): Promise<string> {
  let errors = '';
  child.stderr?.on('data', (part) => (errors += part));
  const [line] = await Promise.race([once(child.stdout as never, 'data'), once(child, 'exit')]);
  if (typeof line === 'object' && line !== null) return String(line);
  throw new Error(errors);
}
