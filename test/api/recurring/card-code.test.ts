import { expect } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';

const cardWith = (cvv: string) => ({ number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv });

onAnyDatabase('checks the security code of a new subscription with its first payment only', async (service) => {
  const { admin } = service.api;
  const { customerId } = await createCustomer(service);
  const created = await expectData(
    admin.post<{ status: string; paymentsMade: number }>('/recurring', {
      customerId,
      amount: 21,
      frequency: 'daily',
      card: cardWith('904'),
    }),
    201,
  );
  expect(created).toMatchObject({ status: 'active', paymentsMade: 1 });
  await advanceClock(service, 86_400);
  const payments = await expectData(admin.get<TransactionRecord[]>(`/customers/${customerId}/transactions`));
  expect(payments).toMatchObject([
    { status: 'approved', cvvResponse: null },
    { status: 'approved', cvvResponse: 'P' },
  ]);
});

onAnyDatabase('makes a subscription past due if the security code of its first payment does not match', async (service) => {
  const { public: api, admin } = service.api;
  const { customerId } = await createCustomer(service);
  const body = { customerId, amount: 22, frequency: 'monthly', card: cardWith('901') };
  expect(await expectData(api.post<{ status: string }>('/recurring', body), 201)).toMatchObject({ status: 'past_due' });
  const [payment] = await expectData(admin.get<TransactionRecord[]>(`/customers/${customerId}/transactions`));
  expect(payment).toMatchObject({ status: 'declined', declineCode: 'cvv_failure', cvvResponse: 'N' });
});

onAnyDatabase('rejects an invalid security code of a new subscription and stores no card', async (service) => {
  const { admin } = service.api;
  const { customerId } = await createCustomer(service);
  const body = { customerId, amount: 23, frequency: 'monthly', card: cardWith('12') };
  await expectError(admin.post('/recurring', body), 400, 'INVALID_CVV', 'card.cvv');
  expect(await expectData(admin.get<unknown[]>(`/customers/${customerId}/payment-methods`))).toEqual([]);
});
