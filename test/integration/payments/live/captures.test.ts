// Captures at processors that take none back: decided here, told to the gateway shortly before its cut-off (decisions 10).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyed, type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const HOUR = 3_600_000;
const REFUSAL = {
  authorizenet: { code: '2', on: ['priorAuthCaptureTransaction'] },
  nmi: { code: '461', on: ['capture'] },
} as const;
const SET_UP = {
  authorizenet: { code: '13', on: ['priorAuthCaptureTransaction'] },
  nmi: { code: '410', on: ['capture'] },
} as const;
/** From noon to half an hour before eleven in the evening. */
const UNTIL_SENT = 10.5 * HOUR;

describe.each([
  ['authorizenet', 'sqlite'],
  ['nmi', 'sqlite'],
  ['nmi', 'postgres'],
] as const)('captures at %s (%s)', (type, kind) => {
  let live: LiveCore;
  let peer: Awaited<ReturnType<LiveCore['addPeer']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    peer = await live.addPeer(type, {}, { cutoffTime: '23:00', captureHoldMinutes: 30, timezone: 'America/New_York' });
  });
  afterAll(() => live.close());

  const authorize = (amount: number) => live.core.payments.sell(live.by, keyed(amount, { type: 'auth' }));
  const find = (transactionId: string) => live.core.payments.get(live.by, transactionId);
  const atPeer = (processorRef: string) => peer.ledger.byOurReference(processorRef)[0];

  test('holds a capture until shortly before the cutoff, and then sends it', async () => {
    const { transactionId, processorRef } = await authorize(30);
    const captured = await live.core.payments.capture(live.by, { transactionId, amount: 20 });
    expect(captured).toMatchObject({ captured: true, captureHeldUntil: '2026-11-19T03:30:00.000Z' });
    expect(captured.capturedAmount.minor).toBe(2_000);
    await live.pass(UNTIL_SENT - 60_000);
    expect(atPeer(processorRef)?.state).toBe('authorized');
    await live.pass(60_000);
    expect(atPeer(processorRef)).toMatchObject({ state: 'captured', movedMinor: 2_000 });
    const told = await find(transactionId);
    expect(told).toMatchObject({ captured: true, captureHeldUntil: null });
    expect(told.history.map(({ action, result }) => [action, result])).toEqual([
      ['auth', 'approved'],
      ['capture', 'approved'],
    ]);
    await expect(live.core.payments.cancelCapture(live.by, { transactionId })).rejects.toMatchObject({
      code: 'RESOURCE_CONFLICT',
      details: { reason: 'capture_already_sent' },
    });
  });

  test('undoes a canceled capture exactly, and allows another one', async () => {
    const { transactionId, processorRef } = await authorize(40);
    await live.core.payments.capture(live.by, { transactionId });
    const undone = await live.core.payments.cancelCapture(live.by, { transactionId });
    expect(undone).toMatchObject({ captured: false, captureHeldUntil: null, capturedAt: null });
    await live.core.payments.capture(live.by, { transactionId, amount: 15 });
    await live.pass(24 * HOUR);
    expect(atPeer(processorRef)).toMatchObject({ state: 'captured', movedMinor: 1_500 });
  });

  test('drops a held capture after a void or a full refund', async () => {
    const voided = await authorize(50);
    await live.core.payments.capture(live.by, { transactionId: voided.transactionId });
    await live.core.payments.voidTransaction(live.by, { transactionId: voided.transactionId });
    const refunded = await authorize(60);
    await live.core.payments.capture(live.by, { transactionId: refunded.transactionId });
    const refund = await live.core.payments.refund(live.by, { transactionId: refunded.transactionId });
    expect(refund).toMatchObject({ status: 'approved', sentAs: 'void' });
    await live.pass(24 * HOUR);
    expect(atPeer(voided.processorRef)?.state).toBe('voided');
    expect(atPeer(refunded.processorRef)?.state).toBe('voided');
    expect(await find(refunded.transactionId)).toMatchObject({ status: 'approved', refundStatus: 'full', captureHeldUntil: null });
  });

  test('excludes held captures from settlements', async () => {
    const { transactionId } = await authorize(70);
    await live.core.payments.capture(live.by, { transactionId });
    const open = () => live.core.payments.unsettled(live.by.tenantId, live.merchantId, { kind: 'transaction', before: '9999', limit: 100 });
    expect((await open()).map(({ id }) => id)).not.toContain(transactionId);
    await live.pass(24 * HOUR);
    expect((await open()).map(({ id }) => id)).toContain(transactionId);
  });

  test('sends a held capture later if the gateway is unavailable, and undoes it if the gateway refuses', async () => {
    const { transactionId, processorRef } = await authorize(80);
    await live.core.payments.capture(live.by, { transactionId });
    peer.faults([{ do: 'http-429' }]);
    await live.pass(24 * HOUR);
    expect(atPeer(processorRef)?.state).toBe('authorized');
    peer.faults();
    for (let n = 0; n < 20 && atPeer(processorRef)?.state !== 'captured'; n += 1) await live.pass(10 * 60_000);
    expect(atPeer(processorRef)?.state).toBe('captured');

    const refused = await authorize(90);
    await live.core.payments.capture(live.by, { transactionId: refused.transactionId });
    peer.faults([{ do: 'code', ...REFUSAL[type] }]);
    await live.pass(24 * HOUR);
    peer.faults();
    const after = await find(refused.transactionId);
    expect(after).toMatchObject({ captured: false, captureHeldUntil: null });
    expect(after.history.at(-1)).toMatchObject({ action: 'cancel_capture', result: 'approved' });
    const board = await live.core.payments.doubts.list(live.by, {});
    const [left] = board.doubts.filter(({ transactionId }) => transactionId === refused.transactionId);
    expect(left).toMatchObject({ stage: 'ended', alert: 'capture-refused', needsPerson: true });
    await live.core.payments.doubts.acknowledge(live.by, left?.id ?? '', 'told the customer');
    expect((await live.core.payments.doubts.list(live.by, {})).doubts).toEqual([]);
  });

  test('keeps a held capture that its account or time prevents, and lists it', async () => {
    const { transactionId, processorRef } = await authorize(95);
    await live.core.payments.capture(live.by, { transactionId });
    peer.faults([{ do: 'code', ...SET_UP[type] }]);
    await live.pass(26 * HOUR);
    expect(await find(transactionId)).toMatchObject({ captured: true });
    const { doubts } = await live.core.payments.doubts.list(live.by, {});
    expect(doubts).toMatchObject([{ transactionId, stage: 'waiting', needsPerson: true }]);
    peer.faults();
    await live.core.merchants.gateways.check(live.by, live.merchantId, peer.gatewayId);
    for (let n = 0; n < 20 && atPeer(processorRef)?.state !== 'captured'; n += 1) await live.pass(10 * 60_000);
    expect(atPeer(processorRef)?.state).toBe('captured');
    expect((await live.core.payments.doubts.list(live.by, {})).doubts).toEqual([]);
  });
});
