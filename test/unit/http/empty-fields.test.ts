import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { parseJson } from '#server/http';
import { knownFieldsOf } from '../../../server/http/unknown-fields.ts';

const text = Type.Optional(Type.String());
const body = Type.Object({
  name: Type.String(),
  note: text,
  amount: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  clearable: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  separator: Type.Optional(Type.Union([Type.Literal(' '), Type.Literal(',')])),
  billing: Type.Optional(Type.Object({ zip: text, address: text })),
  items: Type.Optional(Type.Array(Type.Object({ sku: text, quantity: Type.Number() }))),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const readAs = (method: 'POST' | 'PUT', sent: object) => knownFieldsOf({ method, response: Type.Object({}), body }, sent).body;

describe('optional fields that are null or blank', () => {
  test('are not given, at every depth', () => {
    const sent = { name: ' ', note: ' ', amount: null, billing: { zip: '', address: null }, items: [{ sku: '', quantity: 1 }] };
    expect(readAs('POST', sent)).toEqual({ name: ' ', billing: {}, items: [{ quantity: 1 }] });
    expect(readAs('POST', { name: 'a', amount: '', billing: null, items: null, metadata: null })).toEqual({ name: 'a' });
  });

  test('clear a field that accepts null, and keep values that the operation knows', () => {
    expect(readAs('POST', { name: 'a', clearable: '', separator: ' ' })).toEqual({ name: 'a', clearable: null, separator: ' ' });
    expect(readAs('PUT', { name: 'a', clearable: ' ' })).toEqual({ name: 'a', clearable: null });
  });

  test('empty a field of a PUT by a blank text', () => {
    expect(readAs('PUT', { name: 'a', note: '', billing: null })).toEqual({ name: 'a', note: '' });
  });

  test('stay in objects whose names are those of the caller', () => {
    expect(readAs('POST', { name: 'a', metadata: { a: '', b: null } })).toEqual({ name: 'a', metadata: { a: '', b: null } });
  });

  test('stay if they are required, so that they are refused', () => {
    expect(readAs('POST', { name: null })).toEqual({ name: null });
  });
});

describe('numbers that JavaScript cannot keep', () => {
  test.each(['9007199254740993', '12345678901234567890', '0.12345678901234567890', '1e400', '-1e-400', '25.1000000000000000001'])(
    'are refused: %s',
    (number) => {
      expect(() => parseJson(`{"metadata":{"order":${number}}}`)).toThrow('`order` has more digits than a number of JSON keeps');
      expect(() => parseJson(`[${number}]`)).toThrow('Send it as text');
    },
  );

  test.each([
    '9007199254740992',
    '0.30000000000000004',
    '12.50000000000000000000',
    '1e21',
    '-0.0000000000000000',
    '4111111111111111',
    '1E3',
  ])('are kept if they have an exact form: %s', (number) => {
    expect(parseJson(`{"a":${number}}`)).toEqual({ a: Number(number) });
  });

  test('may be within texts', () => {
    expect(parseJson('{"a":"12345678901234567890"}')).toEqual({ a: '12345678901234567890' });
  });
});
