import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordedRuns, recordRun } from '../../../scripts/recorded-runs.ts';

let folder: string;
const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-runs-'));
  git('init', '--quiet');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@example.com');
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('records the tiers that passed on a commit, and none for the next commit', () => {
  expect(recordedRuns(folder)).toEqual([]);
  recordRun(folder, 'full');
  expect(recordedRuns(folder)).toEqual(['full']);
  recordRun(folder, 'siege');
  expect(recordedRuns(folder)).toEqual(['full', 'siege']);
  git('commit', '--quiet', '--allow-empty', '--message', 'Go on');
  expect(recordedRuns(folder)).toEqual([]);
});

test('records nothing if the work tree differs from the commit', () => {
  writeFileSync(join(folder, 'new.txt'), '');
  recordRun(folder, 'full');
  expect(recordedRuns(folder)).toEqual([]);
});
