import { isDeepStrictEqual } from 'node:util';
import { AMOUNT, EXAMPLE } from '#core/platform/fields';

export type Json = Record<string, unknown>;
/** A JSON Schema as the routes declare it; a `title` makes it a named schema of the document. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

/** Returns the description of a field as a sentence; undefined if the field has none. */
export function descriptionOf(schema: Schema): string | undefined {
  const own = schema.description ?? schema.anyOf?.find(({ description }) => description !== undefined)?.description;
  return own && sentence(own);
}

const sentence = (text: string) => {
  const capitalized = /^[a-z]+[ ,:;.]|^[a-z]+$/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(capitalized) ? capitalized : `${capitalized}.`;
};

/** Writes schemas of the document: every field is described, and a named schema is written once and referred to by its name. */
export class SchemaWriter {
  /** Named schemas, under `components/schemas`. */
  readonly named = new Map<string, Json>();
  private readonly written = new Map<string, Schema>();
  /** Names of bodies without a name of their own, by their content. */
  private readonly bodies = new Map<string, string>();

  /** Returns a schema for the document. @throws Error if two different schemas have the same name. */
  write(schema: Schema): Json {
    const { title } = schema;
    if (title === undefined) return this.content(schema);
    const known = this.written.get(title);
    if (known === undefined) {
      this.written.set(title, schema);
      const { title: _, ...rest } = schema;
      const description = rest.description && sentence(rest.description);
      this.named.set(title, this.content({ ...rest, ...(description && { description }) }));
    } else if (known !== schema && !isDeepStrictEqual(known, schema)) throw new Error(`Two different schemas are named ${title}.`);
    return { $ref: `#/components/schemas/${title}` };
  }

  /**
   * Returns a reference to the body of a request or response. One without a name gets that of an equal one, or else the first of `names` that is free.
   * @throws Error if none is free.
   */
  writeBody(schema: Schema, names: readonly string[]): Json {
    if (schema.title !== undefined) return this.write(schema);
    const content = this.content(schema);
    const text = JSON.stringify(content);
    const name = this.bodies.get(text) ?? names.find((each) => !this.written.has(each));
    if (name === undefined) throw new Error(`Another schema is named ${names.join(' and ')}.`);
    this.bodies.set(text, name);
    this.written.set(name, schema);
    this.named.set(name, content);
    return { $ref: `#/components/schemas/${name}` };
  }

  private content(schema: Schema): Json {
    const {
      anyOf,
      properties,
      items,
      patternProperties,
      [AMOUNT]: _amount,
      [EXAMPLE]: _example,
      ...rest
    } = schema as Schema & { patternProperties?: Record<string, Schema> };
    if (anyOf) return this.union(rest, anyOf);
    return {
      ...rest,
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, this.field(field)])),
      }),
      ...(items && { items: this.write(items) }),
      ...(patternProperties && { additionalProperties: this.write(Object.values(patternProperties)[0] ?? {}) }),
    };
  }

  private field(schema: Schema): Json {
    const written = this.write(schema);
    // A named schema has its description where it is written.
    if (schema.title !== undefined) return written;
    const description = descriptionOf(schema);
    return description === undefined ? written : { ...written, description };
  }

  /** Returns a union in its shortest form: fixed values as `enum`, a simple type that may be null as a list of types. */
  private union(rest: Json, anyOf: readonly Schema[]): Json {
    const choices = flattened(anyOf);
    const present = choices.filter(({ type }) => type !== 'null');
    const hasNull = present.length < choices.length;
    const values = present.map((choice) => choice.const);
    if (present.length > 0 && present.every((choice) => 'const' in choice && typeof choice.const === 'string'))
      return { ...rest, type: hasNull ? ['string', 'null'] : 'string', enum: hasNull ? [...values, null] : values };
    const [only] = present;
    if (only !== undefined && present.length === 1) {
      const written = this.write(only);
      if (!hasNull) return { ...written, ...rest };
      if (typeof written.type === 'string' && !('const' in written) && !('enum' in written))
        return { ...written, ...rest, type: [written.type, 'null'] };
    }
    return { ...rest, anyOf: choices.map((choice) => this.write(choice)) };
  }
}

/** Returns the alternatives of a union; those of a union within it have no description of their own. */
function flattened(anyOf: readonly Schema[]): readonly Schema[] {
  return anyOf.flatMap((choice) => (choice.anyOf && choice.title === undefined ? flattened(choice.anyOf) : [choice]));
}
