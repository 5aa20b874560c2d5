import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { CARD_ENTRY, CARD_ENTRY_SCRIPT, type CardEntry } from '../../../server/pages/card-entry.ts';

/** The module on the server, and the one in the browser. */
const BOTH: [string, CardEntry][] = [
  ['server', CARD_ENTRY],
  ['browser', runInNewContext(`${CARD_ENTRY_SCRIPT}; cardEntry`) as CardEntry],
];

test.each(BOTH)('recognizes a card number by its length and check digit (%s)', (_, { isCardNumber }) => {
  for (const right of ['4111111111111111', '378282246310005', '6011111111111117', '6304000000000000'])
    expect(isCardNumber(right)).toBe(true);
  for (const wrong of ['', '4111111111111112', '41111111111', '4111 1111 1111 1111', '4222222222222', '0'.repeat(20), 'x'.repeat(16)])
    expect(isCardNumber(wrong)).toBe(false);
});

test.each(BOTH)('groups a number by its brand (%s)', (_, { brandOf, groupsOf }) => {
  expect(groupsOf('41111111111111119999')).toBe('4111 1111 1111 1111 999');
  expect(groupsOf('378282246310005')).toBe('3782 822463 10005');
  expect(groupsOf('3782 82')).toBe('3782 82');
  expect(groupsOf('no digits')).toBe('');
  const brands = ['4', '51', '2221', '2720', '34', '6011', '650', '9', ''].map((digits) => brandOf(digits)?.code ?? null);
  expect(brands).toEqual(['visa', 'mastercard', 'mastercard', 'mastercard', 'amex', 'discover', 'discover', null, null]);
});

test.each(BOTH)('formats an expiry date while typing, and reads common spellings (%s)', (_, { expiryAsTyped, expiryOf }) => {
  for (const [typed, shown] of [
    ['1', '1'],
    ['8', '08/'],
    ['13', '01/3'],
    ['12', '12/'],
    ['122039', '12/39'],
    ['0829', '08/29'],
    ['1/31', '01/31'],
    ['2031-12', '12/31'],
    ['203112', '12/31'],
  ] as const)
    expect(expiryAsTyped(typed)).toBe(shown);
  const byKey = (keys: string) => [...keys].reduce((text, key) => expiryAsTyped(text + key), '');
  for (const [keys, shown] of [
    ['1/27', '01/27'],
    ['1/29', '01/29'],
    ['01/29', '01/29'],
    ['1229', '12/29'],
    ['12/29', '12/29'],
    ['12/2029', '12/29'],
    ['8/29', '08/29'],
    ['0127', '01/27'],
  ] as const)
    expect(byKey(keys)).toBe(shown);
  for (const text of ['08/29', '8/29', '0829', '829', '08 / 2029', '08-29', '082029', '2029-08', '2029/8', '202908', '２０２９-０８'])
    expect({ ...expiryOf(text) }).toEqual({ month: '08', year: '2029' });
  for (const text of ['', '13/29', '00/29', '08/2', '8', '08/029', '2029', '2029-13', '127']) expect(expiryOf(text)).toBeNull();
});

test.each(BOTH)('keeps the caret after the same digit (%s)', (_, { rewrite }) => {
  const field = (value: string, at: number) => {
    const ownerDocument = { activeElement: null as unknown };
    const made = {
      value,
      selectionStart: at,
      ownerDocument,
      at: -1,
      setSelectionRange: (to: number) => {
        made.at = to;
      },
    };
    ownerDocument.activeElement = made;
    return made;
  };
  const [middle, end, elsewhere] = [field('41112', 2), field('41112', 5), field('41112', 5)];
  elsewhere.ownerDocument.activeElement = null;
  for (const each of [middle, end, elsewhere]) rewrite(each, '4111 2');
  expect([middle, end, elsewhere].map(({ value, at }) => [value, at])).toEqual([
    ['4111 2', 2],
    ['4111 2', 6],
    ['4111 2', -1],
  ]);
});
