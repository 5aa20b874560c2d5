import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Core } from '#core';
import { type Actor, ServiceError } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { FULL } from '../../support/tier.ts';

const DAY_MS = 86_400_000;
const GOOD = '4111111111111111';
const BAD = '4000000000009995';
const FAULTY = '4000000000006991';

let opened: TestCore;
let core: Core;
let actor: Actor;
beforeAll(async () => {
  opened = await openTestCore();
  ({ core, actor: actor } = opened);
  // Settlements would write batches of their own.
  const { merchantId } = await core.merchants.merchantFor(actor);
  await core.settlement.changeSchedule(actor, merchantId, { frequency: 'manual' });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => opened.close());

const onDay = (days: number) => new Date(core.identity.tenants.clockOf(actor.tenantId).now() + days * DAY_MS).toISOString().slice(0, 10);
const card = (number: string) => ({ card: { number, expiryMonth: '12', expiryYear: '2039' } });
const wait = (days: number) => core.sandbox.moveClock(actor, { advanceSeconds: days * 86_400 });
const messages = async () => (await core.sandbox.messages(actor, { page: 1, limit: 200 })).items;

async function cardholder(number: string, email?: string) {
  const { customerId } = await core.customers.create(actor, { lastName: 'Marsh', email });
  const { paymentMethodId } = await core.customers.addMethod(actor, customerId, card(number));
  return { customerId, paymentMethodId };
}

const plan = (customerId: string, more: object = {}) =>
  core.recurring.create(actor, { customerId, amount: '10.00', frequency: 'monthly', startDate: onDay(1), ...more });

test('counts no decline if the database is unavailable during billing, and charges afterwards', async () => {
  const { customerId } = await cardholder(GOOD, 'away@customer.example');
  const { subscriptionId } = await plan(customerId);
  vi.spyOn(core.database.unitOfWork, 'writeBatch').mockRejectedValueOnce(new ServiceError('SERVICE_UNAVAILABLE', 'The database is busy.'));
  await wait(2);
  vi.restoreAllMocks();
  // The holder stopped, and its lease ends.
  await core.database.unitOfWork.transaction(actor.tenantId, (work) =>
    work.run('UPDATE subscriptions SET lease_ms = 0 WHERE tenant_id = :tenantId'),
  );
  await wait(1);
  expect(await core.recurring.get(actor, subscriptionId)).toMatchObject({ status: 'active', paymentsMade: 1, failedAttempts: 0 });
  const { items } = await core.recurring.payments(actor, subscriptionId, {}, { page: 1, limit: 10 });
  expect(items.map(({ status }) => status)).toEqual(['succeeded']);
  expect((await messages()).filter(({ to }) => to === 'away@customer.example')).toEqual([]);
});

/** Calls a function before each batch of writes of the database, with the number of the batch. Returns a function that counts the batches. */
function beforeEachBatch(call: (batch: number) => Promise<unknown> | undefined): () => number {
  const { unitOfWork } = core.database;
  const writeBatch = unitOfWork.writeBatch.bind(unitOfWork);
  let batches = 0;
  vi.spyOn(unitOfWork, 'writeBatch').mockImplementation(async (tenantId, fill) => {
    batches += 1;
    await call(batches);
    return writeBatch(tenantId, fill);
  });
  return () => batches;
}

test('stores the result of a renewal together with the outcome of its payment', async () => {
  const { customerId } = await cardholder(GOOD);
  const { subscriptionId } = await plan(customerId);
  const batches = beforeEachBatch(() => undefined);
  await wait(2);
  // The intent and the outcome.
  expect(batches()).toBe(2);
  expect(await core.recurring.get(actor, subscriptionId)).toMatchObject({ status: 'active', paymentsMade: 1 });
});

test('keeps the payment of a subscription that is paused while the payment is at its gateway', async () => {
  const { customerId } = await cardholder(GOOD);
  const { subscriptionId } = await plan(customerId);
  // The second batch is the outcome of the payment.
  const batches = beforeEachBatch((batch) => (batch === 2 ? core.recurring.pause(actor, subscriptionId) : undefined));
  await wait(2);
  expect(batches()).toBeGreaterThan(2);
  vi.restoreAllMocks();
  expect(await core.recurring.get(actor, subscriptionId)).toMatchObject({ status: 'paused', paymentsMade: 1 });
  const { items } = await core.recurring.payments(actor, subscriptionId, {}, { page: 1, limit: 10 });
  expect(items.map(({ status }) => status)).toEqual(['succeeded']);
  const charges = await core.payments.page(actor, { customerId }, { page: 1, limit: 10 });
  expect(charges.items.map(({ status }) => status)).toEqual(['approved']);
});

test('creates a subscription that starts today although the database fails before its first payment', async () => {
  const { customerId } = await cardholder(GOOD);
  vi.spyOn(core.database.unitOfWork, 'writeBatch').mockRejectedValueOnce(new ServiceError('SERVICE_UNAVAILABLE', 'The database is busy.'));
  const made = await plan(customerId, { startDate: onDay(0) });
  expect(made).toMatchObject({ status: 'active', paymentsMade: 0 });
  await core.database.unitOfWork.transaction(actor.tenantId, (work) =>
    work.run('UPDATE subscriptions SET lease_ms = 0 WHERE tenant_id = :tenantId'),
  );
  await wait(0);
  expect(await core.recurring.get(actor, made.subscriptionId)).toMatchObject({ paymentsMade: 1 });
});

test('creates no subscription that outlives its customer in parallel requests', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { customerId } = await cardholder(GOOD);
    await Promise.allSettled([plan(customerId), core.customers.remove(actor, customerId)]);
    const { items } = await core.recurring.page(actor, { customerId }, { page: 1, limit: 10 });
    expect(items.filter(({ status }) => status !== 'cancelled')).toEqual([]);
  }
});

