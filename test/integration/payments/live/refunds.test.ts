// Refunds at processors: full refunds of unsettled payments are voids, partial ones wait for the batch, and none is abandoned.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankPayment, cardPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';
import { ANY_DATABASE } from '../../../support/tier.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const NAMES = { authorizenet: { refund: 'refundTransaction', void: 'voidTransaction' }, nmi: { refund: 'refund', void: 'void' } } as const;

const PROCESSORS = [['nmi', 'sqlite'] as const, ...ANY_DATABASE.map((kind) => ['authorizenet', kind] as const)];

describe.each(PROCESSORS)('refunds at %s (%s)', (type, kind) => {
  const unsettledAtOnce = type === 'nmi';
  let live: LiveCore;
  let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    simulator = await live.addSimulator(type, {}, { cutoffTime: '23:00', timezone: 'America/New_York' });
  });
  afterAll(() => live.close());

  const sell = (amount: number) => live.core.payments.createPayment(live.actor, cardPayment(amount));
  const refund = (transactionId: string, amount?: number) => live.core.payments.refund(live.actor, { transactionId, amount });
  const atPeer = (processorRef: string) => simulator.ledger.byOurReference(processorRef)[0];
  const paidOut = () => simulator.ledger.totals().paidOut;

  test('returns all of an unsettled payment immediately', async () => {
    const { transactionId, processorRef } = await sell(30);
    const given = await refund(transactionId);
    expect(given).toMatchObject({ status: 'approved', sentAs: unsettledAtOnce ? 'refund' : 'void' });
    expect(atPeer(processorRef)?.state).toBe(unsettledAtOnce ? 'captured' : 'voided');
    await expect(refund(transactionId)).rejects.toMatchObject({ code: 'ALREADY_REFUNDED' });
    await expect(live.core.payments.voidTransaction(live.actor, { transactionId })).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT' });
  });

  test('returns a part automatically after the batch has closed', async () => {
    const before = paidOut();
    const { transactionId } = await sell(40);
    const given = await refund(transactionId, 10);
    expect(given.status).toBe(unsettledAtOnce ? 'approved' : 'pending');
    await expect(refund(transactionId, 31)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' });
    await live.advance(13 * HOUR);
    simulator.closeBatch();
    await live.advance(DAY);
    await live.advance(DAY);
    expect(await live.core.payments.getRefund(live.actor, given.refundId)).toMatchObject({ status: 'approved', sentAs: 'refund' });
    expect(paidOut() - before).toBe(1_000);
    expect(await live.core.payments.get(live.actor, transactionId)).toMatchObject({
      refundStatus: 'partial',
      reservedAmount: { minor: 0 },
    });
  });

  test('returns a part of a held capture after the capture, in that order', async () => {
    const before = paidOut();
    const { transactionId } = await live.core.payments.createPayment(live.actor, cardPayment(50, { type: 'auth' }));
    await live.core.payments.capture(live.actor, { transactionId });
    const given = await refund(transactionId, 20);
    expect(given.status).toBe('pending');
    await live.advance(23 * HOUR);
    simulator.closeBatch();
    for (let n = 0; n < 3; n += 1) await live.advance(DAY);
    expect((await live.core.payments.getRefund(live.actor, given.refundId)).status).toBe('approved');
    expect(paidOut() - before).toBe(2_000);
  });

  if (!unsettledAtOnce) {
    test('keeps a pending refund through an outage and a lost answer', async () => {
      const before = paidOut();
      const { transactionId } = await sell(60);
      const given = await refund(transactionId, 25);
      await live.advance(13 * HOUR);
      simulator.closeBatch();
      simulator.faults([{ do: 'http-500', on: [NAMES[type].refund] }]);
      for (let n = 0; n < 6; n += 1) await live.advance(HOUR);
      expect((await live.core.payments.getRefund(live.actor, given.refundId)).status).toBe('pending');
      simulator.faults([{ do: 'drop-answer', on: [NAMES[type].refund], nth: 1 }]);
      for (let n = 0; n < 24; n += 1) await live.advance(HOUR);
      simulator.faults();
      for (let n = 0; n < 12; n += 1) await live.advance(HOUR);
      expect((await live.core.payments.getRefund(live.actor, given.refundId)).status).toBe('approved');
      expect(paidOut() - before).toBe(2_500);
    });

    test('queues a refused pending refund for a person', async () => {
      const { transactionId } = await sell(65);
      const given = await refund(transactionId, 25);
      await live.advance(13 * HOUR);
      simulator.closeBatch();
      simulator.faults([{ do: 'code', code: '55', on: [NAMES[type].refund] }]);
      await live.advance(DAY);
      simulator.faults();
      expect(await live.core.payments.getRefund(live.actor, given.refundId)).toMatchObject({ status: 'declined', queuedForRetry: true });
      const queue = await live.core.payments.refundQueue.page(live.actor, {}, { page: 1, limit: 10 });
      expect(queue.items).toMatchObject([{ refundTransactionId: given.refundId, declineCode: 'refund_refused' }]);
    });

    test('finds a full refund whose void answer was lost', async () => {
      const { transactionId, processorRef } = await sell(70);
      simulator.faults([{ do: 'drop-answer', on: [NAMES[type].void] }]);
      await expect(refund(transactionId)).rejects.toMatchObject({ code: 'GATEWAY_TIMEOUT' });
      simulator.faults();
      for (let n = 0; n < 6; n += 1) await live.advance(5 * 60_000);
      expect(atPeer(processorRef)?.state).toBe('voided');
      expect(await live.core.payments.get(live.actor, transactionId)).toMatchObject({ refundStatus: 'full', reservedAmount: { minor: 0 } });
    });
  }

  test('refunds a payment whose void is refused because it is settled', async () => {
    const { transactionId } = await sell(80);
    simulator.closeBatch();
    await expect(live.core.payments.voidTransaction(live.actor, { transactionId })).rejects.toMatchObject({
      code: 'RESOURCE_CONFLICT',
      details: { reason: 'settled_at_gateway' },
    });
    expect(await refund(transactionId)).toMatchObject({ status: 'approved', sentAs: 'refund' });
  });

  test('refunds a bank payment', async () => {
    const { transactionId } = await live.core.payments.createPayment(live.actor, bankPayment(45));
    simulator.closeBatch();
    expect(await refund(transactionId, 15)).toMatchObject({ status: 'approved' });
    const unsettled = await live.core.payments.createPayment(live.actor, bankPayment(46));
    await live.core.payments.voidTransaction(live.actor, { transactionId: unsettled.transactionId });
    expect(atPeer(unsettled.processorRef)?.state).toBe('voided');
  });

  test('sends a credit to the gateway of the payment', async () => {
    const before = paidOut();
    const { transactionId } = await sell(90);
    const credited = await live.core.payments.createUnlinkedCredit(live.actor, { transactionId, amount: 12 });
    expect(credited).toMatchObject({ status: 'approved', type: 'credit', gateway: type });
    expect(paidOut() - before).toBe(1_200);
  });
});
