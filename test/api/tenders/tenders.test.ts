import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { cardBody } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { getTender, refundTender, type TenderRecord, type TenderRefundRecord, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);

interface Summary {
  salesAmount: number;
  refundsAmount: number;
  byMethod: { key: string; amount: number }[];
  tenders: { kind: string; salesCount: number; salesAmount: number; refundsCount: number; refundsAmount: number }[];
}

interface Ledger {
  merchants: { accounts: Record<string, number> }[];
  balanced: boolean;
}

onAnyDatabase('books cash, checks and other tenders with numbers without gaps in figures, journal and ledger', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { otherTenders: ['Gift voucher'] }));
  const cash = await takeTender(fixture, 42.5, { amountGiven: 50, merchantId });
  expect(cash).toMatchObject({ number: 'T-000001', change: 7.5, status: 'received', shiftId: null, drawer: 'Drawer 1' });
  const check = await takeTender(fixture, 30, { kind: 'check', checkNumber: '1042', checkBank: 'First Harbor Bank', merchantId });
  const voucher = await takeTender(fixture, 20, { kind: 'other', name: 'gift VOUCHER', merchantId });
  expect(voucher).toMatchObject({ number: 'T-000003', name: 'Gift voucher' });
  await expectError(
    api.admin.post('/tenders', { kind: 'cash', amount: 5, amountGiven: 4, merchantId }),
    400,
    'INVALID_AMOUNT',
    'amountGiven',
  );
  await expectError(api.admin.post('/tenders', { kind: 'check', amount: 5, merchantId }), 400, 'REQUIRED_FIELD_MISSING', 'checkNumber');
  await expectError(api.admin.post('/tenders', { kind: 'other', name: 'Shells', amount: 5, merchantId }), 400, 'VALIDATION_ERROR', 'name');
  await expectError(api.admin.post('/tenders', { kind: 'cash', checkNumber: '1', amount: 5, merchantId }), 400, 'VALIDATION_ERROR');

  const refund = await expectData(refundTender(fixture, cash.tenderId, { amount: 12.5, reason: 'Damaged' }), 201);
  expect(refund).toMatchObject({ number: 'T-000004', amount: 12.5 });
  const error = await expectError(refundTender(fixture, cash.tenderId, { amount: 30.01 }), 422, 'INVALID_AMOUNT');
  expect(error.details).toMatchObject({ availableToRefund: 30 });
  await expectData(refundTender(fixture, check.tenderId), 201);
  await expectError(refundTender(fixture, check.tenderId), 409, 'ALREADY_REFUNDED');
  expect(await getTender(fixture, cash.tenderId)).toMatchObject({ status: 'partially_refunded', refunds: [{ amount: 12.5 }] });

  const summary = await expectData(api.admin.get<Summary>(`/reporting/daily-summary?merchantId=${merchantId}`));
  expect(summary).toMatchObject({ salesAmount: 92.5, refundsAmount: 42.5 });
  expect(summary.tenders).toEqual([
    { kind: 'cash', salesCount: 1, salesAmount: 42.5, refundsCount: 1, refundsAmount: 12.5 },
    { kind: 'check', salesCount: 1, salesAmount: 30, refundsCount: 1, refundsAmount: 30 },
    { kind: 'other', salesCount: 1, salesAmount: 20, refundsCount: 0, refundsAmount: 0 },
    { kind: 'gift_card', salesCount: 0, salesAmount: 0, refundsCount: 0, refundsAmount: 0 },
  ]);
  const today = await expectData(api.admin.get<{ today: Record<string, number> }>(`/reporting/today?merchantId=${merchantId}`));
  expect(today.today).toMatchObject({ salesCount: 3, salesAmount: 92.5, refundsCount: 2, refundsAmount: 42.5 });
  const ledger = await expectData(api.admin.get<Ledger>(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger).toMatchObject({ balanced: true, merchants: [{ accounts: { cash: 30, checks: 0, otherTenders: 20, tenderSales: -50 } }] });
  const date = new Date().toISOString().slice(0, 10);
  const period = `startDate=${shifted(date, -2)}&endDate=${shifted(date, 2)}`;
  const booked = await api.admin.get(`/reporting/journal?${period}&format=csv&merchantId=${merchantId}`);
  for (const account of ['Assets:Cash-Drawer', 'Assets:Checks-Received', 'Assets:Other-Tenders']) expect(booked.text).toContain(account);
  expect(await expectData(api.admin.post('/settlement/settle', { merchantId }))).toEqual([]);
});

