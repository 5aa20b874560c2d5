import { describe, expect, test } from 'vitest';
import { Gathering } from '../../../core/database/gathering.ts';

/** Waits for a group to which each turn of the event loop adds what the list says: a number of writes, and whether a client connects. */
async function sizeAfterGathering(
  turns: readonly { readonly writes: number; readonly connects?: boolean }[],
  msPerTurn = 1,
): Promise<number> {
  let nowMs = 0;
  const gathering = new Gathering(() => nowMs);
  let size = 0;
  let turn = 0;
  const next = () => {
    const { writes, connects = false } = turns[turn] ?? { writes: 0 };
    turn += 1;
    nowMs += msPerTurn;
    size += writes;
    if (connects) gathering.expectWrites();
    if (turn < turns.length) setImmediate(next);
  };
  next();
  await gathering.waitFor(() => size, 256);
  return size;
}

const repeat = (turns: number, connects: boolean) => Array.from({ length: turns }, () => ({ writes: 1, connects }));

describe('the gathering of writes', () => {
  test('does not wait if a write is alone', async () => {
    expect(await sizeAfterGathering([{ writes: 1 }, { writes: 1 }])).toBe(1);
  });

  test('waits while each turn adds writes', async () => {
    expect(await sizeAfterGathering([{ writes: 2 }, { writes: 1 }, { writes: 3 }, { writes: 0 }, { writes: 1 }])).toBe(6);
  });

  test('waits for a client that has connected, and for its write in the next turn', async () => {
    expect(await sizeAfterGathering([{ writes: 1, connects: true }, { writes: 1 }, { writes: 0 }, { writes: 1 }])).toBe(2);
  });

  test('ends after 20 ms of growth', async () => {
    expect(await sizeAfterGathering([{ writes: 2 }, ...repeat(30, false)], 10)).toBe(5);
  });

  test('ends after 250 ms while clients connect', async () => {
    expect(await sizeAfterGathering(repeat(60, true), 10)).toBe(27);
  });

  test('ends when the group is full', async () => {
    expect(await sizeAfterGathering([{ writes: 200 }, { writes: 56 }, { writes: 1 }])).toBe(256);
  });
});
