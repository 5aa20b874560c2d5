import { CARDS } from './sales.ts';
import { type Api, expectData } from './server.ts';

/** Lets a merchant charge saved cards later, and returns the ID of a customer who has agreed to it. */
export async function createCustomerToChargeLater({ admin }: Api, merchantId: string): Promise<string> {
  await expectData(admin.put(`/merchants/${merchantId}/vt-settings`, { chargeLaterMaxAmount: 50, chargeLaterMaxPerCustomer: 100_000 }));
  const { customerId } = await expectData(admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', merchantId }), 201);
  const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2039' };
  await expectData(admin.post(`/customers/${customerId}/payment-methods`, { card, consentText: 'Charge it later.' }), 201);
  return customerId;
}
