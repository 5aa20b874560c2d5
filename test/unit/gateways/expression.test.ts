import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate, parseExpression, type RoutingAttributes } from '#core/processing/gateways';
import type { Expression } from '../../../core/processing/gateways/routing/expression.ts';

const FACTS: RoutingAttributes = {
  amount: 120.5,
  currency: 'USD',
  card: { brand: 'visa', bin: '411111', last4: '1111' },
  paymentMethod: 'card',
  type: 'sale',
  customer: { email: 'Ada@Shop.example' },
  metadata: { region: 'north', score: 7, vip: true, list: ['a'], nested: { a: 1 } },
};

function understood(text: string): Expression {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(`${text} at ${parsed.fault.position}: ${parsed.fault.message}`);
  return parsed.expression;
}

const matches = (text: string, facts: RoutingAttributes = FACTS) => evaluate(understood(text), facts).matched;

const times = (count: number, part: string) => part.repeat(count);
const listOf = (count: number) => `amount in [${Array.from({ length: count }, () => 1).join(',')}]`;

describe('a routing condition', () => {
  test.each([
    ...['amount > 100', 'amount >= 120.5 and amount <= 120.5', 'amount == 120.50', '100 < amount', 'currency == "usd"'],
    ...["card.brand == 'VISA'", 'card.last4 == "1111"', 'card.bin in ["411111", "400000"]'],
    ...['customer.email == "ada@shop.example"', 'metadata.score > 6', 'metadata.vip', 'not amount > 500'],
    ...['not (amount > 500 or type == "auth")', '(amount > 500 or type == "sale") and currency == "USD"'],
    ...['NOT amount > 500 AND True', 'true', 'false or not false', 'true or true and false', 'false and false or true'],
    ...['not true or true', 'not not true', 'not card.brand in ["amex"]', 'metadata.score in [1, 7]', 'metadata.score != "7"'],
    ...['metadata.region >= "n"', 'metadata.vip == true'],
  ])('matches %s', (text) => {
    expect(matches(text)).toBe(true);
  });

  test.each([
    ...['amount < -1', 'card.bin not in ["411111"]', 'metadata.region == "North"', 'metadata.score > "6"', 'metadata.list'],
    ...['metadata.nested == "x"', 'amount > 500 or type == "sale" and currency == "EUR"', 'card.brand == "vi\\"sa"'],
    ...['not false and false', 'card.brand NOT IN ["amex", "VISA"]', 'metadata.score == "7"', "card.bin == '41\"111'"],
  ])('does not match %s', (text) => {
    expect(matches(text)).toBe(false);
  });

  test.each([
    ...['card.brand == "visa"', 'card.bin in ["411111"]', 'metadata.region == "north"', 'metadata.score < 3', 'metadata.vip'],
    ...['metadata.constructor', 'metadata.constructor == "x"', 'metadata.__proto__', 'metadata.toString', 'customer.email == ""'],
    ...['not card.brand != "visa"', 'not card.bin not in ["411111"]', 'not metadata.__proto__ != "x"', 'not metadata.score != 3'],
  ])('never matches a missing value: %s', (text) => {
    const without: RoutingAttributes = { amount: 1, currency: 'USD', paymentMethod: 'ach', type: 'sale' };
    for (const facts of [without, { ...without, card: {}, customer: {}, metadata: {} }]) expect(matches(text, facts)).toBe(false);
  });

  test.each([
    ['', 0, 'empty'],
    ['   ', 0, 'empty'],
    ['amout > 5', 0, 'did you mean `amount`'],
    ['brand == "visa"', 0, 'did you mean `card.brand`'],
    ['amount > "5"', 9, 'is a number'],
    ['currency == 5', 12, 'in quotes'],
    ['currency > "A"', 9, 'is a text'],
    ['amount', 0, 'is not a condition'],
    ['amount > 5 amount < 9', 11, 'does not belong here'],
    ['amount > 5 > 3', 11, 'be chained'],
    ['amount >', 8, 'too early'],
    ['(amount > 5', 11, 'parenthesis'],
    ['amount > 5)', 10, 'does not belong here'],
    ['card.brand == "visa', 14, 'no closing quote'],
    ['amount = 5', 7, 'use `==`'],
    ['amount > 5 && type == "sale"', 11, 'use `and`'],
    ['!metadata.vip', 0, 'use `not`'],
    ['card.brand in []', 15, 'empty'],
    ['card.brand in ["a", 5]', 20, 'the same type'],
    ['card.brand in "a"', 14, 'A list'],
    ['5 > 3', 4, 'must be a field'],
    ['amount == amount', 10, 'not with another field'],
    ['metadata == "x"', 0, 'Name one entry'],
    ['metadata.a.b == "x"', 0, 'Name one entry'],
    ['constructor == "x"', 0, 'is not a field'],
    ['__proto__ == "x"', 0, 'is not a field'],
    ['process.exit(1)', 0, 'is not a field'],
    ['amount.toString()', 0, 'is not a field'],
    ['amount > 5; amount > 6', 10, 'is not allowed here'],
    ['`amount`', 0, 'is not allowed here'],
    ['amount > 1e3', 10, 'does not belong here'],
    ['amount > 5 // comment', 11, 'is not allowed here'],
    ['card.brand == "a\\', 14, 'no closing quote'],
    ['card.brand == "a\\n"', 16, 'backslash'],
    ['amount in ["5"]', 11, 'is a number'],
    ['currency not in [5]', 17, 'in quotes'],
    ['type in ["sale" "auth"]', 16, 'comma'],
    ['type in ["sale", type]', 17, 'not fields'],
    ['type in ["sale",]', 16, 'expected here'],
    ['metadata.x in ["a", true]', 20, 'the same type'],
    ['"a" in ["a"]', 0, 'Only a field'],
    ['currency', 0, 'is not a condition'],
    ['"visa"', 0, 'compare a field'],
    ['amount > 5 and', 14, 'too early'],
    ['not', 3, 'too early'],
    [`${times(33, '(')}true${times(33, ')')}`, 32, 'nested'],
    [`${times(33, 'not ')}true`, 128, 'nested'],
    [listOf(51), 111, 'at most 50'],
    [times(501, 'a'), 500, 'at most 500'],
  ])('refuses %s at position %i: %s', (text, position, words) => {
    const parsed = parseExpression(text);
    if (parsed.ok) throw new Error('it was taken');
    expect(parsed.fault.message).toContain(words);
    expect(parsed.fault.position).toBe(position);
    expect(parsed.fault.position + parsed.fault.length).toBeLessThanOrEqual(text.length);
  });

  test.each([
    ...[`${times(32, '(')}true${times(32, ')')}`, `${times(32, 'not ')}true`, listOf(50)],
    ...['true'.padEnd(500), `${times(62, 'true or ')}true`, `${times(40, '(true) or ')}true`],
  ])('accepts input at its limits: %s', (text) => {
    expect(matches(text, { ...FACTS, amount: 1 })).toBe(true);
  });

  test('returns the position of every part', () => {
    expect(understood(' (amount > 5 or true) and NOT metadata.a')).toMatchObject({
      kind: 'and',
      position: 2,
      left: { kind: 'or', position: 2, left: { position: 2 }, right: { position: 16 } },
      right: { kind: 'not', position: 26, operand: { kind: 'truth', position: 30 } },
    });
    expect(parseExpression('true 😀')).toEqual({ ok: false, fault: { position: 5, length: 2, message: '`😀` is not allowed here.' } });
  });

  test('reports the evaluated comparisons with their results', () => {
    expect(evaluate(understood('amount > 500 or card.brand in ["visa"] or type == "auth"'), FACTS).reasons).toEqual([
      { text: 'amount > 500', value: 120.5, result: false },
      { text: 'card.brand in ["visa"]', value: 'visa', result: true },
    ]);
    expect(evaluate(understood('not metadata.none  ==  1 and metadata.nested and metadata.vip'), FACTS).reasons).toEqual([
      { text: 'metadata.none  ==  1', value: null, result: false },
      { text: 'metadata.nested', value: null, result: false },
    ]);
  });

  test('reads only own metadata entries, of any name', () => {
    const metadata = JSON.parse('{"__proto__": "a", "constructor": true, "and": 1, "9-x_Y": "z"}') as Record<string, unknown>;
    const text = 'metadata.__proto__ == "a" and metadata.constructor and metadata.and == 1 and metadata.9-x_Y == "z"';
    expect(matches(text, { ...FACTS, metadata })).toBe(true);
    expect(matches('metadata.a', { ...FACTS, metadata: Object.create({ a: true }) as Record<string, unknown> })).toBe(false);
  });
});

