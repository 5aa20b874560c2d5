import { expect, test } from 'vitest';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

describeOnAnyDatabase('values that are taken for what they mean', (fixture) => {
  test('disputes the captured amount of a payment that was refunded in full', async () => {
    const { api } = fixture();
    const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(14)));
    await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount: 14 }));
    const dispute = api.admin.post<{ amount: number }>('/disputes', { transactionId, reason: 'fraudulent' });
    expect(await expectData(dispute, 201)).toMatchObject({ amount: 14 });
  });

  test('keeps the later expiry date of a stored card that is sent again with a former one', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { paymentMethodId, token } = await storeCard(service, customerId);
    const card = { number: '4111111111111111', expiryMonth: '07', expiryYear: '2035' };
    expect(await storeCard(service, customerId, undefined, { card })).toMatchObject({
      paymentMethodId,
      token,
      expiryMonth: '12',
      expiryYear: '2039',
    });
    const renewed = { ...card, expiryYear: '2040' };
    expect(await storeCard(service, customerId, undefined, { card: renewed })).toMatchObject({ paymentMethodId, expiryYear: '2040' });
  });

  test.each([
    ['378282246310005', '123', 'The security code of American Express has 4 digits. It is on the front of the card.'],
    ['4111111111111111', '1234', 'The security code has 3 digits. It is on the back of the card.'],
  ])('refuses a security code of %s with the digits of another brand', async (number, cvv, message) => {
    const { api } = fixture();
    const card = { number, expiryMonth: '12', expiryYear: '2039', cvv };
    const error = await expectError(api.admin.post('/transactions', { ...cardBody(20), card }), 400, 'INVALID_CVV', 'card.cvv');
    expect(error.message).toBe(message);
    const right = { ...card, cvv: number.startsWith('3') ? '1234' : '123' };
    expect(await expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(20), card: right }))).toMatchObject({
      status: 'approved',
    });
  });

  test('says how to record a dispute above the captured amount', async () => {
    const { api } = fixture();
    const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(14)));
    const dispute = (more: object) => api.admin.post<{ amount: number }>('/disputes', { transactionId, reason: 'fraudulent', ...more });
    const error = await expectError(dispute({ amount: 14.35 }), 422, 'INVALID_AMOUNT', 'amount');
    expect(error.message).toContain('send the captured amount, and the difference as `feeAmount`');
    expect(await expectData(dispute({ amount: 14, feeAmount: 0.35 }), 201)).toMatchObject({ amount: 14 });
  });

  test('takes blank query parameters as not given, and refuses unknown ones that are blank', async () => {
    const { api } = fixture();
    await expectData(api.admin.get('/transactions?status=&merchantId=&startDate=&q=%20&limit=&minAmount='));
    await expectError(api.admin.get('/transactions?state='), 400, 'VALIDATION_ERROR', 'state');
    await expectError(api.admin.get('/reporting/journal?startDate=&endDate=2026-11-30'), 400, 'REQUIRED_FIELD_MISSING', 'startDate');
  });

  test('names time zones in their own capitals, and refuses offsets and unknown countries', async () => {
    const { api } = fixture();
    const create = (more: object) => api.admin.post<{ timezone: string }>('/merchants', { name: 'Places', ...more });
    expect(await expectData(create({ timezone: 'europe/berlin', country: 'DE' }), 201)).toMatchObject({ timezone: 'Europe/Berlin' });
    expect(await expectData(create({ timezone: 'US/Eastern' }), 201)).toMatchObject({ timezone: 'US/Eastern' });
    await expectError(create({ timezone: '+02:00' }), 400, 'VALIDATION_ERROR', 'timezone');
    await expectError(create({ country: 'XX' }), 400, 'VALIDATION_ERROR', 'country');
    const error = await expectError(create({ country: 'UK' }), 400, 'VALIDATION_ERROR', 'country');
    expect(error.message).toContain('Send GB');
  });
});
