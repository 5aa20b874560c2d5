import { formatDecimal, isMoney, type Money, toNumber } from '#core/kernel';
import { AMOUNT, described, EXAMPLE } from '#core/platform/fields';

/** Returns the name of a field in the SDK's naming. */
export const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Converts a value of the core to the naming of a surface, with amounts from `amountOf` and names from `nameOf`. Metadata is unchanged.
 */
function convert(value: unknown, amountOf: (amount: Money) => unknown, nameOf: (name: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => convert(each, amountOf, nameOf));
  if (isMoney(value)) return amountOf(value);
  const entries = Object.entries(value).map(([name, inner]) => [
    nameOf(name),
    name === 'metadata' ? inner : convert(inner, amountOf, nameOf),
  ]);
  return Object.fromEntries(entries);
}

/** Converts a value to the SDK's naming: keys in PascalCase, amounts as strings with the decimals of their currency. */
export const inSdkNaming = (value: unknown): unknown => convert(value, formatDecimal, pascal);

/** Converts a value to the naming of the other surfaces: keys unchanged, amounts as numbers in major units. */
export const inPlainNaming = (value: unknown): unknown => convert(value, toNumber, (name) => name);

interface JsonSchema {
  readonly [AMOUNT]?: true;
  readonly [EXAMPLE]?: unknown;
  readonly type?: string;
  /** The name of the schema in the OpenAPI document. */
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** Returns the schema of a value in the SDK's naming; a named schema `Card` becomes `SdkCard`. */
export function schemaInSdkNaming(schema: JsonSchema): JsonSchema {
  const { title, description, properties, required, items, anyOf } = schema;
  if (schema[AMOUNT] || description?.includes(', in major units')) {
    const example = schema[EXAMPLE];
    return {
      type: 'string',
      ...described(
        description?.replace('in major units', 'as a decimal string'),
        typeof example === 'number' ? example.toFixed(2) : example,
      ),
    };
  }
  return {
    ...schema,
    ...(title !== undefined && { title: `Sdk${title}` }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [pascal(name), name === 'metadata' ? field : schemaInSdkNaming(field)]),
      ),
    }),
    ...(required && { required: required.map(pascal) }),
    ...(items && { items: schemaInSdkNaming(items) }),
    ...(anyOf && { anyOf: anyOf.map(schemaInSdkNaming) }),
  };
}