const always = <One>(one: fc.Arbitrary<One>, holds: (one: One) => void, numRuns = 1_000) => fc.assert(fc.property(one, holds), { numRuns });

/** Words and signs of this language and of others in random order. */
const PARTS = [
  ...'amount currency card.brand metadata.x metadata.__proto__ constructor prototype __proto__ and or not in true this'.split(' '),
  ...'== != < > ( ) [ ] , "a" \'b\' 5 -1.5 globalThis require("fs") ` ; => \\ \u0000 😀'.split(' '),
];

/** Returns routing attributes that record every access, however it is made. */
function watched(touched: Set<string>): RoutingAttributes {
  const refuse = () => {
    throw new Error('nothing is written or listed');
  };
  const watch = (name: string, target: object): never =>
    new Proxy(target, {
      get: (target, key) => {
        touched.add(`${name}${String(key)}`);
        return Reflect.get(target, key);
      },
      ...{ set: refuse, ownKeys: refuse, getPrototypeOf: refuse },
    }) as never;
  return watch('', {
    ...FACTS,
    card: watch('card.', FACTS.card ?? {}),
    customer: watch('customer.', FACTS.customer ?? {}),
    metadata: watch('metadata.', { x: 1 }),
  });
}

const ALLOWED = /^(amount|currency|paymentMethod|type|card|customer|metadata|card\.(brand|bin|last4)|customer\.email|metadata\.x)$/;

