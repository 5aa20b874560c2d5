// Makes the commit and the tag of a version: `npm run tag -- 0.2.0`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogWith, readChangeNotes } from './change-notes.ts';
import { recordedRuns } from './recorded-runs.ts';

const ROOT = join(import.meta.dirname, '..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

try {
  tag(process.argv[2] ?? '');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @throws Error if the work tree has changes, the version has no upgrade fixture, or the commit has no recorded run of the full and of the siege tier. */
function tag(version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version: `npm run tag -- 0.2.0`.');
  if (git('status', '--porcelain') !== '') throw new Error('The work tree has changes. Commit them first.');
  if (!existsSync(join(ROOT, 'test/fixtures/upgrade', version)))
    throw new Error(`Version ${version} has no upgrade fixture. Run \`npm run upgrade-fixture -- ${version}\` and commit its files.`);
  const runs = recordedRuns(ROOT);
  const missing = (['full', 'siege'] as const).filter((tier) => !runs.includes(tier));
  if (missing.length > 0)
    throw new Error(
      `This commit has no recorded run of the ${missing.join(' and ')} tier. Run \`npm run test:${missing.join('` and `npm run test:')}\`.`,
    );
  const notes = readChangeNotes();
  const file = join(ROOT, 'CHANGELOG.md');
  writeFileSync(file, changelogWith(readFileSync(file, 'utf8'), version, new Date().toISOString().slice(0, 10), notes));
  for (const { path } of notes) rmSync(join(ROOT, path));
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { cwd: ROOT, stdio: 'ignore' });
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Paydesk ${version}`);
  console.log(`Committed and tagged version ${version}. \`npm run release\` and \`npm run package\` build it.`);
}
