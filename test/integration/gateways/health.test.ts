import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { authorizeNet } from '../../../core/processing/gateways/authorizenet/index.ts';
import type { StatusInquiry } from '../../../core/processing/gateways/connector.ts';
import { FAILURES_TO_OPEN, FIRST_OPEN_MS, LONGEST_OPEN_MS } from '../../../core/processing/gateways/health.ts';
import { nmi } from '../../../core/processing/gateways/nmi/index.ts';
import type { Outcome } from '../../../core/processing/gateways/outcome.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { startSimulator } from '../../../simulators/index.ts';
import { groupOf } from '../../support/process-group.ts';
import { sized } from '../../support/tier.ts';
import {
  AMOUNT,
  APPROVED,
  DECLINED,
  FOLLOW_UP,
  type GatewayResult,
  HealthHarness,
  INQUIRY,
  MISCONFIGURED,
  ONE,
  type OpenRequest,
  ORDER,
  OTHER,
  PERIOD,
  UNAVAILABLE,
  UNKNOWN,
} from './health-harness.ts';

const NOT_ASKED = { kind: 'not-sent', retry: 'unavailable' };
let harness: HealthHarness;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.parse('2026-11-22T10:42:00Z') });
  harness = new HealthHarness();
});
afterEach(() => {
  harness.health.stop();
  vi.useRealTimers();
});

describe('the processes of a server', () => {
  /** Connects two processes. */
  function startTwo(): [HealthHarness, HealthHarness] {
    const [one, other] = groupOf(2).groups;
    return [new HealthHarness(one), new HealthHarness(other)];
  }

  test('open and close a circuit together, and report the outage once', async () => {
    const [one, other] = startTwo();
    await one.openCircuit();
    expect(other.status).toMatchObject({ state: 'open', lastReason: one.status.lastReason });
    expect(await other.connector.purchase(ORDER)).toMatchObject(NOT_ASKED);
    expect([one.reports, other.reports].flat()).toEqual(['A gateway does not respond']);
    one.probeResult = { kind: 'answers' };
    await vi.advanceTimersByTimeAsync(FIRST_OPEN_MS);
    expect([one.status.state, other.status.state]).toEqual(['half-open', 'half-open']);
    await other.sell(APPROVED);
    expect([one.status.state, other.status.state]).toEqual(['closed', 'closed']);
    for (const { health } of [one, other]) health.stop();
  });

  test.each(['open', 'half-open'] as const)('take over a circuit that is %s when they start', async (state) => {
    const [running, started] = startTwo();
    await (state === 'open' ? running.openCircuit() : running.openAndProbe());
    started.health.forget(ONE.gatewayId);
    expect(started.status.state).toBe('closed');
    await started.health.start();
    expect(started.status.state).toBe(state);
    for (const { health } of [running, started]) health.stop();
  });
});

