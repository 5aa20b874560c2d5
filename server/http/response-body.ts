import fastJson from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { wrapped } from './replies.ts';
import type { Route } from './route.ts';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Bodies of results that were rendered to be stored, so that the response is the same text and is not rendered again. */
const storedBodies = new WeakMap<object, Pick<Route, 'response' | 'show'> & { readonly body: string }>();

/** Returns the JSON body of a result that is stored, for example under an Idempotency-Key, before it is sent. */
export function storedBody(route: Pick<Route, 'response' | 'show'>, result: object): string {
  const body = responseBody(route, result);
  storedBodies.set(result, { response: route.response, show: route.show, body });
  return body;
}

const serializers = new WeakMap<TSchema, (value: unknown) => string>();

/**
 * Returns the JSON body of a result. It contains only the fields that the response schema declares, in the order of the schema, so a field that
 * was added to a record by mistake cannot leave the service.
 */
export function responseBody({ response, show }: Pick<Route, 'response' | 'show'>, result: unknown): string {
  const stored = typeof result === 'object' && result !== null ? storedBodies.get(result) : undefined;
  if (stored !== undefined && stored.show === show && stored.response === response) return stored.body;
  const shown = show === undefined ? result : (show as (result: unknown) => unknown)(result);
  return jsonWriterFor(response)(wrapped(response, shown));
}

/** Returns the serializer of a schema. It is compiled on first use, because compiling hundreds of them would delay the start. */
export function jsonWriterFor(response: TSchema): (value: unknown) => string {
  const known = serializers.get(response);
  if (known) return known;
  const serializer = fastJson(declaredShape(response as Schema) as never);
  serializers.set(response, serializer);
  return serializer;
}

/**
 * Returns the schema from which the serializer is compiled, with the declared fields only. Required fields, formats and ranges are left
 * out, because a response is written after its payment is committed, and must not fail then. Tests compare responses with the whole schema.
 */
function declaredShape(schema: Schema): object {
  if (schema.anyOf) return unionShape(schema.anyOf);
  const { type, properties, patternProperties, items } = schema;
  switch (type) {
    case 'object':
      return {
        type,
        nullable: true,
        ...(properties && { properties: shapesOf(properties) }),
        ...(patternProperties && { patternProperties: shapesOf(patternProperties) }),
      };
    case 'array':
      return { type, nullable: true, ...(items && { items: declaredShape(items) }) };
    case 'string':
    case 'boolean':
      return { type, nullable: true };
    default:
      // Numbers and values of any type are serialized without a schema.
      return {};
  }
}

const shapesOf = (schemas: Readonly<Record<string, Schema>>): object =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, declaredShape(schema)]));

/** Returns the alternatives of a schema, without unions. */
const alternatives = (schema: Schema): readonly Schema[] => schema.anyOf?.flatMap(alternatives) ?? [schema];

/**
 * Joins the shapes of a union: an object has the fields of all its alternatives.
 * @throws Error if objects or lists are joined with values of another type.
 */
function unionShape(choices: readonly Schema[]): object {
  const present = [...new Set(choices.flatMap(alternatives))].filter(({ type }) => type !== 'null');
  const [first] = present;
  if (first === undefined) return {};
  if (present.length === 1) return declaredShape(first);
  const isEvery = (type: string) => present.every((choice) => choice.type === type);
  if (isEvery('object') && present.every(({ patternProperties }) => patternProperties === undefined)) {
    const names = [...new Set(present.flatMap(({ properties }) => Object.keys(properties ?? {})))];
    const joined = names.map((name) => [name, unionShape(present.flatMap(({ properties }) => properties?.[name] ?? []))]);
    return { type: 'object', nullable: true, properties: Object.fromEntries(joined) };
  }
  if (isEvery('array')) return { type: 'array', nullable: true, items: unionShape(present.flatMap(({ items }) => items ?? [])) };
  if (present.some(({ type }) => type === 'object' || type === 'array'))
    throw new Error('A union of objects and other values cannot be serialized.');
  return isEvery('string') || isEvery('boolean') ? declaredShape(first) : {};
}
