import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';

const DAY_MS = 24 * 3_600_000;

let on: TestCore;
beforeAll(async () => {
  on = await openTestCore();
});
afterAll(() => on?.close());

test('a key whose request is still open is not forgotten after its day: a repeat would charge again', async () => {
  const { core } = on;
  const by: Actor = { ...on.by, once: { credentialId: 'c', key: 'k', route: 'r', fingerprint: 'f' } };
  const { tenantId } = by;
  await core.database.unitOfWork.record(tenantId, (batch) => void core.once.open(batch, by));
  const { clockOf, setClock } = core.identity.tenants;
  await setClock(tenantId, clockOf(tenantId).now() + DAY_MS + 1_000, false);
  expect(await core.once.find(by)).toEqual({ kind: 'running' });
  // Recovery ends it, and then it has had its time.
  await core.database.unitOfWork.run(tenantId, (work) =>
    core.once.finishIn(work, { credentialId: 'c', key: 'k', route: 'r' }, { status: 200, body: '{}' }),
  );
  expect(await core.once.find(by)).toEqual({ kind: 'new' });
});
