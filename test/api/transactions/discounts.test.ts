import { expect, test } from 'vitest';
import { CARDS, cardBody, createDeclinedSale, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { findEvent } from '../../support/webhooks.ts';

interface Discounted extends TransactionRecord {
  tenderId: string;
  taxAmount: number;
  discountAmount: number;
  lineItems: { discountAmount: number; taxAmount: number; amount: number }[];
}

/** Two lines of 20.00 and 10.00 with 4.00 and 1.00 off; the tax of the first is added. */
const LINES = [
  { description: 'Chain', quantity: 2, unitPrice: 10, taxRate: 10, discountAmount: 4 },
  { description: 'Bell', unitPrice: '10.00', discountAmount: '1.00' },
];
const LINES_AMOUNT = 26.6;
const EXPECTED = { amount: LINES_AMOUNT, taxAmount: 1.6, discountAmount: 5 };
const EXPECTED_LINES = [
  { discountAmount: 4, taxAmount: 1.6, amount: 17.6 },
  { discountAmount: 1, taxAmount: 0, amount: 9 },
];

const readTransaction = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<Discounted>(`/transactions/${id}`));

describeOnAnyDatabase('discounts', (fixture) => {
  test('without lines are at most 99 percent of the price, also without a rule for discounts', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const sell = (discountAmount: number) => api.admin.post('/transactions', { ...cardBody(50, CARDS.visa), discountAmount, merchantId });
    await expectError(sell(4950.01), 400, 'INVALID_AMOUNT', 'discountAmount');
    await expectError(sell(1_000_000), 400, 'INVALID_AMOUNT', 'discountAmount');
    await expectError(api.admin.post('/tenders', { kind: 'cash', amount: 1, discountAmount: 99.01, merchantId }), 400, 'INVALID_AMOUNT');
    await expectData(sell(4950));
  });

  test('are kept by sales, authorizations and tenders with lines, in every read of them', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const sale = await expectData(api.admin.post<Discounted>('/transactions', { ...cardBody(LINES_AMOUNT), lineItems: LINES, merchantId }));
    expect(sale).toMatchObject({ ...EXPECTED, lineItems: EXPECTED_LINES });
    expect(await readTransaction(service, sale.transactionId)).toMatchObject({ ...EXPECTED, lineItems: EXPECTED_LINES });
    const held = await expectData(
      api.admin.post<Discounted>('/transactions', {
        ...cardBody(LINES_AMOUNT),
        type: 'auth',
        lineItems: LINES,
        discountAmount: 5,
        merchantId,
      }),
    );
    expect(held).toMatchObject(EXPECTED);
    const tender = await expectData(
      api.admin.post<Discounted>('/tenders', { kind: 'cash', amount: LINES_AMOUNT, lineItems: LINES, merchantId }),
      201,
    );
    expect(tender).toMatchObject({ ...EXPECTED, lineItems: EXPECTED_LINES });
    expect(await expectData(api.admin.get(`/tenders/${tender.tenderId}`))).toMatchObject(EXPECTED);
    interface Payment {
      transaction: Discounted | null;
      tender: Discounted | null;
    }
    const list = await expectData(api.admin.get<Payment[]>(`/payments?merchantId=${merchantId}`));
    expect(list.map((payment) => (payment.transaction ?? payment.tender)?.discountAmount)).toEqual([5, 5, 5]);
    const approved = await findEvent(service, 'transaction.approved', ({ data }) => data.transactionId === sale.transactionId);
    expect(approved.data).toMatchObject({ amount: LINES_AMOUNT, discountAmount: 5 });
    const received = await findEvent(service, 'tender.created', ({ data }) => data.tenderId === tender.tenderId);
    expect(received.data).toMatchObject({ amount: LINES_AMOUNT, discountAmount: 5 });
  });

  test('are stated alone without lines, and stay what they were after a capture, a refund and a void', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const body = { ...cardBody(45), discountAmount: 5, merchantId };
    const sale = await expectData(api.admin.post<Discounted>('/transactions', body));
    expect(sale).toMatchObject({ amount: 45, capturedAmount: 45, discountAmount: 5 });
    await expectData(api.admin.post(`/transactions/${sale.transactionId}/refund`, { amount: 20 }));
    expect(await readTransaction(service, sale.transactionId)).toMatchObject({ refundedAmount: 20, discountAmount: 5 });
    await expectData(api.admin.post(`/transactions/${sale.transactionId}/refund`));
    expect(await readTransaction(service, sale.transactionId)).toMatchObject({ refundedAmount: 45, discountAmount: 5 });
    const held = await expectData(api.admin.post<Discounted>('/transactions', { ...body, type: 'auth' }));
    const captured = await expectData(api.admin.post<Discounted>(`/transactions/${held.transactionId}/capture`, { amount: 30 }));
    expect(captured).toMatchObject({ capturedAmount: 30, discountAmount: 5 });
    const tender = await expectData(
      api.admin.post<Discounted>('/tenders', { kind: 'cash', amount: 45, discountAmount: 5, merchantId }),
      201,
    );
    await expectData(api.admin.post(`/tenders/${tender.tenderId}/refund`, { amount: 20 }), 201);
    expect(await expectData(api.admin.get(`/tenders/${tender.tenderId}`))).toMatchObject({ refundedAmount: 20, discountAmount: 5 });
    const [header = '', ...lines] = (await api.admin.get(`/payments/export?merchantId=${merchantId}`)).text.trim().split('\r\n');
    const column = header.split(',').indexOf('discountAmount');
    expect(lines.map((line) => line.split(',')[column])).toEqual(['5.00', '5.00', '5.00']);
    const tenders = (await api.admin.get(`/tenders/export?merchantId=${merchantId}`)).text.trim().split('\r\n');
    expect(tenders[1]?.split(',')[tenders[0]?.split(',').indexOf('discountAmount') ?? -1]).toBe('5.00');
  });

  test('are left out of the sum of a receipt after the authorized amount was changed, but not after a tip', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const authorize = async (body: object) =>
      (await expectData(api.admin.post<Discounted>('/transactions', { ...cardBody(LINES_AMOUNT), type: 'auth', merchantId, ...body })))
        .transactionId;
    const receiptOf = async (transactionId: string) => {
      const print = { transactionId, format: 'text' };
      const { content } = await expectData(api.admin.post<{ content: string }>('/notifications/receipt/print', print));
      return content.replaceAll(/\s+/g, ' ');
    };
    const itemized = await authorize({ lineItems: LINES });
    await expectData(api.admin.post(`/transactions/${itemized}/adjust`, { amount: 13.3 }));
    const lowered = await receiptOf(itemized);
    expect(lowered).toContain('Originally authorized 26.60 USD');
    expect(lowered).toContain('Amount 12.50 USD Sales tax 0.80 USD');
    expect(lowered).toContain('Authorized 13.30 USD');
    await expectData(api.admin.post(`/transactions/${itemized}/capture`, { amount: 5 }));
    expect(await receiptOf(itemized)).toContain('Originally authorized 26.60 USD Authorized 13.30 USD');

    const plain = await authorize({ discountAmount: 5, tipAmount: 2 });
    await expectData(api.admin.post(`/transactions/${plain}/capture`, { tipAmount: 0 }));
    await expectData(api.admin.post(`/transactions/${plain}/tip`, { tipAmount: 3 }));
    const tipped = await receiptOf(plain);
    expect(tipped).not.toContain('Originally');
    expect(tipped).toContain('Amount 31.60 USD Discount -5.00 USD Tip 3.00 USD');
  });

  test('leave refunds in parts that add up to the charged amount and its tax, also if ten of them arrive at the same time', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    type Refunded = RefundRecord & { tipAmount: number; taxAmount: number };
    const charged = LINES_AMOUNT + 2;
    const body = { ...cardBody(charged), lineItems: LINES, tipAmount: 2, merchantId };
    const { transactionId } = await expectData(api.admin.post<Discounted>('/transactions', body));
    const refund = (amount?: number) =>
      api.admin.post<Refunded>(`/transactions/${transactionId}/refund`, amount === undefined ? {} : { amount });
    // Ten times 3.33 exceed what was charged: eight fit in.
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(3.33)));
    const refunds = answers.filter(({ status }) => status === 200).map(({ body: { data } }) => data);
    expect(refunds).toHaveLength(8);
    for (const { status, body: refused } of answers) if (status !== 200) expect(refused.error?.code).toBe('INVALID_AMOUNT');
    // 1.96 of the charged 28.60 is left: the discount of 5.00 can never be refunded.
    await expectError(refund(6.96), 422, 'INVALID_AMOUNT');
    refunds.push(await expectData(refund()));
    const sumOf = (part: 'amount' | 'tipAmount' | 'taxAmount') => refunds.reduce((sum, each) => sum + Math.round(each[part] * 100), 0);
    expect([sumOf('amount'), sumOf('tipAmount'), sumOf('taxAmount')]).toEqual([2_860, 200, 160]);
    await expectError(refund(0.01), 409, 'ALREADY_REFUNDED');
    const tender = await expectData(
      api.admin.post<Discounted>('/tenders', { kind: 'cash', amount: LINES_AMOUNT, lineItems: LINES, merchantId }),
      201,
    );
    const cash = (amount: number) => api.admin.post<Refunded>(`/tenders/${tender.tenderId}/refund`, { amount });
    const given = await Promise.all(Array.from({ length: 10 }, () => cash(3.33)));
    expect(given.filter(({ status }) => status === 201)).toHaveLength(7);
    await expectError(cash(8.29), 422, 'INVALID_AMOUNT');
    await expectData(cash(3.29), 201);
    const returned = await expectData(
      api.admin.get<{ refundedAmount: number; refunds: { taxAmount: number }[] }>(`/tenders/${tender.tenderId}`),
    );
    expect(returned).toMatchObject({ refundedAmount: LINES_AMOUNT, discountAmount: 5 });
    expect(returned.refunds.reduce((sum, { taxAmount }) => sum + Math.round(taxAmount * 100), 0)).toBe(160);
  });

  test('are repeated by a rerun', async () => {
    const service = fixture();
    const declined = await createDeclinedSale(service, CARDS.visa, LINES_AMOUNT, { lineItems: LINES });
    const rerun = await expectData(service.api.admin.post<Discounted>(`/transactions/${declined.transactionId}/rerun`));
    expect(rerun).toMatchObject({ ...EXPECTED, lineItems: EXPECTED_LINES });
  });

  test('are kept by a payment that is charged later', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { chargeLaterMaxAmount: 100 }));
    const { customerId } = await expectData(
      api.admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', email: 'ada@example.com', merchantId }),
      201,
    );
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
    const consentText = 'Charge this card for my orders.';
    await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, { card, consentText }), 201);
    const queue = async (body: object, expected: object) => {
      const later = await expectData(api.admin.post<{ queuedPaymentId: string }>('/queued-payments', { customerId, ...body }), 201);
      expect(later).toMatchObject(expected);
      const path = `/queued-payments/${later.queuedPaymentId}`;
      await api.admin.post(`${path}/release`);
      await expect.poll(async () => (await expectData(api.admin.get<{ status: string }>(path))).status).toBe('paid');
      const { transactionId } = await expectData(api.admin.get<{ transactionId: string }>(path));
      expect(await readTransaction(service, transactionId)).toMatchObject(expected);
    };
    await queue({ amount: LINES_AMOUNT, lineItems: LINES }, EXPECTED);
    await queue({ amount: 45, discountAmount: 5 }, { amount: 45, discountAmount: 5 });
  });
});

