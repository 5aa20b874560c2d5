import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type ErrorCode, isStorable, ServiceError } from '#core/kernel';
import { CODE } from '#core/platform/fields';
import { maskCardNumbers } from '#shared/card-numbers';
import { checkFormats } from './formats.ts';
import { checkTexts, refuseCardNumber } from './free-text.ts';
import { choicesOf, requirementOf } from './requirements.ts';

type Schema = Readonly<Record<string, unknown>>;

const compiled = new WeakMap<TObject, Validator>();

/** Returns the validator of a schema. It is compiled on first use, because compiling hundreds of them would delay the start. */
function validatorOf(schema: TObject): Validator {
  const known = compiled.get(schema);
  if (known) return known;
  const validator = Compile(schema);
  compiled.set(schema, validator);
  return validator;
}

/** Checks a body or a query against its schema. @throws the API error of the first problem. */
export function check(schema: TObject, value: unknown): void {
  const validator = validatorOf(schema);
  if (validator.Check(value)) {
    checkFormats(schema, value);
    checkTexts(schema, value);
    return;
  }
  const faults = validator.Errors(value);
  const missing = faults.find((fault) => fault.keyword === 'required');
  if (missing?.keyword === 'required') {
    const [name = ''] = missing.params.requiredProperties;
    const field = [...segments(missing.instancePath), name].join('.');
    throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required.`, { field });
  }
  const unknown = faults.find((fault) => fault.keyword === 'additionalProperties');
  if (unknown?.keyword === 'additionalProperties') {
    const [name = ''] = unknown.params.additionalProperties;
    const field = [...segments(unknown.instancePath), name].join('.');
    throw new ServiceError('VALIDATION_ERROR', `There is no field \`${field.slice(0, 100)}\`.`, { field });
  }
  const path = segments(faults[0]?.instancePath ?? '');
  const rule = schemaAt(schema as unknown as Schema, path);
  const field = fieldName(path, rule);
  const code = choicesOf(rule ?? {}).find((choice) => choice[CODE] !== undefined)?.[CODE] ?? rule?.[CODE] ?? 'VALIDATION_ERROR';
  const requirement = requirementOf(rule, valueAt(value, path));
  throw new ServiceError(
    code as ErrorCode,
    field === undefined ? `The request must ${requirement}.` : `\`${field}\` must ${requirement}.`,
    {
      field,
    },
  );
}

/** Returns the field name for the caller: an entry of a list of plain values has the name of the list. */
function fieldName(path: readonly string[], rule: Schema | undefined): string | undefined {
  const isPlainEntry = /^\d+$/.test(path.at(-1) ?? '') && rule?.properties === undefined;
  const named = isPlainEntry ? path.slice(0, -1) : path;
  return named.join('.') || undefined;
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the schema of the field at a path, through lists, unions and records. */
function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  for (const choice of choicesOf(schema)) {
    const { properties, items, patternProperties } = choice as Readonly<
      Record<'properties' | 'patternProperties', Record<string, Schema>>
    > & {
      readonly items?: Schema;
    };
    const next = properties?.[name] ?? (/^\d+$/.test(name) ? items : undefined) ?? Object.values(patternProperties ?? {})[0];
    const found = next && schemaAt(next, rest);
    if (found) return found;
  }
  return undefined;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[name], value);
}

const UNSTORABLE_ESCAPE = /\\u0000|\\u[dD][89a-fA-F]/;
/** Largest depth of a body, because handlers walk it recursively. */
const DEPTH_MAX = 64;
const OPENING_BRACE = '{'.charCodeAt(0);
const OPENING_BRACKET = '['.charCodeAt(0);
const CLOSING_BRACE = '}'.charCodeAt(0);
const CLOSING_BRACKET = ']'.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
/** Longest space between a name and its colon that is searched. */
const SPACE_MAX = 100;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const CHARSET = /;\s*charset="?([^";\s]+)/i;

/**
 * Returns the text of a JSON body, without a byte order mark. Bytes that are not UTF-8 are refused, because decoding would replace the letters of a name.
 * @throws VALIDATION_ERROR.
 */
export function bodyText(headers: IncomingHttpHeaders, body: Buffer): string {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new ServiceError('VALIDATION_ERROR', 'Send the body without compression.', { field: 'Content-Encoding' });
  const [, charset = 'utf-8'] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  if (!/^(utf-?8|us-ascii)$/i.test(charset) || !isUtf8(body))
    throw new ServiceError('VALIDATION_ERROR', 'Send the body in UTF-8.', { field: 'Content-Type' });
  const hasMark = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return body.toString('utf8', hasMark ? BYTE_ORDER_MARK.length : 0);
}

/**
 * Parses a JSON body. Rejects NUL and unpaired surrogates, which not every database can store, and names that would change a prototype.
 * @throws VALIDATION_ERROR.
 */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('VALIDATION_ERROR', 'The body is not JSON.', { cause });
  }
  const { depth, names } = scan(text);
  if (depth > DEPTH_MAX) throw new ServiceError('VALIDATION_ERROR', `The body is nested deeper than ${DEPTH_MAX} levels.`);
  if (names !== countNames(value)) throw repeatedName(text);
  if (LONG_NUMBER.test(text)) refuseInexactNumbers(text);
  if (UNSTORABLE_ESCAPE.test(text) || !text.isWellFormed()) refuseUnstorable(value, '');
  // A name may be written with escapes.
  if (text.includes('\\u') || text.includes('__proto__') || text.includes('constructor')) refusePrototype(value, '');
  return value;
}

