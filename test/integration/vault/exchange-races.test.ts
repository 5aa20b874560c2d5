import { expect, test } from 'vitest';
import type { Database } from '#core/database';
import { tenantTime } from '#core/kernel';
import { createVault, GivenKey, KeyRing } from '#core/records/vault';
import { openTestDatabase } from '../../support/databases.ts';
import { pause } from '../../support/until.ts';

const clockOf = () => ({ now: () => tenantTime(Date.parse('2026-11-20T12:00:00Z')) });

const vaultOn = (database: Database, keyRing: KeyRing) =>
  createVault({ database, keyRing, clockOf, audit: () => {}, merchantOfOwner: async () => 'mer_a' });

test('wraps a data key created during an exchange with the new master key', async () => {
  const { database, close } = await openTestDatabase('postgres');
  const store = new GivenKey();
  const ring = await KeyRing.open(database, store);
  const vault = vaultOn(database, ring);
  let sealing: Promise<string> | undefined;
  await ring.exchange(async () => {
    sealing = vault.sealText('ten_late', 'p', 'text');
    // Long enough that the old key would be used if the operation did not wait for the exchange.
    await pause(100);
  });
  const sealed = await sealing;
  const later = vaultOn(database, await KeyRing.open(database, new GivenKey(...(await store.keys()))));
  expect(await later.openText('ten_late', 'p', sealed ?? '')).toBe('text');
  await close();
});

test('reads wrapped keys again that were read before an exchange and arrive after it', async () => {
  const { database, close } = await openTestDatabase('sqlite');
  const store = new GivenKey();
  const ring = await KeyRing.open(database, store);
  const sealed = await vaultOn(database, ring).sealText('ten_a', 'p', 'text');
  const exchanged = Promise.withResolvers<void>();
  let reads = 0;
  const slow: Database = {
    ...database,
    read: (tenantId) => {
      const read = database.read(tenantId);
      const find: typeof read.find = async (...asked) => {
        const rows = await read.find(...asked);
        reads += 1;
        if (reads === 1) await exchanged.promise;
        return rows;
      };
      return { ...read, tenantId, find, one: read.one.bind(read), all: read.all.bind(read) };
    },
  };
  const opening = vaultOn(slow, ring).openText('ten_a', 'p', sealed);
  await vaultOn(database, ring).rotateMasterKey();
  exchanged.resolve();
  expect(await opening).toBe('text');
  expect(reads).toBe(2);
  await close();
});

test('uses the key of another workstation as soon as it is copied', async () => {
  const { database, close } = await openTestDatabase('sqlite');
  const store = new GivenKey();
  const ring = await KeyRing.open(database, store);
  const vault = vaultOn(database, ring);
  const sealed = await vault.sealText('ten_a', 'p', 'text');
  const others = new GivenKey(...(await store.keys()));
  const other = vaultOn(database, await KeyRing.open(database, others));
  await vault.rotateMasterKey();
  await expect(other.openText('ten_a', 'p', sealed)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await others.keepOnly(ring.masterKey);
  expect(await other.openText('ten_a', 'p', sealed)).toBe('text');
  await close();
});

test('keeps the next key of an exchange while another process starts or exchanges it too, and one key in the end', async () => {
  const { database, close } = await openTestDatabase('postgres');
  const store = new GivenKey();
  const [first, second] = [await KeyRing.open(database, store), await KeyRing.open(database, store)];
  const others: Promise<unknown>[] = [];
  await first.exchange(async () => {
    others.push(
      KeyRing.open(database, store),
      second.exchange(async () => {}),
    );
    // Long enough that both would change the store if they did not wait for the exchange.
    await pause(100);
    expect(await store.keys()).toHaveLength(2);
  });
  await Promise.all(others);
  expect(await store.keys()).toEqual([second.masterKey]);
  expect((await second.row())?.key_id).toBe(second.keyId);
  await close();
});