test('removes a deleted card from subscriptions, and charges past due ones to the remaining card', async () => {
  const { customerId, paymentMethodId: bad } = await cardholder(BAD);
  const { subscriptionId } = await plan(customerId, { paymentMethodId: bad });
  await wait(2);
  expect(await core.recurring.get(actor, subscriptionId)).toMatchObject({ status: 'past_due', paymentMethodId: bad });
  await core.customers.addMethod(actor, customerId, card(GOOD));
  await core.customers.removeMethod(actor, customerId, bad);
  expect(await core.recurring.get(actor, subscriptionId)).toMatchObject({ paymentMethodId: null });
  await wait(0);
  expect(await core.recurring.get(actor, subscriptionId)).toMatchObject({ status: 'active', paymentsMade: 1 });
});

test('tries another card immediately, also after changes by a workstation whose clock is ahead', async () => {
  const { customerId } = await cardholder(BAD);
  const plans = await Promise.all([plan(customerId), plan(customerId)]);
  await wait(2);
  const ahead = onDay(1);
  await core.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.run('UPDATE customers SET updated_at = :ahead WHERE tenant_id = :tenantId AND id = :customerId', { ahead, customerId });
    await work.run('UPDATE subscriptions SET updated_at = :ahead WHERE tenant_id = :tenantId AND customer_id = :customerId', {
      ahead,
      customerId,
    });
  });
  const { paymentMethodId } = await core.customers.addMethod(actor, customerId, card(GOOD));
  await core.recurring.update(actor, plans[0]?.subscriptionId ?? '', { paymentMethodId });
  await core.customers.setDefault(actor, customerId, paymentMethodId);
  expect(await core.recurring.processRetries(actor)).toMatchObject({ processed: 2, succeeded: 2 });
});

test('notifies a customer of a decline only if the card was declined', async () => {
  const faulty = await cardholder(FAULTY, 'faulty@customer.example');
  const declined = await cardholder(BAD, 'declined@customer.example');
  await plan(faulty.customerId);
  await plan(declined.customerId);
  await wait(2);
  const messageTo = async (email: string) => (await messages()).find(({ to }) => to === email);
  expect(await messageTo('declined@customer.example')).toMatchObject({ subject: 'Your payment to M was declined' });
  const fault = await messageTo('faulty@customer.example');
  expect(`${fault?.subject} ${fault?.body}`).not.toContain('declined');
  expect(fault?.body).toContain('could not be processed');
});

test('charges only past due subscriptions of the merchant in a retry run', async () => {
  const other = await core.merchants.create(actor, { name: 'Other' });
  const ofOther = { ...actor, merchantId: other.merchantId };
  const { customerId } = await core.customers.create(ofOther, { lastName: 'Olsen' });
  await core.customers.addMethod(ofOther, customerId, card(BAD));
  const theirs = await core.recurring.create(ofOther, { customerId, amount: '10.00', frequency: 'weekly', startDate: onDay(1) });
  const mine = await plan((await cardholder(BAD)).customerId, { frequency: 'weekly' });
  await wait(1);
  const due = await plan((await cardholder(GOOD)).customerId);
  const now = core.identity.tenants.clockOf(actor.tenantId).now();
  await core.database.unitOfWork.transaction(actor.tenantId, (work) =>
    work.run(
      'UPDATE subscriptions SET due_ms = :now, retry_ms = CASE WHEN retry_ms IS NULL THEN NULL ELSE :now END WHERE tenant_id = :tenantId AND id IN (:a, :b, :c)',
      {
        now,
        a: theirs.subscriptionId,
        b: mine.subscriptionId,
        c: due.subscriptionId,
      },
    ),
  );
  const { merchantId } = await core.merchants.merchantFor(actor);
  expect(await core.recurring.processRetries({ ...actor, merchantId })).toMatchObject({ processed: 1, failed: 1 });
  expect(await core.recurring.get(actor, mine.subscriptionId)).toMatchObject({ failedAttempts: 2 });
  expect(await core.recurring.get(actor, theirs.subscriptionId)).toMatchObject({ failedAttempts: 1 });
  expect(await core.recurring.get(actor, due.subscriptionId)).toMatchObject({ paymentsMade: 0 });
});

