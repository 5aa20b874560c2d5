import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, type IdempotencyKey, systemClock } from '#core/kernel';
import { createIdempotencyKeys, type IdempotencyKeys } from '#core/platform/idempotency';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { DATABASES } from '../../support/server.ts';

const REQUESTS = 300;
const secrets = { seal: async (_: string, __: string, text: string) => text, open: async (_: string, __: string, text: string) => text };

const actor = (tenantId: string, key: IdempotencyKey) => ({ tenantId, idempotencyKey: key }) as Actor;
const keyOf = (key: string, credentialId = 'key_1'): IdempotencyKey => ({ key, credentialId, route: 'r', fingerprint: 'f' });

describe.each(DATABASES)('look-ups of keys (%s)', (kind) => {
  let opened: TestDatabase;
  let keys: IdempotencyKeys;
  const store = (owner: Actor, body: string) => keys.storeResponse(owner, { status: 200, body });
  const find = async (owner: Actor) => {
    const found = await keys.find(owner);
    return found.kind === 'done' ? found.response.body : found.kind;
  };

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    keys = createIdempotencyKeys(opened.database, () => systemClock, secrets);
  });
  afterAll(() => opened?.close());

  test('finds the own key of each of 300 parallel requests', async () => {
    const owners = Array.from({ length: REQUESTS }, (_, at) => actor('ten_a', keyOf(`parallel-${at}`)));
    const stored = owners.filter((_, at) => at % 3 === 0);
    await Promise.all(stored.map((owner) => store(owner, `answer ${owner.idempotencyKey?.key}`)));
    const expected = owners.map((owner, at) => (at % 3 === 0 ? `answer ${owner.idempotencyKey?.key}` : 'new'));
    expect(await Promise.all(owners.map(find))).toEqual(expected);
  });

  test('keeps keys of other credentials and tenants apart in parallel requests', async () => {
    const owners = [
      actor('ten_a', keyOf('shared', 'key_1')),
      actor('ten_a', keyOf('shared', 'key_2')),
      actor('ten_b', keyOf('shared', 'key_1')),
      actor('ten_b', keyOf('shared', 'key_3')),
    ];
    await Promise.all(owners.slice(0, 3).map((owner, at) => store(owner, `answer ${at}`)));
    expect(await Promise.all(owners.map(find))).toEqual(['answer 0', 'answer 1', 'answer 2', 'new']);
  });

  test('rejects every look-up of a database that is closed', async () => {
    const other = await openTestDatabase(kind);
    const closedKeys = createIdempotencyKeys(other.database, () => systemClock, secrets);
    await other.close();
    const results = await Promise.allSettled(Array.from({ length: 3 }, (_, at) => closedKeys.find(actor('ten_a', keyOf(`closed-${at}`)))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
