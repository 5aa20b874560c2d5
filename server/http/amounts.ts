import type { TSchema } from 'typebox';
import { type Money, toNumber } from '#core/kernel';
import { AMOUNT } from '#core/platform/fields';

interface Schema {
  readonly [AMOUNT]?: true;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Places of the amounts in a value; null if it has none. */
type Places = 'here' | { readonly fields: ReadonlyMap<string, Places>; readonly each: Places | null } | null;

const known = new WeakMap<object, Places>();

/** Returns a value of a schema with its amounts as numbers in major units. Only the objects that contain amounts are copied. */
export const withNumbers = (schema: TSchema, value: unknown): unknown => converted(value, placesIn(schema as Schema));

function placesIn(schema: Schema): Places {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const places = search(schema);
  known.set(schema, places);
  return places;
}

function search({ [AMOUNT]: isAmount, properties, patternProperties, items, anyOf }: Schema): Places {
  if (isAmount) return 'here';
  if (anyOf) return anyOf.map(placesIn).reduce(joined, null);
  const fields = new Map(Object.entries(properties ?? {}).map(([name, field]) => [name, placesIn(field)] as const));
  for (const [name, places] of fields) if (places === null) fields.delete(name);
  const [values] = Object.values(patternProperties ?? {});
  const inner = items ?? values;
  const each = inner === undefined ? null : placesIn(inner);
  return fields.size === 0 && each === null ? null : { fields, each };
}

/** Returns the places of both alternatives of a union. */
function joined(one: Places, other: Places): Places {
  if (one === null || other === null) return one ?? other;
  if (one === 'here' || other === 'here') return 'here';
  const names = new Set([...one.fields.keys(), ...other.fields.keys()]);
  const fields = new Map([...names].map((name) => [name, joined(one.fields.get(name) ?? null, other.fields.get(name) ?? null)] as const));
  return { fields, each: joined(one.each, other.each) };
}

/** Converts the amounts of a value. A value that is a number already stays as it is. */
function converted(value: unknown, places: Places): unknown {
  if (places === null || typeof value !== 'object' || value === null) return value;
  if (places === 'here') return toNumber(value as Money);
  const { fields, each } = places;
  if (Array.isArray(value)) return value.map((item) => converted(item, each));
  if (each !== null) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, converted(item, each)]));
  const copy: Record<string, unknown> = { ...value };
  for (const [name, inner] of fields) if (copy[name] !== undefined) copy[name] = converted(copy[name], inner);
  return copy;
}
