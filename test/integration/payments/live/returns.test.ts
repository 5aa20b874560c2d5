// Bank payments that are returned days after their approval.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bankPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const DAY = 86_400_000;

describe.each([
  ['authorizenet', 'sqlite'],
  ['nmi', 'postgres'],
] as const)('returns at %s (%s)', (type, kind) => {
  let live: LiveCore;
  let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    simulator = await live.addSimulator(type);
  });
  afterAll(() => live.close());

  const find = (transactionId: string) => live.core.payments.get(live.actor, transactionId);

  test("records a returned payment once, and publishes it as a decline with the bank's code", async () => {
    const sale = await live.core.payments.createPayment(live.actor, bankPayment(45));
    const kept = await live.core.payments.createPayment(live.actor, bankPayment(46));
    simulator.closeBatch();
    await live.advance(2 * DAY);
    simulator.ledger.returnItem(simulator.ledger.byOurReference(sale.processorRef)[0]?.reference ?? '', 'R01', 'Insufficient Funds');
    await live.advance(DAY);
    await live.core.start();
    await vi.waitFor(async () => expect((await find(sale.transactionId)).returnCode).toBe('R01'), 20_000);
    const returned = await find(sale.transactionId);
    expect(returned).toMatchObject({ status: 'approved', refundStatus: 'full', returnCode: 'R01' });
    expect(returned.history.at(-1)?.reason).toContain('Insufficient Funds');
    expect(await find(kept.transactionId)).toMatchObject({ returnedAt: null, refundStatus: 'none' });
    await expect(live.core.payments.refund(live.actor, { transactionId: sale.transactionId })).rejects.toMatchObject({
      code: 'NOT_REFUNDABLE',
      details: { reason: 'returned' },
    });
    // The sale is settled by now, so the returned amount is deducted from the next settlement.
    const owed = await live.core.payments.unsettled(live.actor.tenantId, live.merchantId, { kind: 'refund', before: '9999', limit: 50 });
    expect(owed.map(({ transactionId, amount }) => [transactionId, amount.minor])).toEqual([[sale.transactionId, 4_500]]);
    const { items } = await live.core.payments.refundPage(live.actor, { transactionId: sale.transactionId }, { page: 1, limit: 10 });
    expect(items.map(({ sentAs, status }) => [sentAs, status])).toEqual([['return', 'approved']]);
    const events = await live.database
      .read(live.actor.tenantId)
      .all<{ data: string }>("SELECT data FROM events WHERE tenant_id = :tenantId AND type = 'transaction.declined'");
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]?.data ?? '{}')).toMatchObject({ declineCode: 'R01', returned: true, amount: 45 });
  });

  test('reopens an order whose bank debit is returned, with its share as the remaining amount', async () => {
    const { core, actor } = live;
    const { orderId } = await core.orders.create(actor, { amount: 100, taxAmount: 7.77 });
    const pay = (amount: number) => core.payments.createPayment(actor, bankPayment(amount, { orderId }));
    const { processorRef, transactionId } = await pay(60);
    await core.tenders.create(actor, { kind: 'cash', amount: 40, orderId });
    const read = () => core.orders.get(actor, orderId);
    expect(await read()).toMatchObject({ status: 'paid', paidAmount: { minor: 10_000 } });
    simulator.closeBatch();
    await live.advance(DAY);
    simulator.ledger.returnItem(simulator.ledger.byOurReference(processorRef)[0]?.reference ?? '', 'R01', 'Insufficient Funds');
    await live.advance(DAY);
    const readReturns = async () => {
      await core.payments.readReturns(actor.tenantId);
      return read();
    };
    const reopened = {
      status: 'open',
      paidAmount: { minor: 4_000 },
      remainingAmount: { minor: 6_000 },
      refundedAmount: { minor: 0 },
      payments: [{ paymentId: transactionId, returnedAmount: { minor: 6_000 } }, { returnedAmount: { minor: 0 } }],
    };
    // The service, which the test before has started, may be reading the returns at the same time.
    await vi.waitFor(async () => expect(await readReturns()).toMatchObject(reopened), 20_000);
    // Reading the same return again changes nothing.
    expect(await readReturns()).toMatchObject(reopened);
    await pay(60);
    const { status, payments } = await read();
    expect(status).toBe('paid');
    const [, ...kept] = payments;
    expect(kept.reduce((sum, { taxAmount }) => sum + taxAmount.minor, 0)).toBe(777);
  });
});

test.each(['authorizenet', 'nmi'])(
  '%s: reports a returned refund to a person, and does not refund a returned payment as well',
  async (type) => {
    const live = await openLiveCore();
    try {
      const { core, actor } = live;
      const simulator = await live.addSimulator(type);
      const paid = await core.payments.createPayment(actor, bankPayment(60));
      simulator.closeBatch();
      await live.advance(DAY);
      const refund = await core.payments.refund(actor, { transactionId: paid.transactionId, amount: 20 });
      simulator.closeBatch();
      await live.advance(DAY);
      simulator.ledger.returnItem(simulator.ledger.byOurReference(refund.processorRef)[0]?.reference ?? '', 'R02', 'Account Closed');
      await live.advance(DAY);
      await core.payments.readReturns(actor.tenantId);
      expect(await core.payments.get(actor, paid.transactionId)).toMatchObject({ returnedAt: null, refundedAmount: { minor: 2_000 } });
      expect((await core.payments.unconfirmed.list(actor, {})).payments).toMatchObject([
        { alert: 'returned', stage: 'ended', operation: 'refund' },
      ]);

      const other = await core.payments.createPayment(actor, bankPayment(80));
      const part = await core.payments.refund(actor, { transactionId: other.transactionId, amount: 10 });
      simulator.closeBatch();
      simulator.ledger.returnItem(simulator.ledger.byOurReference(other.processorRef)[0]?.reference ?? '', 'R01', 'Insufficient Funds');
      await live.advance(7 * 3_600_000);
      await core.payments.readReturns(actor.tenantId);
      for (let n = 0; n < 4; n += 1) await live.advance(DAY);
      const returned = await core.payments.get(actor, other.transactionId);
      expect(returned).toMatchObject({ returnCode: 'R01', refundedAmount: { minor: 8_000 }, reservedAmount: { minor: 0 } });
      // If the refund was taken before the return, it is a refund; if it was waiting, it is abandoned.
      expect((await core.payments.getRefund(actor, part.refundId)).status).toBe(part.status === 'approved' ? 'approved' : 'failed');
    } finally {
      await live.close();
    }
  },
);
