import { addDays } from '#core/kernel';
import { maskCardNumbers } from '#shared/card-numbers';
import type { Start } from './start.ts';
import { isNamedField, nameOfTestData } from './test-data-names.ts';

const DAY_MS = 86_400_000;
/** Value of a field that differs in each run, such as an authorization code. A replay only checks that the field is there. */
export const ANY = '$any';
const ANY_FIELDS = new Set([
  'authCode',
  // A replay runs with the credential of its caller.
  'actor',
  'createdBy',
  'resolvedBy',
  'cancelledBy',
  'processorRef',
  'hash',
  'previousHash',
  'requestId',
  'invoiceNumber',
  // The number of an invoice; responses contain no card number.
  'number',
  'url',
  'shortUrl',
  'payUrl',
  'secret',
  'key',
  'clientToken',
  'accessToken',
  'refreshToken',
  'password',
  'fingerprint',
  'movedToday',
]);
const ID = /\b([a-z]{2,4})_[0-9a-z]{20,32}\b/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Names for the IDs of a recording, in the order in which they appear: `$txn1`. */
export class IdNames {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  nameOf(id: string, prefix: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const name = `$${prefix}${count}`;
    this.#names.set(id, name);
    return name;
  }
}

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** Returns a copy in which each text and number is replaced by the function, which gets the name of its field. */
function mapValues(value: unknown, replace: (value: string | number, field: string) => unknown, field = ''): unknown {
  if (typeof value === 'string' || typeof value === 'number') return replace(value, field);
  if (Array.isArray(value)) return value.map((each) => mapValues(each, replace, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapValues(inner, replace, name)]));
}

const masked = (value: string | number) => (typeof value === 'string' ? maskCardNumbers(value) : value);

/** Returns a request for storage: card numbers, security codes and account numbers are replaced by their names. IDs and times are unchanged. */
export const storedRequest = (body: unknown) =>
  mapValues(body, (value, field) => (isNamedField(field) ? nameOfTestData(field, String(value)) : masked(value)));

/** Returns a response or an event for storage, without secrets and values that differ in each run. IDs and times are unchanged. */
export const storedResponse = (body: unknown) =>
  mapValues(body, (value, field) => (ANY_FIELDS.has(lowerFirst(field)) ? ANY : masked(value)));

/** Returns a value with names in place of IDs, and with times and dates relative to the start of the recording. */
export function withPlaceholders(value: unknown, names: IdNames, start: Start): unknown {
  if (Array.isArray(value)) return value.map((each) => withPlaceholders(each, names, start));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlaceholders(inner, names, start)]));
  if (typeof value !== 'string') return value;
  if (TIME.test(value)) return `$time(${(Date.parse(value) - start.startMs) / 1_000})`;
  if (DATE.test(value)) return `$date(${daysFrom(start, value)})`;
  return value.replaceAll(ID, (id, prefix: string) => names.nameOf(id, prefix));
}

const daysFrom = ({ startDate }: Start, date: string) => (Date.parse(date) - Date.parse(startDate)) / DAY_MS;

/** IDs and start of a replay, by which placeholders become values. */
export interface Bindings {
  readonly ids: Map<string, string>;
  readonly start: Start;
}

/** Thrown if a request names a record that no earlier step has created. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName';
}

const NAME = /\$([a-z]{2,4})(\d+)/g;

/** Returns a request with values in place of placeholders. @throws UnknownName, Error for unknown test data. */
export function resolvePlaceholders(value: unknown, bindings: Bindings, testData: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => resolvePlaceholders(each, bindings, testData));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolvePlaceholders(inner, bindings, testData)]));
  if (typeof value !== 'string') return value;
  if (/^\$(card|cvv|account)\(/.test(value)) return testData(value);
  const [, kind, distance] = /^\$(time|date)\((-?[\d.]+)\)$/.exec(value) ?? [];
  if (kind === 'time') return new Date(bindings.start.startMs + Number(distance) * 1_000).toISOString();
  if (kind === 'date') return addDays(bindings.start.startDate, Number(distance));
  return value.replaceAll(NAME, (name) => {
    const id = bindings.ids.get(name);
    if (id === undefined) throw new UnknownName(name);
    return id;
  });
}

/** A place in which an actual response differs from the recorded one. */
export interface Difference {
  /** Path of the field: `data.status`. */
  readonly place: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Largest accepted difference of a time, in seconds. Requests take a different time in each run, and business times are minutes apart. */
const TIME_TOLERANCE_SECONDS = 30;
/** Distance in days from which the length of months may change a date, and by how much. */
const MONTH_DAYS = 28;
const MONTH_TOLERANCE_DAYS = 3;

/** Compares a recorded value with an actual one and binds new names to the actual IDs. Returns the first difference, or null. */
export function differenceOf(expected: unknown, actual: unknown, bindings: Bindings, place = ''): Difference | null {
  const different: Difference = { place, expected, actual };
  if (expected === ANY) return actual === undefined ? different : null;
  if (typeof expected === 'string') return isSameText(expected, actual, bindings) ? null : different;
  if (typeof expected !== 'object' || expected === null) return expected === actual ? null : different;
  if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual)) return different;
  const [left, right] = [expected, actual] as Readonly<Record<string, unknown>>[];
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = differenceOf(left?.[name], right?.[name], bindings, place === '' ? name : `${place}.${name}`);
    if (found) return found;
  }
  return null;
}

function isSameText(expected: string, actual: unknown, { ids, start }: Bindings): boolean {
  if (typeof actual !== 'string') return false;
  const [, kind, distance] = /^\$(time|date)\((-?[\d.]+)\)$/.exec(expected) ?? [];
  if (kind === 'time')
    return TIME.test(actual) && Math.abs((Date.parse(actual) - start.startMs) / 1_000 - Number(distance)) <= TIME_TOLERANCE_SECONDS;
  if (kind === 'date') {
    const days = Number(distance);
    const tolerance = Math.abs(days) >= MONTH_DAYS ? MONTH_TOLERANCE_DAYS : 0;
    return DATE.test(actual) && Math.abs(daysFrom(start, actual) - days) <= tolerance;
  }
  const names = [...expected.matchAll(NAME)].map(([name]) => name);
  if (names.length === 0) return expected === actual;
  const found = [...actual.matchAll(ID)].map(([id]) => id);
  if (found.length !== names.length || actual.replaceAll(ID, '') !== expected.replaceAll(NAME, '')) return false;
  return names.every((name, index) => {
    const id = found[index] ?? '';
    const bound = ids.get(name);
    if (bound !== undefined) return bound === id;
    if (!id.startsWith(`${name.slice(1).replace(/\d+$/, '')}_`)) return false;
    ids.set(name, id);
    return true;
  });
}
