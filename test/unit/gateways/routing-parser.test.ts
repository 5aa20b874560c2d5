import { describe, expect, test } from 'vitest';
import { type Expression, parseExpression } from '../../../core/processing/gateways/routing/expression.ts';
import { tokensOf } from '../../../core/processing/gateways/routing/lexer.ts';

function parsed(text: string): Expression {
  const result = parseExpression(text);
  if (!result.ok) throw new Error(`${text} at ${result.fault.position}: ${result.fault.message}`);
  return result.expression;
}
function faultOf(text: string) {
  const result = parseExpression(text);
  if (result.ok) throw new Error(`${text} was accepted`);
  return result.fault;
}
const times = (count: number, part: string) => part.repeat(count);
const listOf = (count: number) => `amount in [${Array.from({ length: count }, () => 1).join(',')}]`;

describe('the tokens of a routing condition', () => {
  test('returns words, numbers, strings and signs with their position', () => {
    expect(tokensOf(` amount>=-1.50 and\tcard.brand in ['a"b', "c\\"\\\\d"]`)).toEqual([
      { kind: 'word', text: 'amount', position: 1, length: 6 },
      { kind: 'sign', text: '>=', position: 7, length: 2 },
      { kind: 'number', text: '-1.50', position: 9, length: 5 },
      { kind: 'word', text: 'and', position: 15, length: 3 },
      { kind: 'word', text: 'card.brand', position: 19, length: 10 },
      { kind: 'word', text: 'in', position: 30, length: 2 },
      { kind: 'sign', text: '[', position: 33, length: 1 },
      { kind: 'string', text: 'a"b', position: 34, length: 5 },
      { kind: 'sign', text: ',', position: 39, length: 1 },
      { kind: 'string', text: 'c"\\d', position: 41, length: 8 },
      { kind: 'sign', text: ']', position: 49, length: 1 },
      { kind: 'end', text: '', position: 50, length: 0 },
    ]);
  });

  test.each(['==', '!=', '<=', '>=', '<', '>', '(', ')', '[', ']', ','])('recognizes the sign %s', (sign) => {
    expect(tokensOf(sign)[0]).toEqual({ kind: 'sign', text: sign, position: 0, length: sign.length });
  });

  test.each(['a', '_a', 'a1_-b', 'metadata.9-x_Y', 'a.b.c'])('recognizes the word %s', (word) => {
    expect(tokensOf(word).map(({ text }) => text)).toEqual([word, '']);
  });

  test.each([
    ['5', ['5', '']],
    ['-12.75', ['-12.75', '']],
    ['12.75', ['12.75', '']],
    ['1e3', ['1', 'e3', '']],
    ["''", ['', '']],
  ])('splits %s into %o', (text, expected) => {
    expect(tokensOf(text).map((token) => token.text)).toEqual(expected);
  });
});

