// @module-tag full
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, payInvoice } from '../../support/invoices.ts';
import { type ApiFixture, expectData, sized } from '../../support/server.ts';
import { createMerchant, sell, zoneAtNoon } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, reportOfShift, type ShiftRecord, takeTender } from '../../support/tenders.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

const DRAWERS = ['North', 'South', 'Kiosk'] as const;
const KINDS = ['cash', 'cash', 'check', 'other', 'card', 'refund', 'refund', 'pay-in', 'pay-out', 'invoice', 'turn'] as const;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly drawer: number;
  readonly cents: number;
  readonly which: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  drawer: fc.nat(DRAWERS.length - 1),
  cents: fc.integer({ min: 100, max: 9_999 }),
  which: fc.nat(50),
});

/** Figures of one kind of tender on the day, in cents. */
interface Sums {
  sales: number;
  refunds: number;
}

/** Model of a drawer: the open shift, and the cash that should be in it. */
interface Drawer {
  name: string;
  shift: ShiftRecord | null;
  cash: number;
}

interface Day {
  drawers: Drawer[];
  tenders: { id: string; kind: 'cash' | 'check' | 'other'; drawer: number; left: number }[];
  sums: Record<'cash' | 'check' | 'other', Sums>;
  cards: number;
  payIns: number;
  payOuts: number;
  variance: number;
  counted: number;
}

const major = (cents: number) => cents / 100;

describeWithLedger(
  'a day of cash at three drawers',
  (ledgerServer) => {
    test('agrees to the cent in shifts, daily close and ledger', { timeout: sized(120_000, 600_000) }, async () => {
      const { service } = ledgerServer();
      const runs = sized(1, 4);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: sized(40, 150), maxLength: sized(50, 250) }), async (steps) => {
          const merchantId = await createMerchant(service, { timezone: await zoneAtNoon(service) });
          await expectData(service.api.admin.put(`/merchants/${merchantId}/vt-settings`, { otherTenders: ['Voucher'] }));
          const day = await runDay(service, merchantId, steps);
          await checkDay(service, merchantId, day);
        }),
        { numRuns: runs, endOnFailure: true },
      );
      expect(await ledgerServer().differences()).toEqual([]);
    });
  },
  'empty',
);

async function runDay(service: ApiFixture, merchantId: string, steps: readonly Step[]): Promise<Day> {
  const none = () => ({ sales: 0, refunds: 0 });
  const day: Day = {
    drawers: DRAWERS.map((name) => ({ name, shift: null, cash: 0 })),
    tenders: [],
    sums: { cash: none(), check: none(), other: none() },
    cards: 0,
    payIns: 0,
    payOuts: 0,
    variance: 0,
    counted: 0,
  };
  const { customerId } = await createCustomer(service, { firstName: 'Ann', merchantId });
  for (const one of steps) await take(service, merchantId, customerId, day, one);
  for (const drawer of day.drawers) if (drawer.shift !== null) await turn(service, merchantId, day, drawer, 0);
  return day;
}

