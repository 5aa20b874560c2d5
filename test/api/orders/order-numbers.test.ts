import { expect } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { giveGiftCard } from '../../support/gift-cards.ts';
import { createOrder } from '../../support/orders.ts';
import { cardBody } from '../../support/sales.ts';
import { expectData, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';

interface Listed {
  orderNumber: string | null;
  payment: { orderId: string | null; orderNumber: string | null } | null;
}

onBothDatabases('names orders by their number in lists of payments, and customers in lists of gift cards', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const lineItems = [{ description: 'Tea', quantity: 2, unitPrice: 6 }];
  const order = await createOrder(fixture, { merchantId, lineItems });
  await expectData(api.admin.post('/transactions', { ...cardBody(5), merchantId, orderId: order.orderId }));
  await expectData(api.admin.post('/tenders', { kind: 'cash', amount: 7, merchantId, orderId: order.orderId }), 201);
  await expectData(api.admin.post('/transactions', { ...cardBody(8), merchantId, orderId: 'shop-1042' }));
  const listed = async (path: string) => (await api.admin.get<Listed[]>(`${path}?merchantId=${merchantId}`)).body.data;
  expect((await listed('/payments')).map(({ orderNumber }) => orderNumber)).toEqual([null, order.number, order.number]);
  const unsettled = (await listed('/settlement/unsettled')).map(({ payment }) => payment && [payment.orderId, payment.orderNumber]);
  expect(unsettled).toEqual(
    expect.arrayContaining([
      [order.orderId, order.number],
      ['shop-1042', null],
    ]),
  );

  const { customerId } = await createCustomer(fixture, { merchantId, firstName: 'Ada', lastName: 'Marlow' });
  await giveGiftCard(fixture, 25, { merchantId, customerId });
  await giveGiftCard(fixture, 5, { merchantId });
  const names = async (headers = {}) =>
    (await api.admin.get<{ customerName: string | null }[]>(`/gift-cards?merchantId=${merchantId}`, headers)).body.data.map(
      ({ customerName }) => customerName,
    );
  expect(await names()).toEqual([null, 'Ada Marlow']);
  const withoutCustomers = await createUser(fixture, 'viewer', { permissions: ['gift-cards:read'] }, merchantId);
  expect(await names(withoutCustomers.headers)).toEqual([null, null]);
});
