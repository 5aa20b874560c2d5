import { ServiceError } from '#core/kernel';
import { LINES } from '#core/platform/fields';
import { isLongGtin } from '#shared/barcodes';
import { containsCardNumber, hasLongNumber, isCardInteger, maskCardNumbers } from '#shared/card-numbers';

/**
 * Schema keyword for fields that are not free text. In all other fields a card number is refused.
 * - `protected`: a card or bank account number, or a secret. It is stored encrypted or hashed, or not at all.
 * - `security-code`: the code of a card, which is never stored.
 * - `phone`: may be a phone number; some of them look like a card number.
 * - `barcode`: may be a GTIN; some of them look like a card number.
 * - `identifier`: an ID that a platform gave to a record; some of them look like a card number.
 */
export const NOT_FREE_TEXT = 'x-not-free-text';

type Schema = Readonly<Record<string, unknown>>;

const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;
/** An ID of a platform, without the spaces of a text. */
const PLATFORM_ID = /^[\w:/.#-]+$/;

/** Control characters and line separators. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const CONTROL_IN_LINES = /(?![\t\r\n])\p{Cc}/u;

/**
 * Refuses card numbers in all texts, numbers and names of a value, except in fields that its schema marks, and control characters in its declared texts:
 * a name with a line break would continue in another line of a message, a log or a file.
 */
export function checkTexts(schema: unknown, value: unknown): void {
  search(listOf(schema as Schema), value, null, '');
}

/** Returns true if a body has a value in a protected field: card data, bank data, a password or another secret. */
export function hasProtectedValue(schema: unknown, value: unknown): boolean {
  return holdsProtected([schema as Schema], value);
}

function holdsProtected(schemas: readonly Schema[], value: unknown): boolean {
  if (value === undefined || value === null || schemas.length === 0) return false;
  const choices = schemas.flatMap(choicesOf);
  if (isProtected(choices) || isMarked(choices, 'security-code')) return true;
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

/** Refuses card numbers in a field that has no schema, and in its name. `parent` is the path of the object that contains it, empty for the body. */
export function refuseCardNumbers(value: unknown, parent: string, name: string): void {
  if (containsCardNumber(name)) throw cardNumberIn(parent === '' ? maskCardNumbers(name) : parent);
  search(NO_SCHEMAS, value, parent, name);
}

/** Searches the value of a field. `parent` is the path of the object that contains the field, null for the whole value. */
function search(schemas: readonly Schema[], value: unknown, parent: string | null, name: string): void {
  if (typeof value === 'string') {
    refuseControls(schemas, value, () => pathOf(parent, name));
    // The schema is checked first, because a protected field nearly always contains a card number, which costs more to recognize.
    if (hasLongNumber(value) && !isProtected(schemas) && !isExpectedNumber(schemas, value) && containsCardNumber(value))
      throw cardNumberIn(pathOf(parent, name));
  } else if (typeof value === 'number') {
    if (isCardInteger(value) && !isProtected(schemas)) throw cardNumberIn(pathOf(parent, name));
  } else if (typeof value === 'object' && value !== null)
    searchInside(schemas, value as Record<string, unknown>, parent === null ? '' : pathOf(parent, name));
}

function refuseControls(schemas: readonly Schema[], text: string, path: () => string): void {
  if (!CONTROL.test(text)) return;
  const choices = allChoicesOf(schemas);
  if (isProtected(choices) || !choices.some(({ type }) => type === 'string')) return;
  const isLines = choices.some((schema) => schema[LINES] === true);
  if (isLines && !CONTROL_IN_LINES.test(text)) return;
  const field = path();
  const rule = isLines ? 'must not contain control characters' : 'must be one line, without line breaks and other control characters';
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` ${rule}.`, { field, details: { reason: 'control_character' } });
}

const pathOf = (parent: string | null, name: string) => (parent ? `${parent}.${name}` : name);

function searchInside(schemas: readonly Schema[], value: Record<string, unknown>, path: string): void {
  const choices = allChoicesOf(schemas);
  if (isProtected(choices)) return;
  for (const name of Object.keys(value)) {
    if (containsCardNumber(name)) throw cardNumberIn(path === '' ? maskCardNumbers(name) : path);
    search(fieldIn(choices, name), value[name], path, name);
  }
}

const isMarked = (schemas: readonly Schema[], as: string) => allChoicesOf(schemas).some((schema) => schema[NOT_FREE_TEXT] === as);
const isProtected = (schemas: readonly Schema[]) => isMarked(schemas, 'protected');

/** Returns true if the text is a phone number, a barcode or an ID in a field for it. */
const isExpectedNumber = (schemas: readonly Schema[], text: string) =>
  (isMarked(schemas, 'phone') && PHONE_NUMBER.test(text)) ||
  (isMarked(schemas, 'barcode') && isLongGtin(text)) ||
  (isMarked(schemas, 'identifier') && PLATFORM_ID.test(text));

const choicesBySchema = new WeakMap<Schema, readonly Schema[]>();

function choicesOf(schema: Schema): readonly Schema[] {
  const known = choicesBySchema.get(schema);
  if (known !== undefined) return known;
  const union = schema.anyOf as readonly Schema[] | undefined;
  const choices = union === undefined ? [schema] : [schema, ...union.flatMap(choicesOf)];
  choicesBySchema.set(schema, choices);
  return choices;
}

const listsBySchema = new WeakMap<Schema, readonly Schema[]>();
const NO_SCHEMAS: readonly Schema[] = [];

/** Returns a list of one schema, the same each time: bodies are searched for each request. */
function listOf(schema: Schema): readonly Schema[] {
  const known = listsBySchema.get(schema);
  if (known !== undefined) return known;
  const list = [schema];
  listsBySchema.set(schema, list);
  return list;
}

function allChoicesOf(schemas: readonly Schema[]): readonly Schema[] {
  const [first] = schemas;
  return schemas.length === 1 && first !== undefined ? choicesOf(first) : schemas.flatMap(choicesOf);
}

/** Returns the schemas of a field in all alternatives. */
function fieldIn(choices: readonly Schema[], name: string): readonly Schema[] {
  const [first] = choices;
  return choices.length === 1 && first !== undefined ? inner(first, name) : choices.flatMap((choice) => inner(choice, name));
}

function inner({ properties, items }: Schema, name: string): readonly Schema[] {
  const found = (properties as Readonly<Record<string, Schema>> | undefined)?.[name] ?? (items as Schema | undefined);
  return found === undefined ? NO_SCHEMAS : listOf(found);
}

function cardNumberIn(field: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', `\`${field}\` contains a card number. Send card numbers only in card fields.`, {
    field,
    details: { reason: 'card_number_in_text' },
  });
}
