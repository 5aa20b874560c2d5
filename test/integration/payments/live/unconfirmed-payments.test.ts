// Unconfirmed payments at real processors: a lost response, a payment that never arrived, a review, and cases for a person.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const MINUTE = 60_000;

describe.each([
  ['authorizenet', 'authCaptureTransaction'],
  ['nmi', 'sale'],
] as const)('unconfirmed payments at %s', (type, sale) => {
  let live: LiveCore;
  let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore();
    simulator = await live.addSimulator(type);
  });
  afterAll(() => live.close());

  /** Creates a sale whose outcome the caller does not learn. */
  async function unconfirmed(amount: number): Promise<string> {
    const error = await live.core.payments.createPayment(live.actor, cardPayment(amount)).catch((cause) => cause);
    expect(error).toMatchObject({ code: 'GATEWAY_TIMEOUT' });
    return error.details.transactionId;
  }
  const statusOf = async (transactionId: string) => (await live.core.payments.get(live.actor, transactionId)).status;

  test('finds a lost answer and sends nothing again', async () => {
    simulator.faults([{ do: 'drop-answer', on: [sale], nth: 1 }]);
    const transactionId = await unconfirmed(31);
    simulator.faults();
    await live.advance(MINUTE);
    const found = await live.core.payments.get(live.actor, transactionId);
    expect(found).toMatchObject({ status: 'approved', captured: true });
    expect(simulator.ledger.byOurReference(found.processorRef)).toHaveLength(1);
  });

  test('fails a payment that never arrived, but only after it must have appeared', async () => {
    simulator.faults([{ do: 'drop-request', on: [sale], nth: 1 }]);
    const transactionId = await unconfirmed(32);
    simulator.faults();
    for (let n = 0; n < 14; n += 1) await live.advance(MINUTE);
    expect(await statusOf(transactionId)).toBe('pending');
    await live.advance(5 * MINUTE);
    // Authorize.Net's lists are read twice.
    await live.advance(20 * MINUTE);
    await live.advance(20 * MINUTE);
    expect(await statusOf(transactionId)).toBe('failed');
  });

  test('leaves several payments under one reference unconfirmed for a person', async () => {
    simulator.faults([{ do: 'drop-answer', on: [sale], nth: 1 }]);
    const transactionId = await unconfirmed(33);
    simulator.faults();
    const { processorRef } = await live.core.payments.get(live.actor, transactionId);
    const [entry] = simulator.ledger.byOurReference(processorRef);
    if (entry) simulator.ledger.add({ ...entry, operation: 'sale', state: 'captured' });
    await live.advance(MINUTE);
    expect(await statusOf(transactionId)).toBe('pending');
    const { payments: unconfirmedPayments } = await live.core.payments.unconfirmed.list(live.actor, {});
    expect(unconfirmedPayments.find((unconfirmedPayment) => unconfirmedPayment.transactionId === transactionId)).toMatchObject({
      alert: 'several-found',
      needsPerson: true,
    });
    expect(live.reported.at(-1)?.context).toMatchObject({ alert: 'several-found', transactionId });
  });

  test('reveals no secret of the account or card, also in echoed responses', async () => {
    simulator.faults([{ do: 'echo', on: [sale] }]);
    const error = await live.core.payments.createPayment(live.actor, cardPayment(34)).catch((cause) => cause);
    simulator.faults();
    for (let n = 0; n < 6; n += 1) await live.advance(20 * MINUTE);
    const { items } = await live.core.payments.page(live.actor, {}, { page: 1, limit: 50 });
    const histories = await Promise.all(items.map(({ transactionId }) => live.core.payments.get(live.actor, transactionId)));
    const everything = JSON.stringify([error, error?.message, error?.details, histories, live.reported]);
    for (const secret of ['4111111111111111', ...Object.values(simulator.credentials)]) expect(everything).not.toContain(secret);
  });
});

test('keeps a payment held for review pending with its reason until it is released or refused', async () => {
  const live = await openLiveCore();
  try {
    const simulator = await live.addSimulator('authorizenet');
    for (const decision of ['release', 'refuse'] as const) {
      simulator.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]);
      const { transactionId, processorRef, status, pendingReason } = await live.core.payments.createPayment(live.actor, cardPayment(35));
      simulator.faults();
      expect({ status, pendingReason }).toEqual({ status: 'pending', pendingReason: 'held_for_review' });
      await live.advance(5 * MINUTE);
      expect(await live.core.payments.get(live.actor, transactionId)).toMatchObject({ status: 'pending' });
      simulator.ledger.decideHeld(simulator.ledger.byOurReference(processorRef)[0]?.reference ?? '', decision);
      for (let n = 0; n < 3; n += 1) await live.advance(90 * MINUTE);
      const { status: ended, pendingReason: reason } = await live.core.payments.get(live.actor, transactionId);
      expect({ ended, reason }).toEqual({ ended: decision === 'release' ? 'approved' : 'declined', reason: null });
    }
  } finally {
    await live.close();
  }
});

test('voids a decline whose own void failed until it succeeds', async () => {
  const live = await openLiveCore();
  try {
    const simulator = await live.addSimulator('authorizenet');
    simulator.faults([
      { do: 'code', code: '127', on: ['authCaptureTransaction'] },
      { do: 'http-500', on: ['voidTransaction'] },
    ]);
    const { transactionId, status, processorRef } = await live.core.payments.createPayment(live.actor, cardPayment(36));
    expect(status).toBe('declined');
    expect(simulator.ledger.byOurReference(processorRef)[0]?.state).not.toBe('voided');
    simulator.faults();
    for (let n = 0; n < 4; n += 1) await live.advance(10 * MINUTE);
    expect(simulator.ledger.byOurReference(processorRef)[0]?.state).toBe('voided');
    const { history } = await live.core.payments.get(live.actor, transactionId);
    expect(history.at(-1)).toMatchObject({ action: 'void', result: 'approved' });
  } finally {
    await live.close();
  }
});
