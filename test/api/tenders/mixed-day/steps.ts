import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer } from '../../../support/api-client.ts';
import { createInvoice, type PaymentRecord, payInvoice } from '../../../support/invoices.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../../support/sales.ts';
import { expectData } from '../../../support/server.ts';
import { closeShift, getTender, openShift } from '../../../support/tenders.ts';
import {
  addLine,
  addParts,
  type Day,
  DRAWERS,
  expectedCash,
  figuresAt,
  major,
  minorOf,
  noFigures,
  noParts,
  type PartSums,
  type Payment,
  type TenderKind,
} from './model.ts';

const KINDS = [
  ...['sale', 'sale', 'items', 'surcharge', 'bank', 'declined', 'auth', 'auth', 'capture', 'capture', 'raise'],
  ...['cancel-capture', 'tip', 'tip', 'void', 'refund', 'refund', 'credit', 'cash', 'cash', 'check', 'other', 'return', 'return'],
  ...['pay-in', 'pay-out', 'invoice', 'installment', 'turn', 'turn'],
] as const;

export interface Step {
  readonly kind: string;
  readonly person: number;
  /** The last one is a request without a drawer. */
  readonly drawer: number;
  readonly cents: number;
  readonly extra: number;
  readonly which: number;
}

export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  person: fc.nat(2),
  drawer: fc.nat(DRAWERS.length),
  cents: fc.integer({ min: 200, max: 9_999 }),
  extra: fc.nat(99),
  which: fc.nat(200),
});

type Parts = Pick<
  TransactionRecord & { tipAmount: number; surchargeAmount: number; taxAmount: number },
  'tipAmount' | 'surchargeAmount' | 'taxAmount'
>;
const partsOf = (record: Partial<Parts>): PartSums => ({
  tip: minorOf(record.tipAmount ?? 0),
  surcharge: minorOf(record.surchargeAmount ?? 0),
  tax: minorOf(record.taxAmount ?? 0),
});

const BANK = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann' };
const TAX_PERMILLE = 8_875;
const roundHalfUp = (numerator: number, denominator: number) => Math.floor((2 * numerator + denominator) / (2 * denominator));

/** Executes one step of the day as a person at a drawer, and books in the model what the step must have moved. */
export async function take(day: Day, one: Step): Promise<void> {
  const drawer = DRAWERS[one.drawer] ?? null;
  const payment = day.payments[one.which % Math.max(1, day.payments.length)];
  switch (one.kind) {
    case 'sale':
    case 'items':
    case 'surcharge':
    case 'bank':
    case 'auth':
      return sell(day, one, drawer);
    case 'declined': {
      const { status } = await send(day, one, drawer, '/transactions', {
        ...cardBody(major(one.cents), CARDS.declined),
        merchantId: day.merchantId,
      });
      expect(status).toBe(200);
      day.declined += 1;
      return;
    }
    case 'credit':
      return payment && credit(day, one, drawer, payment);
    case 'capture':
    case 'raise':
    case 'cancel-capture':
    case 'tip':
    case 'void':
    case 'refund':
      return payment && change(day, one, drawer, payment);
    case 'cash':
    case 'check':
    case 'other':
      return takeTender(day, one, drawer ?? DRAWERS[0], one.kind);
    case 'return':
      return returnTender(day, one, drawer);
    case 'invoice':
      return payInvoiceInCash(day, one, drawer ?? DRAWERS[0]);
    case 'installment':
      return chargeInstallment(day, one);
    case 'pay-in':
    case 'pay-out':
      return moveCash(day, one, drawer ?? DRAWERS[0], one.kind);
    default:
      return turn(day, drawer ?? DRAWERS[0], one.cents);
  }
}

/** Sends a request as a person at a drawer. If it needs an approval, the owner approves it. */
async function send(
  day: Day,
  { person }: Step,
  drawer: string | null,
  path: string,
  body: object,
): Promise<{ status: number; data: Record<string, unknown> }> {
  const { api } = day.service;
  const user = day.people[person] as (typeof day.people)[number];
  const headers = { ...user.headers, ...(drawer !== null && { 'Paydesk-Drawer': drawer }) };
  const answer: Answer = await api.bare.post(`/api/v1${path}`, body, headers);
  expect(answer.status, answer.text).toBeLessThan(500);
  if (answer.status !== 202) return { status: answer.status, data: answer.body.data ?? {} };
  const approvalPath = `/approvals/${String(answer.body.data.approvalId)}`;
  await expectData(api.admin.post(`${approvalPath}/approve`, {}));
  const decided = await expectData(
    api.bare.get<{ resultStatus: number; result: { data?: Record<string, unknown> } | null }>(`/api/v1${approvalPath}`, headers),
  );
  day.approved += 1;
  return { status: decided.resultStatus, data: decided.result?.data ?? {} };
}

