import { expect, test } from 'vitest';
import { CARDS, cardBody, type TransactionRecord, waitUntilConcluded } from '../../support/sales.ts';
import { type ApiFixture, expectData, expectError, FULL, onAnyDatabase } from '../../support/server.ts';
import { createMerchant, zoneAtNoon } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, reportOfShift, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

const at = (drawer: string) => ({ 'Paydesk-Drawer': encodeURIComponent(drawer) });

/** Columns of the CSV of shifts for card and bank payments. */
const CARD_COLUMNS = ['Sales', 'Adjustments', 'Voids', 'Refunds', 'Credits', 'Total', 'Tip', 'Surcharge', 'Tax'].map(
  (name) => `card${name}Amount`,
);
const DISCOUNT_COLUMNS = ['discountsCount', 'discountsAmount'];
const COUNT_COLUMNS = ['salesCount', 'paymentsCount'];
const CASH_COLUMNS = ['cashSalesAmount', 'cashRefundsAmount', 'cashRoundingAmount', 'payInsAmount', 'payOutsAmount'];

const sellAt = ({ api }: ApiFixture, merchantId: string, drawer: string, amount: number, more: Record<string, unknown> = {}) =>
  expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(amount), merchantId, ...more }, at(drawer)));

const changeAt = ({ api }: ApiFixture, drawer: string, { transactionId }: TransactionRecord, operation: string, body: object = {}) =>
  expectData(api.admin.post(`/transactions/${transactionId}/${operation}`, body, at(drawer)));

interface MovementRecord {
  readonly kind: string;
  readonly amount: number;
  readonly transactionId: string | null;
}

const movementsOf = async ({ api }: ApiFixture, shiftId: string) =>
  (await expectData(api.admin.get<{ movements: MovementRecord[] }>(`/shifts/${shiftId}`))).movements.map(
    ({ kind, amount, transactionId }) => [kind, amount, transactionId],
  );

