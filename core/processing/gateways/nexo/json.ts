/** An object of a message whose fields are not checked yet. Numbers are texts, because amounts must not become binary fractions. */
export type Fields = Readonly<Record<string, unknown>>;

const LIST_MAX = 100;

type Revive = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
// The types of this version of TypeScript do not have the source of a value.
const parse = JSON.parse as (text: string, revive: Revive) => unknown;
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Returns a number of JSON with exactly these digits. */
export const numberOf = (decimal: string): unknown => rawJSON(decimal);

/** Returns the object of a JSON text; undefined if it is none, or nested deeper than `depthMax`. */
export function readJson(text: string, depthMax: number): Fields | undefined {
  if (!isWithinDepth(text, depthMax)) return undefined;
  try {
    const value = parse(text, (_, inner, { source }) => (typeof inner === 'number' ? (source ?? String(inner)) : inner));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns false if the brackets of a text outside of its strings are nested deeper than `depthMax`. */
function isWithinDepth(text: string, depthMax: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\' && isInString) at += 1;
    else if (sign === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > depthMax) return false;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return true;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a member of an object; undefined if it is inherited. */
const memberOf = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

/** Returns an object within an object by the names of its path; empty if there is none. */
export function groupIn(fields: Fields, ...path: readonly string[]): Fields {
  return path.reduce<Fields>((inner, name) => {
    const value = memberOf(inner, name);
    return isFields(value) ? value : {};
  }, fields);
}

export function textIn(fields: Fields, name: string): string | undefined {
  const value = memberOf(fields, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the first members of a list; empty if there is none. */
export function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = memberOf(fields, name);
  return Array.isArray(value) ? value.slice(0, LIST_MAX) : [];
}

/** Returns the objects of a list. */
export const groupsIn = (fields: Fields, name: string): readonly Fields[] => listIn(fields, name).filter(isFields);
