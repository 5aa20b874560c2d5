// Bank payments that come back days after they were approved (decisions 10).
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fromBank, type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const DAY = 86_400_000;

describe.each([
  ['authorizenet', 'sqlite'],
  ['nmi', 'postgres'],
] as const)('returns at %s (%s)', (type, kind) => {
  let live: LiveCore;
  let peer: Awaited<ReturnType<LiveCore['addPeer']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    peer = await live.addPeer(type);
  });
  afterAll(() => live.close());

  const find = (transactionId: string) => live.core.payments.get(live.by, transactionId);

  test("records a returned payment once, and publishes it as a decline with the bank's code", async () => {
    const sale = await live.core.payments.sell(live.by, fromBank(45));
    const kept = await live.core.payments.sell(live.by, fromBank(46));
    peer.closeBatch();
    await live.pass(2 * DAY);
    peer.ledger.returnItem(peer.ledger.byOurReference(sale.processorRef)[0]?.reference ?? '', 'R01', 'Insufficient Funds');
    await live.pass(DAY);
    await live.core.start();
    await vi.waitFor(async () => expect((await find(sale.transactionId)).returnCode).toBe('R01'), 20_000);
    const returned = await find(sale.transactionId);
    expect(returned).toMatchObject({ status: 'approved', refundStatus: 'full', returnCode: 'R01' });
    expect(returned.history.at(-1)?.reason).toContain('Insufficient Funds');
    expect(await find(kept.transactionId)).toMatchObject({ returnedAt: null, refundStatus: 'none' });
    await expect(live.core.payments.refund(live.by, { transactionId: sale.transactionId })).rejects.toMatchObject({
      code: 'NOT_REFUNDABLE',
      details: { reason: 'returned' },
    });
    // The sale is settled by now; what came back is taken off the next settlement.
    const owed = await live.core.payments.unsettled(live.by.tenantId, live.merchantId, { kind: 'refund', before: '9999', limit: 50 });
    expect(owed.map(({ transactionId, amount }) => [transactionId, amount.minor])).toEqual([[sale.transactionId, 4_500]]);
    const { items } = await live.core.payments.refundPage(live.by, { transactionId: sale.transactionId }, { page: 1, limit: 10 });
    expect(items.map(({ sentAs, status }) => [sentAs, status])).toEqual([['return', 'approved']]);
    const events = await live.database
      .read(live.by.tenantId)
      .all<{ data: string }>("SELECT data FROM events WHERE tenant_id = :tenantId AND type = 'transaction.declined'");
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]?.data ?? '{}')).toMatchObject({ declineCode: 'R01', returned: true, amount: 45 });
  });
});

test.each(['authorizenet', 'nmi'])(
  '%s: reports a returned refund to a person, and does not refund a returned payment as well',
  async (type) => {
    const live = await openLiveCore();
    try {
      const { core, by } = live;
      const peer = await live.addPeer(type);
      const paid = await core.payments.sell(by, fromBank(60));
      peer.closeBatch();
      await live.pass(DAY);
      const refund = await core.payments.refund(by, { transactionId: paid.transactionId, amount: 20 });
      peer.closeBatch();
      await live.pass(DAY);
      peer.ledger.returnItem(peer.ledger.byOurReference(refund.processorRef)[0]?.reference ?? '', 'R02', 'Account Closed');
      await live.pass(DAY);
      await core.payments.readReturns(by.tenantId);
      expect(await core.payments.get(by, paid.transactionId)).toMatchObject({ returnedAt: null, refundedAmount: { minor: 2_000 } });
      expect((await core.payments.doubts.list(by, {})).doubts).toMatchObject([{ alert: 'returned', stage: 'ended', operation: 'refund' }]);

      const other = await core.payments.sell(by, fromBank(80));
      const part = await core.payments.refund(by, { transactionId: other.transactionId, amount: 10 });
      peer.closeBatch();
      peer.ledger.returnItem(peer.ledger.byOurReference(other.processorRef)[0]?.reference ?? '', 'R01', 'Insufficient Funds');
      await live.pass(7 * 3_600_000);
      await core.payments.readReturns(by.tenantId);
      for (let n = 0; n < 4; n += 1) await live.pass(DAY);
      const returned = await core.payments.get(by, other.transactionId);
      expect(returned).toMatchObject({ returnCode: 'R01', refundedAmount: { minor: 8_000 }, reservedAmount: { minor: 0 } });
      // Where the refund was taken before the return came, it is a refund; where it waited, it is given up.
      expect((await core.payments.getRefund(by, part.refundId)).status).toBe(part.status === 'approved' ? 'approved' : 'failed');
    } finally {
      await live.close();
    }
  },
);
