import { readTracks, type SwipedCard } from './track.ts';

/**
 * A keyboard-wedge reader types the stripe like a very fast person. This state machine tells them apart: it holds back keys after a
 * sentinel as long as they arrive in a burst, and then either returns a card or the text to insert. It has no window and no timer: the
 * caller passes keys with their time, and calls `wedgeQuiet` once `quietAfter` milliseconds have passed since the last key. Spec:
 * experience 2.3.
 */
type WedgeState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'holding'; readonly text: string; readonly lastAt: number }
  /** A swipe has just ended: the reader's Enter may still be on its way. */
  | { readonly kind: 'spent'; readonly until: number };

interface WedgeKey {
  readonly key: string;
  /** Milliseconds of any one clock. */
  readonly at: number;
  /** Control, Alt or Meta is down: no reader does that. */
  readonly command: boolean;
}

export interface WedgeStep {
  readonly state: WedgeState;
  /** The key must not reach the page. */
  readonly swallow: boolean;
  /** Text that was held back and is typing after all; it goes in before the key itself. */
  readonly replay?: string;
  readonly swiped?: SwipedCard;
  readonly badRead?: true;
}

export const BURST_GAP_MS = 35;
export const QUIET_MS = 80;
/** A busy computer delivers the keys of one burst in pieces. The rest of a card number must not be typed into a field. */
export const TORN_QUIET_MS = 600;
/** The beginning of a track that has not reached its end sentinel. */
const TORN_TRACK = /[%;][A-Z]?\d{4}[^?]*$/i;
const TRAILING_ENTER_MS = 500;
/** Three tracks at their longest, with sentinels. */
const LONGEST_BURST = 240;
const SENTINELS: ReadonlySet<string> = new Set(['%', ';']);
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'CapsLock', 'Control', 'Alt', 'AltGraph', 'Meta', 'NumLock']);

export const WEDGE_IDLE: WedgeState = { kind: 'idle' };
const IDLE_PASS: WedgeStep = { state: WEDGE_IDLE, swallow: false };

/** Processes a key press. Returns the next state and what to do with the key. */
export function wedgeKey(state: WedgeState, typed: WedgeKey): WedgeStep {
  if (MODIFIERS.has(typed.key)) return { state, swallow: false };
  if (state.kind === 'spent' && typed.key === 'Enter' && typed.at < state.until) return { state: WEDGE_IDLE, swallow: true };
  if (state.kind !== 'holding') return begin(typed);
  const inBurst = typed.at - state.lastAt < BURST_GAP_MS && !typed.command;
  if (inBurst && typed.key === 'Enter') return ended(state.text, typed.at, true);
  if (inBurst && typed.key.length === 1 && state.text.length < LONGEST_BURST) {
    return { state: { kind: 'holding', text: state.text + typed.key, lastAt: typed.at }, swallow: true };
  }
  const torn = ended(state.text, typed.at, false);
  if (torn.swiped || torn.badRead) return { ...torn, swallow: typed.key === 'Enter' };
  const after = begin(typed);
  return { ...after, replay: torn.replay ?? '' };
}

/** Returns how long to wait for the next key, in milliseconds, before what is held is taken for whole. */
export function quietAfter(state: WedgeState): number {
  return state.kind === 'holding' && TORN_TRACK.test(state.text) ? TORN_QUIET_MS : QUIET_MS;
}

/** Ends a burst: no key came for `quietAfter` milliseconds. What is held is either a whole swipe or was typed. */
export function wedgeQuiet(state: WedgeState, at: number): WedgeStep {
  return state.kind === 'holding' ? ended(state.text, at, false) : { state, swallow: false };
}

function begin(typed: WedgeKey): WedgeStep {
  if (!SENTINELS.has(typed.key) || typed.command) return IDLE_PASS;
  return { state: { kind: 'holding', text: typed.key, lastAt: typed.at }, swallow: true };
}

function ended(text: string, at: number, byEnter: boolean): WedgeStep {
  const reading = readTracks(text);
  const spent: WedgeState = byEnter ? WEDGE_IDLE : { kind: 'spent', until: at + TRAILING_ENTER_MS };
  if (reading.kind === 'card') return { state: spent, swallow: byEnter, swiped: reading.card };
  if (reading.kind === 'bad-read') return { state: spent, swallow: byEnter, badRead: true };
  return { state: WEDGE_IDLE, swallow: byEnter, replay: text };
}
