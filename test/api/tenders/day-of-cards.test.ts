// @module-tag full
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer } from '../../support/api-client.ts';
import { CARDS, cardBody, type TransactionRecord, waitUntilConcluded } from '../../support/sales.ts';
import { type ApiFixture, expectData, expectError, sized } from '../../support/server.ts';
import { createMerchant, zoneAtNoon } from '../../support/settlements.ts';
import { closeShift, reportOfShift, type ShiftReportRecord } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

const KINDS = ['sale', 'sale', 'sale', 'auth', 'capture', 'tip', 'void', 'refund', 'refund', 'turn'] as const;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly person: number;
  readonly cents: number;
  readonly tip: number;
  readonly which: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  person: fc.nat(1),
  cents: fc.integer({ min: 100, max: 9_999 }),
  tip: fc.nat(99),
  which: fc.nat(50),
});

interface Person {
  readonly name: string;
  readonly headers: Record<string, string>;
  shiftId: string;
  /** Money that the requests of the person moved, in cents. */
  moved: number;
}

interface Payment {
  readonly transactionId: string;
  captured: number;
  refunded: number;
}

interface Day {
  readonly people: Person[];
  readonly payments: Payment[];
  readonly reports: { person: Person; report: ShiftReportRecord }[];
}

const [APART_CENTS, LOST_CENTS] = [1_234, 5_678];
const cents = (amount: number) => Math.round(amount * 100);
const drawer = 'Counter';

describeWithLedger(
  'a day of cards at one drawer',
  (ledgerServer) => {
    test('agrees to the cent in the Z reports of each person, the payments and the tips by person', {
      timeout: sized(120_000, 600_000),
    }, async () => {
      const { service } = ledgerServer();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: sized(40, 120), maxLength: sized(50, 200) }), async (steps) => {
          const merchantId = await createMerchant(service, { timezone: await zoneAtNoon(service) });
          await expectData(service.api.admin.put(`/merchants/${merchantId}/vt-settings`, { shiftPer: 'person' }));
          const day = await startDay(service, merchantId);
          for (const one of steps) await take(service, merchantId, day, one);
          const apart = await sellApart(service, merchantId);
          const [first, second] = day.people as [Person, Person];
          const late = await sellLate(service, merchantId, day, first);
          await checkShiftPayments(service, merchantId, day, { apart, late });
          await close(service, day, second);
          await checkShiftPayments(service, merchantId, day, { apart, late });
          await checkDay(service, merchantId, day, { apart, late });
        }),
        { numRuns: sized(1, 4), endOnFailure: true },
      );
      expect(await ledgerServer().differences()).toEqual([]);
    });
  },
  'empty',
);

async function startDay(service: ApiFixture, merchantId: string): Promise<Day> {
  const people: Person[] = [];
  for (const role of ['manager', 'admin']) {
    const user = await createUser(service, role, {}, merchantId);
    people.push({ name: user.email, headers: { ...user.headers, 'Paydesk-Drawer': drawer }, shiftId: '', moved: 0 });
  }
  const day: Day = { people, payments: [], reports: [] };
  for (const person of people) await open(service, merchantId, person);
  return day;
}

async function open({ api }: ApiFixture, merchantId: string, person: Person): Promise<void> {
  const body = { merchantId, drawer, amount: 0 };
  person.shiftId = (await expectData(api.bare.post<{ shiftId: string }>('/api/v1/shifts/open', body, person.headers), 201)).shiftId;
}

async function close(service: ApiFixture, day: Day, person: Person): Promise<void> {
  await expectData(closeShift(service, person.shiftId, { amount: 0 }));
  day.reports.push({ person, report: await reportOfShift(service, person.shiftId) });
}

async function take(service: ApiFixture, merchantId: string, day: Day, { kind, person: n, cents: minor, tip, which }: Step): Promise<void> {
  const person = day.people[n] as Person;
  const payment = day.payments[which % Math.max(1, day.payments.length)];
  if (kind === 'turn') {
    await close(service, day, person);
    return open(service, merchantId, person);
  }
  if (kind === 'sale' || kind === 'auth') {
    const body = { ...cardBody((minor + tip) / 100), type: kind, tipAmount: tip / 100, merchantId };
    const made = await expectData(service.api.bare.post<TransactionRecord>('/api/v1/transactions', body, person.headers));
    day.payments.push({ transactionId: made.transactionId, captured: 0, refunded: 0 });
    return record(service, person, day.payments.at(-1) as Payment);
  }
  if (payment === undefined) return;
  const body = kind === 'tip' ? { tipAmount: tip / 100 } : kind === 'refund' ? { amount: minor / 100 } : {};
  // Steps that the state of the payment does not allow are refused, and move nothing.
  const answer: Answer = await service.api.bare.post(`/api/v1/transactions/${payment.transactionId}/${kind}`, body, person.headers);
  expect(answer.status, answer.text).toBeLessThan(500);
  return record(service, person, payment);
}

