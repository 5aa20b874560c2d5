import { EXAMPLE, EXAMPLE_TIME } from '#core/platform/fields';
import type { Schema } from './schema-writer.ts';

/** Returns an example of a schema. `extent` says which optional fields it has: none in requests, all in responses. */
export function exampleOf(schema: Schema, extent: 'required' | 'all'): unknown {
  const { type, anyOf, properties, items, examples, format } = schema as Schema & { examples?: unknown[]; format?: string };
  if (EXAMPLE in schema) return schema[EXAMPLE];
  if (examples !== undefined) return examples[0];
  if ('const' in schema) return schema.const;
  if (anyOf) {
    const present = anyOf.find((choice) => choice.type !== 'null');
    return present === undefined ? null : exampleOf(present, extent);
  }
  switch (type) {
    case 'object': {
      const required = (schema.required ?? []) as readonly string[];
      const shown = Object.entries(properties ?? {}).filter(([field]) => extent === 'all' || required.includes(field));
      return Object.fromEntries(shown.map(([field, inner]) => [field, exampleOf(inner, extent)]));
    }
    case 'array':
      return items === undefined ? [] : [exampleOf(items, extent)];
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
