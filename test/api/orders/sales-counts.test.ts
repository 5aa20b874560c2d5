import fc from 'fast-check';
import type { QueryRunner } from 'typeorm';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { createOrder } from '../../support/orders.ts';
import { bankBody, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, apiOf, expectData, sized } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, reportOfShift, takeTender } from '../../support/tenders.ts';
import { findEvent } from '../../support/webhooks.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

const DRAWER = 'Counter';
const HEADERS = { 'Paydesk-Drawer': DRAWER };
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_130);

const charge = ({ api }: ApiFixture, amount: number, more: object) =>
  expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(amount), ...more }, HEADERS));
const cash = (service: ApiFixture, amount: number, more: object) => takeTender(service, amount, { drawer: DRAWER, ...more });
const voidSale = ({ api }: ApiFixture, { transactionId }: TransactionRecord) =>
  expectData(api.admin.post(`/transactions/${transactionId}/void`, {}, HEADERS));

interface Counts {
  readonly salesCount: number;
  readonly paymentsCount: number;
}
const countsOf = ({ salesCount, paymentsCount }: Counts) => ({ salesCount, paymentsCount });

/** Returns the numbers of sales and payments of a merchant in all reports of days. */
async function read({ api }: ApiFixture, merchantId: string, days: { startDate?: string; endDate?: string } = {}) {
  const query = new URLSearchParams({ merchantId, ...days });
  const summary = await expectData(
    api.admin.get<Counts & { averageSaleAmount: number; days: Counts[]; byMethod: { key: string; count: number }[] }>(
      `/reporting/daily-summary?${query}`,
    ),
  );
  const revenue = await expectData(
    api.admin.get<{ totals: { salesCount: number; averageSale: number }; series: { salesCount: number }[] }>(
      `/analytics/revenue?${query}&groupBy=day`,
    ),
  );
  const today = await expectData(api.admin.get<{ today: Counts }>(`/reporting/today?merchantId=${merchantId}`));
  return { summary, revenue, today: today.today };
}

async function textOf({ api }: ApiFixture, shiftId: string): Promise<string> {
  return (await expectData(api.admin.post<{ content: string }>('/notifications/receipt/print', { shiftId, format: 'text', preview: true })))
    .content;
}

/** A step of a till: a sale in one payment, a payment of a new or an earlier order, a refund or a void of an earlier payment, or the next shift. */
type Step =
  | { readonly kind: 'single' | 'order' | 'next-shift' | 'next-day'; readonly which: number; readonly by: By }
  | { readonly kind: 'part' | 'void' | 'refund'; readonly which: number; readonly by: By };
type By = 'card' | 'ach' | 'cash' | 'check';
const BIG = 1_000;
const steps = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<Step['kind'][]>('single', 'order') },
      { weight: 8, arbitrary: fc.constantFrom<Step['kind'][]>('part', 'part', 'void') },
      { weight: 2, arbitrary: fc.constantFrom<Step['kind'][]>('refund', 'next-shift', 'next-day') },
    ),
    which: fc.nat(20),
    by: fc.constantFrom<By[]>('card', 'card', 'ach', 'cash', 'check'),
  }),
  { minLength: 18, maxLength: 26, size: 'max' },
);

interface Paid {
  readonly id: string;
  readonly sale: string;
  readonly isCard: boolean;
  isVoid: boolean;
  isRefunded: boolean;
}