onAnyDatabase('reports card payments with tips, voids and refunds beside the cash of a shift', async (fixture) => {
  const { api, credentials } = fixture;
  const merchantId = await createMerchant(fixture);
  const drawer = 'Théke 1';
  const { shiftId } = await openShift(fixture, { merchantId, drawer, amount: 100 });
  const visa = await sellAt(fixture, merchantId, drawer, 55, { tipAmount: 5, taxAmount: 4 });
  const amex = await sellAt(fixture, merchantId, drawer, 20, { card: { ...cardBody(1).card, number: CARDS.amex, cvv: '1234' } });
  const voided = await sellAt(fixture, merchantId, drawer, 7);
  await changeAt(fixture, drawer, voided, 'void');
  await changeAt(fixture, drawer, amex, 'tip', { tipAmount: 3 });
  await changeAt(fixture, drawer, visa, 'refund', { amount: 11 });
  const authorization = await sellAt(fixture, merchantId, drawer, 30, { type: 'auth' });
  await changeAt(fixture, drawer, authorization, 'capture', { amount: 25 });
  const declined = await api.admin.post('/transactions', { ...cardBody(9, CARDS.declined), merchantId }, at(drawer));
  expect(declined.body.success).toBe(false);
  const cash = await takeTender(fixture, 40, { merchantId, drawer });
  await expectData(refundTender(fixture, cash.tenderId, { amount: 10 }), 201);
  // A payment without a drawer, and one of a drawer without a shift, belong to no shift.
  const apart = await expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(500), merchantId }));
  expect(apart.shiftId).toBeNull();
  await sellAt(fixture, merchantId, 'Terrace', 600);

  const totals = {
    sales: { count: 4, amount: 107 },
    adjustments: { count: 1, amount: 3 },
    voids: { count: 1, amount: 7 },
    refunds: { count: 1, amount: 11 },
    credits: { count: 0, amount: 0 },
    totalAmount: 92,
    tipAmount: 7,
    taxAmount: 3.2,
    brands: [
      { brand: 'visa', count: 3, amount: 69 },
      { brand: 'amex', count: 1, amount: 23 },
    ],
    tips: [{ person: credentials.adminEmail, count: 2, amount: 7 }],
  };
  expect(await reportOfShift(fixture, shiftId)).toMatchObject({
    kind: 'x',
    cards: totals,
    salesCount: 4,
    paymentsCount: 4,
    netSalesAmount: 122,
  });
  const cashier = await createUser(fixture, 'cashier', {}, merchantId);
  const blind = await expectData(api.bare.get(`/api/v1/shifts/${shiftId}/report`, cashier.headers));
  expect(blind).toMatchObject({ cards: totals, salesCount: null, paymentsCount: null, netSalesAmount: null, expectedAmount: null });

  const cardsInCsv = async () => {
    const { text } = await api.admin.get(`/shifts/export?merchantId=${merchantId}`);
    const [names = [], ...lines] = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const first = names.indexOf('cardSalesAmount');
    expect(names.slice(first)).toEqual([...CARD_COLUMNS, ...DISCOUNT_COLUMNS, ...CASH_COLUMNS, ...COUNT_COLUMNS, 'localDate']);
    return lines.map((line) => line.slice(first, first + CARD_COLUMNS.length).map(Number));
  };
  expect(await cardsInCsv()).toEqual([[107, 3, 7, 11, 0, 92, 7, 0, 3.2]]);
  await expectData(closeShift(fixture, shiftId, { amount: 130 }));
  const z = await reportOfShift(fixture, shiftId);
  expect(z).toMatchObject({ kind: 'z', cards: totals, netSalesAmount: 122, expectedAmount: 130, varianceAmount: 0 });

  // Later changes belong to the shift that is open then.
  const next = await openShift(fixture, { merchantId, drawer: 'THÉKE 1', amount: 0 });
  await changeAt(fixture, drawer, authorization, 'tip', { tipAmount: 2 });
  await changeAt(fixture, drawer, amex, 'void');
  await changeAt(fixture, drawer, visa, 'refund');
  await expectData(closeShift(fixture, next.shiftId, { amount: 0 }));
  expect(await reportOfShift(fixture, next.shiftId)).toMatchObject({ salesCount: -1, paymentsCount: -1 });
  expect((await reportOfShift(fixture, next.shiftId)).cards).toMatchObject({
    sales: { count: 0, amount: 0 },
    adjustments: { count: 1, amount: 2 },
    voids: { count: 1, amount: 23 },
    refunds: { count: 1, amount: 44 },
    totalAmount: -65,
    tipAmount: -5,
  });
  expect(await reportOfShift(fixture, shiftId)).toEqual(z);
  expect(await cardsInCsv()).toEqual([
    [0, 2, 23, 44, 0, -65, -5, 0, -3.2],
    [107, 3, 7, 11, 0, 92, 7, 0, 3.2],
  ]);

  expect(visa.shiftId).toBe(shiftId);
  const { history, ...payment } = await expectData(api.admin.get<TransactionRecord>(`/transactions/${visa.transactionId}`));
  expect(payment.shiftId).toBe(shiftId);
  expect(history.map((entry) => entry.shiftId)).toEqual([shiftId, shiftId, next.shiftId]);
  expect(await movementsOf(fixture, shiftId)).toEqual([
    ['float', 100, null],
    ['card_sale', 55, visa.transactionId],
    ['card_sale', 20, amex.transactionId],
    ['card_sale', 7, voided.transactionId],
    ['card_void', 7, voided.transactionId],
    ['card_adjustment', 3, amex.transactionId],
    ['card_refund', 11, visa.transactionId],
    ['card_sale', 25, authorization.transactionId],
    ['cash_sale', 40, null],
    ['cash_refund', 10, null],
    ['removed', 130, null],
  ]);
  expect(await movementsOf(fixture, next.shiftId)).toEqual([
    ['card_adjustment', 2, authorization.transactionId],
    ['card_void', 23, amex.transactionId],
    ['card_refund', 44, visa.transactionId],
  ]);
  const event = await findEvent(fixture, 'shift.closed', ({ data }) => data.shiftId === shiftId);
  expect(event.data).toMatchObject({ cashSalesAmount: 40, cashRefundsAmount: 10, cardTotalAmount: 92, tipAmount: 7, netSalesAmount: 122 });

  const printed = await expectData(
    api.admin.post<{ content: string }>('/notifications/receipt/print', { shiftId, format: 'text', width: '58mm' }),
  );
  expect(printed.content).toMatch(/Card sales \(4\) +107\.00 USD/);
  expect(printed.content).toMatch(/American Express +23\.00 USD/);
  expect(printed.content).toMatch(/Net sales +122\.00 USD/);
});

onAnyDatabase('counts a payment whose outcome arrives after the close in the next Z report of the drawer', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const first = await openShift(fixture, { merchantId, drawer: 'Bar', amount: 0 });
  const lost = await expectError(
    api.admin.post('/transactions', { ...cardBody(31, CARDS.answerLost), merchantId }, at('Bar')),
    502,
    'GATEWAY_TIMEOUT',
  );
  await expectData(closeShift(fixture, first.shiftId, { amount: 0 }));
  await waitUntilConcluded(fixture, String(lost.details?.transactionId));
  const second = await openShift(fixture, { merchantId, drawer: 'Bar', amount: 0 });
  const inFirst = (await reportOfShift(fixture, first.shiftId)).cards?.sales.count ?? 0;
  expect((await reportOfShift(fixture, second.shiftId)).cards?.sales.count).toBe(1 - inFirst);
  await expectData(closeShift(fixture, second.shiftId, { amount: 0 }));
  const third = await openShift(fixture, { merchantId, drawer: 'Bar', amount: 0 });
  expect((await reportOfShift(fixture, third.shiftId)).cards).toMatchObject({ sales: { count: 0, amount: 0 }, totalAmount: 0 });
});

interface ShiftDay {
  readonly cardsAmount: number;
  readonly closed: readonly { readonly zNumber: number; readonly cardsAmount: number | null; readonly netSalesAmount: number }[];
  readonly payments: Readonly<Record<string, number>> & { readonly late: readonly Record<string, unknown>[] };
}

