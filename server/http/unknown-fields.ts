import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import { ServiceError } from '#core/kernel';
import { maskCardNumbers } from '#shared/card-numbers';
import {
  askedKind,
  CAPTURE_NAMES,
  isOtherNameOf,
  type Meaning,
  meaningOf,
  normalized,
  otherSpellings,
  resembles,
  SECURITY_CODES,
} from './field-names.ts';
import { refuseCardNumbers } from './free-text.ts';
import type { Route } from './route.ts';

const AMOUNT = 'amount';
const INVOICE_ID = 'invoiceid';
const NAME_MAX = 100;
/** Number of different unknown fields in a body, because each name is compared with all declared ones. */
const UNKNOWN_MAX = 100;

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: object;
  readonly items?: Shape;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly const?: unknown;
}
type Fields = Readonly<Record<string, unknown>>;

/** Names of the caller for the documented fields of a body. */
export interface SentNames {
  /** Returns the path of a documented field as the caller spelled it, or would have spelled it. */
  nameOf(path: string): string;
}

/** Names of a body in which every field has its documented spelling. */
export const DOCUMENTED_NAMES: SentNames = { nameOf: (path) => path };

/** The fields of a body that an operation has. */
interface KnownFields {
  readonly body: object;
  /** Paths of the fields that are ignored, as sent; of the entries of a list, the first one that has the field. */
  readonly ignored: readonly string[];
  readonly sentNames: SentNames;
}

/** Declaration of an operation, as far as it determines the fields of its body. */
export type FieldRules = Pick<Route, 'method' | 'response' | 'rate'> & {
  /** Absent for forms. */
  readonly path?: string;
  readonly body: TObject;
  /** True if fields are accepted in camelCase and in PascalCase, whichever is documented. */
  readonly isEitherSpelling?: boolean;
};

/**
 * Returns a body without the fields that the operation does not have, at any depth, under their documented names, and without optional fields that are
 * not given (`notGiven`). A PUT may contain the read-only fields of
 * the record, so that a response of GET can be sent back.
 * @throws VALIDATION_ERROR for a field that the caller must not believe to be used: its name resembles that of a declared one, or it would change an amount,
 * the authentication of the payer or the way of charging. Also for a card number in an ignored field, and for too many of these.
 */
export function knownFieldsOf(rules: FieldRules, body: object): KnownFields {
  const reading = new Reading(rules);
  const shown = rules.method === 'PUT' ? [{ type: 'object', properties: recordOf(rules.response) }] : NO_SHAPES;
  const read = reading.read(body, { shapes: [rules.body as Shape], shown, path: '', sentPath: '' }) as object;
  return { body: read, ignored: reading.ignored, sentNames: reading.sentNames() };
}

interface Place {
  readonly shapes: readonly Shape[];
  /** Shapes of the record in the response, whose fields a PUT may contain. */
  readonly shown: readonly Shape[];
  readonly path: string;
  readonly sentPath: string;
}

const NO_SHAPES: readonly Shape[] = [];
const INDEX = /(?<=^|\.)\d+(?=\.|$)/g;

/** Reads the fields of one body. */
class Reading {
  readonly ignored: string[] = [];
  readonly #rules: FieldRules;
  readonly #root: Fields;
  readonly #seen: string[] = [];
  /** Null while all names are documented ones, as in nearly all bodies. */
  #sentPaths: Map<string, string> | null = null;
  /** Number of fields of the body itself in their documented spelling. */
  #documented = 0;

  constructor(rules: FieldRules) {
    this.#rules = rules;
    this.#root = rules.body.properties;
  }