async function take(service: ApiFixture, merchantId: string, customerId: string, day: Day, { kind, drawer: n, cents, which }: Step) {
  const drawer = day.drawers[n] as Drawer;
  const amount = major(cents);
  const sold = (id: string, of: 'cash' | 'check' | 'other') => {
    day.tenders.push({ id, kind: of, drawer: n, left: cents });
    day.sums[of].sales += cents;
    if (of === 'cash' && drawer.shift !== null) drawer.cash += cents;
  };
  switch (kind) {
    case 'cash':
    case 'check':
    case 'other': {
      const more = kind === 'check' ? { checkNumber: '1' } : kind === 'other' ? { name: 'Voucher' } : {};
      const { tenderId, shiftId } = await takeTender(service, amount, { kind, merchantId, drawer: drawer.name, ...more });
      expect(shiftId).toBe(drawer.shift?.shiftId ?? null);
      return sold(tenderId, kind);
    }
    case 'card':
      await sell(service, merchantId, amount);
      day.cards += cents;
      return;
    case 'invoice': {
      const { invoiceId } = await createInvoice(service, customerId, { amount, merchantId });
      const { payments } = await expectData(payInvoice(service, invoiceId, { amount, drawer: drawer.name }));
      return sold((payments.at(-1) as unknown as { tenderId: string }).tenderId, 'cash');
    }
    case 'refund': {
      const tender = day.tenders[which % Math.max(1, day.tenders.length)];
      if (tender === undefined || tender.left === 0) return;
      const refunded = Math.min(tender.left, cents);
      await expectData(refundTender(service, tender.id, { amount: major(refunded) }), 201);
      tender.left -= refunded;
      day.sums[tender.kind].refunds += refunded;
      const from = day.drawers[tender.drawer] as Drawer;
      if (tender.kind === 'cash' && from.shift !== null) from.cash -= refunded;
      return;
    }
    case 'pay-in':
    case 'pay-out':
      if (drawer.shift === null) return;
      await expectData(service.api.admin.post(`/shifts/${drawer.shift.shiftId}/${kind}`, { amount, reason: 'Safe' }));
      drawer.cash += kind === 'pay-in' ? cents : -cents;
      day[kind === 'pay-in' ? 'payIns' : 'payOuts'] += cents;
      return;
    case 'turn':
      return turn(service, merchantId, day, drawer, cents);
  }
}

/** Closes the open shift of a drawer with a count that may be wrong, or opens one. */
async function turn(service: ApiFixture, merchantId: string, day: Day, drawer: Drawer, cents: number): Promise<void> {
  if (drawer.shift === null) {
    drawer.shift = await openShift(service, { merchantId, drawer: drawer.name, amount: major(cents) });
    drawer.cash = cents;
    return;
  }
  const counted = Math.max(0, drawer.cash + ((cents % 3) - 1) * 125);
  const closed = await expectData(closeShift(service, drawer.shift.shiftId, { amount: major(counted) }));
  expect(closed).toMatchObject({ expectedAmount: major(drawer.cash), varianceAmount: major(counted - drawer.cash) });
  expect(await reportOfShift(service, drawer.shift.shiftId)).toMatchObject({ expectedAmount: major(drawer.cash), kind: 'z' });
  day.counted += counted;
  day.variance += counted - drawer.cash;
  drawer.shift = null;
}

async function checkDay({ api }: ApiFixture, merchantId: string, { sums, cards, payIns, payOuts, variance, counted }: Day): Promise<void> {
  const sales = sums.cash.sales + sums.check.sales + sums.other.sales + cards;
  const refunds = sums.cash.refunds + sums.check.refunds + sums.other.refunds;
  const summary = await expectData(api.admin.get(`/reporting/daily-summary?merchantId=${merchantId}`));
  expect(summary).toMatchObject({
    salesAmount: major(sales),
    refundsAmount: major(refunds),
    tenders: [
      ...(['cash', 'check', 'other'] as const).map((kind) => ({
        kind,
        salesAmount: major(sums[kind].sales),
        refundsAmount: major(sums[kind].refunds),
      })),
      { kind: 'gift_card', salesAmount: 0, refundsAmount: 0 },
    ],
    shifts: {
      openCount: 0,
      payInsAmount: major(payIns),
      payOutsAmount: major(payOuts),
      countedAmount: major(counted),
      varianceAmount: major(variance),
    },
  });
  const ledger = await expectData(api.admin.get<{ balanced: boolean }>(`/settlement/ledger?merchantId=${merchantId}`));
  expect(ledger).toMatchObject({
    balanced: true,
    merchants: [
      {
        accounts: {
          checks: major(sums.check.sales - sums.check.refunds),
          otherTenders: major(sums.other.sales - sums.other.refunds),
          tenderSales: major(-(sales - cards - refunds)),
          cashDifferences: major(0 - variance),
        },
      },
    ],
  });
}
