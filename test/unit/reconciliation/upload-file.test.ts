import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { removeLeftovers, temporaryFolder } from '../../../core/books/reconciliation/temporary-folder.ts';
import { storeUpload, type UploadedFile } from '../../../core/books/reconciliation/upload-file.ts';

const OF_TENANT = 4;
const file = () => Readable.from([Buffer.from('id,amount,date\n')]);

test('limits parallel uploads per account and keeps room for others', async () => {
  const held: UploadedFile[] = [];
  for (let at = 0; at < OF_TENANT; at += 1) held.push(await storeUpload('ten_busy', file()));
  await expect(storeUpload('ten_busy', file())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  held.push(await storeUpload('ten_other', file()));
  await held[0]?.dispose();
  await held[0]?.dispose();
  held.push(await storeUpload('ten_busy', file()));
  await expect(storeUpload('ten_busy', file())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await Promise.all(held.map((each) => each.dispose()));
  await (await storeUpload('ten_busy', file())).dispose();
});

test('removes only the leftovers of a killed process at the next start', async () => {
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const made = (name: string) => {
    const path = join(tmpdir(), name);
    mkdirSync(path, { recursive: true });
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    writeFileSync(join(path, 'file'), 'id,amount,date\n');
    return path;
  };
  const own = await temporaryFolder('report');
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  // As after the clock was set forward by years.
  utimesSync(own, 1, 1);
  const before = made(`paydesk-import-${process.pid}-aaaaaa`);
  utimesSync(before, 1, 1);
  const over = [made(`paydesk-import-${gone}-aaaaaa`), made(`paydesk-report-${gone}-bbbbbb`), before];
  const kept = [own, made(`paydesk-import-${process.ppid}-cccccc`), made(`paydesk-other-${gone}-dddddd`)];
  // The clock of this process runs ahead; the files of another one are new.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  await removeLeftovers();
  expect(over.filter((path) => existsSync(path))).toEqual([]);
  expect(kept.filter((path) => !existsSync(path))).toEqual([]);
});
