import { expect, test } from 'vitest';
import { createLastDrawn } from '#core/platform/documents';

function pencil(size = 10) {
  const drawn: string[] = [];
  const draw = (name: string) => async () => {
    drawn.push(name);
    return Buffer.from(name.padEnd(size));
  };
  return { drawn, draw };
}

test('the same things are drawn once, also when they are asked for at once, and another thing anew', async () => {
  const { drawn, draw } = pencil();
  const lastDrawn = createLastDrawn();
  const from = { id: 'inv_1', updatedAt: '2027-01-01', brand: { color: '#000000' } };
  const [one, two] = await Promise.all([lastDrawn(from, draw('a')), lastDrawn({ ...from }, draw('b'))]);
  expect(one).toBe(two);
  expect(await lastDrawn({ ...from, brand: { color: '#ffffff' } }, draw('c'))).not.toBe(one);
  expect(drawn).toEqual(['a', 'c']);
});

test.each([
  ['files', { files: 2 }, 10],
  ['bytes', { bytes: 20 }, 10],
] as const)('no more %s are kept than said, and those asked for last stay', async (_, most, size) => {
  const { drawn, draw } = pencil(size);
  const lastDrawn = createLastDrawn(most);
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await lastDrawn(name, draw(name));
  expect(drawn).toEqual(['a', 'b', 'c', 'b']);
});

test('a file that is larger than all that is kept is handed out and not kept', async () => {
  const { drawn, draw } = pencil(30);
  const lastDrawn = createLastDrawn({ bytes: 20 });
  for (const _ of [1, 2]) expect((await lastDrawn('a', draw('a'))).length).toBe(30);
  expect(drawn).toEqual(['a', 'a']);
});

test('a drawing that failed is tried again', async () => {
  const { drawn, draw } = pencil();
  const lastDrawn = createLastDrawn();
  await expect(lastDrawn('a', () => Promise.reject(new Error('no ink')))).rejects.toThrow('no ink');
  await lastDrawn('a', draw('a'));
  expect(drawn).toEqual(['a']);
});
