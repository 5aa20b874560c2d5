import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOrder, getOrder, type OrderRecord } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, FULL } from '../../support/server.ts';
import type { TenderRecord } from '../../support/tenders.ts';

const FEW = 12;
/** Number of orders on each database in the full tier. */
const MANY = Number(process.env.PAYDESK_TEST_RUNS ?? 1_000);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_129);
const CENTS = 100;
const shown = (cents: number) => (cents / CENTS).toFixed(2);
const cents = (amount: number) => Math.round(amount * CENTS);

type How = 'card' | 'cash' | 'check' | 'declined';
type Step =
  | { readonly kind: 'pay'; readonly share: number; readonly tip: number; readonly how: How }
  | { readonly kind: 'rest'; readonly how: How }
  | Change
  | { readonly kind: 'park' | 'resume' | 'cancel' };
type Change =
  | { readonly kind: 'void' | 'dispute' | 'return'; readonly index: number }
  | { readonly kind: 'refund'; readonly index: number; readonly part: number; readonly isTip: boolean };

type RefundStep = Extract<Change, { kind: 'refund' }>;

interface ModelPayment {
  readonly id: string;
  readonly how: How;
  readonly share: number;
  readonly amount: number;
  returned: number;
  refunded: number;
  /** Tip that was not refunded. */
  tip: number;
  /** Refunds of the payment, with its tip. */
  total: number;
  isVoid: boolean;
  isDisputed: boolean;
}

interface Model {
  readonly amount: number;
  status: 'open' | 'parked' | 'paid' | 'canceled';
  readonly payments: ModelPayment[];
}

const how = fc.constantFrom<How[]>('card', 'card', 'cash', 'check', 'declined');
const index = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      share: fc.integer({ min: 100, max: 5_000 }),
      tip: fc.constantFrom(0, 0, 150),
      how,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rest' as const), how }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('void' as const, 'dispute' as const, 'return' as const), index }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('refund' as const), index, part: fc.integer({ min: 1, max: 4 }), isTip: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('park' as const, 'resume' as const, 'cancel' as const) }) },
);

const paidOf = ({ payments }: Model) => payments.reduce((sum, { share, returned }) => sum + share - returned, 0);
const refundedOf = ({ payments }: Model) => payments.reduce((sum, { refunded }) => sum + refunded, 0);
const remainingOf = (model: Model) => model.amount - paidOf(model);
/** Returns the money that no refund, void or return gave back. */
const heldOf = (model: Model) => paidOf(model) - refundedOf(model);

/** Moves the model between open and paid after its payments changed. */
function settle(model: Model): void {
  if (model.status === 'open' && remainingOf(model) === 0) model.status = 'paid';
  else if (model.status === 'paid' && remainingOf(model) > 0) model.status = 'open';
}

async function pay({ api }: ApiFixture, orderId: string, model: Model, share: number, tip: number, by: How): Promise<void> {
  const isCard = by === 'card' || by === 'declined';
  const amount = isCard ? share + tip : share;
  const { status, body } = isCard
    ? await api.admin.post<TransactionRecord>('/transactions', {
        ...cardBody(shown(amount), by === 'card' ? CARDS.visa : CARDS.declined),
        orderId,
        tipAmount: shown(tip),
      })
    : await api.admin.post<TenderRecord>('/tenders', {
        kind: by,
        amount: shown(amount),
        orderId,
        ...(by === 'check' && { checkNumber: '1' }),
      });
  const isTaken = model.status === 'open' && share <= remainingOf(model);
  if (!isTaken) return void expect([409, 422], JSON.stringify(body)).toContain(status);
  expect([200, 201], JSON.stringify(body)).toContain(status);
  if (by === 'declined') return;
  const data = (body as { data: Partial<TransactionRecord & TenderRecord> }).data;
  const id = data.transactionId ?? data.tenderId ?? '';
  const payment = { id, how: by, share, amount, tip: amount - share };
  model.payments.push({ ...payment, returned: 0, refunded: 0, total: 0, isVoid: false, isDisputed: false });
  settle(model);
}

/** Gives the whole share of a payment back. */
function reverse(model: Model, payment: ModelPayment): void {
  payment.isVoid = true;
  payment.returned = payment.share - payment.refunded;
  settle(model);
}

async function change(service: ApiFixture, model: Model, operation: Change): Promise<void> {
  const payment = model.payments[operation.index];
  if (payment === undefined) return;
  if (operation.kind === 'refund') return refund(service, model, payment, operation);
  const { admin } = service.api;
  const isCard = payment.how === 'card';
  if (operation.kind === 'dispute') {
    if (!isCard || payment.isVoid || payment.isDisputed || payment.total > 0) return;
    const { status, text } = await admin.post('/sandbox/chargebacks', { transactionId: payment.id, reason: 'fraudulent' });
    expect(status, text).toBe(200);
    payment.isDisputed = true;
  } else if (operation.kind === 'void') {
    if (!isCard) return;
    const { status, text } = await admin.post(`/transactions/${payment.id}/void`, {});
    const isPossible = !payment.isVoid && !payment.isDisputed && payment.total === 0;
    expect(status === 200, text).toBe(isPossible);
    if (isPossible) reverse(model, payment);
  } else {
    if (payment.how !== 'check') return;
    const { status, text } = await admin.post(`/tenders/${payment.id}/return`, {});
    expect(status === 200, text).toBe(!payment.isVoid);
    if (!payment.isVoid) reverse(model, payment);
  }
}