describeWithLedger('numbers of sales and payments', (server, inFull) => {
  test('count an order with three payments once, and each payment by its kind', async () => {
    const { service } = server();
    const merchantId = await createMerchant(service, { timezone: 'UTC' });
    const { shiftId } = await openShift(service, { merchantId, drawer: DRAWER, amount: 0 });
    await cash(service, 40, { merchantId });
    const { orderId } = await createOrder(service, { merchantId, amount: 60, discountAmount: 3 });
    await charge(service, 10, { merchantId, orderId });
    await cash(service, 20, { merchantId, orderId });
    await takeTender(service, 30, { kind: 'check', checkNumber: '7', drawer: DRAWER, merchantId, orderId });
    const counts = { salesCount: 2, paymentsCount: 4 };
    const report = { ...counts, discounts: { count: 1, amount: 3 }, netSalesAmount: 100 };
    expect(await reportOfShift(service, shiftId)).toMatchObject({ kind: 'x', ...report });
    const { summary, revenue, today } = await read(service, merchantId);
    expect(summary).toMatchObject({ ...counts, averageSaleAmount: 50, salesAmount: 100 });
    expect(new Map(summary.byMethod.map(({ key, count }) => [key, count]))).toEqual(
      new Map([
        ['cash', 2],
        ['check', 1],
        ['card', 1],
      ]),
    );
    expect(summary.days.map(countsOf)).toEqual([counts]);
    expect(revenue.totals).toMatchObject({ salesCount: 2, averageSale: 50, gross: 100 });
    expect(countsOf(today)).toEqual(counts);
    expect(await textOf(service, shiftId)).toMatch(/Number of sales +2\nNumber of payments +4\n/);
    await expectData(closeShift(service, shiftId, { amount: 60 }));
    expect(await reportOfShift(service, shiftId)).toMatchObject({ kind: 'z', ...report });
    const closed = await findEvent(service, 'shift.closed', ({ data }) => data.shiftId === shiftId);
    expect(closed.data).toMatchObject(counts);
    const [header = '', line = ''] = (await service.api.admin.get(`/shifts/export?merchantId=${merchantId}`)).text.split('\r\n');
    const column = header.split(',').indexOf('salesCount');
    expect(line.split(',').slice(column, column + 2)).toEqual(['2', '4']);
  });

  test('count an order in the shift and on the day of its first payment, and later payments as payments only', async () => {
    let { service } = server();
    const merchantId = await createMerchant(service, { timezone: 'UTC' });
    const { orderId } = await createOrder(service, { merchantId, amount: 50, discountAmount: 5 });
    const first = await openShift(service, { merchantId, drawer: DRAWER, amount: 0 });
    await cash(service, 20, { merchantId, orderId });
    await expectData(closeShift(service, first.shiftId, { amount: 20 }));
    const one = { salesCount: 1, paymentsCount: 1 };
    expect(await reportOfShift(service, first.shiftId)).toMatchObject({ ...one, discounts: { count: 1, amount: 2 } });
    expect((await read(service, merchantId)).summary).toMatchObject(one);
    await expectData(service.api.admin.post('/sandbox/clock', { advanceSeconds: 86_400 }));
    service = { ...service, api: apiOf(service.baseUrl, service.credentials) };
    const second = await openShift(service, { merchantId, drawer: DRAWER, amount: 0 });
    await charge(service, 30, { merchantId, orderId });
    const none = { salesCount: 0, paymentsCount: 1 };
    expect(await reportOfShift(service, second.shiftId)).toMatchObject({ ...none, discounts: { count: 0, amount: 3 } });
    const { summary, today } = await read(service, merchantId);
    expect(summary).toMatchObject({ ...none, averageSaleAmount: 0, salesAmount: 30 });
    expect(today).toMatchObject(none);
  });

  test('count the discount of an order once, also if its lines without a discount are paid first', async () => {
    const { service } = server();
    const merchantId = await createMerchant(service, { timezone: 'UTC' });
    const { shiftId } = await openShift(service, { merchantId, drawer: DRAWER, amount: 0 });
    const lineItems = [
      { description: 'Tea', unitPrice: 7 },
      { description: 'Mug', unitPrice: 13, discountAmount: 3 },
    ];
    const { orderId } = await createOrder(service, { merchantId, lineItems });
    const tea = await charge(service, 7, { merchantId, orderId, orderLines: [0] });
    expect((await reportOfShift(service, shiftId)).discounts).toEqual({ count: 1, amount: 0 });
    await cash(service, 10, { merchantId, orderId, orderLines: [1] });
    expect((await reportOfShift(service, shiftId)).discounts).toEqual({ count: 1, amount: 3 });
    await voidSale(service, tea);
    expect(await reportOfShift(service, shiftId)).toMatchObject({ salesCount: 1, discounts: { count: 1, amount: 3 } });
  });

  test('keep a sale while one payment is not voided, and after refunds, and drop it with the last one', async () => {
    const { service } = server();
    const merchantId = await createMerchant(service, { timezone: 'UTC' });
    const { shiftId } = await openShift(service, { merchantId, drawer: DRAWER, amount: 0 });
    const { orderId } = await createOrder(service, { merchantId, amount: 50, discountAmount: 5 });
    const begun = await charge(service, 20, { merchantId, orderId });
    const further = await charge(service, 30, { merchantId, orderId });
    await voidSale(service, begun);
    const expectCounts = async (counts: Counts, discounts: { count: number; amount: number }) => {
      expect(await reportOfShift(service, shiftId)).toMatchObject({ ...counts, discounts });
      const { summary, today } = await read(service, merchantId);
      expect([countsOf(summary), countsOf(today)]).toEqual([counts, counts]);
    };
    await expectCounts({ salesCount: 1, paymentsCount: 1 }, { count: 1, amount: 3 });
    await voidSale(service, further);
    await expectCounts({ salesCount: 0, paymentsCount: 0 }, { count: 0, amount: 0 });
    const again = await cash(service, 50, { merchantId, orderId });
    await expectData(refundTender(service, again.tenderId, { amount: 15, drawer: DRAWER }), 201);
    await expectCounts({ salesCount: 1, paymentsCount: 1 }, { count: 1, amount: 5 });
    const canceled = await createOrder(service, { merchantId, amount: 9 });
    await voidSale(service, await charge(service, 4, { merchantId, orderId: canceled.orderId }));
    await expectData(service.api.admin.post(`/orders/${canceled.orderId}/cancel`, {}));
    await expectCounts({ salesCount: 1, paymentsCount: 1 }, { count: 1, amount: 5 });
  });

  test('sum over consecutive shifts and days to the distinct sales, for random tills', { ...inFull, timeout: 300_000 }, async () => {
    const { differences, runSql } = server();
    let { service } = server();
    /** The clock of the walk goes beyond a session. */
    const signInAgain = () => {
      service = { ...service, api: apiOf(service.baseUrl, service.credentials) };
    };
    const walk = fc.asyncProperty(steps, async (chosen) => {
      signInAgain();
      const merchantId = await createMerchant(service, { timezone: 'UTC' });
      const startDate = (await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'))).now.slice(0, 10);
      const open = () => openShift(service, { merchantId, drawer: DRAWER, amount: BIG });
      const shifts = [(await open()).shiftId];
      const paid: Paid[] = [];
      const orders: string[] = [];
      const pay = async (by: By, orderId?: string) => {
        const of = { merchantId, ...(orderId === undefined ? { discountAmount: 1 } : { orderId }) };
        const sale = orderId ?? `single ${paid.length}`;
        const flags = { sale, isVoid: false, isRefunded: false };
        if (by === 'card' || by === 'ach') {
          const body = { ...(by === 'ach' ? bankBody(3) : cardBody(3)), ...of };
          const { transactionId } = await expectData(service.api.admin.post<TransactionRecord>('/transactions', body, HEADERS));
          return void paid.push({ id: transactionId, isCard: true, ...flags });
        }
        const more = by === 'check' ? { kind: 'check', checkNumber: '1' } : {};
        const { tenderId } = await takeTender(service, 3, { drawer: DRAWER, ...more, ...of });
        paid.push({ id: tenderId, isCard: false, ...flags });
      };
      const nextShift = async () => {
        const { expectedAmount } = await expectData(service.api.admin.get<{ expectedAmount: number }>(`/shifts/${shifts.at(-1)}`));
        await expectData(closeShift(service, shifts.at(-1) ?? '', { amount: expectedAmount }));
        shifts.push((await open()).shiftId);
      };
      for (const { kind, which, by } of chosen) {
        const payment = paid[which % Math.max(1, paid.length)];
        const orderId = orders[which % Math.max(1, orders.length)];
        if (kind === 'single') await pay(by);
        else if (kind === 'order' || (kind === 'part' && orderId === undefined)) {
          orders.push((await createOrder(service, { merchantId, amount: BIG, discountAmount: 20 })).orderId);
          await pay(by, orders.at(-1));
        } else if (kind === 'part') await pay(by, orderId);
        else if (kind === 'void' && payment?.isCard && !payment.isVoid && !payment.isRefunded) {
          const { status, text } = await service.api.admin.post(`/transactions/${payment.id}/void`, {}, HEADERS);
          // A day later the payment may be settled.
          if (status !== 200) expect(text).toContain('"reason":"settled"');
          payment.isVoid = status === 200;
        } else if (kind === 'refund' && payment !== undefined && !payment.isVoid && !payment.isRefunded) {
          const path = payment.isCard ? `/transactions/${payment.id}/refund/partial` : `/tenders/${payment.id}/refund`;
          await expectData(
            service.api.admin.post(path, { amount: 1, ...(!payment.isCard && { drawer: DRAWER }) }, HEADERS),
            payment.isCard ? 200 : 201,
          );
          payment.isRefunded = true;
        } else if (kind === 'next-shift') await nextShift();
        else if (kind === 'next-day') {
          await expectData(service.api.admin.post('/sandbox/clock', { advanceSeconds: 7 * 3_600 }));
          signInAgain();
          await nextShift();
        }
      }
      await nextShift();
      const kept = paid.filter(({ isVoid }) => !isVoid);
      const expected = { salesCount: new Set(kept.map(({ sale }) => sale)).size, paymentsCount: kept.length };
      const reports = await Promise.all(shifts.map((shiftId) => reportOfShift(service, shiftId)));
      const sum = (of: (report: (typeof reports)[number]) => number | null) =>
        reports.reduce((total, report) => total + (of(report) ?? 0), 0);
      expect({ salesCount: sum((each) => each.salesCount), paymentsCount: sum((each) => each.paymentsCount) }).toEqual(expected);
      expect(sum(({ discounts }) => discounts?.count ?? 0)).toBe(expected.salesCount);
      const endDate = (await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'))).now.slice(0, 10);
      const { summary, revenue } = await read(service, merchantId, { startDate, endDate });
      expect(countsOf(summary)).toEqual(expected);
      expect(revenue.totals.salesCount).toBe(expected.salesCount);
      expect(summary.days.reduce((total, day) => total + day.salesCount, 0)).toBe(expected.salesCount);
    });
    await fc.assert(walk, { numRuns: sized(3, 40), seed: SEED, endOnFailure: true });
    expect(await differences()).toEqual([]);

    // The migration marks the payments of earlier orders as the service marks them.
    const marks = async () => ({
      transfers: await runSql<object>('SELECT id, order_part FROM ledger_transfers WHERE order_part IS NOT NULL ORDER BY id'),
      movements: await runSql<object>('SELECT id, order_part FROM shift_movements WHERE order_part IS NOT NULL ORDER BY id'),
      facts: await runSql<object>(
        "SELECT merchant_id, day, method, brand, n FROM transaction_facts WHERE fact = 'further_payment' AND n <> 0 ORDER BY merchant_id, day, method, brand",
      ),
    });
    const before = await marks();
    expect(before.transfers.length).toBeGreaterThan(5);
    await runSql('UPDATE ledger_transfers SET order_part = NULL');
    await runSql('UPDATE shift_movements SET order_part = NULL');
    await runSql("DELETE FROM transaction_facts WHERE fact = 'further_payment'");
    const query = (sql: string, values: readonly string[] = []) =>
      sql.startsWith('ALTER TABLE') ? Promise.resolve() : runSql(values.reduce((text, value) => text.replace('?', `'${value}'`), sql));
    const Migration = await MIGRATIONS.find(({ name }) => name === 'CountOrdersAsOneSale2026113051000')?.load();
    expect(Migration).toBeDefined();
    if (Migration !== undefined) await new Migration().up({ query, connection: { options: { type: 'sqlite' } } } as unknown as QueryRunner);
    expect(await marks()).toEqual(before);
    expect(await differences()).toEqual([]);
  });
});
