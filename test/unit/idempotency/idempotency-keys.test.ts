import { describe, expect, test } from 'vitest';
import { type Database, UniqueViolation, type Work, type Writer } from '#core/database';
import { type Actor, type IdempotencyKey, tenantTime } from '#core/kernel';
import {
  createIdempotencyKeys,
  idempotencyColumns,
  keyNameOf,
  NO_IDEMPOTENCY_KEY,
  TABLES,
  withClaimedKey,
} from '../../../core/platform/idempotency/index.ts';
import { COMPLETE_KEY, IDEMPOTENCY_KEYS, type IdempotencyKeyRow, RELEASE_KEY } from '../../../core/platform/idempotency/schema.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const ANSWER = { status: 201, body: '{"id":"txn_1"}' };
const NAME = { credentialId: 'key_1', key: 'order-42', route: 'payments.sale' };

const request: IdempotencyKey = { ...NAME, fingerprint: 'f1' };
const actor = (once: IdempotencyKey | null = request) => ({ tenantId: 'ten_1', idempotencyKey: once }) as Actor;
const row = (overrides: Partial<IdempotencyKeyRow> = {}): IdempotencyKeyRow => ({
  tenant_id: 'ten_1',
  credential_id: 'key_1',
  key: 'order-42',
  route: 'payments.sale',
  fingerprint: 'f1',
  state: 'running',
  status: null,
  body: null,
  created_at: '2026-11-20T10:00:00.000Z',
  expires_ms: NOW + DAY_MS,
  ...overrides,
});
/** Keys are created at a time of the computer's clock, which the clock of a sandbox does not move. */
const REAL_TIME = expect.stringMatching(/^2\d{3}-.*Z$/) as string;
const done = (overrides: Partial<IdempotencyKeyRow> = {}) => row({ state: 'done', ...ANSWER, ...overrides });

/** Encryption that a test can read: the purpose, and the text backwards. */
const SECRETS = {
  seal: async (_: string, purpose: string, text: string) => `${purpose} ${[...text].reverse().join('')}`,
  open: async (_: string, purpose: string, sealed: string) => [...sealed.slice(purpose.length + 1)].reverse().join(''),
};

type Where = Partial<Record<keyof IdempotencyKeyRow, unknown>>;

/** The table of keys in memory, with the clock of the tenant at a given time. */
function keysAt(nowMs: number, ...rows: IdempotencyKeyRow[]) {
  return keysOn('postgres', nowMs, ...rows);
}

function keysOn(kind: Database['kind'], nowMs: number, ...rows: IdempotencyKeyRow[]) {
  const stored = [...rows];
  const guardedUpdates: unknown[] = [];
  const cleanUps: unknown[] = [];
  const removals = [0];
  const isMatch = (one: IdempotencyKeyRow, where: Where) =>
    Object.entries(where).every(([column, value]) => one[column as keyof IdempotencyKeyRow] === value);
  const read = {
    one: async (_: unknown, where: Where) => stored.find((one) => isMatch(one, where)) ?? null,
    rows: async (_: unknown, { credential, key }: Record<'credential' | 'key', string>) =>
      stored.filter((one) => isMatch(one, { credential_id: credential, key })).map((one) => ({ ...one })),
  };
  const work = {
    lockOne: read.one,
    insert: async (_: unknown, values: IdempotencyKeyRow) => {
      stored.push(values);
    },
    update: async (_: unknown, where: Where, set: Partial<IdempotencyKeyRow>) => {
      for (const row of stored.filter((each) => isMatch(each, where))) Object.assign(row, set);
    },
    delete: async (_: unknown, where: Where) => {
      for (const row of stored.filter((each) => isMatch(each, where))) stored.splice(stored.indexOf(row), 1);
    },
    execute: async (...overrides: unknown[]) => {
      cleanUps.push(overrides[1]);
      return removals.shift() ?? 0;
    },
  } as unknown as Work;
  const batch = {
    insert: (_: unknown, values: IdempotencyKeyRow) => void stored.push(values),
    guardedUpdate: (...overrides: unknown[]) => void guardedUpdates.push(overrides),
  } as unknown as Writer;
  const database = {
    kind,
    read: () => read,
    unitOfWork: { transaction: (_: string, body: (input: Work) => Promise<unknown>) => body(work) },
  } as unknown as Database;
  const keys = createIdempotencyKeys(database, () => ({ now: () => tenantTime(nowMs) }), SECRETS);
  return { keys, stored, work, batch, settled: guardedUpdates, cleanUps, removals };
}

