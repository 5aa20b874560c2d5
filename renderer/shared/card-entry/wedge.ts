import { containsCardNumber } from '#shared/card-numbers';
import { readTracks, type SwipedCard } from './track.ts';

/**
 * A keyboard-wedge card reader types the data of the stripe like a very fast person. This state machine distinguishes them: it holds back
 * keys after a sentinel as long as they arrive in a burst, and then either returns a card or the text to insert. It has no window and no
 * timer: the caller passes keys with their time, and calls `wedgeQuiet` once `quietAfter` milliseconds have passed since the last key.
 */
type WedgeState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'holding'; readonly text: string; readonly lastAt: number }
  /** A swipe has just ended; the Enter of the reader may still follow. */
  | { readonly kind: 'spent'; readonly until: number };

interface WedgeKey {
  readonly key: string;
  /** Milliseconds of one clock. */
  readonly at: number;
  /** True if Control, Alt or Meta is pressed, which a reader never does. */
  readonly command: boolean;
}

export interface WedgeStep {
  readonly state: WedgeState;
  /** True if the key must not reach the page. */
  readonly swallow: boolean;
  /** Text that was held back but was typed by a person; it is inserted before the key itself. */
  readonly replay?: string;
  readonly swiped?: SwipedCard;
  readonly badRead?: true;
  /** Text of a complete stripe that has no card number, such as that of a gift card. */
  readonly stripe?: string;
}

export const BURST_GAP_MS = 35;
export const QUIET_MS = 80;
/** A busy computer delivers the keys of one burst in pieces. The rest of a card number must not be typed into a field. */
export const TORN_QUIET_MS = 600;
/** The beginning of a track that has not reached its end sentinel, or a first track, which alone has the name, without the second one. */
const TORN_TRACK = /[%;][A-Z]?\d{4}[^?]*$|^%[A-Z]?\d{4}[^?]*\?;?\d*$/i;
const COMPLETE_STRIPE = /^[%;][^%;?]+\?(?:;[^%;?]+\?)?$/;
const TRAILING_ENTER_MS = 500;
/** Three tracks at their longest, with sentinels. */
const LONGEST_BURST = 240;
const SENTINELS: ReadonlySet<string> = new Set(['%', ';']);
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'CapsLock', 'Control', 'Alt', 'AltGraph', 'Meta', 'NumLock']);

export const WEDGE_IDLE: WedgeState = { kind: 'idle' };
const IDLE_PASS: WedgeStep = { state: WEDGE_IDLE, swallow: false };

/** Processes a key press. Returns the next state and what to do with the key. */
export function wedgeKey(state: WedgeState, pressed: WedgeKey): WedgeStep {
  if (MODIFIERS.has(pressed.key)) return { state, swallow: false };
  if (state.kind === 'spent' && pressed.key === 'Enter' && pressed.at < state.until) return { state: WEDGE_IDLE, swallow: true };
  if (state.kind !== 'holding') return startBurst(pressed);
  const inBurst = pressed.at - state.lastAt < BURST_GAP_MS && !pressed.command;
  if (inBurst && pressed.key === 'Enter') return endBurst(state.text, pressed.at, true);
  if (inBurst && pressed.key.length === 1 && state.text.length < LONGEST_BURST) {
    return { state: { kind: 'holding', text: state.text + pressed.key, lastAt: pressed.at }, swallow: true };
  }
  const ended = endBurst(state.text, pressed.at, false);
  if (ended.swiped || ended.badRead) return { ...ended, swallow: pressed.key === 'Enter' };
  const after = startBurst(pressed);
  return { ...after, replay: ended.replay ?? '' };
}

/**
 * Returns how long to wait for the next key, in milliseconds, before the held text counts as complete. Outside of a field no text is inserted, and
 * the rest of a swipe would be keys of the screen.
 */
export function quietAfter(state: WedgeState, isInField: boolean): number {
  if (state.kind !== 'holding') return QUIET_MS;
  const mayContinue = !isInField && !COMPLETE_STRIPE.test(state.text);
  return mayContinue || TORN_TRACK.test(state.text) ? TORN_QUIET_MS : QUIET_MS;
}

/** Ends a burst: no key came for `quietAfter` milliseconds. The held text is either a complete swipe or was typed. */
export function wedgeQuiet(state: WedgeState, at: number): WedgeStep {
  return state.kind === 'holding' ? endBurst(state.text, at, false) : { state, swallow: false };
}

function startBurst(pressed: WedgeKey): WedgeStep {
  if (!SENTINELS.has(pressed.key) || pressed.command) return IDLE_PASS;
  return { state: { kind: 'holding', text: pressed.key, lastAt: pressed.at }, swallow: true };
}

function endBurst(text: string, at: number, isEndedByEnter: boolean): WedgeStep {
  const reading = readTracks(text);
  const afterSwipe: WedgeState = isEndedByEnter ? WEDGE_IDLE : { kind: 'spent', until: at + TRAILING_ENTER_MS };
  if (reading.kind === 'card') return { state: afterSwipe, swallow: isEndedByEnter, swiped: reading.card };
  if (reading.kind === 'bad-read') {
    const isOtherCard = COMPLETE_STRIPE.test(text) && !containsCardNumber(text);
    return { state: afterSwipe, swallow: isEndedByEnter, badRead: true, ...(isOtherCard && { stripe: text }) };
  }
  return { state: WEDGE_IDLE, swallow: isEndedByEnter, replay: text };
}