async function sell(day: Day, one: Step, drawer: string | null): Promise<void> {
  const { kind, cents, extra, which } = one;
  const { merchantId } = day;
  const tipAmount = kind === 'bank' ? 0 : major(extra);
  let more: Record<string, unknown> = { amount: major(cents + (kind === 'bank' ? 0 : extra)), taxAmount: major(Math.floor(cents / 12)) };
  if (kind === 'items') {
    const quantity = 1 + (which % 3);
    const tax = roundHalfUp(quantity * cents * TAX_PERMILLE, 100_000);
    const lineItems = [{ description: 'Mug', quantity, unitPrice: major(cents), taxRate: TAX_PERMILLE / 1_000 }];
    more = { amount: major(quantity * cents + tax + extra), lineItems };
  }
  if (kind === 'surcharge' || (kind === 'auth' && which % 2 === 0)) {
    const quoted = { ...more, tipAmount, merchantId, firstDigits: '41111111' };
    const quote = await expectData(
      day.service.api.admin.post<{ surchargeAmount: number; totalAmount: number }>('/transactions/surcharge-quote', quoted),
    );
    more = { ...more, amount: quote.totalAmount, surchargeAmount: quote.surchargeAmount };
  }
  const card = which % 3 === 0 && !('surchargeAmount' in more) ? CARDS.amex : CARDS.visa;
  const method =
    kind === 'bank' ? { type: 'sale', paymentMethod: 'ach', bankAccount: BANK, currency: 'USD' } : cardBody(1, card, { tipAmount });
  if (card === CARDS.amex && 'card' in method) Object.assign(method.card as object, { cvv: '1234' });
  const body = { ...method, ...more, type: kind === 'auth' ? 'auth' : 'sale', merchantId };
  const { status, data } = await send(day, one, drawer, '/transactions', body);
  expect([status, data]).toMatchObject([200, { status: 'approved', amount: more.amount }]);
  const payment = addPayment(day, data);
  await record(day, payment, drawer);
}

function addPayment(day: Day, data: Record<string, unknown>): Payment {
  const { transactionId, createdBy, type } = data as { transactionId: string; createdBy: string; type: string };
  const payment: Payment = {
    ...{ transactionId, createdBy, type, status: 'approved', captured: 0, refunded: 0 },
    parts: noParts(),
    returnedParts: noParts(),
  };
  day.payments.push(payment);
  return payment;
}

/** Changes a payment. A step that the state of the payment does not allow is refused, and moves nothing. */
async function change(day: Day, one: Step, drawer: string | null, payment: Payment): Promise<void> {
  const { kind, cents, extra } = one;
  const bodies: Record<string, object> = {
    capture: extra % 2 === 0 ? {} : { amount: major(cents) },
    raise: { amount: major(cents + extra) },
    tip: { tipAmount: major(extra) },
    refund: extra % 4 === 0 ? {} : { amount: major(cents) },
  };
  const path = `/transactions/${payment.transactionId}/${kind === 'raise' ? 'adjust' : kind}`;
  const before = { ...payment };
  const { status, data } = await send(day, one, drawer, path, bodies[kind] ?? {});
  const isDone = status === 200;
  await record(day, payment, drawer, isDone && kind === 'refund' ? partsOf(data) : undefined);
  if (!isDone)
    return expect([payment.captured, payment.refunded, payment.status]).toEqual([before.captured, before.refunded, before.status]);
  if (kind === 'capture' && extra % 2 === 1) expect(payment.captured).toBe(cents);
  if (kind === 'refund') expect(minorOf(Number(data.amount))).toBe(payment.refunded - before.refunded);
}

