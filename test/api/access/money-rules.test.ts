// Random sequences of operations by a cashier, a manager and a limited API key, sent one by one and in parallel. No second person approves anything,
// so every sum must stay within the rules of the merchant.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createClerk, createPerson, type Person, setRules } from '../../support/approvals.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, type Surface, sized } from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';

/** Limits in cents. */
const LIMITS = {
  amount: 10_000,
  creditsOfDay: 2_500,
  refund: 3_000,
  payOut: 4_000,
  tipPercent: 50,
  keyPayment: 6_000,
  keyDay: 20_000,
} as const;
const FLOAT = 6_000;
const KEY_NAME = 'agent';
const KINDS = [
  ...['sale', 'sale', 'auth', 'tip', 'tip', 'adjust', 'capture', 'void', 'refund', 'refund', 'credit', 'credit', 'pay-out', 'pay-out'],
  ...['cash', 'cash-refund', 'approve-own'],
] as const;
const PEOPLE = ['cashier', 'manager', 'key'] as const;

interface Step {
  readonly kind: string;
  readonly person: (typeof PEOPLE)[number];
  readonly which: number;
  readonly cents: number;
  readonly tipCents: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  person: fc.constantFrom(...PEOPLE),
  which: fc.nat(100),
  cents: fc.oneof(fc.integer({ min: 100, max: 3_000 }), fc.integer({ min: 100, max: 12_000 })),
  tipCents: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
});

interface Day {
  readonly service: ApiFixture;
  readonly merchantId: string;
  readonly shiftId: string;
  readonly token: string;
  readonly people: { readonly cashier: Person; readonly manager: Person; readonly maker: Person };
  readonly key: { readonly id: string; readonly onPublic: Surface; readonly onSdk: Surface };
  readonly payments: string[];
  readonly tenders: string[];
  /** Number of answers by status. */
  readonly answers: Map<number, number>;
}

const major = (cents: number) => (cents / 100).toFixed(2);
const minorOf = (amount: unknown) => Math.round(Number(amount) * 100);
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

async function startDay(service: ApiFixture, maker: Person, managerOf: (merchantId: string) => Promise<Person>): Promise<Day> {
  const { api, baseUrl, credentials } = service;
  const merchantId = await createMerchant(service);
  const fraud = { maxAmount: LIMITS.amount / 100, maxCreditsPerDay: LIMITS.creditsOfDay / 100 };
  await expectData(api.admin.put(`/merchants/${merchantId}/fraud-settings`, fraud));
  const amounts = { refundAbove: LIMITS.refund / 100, payOutAbove: LIMITS.payOut / 100, maxTipPercent: LIMITS.tipPercent };
  await setRules(service, { ...amounts, voidAfterMinutes: 0, approversExempt: false }, merchantId);
  const people = { cashier: await createClerk(service, merchantId), manager: await managerOf(merchantId), maker };
  const shift = { merchantId, drawer: 'Front', amount: FLOAT / 100 };
  const { shiftId } = await expectData(people.cashier.as.post<{ shiftId: string }>('/shifts/open', shift), 201);
  const spendingLimits = { currency: 'USD', perPayment: LIMITS.keyPayment / 100, perDay: LIMITS.keyDay / 100 };
  const body = { name: KEY_NAME, scope: 'merchant', merchantId, spendingLimits, currentPassword: maker.password };
  const { id, key } = await expectData(maker.as.post<{ id: string; key: string }>('/api-keys', body), 201);
  const onPublic = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
  const onSdk = surfaceOf(baseUrl, '/api/v1/sdk', () => ({ Authorization: `Bearer ${key}` }));
  const { transactionId, token } = (await sell(service, merchantId, 20)) as unknown as TransactionRecord;
  const lists = { payments: [transactionId], tenders: [], answers: new Map<number, number>() };
  return { service, merchantId, shiftId, token, people, key: { id, onPublic, onSdk }, ...lists };
}

/** Sends an operation on the surface of the caller: people use the Admin surface, the key the Public and the SDK surface. */
function request(day: Day, { kind, person, which, cents, tipCents }: Step) {
  const { merchantId, token, shiftId, key } = day;
  const id = day.payments[which % day.payments.length] ?? '';
  const tender = day.tenders[which % Math.max(1, day.tenders.length)] ?? 'tdr_0';
  const [amount, tipAmount] = [major(cents), major(tipCents)];
  const movement = { amount, reason: 'Cleaning supplies' };
  const cash = { kind: 'cash', merchantId, amount, drawer: 'Front' };
  if (person === 'key') {
    const { onPublic, onSdk } = key;
    const TransactionId = id;
    if (kind === 'sale' || kind === 'auth') return onPublic.post('/token-transaction', { token, amount, tipAmount });
    if (kind === 'tip') return onPublic.post('/tip', { transactionId: id, tipAmount });
    if (kind === 'adjust') return onSdk.post('/adjust', { TransactionId, Amount: amount, TipAmount: tipAmount });
    if (kind === 'capture') return onSdk.post('/capture', { TransactionId, Amount: amount, TipAmount: tipAmount });
    if (kind === 'void') return onPublic.post('/void', { transactionId: id });
    if (kind === 'refund') return onPublic.post('/refund', { transactionId: id, amount });
    if (kind === 'credit') return onSdk.post('/credit', { TransactionId, Amount: amount });
    if (kind === 'pay-out') return onPublic.post(`/shifts/${shiftId}/pay-out`, movement);
    if (kind === 'cash') return onPublic.post('/tenders', cash);
    return onPublic.post(`/tenders/${tender}/refund`, { amount });
  }
  const { as } = day.people[person];
  if (kind === 'sale' || kind === 'auth')
    return as.post('/transactions', { merchantId, type: kind, paymentMethod: 'token', token, amount, tipAmount });
  if (kind === 'tip') return as.post(`/transactions/${id}/tip`, { tipAmount });
  if (kind === 'adjust' || kind === 'capture') return as.post(`/transactions/${id}/${kind}`, { amount, tipAmount });
  if (kind === 'void') return as.post(`/transactions/${id}/void`, {});
  if (kind === 'refund' || kind === 'credit') return as.post(`/transactions/${id}/${kind}`, { amount });
  if (kind === 'pay-out') return as.post(`/shifts/${shiftId}/pay-out`, movement);
  if (kind === 'cash') return as.post('/tenders', cash);
  return as.post(`/tenders/${tender}/refund`, { amount });
}

