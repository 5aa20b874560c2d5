import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { isShown, jsonWriterFor, responseBody } from '../../../server/http/index.ts';
import { allRoutes } from '../../../server/routes/index.ts';

const Card = Type.Object({ brand: Type.String(), last4: Type.String() });
const Payment = Type.Object({
  id: Type.String(),
  amount: Type.Number(),
  card: Type.Union([Card, Type.Null()]),
  metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  refunds: Type.Array(Type.Object({ id: Type.String(), count: Type.Integer() })),
  note: Type.Optional(Type.String()),
});
const ANSWER = Type.Union([
  Type.Object({ success: Type.Literal(true), data: Payment }),
  Type.Object({ success: Type.Literal(false), data: Payment, error: Type.Object({ code: Type.String() }) }),
]);
const bodyOf = (result: unknown) => responseBody({ response: ANSWER, show: ((value: unknown) => value) as never }, result);

const payment = {
  id: 'txn_1 "quoted" \u2028 é',
  amount: 10.5,
  card: { brand: 'visa', last4: '1111' },
  metadata: { any: { depth: [1, null] } },
  refunds: [{ id: 'ref_1', count: 2 }],
};

test('writes declared fields as JSON.stringify does', () => {
  for (const value of [
    { success: true, data: payment },
    { success: true, data: { ...payment, card: null, metadata: null, refunds: [] } },
    { success: false, data: payment, error: { code: 'CARD_DECLINED' } },
  ])
    expect(JSON.parse(bodyOf(value))).toEqual(value);
});

test('leaves out fields that the schema does not declare, at any depth', () => {
  const secret = 'must not leave';
  const value = {
    success: true,
    secret,
    data: { ...payment, secret, card: { ...payment.card, number: secret }, refunds: [{ id: 'ref_1', count: 2, secret }] },
  };
  expect(bodyOf(value)).not.toContain(secret);
  expect(JSON.parse(bodyOf(value))).toEqual({ success: true, data: payment });
});

test('leaves out undeclared fields of records that unions contain at any depth', () => {
  const inner = Type.Union([Type.Union([Card]), Type.Union([Type.Null(), Type.Union([Card])])]);
  const response = Type.Union([Type.Object({ data: inner }), Type.Object({ data: Type.Union([inner]) })]);
  expect(jsonWriterFor(response)({ data: { ...payment.card, number: 'must not leave' } })).toBe(JSON.stringify({ data: payment.card }));
});

test('writes an answer whose record lacks declared fields, because its payment is already committed', () => {
  expect(JSON.parse(bodyOf({ success: true, data: { id: 'txn_1', amount: null } }))).toEqual({
    success: true,
    data: { id: 'txn_1', amount: null },
  });
});

test('has a serializer for the answer of every route', () => {
  const absent = () => {
    throw new Error('No server runs here.');
  };
  const routes = allRoutes(
    { dataDir: '', isSetUp: async () => true, examineDatabase: absent, join: absent, setUp: absent, restore: absent },
    absent,
  ).filter(isShown);
  expect(routes.length).toBeGreaterThan(200);
  for (const { id, response: answer } of routes) expect(() => jsonWriterFor(answer)({}), id).not.toThrow();
});