describe('looking up an idempotency key', () => {
  test('finds nothing for a request without a key and for an unknown key', async () => {
    expect(await keysAt(NOW, row()).keys.find(actor(null))).toEqual({ kind: 'new' });
    expect(await keysAt(NOW).keys.find(actor())).toEqual({ kind: 'new' });
  });

  test.each([
    ['another key', { key: 'order-43' }],
    ['another credential', { credential_id: 'key_2' }],
  ])('ignores %s', async (_, input) => {
    expect(await keysAt(NOW, row(input)).keys.find(actor())).toEqual({ kind: 'new' });
  });

  test('returns the stored response of a finished request', async () => {
    expect(await keysAt(NOW, done()).keys.find(actor())).toEqual({ kind: 'done', response: ANSWER });
  });

  test.each([
    ['is still running', {}],
    ['has no status', { state: 'done', status: null, body: 'x' }],
    ['has no body', { state: 'done', status: 200, body: null }],
    ['is running with a response', { state: 'running', ...ANSWER }],
  ] as const)('reports a request that %s as running', async (_, input) => {
    expect(await keysAt(NOW, row(input)).keys.find(actor())).toEqual({ kind: 'running' });
  });

  test('detects another request with the same key', async () => {
    expect(await keysAt(NOW, done({ fingerprint: 'f2' })).keys.find(actor())).toEqual({ kind: 'other-request' });
  });

  test('removes a finished key after 24 hours, and only that key', async () => {
    const other = done({ key: 'order-43' });
    const expired = keysAt(NOW + DAY_MS, done(), other);
    expect(await expired.keys.find(actor())).toEqual({ kind: 'new' });
    expect(expired.stored).toEqual([other]);
    const fresh = keysAt(NOW + DAY_MS - 1, done());
    expect(await fresh.keys.find(actor())).toEqual({ kind: 'done', response: ANSWER });
  });

  test('keeps an expired key while its request is running', async () => {
    const { keys, stored } = keysAt(NOW + 2 * DAY_MS, row());
    expect(await keys.find(actor())).toEqual({ kind: 'running' });
    expect(stored).toHaveLength(1);
  });

  test('does not remove a key that was renewed in the meantime', async () => {
    const { keys, stored, work } = keysAt(NOW + DAY_MS, done());
    const remove = work.delete.bind(work);
    work.delete = (table, where) => {
      for (const row of stored) row.expires_ms = NOW + 2 * DAY_MS;
      return remove(table, where);
    };
    await keys.find(actor());
    expect(stored).toHaveLength(1);
  });
});

describe('claiming an idempotency key', () => {
  test('stores it as running for 24 hours', async () => {
    const { keys, work, stored } = keysAt(NOW);
    await keys.claim(work, actor());
    expect(stored).toEqual([row({ created_at: REAL_TIME })]);
  });

  test('does nothing for a request without a key', async () => {
    const { keys, work, stored } = keysAt(NOW);
    await keys.claim(work, actor(null));
    expect(stored).toEqual([]);
  });

  test('reports the loser of a race for the key as a conflict', async () => {
    const taken = new UniqueViolation('idempotency_keys', null);
    const conflict = { code: 'RESOURCE_CONFLICT', details: { retryAfter: 1 }, cause: taken };
    await expect(withClaimedKey(async () => Promise.reject(taken))).rejects.toMatchObject(conflict);
    await expect(withClaimedKey(async () => 'claimed')).resolves.toBe('claimed');
  });

  test.each([new UniqueViolation('transactions', null), new Error('other')])('passes on another error: %s', async (error) => {
    await expect(withClaimedKey(async () => Promise.reject(error))).rejects.toBe(error);
  });
});

