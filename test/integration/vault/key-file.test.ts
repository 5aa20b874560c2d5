import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyFile, KeyRing } from '#core/records/vault';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase('sqlite');
});
afterAll(() => opened.close());

const newFile = async () => new KeyFile(join(await mkdtemp(join(tmpdir(), 'paydesk-keys-')), 'master.key'));
const names = (file: KeyFile) => readdir(dirname(file.place));

test('gives servers that start in parallel with one key file the same key', async () => {
  const { place } = await newFile();
  const made = await Promise.all(Array.from({ length: 5 }, () => new KeyFile(place).createFirst()));
  expect(new Set(made.map((key) => key.toString('hex'))).size).toBe(1);
  expect(await readdir(dirname(place))).toEqual(['master.key']);
});

test('ends an interrupted exchange with the key that the database uses', async () => {
  const file = await newFile();
  const ring = await KeyRing.open(opened.database, file);
  const before = ring.masterKey;
  // Interrupted before the rows were wrapped again.
  await file.storeNext(randomBytes(32));
  expect((await KeyRing.open(opened.database, file)).masterKey).toEqual(before);
  expect(await names(file)).toEqual(['master.key']);
  // Interrupted afterwards, before the new key replaced the old one.
  const cut = new KeyFile(file.place);
  cut.keepOnly = async (key) => {
    if (!key.equals(before)) throw new Error('the power went');
  };
  const dying = await KeyRing.open(opened.database, cut);
  await expect(dying.exchange(async () => {})).rejects.toThrow('the power went');
  expect((await names(file)).toSorted()).toEqual(['master.key', 'master.key.next']);
  const after = await KeyRing.open(opened.database, file);
  expect(after.masterKey).not.toEqual(before);
  expect(after.installation).toEqual(ring.installation);
  expect(await names(file)).toEqual(['master.key']);
});

test('loses neither key in an exchange after one that could not move its key', async () => {
  const other = await openTestDatabase('sqlite');
  const file = await newFile();
  const settle = file.keepOnly.bind(file);
  const ring = await KeyRing.open(other.database, file);
  const { masterKey: before } = ring;
  let isFull = true;
  file.keepOnly = async (key) => {
    if (isFull && !key.equals(before)) throw new Error('the disk is full');
    await settle(key);
  };
  await expect(ring.exchange(async () => {})).rejects.toThrow('the disk is full');
  isFull = false;
  const power = ring.exchange(async () => {
    throw new Error('the power went');
  });
  await expect(power).rejects.toThrow('the power went');
  expect((await KeyRing.open(other.database, new KeyFile(file.place))).keyId).toBe(ring.keyId);
  expect(ring.masterKey).not.toEqual(before);
  await other.close();
});

test('ignores a new key whose file is incomplete, and refuses a complete one', async () => {
  const file = await newFile();
  const key = await file.createFirst();
  await writeFile(`${file.place}.next`, '', { mode: 0o600 });
  expect(await file.keys()).toEqual([key]);
  if (process.platform === 'win32') return;
  await file.storeNext(randomBytes(32));
  await chmod(`${file.place}.next`, 0o644);
  await expect(file.keys()).rejects.toThrow(/Other users can read/);
});

test('keeps the key after a failed rewrap', async () => {
  const other = await openTestDatabase('sqlite');
  const file = await newFile();
  const ring = await KeyRing.open(other.database, file);
  const { keyId } = ring;
  await expect(
    ring.exchange(async () => {
      throw new Error('the disk is full');
    }),
  ).rejects.toThrow();
  expect(ring.keyId).toBe(keyId);
  expect((await names(file)).toSorted()).toEqual(['master.key', 'master.key.installation']);
  expect((await KeyRing.open(other.database, file)).keyId).toBe(keyId);
  await other.close();
});
