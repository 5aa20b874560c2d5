import { ServiceError } from '#core/kernel';
import { isLongGtin } from '#shared/barcodes';
import { containsCardNumber, hasLongNumber, isCardInteger, maskCardNumbers } from '#shared/card-numbers';

/**
 * Schema keyword for fields that are not free text. In all other fields a card number is refused.
 * - `protected`: a card or bank account number, or a secret. It is stored encrypted or hashed, or not at all.
 * - `phone`: may be a phone number; some of them look like a card number.
 * - `barcode`: may be a GTIN; some of them look like a card number.
 */
export const NOT_FREE_TEXT = 'x-not-free-text';

type Schema = Readonly<Record<string, unknown>>;

const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** Refuses card numbers in all texts, numbers and names of a value, except in fields that its schema marks. */
export function refuseCardNumbers(schema: unknown, value: unknown): void {
  search([schema as Schema], value, []);
}

/** Returns true if a body has a value in a protected field: card data, bank data, a password or another secret. */
export function hasProtectedValue(schema: unknown, value: unknown): boolean {
  return holdsProtected([schema as Schema], value);
}

function holdsProtected(schemas: readonly Schema[], value: unknown): boolean {
  if (value === undefined || value === null || schemas.length === 0) return false;
  const choices = schemas.flatMap(choicesOf);
  if (isProtected(choices)) return true;
  if (typeof value !== 'object') return false;
  return Object.entries(value).some(([name, part]) =>
    holdsProtected(
      choices.flatMap((choice) => inner(choice, name)),
      part,
    ),
  );
}

/** Refuses a card number in one text, such as a header. */
export function refuseCardNumber(text: string, field: string): void {
  if (containsCardNumber(text)) throw cardNumberIn(field);
}

function search(schemas: readonly Schema[], value: unknown, path: readonly string[]): void {
  if (typeof value === 'string') {
    // The schema is checked first, because a protected field nearly always contains a card number, which costs more to recognize.
    if (hasLongNumber(value) && !isProtected(schemas) && !isExpectedNumber(schemas, value) && containsCardNumber(value))
      throw cardNumberIn(path.join('.'));
  } else if (typeof value === 'number') {
    if (isCardInteger(value) && !isProtected(schemas)) throw cardNumberIn(path.join('.'));
  } else if (typeof value === 'object' && value !== null) searchInside(schemas, value as Record<string, unknown>, path);
}

function searchInside(schemas: readonly Schema[], value: Record<string, unknown>, path: readonly string[]): void {
  const choices = schemas.flatMap(choicesOf);
  if (isProtected(choices)) return;
  for (const name of Object.keys(value)) {
    if (containsCardNumber(name)) throw cardNumberIn([...path, maskCardNumbers(name)].slice(0, Math.max(1, path.length)).join('.'));
    search(
      choices.flatMap((choice) => inner(choice, name)),
      value[name],
      [...path, name],
    );
  }
}

const isMarked = (schemas: readonly Schema[], as: string) => schemas.flatMap(choicesOf).some((schema) => schema[NOT_FREE_TEXT] === as);
const isProtected = (schemas: readonly Schema[]) => isMarked(schemas, 'protected');

/** Returns true if the text is a phone number or a barcode in a field for it. */
const isExpectedNumber = (schemas: readonly Schema[], text: string) =>
  (isMarked(schemas, 'phone') && PHONE_NUMBER.test(text)) || (isMarked(schemas, 'barcode') && isLongGtin(text));

const choicesBySchema = new WeakMap<Schema, readonly Schema[]>();

function choicesOf(schema: Schema): readonly Schema[] {
  const known = choicesBySchema.get(schema);
  if (known !== undefined) return known;
  const union = schema.anyOf as readonly Schema[] | undefined;
  const choices = union === undefined ? [schema] : [schema, ...union.flatMap(choicesOf)];
  choicesBySchema.set(schema, choices);
  return choices;
}

function inner({ properties, items }: Schema, name: string): readonly Schema[] {
  const found = (properties as Readonly<Record<string, Schema>> | undefined)?.[name] ?? (items as Schema | undefined);
  return found === undefined ? [] : [found];
}

function cardNumberIn(field: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `\`${field}\` contains a card number. Send card numbers only in card fields.`, {
    field,
    details: { reason: 'card_number_in_text' },
  });
}
