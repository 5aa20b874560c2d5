type Schema = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Returns the requirement of a schema as the end of "`field` must …". Describes the value, without patterns or schema terms. */
export function requirementOf(schema: Schema | undefined, value: unknown): string {
  if (schema === undefined) return 'have a valid format';
  const allowed = allowedValues(schema);
  if (allowed !== null) {
    if (typeof value === 'number' && allowed.includes(String(value))) return `be the text "${value}"`;
    return allowed.length === 1 ? `be ${allowed[0]}` : `be one of ${allowed.join(', ')}`;
  }
  return otherTypeOf(schema, value) ?? lengthOf(schema, value) ?? rangeOf(schema, value) ?? itemsOf(schema, value) ?? kindOf(schema, value);
}

/** Names of the JSON types of values. */
const sentType = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return TYPES[typeof value] ?? 'text';
};

/** Returns the type that is expected instead of the sent one; null if the type is right. Texts name an example, such as `"12"`. */
function otherTypeOf(schema: Schema, value: unknown): string | null {
  const types = choicesOf(schema).flatMap(({ type }) => (typeof type === 'string' ? [type] : []));
  const sent = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const isAllowed = types.some((type) => type === sent || (type === 'integer' && sent === 'number'));
  if (types.length === 0 || value === undefined || isAllowed) return null;
  const [example] = (schema.examples ?? firstChoice(schema).examples ?? []) as readonly unknown[];
  const such = types[0] === 'string' && typeof example === 'string' ? ` such as ${JSON.stringify(example)}` : '';
  return `be ${[...new Set(types.map((type) => TYPES[type] ?? type))].join(' or ')}${such}, not ${sentType(value)}`;
}

const choicesBySchema = new WeakMap<Schema, readonly Schema[]>();

/** Returns the alternatives of a union, at any depth, without null; any other schema is its only alternative. */
export function choicesOf(schema: Schema): readonly Schema[] {
  const known = choicesBySchema.get(schema);
  if (known !== undefined) return known;
  const union = schema.anyOf as readonly Schema[] | undefined;
  const choices = union === undefined ? [schema].filter(({ type }) => type !== 'null') : union.flatMap(choicesOf);
  choicesBySchema.set(schema, choices);
  return choices;
}

function allowedValues(schema: Schema): readonly string[] | null {
  const choices = choicesOf(schema);
  const values = choices.flatMap((choice) =>
    'const' in choice ? [choice.const] : ((choice.enum as unknown[] | undefined) ?? [undefined]),
  );
  return values.length === 0 || values.includes(undefined) ? null : values.map(String);
}

function lengthOf(schema: Schema, value: unknown): string | null {
  const { minLength, maxLength } = firstChoice(schema) as { minLength?: number; maxLength?: number };
  if (typeof value !== 'string') return null;
  if (maxLength !== undefined && value.length > maxLength) return `have at most ${maxLength} characters`;
  if (minLength !== undefined && value.length < minLength)
    return `have at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}`;
  return null;
}

function rangeOf(schema: Schema, value: unknown): string | null {
  const { minimum, maximum, exclusiveMinimum, type } = firstChoice(schema) as Readonly<
    Partial<Record<'minimum' | 'maximum' | 'exclusiveMinimum', number>>
  > & { readonly type?: string };
  if (typeof value === 'number' && exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `be ${TYPES[type ?? 'number']} greater than ${exclusiveMinimum}`;
  const isOutside = typeof value === 'number' && (value < (minimum ?? value) || value > (maximum ?? value));
  if (!isOutside) return typeof value === 'number' && type === 'number' ? decimalsOf(schema) : null;
  const kind = TYPES[type ?? 'number'];
  if (minimum !== undefined && maximum !== undefined) return `be ${kind} from ${minimum} to ${maximum}`;
  return minimum === undefined ? `be ${kind} of at most ${maximum}` : `be ${kind} of at least ${minimum}`;
}

/** Returns the requirement of a number within its range whose `multipleOf` is a power of ten. */
function decimalsOf(schema: Schema): string | null {
  const { multipleOf } = firstChoice(schema) as { multipleOf?: number };
  const decimals = multipleOf === undefined ? null : -Math.log10(multipleOf);
  return decimals === null ? null : `have at most ${Math.round(decimals)} decimals`;
}

function itemsOf(schema: Schema, value: unknown): string | null {
  const { minItems, maxItems, uniqueItems } = firstChoice(schema) as { minItems?: number; maxItems?: number; uniqueItems?: boolean };
  if (!Array.isArray(value)) return null;
  if (minItems !== undefined && value.length < minItems) return `have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`;
  if (maxItems !== undefined && value.length > maxItems) return `have at most ${maxItems} entries`;
  return uniqueItems === true ? 'not contain an entry twice' : null;
}

/** Returns the type of value, or the description if only that states which texts are valid. */
function kindOf(schema: Schema, value: unknown): string {
  const choices = choicesOf(schema);
  if ([schema, ...choices].some((choice) => choice['x-error-code'] === 'INVALID_DATE')) return 'be a date, YYYY-MM-DD';
  if ([schema, ...choices].some((choice) => choice['x-error-code'] === 'INVALID_EMAIL')) return 'be an email address';
  const { description } = schema.description === undefined ? firstChoice(schema) : schema;
  const hasForm = choices.some((choice) => choice.pattern !== undefined || choice.format !== undefined || choice.not !== undefined);
  const isCoded = [schema, ...choices].some((choice) => choice['x-error-code'] !== undefined);
  if (typeof description === 'string' && (isCoded || (hasForm && typeof value === 'string'))) return `be ${description.split(';')[0]}`;
  const kinds = [...new Set(choices.flatMap(({ type }) => (typeof type === 'string' ? [TYPES[type] ?? type] : [])))];
  return kinds.length === 0 || (hasForm && typeof value === 'string') ? 'have a valid format' : `be ${kinds.join(' or ')}`;
}

const firstChoice = (schema: Schema): Schema => choicesOf(schema)[0] ?? schema;
