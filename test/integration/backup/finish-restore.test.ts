import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { finishRestore } from '#core/records/backup';

const folder = mkdtempSync(join(tmpdir(), 'paydesk-finish-restore-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('finishing a restore replaces the old database and its write-ahead log, and removes partial restores', () => {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  for (const name of ['restore-filled', 'restore-begun', 'rehearsal-1']) mkdirSync(join(dataDir, name));
  // As a server leaves it that was started but never set up.
  new BetterSqlite3(join(dataDir, 'paydesk.sqlite')).exec('CREATE TABLE tenants (id TEXT)').close();
  for (const name of ['paydesk.sqlite-wal', 'paydesk.sqlite-shm', 'master.key', 'restore-received-1'])
    writeFileSync(join(dataDir, name), 'old');
  for (const name of ['paydesk.sqlite', 'sandbox-gateway.sqlite']) writeFileSync(join(dataDir, 'restore-filled', name), 'new');
  writeFileSync(join(dataDir, 'restore-begun', 'paydesk.sqlite'), 'half');
  finishRestore(dataDir);
  finishRestore(dataDir);
  const texts = Object.fromEntries(readdirSync(dataDir).map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]));
  expect(texts).toEqual({ 'paydesk.sqlite': 'new', 'sandbox-gateway.sqlite': 'new', 'master.key': 'old' });
});
