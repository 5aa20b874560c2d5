import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, tenantTime } from '#core/kernel';
import { createVault, GivenKey, KeyRing, loadMasterKey, type Vault, WrongKey } from '#core/records/vault';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { DATABASES, sized } from '../../support/server.ts';

/** More than one block of a renewal. */
const ADOPTED = sized(220, 300);
const HOUR_MS = 3_600_000;
let nowMs = Date.parse('2026-11-20T12:00:00Z');
const clockOf = () => ({ now: () => tenantTime(nowMs) });
const actorOf = (tenantId: string) => ({ tenantId, merchantId: null }) as Actor;
const CARD = { number: '4242 4242 4242 4242', expiryMonth: '8', expiryYear: '30' };

describe.each(DATABASES)('the vault (%s)', (kind) => {
  let opened: TestDatabase;
  let vault: Vault;
  const master = randomBytes(32);
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    vault = await vaultBy(new GivenKey(master));
  });
  const vaultBy = async (store: GivenKey) =>
    createVault({
      database: opened.database,
      keyRing: await KeyRing.open(opened.database, store),
      clockOf,
      audit: () => {},
      merchantOfOwner: async () => 'mer_a',
    });
  afterAll(() => opened.close());
  const run = (sql: string, params: Record<string, string | number> = {}) =>
    opened.database.unitOfWork.transaction(null, (work) => work.run(sql, params));

  test('returns stored data to its own tenant only', async () => {
    const { token } = await vault.tokenizeCard(actorOf('ten_a'), CARD);
    expect(await vault.open('ten_a', token)).toEqual({
      kind: 'card',
      number: '4242424242424242',
      expiryMonth: '08',
      expiryYear: '2030',
      brand: 'visa',
    });
    await expect(vault.open('ten_b', token)).rejects.toMatchObject({ code: 'NOT_FOUND', field: 'token' });
  });

  test('does not decrypt a ciphertext moved to another row, tenant or key version', async () => {
    const [first, second, foreign] = [
      await vault.tokenizeCard(actorOf('ten_a'), CARD),
      await vault.tokenizeCard(actorOf('ten_a'), { ...CARD, number: '5555555555554444' }),
      await vault.tokenizeCard(actorOf('ten_b'), CARD),
    ];
    const moved = (from: string, to: string) =>
      run('UPDATE vault_entries SET sealed = (SELECT o.sealed FROM vault_entries o WHERE o.id = :from) WHERE id = :to', { from, to });
    await moved(first.token, second.token);
    await expect(vault.open('ten_a', second.token)).rejects.toThrow();
    await moved(foreign.token, first.token);
    await expect(vault.open('ten_a', first.token)).rejects.toThrow();
    await run('UPDATE vault_entries SET kind = :kind WHERE id = :id', { kind: 'ach', id: foreign.token });
    await expect(vault.open('ten_b', foreign.token)).rejects.toThrow();
  });

  test('charges every token after a renewal with equal fingerprints, and destroys keys of an hour ago', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => vault.tokenizeCard(actorOf('ten_c'), CARD)));
    const before = await vault.describe(actorOf('ten_c'), tokens[0]?.token ?? '');
    expect(await vault.rotateDataKey('ten_c')).toBe(5);
    nowMs += HOUR_MS;
    await vault.rotateDataKey('ten_c');
    for (const { token } of tokens) expect(await vault.open('ten_c', token)).toMatchObject({ number: '4242424242424242' });
    const after = await vault.tokenizeCard(actorOf('ten_c'), CARD);
    expect(after.fingerprint).toBe(before.fingerprint);
    const versions = await opened.database
      .read('ten_c')
      .all<{ version: number }>('SELECT version FROM data_keys WHERE tenant_id = :tenantId ORDER BY version');
    expect(versions.map(({ version }) => version)).toEqual([0, 2, 3]);
  });

  test('keeps the key of a sale under way on another workstation during quick renewals', async () => {
    const tenant = 'ten_g';
    const there = await vaultBy(new GivenKey(master));
    const late = await there.seal(tenant, there.checkCard(tenant, CARD), { merchantId: null });
    for (let nth = 0; nth < 3; nth += 1) {
      await vault.rotateDataKey(tenant);
      nowMs += 130_000;
    }
    await opened.database.unitOfWork.transaction(tenant, (work) => there.write(work, late));
    expect(await vault.open(tenant, late.token)).toMatchObject({ number: '4242424242424242' });
  });

  test('uses a key renewed by another workstation', async () => {
    const tenant = 'ten_h';
    const there = await vaultBy(new GivenKey(master));
    for (const each of [vault, there]) await each.sealText(tenant, 'p', 'text');
    nowMs += 130_000;
    await vault.renewDataKey(tenant);
    await expect(there.checkRenewable(tenant)).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT' });
    await expect(there.renewDataKey(tenant)).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT' });
    nowMs += 130_000;
    const both = await Promise.allSettled([vault.renewDataKey(tenant), there.renewDataKey(tenant)]);
    const reasons = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'RESOURCE_CONFLICT' });
    expect(reasons.length).toBeLessThan(2);
  });

  test('charges tokens that are assigned to a customer during a renewal', async () => {
    const tenant = 'ten_e';
    const tokens = await Promise.all(Array.from({ length: ADOPTED }, async () => (await vault.tokenizeCard(actorOf(tenant), CARD)).token));
    const owner = await vault.newOwner(tenant, 'cus_1');
    await opened.database.unitOfWork.transaction(tenant, async (work) => vault.insertOwner(work, owner));
    const adopt = (token: string) =>
      opened.database.unitOfWork.transaction(tenant, (work) => vault.assignToOwner(work, actorOf(tenant), token, 'cus_1'));
    // From the opposite end of the renewal, so that they meet in the middle of one of its blocks.
    const left = [...tokens];
    const takeOver = async () => {
      for (let token = left.pop(); token !== undefined; token = left.pop()) await adopt(token);
    };
    await Promise.all([vault.rotateDataKey(tenant), takeOver(), takeOver()]);
    const charges = await Promise.allSettled(tokens.map((token) => vault.open(tenant, token)));
    expect(charges.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  test('deletes all entries of an owner with the same number, and nothing else', async () => {
    const tenant = 'ten_f';
    const stored = async (name: string, number = CARD.number) => {
      const sealed = await vault.seal(tenant, vault.checkCard(tenant, { ...CARD, number }), { owner: name, merchantId: null });
      await opened.database.unitOfWork.transaction(tenant, (work) => vault.write(work, sealed));
      return sealed.token;
    };
    for (const name of ['cus_1', 'cus_2']) {
      const owner = await vault.newOwner(tenant, name);
      await opened.database.unitOfWork.transaction(tenant, async (work) => vault.insertOwner(work, owner));
    }
    const gone = [await stored('cus_1'), await stored('cus_1')];
    const kept = [
      await stored('cus_1', '5555555555554444'),
      await stored('cus_2'),
      (await vault.tokenizeCard(actorOf(tenant), CARD)).token,
    ];
    const { fingerprint } = await vault.describe(actorOf(tenant), gone[0] ?? '');
    await opened.database.unitOfWork.transaction(tenant, (work) => vault.destroy(work, 'cus_1', fingerprint));
    for (const token of gone) await expect(vault.open(tenant, token)).rejects.toMatchObject({ code: 'NOT_FOUND', field: 'token' });
    for (const token of kept) expect(await vault.open(tenant, token)).toMatchObject({ kind: 'card' });
  });

  test('opens nothing with the former master key', async () => {
    const store = new GivenKey(master);
    const rotating = await vaultBy(store);
    const { token } = await rotating.tokenizeCard(actorOf('ten_d'), CARD);
    await rotating.rotateMasterKey();
    const [next, ...others] = await store.keys();
    expect(others).toEqual([]);
    expect(next?.equals(master)).toBe(false);
    expect(await rotating.open('ten_d', token)).toMatchObject({ number: '4242424242424242' });
    expect(await (await vaultBy(new GivenKey(next as Buffer))).open('ten_d', token)).toMatchObject({ number: '4242424242424242' });
    await expect(vaultBy(new GivenKey(master))).rejects.toThrow(WrongKey);
    const [row] = await opened.database
      .read('ten_d')
      .all<{ wrapped: string }>('SELECT wrapped FROM data_keys WHERE tenant_id = :tenantId AND version = 1');
    expect(() => KeyRing.given(opened.database, master).unwrap('data-key|ten_d|1', row?.wrapped ?? '')).toThrow();
  });
});

describe('the master key file', () => {
  const file = async () => join(await mkdtemp(join(tmpdir(), 'paydesk-key-')), 'master.key');

  test('creates the key file once, readable by its owner only, and never changes it', async () => {
    const path = await file();
    const key = await loadMasterKey(path);
    expect(key).toHaveLength(32);
    expect(await loadMasterKey(path)).toEqual(key);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim()).toBe(key.toString('hex'));
  });

  test.skipIf(process.platform === 'win32')(
    'refuses a key file with an explanation if others can read it, or if it contains no key (modes are POSIX)',
    async () => {
      const path = await file();
      await loadMasterKey(path);
      await chmod(path, 0o644);
      await expect(loadMasterKey(path)).rejects.toThrow(/Other users can read/);
      await chmod(path, 0o600);
      await writeFile(path, 'too short');
      await expect(loadMasterKey(path)).rejects.toThrow(/64 hexadecimal digits/);
    },
  );
});
