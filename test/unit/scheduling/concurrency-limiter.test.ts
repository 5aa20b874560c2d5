import { expect, test } from 'vitest';
import { ConcurrencyLimiter } from '../../../core/platform/scheduling/concurrency-limiter.ts';

const QUICK_MS = 5;
const SLOW_MS = 5_000;

/** Runs a lane that fills all offered slots each time. */
function work(lanes: ConcurrencyLimiter, lane: string, rounds: number, tookMs: number): void {
  for (let round = 0; round < rounds; round += 1) {
    const room = lanes.acquire(lane);
    for (let row = 0; row < room; row += 1) lanes.release(lane, tookMs);
  }
}

test('starts a lane with few slots and adds some with fast work, up to its limit', () => {
  const lanes = new ConcurrencyLimiter(256, 64, true);
  expect(lanes.acquire('a')).toBe(4);
  for (let row = 0; row < 4; row += 1) lanes.release('a', QUICK_MS);
  expect(lanes.acquire('a')).toBe(12);
  for (let row = 0; row < 12; row += 1) lanes.release('a', QUICK_MS);
  work(lanes, 'a', 10, QUICK_MS);
  expect(lanes.acquire('a')).toBe(64);
  expect(lanes.running).toBe(64);
});

test('many lanes without answers leave slots for one with answers, which grows to its limit', () => {
  const lanes = new ConcurrencyLimiter(256, 64, true);
  const dead = Array.from({ length: 50 }, (_, index) => `dead-${index}`);
  for (const lane of dead) lanes.acquire(lane);
  for (const lane of dead) for (let row = 0; row < 4; row += 1) lanes.release(lane, SLOW_MS);
  for (const lane of dead) expect(lanes.acquire(lane)).toBe(2);
  work(lanes, 'well', 10, QUICK_MS);
  expect(lanes.acquire('well')).toBe(64);
});

test('asks to refill a lane before it runs dry, unless it had no rows left', () => {
  const lanes = new ConcurrencyLimiter(256, 64, true);
  lanes.acquire('a');
  expect([lanes.release('a', QUICK_MS), lanes.release('a', QUICK_MS)]).toContain(true);
  const other = new ConcurrencyLimiter(256, 64, true);
  const room = other.acquire('b');
  other.returnUnused('b', room - 1);
  expect(other.running).toBe(1);
  expect(other.release('b', QUICK_MS)).toBe(false);
  expect(other.running).toBe(0);
});

test('limits the slots of all lanes together', () => {
  const lanes = new ConcurrencyLimiter(10, 64, true);
  expect([lanes.acquire('a'), lanes.acquire('b'), lanes.acquire('c'), lanes.acquire('d')]).toEqual([4, 4, 2, 0]);
  lanes.release('a', QUICK_MS);
  expect(lanes.acquire('d')).toBe(1);
});

test('tenants of one slow gateway keep their slots, and none takes all', () => {
  const lanes = new ConcurrencyLimiter(64, 48, false);
  work(lanes, 'a', 10, SLOW_MS);
  expect(lanes.acquire('a')).toBe(48);
  expect(lanes.acquire('b')).toBe(4);
});
