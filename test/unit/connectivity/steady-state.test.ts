import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CALM_MS,
  type ConnectivityState,
  FIRST_HOLD_MS,
  LONGEST_HOLD_MS,
  NEVER_DOWN,
  observe,
  type SteadyState,
} from '../../../core/processing/connectivity/steady-state.ts';

const STATES: readonly ConnectivityState[] = ['online', 'gateway-down', 'offline'];

/** Observations with the time since the one before. */
const observations = fc.array(fc.record({ state: fc.constantFrom(...STATES), afterMs: fc.nat(90_000) }), { maxLength: 60 });

/** Returns the state after each observation, with its time. */
function run(steps: readonly { readonly state: ConnectivityState; readonly afterMs: number }[]) {
  const states: { readonly atMs: number; readonly observed: ConnectivityState; readonly steady: SteadyState }[] = [];
  let steady = NEVER_DOWN;
  let atMs = 1_000_000;
  for (const { state, afterMs } of steps) {
    atMs += afterMs;
    steady = observe(steady, state, atMs);
    states.push({ atMs, observed: state, steady });
  }
  return states;
}

describe('the steady state of the connection', () => {
  test('shows an outage immediately, and its end after the hold', () => {
    const down = observe(NEVER_DOWN, 'gateway-down', 5_000);
    expect(down).toMatchObject({ state: 'gateway-down', sinceMs: 5_000 });
    const returning = observe(down, 'online', 60_000);
    expect(returning).toMatchObject({ state: 'gateway-down', sinceMs: 5_000, candidate: { state: 'online', sinceMs: 60_000 } });
    expect(observe(returning, 'online', 60_000 + FIRST_HOLD_MS - 1).state).toBe('gateway-down');
    expect(observe(returning, 'online', 60_000 + FIRST_HOLD_MS)).toMatchObject({ state: 'online', candidate: null });
  });

  test('starts the hold again if the gateway fails once more, and keeps the start of the outage', () => {
    let steady = observe(NEVER_DOWN, 'offline', 0);
    for (const [state, atMs] of [
      ['online', 8_000],
      ['offline', 17_000],
      ['online', 18_000],
    ] as const)
      steady = observe(steady, state, atMs);
    expect(observe(steady, 'online', 27_999)).toMatchObject({ state: 'offline', sinceMs: 0 });
    expect(observe(steady, 'online', 28_000).state).toBe('online');
  });

  test('doubles the hold with each outage that follows soon, up to the longest one', () => {
    let steady = NEVER_DOWN;
    let atMs = 0;
    const holds: number[] = [];
    for (let outage = 0; outage < 6; outage += 1) {
      steady = observe(steady, 'gateway-down', atMs);
      holds.push(steady.holdMs);
      steady = observe(steady, 'online', atMs);
      atMs += steady.holdMs;
      steady = observe(steady, 'online', atMs);
      expect(steady.state).toBe('online');
      atMs += 1_000;
    }
    expect(holds).toEqual([10_000, 20_000, 40_000, 80_000, LONGEST_HOLD_MS, LONGEST_HOLD_MS]);
    expect(observe(steady, 'gateway-down', atMs + CALM_MS).holdMs).toBe(FIRST_HOLD_MS);
  });

  test('never ends an outage before the gateway has answered for the whole hold', () => {
    fc.assert(
      fc.property(observations, (steps) => {
        const states = run(steps);
        for (const [index, { steady, atMs }] of states.entries()) {
          const before = states[index - 1]?.steady ?? NEVER_DOWN;
          if (before.state === 'online' || steady.state !== 'online') continue;
          const lastFailure = states.slice(0, index).findLast(({ observed }) => observed !== 'online');
          expect(atMs - (lastFailure?.atMs ?? 0)).toBeGreaterThanOrEqual(before.holdMs);
        }
      }),
    );
  });

  test('reaches every state that lasts, within the longest hold', () => {
    fc.assert(
      fc.property(observations, fc.constantFrom(...STATES), (steps, last) => {
        const settled = [
          { state: last, afterMs: 0 },
          { state: last, afterMs: LONGEST_HOLD_MS },
        ];
        expect(run([...steps, ...settled]).at(-1)?.steady.state).toBe(last);
      }),
    );
  });

  test('starts an outage at the time of its first observation, and never in the future', () => {
    fc.assert(
      fc.property(observations, (steps) => {
        for (const { atMs, steady } of run(steps)) expect(steady.sinceMs ?? 0).toBeLessThanOrEqual(atMs);
      }),
    );
  });

  test('does not end an outage early if the clock is set back', () => {
    const returning = observe(observe(NEVER_DOWN, 'offline', 50_000), 'online', 60_000);
    const setBack = observe(returning, 'online', 10_000);
    expect(observe(setBack, 'online', 10_000 + FIRST_HOLD_MS - 1).state).toBe('offline');
    expect(observe(setBack, 'online', 10_000 + FIRST_HOLD_MS).state).toBe('online');
  });
});
