import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { knownFieldsOf, type Route, urlOf, withoutShownObjects } from '#server/http';
import { allRoutes } from '../../../server/routes/index.ts';

const unused = () => {
  throw new Error('no route is called');
};
const setup = { dataDir: '', isSetUp: unused, restore: unused, examineDatabase: unused, join: unused, setUp: unused };
type Rules = Parameters<typeof knownFieldsOf>[0] & { readonly id: string };
const rulesOf = (route: Route): Rules => ({
  ...route,
  body: route.body ?? route.upload?.fields ?? Type.Object({}),
  isEitherSpelling: urlOf(route).startsWith('/api/v1/public/'),
});
/** Every operation that reads a body or a form. */
const operations = allRoutes(setup, unused)
  .filter(({ method }) => method !== 'GET')
  .map(rulesOf);
const operation = (id: string): Rules => {
  const found = operations.find((each) => each.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
};
const bodyOf = (id: string, body: object) => knownFieldsOf(operation(id), body).body;

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: object;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}
interface Place {
  readonly names: readonly string[];
  readonly path: string;
  /** Returns a body with this object at the place. */
  readonly bodyWith: (object: object) => object;
}

/** Returns every object with declared fields in a body, at any depth. */
function placesIn(shape: Shape, path: string, bodyWith: Place['bodyWith']): Place[] {
  const { type, properties, patternProperties, items, anyOf } = shape;
  if (anyOf) return placesIn(merged(anyOf), path, bodyWith);
  if (items) return placesIn(items, `${path}0.`, (object) => bodyWith([object]));
  if (type !== 'object' || !properties || patternProperties) return [];
  const inner = Object.entries(properties).flatMap(([name, field]) =>
    placesIn(field, `${path}${name}.`, (object) => bodyWith({ [name]: object })),
  );
  return [{ names: Object.keys(properties), path, bodyWith }, ...inner];
}

const merged = (choices: readonly Shape[]): Shape => {
  const flat = choices.flatMap(({ anyOf, ...shape }) => anyOf ?? [shape]);
  const list = flat.find(({ items }) => items !== undefined);
  const objects = flat.filter(({ type }) => type === 'object');
  if (objects.length === 0) return list ?? {};
  return {
    type: 'object',
    ...Object.assign({}, ...objects),
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
  };
};

const places = operations.flatMap((rules) =>
  placesIn(rules.body as Shape, '', (object) => object).map((place) => ({ rules, title: `${rules.id} ${place.path}`, ...place })),
);

describe('in every object of every operation', () => {
  test('names an unknown field that means nothing, and removes it', () => {
    expect(places.length).toBeGreaterThan(300);
    for (const { rules, title, path, bodyWith } of places) {
      const { body, ignored } = knownFieldsOf(rules, bodyWith({ zebraCrossing: { a: 1 } }));
      expect(ignored, title).toEqual([`${path}zebraCrossing`]);
      expect(body, title).toEqual(bodyWith({}));
    }
  });

  test.each(
    [
      ['currency', 'refundAmount', 'orderAmount', 'taxes', 'salesTax', 'discount', 'setup_fee', 'setupFee', 'trialPeriodDays', 'tip'],
      ['capture', 'threeDSecure', 'three_d_secure', 'cavv', 'eci', 'xid', 'networkToken', 'mandate', 'mandateId', 'installments'],
      ['applicationFee', 'application_fee_amount', 'statementDescriptor', 'statement_descriptor_suffix', 'surcharge', 'couponCode'],
    ].flat(),
  )('refuses `%s` where the operation does not have it', (name) => {
    for (const { rules, title, names, path, bodyWith } of places) {
      const isDeclared = names.some((each) => each === name || (rules.isEitherSpelling && each.toLowerCase() === name.toLowerCase()));
      const isShown = rules.method === 'PUT' && JSON.stringify(rules.response).includes(`"${name}"`);
      if (isDeclared || isShown) continue;
      expect(() => knownFieldsOf(rules, bodyWith({ [name]: 1 })), title).toThrow(`There is no field \`${path}${name}\``);
    }
  });

  test('refuses a declared name with a letter too many, in another case, or without its end', () => {
    for (const { rules, title, names, bodyWith } of places) {
      for (const name of names) {
        const wrong = [`${name}x`, name.toUpperCase(), name.slice(0, -1)].filter(
          (each) =>
            each.length >= 5 && !names.includes(each) && each.toUpperCase() !== each.toLowerCase() && each !== 'CVV' && each !== name,
        );
        for (const each of wrong) {
          if (rules.method === 'PUT' && JSON.stringify(rules.response).includes(`"${each}"`)) continue;
          expect(() => knownFieldsOf(rules, bodyWith({ [each]: 1 })), `${title} ${each}`).toThrow('There is no field');
        }
      }
    }
  });
});

