import { expect, test } from 'vitest';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError, onAnyDatabase } from '../../support/server.ts';

let turn = 0;
const CARD = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '123' };

function order(more: Record<string, unknown> = {}) {
  turn += 1;
  return {
    amount: '24.50',
    currency: 'USD',
    gid: `gid://shopify/PaymentSession/${process.pid}-${turn}`,
    paymentMethod: { type: 'card', data: CARD },
    cancelUrl: 'https://shop.example/cancel',
    orderId: `#10${turn}`,
    customer: { email: 'Ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    ...more,
  };
}

const sell = ({ api }: ApiFixture, body: object) => api.public.post<TransactionRecord>('/shopifyTransaction', body);

onAnyDatabase('creates a sale with order, buyer and gid from a card of the platform', async (fixture) => {
  const body = order();
  const sold = await expectData(sell(fixture, body));
  expect(sold).toMatchObject({
    type: 'sale',
    status: 'approved',
    amount: 24.5,
    orderId: body.orderId,
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    metadata: { gid: body.gid, cancelUrl: body.cancelUrl },
  });
  const found = await expectData(fixture.api.public.get<TransactionRecord>(`/transaction/${sold.transactionId}`));
  expect(found.orderId).toBe(body.orderId);
});

onAnyDatabase('accepts a stored token', async (fixture) => {
  const { token } = await expectData(
    fixture.api.public.post<{ token: string }>('/tokenize-card', { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031' }),
  );
  const sold = await expectData(sell(fixture, order({ paymentMethod: { type: 'token', data: { token } } })));
  expect(sold).toMatchObject({ status: 'approved', paymentMethod: 'token' });
});

onAnyDatabase('returns a decline as HTTP 200 with its transaction', async (fixture) => {
  const answer = await sell(fixture, order({ paymentMethod: { type: 'card', data: { ...CARD, number: CARDS.declined } } }));
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toMatchObject({ success: false, data: { status: 'declined', declineCode: 'card_declined' } });
});

onAnyDatabase('charges once for a repeated request of the platform, also with twenty in parallel', async (fixture) => {
  const body = order();
  const answers = await Promise.all(Array.from({ length: 20 }, () => sell(fixture, body)));
  const again = await sell(fixture, { ...body, cancelUrl: 'https://shop.example/cancel?session=another', customer: undefined });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  for (const { status, text } of answers) expect(status === 200 ? text : status).toEqual(status === 200 ? again.text : 409);
  const { data } = JSON.parse((await fixture.api.admin.get(`/transactions?q=${encodeURIComponent(body.orderId)}`)).text) as {
    data: TransactionRecord[];
  };
  expect(data).toHaveLength(1);
});

onAnyDatabase('creates another sale for another amount under the same gid', async (fixture) => {
  const body = order();
  const first = await expectData(sell(fixture, body));
  const second = await expectData(sell(fixture, { ...body, amount: '30.00' }));
  expect(second.transactionId).not.toBe(first.transactionId);
});

describeOnAnyDatabase('shopifyTransaction', (fixture) => {
  const withData = (type: string, data: object) => ({ paymentMethod: { type, data } });
  test.each([
    ['no gid', { gid: undefined }, 'REQUIRED_FIELD_MISSING', 'gid'],
    ['no amount', { amount: undefined }, 'REQUIRED_FIELD_MISSING', 'amount'],
    ['no data', { paymentMethod: { type: 'card' } }, 'REQUIRED_FIELD_MISSING', 'paymentMethod.data'],
    ['empty data', withData('card', {}), 'REQUIRED_FIELD_MISSING', 'paymentMethod.data.number'],
    ['a bad number', withData('card', { ...CARD, number: '4111' }), 'INVALID_CARD_NUMBER', 'paymentMethod.data.number'],
    ['a card of the past', withData('card', { ...CARD, expiryYear: '2020' }), 'CARD_EXPIRED', 'paymentMethod.data.expiryYear'],
    ['a token that is a number', withData('token', { token: 7 }), 'VALIDATION_ERROR', 'paymentMethod.data.token'],
    ['another type', withData('cash', CARD), 'VALIDATION_ERROR', 'paymentMethod.type'],
    ['half a cent', { amount: '1.005' }, 'INVALID_AMOUNT', 'amount'],
    ['no such currency', { currency: 'XYZ' }, 'INVALID_CURRENCY', 'currency'],
    ['a bad address', { customer: { email: 'nobody' } }, 'INVALID_EMAIL', 'customer.email'],
  ])('refuses %s under the field name that was sent', async (_, change, code, field) => {
    await expectError(sell(fixture(), order(change)), 400, code, field);
  });
});
