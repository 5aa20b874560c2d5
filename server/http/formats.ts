import { checkAmount, parseCurrency, parseDate } from '#core/kernel';
import { choicesOf } from './requirements.ts';

type Schema = Readonly<Record<string, unknown>>;
type Check = (value: string | number, field: string) => void;

const text = (parse: (value: string, field: string) => unknown): Check => {
  return (value, field) => void (typeof value === 'string' && parse(value, field));
};

/** Format checks, by error code, that a schema pattern cannot express. */
const BY_CODE: Readonly<Record<string, Check>> = {
  INVALID_AMOUNT: checkAmount,
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
    const code = choices.find((choice) => choice['x-error-code'] !== undefined)?.['x-error-code'];
    if (typeof code === 'string') BY_CODE[code]?.(value, path.join('.'));
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