/** Compares a payment with its state before, and books the difference at the drawer of the request. */
async function record(day: Day, payment: Payment, drawer: string | null, refundParts?: PartSums): Promise<void> {
  const found = await expectData(day.service.api.admin.get<TransactionRecord & Parts>(`/transactions/${payment.transactionId}`));
  const figures = figuresAt(day, drawer);
  const captured = found.status === 'voided' ? 0 : minorOf(found.capturedAmount);
  const parts = captured === 0 ? noParts() : partsOf(found);
  const refunded = minorOf(found.refundedAmount);
  const { captured: before, createdBy } = payment;
  if (captured !== before || parts.tip !== payment.parts.tip) {
    addParts(figures, createdBy, payment.parts, -1);
    addParts(figures, createdBy, parts, 1);
  }
  if (before === 0 && captured > 0) addLine(figures, 'cardSales', captured);
  else if (before > 0 && captured === 0) addLine(figures, 'cardVoids', before);
  else if (captured !== before) addLine(figures, 'cardAdjustments', captured - before);
  if (refunded !== payment.refunded && refundParts !== undefined) {
    addLine(figures, 'cardRefunds', refunded - payment.refunded);
    addParts(figures, createdBy, refundParts, -1);
    for (const name of ['tip', 'surcharge', 'tax'] as const) payment.returnedParts[name] += refundParts[name];
    day.refunds += 1;
  }
  Object.assign(payment, { captured, parts, refunded, status: found.status });
  expect(parts.tip + parts.surcharge + parts.tax).toBeLessThanOrEqual(captured);
  for (const name of ['tip', 'surcharge', 'tax'] as const) {
    if (refunded === captured) expect(payment.returnedParts[name]).toBe(parts[name]);
    expect(payment.returnedParts[name]).toBeLessThanOrEqual(parts[name]);
  }
}

async function credit(day: Day, one: Step, drawer: string | null, payment: Payment): Promise<void> {
  const { status, data } = await send(day, one, drawer, `/transactions/${payment.transactionId}/credit`, { amount: major(one.cents) });
  if (status !== 200) return;
  expect(data).toMatchObject({ type: 'credit', status: 'approved', amount: major(one.cents) });
  addLine(figuresAt(day, drawer), 'cardCredits', one.cents);
  day.credits.count += 1;
  day.credits.minor += one.cents;
}

async function takeTender(day: Day, one: Step, drawer: string, kind: TenderKind): Promise<void> {
  const { cents, which } = one;
  const quantity = 1 + (which % 3);
  const tax = roundHalfUp(quantity * cents * TAX_PERMILLE, 100_000);
  const lineItems = [{ description: 'Mug', quantity, unitPrice: major(cents), taxRate: TAX_PERMILLE / 1_000 }];
  const sold =
    which % 2 === 0
      ? { amount: major(cents), taxAmount: major(Math.floor(cents / 12)) }
      : { amount: major(quantity * cents + tax), lineItems };
  const more =
    kind === 'check' ? { checkNumber: '1' } : kind === 'other' ? { name: 'Voucher' } : { amountGiven: major(minorOf(sold.amount) + 500) };
  const body = { kind, merchantId: day.merchantId, drawer, ...sold, ...more };
  const { status, data } = await send(day, one, drawer, '/tenders', body);
  expect([status, data]).toMatchObject([201, { amount: sold.amount, shiftId: day.open.get(drawer)?.shiftId ?? null }]);
  expect(minorOf(Number(data.taxAmount))).toBe('lineItems' in sold ? tax : Math.floor(cents / 12));
  if (kind === 'cash') expect(data.change).toBe(5);
  addTender(day, drawer, data);
}

function addTender(day: Day, drawer: string, data: Record<string, unknown>): void {
  const { tenderId, kind, amount, taxAmount } = data as { tenderId: string; kind: TenderKind; amount: number; taxAmount: number };
  day.tenders.push({ tenderId, kind, amount: minorOf(amount), tax: minorOf(taxAmount), refunded: 0, refundedTax: 0 });
  addLine(figuresAt(day, drawer), `${kind}Sales`, minorOf(amount));
}