describe('a gateway that stops answering', () => {
  test.each([
    ['no answer', UNKNOWN],
    ['no connection', UNAVAILABLE],
    ['a fault', new TypeError('4111111111111111')],
  ])('opens the circuit after three times %s, and reports it', async (_, result) => {
    await harness.sell(result);
    await harness.sell(result);
    expect(harness.status).toMatchObject({ state: 'closed', failures: 2 });
    await harness.sell(result);
    expect(harness.status).toMatchObject({
      state: 'open',
      failures: 3,
      since: '2026-11-22T10:42:00.000Z',
      lastAnswerAt: null,
      lastFailureAt: '2026-11-22T10:42:00.000Z',
      nextProbeAt: '2026-11-22T10:42:15.000Z',
    });
    expect(harness.status.lastReason).not.toMatch(/\d{6}/);
    expect([harness.health.isOpen(ONE.gatewayId), harness.health.isOpen(OTHER.gatewayId)]).toEqual([true, false]);
    expect(harness.stateChanges).toEqual(['gw_1 open']);
    expect(harness.reports).toHaveLength(1);
  });

  test('passes responses on unchanged', async () => {
    expect(await harness.sell(DECLINED)).toBe(DECLINED);
    expect(await harness.sell(UNKNOWN)).toBe(UNKNOWN);
    const fault = new Error('broken');
    expect(await harness.sell(fault)).toBe(fault);
  });

  test('refuses payments immediately while the circuit is open, and continues inquiries', async () => {
    await harness.openCircuit();
    const { connector } = harness;
    const refused = [
      connector.purchase(ORDER),
      connector.authorize(ORDER),
      connector.credit(ORDER),
      connector.capture(FOLLOW_UP),
      connector.void(FOLLOW_UP),
      connector.refund(FOLLOW_UP),
    ];
    expect(await Promise.all(refused)).toEqual(Array(6).fill(expect.objectContaining(NOT_ASKED)));
    expect(harness.open).toEqual([]);
    expect(await harness.inquire(UNKNOWN)).toBe(UNKNOWN);
  });

  test.each<[string, 'sell' | 'inquire', GatewayResult]>([
    ['a decline', 'sell', DECLINED],
    ['a refusal', 'sell', { kind: 'not-sent', reason: 'No.', retry: 'error' }],
    ['a refund that waits', 'sell', { kind: 'not-sent', reason: 'Later.', retry: 'after-batch' }],
    ['a payment held for review', 'sell', { kind: 'pending', reference: '1', reason: 'held_for_review' }],
    ['a missing payment', 'inquire', { kind: 'not-found' }],
    ['a payment that is not shown yet', 'inquire', { kind: 'unknown', cause: 'Not there yet.', isNotYetShown: true }],
    ['a case for manual review', 'inquire', { kind: 'unknown', cause: 'Two of them.', alert: 'several-found' }],
  ])('stays closed after an answer with %s', async (_, operation, result) => {
    const ask = (answer: GatewayResult) => (operation === 'sell' ? harness.sell(answer as Outcome) : harness.inquire(answer));
    await ask(UNKNOWN);
    await ask(UNKNOWN);
    await ask(result);
    expect(harness.status.failures).toBe(0);
    await ask(UNKNOWN);
    await ask(UNKNOWN);
    expect(harness.status.state).toBe('closed');
  });

  test('opens the circuit if inquiries succeed and every payment fails', async () => {
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) {
      expect(harness.status.state).toBe('closed');
      await harness.sell(UNKNOWN);
      await harness.inquire({ kind: 'not-found' });
    }
    expect(harness.status.state).not.toBe('closed');
  });

  test('opens the circuit again after a failed trial, although an inquiry succeeded', async () => {
    await harness.openCircuit();
    await harness.inquire({ kind: 'not-found' });
    expect(harness.status.state).toBe('half-open');
    const trial = harness.connector.purchase(ORDER);
    const { answer } = harness.open.at(-1) as { answer(result: GatewayResult): unknown };
    await harness.inquire({ kind: 'not-found' });
    await answer(UNKNOWN);
    await trial;
    expect(harness.status.state).toBe('open');
  });

  test('opens no circuit of another gateway of the same merchant', async () => {
    const other = harness.guarded(OTHER);
    await harness.openCircuit();
    const asked = other.purchase(ORDER);
    await harness.open.at(-1)?.answer(APPROVED);
    expect(await asked).toBe(APPROVED);
    expect(harness.health.healthOf(OTHER.gatewayId)).toMatchObject({ state: 'closed', lastAnswerAt: expect.any(String) });
  });

  test('opens the circuit immediately if the account is refused, reports it once, and keeps it open despite inquiries', async () => {
    await harness.sell(MISCONFIGURED);
    expect(harness.status).toMatchObject({ state: 'open', lastReason: 'The key is not known.' });
    await harness.inquire({ kind: 'not-found' });
    expect(harness.status.state).toBe('open');
    harness.probeResult = { kind: 'silent', reason: 'The key is wrong.' };
    await vi.advanceTimersByTimeAsync(FIRST_OPEN_MS);
    expect(harness.status).toMatchObject({ state: 'open', lastReason: 'The key is wrong.' });
    await vi.advanceTimersByTimeAsync(LONGEST_OPEN_MS);
    expect(harness.reports).toEqual([expect.stringContaining('manual review')]);
  });

  test('calls a gateway for a capture cancellation only if it supports cancellations', async () => {
    await harness.openCircuit();
    void harness.connector.cancelCapture(FOLLOW_UP);
    await harness.open.at(-1)?.answer({ kind: 'not-sent', reason: 'It takes none back.', retry: 'error' });
    expect(harness.status).toMatchObject({ state: 'open', lastAnswerAt: null });
    const cancels = harness.guarded(ONE, { cancelsCaptures: true });
    expect(await cancels.cancelCapture(FOLLOW_UP)).toMatchObject(NOT_ASKED);
  });
});