test('starts no subscription of a closed merchant', async () => {
  const closing = await core.merchants.create(actor, { name: 'Closing' });
  const { customerId } = await core.customers.create({ ...actor, merchantId: closing.merchantId }, { lastName: 'Last' });
  await core.customers.addMethod(actor, customerId, card(GOOD));
  await core.merchants.close(actor, closing.merchantId);
  await expect(plan(customerId)).rejects.toMatchObject({ code: 'MERCHANT_NOT_FOUND' });
});

test('inquires immediately about the own payment only', FULL, async () => {
  const lost = await cardholder('4000000000006975');
  await plan(lost.customerId);
  const inquiries = async () =>
    core.database
      .read(actor.tenantId)
      .all<{ inquiries: number; due_ms: number }>(
        "SELECT inquiries, due_ms FROM attempts WHERE tenant_id = :tenantId AND state = 'unconfirmed' ORDER BY id",
      );
  const sale = { type: 'sale', amount: '12.00', source: 'api', method: { kind: 'card', ...card('4000000000006975').card } } as const;
  await expect(core.payments.createPayment(actor, sale)).rejects.toMatchObject({ code: 'GATEWAY_TIMEOUT' });
  await core.database.unitOfWork.transaction(actor.tenantId, (work) =>
    work.run("UPDATE attempts SET inquiries = 4, due_ms = :later WHERE tenant_id = :tenantId AND state = 'unconfirmed'", {
      later: Date.now() + 60_000 - 1,
    }),
  );
  const { subscriptionId } = await plan(lost.customerId, { startDate: onDay(0) });
  expect(await core.recurring.get(actor, subscriptionId)).toMatchObject({ paymentsMade: 1 });
  expect(await inquiries()).toMatchObject([{ inquiries: 4 }]);
});

test('reports the paid amount in events, whatever the present amount', async () => {
  const { customerId } = await cardholder(GOOD);
  const { subscriptionId } = await plan(customerId, { amount: '9.00' });
  const { createPayment } = core.payments;
  vi.spyOn(core.payments, 'createPayment').mockImplementation(async (...asked) => {
    const paid = await createPayment(...asked);
    if (asked[1].subscription?.subscriptionId === subscriptionId) await core.recurring.update(actor, subscriptionId, { amount: '77.00' });
    return paid;
  });
  await wait(2);
  const [message] = await core.database
    .read(actor.tenantId)
    .all<{ data: string }>(
      "SELECT data FROM events WHERE tenant_id = :tenantId AND type = 'subscription.payment_succeeded' AND resource_id = :subscriptionId",
      { subscriptionId },
    );
  expect(JSON.parse(message?.data ?? '{}')).toMatchObject({ subscriptionId, amount: 9 });
  expect(await core.recurring.get(actor, subscriptionId)).toMatchObject({ amount: { minor: 7_700 }, paymentsMade: 1 });
});

test('limits start and end to a hundred years', async () => {
  const { customerId } = await cardholder(GOOD);
  for (const [field, dates] of [
    ['startDate', { startDate: '9999-12-31' }],
    ['endDate', { endDate: '9999-12-31' }],
  ] as const)
    await expect(plan(customerId, dates)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
});

test('keeps the summary readable with subscriptions of extreme amounts', async () => {
  const { customerId } = await cardholder(GOOD);
  for (let made = 0; made < 4; made += 1) await plan(customerId, { amount: '99999999999.999', currency: 'KWD', frequency: 'daily' });
  const { expected } = await core.recurring.summary(actor);
  expect(expected.map(({ currency }) => currency)).toContain('KWD');
});

test('stores an agreed payment method after the next start if the process ended before', async () => {
  const { customerId } = await core.customers.create(actor, { lastName: 'Left' });
  const method = { kind: 'card', ...card(GOOD).card } as const;
  const sale = await core.payments.createPayment(actor, {
    type: 'sale',
    amount: '8.00',
    source: 'keyed',
    customerId,
    method,
    saveConsent: 'Yes',
  });
  // As after a process was killed right after the sale was approved.
  await core.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.run('DELETE FROM payment_methods WHERE tenant_id = :tenantId AND customer_id = :customerId', { customerId });
    await work.run("UPDATE transactions SET save_consent = 'Yes' WHERE tenant_id = :tenantId AND id = :id", { id: sale.transactionId });
  });
  await core.payments.resume();
  const { items } = await core.customers.methods(actor, customerId, { page: 1, limit: 10 });
  expect(items).toMatchObject([{ last4: '1111', consentText: 'Yes' }]);
});
