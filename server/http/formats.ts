import { checkAmount, parseCurrency, parseDate } from '#core/kernel';
import { CODE } from '#core/platform/fields';
import { ZERO_ALLOWED } from './keywords.ts';
import { choicesOf } from './requirements.ts';

type Schema = Readonly<Record<string, unknown>>;
type Check = (value: string | number, field: string, schema: Schema) => void;

const text = (parse: (value: string, field: string) => unknown): Check => {
  return (value, field) => void (typeof value === 'string' && parse(value, field));
};

/** Format checks, by error code, that a schema pattern cannot express. */
const BY_CODE: Readonly<Record<string, Check>> = {
  INVALID_AMOUNT: (value, field, schema) => checkAmount(value, field, schema[ZERO_ALLOWED] === true),
  INVALID_CURRENCY: text(parseCurrency),
  INVALID_DATE: text(parseDate),
};

/**
 * Checks amounts, currencies and dates of a body that has passed its schema, before the operation reads the records that it refers to
 *. @throws INVALID_AMOUNT, INVALID_CURRENCY, INVALID_DATE with the field name as the caller sent it.
 */
export function checkFormats(schema: unknown, value: unknown): void {
  checkAt(schema as Schema, value, '');
}

function checkAt(schema: Schema, value: unknown, field: string): void {
  if (typeof value === 'string' || typeof value === 'number') {
    const coded = schema[CODE] === undefined ? choicesOf(schema).find((choice) => choice[CODE] !== undefined) : schema;
    if (coded) BY_CODE[String(coded[CODE])]?.(value, field, coded);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const choices = schema.anyOf === undefined ? choicesOf(schema) : [schema, ...choicesOf(schema)];
  const isList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    for (const { properties, items } of choices) {
      const declared = (properties as Readonly<Record<string, Schema>> | undefined)?.[name] ?? (isList ? (items as Schema) : undefined);
      if (declared) checkAt(declared, inner, field === '' ? name : `${field}.${name}`);
    }
  }
}