describe('a routing condition', () => {
  test('returns its parts with their text and position', () => {
    expect(parsed(' (amount > 5 or true) and NOT metadata.a')).toEqual({
      kind: 'and',
      position: 2,
      left: {
        kind: 'or',
        position: 2,
        left: { kind: 'compare', field: { name: 'amount' }, operator: '>', value: 5, position: 2, text: 'amount > 5' },
        right: { kind: 'truth', operand: true, position: 16, text: 'true' },
      },
      right: { kind: 'not', position: 26, operand: { kind: 'truth', operand: { metadata: 'a' }, position: 30, text: 'metadata.a' } },
    });
  });

  test('returns the values of a list and whether it is negated', () => {
    expect(parsed('card.brand in ["visa", "amex"]')).toEqual({
      kind: 'in',
      field: { name: 'card.brand' },
      negated: false,
      values: ['visa', 'amex'],
      position: 0,
      text: 'card.brand in ["visa", "amex"]',
    });
    expect(parsed('type not in ["sale"]')).toMatchObject({ kind: 'in', negated: true, values: ['sale'], text: 'type not in ["sale"]' });
  });

  test.each([
    ['5 < amount', '>'],
    ['5 <= amount', '>='],
    ['5 > amount', '<'],
    ['5 >= amount', '<='],
    ['5 == amount', '=='],
    ['5 != amount', '!='],
  ])('%s compares the field with %s', (text, operator) => {
    expect(parsed(text)).toEqual({ kind: 'compare', field: { name: 'amount' }, operator, value: 5, position: 0, text });
  });

  test('gives not precedence over and, and and precedence over or', () => {
    expect(parsed('true or false and not true or false')).toMatchObject({
      kind: 'or',
      left: { kind: 'or', left: { operand: true }, right: { kind: 'and', left: { operand: false }, right: { kind: 'not' } } },
      right: { operand: false },
    });
    expect(parsed('not true and false')).toMatchObject({
      kind: 'and',
      left: { kind: 'not', operand: { operand: true } },
      right: { operand: false },
    });
    expect(parsed('true and false and true')).toMatchObject({ kind: 'and', left: { kind: 'and' }, right: { operand: true } });
  });

  test.each(['True', 'FALSE', 'true AND false', 'true Or false', 'NOT true', 'type Not In ["a"]', 'type IN ["a"]'])(
    'accepts %s in any case',
    (text) => {
      expect(parseExpression(text).ok).toBe(true);
    },
  );

  test.each(['amount', 'currency', 'card.brand', 'card.bin', 'card.last4', 'paymentMethod', 'type', 'customer.email'])(
    'accepts the field %s with a value of its type',
    (name) => {
      const [own, other] = name === 'amount' ? ['5', '"5"'] : ['"5"', '5'];
      expect(parsed(`${name} == ${own}`)).toMatchObject({ field: { name } });
      expect(parseExpression(`${name} == ${other}`).ok).toBe(false);
      expect(parsed(`${name} in [${own}]`)).toMatchObject({ field: { name } });
      expect(parseExpression(`${name} in [${other}]`).ok).toBe(false);
    },
  );

  test.each(['metadata.a == 1', 'metadata.a > "x"', 'metadata.a == true', 'metadata.a in ["x"]', 'metadata.and == 1', 'metadata.true'])(
    'accepts a metadata entry of any type: %s',
    (text) => {
      expect(parseExpression(text).ok).toBe(true);
    },
  );
});

