import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

interface CheckedSale extends TransactionRecord {
  avsResponse: string | null;
}

describeOnAnyDatabase('fields that programs send without a value', (fixture) => {
  test.each([
    [{ zip: '', address: '' }, null, 'approved'],
    [{ zip: '' }, null, 'approved'],
    [{ zip: null, address: null }, null, 'approved'],
    [null, null, 'approved'],
    [{ zip: '04101', address: ' ' }, 'Z', 'approved'],
    [{ zip: '', address: '1 Main Street' }, 'A', 'approved'],
    [{ zip: ' 46205 ' }, 'N', 'declined'],
  ])('are no part of the address that is checked: %j', async (billing, avsResponse, status) => {
    const { api } = fixture();
    const { body } = await api.admin.post<CheckedSale>('/transactions', { ...cardBody(10), billing });
    expect(body.data).toMatchObject({ status, avsResponse });
  });

  test('are not given on any surface', async () => {
    const { api } = fixture();
    const empty = { customer: null, metadata: null, tipAmount: null, description: '', orderId: '', customerId: '', lineItems: null };
    expect(await expectData(api.admin.post('/transactions', { ...cardBody(11), ...empty, customerEmail: undefined }))).toMatchObject({
      status: 'approved',
      orderId: null,
      description: null,
      customerId: null,
    });
    const card = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', Cvv: '123' };
    const blanks = { BillingEmail: '', BillingCustomerName: ' ', BillingAddress: '', Metadata: null, OrderId: null };
    expect(await expectData(api.public.post('/transaction', { Amount: '12.00', ...card, ...blanks }))).toMatchObject({
      status: 'approved',
      orderId: null,
    });
    const sdk = { Amount: '13', CardNumber: CARDS.visa, ExpiryDate: '1231', Description: '', OrderId: null };
    await expectData(api.sdk.post('/transaction', sdk));
    expect(await expectData(api.admin.post('/customers', { lastName: 'Blank', email: '', phone: null, company: ' ' }), 201)).toMatchObject({
      email: null,
      phone: null,
      company: null,
    });
    const { customerId } = await createCustomer(fixture());
    await expectData(api.admin.post('/invoices', { customerId, amount: 10, description: null, dueDate: null, items: null }), 201);
  });

  test('are refused if they are required, and numbers that JSON would change are refused', async () => {
    const { api } = fixture();
    await expectError(api.admin.post('/transactions', { ...cardBody(10), amount: null }), 400, 'INVALID_AMOUNT', 'amount');
    const body = JSON.stringify({ ...cardBody(10), metadata: { order: 0 } }).replace('"order":0', '"order":12345678901234567890');
    await expectError(api.admin.post('/transactions', body, { 'content-type': 'application/json' }), 400, 'VALIDATION_ERROR', 'order');
  });
});