describe('reports', () => {
  const lines = async (pages: AsyncIterable<unknown> | Promise<unknown> | undefined) => {
    const read: unknown[] = [];
    for await (const page of pages as AsyncIterable<unknown>) read.push(page);
    return read;
  };

  test('reads reports page by page to their end while the gateway is unavailable', async () => {
    await harness.openCircuit();
    harness.pages = [[1], [2]];
    expect(await lines(harness.connector.settlementReport(PERIOD))).toEqual([[1], [2]]);
    expect(harness.status.state).toBe('half-open');
    harness.pages = [[1], new Error('half a report')];
    await expect(lines(harness.connector.returns?.(PERIOD))).rejects.toThrow('half a report');
    expect(harness.status.state).toBe('half-open');
  });

  test('keeps the circuit closed if a report breaks off', async () => {
    harness.pages = [new Error('no report')];
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await expect(lines(harness.connector.settlementReport(PERIOD))).rejects.toThrow();
    expect(harness.status.state).toBe('closed');
  });

  test('allows abandoning a report before its end', async () => {
    harness.pages = [[1], [2]];
    for await (const page of harness.connector.settlementReport(PERIOD) as AsyncIterable<unknown>) {
      expect(page).toEqual([1]);
      break;
    }
    expect(harness.status.failures).toBe(0);
  });
});