const shifted = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

onBothDatabases('refunds a tender once of ten parallel refunds, and numbers ten parallel sales without gaps', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const sales = await Promise.all(TEN.map(() => takeTender(fixture, 10, { merchantId })));
  expect(sales.map(({ number }) => number).toSorted()).toEqual(TEN.map((n) => `T-${String(n + 1).padStart(6, '0')}`));
  const { tenderId = '' } = sales[0] ?? {};
  const whole = await Promise.all(TEN.map(() => refundTender(fixture, tenderId)));
  expect(whole.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  const other = sales[1]?.tenderId ?? '';
  const parts = await Promise.all(TEN.map(() => refundTender(fixture, other, { amount: 3 })));
  expect(parts.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(await getTender(fixture, other)).toMatchObject({ refundedAmount: 9 });
});

onAnyDatabase('records a tender once per Idempotency-Key, and replays its response', async ({ api }) => {
  const key = { 'Idempotency-Key': randomUUID() };
  const body = { kind: 'cash', amount: 12 };
  const [first, second] = [await api.public.post<TenderRecord>('/tenders', body, key), await api.public.post('/tenders', body, key)];
  expect(first.status).toBe(201);
  expect(second.text).toBe(first.text);
  const refundKey = { 'Idempotency-Key': randomUUID() };
  const path = `/tenders/${first.body.data.tenderId}/refund`;
  const refunds = [await api.public.post(path, { amount: 2 }, refundKey), await api.public.post(path, { amount: 2 }, refundKey)];
  expect(refunds[1]?.text).toBe(refunds[0]?.text);
});

onAnyDatabase('pays an invoice in cash with a tender, whose refund leaves the invoice paid', async (fixture) => {
  const { api } = fixture;
  const { customerId } = await createCustomer(fixture, { firstName: 'Ann', lastName: 'Marsh', email: 'ann.cash@customer.example' });
  const { invoiceId, number } = await createInvoice(fixture, customerId);
  const paid = await expectData(payInvoice(fixture, invoiceId, { paymentMethod: 'check', reference: '77', amount: 60 }));
  const { tenderId } = paid.payments.at(-1) as unknown as { tenderId: string };
  expect(await getTender(fixture, tenderId)).toMatchObject({
    kind: 'check',
    checkNumber: '77',
    amount: 60,
    invoiceId,
    customerName: 'Ann Marsh',
  });
  await expectData(refundTender(fixture, tenderId, { amount: 10 }), 201);
  const after = await expectData(api.admin.get<InvoiceRecord>(`/invoices/${invoiceId}`));
  expect(after).toMatchObject({ number, amountPaid: 60, payments: [{ refundedAmount: 10 }] });

  await expectData(api.admin.delete(`/customers/${customerId}`));
  expect(await getTender(fixture, tenderId)).toMatchObject({ customerName: null, customerEmail: null });
});

describeOnAnyDatabase('tenders', (fixture) => {
  test('prints, sends and downloads receipts of a tender and its refund, in Spanish if the merchant uses it', async () => {
    const { api } = fixture();
    const { tenderId } = await takeTender(fixture(), 42.5, { amountGiven: 50, customerEmail: 'Ann@customer.example' });
    const print = (body: Record<string, unknown>) =>
      expectData(api.admin.post<{ content: string; isDuplicate: boolean }>('/notifications/receipt/print', { format: 'text', ...body }));
    const first = await print({ tenderId });
    expect(first.content.replaceAll(/ +/g, ' ')).toMatch(
      /Paid by Cash[\s\S]*Amount given 50\.00 USD[\s\S]*Change 7\.50 USD[\s\S]*Total 42\.50 USD/,
    );
    expect((await print({ tenderId })).content).toContain('DUPLICATE');
    const { refundId } = await expectData(refundTender(fixture(), tenderId, { amount: 2, reason: 'Damaged' }), 201);
    expect((await print({ tenderId, refundId })).content.replaceAll(/ +/g, ' ')).toMatch(
      /REFUND[\s\S]*Reason Damaged[\s\S]*Refunded 2\.00 USD/,
    );
    await expectError(api.admin.post('/notifications/receipt/print', { tenderId, refundId: 'trf_x' }), 404, 'NOT_FOUND');
    await expectData(api.admin.post('/notifications/receipt/email', { tenderId }));
    const pdf = await api.admin.get(`/notifications/receipts/${tenderId}/pdf?refundId=${refundId}`);
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);

    const merchantId = await createMerchant(fixture());
    await expectData(api.admin.put(`/merchants/${merchantId}/settings`, { language: 'es' }));
    const spanish = await takeTender(fixture(), 10, { amountGiven: 20, merchantId });
    expect((await print({ tenderId: spanish.tenderId })).content).toContain('Efectivo');
  });

  test('lists, filters and exports tenders of the merchants that the caller may see', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const check = await takeTender(fixture(), 30, { kind: 'check', checkNumber: '=1042', orderId: 'order-9', merchantId });
    const cash = await takeTender(fixture(), 5, { merchantId });
    const list = (query: string) => expectData(api.admin.get<TenderRecord[]>(`/tenders?merchantId=${merchantId}&${query}`));
    expect((await list('')).map(({ tenderId }) => tenderId)).toEqual([cash.tenderId, check.tenderId]);
    expect((await list('kind=check')).map(({ tenderId }) => tenderId)).toEqual([check.tenderId]);
    for (const q of ['T-000001', '1', 'order-9', check.tenderId]) expect(await list(`q=${q}`)).toHaveLength(1);
    const csv = await api.admin.get(`/tenders/export?merchantId=${merchantId}`);
    expect(csv.text.split('\r\n')).toHaveLength(4);
    expect(csv.text).toContain("'=1042");

    const stranger = await createUser(fixture(), 'cashier');
    await expectError(api.bare.get(`/api/v1/tenders/${cash.tenderId}`, stranger.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(api.bare.post(`/api/v1/tenders/${cash.tenderId}/refund`, {}, stranger.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    const viewer = await createUser(fixture(), 'viewer', {}, merchantId);
    await expectError(api.bare.post('/api/v1/tenders', { kind: 'cash', amount: 5 }, viewer.headers), 403, 'PERMISSION_DENIED');
  });

  test('lets a cashier take and return cash, and separates refunding from taking', async () => {
    const { api, credentials } = fixture();
    const cashier = await createUser(fixture(), 'cashier');
    const taken = await expectData(api.bare.post<TenderRecord>('/api/v1/tenders', { kind: 'cash', amount: 5 }, cashier.headers), 201);
    await expectData(api.bare.post<TenderRefundRecord>(`/api/v1/tenders/${taken.tenderId}/refund`, {}, cashier.headers), 201);
    const seller = await createUser(fixture(), 'viewer', { permissions: ['tenders:read', 'tenders:write'] }, credentials.merchantId);
    const sold = await expectData(api.bare.post<TenderRecord>('/api/v1/tenders', { kind: 'cash', amount: 5 }, seller.headers), 201);
    const refused = await expectError(
      api.bare.post(`/api/v1/tenders/${sold.tenderId}/refund`, {}, seller.headers),
      403,
      'PERMISSION_DENIED',
    );
    expect(refused.details).toMatchObject({ permission: 'tenders:refund' });
  });
});

describeOnAnyDatabase('the tax of a payment', (fixture) => {
  const RANGE = 'be 0 or more, with at most the decimals of the currency.';
  const TYPE = 'be a number or text, not ';

  test.each([
    ...[-1, '01', '0x0', 'abc', '1e1'].map((taxAmount) => [taxAmount, RANGE] as const),
    ['1.234', 'have at most 2 decimals in USD. Round it, or send it as text such as "5.00".'],
    [true, `${TYPE}true or false.`],
    [[], `${TYPE}a list.`],
    [{}, `${TYPE}an object.`],
  ] as const)('is refused with one sentence, by card and in cash: %j', async (taxAmount, requirement) => {
    const { api } = fixture();
    const sale = { ...cardBody(20), taxAmount };
    for (const request of [api.admin.post('/transactions', sale), api.admin.post('/tenders', { kind: 'cash', amount: 20, taxAmount })])
      expect((await expectError(request, 400, 'INVALID_AMOUNT', 'taxAmount')).message).toBe(`\`taxAmount\` must ${requirement}`);
  });

  test('can be 0 or not given, by card and in cash', async () => {
    for (const taxAmount of [0, '0', '0.00', '', ' ', null]) {
      await expectData(fixture().api.admin.post('/transactions', { ...cardBody(20), taxAmount }));
      await takeTender(fixture(), 20, { taxAmount });
    }
  });
});

onAnyDatabase('records the tax of a tender and returns its share with each refund, to the cent', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const { tenderId, ...sale } = await takeTender(fixture, 10.07, { merchantId, taxAmount: 0.83 });
  expect(sale).toMatchObject({ amount: 10.07, taxAmount: 0.83 });
  await expectError(api.admin.post('/tenders', { kind: 'cash', amount: 5, taxAmount: 6, merchantId }), 400, 'INVALID_AMOUNT', 'taxAmount');
  const lines = [{ description: 'Mug', unitPrice: 10, taxRate: 8 }];
  await expectError(
    api.admin.post('/tenders', { kind: 'cash', amount: 10.8, taxAmount: 0.7, lineItems: lines, merchantId }),
    400,
    'INVALID_AMOUNT',
    'taxAmount',
  );
  expect(await takeTender(fixture, 10.8, { lineItems: lines, merchantId })).toMatchObject({ taxAmount: 0.8 });

  const taxes = async () => (await expectData(api.admin.get(`/reporting/daily-summary?merchantId=${merchantId}`))).taxesAmount;
  expect(await taxes()).toBe(1.63);
  const refunds = await Promise.all(Array.from({ length: 10 }, () => refundTender(fixture, tenderId, { amount: 1.01 })));
  const made = refunds.filter(({ status }) => status === 201).map(({ body }) => body.data as TenderRefundRecord & { taxAmount: number });
  expect(made).toHaveLength(9);
  const last = await expectData(refundTender(fixture, tenderId), 201);
  const returned = [...made, last as typeof last & { taxAmount: number }].reduce(
    (sum, { taxAmount }) => sum + Math.round(taxAmount * 100),
    0,
  );
  expect(returned).toBe(83);
  const created = await findEvent(fixture, 'tender.created', ({ data }) => data.tenderId === tenderId);
  expect(created.data).toMatchObject({ amount: 10.07, taxAmount: 0.83 });
  const refunded = await findEvent(fixture, 'tender.refunded', ({ data }) => data.refundId === last.refundId);
  expect(refunded.data).toMatchObject({
    taxAmount: 0.83,
    refundedTaxAmount: (last as typeof last & { taxAmount: number }).taxAmount,
    approvedBy: null,
  });
  expect(await taxes()).toBe(0.8);
  const ledger = await expectData(api.admin.get(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger).toMatchObject({ balanced: true, merchants: [{ accounts: { taxes: -0.8 } }] });
  const csv = (await api.admin.get(`/payments/export?merchantId=${merchantId}`)).text;
  expect(csv).toContain('0.83');

  const receipt = await expectData(
    api.admin.post<{ content: string }>('/notifications/receipt/print', { tenderId, copy: 'customer', format: 'text', width: '58mm' }),
  );
  expect(receipt.content).toMatch(/Sales tax +0\.83 USD/);
});
