import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, payInvoice } from '../../support/invoices.ts';
import { createOrder, getOrder } from '../../support/orders.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { closeShift, getTender, refundTender, type ShiftReportRecord, takeTender } from '../../support/tenders.ts';

const FRANCS = { currency: 'CHF', unit: 0.05 };

/** Amounts of sales with a first refund in minor units, and whether the rest is refunded too. */
const SALES = fc.sample(fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.nat(3_000), fc.boolean()), { numRuns: 12, seed: 58 });

async function swissMerchant(fixture: ApiFixture): Promise<string> {
  const merchantId = await createMerchant(fixture, { currency: 'CHF' });
  await expectData(fixture.api.admin.put(`/merchants/${merchantId}/vt-settings`, { cashRounding: FRANCS }));
  return merchantId;
}

const accountsOf = async ({ api }: ApiFixture, merchantId: string) => {
  const { balanced, merchants } = await expectData(
    api.admin.get<{ balanced: boolean; merchants: { accounts: Record<string, number> }[] }>(`/settlement/ledger?merchantId=${merchantId}`),
  );
  expect(balanced).toBe(true);
  return merchants[0]?.accounts ?? {};
};

describe('rounding of cash to the smallest coin', () => {
  onBothDatabases('rounds the parts of an order in cash like their sum, in sequence and in parallel', async (fixture) => {
    const { api } = fixture;
    const merchantId = await swissMerchant(fixture);
    const { orderId } = await createOrder(fixture, { amount: 10.02, merchantId });
    const pay = (amount: number, more = {}) => takeTender(fixture, amount, { orderId, merchantId, ...more });
    expect(await pay(3.34)).toMatchObject({ roundingAmount: 0.01 });
    expect(await pay(3.34)).toMatchObject({ roundingAmount: 0.01 });
    const tooLittle = { kind: 'cash', amount: 3.34, amountGiven: 3.25, orderId, merchantId };
    await expectError(api.admin.post('/tenders', tooLittle), 400, 'INVALID_AMOUNT', 'amountGiven');
    expect(await pay(3.34, { amountGiven: 5 })).toMatchObject({ roundingAmount: -0.04, change: 1.7 });
    const { status, payments } = await getOrder(fixture, orderId);
    expect([status, payments.map(({ roundingAmount }) => roundingAmount)]).toEqual(['paid', [0.01, 0.01, -0.04]]);
    expect(await accountsOf(fixture, merchantId)).toMatchObject({ cash: 10, cashDifferences: 0.02 });

    const { orderId: second } = await createOrder(fixture, { amount: 0.3, merchantId });
    const parts = Array.from({ length: 10 }, () => api.admin.post('/tenders', { kind: 'cash', amount: 0.03, orderId: second, merchantId }));
    expect((await Promise.all(parts)).map(({ status: code }) => code)).toEqual(Array(10).fill(201));
    expect(await accountsOf(fixture, merchantId)).toMatchObject({ cash: 10.3 });
  });

  onAnyDatabase('rounds the next part of an order by what refunds have returned', async (fixture) => {
    const merchantId = await swissMerchant(fixture);
    const { orderId } = await createOrder(fixture, { amount: 10.02, merchantId });
    const first = await takeTender(fixture, 5.01, { orderId, merchantId });
    expect(first).toMatchObject({ roundingAmount: -0.01 });
    expect(await expectData(refundTender(fixture, first.tenderId), 201)).toMatchObject({ amount: 5.01, roundingAmount: -0.01 });
    expect((await getOrder(fixture, orderId)).payments).toMatchObject([{ roundingAmount: 0 }]);
    expect(await takeTender(fixture, 10.02, { orderId, merchantId })).toMatchObject({ roundingAmount: -0.02 });
    expect(await getOrder(fixture, orderId)).toMatchObject({ status: 'paid' });
    expect(await accountsOf(fixture, merchantId)).toMatchObject({ cash: 10 });
  });

  onAnyDatabase('is a fact of the tender, and a difference in the shift, the reports, the ledger and the journal', async (fixture) => {
    const { api } = fixture;
    const merchantId = await swissMerchant(fixture);
    const { shiftId } = await expectData(api.admin.post<{ shiftId: string }>('/shifts/open', { amount: 100, merchantId }), 201);
    const down = await takeTender(fixture, 10.02, { amountGiven: 20, merchantId });
    expect(down).toMatchObject({ amount: 10.02, roundingAmount: -0.02, change: 10 });
    expect(await takeTender(fixture, 7.03, { amountGiven: 7.05, merchantId })).toMatchObject({ roundingAmount: 0.02, change: 0 });
    expect(await takeTender(fixture, 3.05, { merchantId })).toMatchObject({ roundingAmount: 0 });
    expect(await takeTender(fixture, 5.01, { kind: 'check', checkNumber: '7', merchantId })).toMatchObject({ roundingAmount: 0 });
    const tooLittle = { kind: 'cash', amount: 7.03, amountGiven: 7.03, merchantId };
    await expectError(api.admin.post('/tenders', tooLittle), 400, 'INVALID_AMOUNT', 'amountGiven');
    expect(await expectData(refundTender(fixture, down.tenderId, { amount: 4.01 }), 201)).toMatchObject({
      amount: 4.01,
      roundingAmount: -0.01,
    });
    expect(await expectData(refundTender(fixture, down.tenderId), 201)).toMatchObject({ amount: 6.01, roundingAmount: -0.01 });

    const report = await expectData(api.admin.get<ShiftReportRecord>(`/shifts/${shiftId}/report`));
    expect(report).toMatchObject({
      cashSales: { count: 3, amount: 20.1 },
      cashRefunds: { count: 2, amount: 10.02 },
      cashRounding: 0.02,
      expectedAmount: 110.1,
    });
    expect(await accountsOf(fixture, merchantId)).toMatchObject({ cash: 110.1, cashDifferences: -0.02 });
    await expectData(closeShift(fixture, shiftId, { amount: 110.1 }));
    const z = await expectData(api.admin.get<ShiftReportRecord>(`/shifts/${shiftId}/report`));
    expect(z).toMatchObject({ kind: 'z', varianceAmount: 0, cashRounding: 0.02 });
    const [names = [], values = []] = (await api.admin.get(`/shifts/export?merchantId=${merchantId}&bom=false`)).text
      .split('\r\n')
      .map((line) => line.split(','));
    const shown = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    expect(shown).toMatchObject({
      floatAmount: '100.00',
      cashSalesAmount: '20.10',
      cashRefundsAmount: '10.02',
      cashRoundingAmount: '0.02',
    });
    expect(shown).toMatchObject({ payInsAmount: '0.00', payOutsAmount: '0.00', expectedAmount: '110.10' });
    const { shifts } = await expectData(
      api.admin.get<{ shifts: Record<string, number> }>(`/reporting/daily-summary?merchantId=${merchantId}`),
    );
    expect(shifts).toMatchObject({ cashSalesAmount: 20.1, cashRefundsAmount: 10.02, cashRoundingAmount: 0.02 });
    const date = new Date().toISOString().slice(0, 10);
    const shifted = (days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
    const period = `startDate=${shifted(-2)}&endDate=${shifted(2)}`;
    const journal = await api.admin.get(`/reporting/journal?${period}&format=hledger&merchantId=${merchantId}`);
    expect(journal.text).toMatch(/Cash rounding/);
  });

  onBothDatabases('returns the received cash once in ten parallel refunds', async (fixture) => {
    const merchantId = await swissMerchant(fixture);
    const sale = await takeTender(fixture, 10.02, { merchantId });
    const answers = await Promise.all(Array.from({ length: 10 }, () => refundTender(fixture, sale.tenderId, { amount: 1.51 })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    await expectData(refundTender(fixture, sale.tenderId), 201);
    const { refunds = [] } = await getTender(fixture, sale.tenderId);
    const cash = refunds.reduce((sum, { amount, roundingAmount }) => sum + Math.round((amount + roundingAmount) * 100), 0);
    expect(cash).toBe(1_000);
    expect(await accountsOf(fixture, merchantId)).toMatchObject({ cash: 0, cashDifferences: 0 });
  });

  onAnyDatabase('returns cash that can be paid in coins after a refund to store credit', async (fixture) => {
    const { api } = fixture;
    const merchantId = await swissMerchant(fixture);
    await expectData(api.admin.post('/shifts/open', { amount: 100, merchantId }), 201);
    const sale = await takeTender(fixture, 10, { merchantId });
    await expectData(api.admin.post('/gift-cards/refund', { paymentId: sale.tenderId, amount: 3.33 }), 201);
    // As of a refund of 3.33 alone, then the rest of the 6.67 that were not credited.
    await expectData(refundTender(fixture, sale.tenderId, { amount: 3.33 }), 201);
    await expectData(refundTender(fixture, sale.tenderId), 201);
    const { refunds = [] } = await getTender(fixture, sale.tenderId);
    expect(refunds.map(({ amount, roundingAmount }) => [amount, roundingAmount])).toEqual([
      [3.33, 0],
      [3.33, 0.02],
      [3.34, -0.04],
    ]);
    expect(await accountsOf(fixture, merchantId)).toMatchObject({ cash: 103.35 });
  });

  onAnyDatabase('leaves no sum open after random sales and refunds', async (fixture) => {
    const merchantId = await swissMerchant(fixture);
    let cents = 0;
    for (const [minor, partMinor, isWhole] of SALES) {
      const amount = minor / 100;
      const { tenderId, roundingAmount } = await takeTender(fixture, amount, { merchantId });
      const received = Math.round((amount + roundingAmount) * 100);
      expect(received % 5).toBe(0);
      const part = Math.min(partMinor, minor - 1) / 100;
      if (part > 0) await expectData(refundTender(fixture, tenderId, { amount: part }), 201);
      if (isWhole) await expectData(refundTender(fixture, tenderId), 201);
      const { refunds = [] } = await getTender(fixture, tenderId);
      const returned = refunds.reduce((sum, refund) => sum + Math.round((refund.amount + refund.roundingAmount) * 100), 0);
      expect(returned % 5).toBe(0);
      if (isWhole) expect(returned).toBe(received);
      cents += received - returned;
    }
    const { cash, tenderSales, cashDifferences } = await accountsOf(fixture, merchantId);
    expect(Math.round((cash ?? 0) * 100)).toBe(cents);
    expect(Math.round(((cash ?? 0) + (tenderSales ?? 0) + (cashDifferences ?? 0)) * 100)).toBe(0);
  });

  onAnyDatabase('rounds the cash of an invoice, which is paid in full', async (fixture) => {
    const merchantId = await swissMerchant(fixture);
    const { customerId } = await createCustomer(fixture, { merchantId });
    const { invoiceId } = await createInvoice(fixture, customerId, { amount: 20.03, merchantId });
    const paid = await expectData(payInvoice(fixture, invoiceId, { amount: 20.03, paymentMethod: 'cash' }));
    expect(paid).toMatchObject({ status: 'paid', amountDue: 0 });
    expect(await accountsOf(fixture, merchantId)).toMatchObject({ cash: 20.05, cashDifferences: -0.02 });
    const parts = await createInvoice(fixture, customerId, { amount: 20.03, merchantId });
    await expectData(payInvoice(fixture, parts.invoiceId, { amount: 10.01, paymentMethod: 'cash' }));
    const { payments } = await expectData(payInvoice(fixture, parts.invoiceId, { amount: 10.02, paymentMethod: 'cash' }));
    expect(payments.map(({ roundingAmount }) => roundingAmount)).toEqual([-0.01, 0.03]);
    expect(await accountsOf(fixture, merchantId)).toMatchObject({ cash: 40.1, cashDifferences: -0.04 });
  });

  onAnyDatabase('is off by default, and takes only units of the currency', async (fixture) => {
    const { api } = fixture;
    const merchantId = await createMerchant(fixture, { currency: 'CHF' });
    expect(await takeTender(fixture, 10.02, { amountGiven: 10.02, merchantId })).toMatchObject({ roundingAmount: 0, change: 0 });
    const set = (cashRounding: unknown) => api.admin.put(`/merchants/${merchantId}/vt-settings`, { cashRounding });
    await expectError(set({ currency: 'CHF', unit: 0.03 }), 400, 'VALIDATION_ERROR', 'cashRounding.unit');
    await expectError(set({ currency: 'JPY', unit: 0.05 }), 400, 'VALIDATION_ERROR', 'cashRounding.unit');
    await expectError(set({ currency: 'XXQ', unit: 0.05 }), 400, 'INVALID_CURRENCY');
    await expectData(set({ currency: 'SEK', unit: 1 }));
    expect(await takeTender(fixture, 10.02, { merchantId })).toMatchObject({ roundingAmount: 0 });
  });
});
