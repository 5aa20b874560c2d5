import { expect, test } from 'vitest';
import { createCustomerWithCard, getPeriods, getSubscription, storeCard, subscribe } from '../../support/customers.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { concludeUnconfirmed } from '../../support/unconfirmed-payments.ts';
import { until } from '../../support/until.ts';
import { advanceClock } from '../../support/webhooks.ts';

describeOnAnyDatabase('subscriptions whose card changes while a payment is pending', (fixture) => {
  test('charges the new card of a subscription immediately if the pending payment of the former one is declined', async () => {
    const service = fixture();
    const { api } = service;
    const mode = (name: 'silent' | 'normal') => expectData(api.admin.post('/sandbox/gateway', { mode: name }));
    const { customerId } = await createCustomerWithCard(service, CARDS.declined);
    await mode('silent');
    const { subscriptionId: id } = await subscribe(service, customerId);
    expect(await getPeriods(service, id)).toMatchObject([{ status: 'pending' }]);
    const { paymentMethodId } = await storeCard(service, customerId, CARDS.visa);
    await expectData(api.admin.put(`/recurring/${id}`, { paymentMethodId }));
    await mode('normal');
    await concludeUnconfirmed(service);
    await until('the pending payment to be declined', async () => {
      await advanceClock(service, 60);
      return (await getPeriods(service, id))[0]?.status === 'failed' ? true : undefined;
    });
    await advanceClock(service, 60);
    expect((await getPeriods(service, id)).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(await getSubscription(service, id)).toMatchObject({ status: 'active', paymentsMade: 1, failedAttempts: 0 });
  });
});
