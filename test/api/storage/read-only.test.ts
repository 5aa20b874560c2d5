import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildServiceWhenStale } from '../../../scripts/build-when-stale.ts';
import { createEmptyInstallation } from '../../support/new-installation.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

/** Other users and read-only file systems need root, on Linux. */
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const NOBODY = 65_534;

async function newDataDir(): Promise<string> {
  const { dataDir, remove } = await createEmptyInstallation('sqlite');
  onTestFinished(remove);
  return dataDir;
}

test.runIf(isRoot).each(['paydesk.sqlite', 'sandbox-gateway.sqlite'])(
  'names the file %s if it cannot be written at the start',
  async (name) => {
    const dataDir = await newDataDir();
    await (await startServer({ dataDir, port: 0, logLevel: 'silent' })).close();
    for (const each of ['.', ...readdirSync(dataDir)]) chownSync(join(dataDir, each), NOBODY, NOBODY);
    chmodSync(join(dataDir, name), 0o400);
    const program = await buildServiceWhenStale();
    const { status, stderr } = spawnSync(process.execPath, [program, '--data-dir', dataDir, '--port', '0'], {
      uid: NOBODY,
      gid: NOBODY,
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    const remedy = 'can only be read. Allow the user who runs Paydesk to write this file and its folder.';
    expect(stderr).toContain(`The database file ${join(dataDir, name)} ${remedy}`);
  },
);

test.runIf(isRoot)('reports a data directory that became read-only, until it can be written again', async () => {
  const dataDir = await newDataDir();
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  onTestFinished(server.close);
  const health = async () =>
    (await (await fetch(`${server.baseUrl}/health`)).json()) as { status: string; disk: object; problems: string[] };
  expect(await health()).toMatchObject({ status: 'ok', problems: [] });

  expect(spawnSync('mount', ['--bind', dataDir, dataDir]).status).toBe(0);
  try {
    // Refused while the server has a file of the new mount open for writing, as during a check of the directory.
    await until('the data directory is read-only', () => spawnSync('mount', ['-o', 'remount,bind,ro', dataDir]).status === 0);
    const problem = `The data directory ${dataDir} can only be read, so backups and changes fail.`;
    expect(await health()).toMatchObject({
      status: 'degraded',
      disk: { status: 'read-only' },
      problems: [expect.stringContaining(problem)],
    });
  } finally {
    spawnSync('umount', ['-l', dataDir]);
  }
  expect(await health()).toMatchObject({ status: 'ok', disk: { status: 'ok' } });
});