describe('recovery', () => {
  test('probes after 15 s, then at doubled intervals, at most every five minutes', async () => {
    await harness.openCircuit();
    const waits: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const wait = Date.parse(harness.status.nextProbeAt ?? '') - Date.now();
      waits.push(wait / 1_000);
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(harness.probes).toBe(n);
      await vi.advanceTimersByTimeAsync(1);
      expect(harness.probes).toBe(n + 1);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 300, 300]);
    expect(harness.status).toMatchObject({ state: 'open', failures: 10, lastReason: 'Not a word.' });
  });

  test('allows one payment at a time after a successful probe, and all after its success', async () => {
    await harness.openAndProbe();
    expect(harness.status).toMatchObject({ state: 'half-open', nextProbeAt: null, since: '2026-11-22T10:42:15.000Z' });
    expect(harness.health.isOpen(ONE.gatewayId)).toBe(false);
    const trial = harness.beginSale();
    expect(await harness.connector.purchase(ORDER)).toMatchObject(NOT_ASKED);
    expect(await harness.connector.refund(FOLLOW_UP)).toMatchObject(NOT_ASKED);
    await trial.answer(DECLINED);
    expect(harness.status).toMatchObject({ state: 'closed', failures: 0 });
    expect(await harness.sell(APPROVED)).toBe(APPROVED);
    expect(harness.stateChanges).toEqual(['gw_1 open', 'gw_1 half-open', 'gw_1 closed']);
  });

  test('opens the circuit for twice the time after a failed trial, when an inquiry proves nothing', async () => {
    await harness.openAndProbe();
    await harness.sell(UNKNOWN);
    expect(harness.status).toMatchObject({ state: 'open', nextProbeAt: '2026-11-22T10:42:45.000Z' });
    await harness.inquire({ kind: 'not-found' });
    expect(harness.status.state).toBe('open');
    await vi.advanceTimersByTimeAsync(2 * FIRST_OPEN_MS);
    expect(harness.status.state).toBe('half-open');
    await harness.sell(APPROVED);
    await harness.openCircuit();
    expect(harness.status).toMatchObject({ state: 'open', nextProbeAt: '2026-11-22T10:43:00.000Z' });
  });

  test('allows a trial payment after a successful inquiry', async () => {
    await harness.openCircuit();
    await harness.inquire({ kind: 'not-found' });
    expect(harness.status).toMatchObject({ state: 'half-open', nextProbeAt: null });
    await harness.inquire(APPROVED);
    expect(harness.status.state).toBe('half-open');
    await vi.advanceTimersByTimeAsync(LONGEST_OPEN_MS);
    expect(harness.probes).toBe(0);
  });

  test('opens a half-open circuit after three failed inquiries', async () => {
    await harness.openAndProbe();
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await harness.inquire(UNKNOWN);
    expect(harness.status).toMatchObject({ state: 'open', nextProbeAt: '2026-11-22T10:42:45.000Z' });
  });

  test('skips the wait for the probe after a successful check by a person', async () => {
    await harness.sell(MISCONFIGURED);
    harness.health.answered(ONE.gatewayId);
    expect(harness.status.state).toBe('half-open');
    harness.health.answered(OTHER.gatewayId);
    expect(harness.health.healthOf(OTHER.gatewayId).state).toBe('closed');
  });

  test('treats a failed probe as no answer, and ends probes of a removed gateway', async () => {
    await harness.openCircuit();
    harness.probeResult = new Error('the database is away');
    await vi.advanceTimersByTimeAsync(FIRST_OPEN_MS);
    expect(harness.status).toMatchObject({ state: 'open', nextProbeAt: '2026-11-22T10:42:45.000Z' });
    harness.probeResult = { kind: 'gone' };
    await vi.advanceTimersByTimeAsync(2 * FIRST_OPEN_MS);
    expect(harness.status).toMatchObject({ state: 'closed', since: null });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('sends no probe after the server stopped', async () => {
    await harness.openCircuit();
    harness.health.stop();
    await vi.advanceTimersByTimeAsync(LONGEST_OPEN_MS);
    expect([harness.probes, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('late answers', () => {
  test('keeps the circuit open after a late answer to an old request', async () => {
    const old = harness.beginSale();
    await harness.openCircuit();
    await old.answer(APPROVED);
    expect(harness.status).toMatchObject({ state: 'open', lastAnswerAt: expect.any(String) });
    expect(await old.outcome).toBe(APPROVED);
  });

  test('ignores failures of old requests after the circuit has closed', async () => {
    const old = Array.from({ length: 5 }, () => harness.beginSale());
    await harness.openAndProbe();
    await harness.sell(APPROVED);
    for (const request of old) await request.answer(UNKNOWN);
    expect(harness.status).toMatchObject({ state: 'closed', failures: 0 });
  });

  test('does not count failures of requests sent before an answered one', async () => {
    const old = Array.from({ length: 5 }, () => harness.beginSale());
    await harness.sell(APPROVED);
    for (const request of old) await request.answer(UNKNOWN);
    expect(harness.status.state).toBe('closed');
    await harness.sell(MISCONFIGURED);
    expect(harness.status.state).toBe('open');
  });

  test('ignores the result of an outdated trial, which keeps its slot until it ends', async () => {
    await harness.openAndProbe();
    const trial = harness.beginSale();
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await harness.inquire(UNKNOWN);
    await vi.advanceTimersByTimeAsync(2 * FIRST_OPEN_MS);
    expect(harness.status.state).toBe('half-open');
    expect(await harness.connector.purchase(ORDER)).toMatchObject(NOT_ASKED);
    await trial.answer(UNKNOWN);
    expect(harness.status.state).toBe('half-open');
    await harness.sell(APPROVED);
    expect(harness.status.state).toBe('closed');
  });

  test('ignores an answer for a gateway that was removed in the meantime', async () => {
    await harness.sell(UNKNOWN);
    const old = harness.beginSale();
    harness.health.forget(ONE.gatewayId);
    await old.answer(MISCONFIGURED);
    expect(harness.status).toMatchObject({ state: 'closed', failures: 0 });
  });
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pay' as const), operation: fc.constantFrom('sell', 'capture', 'refund') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('inquire' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(20),
      heard: fc.constantFrom<GatewayResult>(UNKNOWN, UNKNOWN, UNAVAILABLE, new Error('x'), MISCONFIGURED, APPROVED, DECLINED),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 14_999, 15_000, 60_000, 300_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn' as const), answers: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
);

test('sends nothing while open, one payment at a time while half-open, and always recovers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const own = new HealthHarness();
      const { connector, health } = own;
      /** Payments that were allowed while half-open and have no response yet. */
      const trials = new Set<OpenRequest>();
      const pay = async (operation: 'sell' | 'capture' | 'refund') => {
        const before = own.status.state;
        const openBefore = own.open.length;
        const asked = operation === 'sell' ? connector.purchase(ORDER) : connector[operation](FOLLOW_UP);
        asked.catch(() => {});
        const sent = own.open.length > openBefore ? own.open.at(-1) : undefined;
        const mayBeSent = before === 'closed' || (before === 'half-open' && trials.size === 0);
        expect(sent !== undefined).toBe(mayBeSent);
        if (!sent) expect(await asked).toMatchObject(NOT_ASKED);
        else if (before === 'half-open') trials.add(sent);
        expect(trials.size).toBeLessThanOrEqual(1);
      };
      const answer = async (request: OpenRequest | undefined, result: GatewayResult) => {
        if (!request) return;
        trials.delete(request);
        await request.answer(result);
      };
      for (const one of steps) {
        const { state } = own.status;
        if (one.do === 'pay') await pay(one.operation as 'sell');
        if (one.do === 'inquire') connector.inquire(INQUIRY).catch(() => {});
        if (one.do === 'answer') await answer(own.open[one.which % Math.max(1, own.open.length)], one.heard);
        if (one.do === 'wait') await vi.advanceTimersByTimeAsync(one.ms);
        if (one.do === 'turn') own.probeResult = one.answers ? { kind: 'answers' } : { kind: 'silent', reason: 'Not a word.' };
        if (one.do === 'ask') health.answered(ONE.gatewayId);
        // Only the response to a payment closes the circuit; from open to closed, there is always a trial payment.
        if (state === 'open') expect(own.status.state).not.toBe('closed');
        if (own.status.state === 'open') expect(own.status.nextProbeAt).not.toBeNull();
        else expect(own.status.nextProbeAt).toBeNull();
      }
      own.probeResult = { kind: 'answers' };
      while (own.open.length > 0) await answer(own.open[0], APPROVED);
      await vi.advanceTimersByTimeAsync(LONGEST_OPEN_MS);
      expect(own.status.state).not.toBe('open');
      expect(await own.sell(APPROVED)).toBe(APPROVED);
      expect(own.status).toMatchObject({ state: 'closed', failures: 0 });
      for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await own.sell(UNAVAILABLE);
      expect(await connector.purchase(ORDER)).toMatchObject(NOT_ASKED);
      health.stop();
    }),
    { numRuns: sized(60, 300) },
  );
});

test.each([authorizeNet, nmi])('$label: stays closed while a new payment is not shown yet', async (processor) => {
  vi.useRealTimers();
  const simulator = await startSimulator(processor.type);
  const wire = createHttpClient();
  try {
    const { credentials, origin } = simulator;
    const account = { ...ONE, credentials, origin, mode: 'test', currency: AMOUNT.currency, timezone: 'UTC' } as const;
    const connector = harness.health.guard(ONE, processor.open(account, wire));
    const sent = { amount: AMOUNT, at: new Date().toISOString() };
    const asked = [
      { ...INQUIRY, sent: { ...sent, operation: 'sale' as const, last4: '1111' } },
      { ...INQUIRY, processorRef: 'C'.repeat(20), sent: { ...sent, operation: 'refund' as const, last4: '1111' } },
    ];
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1)
      for (const inquiry of asked) expect(await connector.inquire(inquiry)).toMatchObject({ kind: 'unknown' });
    expect(harness.status).toMatchObject({ state: 'closed', failures: 0, lastAnswerAt: expect.any(String) });
    await simulator.stop();
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await connector.inquire(asked[0] as StatusInquiry);
    expect(harness.status.state).toBe('open');
  } finally {
    await wire.close();
    await simulator.stop();
  }
});
