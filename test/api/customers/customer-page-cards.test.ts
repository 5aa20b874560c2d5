import { expect, test } from 'vitest';
import { storeCard, subscribe } from '../../support/customers.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnAnyDatabase, describeOnBothDatabases, expectData } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { openPage } from '../pages/pay-page-client.ts';
import { confirmed, pageWithInvoices, submit } from './customer-page-client.ts';

describeOnBothDatabases('cards on the page of a customer', (fixture) => {
  test('keeps one card for a subscription when all cards are removed in parallel', async () => {
    const service = fixture();
    const { customer, path, email } = await pageWithInvoices(service, []);
    const cards = [];
    for (const number of [CARDS.visa, CARDS.amex, '5555555555554444', '4242424242424242'])
      cards.push(await storeCard(service, customer.customerId, number));
    await subscribe(service, customer.customerId);
    const { headers, key } = await confirmed(service, path, email);
    const answers = await Promise.all(
      cards.map(({ paymentMethodId }) => submit(service, `${path}/change/remove/${paymentMethodId}`, [['key', key]], headers)),
    );
    expect(answers.filter(({ status }) => status === 303).length).toBeLessThan(cards.length);
    const left = await expectData(service.api.admin.get<unknown[]>(`/customers/${customer.customerId}/payment-methods`));
    expect(left.length).toBeGreaterThanOrEqual(1);
  });
});

describeOnAnyDatabase('cards on the page of a customer', (fixture) => {
  test('removes no card to which a payment waits to be charged', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { chargeLaterMaxAmount: 100, chargeLaterMaxPerCustomer: 250 }));
    const [gateway] = await expectData(api.admin.get<{ id: string }[]>(`/merchants/${merchantId}/gateways`));
    const { customer, path, email } = await pageWithInvoices(service, [], { merchantId });
    const consentText = 'Charge this card for my orders.';
    const card = await storeCard(service, customer.customerId, CARDS.visa, { consentText });
    await storeCard(service, customer.customerId, CARDS.amex);
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'down', gatewayId: gateway?.id }));
    const { queuedPaymentId } = await expectData(
      api.admin.post<{ queuedPaymentId: string }>('/queued-payments', { customerId: customer.customerId, amount: 31 }),
      201,
    );
    const { headers, key } = await confirmed(service, path, email);
    const remove = () => submit(service, `${path}/change/remove/${card.paymentMethodId}`, [['key', key]], headers);
    expect((await remove()).status).toBe(404);
    expect((await openPage(service, path, headers)).text).toContain('Payments that you agreed to are charged to it');
    await expectData(api.admin.post(`/queued-payments/${queuedPaymentId}/cancel`));
    expect((await remove()).status).toBe(303);
  });

  test('protects the card of a subscription that is older than a hundred canceled ones', async () => {
    const service = fixture();
    const { customer, path, email } = await pageWithInvoices(service, []);
    const card = await storeCard(service, customer.customerId);
    await subscribe(service, customer.customerId, { amount: 7 });
    const canceled = async () => {
      const { subscriptionId } = await subscribe(service, customer.customerId, { startDate: '2039-01-01' });
      await expectData(service.api.admin.post(`/recurring/${subscriptionId}/cancel`));
    };
    for (let batch = 0; batch < 10; batch += 1) await Promise.all(Array.from({ length: 10 }, canceled));
    const { headers, key } = await confirmed(service, path, email);
    expect((await openPage(service, path)).text).toContain('7.00 USD every month');
    expect((await submit(service, `${path}/change/remove/${card.paymentMethodId}`, [['key', key]], headers)).status).toBe(404);
  });
});

describeOnAnyDatabase('replacement of a card that was opened on the page of a customer', (fixture) => {
  async function opened() {
    const service = fixture();
    const { customer, path, email, link } = await pageWithInvoices(service, []);
    const card = await storeCard(service, customer.customerId);
    const { headers, key } = await confirmed(service, path, email);
    const { location } = await submit(service, `${path}/change/replace/${card.paymentMethodId}`, [['key', key]], headers);
    const cardPath = location ?? '';
    expect((await openPage(service, cardPath)).status).toBe(200);
    return { service, customer, path, link, headers, key, cardPath };
  }

  test('ends with the session after 20 minutes', async () => {
    const { service, cardPath } = await opened();
    await advanceClock(service, 21 * 60);
    expect((await openPage(service, cardPath)).status).toBe(410);
  });

  test('ends when the session ends, the link is revoked or the address changes', async () => {
    for (const end of ['session', 'link', 'links', 'address']) {
      const { service, customer, path, link, headers, key, cardPath } = await opened();
      const { admin } = service.api;
      if (end === 'session') await submit(service, `${path}/end`, [['key', key]], headers);
      else if (end === 'address') await expectData(admin.put(`/customers/${customer.customerId}`, { phone: '+15555550144' }));
      else await expectData(admin.delete(`/customers/${customer.customerId}/page-links${end === 'link' ? `/${link.linkId}` : ''}`));
      expect([end, (await openPage(service, cardPath)).status]).toEqual([end, 410]);
    }
  });
});
