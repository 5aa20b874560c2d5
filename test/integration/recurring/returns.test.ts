// Subscription payments from bank accounts that are returned days after their approval.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LiveCore, openLiveCore } from '../../support/live-core.ts';

const DAY = 86_400_000;

describe.each([
  ['authorizenet', 'sqlite'],
  ['nmi', 'postgres'],
] as const)('returned payments of subscriptions at %s (%s)', (type, kind) => {
  let live: LiveCore;
  let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    simulator = await live.addSimulator(type);
  });
  afterAll(() => live.close());

  /** Creates a subscription of a customer with a bank account and takes its first payment. */
  async function planOf(more: object = {}) {
    const { core, actor } = live;
    const { customerId } = await core.customers.create(actor, { lastName: 'Marsh', email: 'marsh@customer.example' });
    await core.customers.addMethod(actor, customerId, {
      bankAccount: { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada Marsh' },
    });
    const plan = await core.recurring.create(actor, {
      customerId,
      amount: '30.00',
      frequency: 'weekly',
      agreementChannel: 'internet',
      ...more,
    });
    expect(plan).toMatchObject({ paymentsMade: 1 });
    return plan.subscriptionId;
  }

  const find = (id: string) => live.core.recurring.get(live.actor, id);
  const paymentsOf = async (id: string) => (await live.core.recurring.payments(live.actor, id, {}, { page: 1, limit: 10 })).items;

  async function returnPayment(transactionId: string | null, code: string, reason: string) {
    const { core, actor } = live;
    const { processorRef } = await core.payments.get(actor, transactionId ?? '');
    simulator.closeBatch();
    await live.advance(DAY);
    simulator.ledger.returnItem(simulator.ledger.byOurReference(processorRef)[0]?.reference ?? '', code, reason);
    await live.advance(DAY);
    await core.payments.readReturns(actor.tenantId);
  }

  const eventsOf = async (id: string) => {
    const events = await live.database
      .read(live.actor.tenantId)
      .all<{ type: string; data: string }>('SELECT type, data FROM events WHERE tenant_id = :tenantId AND resource_id = :id ORDER BY id', {
        id,
      });
    return events.map(({ type, data }) => [type, (JSON.parse(data) as { declineCode?: string }).declineCode]);
  };

  test('retries a return for insufficient funds: past due, with a notice, paid by the next attempt', async () => {
    const id = await planOf();
    await returnPayment((await paymentsOf(id))[0]?.transactionId ?? null, 'R01', 'Insufficient Funds');
    expect(await find(id)).toMatchObject({ status: 'past_due', paymentsMade: 0, failedAttempts: 1, lastResult: 'failed' });
    expect(await paymentsOf(id)).toMatchObject([{ status: 'failed', declineCode: 'R01' }]);
    expect(await eventsOf(id)).toEqual([
      ['subscription.created', undefined],
      ['subscription.payment_succeeded', undefined],
      ['subscription.payment_failed', 'R01'],
    ]);
    const messages = await live.database
      .read(live.actor.tenantId)
      .all("SELECT id FROM messages WHERE tenant_id = :tenantId AND kind = 'dunning' AND resource_id = :id", { id });
    expect(messages).toHaveLength(1);
    await live.advance(DAY + 1_000);
    expect(await live.core.recurring.processRetries(live.actor)).toMatchObject({ processed: 1, succeeded: 1 });
    expect(await find(id)).toMatchObject({ status: 'active', paymentsMade: 1, failedAttempts: 0 });
    expect((await paymentsOf(id)).map(({ status, dueDate }) => [status, dueDate])).toEqual([
      ['succeeded', (await paymentsOf(id))[1]?.dueDate],
      ['failed', (await paymentsOf(id))[1]?.dueDate],
    ]);
  });

  test("ends the subscription by the merchant's table if the bank forbids a retry", async () => {
    const id = await planOf({ totalPayments: 1 });
    expect(await find(id)).toMatchObject({ status: 'expired' });
    await returnPayment((await paymentsOf(id))[0]?.transactionId ?? null, 'R07', 'Authorization Revoked');
    expect(await find(id)).toMatchObject({ status: 'cancelled', cancelReason: 'payment_failed', paymentsMade: 0 });
    expect((await eventsOf(id)).slice(-2)).toEqual([
      ['subscription.payment_failed', 'R07'],
      ['subscription.cancelled', undefined],
    ]);
  });

  test('stops counting a returned earlier payment, and continues the subscription', async () => {
    const id = await planOf();
    const [first] = await paymentsOf(id);
    await live.advance(7 * DAY + 1_000);
    await live.core.start();
    await vi.waitFor(async () => expect(await paymentsOf(id)).toHaveLength(2), 20_000);
    await vi.waitFor(async () => expect(await find(id)).toMatchObject({ paymentsMade: 2 }), 20_000);
    const { nextPaymentDate } = await find(id);
    await returnPayment(first?.transactionId ?? null, 'R01', 'Insufficient Funds');
    // The scheduler also reads returns.
    await vi.waitFor(async () => expect(await find(id)).toMatchObject({ paymentsMade: 1 }), 20_000);
    expect(await find(id)).toMatchObject({ status: 'active', nextPaymentDate, lastResult: 'succeeded' });
    expect((await paymentsOf(id)).map(({ status, declineCode }) => [status, declineCode])).toEqual([
      ['succeeded', null],
      ['failed', 'R01'],
    ]);
  });
});
