import { expect, test } from 'vitest';
import { heap, releaseIdleMemory } from '../../../server/run/idle-memory.ts';
import { pause, until } from '../../support/until.ts';

const MB = 1_048_576;
const INTERVAL_MS = 20;

/** A heap whose size the test chooses. A collection takes everything above 50 MB. */
function fakeHeap(sizeMb: number) {
  const state = { size: sizeMb * MB, checks: 0, collections: 0 };
  const size = () => {
    state.checks += 1;
    return state.size;
  };
  const collect = () => {
    state.collections += 1;
    state.size = Math.min(state.size, 50 * MB);
  };
  return { state, heap: { size, collect } };
}

test('collects once when the process is idle, and again when the heap has grown', async () => {
  const { state, heap: fake } = fakeHeap(80);
  const stop = releaseIdleMemory(INTERVAL_MS, fake);
  try {
    await until('the heap is collected', () => state.collections === 1);
    state.size = 60 * MB;
    const { checks } = state;
    await until('a small growth is seen', () => state.checks >= checks + 3);
    expect(state.collections).toBe(1);
    state.size = 90 * MB;
    await until('the larger heap is collected', () => state.collections === 2);
  } finally {
    stop();
  }
});

test('does not collect while the process works', async () => {
  const { state, heap: fake } = fakeHeap(80);
  const stop = releaseIdleMemory(INTERVAL_MS, fake);
  try {
    const start = performance.now();
    while (performance.now() - start < 10 * INTERVAL_MS) {
      const until = performance.now() + INTERVAL_MS / 2;
      while (performance.now() < until);
      await pause(0);
    }
    expect(state.collections).toBe(0);
  } finally {
    stop();
  }
});

test('returns memory to the operating system', () => {
  let kept: object[] | undefined = [];
  while (kept.length < 500_000) kept.push({ position: kept.length });
  const full = heap.size();
  kept = undefined;
  heap.collect();
  expect(heap.size()).toBeLessThan(full - 10 * MB);
});
