import { spawnSync } from 'node:child_process';

/** Notes of git in which a passed run of a tier is recorded with its commit. `git push origin refs/notes/tests` shares them. */
const NOTES = 'tests';

type Tier = 'full' | 'siege';

const git = (root: string, ...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/** Records that every test of a tier passed on the present commit. Does nothing if the work tree differs from the commit, or is no clone. */
export function recordRun(root: string, tier: Tier): void {
  const { status, stdout } = git(root, 'status', '--porcelain');
  if (status === 0 && stdout === '') git(root, 'notes', `--ref=${NOTES}`, 'append', '--message', `${tier} ${new Date().toISOString()}`);
}

/** Returns the tiers that passed on the present commit. */
export function recordedRuns(root: string): Tier[] {
  const lines = git(root, 'notes', `--ref=${NOTES}`, 'show').stdout.split('\n');
  return (['full', 'siege'] as const).filter((tier) => lines.some((line) => line.startsWith(`${tier} `)));
}