onAnyDatabase(
  'names a payment on the daily close whose outcome arrived after the last shift of a person',
  async (fixture) => {
    const { api } = fixture;
    const merchantId = await createMerchant(fixture, { timezone: await zoneAtNoon(fixture) });
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { shiftPer: 'person' }));
    const { shiftId } = await openShift(fixture, { merchantId, drawer: 'Bar', amount: 0 });
    await sellAt(fixture, merchantId, 'Bar', 20);
    const lost = await expectError(
      api.admin.post('/transactions', { ...cardBody(31, CARDS.answerLost), merchantId }, at('Bar')),
      502,
      'GATEWAY_TIMEOUT',
    );
    await expectData(closeShift(fixture, shiftId, { amount: 0 }));
    await waitUntilConcluded(fixture, String(lost.details?.transactionId));
    const other = await createUser(fixture, 'manager', {}, merchantId);
    const cash = { merchantId, drawer: 'Bar', amount: 0 };
    await expectData(api.bare.post('/api/v1/shifts/open', cash, other.headers), 201);
    await expectData(api.bare.post('/api/v1/transactions', { ...cardBody(7), merchantId }, { ...other.headers, ...at('Bar') }));
    await takeTender(fixture, 5, { merchantId, drawer: 'Bar' });
    await expectData(api.admin.post('/transactions', { ...cardBody(500), merchantId }));

    const { shifts } = await expectData(api.admin.get<{ shifts: ShiftDay }>(`/reporting/daily-summary?merchantId=${merchantId}`));
    const reported = (await reportOfShift(fixture, shiftId)).cards?.totalAmount ?? 0;
    expect(shifts).toMatchObject({ cardsAmount: reported, closed: [{ zNumber: 1, cardsAmount: reported, netSalesAmount: reported }] });
    expect(shifts.payments).toMatchObject({
      zReportsAmount: reported,
      fromOtherDaysAmount: 0,
      inOtherReportsAmount: 0,
      openShiftsAmount: 7,
      lateAmount: 51 - reported,
      late: reported === 51 ? [] : [{ shiftId, zNumber: 1, drawer: 'Bar', count: 1, amount: 31 }],
      withoutShiftAmount: 505,
      totalAmount: 563,
    });
  },
  FULL,
);

onAnyDatabase('refuses a drawer that is no name', async (fixture) => {
  const refused = (drawer: string) => fixture.api.admin.post('/transactions', cardBody(20), { 'Paydesk-Drawer': drawer });
  for (const drawer of ['%E0%A4%A', 'x'.repeat(41), '%20', CARDS.visa])
    await expectError(refused(drawer), 400, 'VALIDATION_ERROR', 'Paydesk-Drawer');
});

describeWithLedger(
  'Z reports of a drawer',
  (ledgerServer) => {
    test('count each card payment once while payments and closes run in parallel', async () => {
      const { service, runSql } = ledgerServer();
      const merchantId = await createMerchant(service);
      const shifts: string[] = [];
      const paying: Promise<TransactionRecord>[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        const { shiftId } = await openShift(service, { merchantId, drawer: 'Counter', amount: 0 });
        shifts.push(shiftId);
        paying.push(...Array.from({ length: 10 }, (_, n) => sellAt(service, merchantId, 'Counter', 100 * (turn + 1) + n)));
        if (turn === 0) await paying[0];
        const closes = await Promise.all(Array.from({ length: 3 }, () => closeShift(service, shiftId, { amount: 0 })));
        expect(closes.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      }
      await Promise.all(paying);
      const last = await openShift(service, { merchantId, drawer: 'Counter', amount: 0 });
      await expectData(closeShift(service, last.shiftId, { amount: 0 }));
      const reports = await Promise.all([...shifts, last.shiftId].map((shiftId) => reportOfShift(service, shiftId)));
      const [linked] = await runSql<{ n: number; minor: number }>(
        `SELECT COUNT(*) AS n, SUM(a.amount_minor) AS minor FROM attempts a JOIN transactions t ON t.tenant_id = a.tenant_id AND t.id = a.transaction_id
         WHERE t.merchant_id = '${merchantId}' AND a.shift_id IS NOT NULL AND a.shift_report_id IS NOT NULL`,
      );
      const [open] = await runSql<{ n: number }>(
        'SELECT COUNT(*) AS n FROM attempts WHERE shift_id IS NOT NULL AND shift_report_id IS NULL',
      );
      expect(Number(open?.n)).toBe(0);
      expect(Number(linked?.n)).toBeGreaterThan(0);
      expect(reports.reduce((sum, { cards }) => sum + (cards?.sales.count ?? 0), 0)).toBe(Number(linked?.n));
      expect(reports.reduce((sum, { cards }) => sum + Math.round((cards?.totalAmount ?? 0) * 100), 0)).toBe(Number(linked?.minor));
    });
  },
  'empty',
);