describe('a fault in a routing condition', () => {
  test.each([
    ['', 0, 0, 'The condition is empty.'],
    ['  ', 0, 0, 'The condition is empty.'],
    ['amount > 5 amount < 9', 11, 6, '`amount` does not belong here'],
    ['amount > 5)', 10, 1, '`)` does not belong here'],
    ["true 'a\\'b'", 5, 6, "`'a\\'b'` does not belong here"],
    ['(amount > 5', 11, 0, 'closing parenthesis'],
    ['amount', 0, 6, 'is not a condition'],
    ['amount not', 0, 6, 'is not a condition'],
    ['metadata.a not 5', 11, 3, 'does not belong here'],
    ['currency', 0, 8, 'is not a condition'],
    ['5', 0, 1, 'compare a field with a value'],
    ['"visa"', 0, 6, 'compare a field with a value'],
    ['amount > 5 > 3', 11, 1, 'be chained'],
    ['amount "<" 5', 0, 6, 'is not a condition'],
    ['amount > 5 "<"', 11, 3, 'does not belong here'],
    ['true "and" true', 5, 5, 'does not belong here'],
    ['amount in "[" 5]', 10, 3, 'A list'],
    ['5 > 3', 4, 1, 'One side must be a field'],
    ['amount == amount', 10, 6, 'not with another field'],
    ['amount > "5"', 9, 3, 'is a number'],
    ['"5" < amount', 0, 3, 'is a number'],
    ['currency == 5', 12, 1, 'in quotes'],
    ['currency == true', 12, 4, 'in quotes'],
    ['currency > "A"', 9, 1, 'is a text'],
    ['currency <= "A"', 9, 2, 'is a text'],
    ['"A" < currency', 4, 1, 'is a text'],
    ['"a" in ["a"]', 0, 3, 'Only a field'],
    ['card.brand in "a"', 14, 3, 'A list'],
    ['card.brand in []', 15, 1, 'The list is empty'],
    ['card.brand in ["a", 5]', 20, 1, 'the same type'],
    ['card.brand in ["a" "b"]', 19, 3, 'A comma'],
    ['card.brand in ["a", type]', 20, 4, 'values, not fields'],
    ['card.brand in ["a",]', 19, 1, 'not `]`'],
    ['card.brand in ["a"', 18, 0, 'A comma'],
    ['card.brand in', 13, 0, 'A list'],
    ['amount >', 8, 0, 'ends too early'],
    ['amount > )', 9, 1, 'expected here, not `)`'],
    ['not', 3, 0, 'ends too early'],
    ['metadata == "x"', 0, 8, 'Name one entry'],
    ['metadata.a.b == "x"', 0, 12, 'Name one entry'],
    ['amout > 5', 0, 5, 'did you mean `amount`'],
    ['AMOUNT > 5', 0, 6, 'did you mean `amount`'],
    ['brand == "visa"', 0, 5, 'did you mean `card.brand`'],
    ['email == "a"', 0, 5, 'did you mean `customer.email`'],
    ['crrncy == "a"', 0, 6, 'did you mean `currency`'],
    ['crrncyx == "a"', 0, 7, 'The fields are: amount, currency, card.brand'],
    ['typ == "a"', 0, 3, 'did you mean `type`'],
    ['tepy == "a"', 0, 4, 'did you mean `type`'],
    ['xxtypo == "a"', 0, 6, 'The fields are: amount'],
    ['xtypes == "a"', 0, 6, 'did you mean `type`'],
    ['constructor == "x"', 0, 11, '`constructor` is not a field. The fields are: '],
    ['processor == "x"', 0, 9, 'metadata.*.'],
    ['amount = 5', 7, 1, 'use `==`'],
    ['amount > 5 & true', 11, 1, 'use `and`'],
    ['amount > 5 | true', 11, 1, 'use `or`'],
    ['!metadata.vip', 0, 1, 'use `not`'],
    ['true 😀', 5, 2, '`😀` is not allowed here.'],
    ['card.brand == "visa', 14, 5, 'no closing quote'],
    ['card.brand == "a\\', 14, 3, 'no closing quote'],
    ['card.brand == "a\\n"', 16, 2, 'A backslash'],
    ["card.brand == 'a\\\"'", 16, 2, 'A backslash'],
    [`${times(33, '(')}true${times(33, ')')}`, 32, 1, 'nested at most 32'],
    [`${times(33, 'not ')}true`, 128, 3, 'nested at most 32'],
    [listOf(51), 111, 1, 'at most 50 values'],
    [times(501, 'a'), 500, 1, 'at most 500 characters'],
    [times(600, 'a'), 500, 100, 'at most 500 characters'],
  ])('reports %s at position %i over %i characters: %s', (text, position, length, words) => {
    const fault = faultOf(text);
    expect(fault).toMatchObject({ position, length });
    expect(fault.message).toContain(words);
  });

  test('names a long unknown field by its first 40 characters', () => {
    expect(faultOf(`${times(60, 'q')} == 1`).message).toContain(`\`${times(40, 'q')}\` is not a field`);
  });
});

describe('the limits of a routing condition', () => {
  test.each([
    ['32 nested parentheses', `${times(32, '(')}true${times(32, ')')}`],
    ['32 nested negations', `${times(32, 'not ')}true`],
    ['50 values', listOf(50)],
    ['500 characters', 'true'.padEnd(500)],
    ['any number of parentheses side by side', `${times(40, '(true) or ')}true`],
  ])('accepts %s', (_, text) => {
    expect(parseExpression(text).ok).toBe(true);
  });
});
