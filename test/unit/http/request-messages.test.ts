import { describe, expect, test } from 'vitest';
import { checkAmount, parseCurrency, parseMoney } from '#core/kernel';
import { check, parseJson } from '#server/http';
import { allRoutes } from '../../../server/routes/index.ts';

const unused = () => {
  throw new Error('no route is called');
};
const setup = { dataDir: '', isSetUp: unused, restore: unused, examineDatabase: unused, join: unused, setUp: unused };
const bodyOf = (id: string) => {
  const body = allRoutes(setup, unused).find((route) => route.id === id)?.body;
  if (body === undefined) throw new Error(`${id} has no body.`);
  return body;
};
const SALE = { Amount: 5, CardNumber: '4111111111111111', ExpiryMonth: '12', ExpiryYear: '2031' };

test.each([
  [{ ExpiryMonth: 12 }, '`ExpiryMonth` must be text such as "12", not a number.'],
  [{ ExpiryYear: 2031 }, '`ExpiryYear` must be text such as "2031", not a number.'],
  [{ CVV: 123 }, '`CVV` must be text such as "123", not a number.'],
  [{ CVV: null }, '`CVV` must be text such as "123", not null.'],
  [{ CardNumber: [] }, '`CardNumber` must be text, not a list.'],
  [{ Amount: true }, '`Amount` must be a number or text, not true or false.'],
  [{ LineItems: {} }, '`LineItems` must be a list, not an object.'],
])('names the JSON type that is expected: %j', (wrong, message) => {
  expect(() => check(bodyOf('public.createTransaction'), { ...SALE, ...wrong })).toThrow(message);
});

test('takes zeros beyond the decimals of the currency, and says how to correct a sum of floating-point numbers', () => {
  for (const text of ['5.000', '5.00000000']) expect(parseMoney(text, parseCurrency('USD'))).toMatchObject({ minor: 500 });
  expect(parseMoney('5.0', parseCurrency('JPY'))).toMatchObject({ minor: 5 });
  expect(() => parseMoney('5.001', parseCurrency('USD'))).toThrow('have at most 2 decimals in USD');
  expect(() => checkAmount(0.1 + 0.2, 'Amount')).toThrow(
    '`Amount` has more decimals than any currency. Round it to the decimals of the currency, or send it as text such as "19.99".',
  );
});

test('names the capitals of a currency', () => {
  expect(() => parseCurrency('usd')).toThrow('Currency codes have capital letters: send "USD".');
  expect(() => parseCurrency('xyz')).toThrow('"xyz" is not an ISO 4217 currency code.');
  for (const code of ['CLF', 'UYW']) expect(() => parseCurrency(code)).toThrow(`"${code}" is not a currency in which payments are made.`);
});

describe('a name that is given twice in one object', () => {
  test.each([
    ['{"Amount":"5.00","Amount":"500.00"}', 'Amount'],
    ['{"a":{"b":1,"c":[{"d":1 , "d" :2}]}}', 'd'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"q\\"":1,"q\\"":2}', 'q"'],
  ])('is refused in %s', (text, name) => {
    expect(() => parseJson(text)).toThrow(`\`${name}\` is given more than once. Send each field once.`);
  });

  test.each(['{"a":{"b":1},"c":{"b":2}}', '[{"a":1},{"a":2}]', '{"a":"\\"b\\":1,\\"b\\":2","b":"{\\\\","c":":"}', '{"":1}', '"a:b"'])(
    'is not found in %s',
    (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    },
  );
});
