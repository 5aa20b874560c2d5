import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { authorizeNet } from '../../../core/gateways/authorizenet/index.ts';
import type { Outcome, StatusInquiry } from '../../../core/gateways/connector.ts';
import { FAILURES_TO_OPEN, FIRST_OPEN_MS, LONGEST_OPEN_MS } from '../../../core/gateways/health.ts';
import { nmi } from '../../../core/gateways/nmi/index.ts';
import { createHttpClient } from '../../../core/gateways/undici-client.ts';
import { startPeer } from '../../peers/index.ts';
import { sized } from '../../support/tier.ts';
import {
  AMOUNT,
  APPROVED,
  AWAY,
  Bench,
  DECLINED,
  FOLLOW_UP,
  type Heard,
  INQUIRY,
  LOST,
  ONE,
  type Open,
  ORDER,
  OTHER,
  PERIOD,
  SET_UP,
} from './health-bench.ts';

const NOT_ASKED = { kind: 'not-sent', retry: 'unavailable' };
let bench: Bench;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.parse('2026-11-22T10:42:00Z') });
  bench = new Bench();
});
afterEach(() => {
  bench.health.stop();
  vi.useRealTimers();
});

describe('a gateway that stops answering', () => {
  test.each([
    ['no answer', LOST],
    ['no connection', AWAY],
    ['a fault', new TypeError('4111111111111111')],
  ])('opens the circuit after three times %s, and reports it', async (_, heard) => {
    await bench.sell(heard);
    await bench.sell(heard);
    expect(bench.standing).toMatchObject({ state: 'closed', failures: 2 });
    await bench.sell(heard);
    expect(bench.standing).toMatchObject({
      state: 'open',
      failures: 3,
      since: '2026-11-22T10:42:00.000Z',
      lastAnswerAt: null,
      lastFailureAt: '2026-11-22T10:42:00.000Z',
      nextProbeAt: '2026-11-22T10:42:15.000Z',
    });
    expect(bench.standing.lastReason).not.toMatch(/\d{6}/);
    expect([bench.health.isOpen(ONE.gatewayId), bench.health.isOpen(OTHER.gatewayId)]).toEqual([true, false]);
    expect(bench.told).toEqual(['gw_1 open']);
    expect(bench.reports).toHaveLength(1);
  });

  test('passes responses on unchanged', async () => {
    expect(await bench.sell(DECLINED)).toBe(DECLINED);
    expect(await bench.sell(LOST)).toBe(LOST);
    const fault = new Error('broken');
    expect(await bench.sell(fault)).toBe(fault);
  });

  test('refuses payments immediately while the circuit is open, and continues inquiries', async () => {
    await bench.break();
    const { connector } = bench;
    const refused = [
      connector.sell(ORDER),
      connector.authorize(ORDER),
      connector.credit(ORDER),
      connector.capture(FOLLOW_UP),
      connector.void(FOLLOW_UP),
      connector.refund(FOLLOW_UP),
    ];
    expect(await Promise.all(refused)).toEqual(Array(6).fill(expect.objectContaining(NOT_ASKED)));
    expect(bench.open).toEqual([]);
    expect(await bench.inquire(LOST)).toBe(LOST);
  });

  test.each<[string, 'sell' | 'inquire', Heard]>([
    ['a decline', 'sell', DECLINED],
    ['a refusal', 'sell', { kind: 'not-sent', reason: 'No.', retry: 'error' }],
    ['a refund that waits', 'sell', { kind: 'not-sent', reason: 'Later.', retry: 'after-batch' }],
    ['a payment held for review', 'sell', { kind: 'pending', reference: '1', reason: 'held_for_review' }],
    ['not finding what was asked for', 'inquire', { kind: 'not-found' }],
    ['not showing it yet', 'inquire', { kind: 'unknown', cause: 'Not there yet.', isNotYetShown: true }],
    ['something that a person must look at', 'inquire', { kind: 'unknown', cause: 'Two of them.', alert: 'several-found' }],
  ])('answers with %s: it is not away', async (_, operation, heard) => {
    const ask = (answer: Heard) => (operation === 'sell' ? bench.sell(answer as Outcome) : bench.inquire(answer));
    await ask(LOST);
    await ask(LOST);
    await ask(heard);
    expect(bench.standing.failures).toBe(0);
    await ask(LOST);
    await ask(LOST);
    expect(bench.standing.state).toBe('closed');
  });

  test('opens the circuit if inquiries succeed and every payment fails', async () => {
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) {
      expect(bench.standing.state).toBe('closed');
      await bench.sell(LOST);
      await bench.inquire({ kind: 'not-found' });
    }
    expect(bench.standing.state).not.toBe('closed');
  });

  test('opens the circuit again after a failed trial, although an inquiry succeeded', async () => {
    await bench.break();
    await bench.inquire({ kind: 'not-found' });
    expect(bench.standing.state).toBe('half-open');
    const trial = bench.connector.sell(ORDER);
    const { answer } = bench.open.at(-1) as { answer(heard: Heard): unknown };
    await bench.inquire({ kind: 'not-found' });
    await answer(LOST);
    await trial;
    expect(bench.standing.state).toBe('open');
  });

  test('does not take another one of the same merchant with it', async () => {
    const other = bench.guarded(OTHER);
    await bench.break();
    const asked = other.sell(ORDER);
    await bench.open.at(-1)?.answer(APPROVED);
    expect(await asked).toBe(APPROVED);
    expect(bench.health.standingOf(OTHER.gatewayId)).toMatchObject({ state: 'closed', lastAnswerAt: expect.any(String) });
  });

  test('opens the circuit immediately if the account is refused, reports it once, and keeps it open despite inquiries', async () => {
    await bench.sell(SET_UP);
    expect(bench.standing).toMatchObject({ state: 'open', lastReason: 'The key is not known.' });
    await bench.inquire({ kind: 'not-found' });
    expect(bench.standing.state).toBe('open');
    bench.probed = { kind: 'silent', reason: 'The key is wrong.' };
    await vi.advanceTimersByTimeAsync(FIRST_OPEN_MS);
    expect(bench.standing).toMatchObject({ state: 'open', lastReason: 'The key is wrong.' });
    await vi.advanceTimersByTimeAsync(LONGEST_OPEN_MS);
    expect(bench.reports).toEqual([expect.stringContaining('person')]);
  });

  test('is asked whether a capture can be taken back only where it takes any back', async () => {
    await bench.break();
    void bench.connector.cancelCapture(FOLLOW_UP);
    await bench.open.at(-1)?.answer({ kind: 'not-sent', reason: 'It takes none back.', retry: 'error' });
    expect(bench.standing).toMatchObject({ state: 'open', lastAnswerAt: null });
    const cancels = bench.guarded(ONE, { cancelsCaptures: true });
    expect(await cancels.cancelCapture(FOLLOW_UP)).toMatchObject(NOT_ASKED);
  });
});

