import { expect, test } from 'vitest';
import { Lanes } from '../../../core/platform/scheduling/concurrency-limiter.ts';

const QUICK_MS = 5;
const SLOW_MS = 5_000;

/** Lets a lane work: as often as it is offered places it fills them all. */
function work(lanes: Lanes, lane: string, rounds: number, tookMs: number): void {
  for (let round = 0; round < rounds; round += 1) {
    const room = lanes.take(lane);
    for (let row = 0; row < room; row += 1) lanes.done(lane, tookMs);
  }
}

test('starts a lane with few slots and adds some with fast work, up to its limit', () => {
  const lanes = new Lanes(256, 64, true);
  expect(lanes.take('a')).toBe(4);
  for (let row = 0; row < 4; row += 1) lanes.done('a', QUICK_MS);
  expect(lanes.take('a')).toBe(12);
  for (let row = 0; row < 12; row += 1) lanes.done('a', QUICK_MS);
  work(lanes, 'a', 10, QUICK_MS);
  expect(lanes.take('a')).toBe(64);
  expect(lanes.running).toBe(64);
});

test('many lanes that never answer leave room for one that does, and it grows to its bound', () => {
  const lanes = new Lanes(256, 64, true);
  const dead = Array.from({ length: 50 }, (_, index) => `dead-${index}`);
  for (const lane of dead) lanes.take(lane);
  for (const lane of dead) for (let row = 0; row < 4; row += 1) lanes.done(lane, SLOW_MS);
  for (const lane of dead) expect(lanes.take(lane)).toBe(2);
  work(lanes, 'well', 10, QUICK_MS);
  expect(lanes.take('well')).toBe(64);
});

test('asks to refill a lane before it runs dry, unless it had no rows left', () => {
  const lanes = new Lanes(256, 64, true);
  lanes.take('a');
  expect([lanes.done('a', QUICK_MS), lanes.done('a', QUICK_MS)]).toContain(true);
  const other = new Lanes(256, 64, true);
  const room = other.take('b');
  other.unfilled('b', room - 1);
  expect(other.running).toBe(1);
  expect(other.done('b', QUICK_MS)).toBe(false);
  expect(other.running).toBe(0);
});

test('limits the slots of all lanes together', () => {
  const lanes = new Lanes(10, 64, true);
  expect([lanes.take('a'), lanes.take('b'), lanes.take('c'), lanes.take('d')]).toEqual([4, 4, 2, 0]);
  lanes.done('a', QUICK_MS);
  expect(lanes.take('d')).toBe(1);
});

test('tenants of one slow gateway keep their places, and none takes them all', () => {
  const lanes = new Lanes(64, 48, false);
  work(lanes, 'a', 10, SLOW_MS);
  expect(lanes.take('a')).toBe(48);
  expect(lanes.take('b')).toBe(4);
});
