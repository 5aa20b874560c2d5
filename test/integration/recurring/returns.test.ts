// Payments of plans from bank accounts that come back days after they were approved.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LiveCore, openLiveCore } from '../../support/live-core.ts';

const DAY = 86_400_000;

describe.each([
  ['authorizenet', 'sqlite'],
  ['nmi', 'postgres'],
] as const)('returned payments of plans at %s (%s)', (type, kind) => {
  let live: LiveCore;
  let peer: Awaited<ReturnType<LiveCore['addPeer']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    peer = await live.addPeer(type);
  });
  afterAll(() => live.close());

  /** A plan of a customer with a bank account, whose first payment is taken now. */
  async function planOf(more: object = {}) {
    const { core, by } = live;
    const { customerId } = await core.customers.create(by, { lastName: 'Marsh', email: 'marsh@customer.example' });
    await core.customers.addMethod(by, customerId, {
      bankAccount: { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada Marsh' },
    });
    const plan = await core.recurring.create(by, { customerId, amount: '30.00', frequency: 'weekly', ...more });
    expect(plan).toMatchObject({ paymentsMade: 1 });
    return plan.subscriptionId;
  }

  const find = (id: string) => live.core.recurring.get(live.by, id);
  const paymentsOf = async (id: string) => (await live.core.recurring.payments(live.by, id, {}, { page: 1, limit: 10 })).items;

  async function giveBack(transactionId: string | null, code: string, reason: string) {
    const { core, by } = live;
    const { processorRef } = await core.payments.get(by, transactionId ?? '');
    peer.closeBatch();
    await live.pass(DAY);
    peer.ledger.returnItem(peer.ledger.byOurReference(processorRef)[0]?.reference ?? '', code, reason);
    await live.pass(DAY);
    await core.payments.readReturns(by.tenantId);
  }

  const told = async (id: string) => {
    const events = await live.database
      .read(live.by.tenantId)
      .all<{ type: string; data: string }>('SELECT type, data FROM events WHERE tenant_id = :tenantId AND resource_id = :id ORDER BY id', {
        id,
      });
    return events.map(({ type, data }) => [type, (JSON.parse(data) as { declineCode?: string }).declineCode]);
  };

  test('retries a return for insufficient funds: past due, with a notice, paid by the next attempt', async () => {
    const id = await planOf();
    await giveBack((await paymentsOf(id))[0]?.transactionId ?? null, 'R01', 'Insufficient Funds');
    expect(await find(id)).toMatchObject({ status: 'past_due', paymentsMade: 0, failedAttempts: 1, lastResult: 'failed' });
    expect(await paymentsOf(id)).toMatchObject([{ status: 'failed', declineCode: 'R01' }]);
    expect(await told(id)).toEqual([
      ['subscription.created', undefined],
      ['subscription.payment_succeeded', undefined],
      ['subscription.payment_failed', 'R01'],
    ]);
    const letters = await live.database
      .read(live.by.tenantId)
      .all("SELECT id FROM messages WHERE tenant_id = :tenantId AND kind = 'dunning' AND resource_id = :id", { id });
    expect(letters).toHaveLength(1);
    await live.pass(DAY + 1_000);
    expect(await live.core.recurring.processRetries(live.by)).toMatchObject({ processed: 1, succeeded: 1 });
    expect(await find(id)).toMatchObject({ status: 'active', paymentsMade: 1, failedAttempts: 0 });
    expect((await paymentsOf(id)).map(({ status, dueDate }) => [status, dueDate])).toEqual([
      ['succeeded', (await paymentsOf(id))[1]?.dueDate],
      ['failed', (await paymentsOf(id))[1]?.dueDate],
    ]);
  });

  test("ends by the merchant's table if the bank forbids a retry", async () => {
    const id = await planOf({ totalPayments: 1 });
    expect(await find(id)).toMatchObject({ status: 'expired' });
    await giveBack((await paymentsOf(id))[0]?.transactionId ?? null, 'R07', 'Authorization Revoked');
    expect(await find(id)).toMatchObject({ status: 'cancelled', cancelReason: 'payment_failed', paymentsMade: 0 });
    expect((await told(id)).slice(-2)).toEqual([
      ['subscription.payment_failed', 'R07'],
      ['subscription.cancelled', undefined],
    ]);
  });

  test('stops counting a returned earlier payment, and continues the subscription', async () => {
    const id = await planOf();
    const [first] = await paymentsOf(id);
    await live.pass(7 * DAY + 1_000);
    await live.core.start();
    await vi.waitFor(async () => expect(await paymentsOf(id)).toHaveLength(2), 20_000);
    await vi.waitFor(async () => expect(await find(id)).toMatchObject({ paymentsMade: 2 }), 20_000);
    const { nextPaymentDate } = await find(id);
    await giveBack(first?.transactionId ?? null, 'R01', 'Insufficient Funds');
    // The scheduler reads returns too.
    await vi.waitFor(async () => expect(await find(id)).toMatchObject({ paymentsMade: 1 }), 20_000);
    expect(await find(id)).toMatchObject({ status: 'active', nextPaymentDate, lastResult: 'succeeded' });
    expect((await paymentsOf(id)).map(({ status, declineCode }) => [status, declineCode])).toEqual([
      ['succeeded', null],
      ['failed', 'R01'],
    ]);
  });
});