describe('reports', () => {
  const lines = async (pages: AsyncIterable<unknown> | Promise<unknown> | undefined) => {
    const read: unknown[] = [];
    for await (const page of pages as AsyncIterable<unknown>) read.push(page);
    return read;
  };

  test('are read while the gateway is away, page by page, and end as they end', async () => {
    await bench.break();
    bench.pages = [[1], [2]];
    expect(await lines(bench.connector.settlementReport(PERIOD))).toEqual([[1], [2]]);
    expect(bench.standing.state).toBe('half-open');
    bench.pages = [[1], new Error('half a report')];
    await expect(lines(bench.connector.returns?.(PERIOD))).rejects.toThrow('half a report');
    expect(bench.standing.state).toBe('half-open');
  });

  test('that break off say nothing of payments: they may not add up', async () => {
    bench.pages = [new Error('no report')];
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await expect(lines(bench.connector.settlementReport(PERIOD))).rejects.toThrow();
    expect(bench.standing.state).toBe('closed');
  });

  test('may be left in the middle', async () => {
    bench.pages = [[1], [2]];
    for await (const page of bench.connector.settlementReport(PERIOD) as AsyncIterable<unknown>) {
      expect(page).toEqual([1]);
      break;
    }
    expect(bench.standing.failures).toBe(0);
  });
});

