export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

const SIMPLE: Readonly<Record<string, string>> = { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' };
const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False'.split(
    ' ',
  ),
);
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns a name in the style of Python: `start_date` for `startDate`, and `from_` for `from`. */
export function snakeCase(name: string): string {
  const text = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/\W/g, '_')
    .toLowerCase();
  return KEYWORDS.has(text) ? `${text}_` : text;
}

/** Returns a name in the style of classes: `CreateTransaction` for `createTransaction`. */
export const pascalCase = (name: string): string =>
  name
    .split(/\W+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** Writes the Python types of JSON schemas. Only types that are used are written, each once. */
export class TypeWriter {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #written = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  /** Declarations by the name of their type. */
  get declarations(): ReadonlyMap<string, string> {
    return this.#written;
  }

  /** Returns the schema that a reference names, or the schema itself. */
  resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (this.#schemas[nameOf(schema.$ref)] ?? {});
  }

  /** Returns the type of a schema as text. An object without a name gets the given one. */
  typeOf(schema: Schema, name: string): string {
    const { $ref, anyOf, enum: values, type, items, properties, additionalProperties } = schema;
    if ($ref !== undefined) return this.#named(nameOf($ref));
    if ('const' in schema) return literal([schema.const]);
    if (values !== undefined) return literal(values);
    if (anyOf !== undefined) {
      const types = anyOf.map((each, index) => this.typeOf(each, index === 0 ? name : `${name}${index + 1}`));
      // A number that may be sent as text is an amount or a rate, for which programs use exact decimals.
      return union(types.includes('float') && types.includes('str') ? [...types, 'Decimal'] : types);
    }
    if (Array.isArray(type)) return union(type.map((each) => this.typeOf({ ...schema, type: each }, name)));
    if (type === 'array') return `list[${items === undefined ? 'Any' : this.typeOf(items, `${name}Item`)}]`;
    if (properties !== undefined && Object.keys(properties).length > 0) return this.#record(name, schema);
    if (type === 'object')
      return `dict[str, ${typeof additionalProperties === 'object' ? this.typeOf(additionalProperties, `${name}Value`) : 'Any'}]`;
    return SIMPLE[String(type)] ?? 'Any';
  }

  #named(name: string): string {
    if (this.#written.has(name)) return name;
    const schema = this.#schemas[name] ?? {};
    if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return this.#record(name, schema);
    // A name that refers to itself is known before its type is written.
    this.#written.set(name, '');
    this.#written.set(name, `${name}: TypeAlias = "${this.typeOf(schema, name).replaceAll('"', "'")}"\n`);
    return name;
  }

  #record(name: string, { properties = {}, required = [] }: Schema): string {
    if (this.#written.has(name)) return name;
    this.#written.set(name, '');
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.typeOf(schema, `${name}${pascalCase(field)}`);
      return [field, required.includes(field) ? type : `NotRequired[${type}]`] as const;
    });
    const isClass = fields.every(([field]) => IDENTIFIER.test(field) && !KEYWORDS.has(field) && !field.startsWith('__'));
    const lines = isClass
      ? [`class ${name}(TypedDict):`, ...fields.map(([field, type]) => `    ${field}: ${type}`)]
      : [
          `${name} = TypedDict(`,
          `    "${name}",`,
          '    {',
          ...fields.map(([field, type]) => `        ${JSON.stringify(field)}: "${type.replaceAll('"', "'")}",`),
          '    },',
          ')',
        ];
    this.#written.set(name, `${lines.join('\n')}\n`);
    return name;
  }
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Returns a union without repetitions. */
export const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const literal = (values: readonly unknown[]): string => `Literal[${values.map(python).join(', ')}]`;

/** Returns a value as Python writes it. A Literal has no decimal numbers, which JSON does not distinguish from whole ones. */
function python(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}
