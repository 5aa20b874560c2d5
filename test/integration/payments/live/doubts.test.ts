// Doubt at real processors: an answer that is lost, a payment that never came, review, and what a person must see.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyed, type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const MINUTE = 60_000;

describe.each([
  ['authorizenet', 'authCaptureTransaction'],
  ['nmi', 'sale'],
] as const)('doubt at %s', (type, sale) => {
  let live: LiveCore;
  let peer: Awaited<ReturnType<LiveCore['addPeer']>>;
  beforeAll(async () => {
    live = await openLiveCore();
    peer = await live.addPeer(type);
  });
  afterAll(() => live.close());

  /** A sale whose outcome the caller is not told. */
  async function doubted(amount: number): Promise<string> {
    const error = await live.core.payments.sell(live.by, keyed(amount)).catch((cause) => cause);
    expect(error).toMatchObject({ code: 'GATEWAY_TIMEOUT' });
    return error.details.transactionId;
  }
  const statusOf = async (transactionId: string) => (await live.core.payments.get(live.by, transactionId)).status;

  test('finds a lost answer and sends nothing again', async () => {
    peer.faults([{ do: 'drop-answer', on: [sale], nth: 1 }]);
    const transactionId = await doubted(31);
    peer.faults();
    await live.pass(MINUTE);
    const found = await live.core.payments.get(live.by, transactionId);
    expect(found).toMatchObject({ status: 'approved', captured: true });
    expect(peer.ledger.byOurReference(found.processorRef)).toHaveLength(1);
  });

  test('fails a payment that never arrived, but only after it must have appeared', async () => {
    peer.faults([{ do: 'drop-request', on: [sale], nth: 1 }]);
    const transactionId = await doubted(32);
    peer.faults();
    for (let n = 0; n < 14; n += 1) await live.pass(MINUTE);
    expect(await statusOf(transactionId)).toBe('pending');
    await live.pass(5 * MINUTE);
    // Authorize.Net's lists are looked at twice.
    await live.pass(20 * MINUTE);
    await live.pass(20 * MINUTE);
    expect(await statusOf(transactionId)).toBe('failed');
  });

  test('leaves several payments under one reference unconfirmed for a person', async () => {
    peer.faults([{ do: 'drop-answer', on: [sale], nth: 1 }]);
    const transactionId = await doubted(33);
    peer.faults();
    const { processorRef } = await live.core.payments.get(live.by, transactionId);
    const [entry] = peer.ledger.byOurReference(processorRef);
    if (entry) peer.ledger.add({ ...entry, operation: 'sale', state: 'captured' });
    await live.pass(MINUTE);
    expect(await statusOf(transactionId)).toBe('pending');
    const { doubts } = await live.core.payments.doubts.list(live.by, {});
    expect(doubts.find((doubt) => doubt.transactionId === transactionId)).toMatchObject({ alert: 'several-found', needsPerson: true });
    expect(live.reported.at(-1)?.context).toMatchObject({ alert: 'several-found', transactionId });
  });

  test('reveals no secret of the account or card, also in echoed responses', async () => {
    peer.faults([{ do: 'echo', on: [sale] }]);
    const error = await live.core.payments.sell(live.by, keyed(34)).catch((cause) => cause);
    peer.faults();
    for (let n = 0; n < 6; n += 1) await live.pass(20 * MINUTE);
    const { items } = await live.core.payments.page(live.by, {}, { page: 1, limit: 50 });
    const histories = await Promise.all(items.map(({ transactionId }) => live.core.payments.get(live.by, transactionId)));
    const everything = JSON.stringify([error, error?.message, error?.details, histories, live.reported]);
    for (const secret of ['4111111111111111', ...Object.values(peer.credentials)]) expect(everything).not.toContain(secret);
  });
});

test('keeps a payment held for review pending with its reason until it is released or refused', async () => {
  const live = await openLiveCore();
  try {
    const peer = await live.addPeer('authorizenet');
    for (const decision of ['release', 'refuse'] as const) {
      peer.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]);
      const { transactionId, processorRef, status, pendingReason } = await live.core.payments.sell(live.by, keyed(35));
      peer.faults();
      expect({ status, pendingReason }).toEqual({ status: 'pending', pendingReason: 'held_for_review' });
      await live.pass(5 * MINUTE);
      expect(await live.core.payments.get(live.by, transactionId)).toMatchObject({ status: 'pending' });
      peer.ledger.decideHeld(peer.ledger.byOurReference(processorRef)[0]?.reference ?? '', decision);
      for (let n = 0; n < 3; n += 1) await live.pass(90 * MINUTE);
      const { status: ended, pendingReason: reason } = await live.core.payments.get(live.by, transactionId);
      expect({ ended, reason }).toEqual({ ended: decision === 'release' ? 'approved' : 'declined', reason: null });
    }
  } finally {
    await live.close();
  }
});

test('voids a decline whose own void failed until it succeeds', async () => {
  const live = await openLiveCore();
  try {
    const peer = await live.addPeer('authorizenet');
    peer.faults([
      { do: 'code', code: '127', on: ['authCaptureTransaction'] },
      { do: 'http-500', on: ['voidTransaction'] },
    ]);
    const { transactionId, status, processorRef } = await live.core.payments.sell(live.by, keyed(36));
    expect(status).toBe('declined');
    expect(peer.ledger.byOurReference(processorRef)[0]?.state).not.toBe('voided');
    peer.faults();
    for (let n = 0; n < 4; n += 1) await live.pass(10 * MINUTE);
    expect(peer.ledger.byOurReference(processorRef)[0]?.state).toBe('voided');
    const { history } = await live.core.payments.get(live.by, transactionId);
    expect(history.at(-1)).toMatchObject({ action: 'void', result: 'approved' });
  } finally {
    await live.close();
  }
});