  read(value: unknown, place: Place): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return this.#readList(value, place);
    const shapes = objectsIn(place.shapes);
    // The names in such an object are those of the caller.
    if (shapes.length === 0 || shapes.some(({ patternProperties }) => patternProperties !== undefined)) return value;
    const known: Record<string, unknown> = {};
    let isChanged = false;
    for (const name of Object.keys(value)) {
      const given = (value as Fields)[name];
      const declared = this.#declaredName(name, shapes);
      if (declared === undefined) {
        isChanged = true;
        this.#ignore(name, value as Fields, place, shapes);
        continue;
      }
      if (isEmpty(given) && !shapes.some(({ required }) => required?.includes(declared))) {
        const meant = meantByEmpty(given, fieldsNamed(declared, shapes), this.#rules.method);
        if (meant !== given) {
          isChanged = true;
          if (meant === null) known[declared] = null;
          continue;
        }
      }
      const inner = this.#readField(given, declared, name, shapes, place);
      if (declared !== name) this.#rename(declared, name, value as Fields, place);
      else if (place.path === '') this.#documented += 1;
      known[declared] = inner;
      isChanged ||= inner !== given || declared !== name;
    }
    return isChanged ? known : value;
  }

  #readField(given: unknown, declared: string, name: string, shapes: readonly Shape[], { shown, path, sentPath }: Place): unknown {
    if (typeof given !== 'object' || given === null) return given;
    return this.read(given, {
      shapes: fieldsNamed(declared, shapes),
      shown: fieldsNamed(declared, objectsIn(shown)),
      path: join(path, declared),
      sentPath: join(sentPath, name),
    });
  }

  #readList(list: readonly unknown[], { shapes, shown, path, sentPath }: Place): unknown {
    const [items, shownItems] = [itemsOf(shapes), itemsOf(shown)];
    if (items.length === 0) return list;
    const read = list.map((each, index) =>
      this.read(each, { shapes: items, shown: shownItems, path: join(path, String(index)), sentPath: join(sentPath, String(index)) }),
    );
    return read.every((each, index) => each === list[index]) ? list : read;
  }

  #declaredName(name: string, shapes: readonly Shape[]): string | undefined {
    if (shapes.some(({ properties }) => properties !== undefined && Object.hasOwn(properties, name))) return name;
    if (!this.#rules.isEitherSpelling) return undefined;
    for (const { properties } of shapes) {
      const declared = properties && spellingsOf(properties).get(name);
      if (declared !== undefined) return declared;
    }
    return undefined;
  }

  /** Notes the spelling of the caller. @throws VALIDATION_ERROR if the field is given twice with different values. */
  #rename(declared: string, name: string, object: Fields, { path, sentPath }: Place): void {
    const twice = [declared, ...otherSpellings(declared)].find((each) => each !== name && Object.hasOwn(object, each));
    if (twice !== undefined && !isDeepStrictEqual(object[twice], object[name])) {
      const [one, other] = [shownPath(join(sentPath, name)), shownPath(join(sentPath, twice))];
      throw new ServiceError(
        'VALIDATION_ERROR',
        `\`${one}\` and \`${other}\` are the same field, with different values. Send one of them.`,
        {
          field: one,
        },
      );
    }
    this.#sentPaths ??= new Map();
    this.#sentPaths.set(join(path, declared), join(sentPath, name));
  }

  #ignore(name: string, object: Fields, { shown, sentPath }: Place, shapes: readonly Shape[]): void {
    if (objectsIn(shown).some(({ properties }) => properties !== undefined && Object.hasOwn(properties, name))) return;
    const path = join(sentPath, name);
    const names = shapes.flatMap(({ properties = {} }) => Object.keys(properties));
    const meant = names.find((each) => !Object.hasOwn(object, each) && isOtherNameOf(name, each));
    if (meant !== undefined) throw misspelled(path, meant);
    // The entries of a list repeat their names.
    const place = path.replaceAll(INDEX, '0');
    const isSeen = this.#seen.includes(place);
    const resembled = isSeen ? undefined : names.find((each) => resembles(name, each));
    if (resembled !== undefined) throw misspelled(path, resembled);
    refuseCardNumbers(object[name], sentPath, name);
    if (isSeen) return;
    this.#refuseMeaning(name, object, path);
    this.#seen.push(place);
    if (this.#seen.length > UNKNOWN_MAX)
      throw new ServiceError('VALIDATION_ERROR', `The body has more than ${UNKNOWN_MAX} fields that this operation does not have.`);
    this.ignored.push(path);
  }

  #refuseMeaning(name: string, object: Fields, path: string): void {
    const { rate, body } = this.#rules;
    const field = shownPath(path);
    const isSale = rate === 'create-transaction';
    const asked = isSale && path === name ? askedKind(name, object[name]) : null;
    if (asked === 'movement')
      throw new ServiceError(
        'VALIDATION_ERROR',
        `There is no field \`${field}\`: this operation always charges the amount. Refunds, credits and voids have operations of their own.`,
        { field },
      );
    if (asked === 'authorization' || (isSale && CAPTURE_NAMES.has(normalized(name)))) throw noCaptureMode(field, this.#root);
    if (SECURITY_CODES.has(normalized(name)) && chargesWithoutCode(body as Shape))
      throw new ServiceError('VALIDATION_ERROR', `There is no field \`${field}\`: this operation takes no security code. Leave it out.`, {
        field,
      });
    if (path === name && normalized(name) === INVOICE_ID && takesPayment(this.#rules))
      throw new ServiceError(
        'VALIDATION_ERROR',
        `There is no field \`${field}\`: this operation does not pay an invoice. Pay it with \`POST /api/v1/invoices/{id}/payment\`.`,
        { field },
      );
    const meaning = meaningOf(name);
    if (meaning !== null) throw notIgnored(meaning, field, Object.keys(this.#root));
  }

  sentNames(): SentNames {
    const sentPaths = this.#sentPaths;
    if (sentPaths === null) return DOCUMENTED_NAMES;
    const isOtherStyle = this.#documented === 0;
    return {
      nameOf: (path) => {
        const names = path.split('.');
        for (let length = names.length; length > 0; length -= 1) {
          const sent = sentPaths.get(names.slice(0, length).join('.'));
          if (sent !== undefined) return [sent, ...names.slice(length)].join('.');
        }
        const [first = '', ...rest] = names;
        return isOtherStyle && Object.hasOwn(this.#root, first) ? [otherSpellings(first)[0], ...rest].join('.') : path;
      },
    };
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
/** Returns the path of an unknown field for an error. */
const shownPath = (path: string) => maskCardNumbers(path).slice(0, NAME_MAX);

function misspelled(path: string, meant: string): ServiceError {
  const field = shownPath(path);
  return new ServiceError('VALIDATION_ERROR', `There is no field \`${field}\`. Did you mean \`${meant}\`?`, { field });
}

function noCaptureMode(field: string, properties: Fields): ServiceError {
  const message =
    'type' in properties
      ? `There is no field \`${field}\`. To authorize only, send \`type\` with the value \`auth\`.`
      : 'TransactionType' in properties
        ? `There is no field \`${field}\`. To authorize only, send \`TransactionType\` with the value \`0\`.`
        : `There is no field \`${field}\`. This operation always captures. Authorize with \`POST /api/v1/transactions\` and \`type\` \`auth\`.`;
  return new ServiceError('VALIDATION_ERROR', message, { field });
}

function notIgnored(meaning: Meaning, field: string, names: readonly string[]): ServiceError {
  const amounts = names.filter((name) => name.toLowerCase().endsWith('amount'));
  const message =
    meaning === 'charge'
      ? `There is no field \`${field}\` in this operation, and a payment without it would be another one. Leave it out.`
      : meaning === 'currency'
        ? `There is no field \`${field}\`: this operation cannot choose the currency. Leave it out.`
        : amounts.length === 0
          ? `There is no field \`${field}\`: this operation takes no amount.`
          : `There is no field \`${field}\`. Amounts of this operation: ${amounts.join(', ')}.`;
  return new ServiceError('VALIDATION_ERROR', message, { field });
}

/** Returns true for an operation whose new record shows the invoice that it pays, so that callers may believe that they choose it. */
function takesPayment({ path = '', response, body }: FieldRules): boolean {
  const has = (fields: object, meant: string) => Object.keys(fields).some((name) => normalized(name) === meant);
  return has(body.properties, AMOUNT) && !path.includes(':') && !path.startsWith('/invoices') && has(recordOf(response), INVOICE_ID);
}

/** Returns true for an operation that charges a customer without a security code. It could not be checked, because codes are never stored until the charge. */
function chargesWithoutCode(shape: Shape): boolean {
  const names = Object.keys(shape.properties ?? {});
  return names.includes('amount') && names.includes('customerId') && !takesSecurityCode(shape);
}

function takesSecurityCode({ properties = {}, anyOf = [] }: Shape): boolean {
  if (Object.keys(properties).some((name) => SECURITY_CODES.has(normalized(name)))) return true;
  return [...Object.values(properties), ...anyOf].some(takesSecurityCode);
}

/** Returns the alternatives of schemas that are objects with declared fields, or with the caller's own. */
function objectsIn(shapes: readonly Shape[]): readonly Shape[] {
  const [only] = shapes;
  if (shapes.length === 1 && only?.type === 'object') return shapes;
  return shapes.flatMap((shape) => (shape.anyOf === undefined ? [shape] : objectsIn(shape.anyOf))).filter(({ type }) => type === 'object');
}

function itemsOf(shapes: readonly Shape[]): readonly Shape[] {
  return shapes.flatMap(({ items, anyOf = [] }) => (items === undefined ? itemsOf(anyOf) : [items]));
}

function fieldsNamed(name: string, shapes: readonly Shape[]): readonly Shape[] {
  return shapes.flatMap(({ properties }) => {
    const field = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return field === undefined ? [] : [field];
  });
}

const BLANK = /^\s*$/;

const isEmpty = (given: unknown): given is string | null => given === null || (typeof given === 'string' && BLANK.test(given));

/**
 * Returns the meaning of an optional field that is null or blank: programs send both for fields that they do not have. Undefined means that the field is
 * not given. Null clears a field that accepts it, and so does a blank text. In a PUT, a blank text of another field is a value, which empties it.
 */
function meantByEmpty(given: string | null, shapes: readonly Shape[], method: string): string | null | undefined {
  const choices = shapes.flatMap(({ anyOf, ...shape }) => anyOf ?? [shape]);
  if (choices.some((shape) => shape.const === given)) return given;
  if (choices.some(({ type }) => type === 'null')) return null;
  return given === null || method !== 'PUT' ? undefined : given;
}

const spellings = new WeakMap<object, ReadonlyMap<string, string>>();

/** Returns the documented names of an object by their other spellings. */
function spellingsOf(properties: Readonly<Record<string, Shape>>): ReadonlyMap<string, string> {
  const known = spellings.get(properties);
  if (known !== undefined) return known;
  const found = new Map(Object.keys(properties).flatMap((name) => otherSpellings(name).map((other) => [other, name] as const)));
  spellings.set(properties, found);
  return found;
}

/**
 * Returns the body of a PUT without objects that the response of GET shows in place of what a request contains, such as the `card` of a subscription
 * with its last digits. Such an object has fields of the response only, and lacks what a request requires.
 */
export function withoutShownObjects(
  { method, response, ...route }: Pick<Route, 'method' | 'response'> & { readonly body: TObject },
  body: object,
): object {
  if (method !== 'PUT') return body;
  const shown = recordOf(response);
  const isShown = (name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const [asked, answered] = [objectIn(route.body.properties[name]), objectIn(shown[name])];
    const required = asked?.required ?? [];
    if (answered === undefined || required.every((field) => field in (answered.properties ?? {}))) return false;
    return Object.keys(value).every((field) => field in (answered.properties ?? {}));
  };
  const kept = Object.entries(body).filter(([name, value]) => !isShown(name, value));
  return kept.length === Object.keys(body).length ? body : Object.fromEntries(kept);
}

const objectIn = (shape: Shape | undefined): Shape | undefined =>
  shape?.anyOf === undefined ? shape : shape.anyOf.map(objectIn).find((choice) => choice?.type === 'object');

/** Returns the fields of the record in a response. */
function recordOf(response: unknown): Readonly<Record<string, Shape>> {
  const properties = objectIn(response as Shape | undefined)?.properties;
  return objectIn(properties?.data)?.properties ?? properties ?? {};
}