describe('running a request once', () => {
  const claimed = (ageMs: number) => row({ state: 'claimed', created_at: new Date(Date.now() - ageMs).toISOString() });

  test('claims the key, runs without it, and stores the encrypted response', async () => {
    const { keys, stored } = keysAt(NOW);
    const response = await keys.runOnce(actor(), async (caller) => {
      expect(caller.idempotencyKey).toBeNull();
      expect(stored).toEqual([{ ...row({ state: 'claimed' }), created_at: expect.any(String) }]);
      expect(await keys.find(actor())).toEqual({ kind: 'running' });
      return ANSWER;
    });
    expect(response).toEqual(ANSWER);
    expect(stored[0]).toMatchObject({ state: 'done', status: 201, expires_ms: NOW + DAY_MS });
    expect(stored[0]?.body).not.toContain('txn_1');
    expect(await keys.find(actor())).toEqual({ kind: 'done', response: ANSWER });
  });

  test('releases the key if the operation fails, so that a repeated request runs', async () => {
    const { keys, stored } = keysAt(NOW);
    const failure = new Error('the database is down');
    await expect(keys.runOnce(actor(), async () => Promise.reject(failure))).rejects.toBe(failure);
    expect(stored).toEqual([]);
  });

  test('reports a request that the server did not finish as interrupted after ten minutes, and forgets it after a day', async () => {
    expect(await keysAt(NOW, claimed(9 * 60_000)).keys.find(actor())).toEqual({ kind: 'running' });
    expect(await keysAt(NOW, claimed(11 * 60_000)).keys.find(actor())).toEqual({ kind: 'interrupted' });
    expect(await keysAt(NOW + DAY_MS, claimed(11 * 60_000)).keys.find(actor())).toEqual({ kind: 'new' });
  });
});

describe('a request that an ended server left on SQLite', () => {
  const claimed = row({ state: 'claimed', created_at: new Date(Date.now()).toISOString() });

  test('is interrupted from the next start on, because no other server can run it', async () => {
    expect(await keysOn('sqlite', NOW, claimed).keys.find(actor())).toEqual({ kind: 'interrupted' });
  });

  test('is distinguished from a request that ends while its key is looked up', async () => {
    const { keys } = keysOn('sqlite', NOW);
    let states: Promise<unknown>[] = [];
    await keys.runOnce(actor(), async () => {
      // Each look-up begins one step later than the one before, so that some read the claim and continue after the end.
      states = Array.from({ length: 40 }, async (_, steps) => {
        for (let step = 0; step < steps; step += 1) await null;
        return (await keys.find(actor())).kind;
      });
      return ANSWER;
    });
    expect(new Set(await Promise.all(states))).toEqual(new Set(['running', 'done']));
  });

  test('is distinguished from a request that this server runs', async () => {
    const { keys } = keysOn('sqlite', NOW);
    const response = await keys.runOnce(actor(), async () => {
      expect(await keys.find(actor())).toEqual({ kind: 'running' });
      const conflict = { code: 'RESOURCE_CONFLICT', details: { retryAfter: 1 } };
      await expect(keys.runOnce(actor(), async () => ANSWER)).rejects.toMatchObject(conflict);
      return ANSWER;
    });
    expect(await keys.find(actor())).toEqual({ kind: 'done', response });
  });
});

