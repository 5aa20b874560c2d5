import { randomFillSync } from 'node:crypto';

/** The type prefixes of identifiers. */
export type IdPrefix =
  | 'txn'
  | 'ref'
  | 'rdq'
  | 'cus'
  | 'pm'
  | 'tok'
  | 'sub'
  | 'inv'
  | 'hpg'
  | 'lnk'
  | 'whe'
  | 'evt'
  | 'dlv'
  | 'mer'
  | 'ten'
  | 'usr'
  | 'rol'
  | 'key'
  | 'ses'
  | 'otp'
  | 'stl'
  | 'bat'
  | 'pay'
  | 'rec'
  | 'rcd'
  | 'aud'
  | 'gw'
  | 'att'
  | 'req'
  | 'dsp'
  | 'dsm'
  | 'dat'
  | 'dpk'
  | 'msg'
  | 'sig'
  | 'sbp'
  | 'ipl'
  | 'lfe'
  | 'ipa'
  | 'ivp'
  | 'ivg'
  | 'imp'
  | 'dsc'
  | 'dct'
  | 'bkp'
  | 'arc'
  | 'rst'
  | 'cup'
  | 'reh'
  | 'bac'
  | 'bst'
  | 'bln'
  | 'bmt'
  | 'brl'
  | 'pcl'
  | 'jex'
  | 'qpy'
  | 'tnd'
  | 'trf'
  | 'gcd'
  | 'gce'
  | 'trm'
  | 'csv'
  | 'shf'
  | 'shm'
  | 'apr'
  | 'itm'
  | 'cul'
  | 'cpl'
  | 'cim'
  | 'cex'
  | 'tky'
  | 'ins'
  | 'ord';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const COUNTER_CHARS = 5;
const RANDOM_CHARS = 11;
const COUNTER_LIMIT = 32 ** COUNTER_CHARS;
const ID_PATTERN = /^[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}$/;

const pool = Buffer.alloc(4096);
let poolOffset = pool.length;
let counter = 0;

function digits(value: number, length: number, alphabet = ALPHABET): string {
  let text = '';
  for (let remaining = value, charsLeft = length; charsLeft > 0; charsLeft -= 1) {
    text = alphabet.charAt(remaining % 32) + text;
    remaining = Math.floor(remaining / 32);
  }
  return text;
}

function randomChars(alphabet: string, length: number): string {
  if (poolOffset + length > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  let text = '';
  for (let index = 0; index < length; index += 1) text += alphabet.charAt((pool[poolOffset + index] as number) & 31);
  poolOffset += length;
  return text;
}

let lastMs = -1;
let lastTime = '';

/**
 * Returns a new identifier: prefix, underscore and 26 characters. Ten are the millisecond, five a counter of this process, and eleven are random (55
 * bits). Identifiers sort by `atMs`, then by order of creation, so they serve as the key, the order and the cursor of a table.
 */
export function newId(prefix: IdPrefix, atMs: number): string {
  if (atMs !== lastMs) {
    lastMs = atMs;
    lastTime = digits(atMs, TIME_CHARS);
  }
  counter = (counter + 1) % COUNTER_LIMIT;
  return `${prefix}_${lastTime}${digits(counter, COUNTER_CHARS)}${randomChars(ALPHABET, RANDOM_CHARS)}`;
}

/** Returns a lower bound for the identifiers of a millisecond. With it, a period is a range of the key. */
export function idFloor(prefix: IdPrefix, atMs: number): string {
  return `${prefix}_${digits(atMs, TIME_CHARS)}`;
}

/** Returns true if the text has the form of an identifier of that type, whether or not it exists. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ID_PATTERN.test(text);
}

const REFERENCE_ALPHABET = '234567ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const REFERENCE_TIME_CHARS = 9;

/**
 * Returns a new Paydesk reference for one attempt at a processor: 20 base32 characters, never reused. Nine are the millisecond, so that a sale adds to the
 * last page of the indexes of references instead of a page of its own, and eleven are random (55 bits).
 */
export function newProcessorRef(): string {
  return digits(Date.now(), REFERENCE_TIME_CHARS, REFERENCE_ALPHABET) + randomChars(REFERENCE_ALPHABET, RANDOM_CHARS);
}