test.each([
  ['admin.refundTransaction', { amout: 5 }, 'amout', 'amount'],
  ['admin.refundTransaction', { amount: 5, amounts: 6 }, 'amounts', 'amount'],
  ['admin.refundTransaction', { total: 5 }, 'total', 'amount'],
  ['sdk.refundTransaction', { TransactionId: 'txn_x', amount: '5' }, 'amount', 'Amount'],
  ['admin.refundTransaction', { refundAmount: 5 }, 'refundAmount', 'amount'],
  ['public.refundTransaction', { transactionId: 'txn_x', refund_amount: 5 }, 'refund_amount', 'amount'],
  ['sdk.refundTransaction', { TransactionId: 'txn_x', RefundAmount: '5' }, 'RefundAmount', 'Amount'],
  ['admin.captureTransaction', { captureAmount: 5 }, 'captureAmount', 'amount'],
  ['admin.createPayout', { merchantId: 'mer_x', payoutAmount: 5 }, 'payoutAmount', 'amount'],
  ['admin.createTransaction', { amount: 5, card: { number: '4', expiryMonht: '12' } }, 'card.expiryMonht', 'expiryMonth'],
  ['admin.createTransaction', { amount: 5, card: { cardNumber: '4111111111111111' } }, 'card.cardNumber', 'number'],
  ['admin.createInvoice', { items: [{ description: 'Repair', quantitiy: 2 }] }, 'items.0.quantitiy', 'quantity'],
  ['admin.createInvoice', { amount: 5, lineItems: [] }, 'lineItems', 'items'],
  ['admin.createTransaction', { amount: 5, items: [] }, 'items', 'lineItems'],
  ['admin.changeFraudSettings', { maxAmout: 100 }, 'maxAmout', 'maxAmount'],
  ['admin.changeDunningSettings', { retryIntervals: [1] }, 'retryIntervals', 'retryIntervalsDays'],
  ['admin.createCustomer', { name: 'Ann' }, 'name', 'firstName'],
  ['public.createTransaction', { Email: 'a@b.example' }, 'Email', 'BillingEmail'],
])('%s refuses %j as a misspelling', (id, body, field, meant) => {
  expect(() => bodyOf(id, body)).toThrow(`There is no field \`${field}\`. Did you mean \`${meant}\`?`);
});

test.each(['admin.voidTransaction', 'admin.rerunTransaction', 'admin.cancelInvoice', 'public.voidTransaction', 'sdk.cancelCapture'])(
  '%s refuses an amount, because it concerns the whole amount',
  (id) => {
    for (const name of ['amount', 'Amount'])
      expect(() => bodyOf(id, { [name]: 5 })).toThrow(`There is no field \`${name}\`: this operation takes no amount.`);
  },
);

test.each([
  ['admin.concludeDispute', { outcome: 'won', amount: 5 }, 'amount', 'feeAmount, returnedAmount'],
  ['admin.payInvoice', { amount: 5, paymentMethod: 'cash', tipAmount: 1 }, 'tipAmount', 'amount, surchargeAmount'],
  ['admin.payInvoice', { amount: 5, paymentMethod: 'cash', discount_amount: 1 }, 'discount_amount', 'amount, surchargeAmount'],
  ['admin.adjustAuthorization', { amount: 5, discountAmount: 1 }, 'discountAmount', 'amount, tipAmount, surchargeAmount, taxAmount'],
])('%s refuses %j and names its amounts', (id, body, field, amounts) => {
  expect(() => bodyOf(id, body)).toThrow(`There is no field \`${field}\`. Amounts of this operation: ${amounts}.`);
});

test.each([
  ['admin.refundTransaction', { amount: 5, currency: 'EUR' }, 'currency'],
  ['sdk.captureTransaction', { TransactionId: 'txn_x', Amount: '5', Currency: 'EUR' }, 'Currency'],
  ['admin.createTransaction', { amount: 5, customer: { currency: 'EUR' } }, 'customer.currency'],
])('%s refuses the currency in %j, because the amount is in that of its record', (id, body, field) => {
  expect(() => bodyOf(id, body)).toThrow(`There is no field \`${field}\`: this operation cannot choose the currency. Leave it out.`);
});

test.each(['taxId', 'tax_number', 'vatId', 'nickname', 'captured_at', 'coffee', 'syntax'])('ignores `%s`, which moves no money', (name) => {
  expect(knownFieldsOf(operation('admin.createTransaction'), { amount: 5, [name]: 'x' }).ignored).toEqual([name]);
});

