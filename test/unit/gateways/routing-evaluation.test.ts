import { describe, expect, test } from 'vitest';
import { evaluate, type RoutingAttributes } from '../../../core/processing/gateways/routing/evaluate.ts';
import { type Expression, parseExpression } from '../../../core/processing/gateways/routing/expression.ts';

const FACTS: RoutingAttributes = {
  amount: 120.5,
  currency: 'USD',
  card: { brand: 'visa', bin: '411111', last4: '1111' },
  paymentMethod: 'card',
  type: 'sale',
  customer: { email: 'Ada@Shop.example' },
  metadata: { region: 'north', score: 7, vip: true, blocked: false, list: ['a'], nothing: null },
};
const WITHOUT: RoutingAttributes = { amount: 1, currency: 'USD', paymentMethod: 'ach', type: 'sale' };

function parsed(text: string): Expression {
  const result = parseExpression(text);
  if (!result.ok) throw new Error(result.fault.message);
  return result.expression;
}
const matches = (text: string, facts: RoutingAttributes = FACTS) => evaluate(parsed(text), facts).matched;

describe('a routing condition on one field', () => {
  test.each([
    ['amount == 120.5', 'amount == 120.51'],
    ['amount != 120.51', 'amount != 120.5'],
    ['amount < 120.51', 'amount < 120.5'],
    ['amount <= 120.5', 'amount <= 120.49'],
    ['amount > 120.49', 'amount > 120.5'],
    ['amount >= 120.5', 'amount >= 120.51'],
    ['120.51 > amount', '120.5 > amount'],
    ['120.5 >= amount', '120.49 >= amount'],
    ['120.49 < amount', '120.5 < amount'],
    ['120.5 <= amount', '120.51 <= amount'],
    ['120.5 == amount', '120.51 == amount'],
    ['120.51 != amount', '120.5 != amount'],
    ['currency == "usd"', 'currency == "EUR"'],
    ['currency != "EUR"', 'currency != "usd"'],
    ['card.brand == "VISA"', 'card.brand == "amex"'],
    ['card.bin == "411111"', 'card.bin == "411112"'],
    ['card.last4 == "1111"', 'card.last4 == "1112"'],
    ['paymentMethod == "CARD"', 'paymentMethod == "ach"'],
    ['type == "SALE"', 'type == "auth"'],
    ['customer.email == "ada@shop.example"', 'customer.email == "ada@shop.test"'],
    ['metadata.region == "north"', 'metadata.region == "North"'],
    ['metadata.score == 7', 'metadata.score == "7"'],
    ['metadata.score > 6', 'metadata.score > "6"'],
    ['metadata.region >= "n"', 'metadata.region > "o"'],
    ['metadata.vip', 'metadata.blocked'],
    ['not metadata.blocked', 'not metadata.vip'],
    ['metadata.vip == true', 'metadata.vip == false'],
    ['card.brand in ["amex", "VISA"]', 'card.brand in ["amex"]'],
    ['card.brand not in ["amex"]', 'card.brand not in ["amex", "VISA"]'],
    ['metadata.score in [1, 7]', 'metadata.score in [1, 8]'],
    ['true', 'false'],
  ])('matches %s and does not match %s', (matching, other) => {
    expect([matches(matching), matches(other)]).toEqual([true, false]);
  });
});

describe('joined routing conditions', () => {
  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('combines %s and %s logically', (left, right) => {
    expect(matches(`${left} and ${right}`)).toBe(left && right);
    expect(matches(`${left} or ${right}`)).toBe(left || right);
    expect(matches(`not ${left} or ${right}`)).toBe(!left || right);
    expect(matches(`not (${left} or ${right})`)).toBe(!(left || right));
    expect(matches(`${left} or ${right} and false`)).toBe(left);
  });
});

describe('the comparison of texts', () => {
  test('ignores the case of names, but not of card digits', () => {
    const facts = { ...FACTS, card: { brand: 'Visa', bin: '41111A' } };
    expect(matches('card.brand == "vISA"', facts)).toBe(true);
    expect(matches('card.bin == "41111A"', facts)).toBe(true);
    expect(matches('card.bin == "41111a"', facts)).toBe(false);
  });
});

describe('a missing field', () => {
  test('differs from every text', () => {
    expect(matches('card.brand == "undefined"', WITHOUT)).toBe(false);
    expect(matches('card.brand in ["undefined"]', WITHOUT)).toBe(false);
    expect(matches('card.brand != "undefined"', WITHOUT)).toBe(true);
    expect(matches('card.last4 == "1111"', WITHOUT)).toBe(false);
  });

  test.each([
    'card.brand == "visa"',
    'card.bin in ["411111"]',
    'customer.email == ""',
    'metadata.score < 3',
    'metadata.score > 3',
    'metadata.vip',
  ])('a missing field does not match %s', (text) => {
    expect(matches(text, WITHOUT)).toBe(false);
    expect(matches(text, { ...WITHOUT, card: {}, customer: {}, metadata: {} })).toBe(false);
  });

  test.each(['card.brand != "visa"', 'card.bin not in ["411111"]', 'metadata.score != 3', 'not metadata.vip'])(
    'a missing field matches %s',
    (text) => {
      expect(matches(text, WITHOUT)).toBe(true);
    },
  );

  test('treats inherited, list and null metadata as missing', () => {
    expect(matches('metadata.a', { ...FACTS, metadata: Object.create({ a: true }) as Record<string, unknown> })).toBe(false);
    for (const name of ['list', 'nothing']) expect(evaluate(parsed(`metadata.${name}`), FACTS).reasons[0]?.value).toBeNull();
  });
});

describe('the reasons of a decision', () => {
  test('lists the evaluated comparisons with their values in order', () => {
    expect(evaluate(parsed('amount > 500 or card.brand in ["visa"] or type == "auth"'), FACTS)).toEqual({
      matched: true,
      reasons: [
        { text: 'amount > 500', value: 120.5, result: false },
        { text: 'card.brand in ["visa"]', value: 'visa', result: true },
      ],
    });
    expect(evaluate(parsed('metadata.none == 1 and true'), FACTS)).toEqual({
      matched: false,
      reasons: [{ text: 'metadata.none == 1', value: null, result: false }],
    });
    expect(
      evaluate(parsed('false or card.bin in ["1"] or metadata.vip or metadata.none'), { ...WITHOUT, metadata: { vip: 'yes' } }),
    ).toEqual({
      matched: false,
      reasons: [
        { text: 'false', value: false, result: false },
        { text: 'card.bin in ["1"]', value: null, result: false },
        { text: 'metadata.vip', value: 'yes', result: false },
        { text: 'metadata.none', value: null, result: false },
      ],
    });
  });
});
