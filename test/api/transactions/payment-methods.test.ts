import { expect, test } from 'vitest';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { createInvoice } from '../../support/invoices.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

const CARD = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '123' };
const BANK_ACCOUNT = { accountNumber: '6789012', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann Marsh' };

describeOnAnyDatabase('a payment with two payment methods', (fixture) => {
  test('is refused with the one that would not be charged, and charges nothing', async () => {
    const { api } = fixture();
    const { customerId } = await createCustomer(fixture());
    const { token, paymentMethodId } = await storeCard(fixture(), customerId);
    const listed = async () =>
      (await expectData(api.admin.get<TransactionRecord[]>(`/transactions?customerId=${customerId}&limit=200`))).length;
    const refused = async (body: object, field: string, charged: string) => {
      const sale = { type: 'sale', amount: 20, customerId, ...body };
      const { message } = await expectError(api.admin.post('/transactions', sale), 400, 'VALIDATION_ERROR', field);
      expect(message).toContain(`\`${field}\` would not be charged, because ${charged}.`);
    };
    await refused({ card: CARD, token }, 'token', '`card` is');
    await refused({ card: CARD, bankAccount: BANK_ACCOUNT }, 'bankAccount', '`card` is');
    await refused({ paymentMethod: 'token', card: CARD, token }, 'card', '`paymentMethod` is token');
    await refused({ paymentMethod: 'ach', card: CARD, bankAccount: BANK_ACCOUNT }, 'card', '`paymentMethod` is ach');
    await refused({ paymentMethodId, card: CARD }, 'card', '`paymentMethodId` is');
    await refused({ paymentMethodId, token }, 'token', '`paymentMethodId` is');
    expect(await listed()).toBe(0);
    for (const body of [{ card: CARD }, { token }, { paymentMethodId }, {}])
      await expectData(api.admin.post('/transactions', { type: 'sale', amount: 20, customerId, ...body }));
    expect(await listed()).toBe(4);
  });

  test('is refused for an invoice', async () => {
    const { api } = fixture();
    const { customerId } = await createCustomer(fixture());
    const { token } = await storeCard(fixture(), customerId);
    const { invoiceId } = await createInvoice(fixture(), customerId);
    const pay = (body: object) => api.admin.post(`/invoices/${invoiceId}/payment`, { amount: 20, ...body });
    await expectError(pay({ card: CARD, token }), 400, 'VALIDATION_ERROR', 'card');
    await expectError(pay({ paymentMethod: 'card', card: CARD, token }), 400, 'VALIDATION_ERROR', 'token');
    await expectError(pay({ paymentMethod: 'ach', bankAccount: BANK_ACCOUNT, card: CARD }), 400, 'VALIDATION_ERROR', 'card');
    await expectData(pay({ card: CARD }));
    await expectData(pay({ token }));
  });
});