test('removes unknown fields at any depth and names each once, with the first entry of a list', () => {
  const items = [
    { description: 'A', sku: 1 },
    { description: 'B', sku: 2, zebra: 1 },
  ];
  const { body, ignored } = knownFieldsOf(operation('admin.createInvoice'), { customerId: 'cus_x', items });
  expect(body).toEqual({ customerId: 'cus_x', items: [{ description: 'A' }, { description: 'B' }] });
  expect(ignored).toEqual(['items.0.sku', 'items.1.zebra']);
});

test('leaves metadata as it is', () => {
  const body = { amount: 5, metadata: { currency: 'EUR', Amount: 1, nested: { capture: true } } };
  expect(bodyOf('admin.createTransaction', body)).toBe(body);
});

test('refuses a card number in an ignored field, and more than 100 unknown fields', () => {
  expect(() => bodyOf('admin.createCustomer', { zebra: { text: 'Card 4111 1111 1111 1111' } })).toThrow(
    '`zebra.text` contains a card number.',
  );
  const many = Object.fromEntries([...Array(101).keys()].map((number) => [`zebra${number}`, 1]));
  expect(() => bodyOf('admin.createCustomer', many)).toThrow('The body has more than 100 fields that this operation does not have.');
});

describe('on the Public surface', () => {
  const read = (id: string, body: object) => knownFieldsOf(operation(id), body);

  test('accepts PascalCase and camelCase at any depth', () => {
    expect(read('public.createTransaction', { amount: 5, cvv: '123', lineItems: [{ UnitPrice: 5 }] }).body).toEqual({
      Amount: 5,
      CVV: '123',
      LineItems: [{ unitPrice: 5 }],
    });
    expect(read('public.refundTransaction', { TransactionId: 'txn_x', Amount: 5 }).body).toEqual({ transactionId: 'txn_x', amount: 5 });
    expect(() => read('public.refundTransaction', { AMOUNT: 5 })).toThrow('Did you mean `amount`?');
  });

  test('accepts every field of every operation in the other spelling', () => {
    const ofPublic = places.filter(({ rules }) => rules.isEitherSpelling);
    expect(ofPublic.length).toBeGreaterThan(60);
    for (const { rules, title, names, bodyWith } of ofPublic)
      for (const name of names) {
        const [first = '', rest] = name === 'CVV' ? ['CVV', ''] : [name.charAt(0), name.slice(1)];
        const other = `${first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()}${rest}`;
        if (!names.includes(other))
          expect(knownFieldsOf(rules, bodyWith({ [other]: 1 })).body, `${title} ${other}`).toEqual(bodyWith({ [name]: 1 }));
      }
  });

  test('refuses a field in both spellings with different values', () => {
    expect(read('public.createTransaction', { Amount: 5, amount: 5 }).body).toEqual({ Amount: 5 });
    for (const body of [
      { Amount: 5, amount: 6 },
      { amount: 6, Amount: 5 },
    ])
      expect(() => read('public.createTransaction', body)).toThrow('are the same field, with different values. Send one of them.');
  });

  test('names fields as the caller spells them', () => {
    const { sentNames } = read('public.createTransaction', { amount: 5, lineItems: [{ UnitPrice: 5 }] });
    for (const [path, sent] of [
      ['Amount', 'amount'],
      ['CardNumber', 'cardNumber'],
      ['CVV', 'cvv'],
      ['LineItems.0.unitPrice', 'lineItems.0.UnitPrice'],
      ['LineItems.1.unitPrice', 'lineItems.1.unitPrice'],
      ['Idempotency-Key', 'Idempotency-Key'],
    ] as const)
      expect(sentNames.nameOf(path)).toBe(sent);
    expect(read('public.createTransaction', { Amount: 5, cardNumber: '4' }).sentNames.nameOf('ExpiryMonth')).toBe('ExpiryMonth');
  });
});

test('accepts the read-only fields of the record in a PUT, at any depth', () => {
  const record = { customerId: 'cus_x', merchantId: 'mer_x', firstName: 'Ann', createdAt: '2026-11-21T04:01:55.602Z' };
  expect(knownFieldsOf(operation('admin.updateCustomer'), record)).toMatchObject({ body: { firstName: 'Ann' }, ignored: [] });
});

test('leaves out the objects of a response that a request cannot contain, and nothing else', () => {
  const route = operation('admin.updateSubscription');
  const shown = { amount: 5, card: { type: 'card', brand: 'visa', last4: '1111' } };
  const sent = (body: object) => withoutShownObjects(route, body);
  expect(sent(shown)).toEqual({ amount: 5 });
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031' };
  for (const body of [{ card }, { card: null }, { card: { last4: '1111', number: '4' } }, { planId: 'p' }]) expect(sent(body)).toBe(body);
  expect(withoutShownObjects(operation('admin.createSubscription'), shown)).toBe(shown);
});