describe('coming back', () => {
  test('silent probes come at 15 s, then at twice the time, at most every five minutes', async () => {
    await bench.break();
    const waits: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const wait = Date.parse(bench.standing.nextProbeAt ?? '') - Date.now();
      waits.push(wait / 1_000);
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(bench.probes).toBe(n);
      await vi.advanceTimersByTimeAsync(1);
      expect(bench.probes).toBe(n + 1);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 300, 300]);
    expect(bench.standing).toMatchObject({ state: 'open', failures: 10, lastReason: 'Not a word.' });
  });

  test('allows one payment at a time after a successful probe, and all after its success', async () => {
    await bench.breakAndProbe();
    expect(bench.standing).toMatchObject({ state: 'half-open', nextProbeAt: null, since: '2026-11-22T10:42:15.000Z' });
    expect(bench.health.isOpen(ONE.gatewayId)).toBe(false);
    const trial = bench.begin();
    expect(await bench.connector.sell(ORDER)).toMatchObject(NOT_ASKED);
    expect(await bench.connector.refund(FOLLOW_UP)).toMatchObject(NOT_ASKED);
    await trial.answer(DECLINED);
    expect(bench.standing).toMatchObject({ state: 'closed', failures: 0 });
    expect(await bench.sell(APPROVED)).toBe(APPROVED);
    expect(bench.told).toEqual(['gw_1 open', 'gw_1 half-open', 'gw_1 closed']);
  });

  test('opens the circuit for twice the time after a failed trial, when an inquiry proves nothing', async () => {
    await bench.breakAndProbe();
    await bench.sell(LOST);
    expect(bench.standing).toMatchObject({ state: 'open', nextProbeAt: '2026-11-22T10:42:45.000Z' });
    await bench.inquire({ kind: 'not-found' });
    expect(bench.standing.state).toBe('open');
    await vi.advanceTimersByTimeAsync(2 * FIRST_OPEN_MS);
    expect(bench.standing.state).toBe('half-open');
    await bench.sell(APPROVED);
    await bench.break();
    expect(bench.standing).toMatchObject({ state: 'open', nextProbeAt: '2026-11-22T10:43:00.000Z' });
  });

  test('allows a trial payment after a successful inquiry', async () => {
    await bench.break();
    await bench.inquire({ kind: 'not-found' });
    expect(bench.standing).toMatchObject({ state: 'half-open', nextProbeAt: null });
    await bench.inquire(APPROVED);
    expect(bench.standing.state).toBe('half-open');
    await vi.advanceTimersByTimeAsync(LONGEST_OPEN_MS);
    expect(bench.probes).toBe(0);
  });

  test('three inquiries in vain shut a way that is being tried', async () => {
    await bench.breakAndProbe();
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await bench.inquire(LOST);
    expect(bench.standing).toMatchObject({ state: 'open', nextProbeAt: '2026-11-22T10:42:45.000Z' });
  });

  test('skips the wait for the probe after a successful check by a person', async () => {
    await bench.sell(SET_UP);
    bench.health.answered(ONE.gatewayId);
    expect(bench.standing.state).toBe('half-open');
    bench.health.answered(OTHER.gatewayId);
    expect(bench.health.standingOf(OTHER.gatewayId).state).toBe('closed');
  });

  test('treats a failed probe as silence, and ends probes of a removed gateway', async () => {
    await bench.break();
    bench.probed = new Error('the database is away');
    await vi.advanceTimersByTimeAsync(FIRST_OPEN_MS);
    expect(bench.standing).toMatchObject({ state: 'open', nextProbeAt: '2026-11-22T10:42:45.000Z' });
    bench.probed = { kind: 'gone' };
    await vi.advanceTimersByTimeAsync(2 * FIRST_OPEN_MS);
    expect(bench.standing).toMatchObject({ state: 'closed', since: null });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('sends no probe after the end', async () => {
    await bench.break();
    bench.health.stop();
    await vi.advanceTimersByTimeAsync(LONGEST_OPEN_MS);
    expect([bench.probes, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('answers that come late', () => {
  test('keeps the circuit open after a late answer to an old request', async () => {
    const old = bench.begin();
    await bench.break();
    await old.answer(APPROVED);
    expect(bench.standing).toMatchObject({ state: 'open', lastAnswerAt: expect.any(String) });
    expect(await old.told).toBe(APPROVED);
  });

  test('old questions that fail do not shut a way that was found open since', async () => {
    const old = Array.from({ length: 5 }, () => bench.begin());
    await bench.breakAndProbe();
    await bench.sell(APPROVED);
    for (const question of old) await question.answer(LOST);
    expect(bench.standing).toMatchObject({ state: 'closed', failures: 0 });
  });

  test('questions that fail count no more once a later one was answered', async () => {
    const old = Array.from({ length: 5 }, () => bench.begin());
    await bench.sell(APPROVED);
    for (const question of old) await question.answer(LOST);
    expect(bench.standing.state).toBe('closed');
    await bench.sell(SET_UP);
    expect(bench.standing.state).toBe('open');
  });

  test('ignores the result of an outdated trial, which keeps its slot until it ends', async () => {
    await bench.breakAndProbe();
    const trial = bench.begin();
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await bench.inquire(LOST);
    await vi.advanceTimersByTimeAsync(2 * FIRST_OPEN_MS);
    expect(bench.standing.state).toBe('half-open');
    expect(await bench.connector.sell(ORDER)).toMatchObject(NOT_ASKED);
    await trial.answer(LOST);
    expect(bench.standing.state).toBe('half-open');
    await bench.sell(APPROVED);
    expect(bench.standing.state).toBe('closed');
  });

  test('ignores an answer for a gateway that was removed in the meantime', async () => {
    await bench.sell(LOST);
    const old = bench.begin();
    bench.health.forget(ONE.gatewayId);
    await old.answer(SET_UP);
    expect(bench.standing).toMatchObject({ state: 'closed', failures: 0 });
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
      heard: fc.constantFrom<Heard>(LOST, LOST, AWAY, new Error('x'), SET_UP, APPROVED, DECLINED),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 14_999, 15_000, 60_000, 300_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn' as const), answers: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
);

test('sends nothing while open, one payment at a time while half-open, and always recovers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const own = new Bench();
      const { connector, health } = own;
      /** Payments that were let through while half-open and have no answer yet. */
      const trials = new Set<Open>();
      const pay = async (operation: 'sell' | 'capture' | 'refund') => {
        const before = own.standing.state;
        const openBefore = own.open.length;
        const asked = operation === 'sell' ? connector.sell(ORDER) : connector[operation](FOLLOW_UP);
        asked.catch(() => {});
        const sent = own.open.length > openBefore ? own.open.at(-1) : undefined;
        const mayBeSent = before === 'closed' || (before === 'half-open' && trials.size === 0);
        expect(sent !== undefined).toBe(mayBeSent);
        if (!sent) expect(await asked).toMatchObject(NOT_ASKED);
        else if (before === 'half-open') trials.add(sent);
        expect(trials.size).toBeLessThanOrEqual(1);
      };
      const answer = async (question: Open | undefined, heard: Heard) => {
        if (!question) return;
        trials.delete(question);
        await question.answer(heard);
      };
      for (const one of steps) {
        const { state } = own.standing;
        if (one.do === 'pay') await pay(one.operation as 'sell');
        if (one.do === 'inquire') connector.inquire(INQUIRY).catch(() => {});
        if (one.do === 'answer') await answer(own.open[one.which % Math.max(1, own.open.length)], one.heard);
        if (one.do === 'wait') await vi.advanceTimersByTimeAsync(one.ms);
        if (one.do === 'turn') own.probed = one.answers ? { kind: 'answers' } : { kind: 'silent', reason: 'Not a word.' };
        if (one.do === 'ask') health.answered(ONE.gatewayId);
        // Only a payment's answer opens the way for all; nothing leads from shut to open but by a trial.
        if (state === 'open') expect(own.standing.state).not.toBe('closed');
        if (own.standing.state === 'open') expect(own.standing.nextProbeAt).not.toBeNull();
        else expect(own.standing.nextProbeAt).toBeNull();
      }
      own.probed = { kind: 'answers' };
      while (own.open.length > 0) await answer(own.open[0], APPROVED);
      await vi.advanceTimersByTimeAsync(LONGEST_OPEN_MS);
      expect(own.standing.state).not.toBe('open');
      expect(await own.sell(APPROVED)).toBe(APPROVED);
      expect(own.standing).toMatchObject({ state: 'closed', failures: 0 });
      for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await own.sell(AWAY);
      expect(await connector.sell(ORDER)).toMatchObject(NOT_ASKED);
      health.stop();
    }),
    { numRuns: sized(60, 300) },
  );
});

test.each([authorizeNet, nmi])('$label, which does not show a new payment yet, is not away', async (processor) => {
  vi.useRealTimers();
  const peer = await startPeer(processor.type);
  const wire = createHttpClient();
  try {
    const { credentials, origin } = peer;
    const account = { ...ONE, credentials, origin, mode: 'test', currency: AMOUNT.currency, timezone: 'UTC' } as const;
    const connector = bench.health.guard(ONE, processor.open(account, wire));
    const sent = { amount: AMOUNT, at: new Date().toISOString() };
    const asked = [
      { ...INQUIRY, sent: { ...sent, operation: 'sale' as const, last4: '1111' } },
      { ...INQUIRY, processorRef: 'C'.repeat(20), sent: { ...sent, operation: 'refund' as const, last4: '1111' } },
    ];
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1)
      for (const inquiry of asked) expect(await connector.inquire(inquiry)).toMatchObject({ kind: 'unknown' });
    expect(bench.standing).toMatchObject({ state: 'closed', failures: 0, lastAnswerAt: expect.any(String) });
    await peer.stop();
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await connector.inquire(asked[0] as StatusInquiry);
    expect(bench.standing.state).toBe('open');
  } finally {
    await wire.close();
    await peer.stop();
  }
});