describe('finishing a request', () => {
  test('stores the response under its running key in a unit of work', async () => {
    const other = row({ key: 'order-43' });
    const { keys, work, stored } = keysAt(NOW, row(), other);
    await keys.completeInWork(work, NAME, ANSWER);
    expect(stored).toEqual([done(), other]);
  });

  test('does not replace a stored response', async () => {
    const { keys, work, stored } = keysAt(NOW, done({ body: 'first' }));
    await keys.completeInWork(work, NAME, ANSWER);
    expect(stored).toEqual([done({ body: 'first' })]);
  });

  test('stores the response in a batch', () => {
    const { keys, batch, settled: guardedUpdates } = keysAt(NOW);
    keys.complete(batch, 'ten_1', NAME, ANSWER);
    expect(guardedUpdates).toEqual([
      [COMPLETE_KEY, { tenant_id: 'ten_1', credential_id: 'key_1', key: 'order-42', state: 'done', ...ANSWER }],
    ]);
  });

  test('releases a running key in a unit of work', async () => {
    const { keys, work, stored } = keysAt(NOW, row(), done({ key: 'order-43' }), row({ key: 'order-44' }));
    await keys.releaseInWork(work, NAME);
    await keys.releaseInWork(work, { ...NAME, key: 'order-43' });
    expect(stored.map(({ key }) => key)).toEqual(['order-43', 'order-44']);
  });

  test('releases a running key in a batch by letting it expire', () => {
    const { keys, batch, settled: guardedUpdates } = keysAt(NOW);
    keys.release(batch, 'ten_1', NAME);
    expect(guardedUpdates).toEqual([
      [RELEASE_KEY, { tenant_id: 'ten_1', credential_id: 'key_1', key: 'order-42', state: 'done', expires_ms: 0 }],
    ]);
  });
});

describe('storing the response of a refused request', () => {
  test('keeps it for 24 hours', async () => {
    const { keys, stored } = keysAt(NOW);
    await keys.storeResponse(actor(), ANSWER);
    expect(stored).toEqual([done({ created_at: REAL_TIME })]);
  });

  test('does nothing for a request without a key', async () => {
    const { keys, stored } = keysAt(NOW);
    await keys.storeResponse(actor(null), ANSWER);
    expect(stored).toEqual([]);
  });

  test('leaves a key that is in use', async () => {
    const { keys, stored } = keysAt(NOW, row());
    await keys.storeResponse(actor(), ANSWER);
    expect(stored).toEqual([row()]);
  });

  test('replaces an expired key of the same request only', async () => {
    const old = NOW - DAY_MS;
    const other = done({ key: 'order-43', expires_ms: old });
    const { keys, stored } = keysAt(NOW, done({ body: 'old', expires_ms: old }), other);
    await keys.storeResponse(actor(), ANSWER);
    expect(stored).toEqual([other, done({ created_at: REAL_TIME })]);
  });
});

describe('removing expired keys', () => {
  test('continues until a block is not full', async () => {
    const { keys, cleanUps, removals } = keysAt(NOW);
    removals.splice(0, 1, 500, 500, 499, 500);
    await keys.cleanUp('ten_1');
    expect(cleanUps).toEqual([{ now: NOW }, { now: NOW }, { now: NOW }]);
  });
});

describe('the key of a waiting request', () => {
  const columns = { idempotency_credential: 'key_1', idempotency_key: 'order-42', idempotency_route: 'payments.sale' };

  test('stores the key with the row that it waits for, and reads it back', () => {
    expect(idempotencyColumns(actor())).toEqual(columns);
    expect(keyNameOf(columns)).toEqual(NAME);
  });

  test('stores no key for a request without one', () => {
    expect(idempotencyColumns(actor(null))).toEqual(NO_IDEMPOTENCY_KEY);
    expect(NO_IDEMPOTENCY_KEY).toEqual({ idempotency_credential: null, idempotency_key: null, idempotency_route: null });
    for (const column of Object.keys(columns)) expect(keyNameOf({ ...columns, [column]: null })).toBeNull();
  });

  test('a stored key belongs to the table of keys', () => {
    expect(TABLES).toEqual([IDEMPOTENCY_KEYS]);
  });
});
