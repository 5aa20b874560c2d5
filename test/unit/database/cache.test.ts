import { expect, test } from 'vitest';
import { Cache } from '#core/database';

/** A read that the test completes. */
function reads() {
  const waiting: ((value: string | undefined) => void)[] = [];
  return {
    read: () => new Promise<string | undefined>((resolve) => waiting.push(resolve)),
    begun: () => waiting.length,
    answer: (index: number, value: string | undefined) => waiting[index]?.(value),
  };
}

const cache = () => new Cache<string>({ kind: 'sqlite' }, 'test');

test('caches a value until it changes', async () => {
  const memory = cache();
  expect(await memory.through('key', async () => 'first')).toBe('first');
  expect(await memory.through('key', async () => 'second')).toBe('first');
  memory.delete('key');
  expect(await memory.through('key', async () => 'second')).toBe('second');
});

test('does not cache a value that a change overtook', async () => {
  const memory = cache();
  const { read, answer } = reads();
  const before = memory.through('key', read);
  memory.delete('key');
  const after = memory.through('key', read);
  answer(1, 'new');
  expect(await after).toBe('new');
  answer(0, 'old');
  expect(await before).toBe('old');
  expect(memory.get('key')).toBe('new');

  const cleared = memory.through('other', read);
  memory.clear();
  answer(2, 'old');
  await cleared;
  expect(memory.get('other')).toBeUndefined();
});

test('shares one read among parallel callers, and caches neither absent values nor failures', async () => {
  const memory = cache();
  const { read, begun, answer } = reads();
  const asked = [1, 2, 3].map(() => memory.through('key', read));
  expect(begun()).toBe(1);
  answer(0, undefined);
  expect(await Promise.all(asked)).toEqual([undefined, undefined, undefined]);

  const failing = [1, 2].map(() => memory.through('key', () => Promise.reject(new Error('away'))));
  for (const one of failing) await expect(one).rejects.toThrow('away');
  expect(await memory.through('key', async () => 'there')).toBe('there');
});
