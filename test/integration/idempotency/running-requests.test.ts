import { afterAll, beforeAll, expect, test } from 'vitest';
import { unconfirmedCommit } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';

const DAY_MS = 24 * 3_600_000;

let opened: TestCore;
beforeAll(async () => {
  opened = await openTestCore();
});
afterAll(() => opened?.close());

test('keeps a key with an open request after a day, because a repeat would charge again', async () => {
  const { core } = opened;
  const actor: Actor = { ...opened.actor, idempotencyKey: { credentialId: 'c', key: 'k', route: 'r', fingerprint: 'f' } };
  const { tenantId } = actor;
  await core.database.unitOfWork.writeBatch(tenantId, (batch) => void core.idempotencyKeys.claim(batch, actor));
  const { clockOf, setClock } = core.identity.tenants;
  await setClock(tenantId, clockOf(tenantId).now() + DAY_MS + 1_000, false);
  expect(await core.idempotencyKeys.find(actor)).toEqual({ kind: 'running' });
  // Recovery ends the request, after which the key expires.
  await core.database.unitOfWork.transaction(tenantId, (work) =>
    core.idempotencyKeys.completeInWork(work, { credentialId: 'c', key: 'k', route: 'r' }, { status: 200, body: '{}' }),
  );
  expect(await core.idempotencyKeys.find(actor)).toEqual({ kind: 'new' });
});

test('releases a key for an immediate retry, which may store a refusal', async () => {
  const { core } = opened;
  const name = { credentialId: 'c', key: 'back', route: 'r' };
  const actor: Actor = { ...opened.actor, idempotencyKey: { ...name, fingerprint: 'f' } };
  const { tenantId } = actor;
  const record = (fill: Parameters<typeof core.database.unitOfWork.writeBatch>[1]) => core.database.unitOfWork.writeBatch(tenantId, fill);
  await record((batch) => void core.idempotencyKeys.claim(batch, actor));
  await record((batch) => core.idempotencyKeys.release(batch, tenantId, name));
  expect(await core.idempotencyKeys.find(actor)).toEqual({ kind: 'new' });
  await record((batch) => void core.idempotencyKeys.claim(batch, actor));
  expect(await core.idempotencyKeys.find(actor)).toEqual({ kind: 'running' });
  await record((batch) => core.idempotencyKeys.release(batch, tenantId, name));
  const answer = { status: 422, body: '{}' };
  await core.idempotencyKeys.storeResponse(actor, answer);
  expect(await core.idempotencyKeys.find(actor)).toEqual({ kind: 'done', response: answer });
  // The request has ended, so a late response changes nothing.
  await expect(record((batch) => core.idempotencyKeys.release(batch, tenantId, name))).rejects.toThrow();
});

test('keeps the key of a request whose commit was not confirmed, and releases the key of a refused one', async () => {
  const { core } = opened;
  const named = (key: string): Actor => ({ ...opened.actor, idempotencyKey: { credentialId: 'c', key, route: 'r', fingerprint: 'f' } });
  const run = (key: string, error: ServiceError) =>
    expect(core.idempotencyKeys.runOnce(named(key), () => Promise.reject(error))).rejects.toBe(error);
  await run('unconfirmed', unconfirmedCommit(new Error('the connection ended')));
  expect(await core.idempotencyKeys.find(named('unconfirmed'))).toEqual({ kind: 'interrupted' });
  await run('refused', new ServiceError('SERVICE_UNAVAILABLE', 'The database is not responding. Nothing was changed. Try again.'));
  expect(await core.idempotencyKeys.find(named('refused'))).toEqual({ kind: 'new' });
});