async function returnTender(day: Day, one: Step, drawer: string | null): Promise<void> {
  const tender = day.tenders[one.which % Math.max(1, day.tenders.length)];
  if (tender === undefined) return;
  const left = tender.amount - tender.refunded;
  const amount = Math.min(left, one.cents);
  const body = { ...(amount < left || one.extra % 2 === 0 ? { amount: major(amount) } : {}), ...(drawer !== null && { drawer }) };
  const { status, data } = await send(day, one, drawer, `/tenders/${tender.tenderId}/refund`, left === 0 ? {} : body);
  if (left === 0) return expect(status).toBeGreaterThanOrEqual(400);
  expect([status, data]).toMatchObject([201, { amount: major(amount) }]);
  tender.refunded += amount;
  tender.refundedTax += minorOf(Number(data.taxAmount));
  if (tender.refunded === tender.amount) expect(tender.refundedTax).toBe(tender.tax);
  day.refunds += 1;
  const at = day.shifts.find(({ shiftId }) => shiftId === data.shiftId);
  if (drawer !== null) expect(data.shiftId).toBe(day.open.get(drawer)?.shiftId ?? null);
  addLine(at?.figures ?? day.outside, `${tender.kind}Refunds`, amount);
}

/** An invoice with tax that is paid in cash in two payments, which have its tax together. */
async function payInvoiceInCash(day: Day, { cents, extra }: Step, drawer: string): Promise<void> {
  const { service, customerId, merchantId } = day;
  const { invoiceId } = await createInvoice(service, customerId, {
    ...{ amount: major(cents), merchantId, taxAmount: major(extra), allowPartial: true },
  });
  let tax = 0;
  for (const part of [Math.floor(cents / 3), cents - Math.floor(cents / 3)]) {
    const { payments } = await expectData(payInvoice(service, invoiceId, { amount: major(part), drawer }));
    const { tenderId } = payments.at(-1) as PaymentRecord & { tenderId: string };
    const tender = { ...(await getTender(service, tenderId)) } as unknown as Record<string, unknown>;
    expect(tender).toMatchObject({ amount: major(part), shiftId: day.open.get(drawer)?.shiftId ?? null });
    addTender(day, drawer, tender);
    tax += minorOf(Number(tender.taxAmount));
  }
  expect(tax).toBe(extra);
}

/** The first of two installments, which is charged immediately and belongs to no shift. */
async function chargeInstallment(day: Day, { cents, extra }: Step): Promise<void> {
  const { service, customerId, merchantId } = day;
  const body = { invoice: { customerId, amount: major(cents), merchantId, taxAmount: major(extra) }, count: 2, interval: 'weekly' };
  const plan = await expectData(
    service.api.admin.post<{ installments: { transactionId: string | null; amount: number; status: string }[] }>(
      '/installment-plans',
      body,
    ),
    201,
  );
  const first = plan.installments[0];
  expect(first).toMatchObject({ status: 'paid', amount: major(Math.ceil(cents / 2)) });
  const path = `/transactions/${first?.transactionId}`;
  const payment = addPayment(day, await expectData(service.api.admin.get(path)));
  await record(day, payment, null);
  expect(payment.captured).toBe(Math.ceil(cents / 2));
}

async function moveCash(day: Day, one: Step, drawer: string, kind: 'pay-in' | 'pay-out'): Promise<void> {
  const shift = day.open.get(drawer);
  if (shift === undefined) return;
  await send(day, one, drawer, `/shifts/${shift.shiftId}/${kind}`, { amount: major(one.cents), reason: 'Safe' });
  addLine(shift.figures, kind === 'pay-in' ? 'payIns' : 'payOuts', one.cents);
}

/** Opens a shift at a drawer, or closes the open one with a count that can be wrong. */
export async function turn(day: Day, drawer: string, cents: number): Promise<void> {
  const { service, merchantId } = day;
  const shift = day.open.get(drawer);
  if (shift === undefined) {
    const record = await openShift(service, { merchantId, drawer, amount: major(cents) });
    const opened = { shiftId: record.shiftId, record, floatMinor: cents, figures: noFigures(), countedMinor: null };
    day.open.set(drawer, opened);
    day.shifts.push(opened);
    return;
  }
  const counted = Math.max(0, expectedCash(shift) + ((cents % 3) - 1) * 125);
  const closed = await expectData(closeShift(service, shift.shiftId, { amount: major(counted) }));
  expect(closed).toMatchObject({ expectedAmount: major(expectedCash(shift)), varianceAmount: major(counted - expectedCash(shift)) });
  shift.countedMinor = counted;
  day.open.delete(drawer);
}
