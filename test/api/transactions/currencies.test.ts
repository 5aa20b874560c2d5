import { expect } from 'vitest';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

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

onAnyDatabase('finds an amount in the currency of each payment', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const sell = async (amount: string, currency: string) =>
    (await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(amount, CARDS.visa, { currency, merchantId }))))
      .transactionId;
  const dollars = await sell('943.00', 'USD');
  const yen = await sell('943', 'JPY');
  const dinar = await sell('943.000', 'KWD');
  const hundredfold = await sell('94300', 'JPY');
  const cents = await sell('9.43', 'USD');
  const fils = await sell('9.430', 'KWD');
  const tender = { kind: 'check', checkNumber: '12', merchantId };
  const check = await expectData(api.admin.post<{ tenderId: string }>('/tenders', { ...tender, amount: '943', currency: 'JPY' }), 201);
  const found = async (path: string, q: string) =>
    (await expectData(api.admin.get<Record<string, string>[]>(`${path}?merchantId=${merchantId}&q=${q}`))).map(
      ({ transactionId, tenderId, paymentId }) => transactionId ?? tenderId ?? paymentId,
    );
  expect((await found('/transactions', '943')).sort()).toEqual([dollars, yen, dinar].sort());
  expect((await found('/transactions', '9.43')).sort()).toEqual([cents, fils].sort());
  expect(await found('/transactions', '9.430')).toEqual([fils]);
  expect(await found('/transactions', '94300')).toEqual([hundredfold]);
  expect(await found('/tenders', '943')).toEqual([check.tenderId]);
  expect(await found('/tenders', '94300')).toEqual([]);
  expect(await expectData(api.admin.get<unknown[]>(`/payments?merchantId=${merchantId}&q=943`))).toHaveLength(4);
});
