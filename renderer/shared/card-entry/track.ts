import { digitsOf, readCardNumber } from './card-number.ts';

/** Card data of a swipe for the form. All other data of the stripe is dropped here. */
export interface SwipedCard {
  readonly number: string;
  /** As the expiry field expects it: 01/27. */
  readonly expiry: string;
  /** First name first; null if the first track was not read. */
  readonly name: string | null;
}

type TrackReading = { readonly kind: 'card'; readonly card: SwipedCard } | { readonly kind: 'bad-read' } | { readonly kind: 'not-a-card' };

const FIRST_TRACK = /%B(\d{12,19})\^([^^?]{2,26})\^(\d{2})(0[1-9]|1[0-2])[^?]*\?/;
const SECOND_TRACK = /;(\d{12,19})=(\d{2})(0[1-9]|1[0-2])[^?]*\?/;
/** Readers type E in place of the data of a track that they could not read. */
const UNREAD_TRACK = /[%;+]E\?/;
/** Minimum number of digits in a burst after a sentinel that counts as an incomplete swipe; a person types fewer. */
const SWIPE_DIGITS = 8;

/**
 * Parses the text of a keyboard-wedge reader: `%` track 1 `?` `;` track 2 `?`. Either track is enough; two that disagree are a bad read.
 */
export function readTracks(text: string): TrackReading {
  const first = FIRST_TRACK.exec(text);
  const second = SECOND_TRACK.exec(text);
  const number = first?.[1] ?? second?.[1];
  const [year, month] = first ? [first[3], first[4]] : [second?.[2], second?.[3]];
  const agree = !first || !second || (first[1] === second[1] && first[3] === second[2] && first[4] === second[3]);
  if (number && agree && readCardNumber(number).state === 'valid') {
    return { kind: 'card', card: { number, expiry: `${month}/${year}`, name: nameOf(first?.[2] ?? '') } };
  }
  return number || UNREAD_TRACK.test(text) || looksSwiped(text) ? { kind: 'bad-read' } : { kind: 'not-a-card' };
}

/**
 * Returns true if a burst was a swipe even though it contains no readable card. It may contain a card number, so it is dropped and never
 * typed.
 */
function looksSwiped(text: string): boolean {
  return digitsOf(text).length >= SWIPE_DIGITS;
}

/** Returns the name of a track field: `DOE/JOHN.MR` is JOHN DOE. */
function nameOf(field: string): string | null {
  const [family = '', given = ''] = field.split('/');
  const name = `${given.split('.')[0] ?? ''} ${family}`.replace(/\s+/g, ' ').trim();
  return name === '' ? null : name;
}
