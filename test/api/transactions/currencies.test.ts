import { expect } from 'vitest';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';

const card = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
const sdkCard = { CardNumber: CARDS.visa, ExpiryDate: '1231' };

onAnyDatabase(
  'charges the currency of the request on the Public and SDK surface, and that of the merchant without one',
  async ({ api }) => {
    const sale = (body: object) => api.public.post<TransactionRecord>('/transaction', { Amount: 1200, ...card, ...body });
    const yen = await expectData(sale({ Currency: 'JPY' }));
    expect(yen).toMatchObject({ amount: 1200, currency: 'JPY' });
    expect(await expectData(sale({}))).toMatchObject({ currency: 'USD' });
    const charged = api.public.post<TransactionRecord>('/token-transaction', { token: yen.token, amount: 12, currency: 'EUR' });
    expect(await expectData(charged)).toMatchObject({ amount: 12, currency: 'EUR' });
    const sdk = (body: object) => api.sdk.post<{ Currency: string; Amount: string }>('/transaction', { Amount: '12', ...sdkCard, ...body });
    expect(await expectData(sdk({ Currency: 'KWD' }))).toMatchObject({ Amount: '12.000', Currency: 'KWD' });
    expect((await expectData(sdk({}))).Currency).toBe('USD');
    await expectError(sale({ Currency: 'yen' }), 400, 'INVALID_CURRENCY', 'Currency');
    await expectError(sale({ Currency: 'HRK' }), 400, 'INVALID_CURRENCY', 'Currency');
    await expectError(sdk({ Currency: 'JPY', Amount: '12.50' }), 400, 'INVALID_AMOUNT', 'Amount');
    // A refund is in the currency of its payment, so another one would return another amount.
    const refund = { transactionId: yen.transactionId, amount: 10, currency: 'USD' };
    await expectError(api.public.post('/refund', refund), 400, 'VALIDATION_ERROR', 'currency');
  },
);
