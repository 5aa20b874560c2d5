import { checkAmount, parseCurrency, parseDate } from '#core/kernel';
import { CODE, ZERO_ALLOWED } from './keywords.ts';
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
 * (decisions 2). @throws INVALID_AMOUNT, INVALID_CURRENCY, INVALID_DATE with the field name as the caller sent it.
 */
export function checkFormats(schema: unknown, value: unknown, path: readonly string[] = []): void {
  const choices = [schema as Schema, ...choicesOf(schema as Schema)];
  if (typeof value === 'string' || typeof value === 'number') {
    const coded = choices.find((choice) => choice[CODE] !== undefined);
    if (coded) BY_CODE[String(coded[CODE])]?.(value, path.join('.'), coded);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const { properties, items } of choices) {
      const declared = (properties as Readonly<Record<string, Schema>> | undefined)?.[name] ?? (Array.isArray(value) ? items : undefined);
      if (declared) checkFormats(declared, inner, [...path, name]);
    }
  }
}
