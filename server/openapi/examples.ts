import { EXAMPLE } from '#core/platform/fields';
import { EXAMPLE_TIME } from './glossary/index.ts';
import { glossaryEntry, type Schema } from './schema-writer.ts';

/**
 * Returns an example of a schema, from the examples of the glossary. `extent` says which optional fields it has: none in requests, all in
 * responses.
 */
export function exampleOf(schema: Schema, context: string, extent: 'required' | 'all', name = ''): unknown {
  const within = schema.title ?? context;
  const { type, anyOf, properties, items, examples, format } = schema as Schema & { examples?: unknown[]; format?: string };
  if (EXAMPLE in schema) return schema[EXAMPLE];
  if (examples !== undefined) return examples[0];
  if ('const' in schema) return schema.const;
  if (anyOf) {
    const entry = glossaryEntry(context, name);
    const isNull = entry !== undefined && entry[1] === null && anyOf.some((choice) => choice.type === 'null');
    const present = anyOf.find((choice) => choice.type !== 'null');
    return isNull || present === undefined ? null : exampleOf(present, context, extent, name);
  }
  const known = ownExample(schema, context, name);
  if (known !== undefined) return known;
  switch (type) {
    case 'object': {
      const required = (schema.required ?? []) as readonly string[];
      const shown = Object.entries(properties ?? {}).filter(([field]) => extent === 'all' || required.includes(field));
      return Object.fromEntries(shown.map(([field, inner]) => [field, exampleOf(inner, within, extent, field)]));
    }
    case 'array':
      return items === undefined ? [] : [exampleOf(items, context, extent, name)];
    case 'string':
      return format === 'date-time' ? EXAMPLE_TIME : 'text';
    case 'number':
    case 'integer':
      return (schema.minimum as number | undefined) ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
}

/** Returns the example of the glossary if it has the type of the schema. */
function ownExample(schema: Schema, context: string, name: string): unknown {
  if (name === '') return undefined;
  const value = glossaryEntry(context, name)?.[1];
  if (value === undefined || value === null) return undefined;
  const { type } = schema;
  if (type === 'array') return Array.isArray(value) ? value : undefined;
  if (type === 'string') {
    if (typeof value === 'number') return value.toFixed(2);
    return typeof value === 'string' ? value : undefined;
  }
  if (type === 'integer') return Number.isInteger(value) ? value : undefined;
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value) && !schema.properties ? value : undefined;
  return typeof value === type ? value : undefined;
}
