import { expect, test } from 'vitest';
import { createRenderCache } from '#core/platform/documents';

function pencil(size = 10) {
  const drawn: string[] = [];
  const draw = (name: string) => async () => {
    drawn.push(name);
    return Buffer.from(name.padEnd(size));
  };
  return { drawn, draw };
}

test('renders equal input once, also for parallel callers, and other input again', async () => {
  const { drawn, draw } = pencil();
  const lastDrawn = createRenderCache();
  const from = { id: 'inv_1', updatedAt: '2027-01-01', brand: { color: '#000000' } };
  const [one, two] = await Promise.all([lastDrawn(from, draw('a')), lastDrawn({ ...from }, draw('b'))]);
  expect(one).toBe(two);
  expect(await lastDrawn({ ...from, brand: { color: '#ffffff' } }, draw('c'))).not.toBe(one);
  expect(drawn).toEqual(['a', 'c']);
});

test.each([
  ['files', { files: 2 }, 10],
  ['bytes', { bytes: 20 }, 10],
] as const)('keeps at most the configured number of %s, the most recently used ones', async (_, most, size) => {
  const { drawn, draw } = pencil(size);
  const lastDrawn = createRenderCache(most);
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await lastDrawn(name, draw(name));
  expect(drawn).toEqual(['a', 'b', 'c', 'b']);
});

test('returns a file larger than the cache without keeping it', async () => {
  const { drawn, draw } = pencil(30);
  const lastDrawn = createRenderCache({ bytes: 20 });
  for (const _ of [1, 2]) expect((await lastDrawn('a', draw('a'))).length).toBe(30);
  expect(drawn).toEqual(['a', 'a']);
});

test('renders again after a failure', async () => {
  const { drawn, draw } = pencil();
  const lastDrawn = createRenderCache();
  await expect(lastDrawn('a', () => Promise.reject(new Error('no ink')))).rejects.toThrow('no ink');
  await lastDrawn('a', draw('a'));
  expect(drawn).toEqual(['a']);
});
