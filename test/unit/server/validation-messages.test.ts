import { type TObject, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#core/kernel';
import { SendFields } from '#server/schemas';
import { choicesOf, requirementOf } from '../../../server/http/requirements.ts';
import { check } from '../../../server/http/validation.ts';
import { allRoutes } from '../../../server/routes/index.ts';

type Schema = { [name: string]: unknown; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; required?: string[] };

/** Wrong values of each kind. */
const BAD: readonly unknown[] = [
  null,
  true,
  5,
  -1,
  1.5,
  1e30,
  '',
  '?',
  'x'.repeat(30_000),
  [],
  ['?'],
  [5, 5],
  [null],
  [{}],
  {},
  { '?': '?' },
];
/** Terms of schemas, patterns and the validator. */
const JARGON = /must be equal|constant|must match|pattern|schema|anyOf|oneOf|required propert|additional propert|\^|\$\)|\\d/i;

/** Returns a value that the schema accepts, according to its type. */
function example(schema: Schema): unknown {
  if (schema.anyOf) return example(schema.anyOf[0] as Schema);
  if ('const' in schema) return schema.const;
  if (schema.type === 'object') {
    const names = schema.required ?? [];
    return Object.fromEntries(names.map((name) => [name, example(schema.properties?.[name] ?? {})]));
  }
  if (schema.type === 'array') return schema.items && schema.minItems ? [example(schema.items)] : [];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  return schema.type === 'boolean' ? true : 'a';
}

/** Every position of the body with each invalid value. */
function* mistakes(schema: Schema): Generator<unknown> {
  for (const choice of schema.anyOf ?? [schema]) {
    for (const [name, inner] of Object.entries(choice.properties ?? {})) {
      const rest = example(choice) as object;
      for (const bad of BAD) yield { ...rest, [name]: bad };
      for (const nested of mistakes(inner)) yield { ...rest, [name]: nested };
    }
    if (choice.items) for (const nested of mistakes(choice.items)) yield [nested];
  }
}

const refusalOf = (schema: TObject, value: unknown): ServiceError | null => {
  try {
    check(schema, value);
    return null;
  } catch (error) {
    return error as ServiceError;
  }
};

/** Returns true if a path exists in the sent body; its last name may be missing. */
function wasSent(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || rest.length === 0) return true;
  return typeof value === 'object' && value !== null && name in value && wasSent((value as Record<string, unknown>)[name], rest);
}

describe('messages for refused input', () => {
  const schemas = allRoutes({} as never, () => ({}) as never).flatMap(({ id, body, query, upload }) =>
    [body, query, upload?.fields].flatMap((schema): [string, TObject][] => (schema ? [[id, schema]] : [])),
  );

  test.each(schemas)('%s: the message describes the value and names the field that was sent', (_, schema) => {
    for (const value of mistakes(schema as unknown as Schema)) {
      const refusal = refusalOf(schema, value);
      if (refusal === null) continue;
      expect(refusal).toBeInstanceOf(ServiceError);
      const { message, field } = refusal;
      expect([message, field]).toEqual([expect.not.stringMatching(JARGON), expect.any(String)]);
      expect([message, wasSent(value, field?.split('.') ?? [])]).toEqual([message, true]);
      // A requirement is a phrase, so that it ends where the sentence does.
      expect(message).toMatch(/[^.]\.$/);
    }
  });

  test('states for every amount of a request which amounts are valid', () => {
    const amountsOf = (schema: Schema): Schema[] =>
      choicesOf(schema as never).flatMap((choice) => {
        const inner = choice as Schema;
        return [...Object.values(inner.properties ?? {}), ...(inner.items ? [inner.items] : [])].flatMap((each) => [
          ...((each as Record<string, unknown>)['x-error-code'] === 'INVALID_AMOUNT' ? [each] : []),
          ...amountsOf(each),
        ]);
      });
    const amounts = schemas.flatMap(([, schema]) => amountsOf(schema as unknown as Schema));
    const requirements = new Set(amounts.map((schema) => requirementOf(schema as never, 'x')));
    const isRange = (text: string) => /^be (0|an? (amount|number)|the amount|have)\b/.test(text);
    expect([...requirements].filter((text) => !isRange(text))).toEqual([]);
  });

  test.each<[Record<string, unknown>, string, string]>([
    [{ sendVia: ['fax'] }, 'sendVia', '`sendVia` must be one of email, sms.'],
    [{ sendVia: [] }, 'sendVia', '`sendVia` must have at least 1 entry.'],
    [{ sendVia: ['email', 'email'] }, 'sendVia', '`sendVia` must not contain an entry twice.'],
    [{ sendVia: 'email' }, 'sendVia', '`sendVia` must be a list, not text.'],
    [{ email: 'nobody' }, 'email', '`email` must be an email address.'],
    [{ message: 5 }, 'message', '`message` must be text, not a number.'],
    [{ message: 'x'.repeat(1_001) }, 'message', '`message` must have at most 1000 characters.'],
  ])('refuses %j with a hint', (body, field, message) => {
    expect(refusalOf(Type.Object(SendFields), body)).toMatchObject({ field, message });
  });
});

test.each([
  [Type.Object({ TransactionType: Type.Literal('0') }), { TransactionType: 0 }, '`TransactionType` must be the text "0".'],
  [
    Type.Object({ maxAmount: Type.Union([Type.Null(), Type.Number({ exclusiveMinimum: 0 })]) }),
    { maxAmount: -5 },
    '`maxAmount` must be a number greater than 0.',
  ],
  [
    Type.Object({ taxPercent: Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.001 }) }),
    { taxPercent: 8.8755 },
    '`taxPercent` must have at most 3 decimals.',
  ],
])('names the value that is meant instead of one of another type or range', (schema, body, message) => {
  expect(() => check(schema, body)).toThrow(message);
});
