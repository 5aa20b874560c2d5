// Captures at processors that cannot cancel them: decided here and sent to the gateway shortly before its cutoff.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';
import { ANY_DATABASE } from '../../../support/tier.ts';

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

const PROCESSORS = [['authorizenet', 'sqlite'] as const, ...ANY_DATABASE.map((kind) => ['nmi', kind] as const)];

describe.each(PROCESSORS)('captures at %s (%s)', (type, kind) => {
  let live: LiveCore;
  let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore(kind);
    simulator = await live.addSimulator(type, {}, { cutoffTime: '23:00', captureHoldMinutes: 30, timezone: 'America/New_York' });
  });
  afterAll(() => live.close());

  const authorize = (amount: number) => live.core.payments.createPayment(live.actor, cardPayment(amount, { type: 'auth' }));
  const find = (transactionId: string) => live.core.payments.get(live.actor, transactionId);
  const atPeer = (processorRef: string) => simulator.ledger.byOurReference(processorRef)[0];

  test('holds a capture until shortly before the cutoff, and then sends it', async () => {
    const { transactionId, processorRef } = await authorize(30);
    const captured = await live.core.payments.capture(live.actor, { transactionId, amount: 20 });
    expect(captured).toMatchObject({ captured: true, captureHeldUntil: '2026-11-19T03:30:00.000Z' });
    expect(captured.capturedAmount.minor).toBe(2_000);
    await live.advance(UNTIL_SENT - 60_000);
    expect(atPeer(processorRef)?.state).toBe('authorized');
    await live.advance(60_000);
    expect(atPeer(processorRef)).toMatchObject({ state: 'captured', movedMinor: 2_000 });
    const record = await find(transactionId);
    expect(record).toMatchObject({ captured: true, captureHeldUntil: null });
    expect(record.history.map(({ action, result }) => [action, result])).toEqual([
      ['auth', 'approved'],
      ['capture', 'approved'],
    ]);
    await expect(live.core.payments.cancelCapture(live.actor, { transactionId })).rejects.toMatchObject({
      code: 'RESOURCE_CONFLICT',
      details: { reason: 'capture_already_sent' },
    });
  });

  test('undoes a canceled capture exactly, and allows another one', async () => {
    const { transactionId, processorRef } = await authorize(40);
    await live.core.payments.capture(live.actor, { transactionId });
    const undone = await live.core.payments.cancelCapture(live.actor, { transactionId });
    expect(undone).toMatchObject({ captured: false, captureHeldUntil: null, capturedAt: null });
    await live.core.payments.capture(live.actor, { transactionId, amount: 15 });
    await live.advance(24 * HOUR);
    expect(atPeer(processorRef)).toMatchObject({ state: 'captured', movedMinor: 1_500 });
  });

  test('drops a held capture after a void or a full refund', async () => {
    const voided = await authorize(50);
    await live.core.payments.capture(live.actor, { transactionId: voided.transactionId });
    await live.core.payments.voidTransaction(live.actor, { transactionId: voided.transactionId });
    const refunded = await authorize(60);
    await live.core.payments.capture(live.actor, { transactionId: refunded.transactionId });
    const refund = await live.core.payments.refund(live.actor, { transactionId: refunded.transactionId });
    expect(refund).toMatchObject({ status: 'approved', sentAs: 'void' });
    await live.advance(24 * HOUR);
    expect(atPeer(voided.processorRef)?.state).toBe('voided');
    expect(atPeer(refunded.processorRef)?.state).toBe('voided');
    expect(await find(refunded.transactionId)).toMatchObject({ status: 'approved', refundStatus: 'full', captureHeldUntil: null });
  });

  test('refuses to refund a held capture to store credit until the processor has it', async () => {
    const { core, actor, merchantId } = live;
    await core.merchants.changeSection(actor, merchantId, 'vt-settings', { storeCreditForCards: true });
    const paymentId = (await authorize(65)).transactionId;
    await core.payments.capture(actor, { transactionId: paymentId });
    await expect(core.orders.refundToStoreCredit(actor, { paymentId })).rejects.toMatchObject({
      code: 'NOT_REFUNDABLE',
      details: { reason: 'capture_held' },
    });
    expect(await find(paymentId)).toMatchObject({ refundStatus: 'none' });
    await live.advance(24 * HOUR);
    expect(await core.orders.refundToStoreCredit(actor, { paymentId })).toMatchObject({ amount: { minor: 6_500 } });
  });

  test('excludes held captures from settlements', async () => {
    const { transactionId } = await authorize(70);
    await live.core.payments.capture(live.actor, { transactionId });
    const open = () =>
      live.core.payments.unsettled(live.actor.tenantId, live.merchantId, { kind: 'transaction', before: '9999', limit: 100 });
    expect((await open()).map(({ id }) => id)).not.toContain(transactionId);
    await live.advance(24 * HOUR);
    expect((await open()).map(({ id }) => id)).toContain(transactionId);
  });

  test('sends a held capture later if the gateway is unavailable, and undoes it if the gateway refuses', async () => {
    const { transactionId, processorRef } = await authorize(80);
    await live.core.payments.capture(live.actor, { transactionId });
    simulator.faults([{ do: 'http-429' }]);
    await live.advance(24 * HOUR);
    expect(atPeer(processorRef)?.state).toBe('authorized');
    simulator.faults();
    for (let n = 0; n < 20 && atPeer(processorRef)?.state !== 'captured'; n += 1) await live.advance(10 * 60_000);
    expect(atPeer(processorRef)?.state).toBe('captured');

    const refused = await authorize(90);
    await live.core.payments.capture(live.actor, { transactionId: refused.transactionId });
    simulator.faults([{ do: 'code', ...REFUSAL[type] }]);
    await live.advance(24 * HOUR);
    simulator.faults();
    const after = await find(refused.transactionId);
    expect(after).toMatchObject({ captured: false, captureHeldUntil: null });
    expect(after.history.at(-1)).toMatchObject({ action: 'cancel_capture', result: 'approved' });
    const board = await live.core.payments.unconfirmed.list(live.actor, {});
    const [left] = board.payments.filter(({ transactionId }) => transactionId === refused.transactionId);
    expect(left).toMatchObject({ stage: 'ended', alert: 'capture-refused', needsPerson: true });
    await live.core.payments.unconfirmed.acknowledge(live.actor, left?.id ?? '', 'told the customer');
    expect((await live.core.payments.unconfirmed.list(live.actor, {})).payments).toEqual([]);
  });

  test('keeps a held capture that its account or time prevents, and lists it', async () => {
    const { transactionId, processorRef } = await authorize(95);
    await live.core.payments.capture(live.actor, { transactionId });
    simulator.faults([{ do: 'code', ...SET_UP[type] }]);
    await live.advance(26 * HOUR);
    expect(await find(transactionId)).toMatchObject({ captured: true });
    const { payments: unconfirmedPayments } = await live.core.payments.unconfirmed.list(live.actor, {});
    expect(unconfirmedPayments).toMatchObject([{ transactionId, stage: 'waiting', needsPerson: true }]);
    simulator.faults();
    await live.core.merchants.gateways.check(live.actor, live.merchantId, simulator.gatewayId);
    for (let n = 0; n < 20 && atPeer(processorRef)?.state !== 'captured'; n += 1) await live.advance(10 * 60_000);
    expect(atPeer(processorRef)?.state).toBe('captured');
    expect((await live.core.payments.unconfirmed.list(live.actor, {})).payments).toEqual([]);
  });
});