/** Refunds a part of what remains of a payment, or a part of its tip only. */
async function refund({ api }: ApiFixture, model: Model, payment: ModelPayment, { part, isTip }: RefundStep): Promise<void> {
  const left = payment.isVoid || payment.isDisputed ? 0 : payment.amount - payment.total;
  const isTipOnly = isTip && payment.tip > 0;
  const amount = Math.max(1, Math.floor((isTipOnly ? payment.tip : left) / part));
  const path = payment.how === 'card' ? `/transactions/${payment.id}/refund/partial` : `/tenders/${payment.id}/refund`;
  const { status, text, body } = await api.admin.post<{ tipAmount?: number }>(path, {
    amount: shown(amount),
    ...(isTipOnly && { tipAmount: shown(amount) }),
  });
  expect(status < 300, text).toBe(left > 0);
  if (left === 0) return;
  const tip = isTipOnly ? amount : cents(('data' in body && body.data.tipAmount) || 0);
  payment.total += amount;
  payment.tip -= tip;
  const more = amount - tip;
  if (model.status === 'paid') payment.refunded += more;
  else payment.returned += more;
  settle(model);
}

async function move({ api }: ApiFixture, orderId: string, model: Model, kind: 'park' | 'resume' | 'cancel'): Promise<void> {
  const isPossible = {
    park: model.status === 'open' && heldOf(model) === 0,
    resume: model.status === 'parked',
    cancel: (model.status === 'open' || model.status === 'parked') && heldOf(model) === 0,
  }[kind];
  const { status } = await api.admin.post(`/orders/${orderId}/${kind}`, kind === 'resume' ? undefined : {});
  expect(status === 200).toBe(isPossible);
  if (isPossible) model.status = ({ park: 'parked', resume: 'open', cancel: 'canceled' } as const)[kind];
}

/** Compares an order with its model; the tax and the discount of a paid order are those of its payments, to the cent. */
function compare(found: OrderRecord, model: Model, taxCents: number): void {
  expect({
    status: found.status,
    paid: cents(found.paidAmount),
    remaining: cents(found.remainingAmount),
    reserved: cents(found.reservedAmount),
    refunded: cents(found.refundedAmount),
  }).toEqual({
    status: model.status,
    paid: paidOf(model),
    remaining: model.status === 'open' || model.status === 'parked' ? remainingOf(model) : 0,
    reserved: 0,
    refunded: refundedOf(model),
  });
  const taxes = found.payments
    .filter(({ state }) => state === 'paid')
    .map((payment) => {
      const [tax, share, returned] = [payment.taxAmount, payment.shareAmount, payment.returnedAmount].map(cents) as [
        number,
        number,
        number,
      ];
      return tax - (returned >= share ? tax : Math.floor((tax * returned) / share));
    });
  const sum = taxes.reduce((total, tax) => total + tax, 0);
  if (model.status === 'paid') expect(sum).toBe(taxCents);
  else expect(sum).toBeLessThanOrEqual(taxCents);
}

describeOnBothDatabases('the life of an order', (fixture) => {
  test(`follows a simple model through ${FEW} random orders`, () => walk(fixture(), FEW), 60_000);
  test(`follows a simple model through ${MANY} random orders`, { ...FULL, timeout: 3_600_000 }, async () => {
    console.log(await walk(fixture(), MANY));
  });
});

/** Performs random steps on orders, compares each order with its model after every step, and returns the numbers of what was done. */
async function walk(service: ApiFixture, orders: number) {
  const counts = { orders: 0, steps: 0, payments: 0, refunds: 0, voids: 0, disputes: 0, paid: 0, canceled: 0 };
  const life = fc.asyncProperty(
    fc
      .integer({ min: 100, max: 9_000 })
      .chain((amount) => fc.tuple(fc.constant(amount), fc.integer({ min: 0, max: Math.floor(amount / 5) }))),
    fc.array(step, { minLength: 1, maxLength: 10 }),
    async ([amount, taxCents], steps) => {
      const { orderId } = await createOrder(service, { amount: shown(amount), taxAmount: shown(taxCents) });
      const model: Model = { amount, status: 'open', payments: [] };
      for (const each of steps) {
        if (each.kind === 'pay') await pay(service, orderId, model, each.share, each.tip, each.how);
        else if (each.kind === 'rest') await pay(service, orderId, model, Math.max(100, remainingOf(model)), 0, each.how);
        else if ('index' in each) await change(service, model, each);
        else await move(service, orderId, model, each.kind);
        compare(await getOrder(service, orderId), model, taxCents);
      }
      counts.orders += 1;
      counts.steps += steps.length;
      counts.payments += model.payments.length;
      counts.refunds += model.payments.filter(({ total }) => total > 0).length;
      counts.voids += model.payments.filter(({ isVoid }) => isVoid).length;
      counts.disputes += model.payments.filter(({ isDisputed }) => isDisputed).length;
      counts.paid += Number(model.status === 'paid');
      counts.canceled += Number(model.status === 'canceled');
    },
  );
  await fc.assert(life, { numRuns: orders, seed: SEED });
  return counts;
}