/** Conditions and their connectives; a single condition is its text. */
type Tree = string | readonly ['not', Tree] | readonly ['and' | 'or', Tree, Tree];

function treeOf(expression: Expression): Tree {
  if ('text' in expression) return expression.text;
  return expression.kind === 'not'
    ? ['not', treeOf(expression.operand)]
    : [expression.kind, treeOf(expression.left), treeOf(expression.right)];
}

const TIGHTNESS = { or: 1, and: 2, not: 3 } as const;

/** Prints a tree with the minimal parentheses, so that parsing it depends on the precedence. */
function print(tree: Tree, least = 1): string {
  if (typeof tree === 'string') return tree;
  if (tree[0] === 'not') return `NOT ${print(tree[1], TIGHTNESS.not)}`;
  const [connective, left, right] = tree;
  const text = `${print(left, TIGHTNESS[connective])} ${connective} ${print(right, TIGHTNESS[connective] + 1)}`;
  return TIGHTNESS[connective] < least ? `(${text})` : text;
}

/** Evaluates a tree by the meaning of its words alone. */
function outcome(tree: Tree): boolean {
  if (typeof tree === 'string') return matches(tree);
  if (tree[0] === 'not') return !outcome(tree[1]);
  return tree[0] === 'and' ? outcome(tree[1]) && outcome(tree[2]) : outcome(tree[1]) || outcome(tree[2]);
}

const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((hundredths) => hundredths / 100);
const text = fc.oneof(fc.constantFrom('visa', 'USD', 'sale', "it's"), fc.string({ maxLength: 6 })).map(quoted);
const textField = fc.constantFrom('currency', 'card.brand', 'card.bin', 'card.last4', 'paymentMethod', 'type', 'customer.email');
const entry = fc
  .oneof(fc.constantFrom('x', '__proto__', 'constructor', 'toString', 'hasOwnProperty'), fc.stringMatching(/^[\w-]{1,8}$/))
  .map((name) => `metadata.${name}`);
