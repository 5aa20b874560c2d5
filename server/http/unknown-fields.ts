import type { TObject } from 'typebox';
import { ServiceError } from '#core/kernel';
import { maskCardNumbers } from '#shared/card-numbers';
import { editDistance } from '#shared/edit-distance';
import type { Route } from './route.ts';

const NAME_MAX = 100;
/** Shorter names must match; one letter more makes another word of them. */
const SHORT_NAME = 4;
const LONG_NAME = 7;

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: object;
  readonly items?: Shape;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
}

const readOnlyFields = new WeakMap<TObject, ReadonlySet<string>>();

/** Normalized name of the field whose absence means the whole amount. */
const AMOUNT = 'amount';
const CURRENCY = 'currency';

/**
 * Checks that a body has no misspelled field, at any depth: one that the route does not declare, and that resembles a declared one which is
 * absent. A name that ends in that of an absent `amount` resembles it, and an `amount`, or a part of it such as `tipAmount`, is refused where there is none. It would change the meaning of the request, such as the amount of a refund (decision record 48). Other unknown fields are ignored.
 * Returns the body without unknown fields. A PUT may contain the read-only fields of the record, so that a response of GET can be sent back.
 * @throws VALIDATION_ERROR with the misspelled field.
 */
export function knownFieldsOf(route: Pick<Route, 'method' | 'response' | 'rate'> & { readonly body: TObject }, body: object): object {
  const readOnly = route.method === 'PUT' ? readOnlyFieldsOf(route) : undefined;
  const sent = readOnly === undefined ? body : Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.has(name)));
  const misspelled = firstMisspelled(sent, route.body as Shape);
  const { properties } = route.body;
  if (route.method === 'POST') {
    refuseAmount(sent, properties);
    refuseParts(sent, properties);
    refuseCurrency(sent, properties);
    refuseSecurityCode(sent, route.body as Shape);
    if (route.rate === 'create-transaction') {
      refuseCaptureMode(sent, properties);
      refuseOtherMovement(sent, properties);
    }
  }
  if (misspelled === undefined) {
    if (Object.keys(sent).every((name) => Object.hasOwn(properties, name))) return sent;
    return Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(properties, name)));
  }
  const field = maskCardNumbers(misspelled.path).slice(0, NAME_MAX);
  throw new ServiceError('VALIDATION_ERROR', `There is no field \`${field}\`. Did you mean \`${misspelled.meant}\`?`, { field });
}

/**
 * Refuses `amount` in the body of an operation without it, which would ignore it: a void, which always concerns the whole amount, or an operation with an amount
 * of another name. @throws VALIDATION_ERROR.
 */
export function refuseAmount(body: object, properties: object = {}): void {
  const names = Object.keys(properties);
  const field = Object.keys(body).find((name) => name.toLowerCase() === AMOUNT);
  if (field === undefined || names.some((name) => name.toLowerCase() === AMOUNT)) return;
  throw noSuchAmount(field, names);
}

/** Parts of the amount of a payment, and its discount, as normalized names. */
const PARTS: ReadonlySet<string> = new Set(['tipamount', 'surchargeamount', 'taxamount', 'discountamount']);

/** Refuses a part beside the amount of an operation that does not take it, such as a tip on the payment of an invoice. @throws VALIDATION_ERROR. */
function refuseParts(body: object, properties: object): void {
  const names = Object.keys(properties);
  const declared = new Set(names.map(normalized));
  if (!declared.has(AMOUNT)) return;
  const field = Object.keys(body).find((name) => PARTS.has(normalized(name)) && !declared.has(normalized(name)));
  if (field !== undefined) throw noSuchAmount(field, names);
}

function noSuchAmount(field: string, names: readonly string[]): ServiceError {
  const amounts = names.filter((name) => name.toLowerCase().endsWith(AMOUNT));
  const message =
    amounts.length === 0
      ? `There is no field \`${field}\`: this operation takes no amount.`
      : `There is no field \`${field}\`. Amounts of this operation: ${amounts.join(', ')}.`;
  return new ServiceError('VALIDATION_ERROR', message, { field });
}

/**
 * Refuses `currency` beside an amount in an operation without it, which would take the amount in another currency: that of the payment in a refund. @throws
 * VALIDATION_ERROR.
 */
