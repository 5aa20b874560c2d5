import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';

const DAY_MS = 24 * 3_600_000;

let on: TestCore;
beforeAll(async () => {
  on = await openTestCore();
});
afterAll(() => on?.close());

test('keeps a key with an open request after a day, because a repeat would charge again', async () => {
  const { core } = on;
  const actor: Actor = { ...on.by, idempotencyKey: { credentialId: 'c', key: 'k', route: 'r', fingerprint: 'f' } };
  const { tenantId } = actor;
  await core.database.unitOfWork.record(tenantId, (batch) => void core.once.open(batch, actor));
  const { clockOf, setClock } = core.identity.tenants;
  await setClock(tenantId, clockOf(tenantId).now() + DAY_MS + 1_000, false);
  expect(await core.once.find(actor)).toEqual({ kind: 'running' });
  // Recovery ends it, and then it has had its time.
  await core.database.unitOfWork.run(tenantId, (work) =>
    core.once.finishIn(work, { credentialId: 'c', key: 'k', route: 'r' }, { status: 200, body: '{}' }),
  );
  expect(await core.once.find(actor)).toEqual({ kind: 'new' });
});

test('releases a key for an immediate retry, which may store a refusal', async () => {
  const { core } = on;
  const name = { credentialId: 'c', key: 'back', route: 'r' };
  const actor: Actor = { ...on.by, idempotencyKey: { ...name, fingerprint: 'f' } };
  const { tenantId } = actor;
  const record = (fill: Parameters<typeof core.database.unitOfWork.record>[1]) => core.database.unitOfWork.record(tenantId, fill);
  await record((batch) => void core.once.open(batch, actor));
  await record((batch) => core.once.giveBack(batch, tenantId, name));
  expect(await core.once.find(actor)).toEqual({ kind: 'new' });
  await record((batch) => void core.once.open(batch, actor));
  expect(await core.once.find(actor)).toEqual({ kind: 'running' });
  await record((batch) => core.once.giveBack(batch, tenantId, name));
  const answer = { status: 422, body: '{}' };
  await core.once.keep(actor, answer);
  expect(await core.once.find(actor)).toEqual({ kind: 'done', answer });
  // Its request has ended: what comes late changes nothing.
  await expect(record((batch) => core.once.giveBack(batch, tenantId, name))).rejects.toThrow();
});