/** Books the change of a payment on the person whose request made it. */
async function record({ api }: ApiFixture, person: Person, payment: Payment): Promise<void> {
  const found = await expectData(api.admin.get<TransactionRecord>(`/transactions/${payment.transactionId}`));
  const [captured, refunded] = [found.status === 'voided' ? 0 : cents(found.capturedAmount), cents(found.refundedAmount)];
  person.moved += captured - payment.captured - (refunded - payment.refunded);
  Object.assign(payment, { captured, refunded });
}

/** Cents of a payment outside of shifts, and of one whose outcome arrived after the last shift of its person. */
interface Rest {
  readonly apart: number;
  readonly late: number;
}

/** Makes a payment without a drawer, and returns its cents. */
async function sellApart({ api }: ApiFixture, merchantId: string): Promise<number> {
  await expectData(api.admin.post('/transactions', { ...cardBody(APART_CENTS / 100), merchantId }));
  return APART_CENTS;
}

/** Makes a payment whose answer is lost, closes the shift of the person, and returns the cents of the payment that the Z report does not count. */
async function sellLate(service: ApiFixture, merchantId: string, day: Day, person: Person): Promise<number> {
  const sale = service.api.bare.post(
    '/api/v1/transactions',
    { ...cardBody(LOST_CENTS / 100, CARDS.answerLost), merchantId },
    person.headers,
  );
  const lost = await expectError(sale, 502, 'GATEWAY_TIMEOUT');
  await close(service, day, person);
  await waitUntilConcluded(service, String(lost.details?.transactionId));
  const reported = day.reports.filter((each) => each.person === person).reduce((sum, { report }) => sum + netOf(report), 0);
  person.moved += LOST_CENTS;
  return person.moved - reported;
}

const netOf = ({ cards }: ShiftReportRecord) => cents(cards?.totalAmount ?? 0);

/** Checks that the daily close assigns each cent of the day to the Z reports, open shifts, late payments or the rest. */
async function checkShiftPayments({ api }: ApiFixture, merchantId: string, { people, reports }: Day, { apart, late }: Rest): Promise<void> {
  const { shifts } = await expectData(
    api.admin.get<{ shifts: { cardsAmount: number; payments: Record<string, number> } }>(
      `/reporting/daily-summary?merchantId=${merchantId}`,
    ),
  );
  const reported = reports.reduce((sum, { report }) => sum + netOf(report), 0);
  const moved = people.reduce((sum, person) => sum + person.moved, 0);
  const amounts = Object.fromEntries(
    Object.entries(shifts.payments).flatMap(([name, amount]) => (name === 'late' ? [] : [[name, cents(amount)]])),
  );
  expect(amounts).toEqual({
    zReportsAmount: reported,
    fromOtherDaysAmount: 0,
    inOtherReportsAmount: 0,
    openShiftsAmount: moved - reported - late,
    lateAmount: late,
    withoutShiftAmount: apart,
    totalAmount: moved + apart,
  });
  expect(cents(shifts.cardsAmount)).toBe(reported);
}

async function checkDay({ api }: ApiFixture, merchantId: string, { people, payments, reports }: Day, { late }: Rest): Promise<void> {
  for (const person of people) {
    const own = reports.filter((each) => each.person === person);
    const missing = person === people[0] ? late : 0;
    expect(own.reduce((sum, { report }) => sum + netOf(report), missing)).toBe(person.moved);
  }
  const net = payments.reduce((sum, { captured, refunded }) => sum + captured - refunded, 0);
  expect(reports.reduce((sum, { report }) => sum + netOf(report), late)).toBe(net + LOST_CENTS);
  for (const { report } of reports) {
    const { sales, adjustments, voids, refunds, credits, totalAmount, brands } = report.cards as NonNullable<ShiftReportRecord['cards']>;
    const lines = cents(sales.amount) + cents(adjustments.amount) - cents(voids.amount) - cents(refunds.amount) - cents(credits.amount);
    expect(lines).toBe(cents(totalAmount));
    expect(brands.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(totalAmount));
  }
  const tips = await expectData(api.admin.get<{ people: { person: string; net: number }[] }>(`/reporting/tips?merchantId=${merchantId}`));
  const reported = reports.flatMap(({ report }) => report.cards?.tips ?? []);
  for (const { name } of people) {
    const sum = reported.filter(({ person }) => person === name).reduce((total, { amount }) => total + cents(amount), 0);
    expect(sum).toBe(cents(tips.people.find(({ person }) => person === name)?.net ?? 0));
  }
}
