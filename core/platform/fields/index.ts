import { type Static, type TNull, type TObject, type TProperties, type TSchema, type TUnion, type TUnsafe, Type } from 'typebox';
import type { Currency, Money } from '#core/kernel';

import { described, EXAMPLE_DAY, EXAMPLE_ID, EXAMPLE_TIME } from './input.ts';

export { CODE, CurrencyIn, described, EXAMPLE, EXAMPLE_DAY, EXAMPLE_ID, EXAMPLE_TIME, LINES, Lines, Text } from './input.ts';

/** Schema keyword of an amount: the value is `Money`, which each surface writes in its own form. */
export const AMOUNT = 'x-amount';

/** Value of a record: that of its schema, which nobody changes. */
export type RecordOf<Schema extends TSchema> = Frozen<Static<Schema>>;
type Frozen<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly Frozen<Item>[]
      : { readonly [Name in keyof Value]: Frozen<Value[Name]> };

/** A record of the API. The OpenAPI document contains it once, under its name. */
export const record = <Fields extends TProperties>(name: string, fields: Fields, description?: string): TObject<Fields> =>
  Type.Object(fields, { title: name, ...(description !== undefined && { description }) });

/** A part of a record without a name of its own. */
export const group = <Fields extends TProperties>(description: string, fields: Fields): TObject<Fields> =>
  Type.Object(fields, { description });

/** A field that contains a record. */
export const one = <Schema extends TSchema>(schema: Schema, description: string): TUnion<[Schema]> => Type.Union([schema], { description });

/** A field that contains several records. */
export const list = <Schema extends TSchema>(schema: Schema, description: string, example?: readonly unknown[]) =>
  Type.Array(schema, described(description, example));

/** A field that may be null. The description is that of the value, unless the value is a record. */
export const nullable = <Schema extends TSchema>(schema: Schema, description?: string, example?: null): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : described(description, example));

/** A text. `example` is null for a field that is null in examples. */
export const text = (description: string, example?: string | null) => Type.String(described(description, example));

/** One of several words or numbers. */
export const literals = <const Words extends readonly (string | number)[]>(
  words: Words,
  description?: string,
  example?: Words[number] | null,
): TUnsafe<Words[number]> =>
  Type.Unsafe<Words[number]>(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      described(description, example),
    ),
  );

export const flag = (description: string, example?: boolean) => Type.Boolean(described(description, example));

/** A whole number. */
export const count = (description: string, example?: number | null) => Type.Integer(described(description, example));

/** A number that is no amount, such as a percentage. */
export const number = (description: string, example?: number | null) => Type.Number(described(description, example));

/** An amount. The core has `Money`; responses have a number in major units, and a decimal text on the SDK surface. */
export const amount = (meaning: string, example?: number | null): TUnsafe<Money> => {
  const [first = '', ...rest] = meaning.split('; ');
  const description = [`${first}, in major units`, ...rest].join('; ');
  return Type.Unsafe<Money>(Type.Number({ [AMOUNT]: true, ...described(description, example) }));
};

/** ISO 4217 code of a currency. */
export const currencyCode = (description = 'ISO 4217 code of the currency', example = 'USD'): TUnsafe<Currency> =>
  Type.Unsafe<Currency>(Type.String(described(description, example)));

/** A time in ISO 8601. */
export const time = (description: string, example: string | null = EXAMPLE_TIME) =>
  Type.String({ format: 'date-time', ...described(description, example) });

/** A calendar day, YYYY-MM-DD. */
export const day = (description: string, example: string | null = EXAMPLE_DAY) => Type.String(described(description, example));

/** The ID of a record, such as `ref_01m7…` for the prefix `ref`. */
export const id = (prefix: string, description: string) => Type.String(described(description, `${prefix}_${EXAMPLE_ID}`));

/** Values of the caller, stored unchanged. */
export const metadata = () =>
  Type.Record(Type.String(), Type.Unknown(), described('Values of your own, stored unchanged', { cart: '1001' }));

/** Values by keys that the schema does not list. */
export const mapOf = <Schema extends TSchema>(values: Schema, description: string, example?: unknown) =>
  Type.Record(Type.String(), values, described(description, example));

/** A record with some fields of another one. */
export const partOf = <Fields extends TProperties, const Names extends readonly (keyof Fields & string)[]>(
  name: string,
  { properties }: TObject<Fields>,
  names: Names,
): TObject<Pick<Fields, Names[number]>> =>
  record(name, Object.fromEntries(names.map((each) => [each, properties[each]])) as unknown as Pick<Fields, Names[number]>);
