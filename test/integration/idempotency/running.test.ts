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

test('a key that is given back is free for another try at once, and may then keep a refusal', async () => {
  const { core } = on;
  const name = { credentialId: 'c', key: 'back', route: 'r' };
  const by: Actor = { ...on.by, once: { ...name, fingerprint: 'f' } };
  const { tenantId } = by;
  const record = (fill: Parameters<typeof core.database.unitOfWork.record>[1]) => core.database.unitOfWork.record(tenantId, fill);
  await record((batch) => void core.once.open(batch, by));
  await record((batch) => core.once.giveBack(batch, tenantId, name));
  expect(await core.once.find(by)).toEqual({ kind: 'new' });
  await record((batch) => void core.once.open(batch, by));
  expect(await core.once.find(by)).toEqual({ kind: 'running' });
  await record((batch) => core.once.giveBack(batch, tenantId, name));
  const answer = { status: 422, body: '{}' };
  await core.once.keep(by, answer);
  expect(await core.once.find(by)).toEqual({ kind: 'done', answer });
  // Its request has ended: what comes late changes nothing.
  await expect(record((batch) => core.once.giveBack(batch, tenantId, name))).rejects.toThrow();
});
