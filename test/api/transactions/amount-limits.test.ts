import { expect, test } from 'vitest';
import type { TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';

describeOnAnyDatabase('the maximum amount of a merchant', (fixture) => {
  async function limited(type: 'sale' | 'auth') {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    await expectData(api.admin.put(`/merchants/${merchantId}/fraud-settings`, { maxAmount: 100 }));
    const { transactionId } = await sell(fixture(), merchantId, 80, { type });
    const post = (operation: string, body: object) =>
      api.admin.post<TransactionRecord>(`/transactions/${transactionId}/${operation}`, body);
    return { merchantId, transactionId: String(transactionId), post, api };
  }

  test.each([
    ['a tip of a sale', 'sale', 'tip', { tipAmount: 21 }, { tipAmount: 20 }],
    ['a tip of an authorization', 'auth', 'tip', { tipAmount: 21 }, { tipAmount: 20 }],
    ['a raised authorization', 'auth', 'adjust', { amount: 101 }, { amount: 100 }],
    ['an unlinked credit', 'sale', 'credit', { amount: 101 }, { amount: 100 }],
  ] as const)('is compared with the new total of %s', async (_name, type, operation, above, within) => {
    const { post, transactionId, api } = await limited(type);
    const { details, message } = await expectError(post(operation, above), 422, 'INVALID_AMOUNT');
    expect(details).toMatchObject({ reason: 'merchant_limit' });
    expect(message).toContain('100 USD');
    expect(await expectData(api.admin.get(`/transactions/${transactionId}`))).toMatchObject({ amount: 80, status: 'approved' });
    await expectData(post(operation, within));
  });

  test('never stops what returns money or lowers a total', async () => {
    const { post, merchantId, api } = await limited('auth');
    await expectData(post('adjust', { amount: 100 }));
    await expectData(api.admin.put(`/merchants/${merchantId}/fraud-settings`, { maxAmount: 50 }));
    await expectData(post('adjust', { amount: 90 }));
    await expectData(post('capture', { amount: 90 }));
    await expectData(post('refund', { amount: 60 }));
  });
});
