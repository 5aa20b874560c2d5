// A disk that fills during writing, after it had enough space at the beginning.
// @module-tag full
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backUp, restoreBackup } from '#server';
import { BUNDLED_COMMAND } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { pause } from '../../support/until.ts';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
const DISK = '64m';
/** Writing takes some hundred milliseconds, so it may end before it is stopped. */
const TRIES = 5;

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

function disk(): string {
  const path = mkdtempSync(join(tmpdir(), 'paydesk-disk-'));
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', path]).status).toBe(0);
  undo.push(() => {
    spawnSync('umount', ['-l', path]);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** Uses all remaining disk space. */
function fill(file: string): void {
  const fd = openSync(file, 'w');
  for (let bytes = 1_048_576; bytes >= 1; ) {
    try {
      writeSync(fd, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      bytes = Math.floor(bytes / 2);
    }
  }
  closeSync(fd);
}

const isBeingFilled = (folder: string) => existsSync(folder) && readdirSync(folder).length > 0;

/** Runs a command, and suspends it halfway while the disk is filled. Returns its end, or undefined if it ended before. */
async function filledMidway(command: readonly string[], filler: string, isMidway: () => boolean) {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const closed = once(child, 'close');
  while (child.exitCode === null && !isMidway()) await pause(1);
  child.kill('SIGSTOP');
  fill(filler);
  child.kill('SIGCONT');
  const [code] = (await closed) as [number | null];
  return code === 0 ? undefined : { code, said };
}

test.runIf(canMount)(
  'stops a backup with a message and without a file if the disk fills, and completes one once there is space',
  async () => {
    const { dataDir, remove } = await createSampleInstallation('sqlite');
    undo.push(remove);
    const to = disk();
    const filler = join(to, 'filler');
    const command = [BUNDLED_COMMAND, 'backup', '--data-dir', dataDir, '--to', to];
    let ended: Awaited<ReturnType<typeof filledMidway>>;
    for (let nth = 0; nth < TRIES && !ended; nth += 1) {
      for (const name of readdirSync(to)) rmSync(join(to, name));
      ended = await filledMidway(command, filler, () => readdirSync(to).some((name) => name.endsWith('.partial')));
    }
    expect(ended).toMatchObject({ code: 1, said: expect.stringContaining('The backup stopped because the disk is full.') });
    expect(readdirSync(to)).toEqual(['filler']);
    rmSync(filler);
    await backUp({ dataDir, databaseUrl: undefined }, to, {});
    expect(readdirSync(to)).toEqual([expect.stringMatching(/\.paydesk-backup$/)]);
  },
);

test.runIf(canMount)(
  'stops a restore with a message and without a file if the disk fills, and completes one once there is space',
  async () => {
    const { dataDir, remove } = await createSampleInstallation('sqlite');
    undo.push(remove);
    const kept = mkdtempSync(join(tmpdir(), 'paydesk-backup-'));
    undo.push(() => rmSync(kept, { recursive: true, force: true }));
    const { file } = await backUp({ dataDir, databaseUrl: undefined }, kept, {});
    const diskFolder = disk();
    const into = join(diskFolder, 'data');
    const filler = join(diskFolder, 'filler');
    const command = [BUNDLED_COMMAND, 'restore', file, '--data-dir', into, '--master-key', join(dataDir, 'master.key')];
    let ended: Awaited<ReturnType<typeof filledMidway>>;
    for (let nth = 0; nth < TRIES && !ended; nth += 1) {
      for (const name of readdirSync(diskFolder)) rmSync(join(diskFolder, name), { recursive: true });
      ended = await filledMidway(command, filler, () => isBeingFilled(join(into, 'restore-begun')));
    }
    expect(ended).toMatchObject({ code: 1, said: expect.stringMatching(/stopped because the disk is full/) });
    expect(existsSync(into)).toBe(false);
    rmSync(filler);
    await restoreBackup({ dataDir: into, databaseUrl: undefined }, file, { file: join(dataDir, 'master.key') });
    expect(readdirSync(into)).toContain('paydesk.sqlite');
  },
);
