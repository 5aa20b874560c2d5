import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BUNDLED_COMMAND } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ROOT } from '../../support/sources.ts';
import { FULL } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

test('ends after npm, which ends the shell of a command and not the command', FULL, async () => {
  const program = join(ROOT, 'cli/paydesk.mjs');
  const shell = spawn('sh', ['-c', `'${process.execPath}' '${program}' simulator nmi --json; true`], {
    env: { ...process.env, npm_lifecycle_event: 'npx' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(shell.stdout, 'data')) as [Buffer];
  const { origin } = JSON.parse(line.toString()) as { origin: string };
  shell.kill('SIGKILL');
  const answers = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  await until('the command has ended', async () => !(await answers()));
});

test('`up --print` writes settings to standard output that a shell can read, and sentences to standard error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-up-'));
  const { dataDir, remove } = await createSampleInstallation('sqlite');
  const child = spawn(process.execPath, [BUNDLED_COMMAND, 'up', '--print', '--port', '0', '--data-dir', dataDir], { cwd: folder });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await remove();
    await rm(folder, { recursive: true, force: true });
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (part) => (written[name] += part));
  await until('the settings are printed', () => written.stdout.includes('PAYDESK_WEBHOOK_SECRET') && written.stderr.includes('Next:'));
  for (const line of written.stdout.trimEnd().split('\n')) expect(line).toMatch(/^PAYDESK_[A-Z_]+=\S+$/);
  expect(written.stderr).toMatch(/Paydesk sandbox at http:\/\/127\.0\.0\.1:\d+\nSign in as /);
  expect(existsSync(join(folder, '.env'))).toBe(false);
  writeFileSync(join(folder, 'settings'), written.stdout);
  const read = execFileSync('sh', ['-euc', '. ./settings; echo "$PAYDESK_URL $PAYDESK_TENANT_ID"'], { cwd: folder, encoding: 'utf8' });
  expect(read).toMatch(/^http:\/\/127\.0\.0\.1:\d+ ten_\w+\n$/);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
