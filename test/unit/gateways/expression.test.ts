import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate, type Facts, parseExpression } from '#core/gateways';

const FACTS: Facts = {
  amount: 120.5,
  currency: 'USD',
  card: { brand: 'visa', bin: '411111', last4: '1111' },
  paymentMethod: 'card',
  type: 'sale',
  customer: { email: 'Ada@Shop.example' },
  metadata: { region: 'north', score: 7, vip: true, list: ['a'], nested: { a: 1 } },
};

function matches(text: string, facts: Facts = FACTS): boolean {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(`${parsed.fault.position}: ${parsed.fault.message}`);
  return evaluate(parsed.expression, facts).matched;
}

describe('a routing condition', () => {
  test.each([
    ['amount > 100', true],
    ['amount >= 120.5 and amount <= 120.5', true],
    ['amount == 120.50', true],
    ['100 < amount', true],
    ['amount < -1', false],
    ['currency == "usd"', true],
    ["card.brand == 'VISA'", true],
    ['card.last4 == "1111"', true],
    ['card.bin in ["411111", "400000"]', true],
    ['card.bin not in ["411111"]', false],
    ['customer.email == "ada@shop.example"', true],
    ['metadata.region == "North"', false],
    ['metadata.score > 6', true],
    ['metadata.score > "6"', false],
    ['metadata.vip', true],
    ['metadata.list', false],
    ['metadata.nested == "x"', false],
    ['not amount > 500', true],
    ['not (amount > 500 or type == "auth")', true],
    ['amount > 500 or type == "sale" and currency == "EUR"', false],
    ['(amount > 500 or type == "sale") and currency == "USD"', true],
    ['NOT amount > 500 AND True', true],
    ['card.brand == "vi\\"sa"', false],
    ['true', true],
    ['false or not false', true],
  ])('%s is %s', (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  test.each([
    ['card.brand == "visa"', false],
    ['card.brand != "visa"', true],
    ['card.bin in ["411111"]', false],
    ['card.bin not in ["411111"]', true],
    ['metadata.region == "north"', false],
    ['metadata.score < 3', false],
    ['metadata.vip', false],
    ['metadata.constructor', false],
    ['metadata.constructor == "x"', false],
    ['metadata.__proto__ != "x"', true],
    ['metadata.toString', false],
  ])('what is missing equals nothing: %s is %s', (text, expected) => {
    expect(matches(text, { amount: 1, currency: 'USD', paymentMethod: 'ach', type: 'sale' })).toBe(expected);
    expect(matches(text, { amount: 1, currency: 'USD', paymentMethod: 'ach', type: 'sale', metadata: {} })).toBe(expected);
  });

  test.each([
    ['', 0, 'empty'],
    ['   ', 0, 'empty'],
    ['amout > 5', 0, 'did you mean `amount`'],
    ['brand == "visa"', 0, 'did you mean `card.brand`'],
    ['amount > "5"', 9, 'is a number'],
    ['currency == 5', 12, 'in quotes'],
    ['currency > "A"', 9, 'is a text'],
    ['amount', 0, 'no condition by itself'],
    ['amount > 5 amount < 9', 11, 'does not belong here'],
    ['amount > 5 > 3', 11, 'not chained'],
    ['amount >', 8, 'too early'],
    ['(amount > 5', 11, 'parenthesis'],
    ['amount > 5)', 10, 'does not belong here'],
    ['card.brand == "visa', 14, 'no closing quote'],
    ['amount = 5', 7, 'write `==`'],
    ['amount > 5 && type == "sale"', 11, 'write `and`'],
    ['!metadata.vip', 0, 'write `not`'],
    ['card.brand in []', 15, 'empty'],
    ['card.brand in ["a", 5]', 20, 'of one type'],
    ['card.brand in "a"', 14, 'A list'],
    ['5 > 3', 4, 'must be a field'],
    ['amount == amount', 10, 'not with another field'],
    ['metadata == "x"', 0, 'Name one entry'],
    ['metadata.a.b == "x"', 0, 'Name one entry'],
    ['constructor == "x"', 0, 'is not a field'],
    ['__proto__ == "x"', 0, 'is not a field'],
    ['process.exit(1)', 0, 'is not a field'],
    ['amount.toString()', 0, 'is not a field'],
    ['amount > 5; amount > 6', 10, 'means nothing'],
    ['`amount`', 0, 'means nothing'],
    ['amount > 1e3', 10, 'does not belong here'],
    ['amount > 5 // comment', 11, 'means nothing'],
    [`${'('.repeat(40)}true${')'.repeat(40)}`, 32, 'nested'],
    ['a'.repeat(501), 500, 'at most 500'],
  ])('%s is refused at %i: %s', (text, position, words) => {
    const parsed = parseExpression(text);
    if (parsed.ok) throw new Error('it was taken');
    expect(parsed.fault.message).toContain(words);
    expect(parsed.fault.position).toBe(position);
  });

  test('it says which comparisons were looked at, and what they came to', () => {
    const parsed = parseExpression('amount > 500 or card.brand in ["visa"] or type == "auth"');
    if (!parsed.ok) throw new Error(parsed.fault.message);
    expect(evaluate(parsed.expression, FACTS).reasons).toEqual([
      { text: 'amount > 500', value: 120.5, result: false },
      { text: 'card.brand in ["visa"]', value: 'visa', result: true },
    ]);
  });
});

const PARTS = [
  'amount', 'currency', 'card.brand', 'metadata.x', 'metadata.__proto__', 'constructor', 'prototype', '__proto__', 'and', 'or', 'not', 'in',
  '==', '!=', '<', '>', '(', ')', '[', ']', ',', '"a"', "'b'", '5', '-1.5', 'true', 'this', 'globalThis', 'require("fs")', '`', ';', '=>', '\\', '\u0000', '😀',
]; // biome-ignore format: one list

/** Facts that tell what was asked of them, whatever the way. */
function watched(touched: Set<string>): Facts {
  const watch = (name: string, target: object): never =>
    new Proxy(target, {
      get: (of, key) => {
        touched.add(`${name}${String(key)}`);
        return Reflect.get(of, key);
      },
      getOwnPropertyDescriptor: (of, key) => Reflect.getOwnPropertyDescriptor(of, key),
      set: () => {
        throw new Error('nothing is written');
      },
      ownKeys: () => {
        throw new Error('nothing is listed');
      },
    }) as never;
  return watch('', {
    ...FACTS,
    card: watch('card.', FACTS.card ?? {}),
    customer: watch('customer.', FACTS.customer ?? {}),
    metadata: watch('metadata.', { x: 1 }),
  });
}

const ALLOWED = /^(amount|currency|paymentMethod|type|card|customer|metadata|card\.(brand|bin|last4)|customer\.email|metadata\.x)$/;

describe('whatever is typed', () => {
  test('either is understood or has its fault told at a place within it; nothing is thrown', () => {
    const typed = fc.oneof(
      fc.string({ maxLength: 600 }),
      fc.array(fc.constantFrom(...PARTS), { maxLength: 25 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const parsed = parseExpression(text);
        if (parsed.ok) return;
        expect(parsed.fault.position).toBeGreaterThanOrEqual(0);
        expect(parsed.fault.position).toBeLessThanOrEqual(text.length);
        expect(parsed.fault.message).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });

  test('nothing but the listed fields is ever reached, and no prototype is touched', () => {
    const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    const comparison = fc.oneof(
      fc.constantFrom(
        'amount > 5',
        'currency == "USD"',
        'card.brand in ["visa", "amex"]',
        'customer.email != "a"',
        'metadata.x == 1',
        'metadata.vip',
      ),
      fc.stringMatching(/^[A-Za-z_][\w-]{0,12}$/).map((name) => `metadata.${name} != "x"`),
      fc.constantFrom('metadata.constructor', 'metadata.__proto__', 'metadata.hasOwnProperty'),
    );
    const tree = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        comparison,
        fc.tuple(tie('node'), fc.constantFrom('and', 'or'), tie('node')).map(([left, word, right]) => `(${left} ${word} ${right})`),
        tie('node').map((inner) => `not ${inner}`),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (text) => {
        const parsed = parseExpression(text);
        if (!parsed.ok) return;
        const touched = new Set<string>();
        evaluate(parsed.expression, watched(touched));
        for (const name of touched) expect(name, text).toMatch(ALLOWED);
      }),
      { numRuns: 1_000 },
    );
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(prototype);
  });
});
