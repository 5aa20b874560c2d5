import { expect, test } from 'vitest';
import { cardPayment, openLiveCore } from '../../support/live-core.ts';

test('logs unreadable credentials once, and again when others are affected', async () => {
  const { core, actor, merchantId, database, reported, addSimulator: addPeer, close } = await openLiveCore();
  const simulator = await addPeer('nmi');
  const tear = (torn: string) =>
    database.unitOfWork.transaction(actor.tenantId, (work) =>
      work.run('UPDATE gateways SET credentials = :torn WHERE tenant_id = :tenantId AND id = :id', { torn, id: simulator.gatewayId }),
    );
  const warnings = () => reported.filter(({ message }) => message.includes('cannot be decrypted')).length;
  const { gateways } = core.merchants;
  await tear('torn');
  await gateways.update(actor, merchantId, simulator.gatewayId, { priority: 2 });
  for (const _ of [1, 2, 3]) {
    await gateways.page(actor, merchantId, {}, { page: 1, limit: 10 });
    await expect(core.payments.createPayment(actor, cardPayment(10))).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' });
  }
  expect(warnings()).toBe(1);
  await gateways.update(actor, merchantId, simulator.gatewayId, { credentials: simulator.credentials });
  expect(await core.payments.createPayment(actor, cardPayment(10))).toMatchObject({ status: 'approved' });
  await tear('torn');
  await gateways.update(actor, merchantId, simulator.gatewayId, { priority: 3 });
  expect(warnings()).toBe(2);
  await close();
});