async function take(day: Day, one: Step): Promise<void> {
  if (one.kind === 'approve-own') return approveOwn(day, one.which);
  const { status, text, body } = await request(day, one);
  expect(status, text).toBeLessThan(500);
  day.answers.set(status, (day.answers.get(status) ?? 0) + 1);
  const data = (body.data ?? {}) as Record<string, unknown>;
  const paymentId = data.transactionId ?? data.TransactionId;
  if (status === 200 && typeof paymentId === 'string' && !day.payments.includes(paymentId)) day.payments.push(paymentId);
  if (status === 201 && one.kind === 'cash') day.tenders.push(String(data.tenderId));
}

/** Lets the person behind a pending request approve it: the requester, or who made the API key. */
async function approveOwn({ service, merchantId, people }: Day, which: number): Promise<void> {
  const pending = await expectData(
    service.api.admin.get<{ approvalId: string; requesterId: string }[]>(`/approvals?status=pending&merchantId=${merchantId}&limit=200`),
  );
  const one = pending[which % Math.max(1, pending.length)];
  if (one === undefined) return;
  const requester = [people.cashier, people.manager].find(({ userId }) => userId === one.requesterId) ?? people.maker;
  expect((await requester.as.post(`/approvals/${one.approvalId}/approve`, {})).status).toBe(403);
}

interface Found extends TransactionRecord {
  readonly tipAmount: number;
  readonly surchargeAmount: number;
  readonly creditOf: string | null;
}

async function checkSums({ service, merchantId, shiftId, key }: Day): Promise<void> {
  const { admin } = service.api;
  const list = await expectData(admin.get<Found[]>(`/transactions?merchantId=${merchantId}&limit=200`));
  const all = await Promise.all(list.map(({ transactionId }) => expectData(admin.get<Found>(`/transactions/${transactionId}`))));
  const approved = all.filter(({ status }) => status === 'approved');
  const credits = approved.filter(({ type }) => type === 'credit');
  expect(all.filter(({ status }) => status === 'voided')).toEqual([]);
  expect(sumOf(credits.map(({ amount }) => minorOf(amount)))).toBeLessThanOrEqual(Math.min(LIMITS.creditsOfDay, LIMITS.refund));
  for (const payment of approved.filter(({ type }) => type !== 'credit')) {
    const [total, tip] = [minorOf(payment.captured ? payment.capturedAmount : payment.amount), minorOf(payment.tipAmount)];
    expect(total).toBeLessThanOrEqual(LIMITS.amount);
    expect(tip * 100).toBeLessThanOrEqual((total - tip - minorOf(payment.surchargeAmount)) * LIMITS.tipPercent);
    const returned = credits.filter(({ creditOf }) => creditOf === payment.transactionId).map(({ amount }) => minorOf(amount));
    expect(minorOf(payment.refundedAmount) + sumOf(returned)).toBeLessThanOrEqual(LIMITS.refund);
    for (const { actor, amount } of payment.history) if (actor === KEY_NAME) expect(minorOf(amount)).toBeLessThanOrEqual(LIMITS.keyPayment);
  }
  const shift = await expectData(
    admin.get<{ expectedAmount: number; movements: { kind: string; amount: number }[] }>(`/shifts/${shiftId}`),
  );
  expect(minorOf(shift.expectedAmount)).toBeGreaterThanOrEqual(0);
  const paidOut = shift.movements.filter(({ kind }) => kind === 'pay_out').map(({ amount }) => minorOf(amount));
  expect(sumOf(paidOut)).toBeLessThanOrEqual(LIMITS.payOut);
  const { spendingLimits } = await expectData(admin.get<{ spendingLimits: { movedToday: number } }>(`/api-keys/${key.id}`));
  expect(minorOf(spendingLimits.movedToday)).toBeLessThanOrEqual(LIMITS.keyDay);
  expect(await expectData(admin.get<object[]>(`/approvals?status=approved&merchantId=${merchantId}`))).toEqual([]);
}

describeOnAnyDatabase('rules of a merchant about money', (fixture) => {
  test('hold in every sequence of operations that no second person approves', { timeout: sized(120_000, 1_800_000) }, async () => {
    const maker = await createPerson(fixture(), 'admin');
    const managerOf = (merchantId: string) => createPerson(fixture(), 'manager', merchantId);
    const seen = new Set<number>();
    const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: sized(25, 60), maxLength: sized(40, 120) });
    await fc.assert(
      fc.asyncProperty(groups, async (steps) => {
        const day = await startDay(fixture(), maker, managerOf);
        for (const group of steps) await Promise.all(group.map((one) => take(day, one)));
        await checkSums(day);
        for (const status of day.answers.keys()) seen.add(status);
      }),
      { numRuns: sized(2, 20), endOnFailure: true },
    );
    // Otherwise the sequences would prove nothing.
    for (const status of [200, 202, 403, 422]) expect([...seen]).toContain(status);
  });
});
