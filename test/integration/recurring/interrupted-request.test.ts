import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '#core';
import type { Actor, IdempotencyKey } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';

let opened: TestCore;
let core: Core;
let actor: Actor;
beforeAll(async () => {
  opened = await openTestCore();
  ({ core, actor: actor } = opened);
});
afterAll(() => opened.close());

const once: IdempotencyKey = { key: 'k', credentialId: 'c', route: 'admin.createSubscription', fingerprint: 'f' };

test('completes a request at the next start whose process ended before the response, without a second subscription', async () => {
  const { customerId } = await core.customers.create(actor, { lastName: 'Marsh' });
  await core.customers.addMethod(actor, customerId, { card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2039' } });
  const asked = { ...actor, idempotencyKey: once };
  const startDate = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const { subscriptionId } = await core.recurring.create(asked, { customerId, amount: '10.00', frequency: 'monthly', startDate });
  expect(await core.idempotencyKeys.find(asked)).toMatchObject({ kind: 'done' });
  // As after a process was killed right after the subscription was written.
  await core.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.run("UPDATE once_keys SET state = 'running', status = NULL, body = NULL WHERE tenant_id = :tenantId");
    await work.run(
      'UPDATE subscriptions SET once_credential = :credentialId, once_key = :key, once_route = :route WHERE tenant_id = :tenantId',
      {
        credentialId: once.credentialId,
        key: once.key,
        route: once.route,
      },
    );
  });
  expect(await core.idempotencyKeys.find(asked)).toMatchObject({ kind: 'running' });
  const hold = (leaseMs: number) =>
    core.database.unitOfWork.transaction(actor.tenantId, (work) =>
      work.run('UPDATE subscriptions SET lease_ms = :leaseMs WHERE tenant_id = :tenantId', { leaseMs }),
    );
  // Another server is charging it at the moment: its response has not arrived yet.
  await hold(Date.now() + 20_000);
  await core.recurring.takeOver();
  expect(await core.idempotencyKeys.find(asked)).toMatchObject({ kind: 'running' });
  await hold(0);
  await core.recurring.takeOver();
  expect(await core.idempotencyKeys.find(asked)).toMatchObject({ kind: 'done' });
  const { items } = await core.recurring.page(actor, {}, { page: 1, limit: 10 });
  expect(items.map((plan) => plan.subscriptionId)).toEqual([subscriptionId]);
});