function refuseCurrency(body: object, properties: object): void {
  const isDeclared = (searched: string) => Object.keys(properties).some((name) => name.toLowerCase() === searched);
  const field = Object.keys(body).find((name) => name.toLowerCase() === CURRENCY);
  if (field === undefined || isDeclared(CURRENCY) || !isDeclared(AMOUNT)) return;
  throw new ServiceError('VALIDATION_ERROR', `There is no field \`${field}\`: this operation cannot choose the currency. Leave it out.`, {
    field,
  });
}

/** Normalized names of a security code. */
const SECURITY_CODES: ReadonlySet<string> = new Set(['cvv', 'cvv2', 'cvc', 'cvn', 'securitycode', 'cardcode']);

/**
 * Refuses a security code in an operation that charges a customer without one: it could not be checked, because codes are never stored until the charge. @throws
 * VALIDATION_ERROR.
 */
function refuseSecurityCode(body: object, shape: Shape): void {
  const names = Object.keys(shape.properties ?? {});
  if (!names.includes(AMOUNT) || !names.includes('customerId') || takesSecurityCode(shape)) return;
  const field = Object.keys(body).find((name) => SECURITY_CODES.has(normalized(name)));
  if (field === undefined) return;
  throw new ServiceError('VALIDATION_ERROR', `There is no field \`${field}\`: this operation takes no security code. Leave it out.`, {
    field,
  });
}

function takesSecurityCode({ properties = {}, anyOf = [] }: Shape): boolean {
  if (Object.keys(properties).some((name) => SECURITY_CODES.has(normalized(name)))) return true;
  return [...Object.values(properties), ...anyOf].some(takesSecurityCode);
}

/** Normalized names by which other APIs ask for an authorization, with the values that do. Any other value asks for what a sale is. */
const CAPTURE_MODES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['capture', 'autocapture', 'autocomplete'].map((name) => [name, ['false', '0', 'no', 'manual', 'later']])),
  capturemethod: ['manual', 'delayed'],
  ...Object.fromEntries(['authonly', 'authorizeonly', 'preauth'].map((name) => [name, ['true', '1', 'yes']])),
  ...Object.fromEntries(
    ['type', 'transactiontype', 'intent'].map((name) => [
      name,
      ['0', 'auth', 'authonly', 'authonlytransaction', 'authorize', 'authorization', 'preauth'],
    ]),
  ),
};

/**
 * Refuses a field of other APIs that asks for an authorization, which this operation would ignore: it would charge the amount at once. @throws
 * VALIDATION_ERROR with the field of this operation that authorizes.
 */
function refuseCaptureMode(body: object, properties: object): void {
  const field = Object.keys(body).find((name) => {
    const value = normalized(String((body as Readonly<Record<string, unknown>>)[name]));
    return !Object.hasOwn(properties, name) && CAPTURE_MODES[normalized(name)]?.includes(value);
  });
  if (field === undefined) return;
  const message =
    'type' in properties
      ? `There is no field \`${field}\`. To authorize only, send \`type\` with the value \`auth\`.`
      : 'TransactionType' in properties
        ? `There is no field \`${field}\`. To authorize only, send \`TransactionType\` with the value \`0\`.`
        : `There is no field \`${field}\`. This operation always captures. Authorize with \`POST /api/v1/transactions\` and \`type\` \`auth\`.`;
  throw new ServiceError('VALIDATION_ERROR', message, {
    field: maskCardNumbers(field).slice(0, NAME_MAX),
  });
}

const OTHER_MOVEMENTS = [
  'refund',
  'refundtransaction',
  'return',
  'void',
  'voidtransaction',
  'reversal',
  'reverse',
  'verify',
  'verification',
];

/** Normalized names by which other APIs ask to return money or to move none, with the values that do. A `type` of `credit` may be that of the card. */
const MOVEMENTS: Readonly<Record<string, readonly string[]>> = {
  type: OTHER_MOVEMENTS,
  intent: OTHER_MOVEMENTS,
  transactiontype: [...OTHER_MOVEMENTS, 'credit', 'unlinkedcredit', 'unreferencedcredit'],
};

