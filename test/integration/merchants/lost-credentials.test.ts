import { expect, test } from 'vitest';
import { keyed, openLiveCore } from '../../support/live-core.ts';

test('logs unreadable credentials once, and again when others are affected', async () => {
  const { core, by, merchantId, database, reported, addPeer, close } = await openLiveCore();
  const peer = await addPeer('nmi');
  const tear = (torn: string) =>
    database.unitOfWork.run(by.tenantId, (work) =>
      work.run('UPDATE gateways SET credentials = :torn WHERE tenant_id = :tenantId AND id = :id', { torn, id: peer.gatewayId }),
    );
  const told = () => reported.filter(({ message }) => message.includes('cannot be opened')).length;
  const { gateways } = core.merchants;
  await tear('torn');
  await gateways.update(by, merchantId, peer.gatewayId, { priority: 2 });
  for (const _ of [1, 2, 3]) {
    await gateways.page(by, merchantId, {}, { page: 1, limit: 10 });
    await expect(core.payments.sell(by, keyed(10))).rejects.toMatchObject({ code: 'GATEWAY_UNAVAILABLE' });
  }
  expect(told()).toBe(1);
  await gateways.update(by, merchantId, peer.gatewayId, { credentials: peer.credentials });
  expect(await core.payments.sell(by, keyed(10))).toMatchObject({ status: 'approved' });
  await tear('torn');
  await gateways.update(by, merchantId, peer.gatewayId, { priority: 3 });
  expect(told()).toBe(2);
  await close();
});