const order = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
const list = (value: fc.Arbitrary<string>) => fc.array(value, { minLength: 1, maxLength: 3 }).map((values) => `[${values.join(', ')}]`);
const membership = fc.constantFrom('in', 'not in', 'NOT  IN');
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((written) => written.join(' '));
const condition = fc.oneof(
  joined(fc.constant('amount'), order, amount.map(String)),
  joined(amount.map(String), order, fc.oneof(fc.constant('amount'), entry)),
  joined(textField, fc.constantFrom('==', '!='), text),
  joined(entry, order, fc.oneof(amount.map(String), text, fc.constantFrom('true', 'FALSE'))),
  joined(fc.oneof(fc.constant('amount'), entry), membership, list(amount.map(String))),
  joined(fc.oneof(textField, entry), membership, list(text)),
  fc.oneof(fc.constantFrom('true', 'false'), entry),
);
const tree = fc
  .letrec<{ node: Tree }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      condition,
      fc.tuple(fc.constantFrom('and' as const, 'or' as const), tie('node'), tie('node')),
      fc.tuple(fc.constant('not' as const), tie('node')),
    ),
  }))
  .node.filter((node) => print(node).length <= 500);

describe('a valid expression', () => {
  test('parses its own output to an equal condition with the same result', () => {
    always(tree, (node) => {
      const expression = understood(print(node));
      expect(treeOf(expression)).toEqual(node);
      expect(evaluate(expression, FACTS).matched).toBe(outcome(node));
    });
  });

  test('matches any text and amount as written', () => {
    always(fc.tuple(fc.string({ unit: 'binary', maxLength: 40 }), amount), ([value, sum]) => {
      const written = `metadata.x == ${quoted(value)} and amount == ${sum}`;
      expect(matches(written, { ...FACTS, amount: sum, metadata: { x: value } })).toBe(true);
    });
  });

  test('reaches nothing but the listed fields, and touches no prototype', () => {
    const prototypes = () => [Object, Array, String, Function].map(({ prototype }) => Object.getOwnPropertyNames(prototype));
    const before = prototypes();
    always(tree, (node) => {
      const touched = new Set<string>();
      evaluate(understood(print(node)), watched(touched));
      for (const name of touched) expect(name, print(node)).toMatch(ALLOWED);
    });
    expect(prototypes()).toEqual(before);
  });
});

describe('arbitrary input', () => {
  test('parses any input or reports a fault at a position within it', () => {
    const typed = fc.oneof(
      fc.string({ maxLength: 600 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom(...PARTS), { maxLength: 25 }).map((parts) => parts.join(' ')),
      fc
        .tuple(
          tree.map((node) => print(node)),
          fc.nat(500),
          fc.string({ maxLength: 2 }),
        )
        .map(([whole, at, odd]) => whole.slice(0, at) + odd + whole.slice(at + 1)),
    );
    const parsedOrFaulty = (input: string) => {
      const parsed = parseExpression(input);
      if (parsed.ok) return;
      const { position, length, message } = parsed.fault;
      expect(Math.min(position, length)).toBeGreaterThanOrEqual(0);
      expect(position + length).toBeLessThanOrEqual(input.length);
      expect(message !== '' && (message.isWellFormed() || !input.isWellFormed())).toBe(true);
    };
    always(typed, parsedOrFaulty, 3_000);
  });

  test.each([
    ...['constructor', '__proto__', 'prototype', 'this', 'globalThis', 'process.exit(1)', 'require("fs")', 'amount.toString()'],
    ...['card["brand"]', 'card.brand.length', 'metadata["a"]', 'metadata.a.b', 'metadata.a()', '`a`', '${', '{}', '/a/'],
    ...['// a', '/* a */', '# a', '; true', 'amount = 5', 'amount += 5', 'x => x', 'amount + 1', 'true ? true : true', 'new Date()'],
  ])('refuses %s in every position', (alien) => {
    for (const text of [alien, `${alien} and true`, `true and ${alien}`, `true ${alien}`, `amount > ${alien}`, `type in [${alien}]`])
      expect(parseExpression(text).ok, text).toBe(false);
  });
});