describeOnAnyDatabase('a discount in a request', (fixture) => {
  test('has the naming of the Public and SDK surfaces', async () => {
    const { api } = fixture();
    const card = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
    const byKey = await expectData(api.public.post<Discounted>('/transaction', { Amount: 45, DiscountAmount: '5.00', ...card }));
    expect(byKey).toMatchObject({ amount: 45, discountAmount: 5 });
    const byToken = { token: byKey.token, amount: LINES_AMOUNT, lineItems: LINES };
    expect(await expectData(api.public.post<Discounted>('/token-transaction', byToken))).toMatchObject(EXPECTED);
    expect(
      await expectData(api.public.post<Discounted>('/token-transaction', { token: byKey.token, amount: 45, discountAmount: 5 })),
    ).toMatchObject({ discountAmount: 5 });
    const sdkLines = [
      { Description: 'Chain', Quantity: 2, UnitPrice: 10, TaxRate: 10, DiscountAmount: 4 },
      { Description: 'Bell', UnitPrice: '10.00', DiscountAmount: '1.00' },
    ];
    const sdk = { Amount: '26.60', LineItems: sdkLines, CardNumber: CARDS.visa, ExpiryDate: '1231', Cvv: '123' };
    const answer = await api.sdk.post('/transaction', sdk);
    expect(answer.body).toMatchObject({
      success: true,
      data: { DiscountAmount: '5.00', LineItems: [{ DiscountAmount: '4.00' }, { DiscountAmount: '1.00' }] },
    });
    await expectError(
      api.public.post('/transaction', { Amount: 45, DiscountAmount: -1, ...card }),
      400,
      'INVALID_AMOUNT',
      'DiscountAmount',
    );
    await expectError(api.sdk.post('/transaction', { ...sdk, DiscountAmount: 'x' }), 400, 'INVALID_AMOUNT', 'DiscountAmount');
  });

  test.each([
    ['a sum that is not that of the lines', { discountAmount: 4.99, lineItems: LINES }, 'discountAmount'],
    ['a negative sum', { discountAmount: -1 }, 'discountAmount'],
    ['a fraction of a cent', { discountAmount: 1.005 }, 'discountAmount'],
    ['a negative discount of a line', { lineItems: [{ ...LINES[1], discountAmount: -1 }] }, 'lineItems.0.discountAmount'],
    ['more than the price of a line', { lineItems: [LINES[0], { ...LINES[1], discountAmount: 10.01 }] }, 'lineItems.1.discountAmount'],
    ['an amount before the discount', { amount: 31.6, lineItems: LINES }, 'amount'],
    ['a tax of the price before the discount', { taxAmount: 2, lineItems: LINES }, 'taxAmount'],
  ])('is refused if it is %s', async (_, body, field) => {
    const { api } = fixture();
    const sale = { ...cardBody(LINES_AMOUNT), ...body };
    const error = await expectError(api.admin.post('/transactions', sale), 400, 'INVALID_AMOUNT', field);
    if (field === 'discountAmount' && 'lineItems' in body) expect(error.details).toEqual({ expectedDiscountAmount: 5 });
    const tender = { kind: 'cash', amount: LINES_AMOUNT, ...body };
    await expectError(api.admin.post('/tenders', tender), 400, 'INVALID_AMOUNT', field);
  });

  test('can take off the whole price of one line', async () => {
    const { api } = fixture();
    const lineItems = [LINES[0], { ...LINES[1], discountAmount: 10 }];
    const sale = await expectData(api.admin.post<Discounted>('/transactions', { ...cardBody(17.6), lineItems }));
    expect(sale).toMatchObject({ discountAmount: 14, lineItems: [{ amount: 17.6 }, { amount: 0, taxAmount: 0, discountAmount: 10 }] });
  });

  test('is no part of an unlinked credit, also of one for a discounted sale', async () => {
    const { api } = fixture();
    const { transactionId } = await expectData(api.admin.post<Discounted>('/transactions', { ...cardBody(45), discountAmount: 5 }));
    const credit = await expectData(api.admin.post<Discounted>(`/transactions/${transactionId}/credit`, { amount: 10 }));
    expect(credit).toMatchObject({ type: 'credit', amount: 10, discountAmount: 0 });
  });
});