/** Refuses a field of other APIs that asks to return money, which this operation would ignore: it would take the amount instead. @throws VALIDATION_ERROR. */
function refuseOtherMovement(body: object, properties: object): void {
  const field = Object.keys(body).find((name) => {
    const value = normalized(String((body as Readonly<Record<string, unknown>>)[name]));
    return !Object.hasOwn(properties, name) && MOVEMENTS[normalized(name)]?.includes(value);
  });
  if (field === undefined) return;
  throw new ServiceError(
    'VALIDATION_ERROR',
    `There is no field \`${field}\`: this operation always charges the amount. Refunds, credits and voids have operations of their own.`,
    { field },
  );
}

const normalized = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, '');

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
  shape?.anyOf === undefined ? shape : shape.anyOf.find(({ type }) => type === 'object');

/** Returns the fields of the record in a response. */
function recordOf(response: unknown): Readonly<Record<string, Shape>> {
  const { properties } = response as Shape;
  return properties?.data?.properties ?? properties ?? {};
}

/** Returns the fields of the record in the response that the body cannot change. */
function readOnlyFieldsOf({ body, response }: Pick<Route, 'response'> & { readonly body: TObject }): ReadonlySet<string> {
  const known = readOnlyFields.get(body);
  if (known) return known;
  const names = new Set(Object.keys(recordOf(response)).filter((name) => !(name in body.properties)));
  readOnlyFields.set(body, names);
  return names;
}

interface Misspelling {
  readonly path: string;
  readonly meant: string;
}

function firstMisspelled(value: unknown, { type, properties, patternProperties, items, anyOf }: Shape, at = ''): Misspelling | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (anyOf) return misspelledInUnion(value, anyOf, at);
  if (Array.isArray(value)) return firstDefined(value, (each, index) => firstMisspelled(each, items ?? {}, `${at}${index}.`));
  if (type !== 'object' || properties === undefined || patternProperties !== undefined) return undefined;
  return firstDefined(Object.keys(value), (name) => {
    const path = `${at}${name}`;
    const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (shape !== undefined) return firstMisspelled((value as Readonly<Record<string, unknown>>)[name], shape, `${path}.`);
    const meant = Object.keys(properties).find((known) => !Object.hasOwn(value, known) && resembles(name, known));
    return meant === undefined ? undefined : { path, meant };
  });
}

/** Returns undefined if the value fits one of the alternatives of its own type. */
function misspelledInUnion(value: object, anyOf: readonly Shape[], at: string): Misspelling | undefined {
  const kind = Array.isArray(value) ? 'array' : 'object';
  const fitting = anyOf.filter((choice) => choice.anyOf !== undefined || choice.type === kind);
  const results = fitting.map((choice) => firstMisspelled(value, choice, at));
  return results.includes(undefined) ? undefined : results[0];
}

function firstDefined<Item>(items: readonly Item[], find: (item: Item, index: number) => Misspelling | undefined): Misspelling | undefined {
  let index = 0;
  for (const item of items) {
    const found = find(item, index);
    if (found !== undefined) return found;
    index += 1;
  }
  return undefined;
}

/** Normalized names of other APIs for fields whose absence weakens a check of the card, or moves money without a part of its record. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cvc: 'cvv',
  cvn: 'cvv',
  cvv2: 'cvv',
  securitycode: 'cvv',
  postalcode: 'zip',
  zipcode: 'zip',
  billingzip: 'billingpostalcode',
  billingzipcode: 'billingpostalcode',
  tip: 'tipamount',
  gratuity: 'tipamount',
  tax: 'taxamount',
  surcharge: 'surchargeamount',
  discount: 'discountamount',
  ponumber: 'purchaseordernumber',
  lineitems: 'items',
  items: 'lineitems',
};

/**
 * Returns true for names that differ in their case only, or by one letter; by two letters if the known one has seven or more. A kind of amount, such as
 * `refundAmount`, resembles `amount`, and the name that other APIs have for a field resembles it.
 */
function resembles(name: string, known: string): boolean {
  const [one, other] = [normalized(name), known.toLowerCase()];
  if (OTHER_NAMES[one] === other) return true;
  if (other === AMOUNT && one.endsWith(AMOUNT)) return true;
  const allowed = known.length >= LONG_NAME ? 2 : known.length >= SHORT_NAME ? 1 : 0;
  return Math.abs(one.length - other.length) <= allowed && editDistance(one, other) <= allowed;
}