/**
 * Finds a number that may have more digits than JavaScript keeps, by the sign in front of a value. Texts with long numbers are common, and the
 * examination of every value of a large body would block other requests.
 */
const LONG_NUMBER = /[:[,]\s*-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;

/** Refuses numbers that would be changed, because a number of JavaScript (IEEE 754) keeps about 16 digits. @throws VALIDATION_ERROR. */
function refuseInexactNumbers(text: string): void {
  // The types of this version of TypeScript do not have the source of a value.
  const parse = JSON.parse as (json: string, revive: (name: string, value: unknown, context: { source?: string }) => unknown) => unknown;
  parse(text, (name, value, { source }) => {
    if (typeof value !== 'number' || source === undefined || decimalOf(source) === decimalOf(String(value))) return value;
    const field = maskCardNumbers(name.toWellFormed()).slice(0, 100);
    throw new ServiceError('VALIDATION_ERROR', `\`${field}\` has more digits than a number of JSON keeps. Send it as text.`, { field });
  });
}

/** Returns the digits of a number without zeros at either end, and the power of ten of the last one, so that equal numbers have equal texts. */
function decimalOf(number: string): string {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${decimals}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return whole === '' ? number : '0';
  return `${sign}${significant}e${Number(exponent) - decimals.length + digits.length - significant.length}`;
}

/** Returns the depth of a valid JSON text and the number of names in its objects. */
function scan(text: string): { depth: number; names: number } {
  let [depth, deepest, names] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at);
    else if (sign === COLON) names += 1;
    else if (sign === OPENING_BRACE || sign === OPENING_BRACKET) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (sign === CLOSING_BRACE || sign === CLOSING_BRACKET) depth -= 1;
  }
  return { depth: deepest, names };
}

/** Returns the position of the quotation mark that ends a text. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/** Returns the number of names in the objects of a parsed value, in which a repeated name is one. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += countNames(each);
    return count;
  }
  for (const name of Object.keys(value)) count += 1 + countNames((value as Readonly<Record<string, unknown>>)[name]);
  return count;
}

/** Returns the error for a text with a repeated name, of which other programs use the first value and this one would use the last. */
function repeatedName(text: string): ServiceError {
  const open: Set<string>[] = [];
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (sign === '{' || sign === '[') open.push(new Set());
    else if (sign === '}' || sign === ']') open.pop();
    else if (/^\s*:/.test(text.slice(index + sign.length, index + sign.length + SPACE_MAX))) {
      const name = JSON.parse(sign) as string;
      const names = open.at(-1);
      if (names?.has(name)) {
        const field = maskCardNumbers(name.toWellFormed()).slice(0, 100);
        return new ServiceError('VALIDATION_ERROR', `\`${field}\` is given more than once. Send each field once.`, { field });
      }
      names?.add(name);
    }
  }
  return new ServiceError('VALIDATION_ERROR', 'A field is given more than once. Send each field once.');
}

function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === 'string' && !isStorable(value)) {
    throw new ServiceError('VALIDATION_ERROR', 'Text must not contain NUL or an unpaired surrogate.', {
      field: path.slice(1) || undefined,
    });
  }
  forEachEntry(value, (name, inner) => {
    if (!isStorable(name)) throw new ServiceError('VALIDATION_ERROR', 'A name must not contain NUL or an unpaired surrogate.');
    refuseUnstorable(inner, `${path}.${name}`);
  });
}

function refusePrototype(value: unknown, path: string): void {
  forEachEntry(value, (name, inner) => {
    if (name === '__proto__' || name === 'constructor' || name === 'prototype') {
      throw new ServiceError('VALIDATION_ERROR', `The name ${name} is not allowed.`, { field: `${path}.${name}`.slice(1) });
    }
    refusePrototype(inner, `${path}.${name}`);
  });
}

function forEachEntry(value: unknown, visit: (name: string, inner: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) visit(name, (value as Record<string, unknown>)[name]);
}

/** Checks that path parameters can be used in queries and contain no card number, because error messages repeat them. */
export function checkParams(params: unknown): void {
  for (const [name, value] of Object.entries(params as Record<string, string>)) {
    if (!isStorable(value))
      throw new ServiceError('VALIDATION_ERROR', 'Text must not contain NUL or an unpaired surrogate.', { field: name });
    refuseCardNumber(value, name);
  }
}

/** Returns the query as an object of texts. @throws VALIDATION_ERROR if a name is given twice. */
export function checkQuery(query: unknown): Record<string, string> {
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (typeof value !== 'string') throw new ServiceError('VALIDATION_ERROR', `\`${name}\` is given more than once.`, { field: name });
    if (!isStorable(value))
      throw new ServiceError('VALIDATION_ERROR', 'Text must not contain NUL or an unpaired surrogate.', { field: name });
  }
  return query as Record<string, string>;
}
