import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTracks } from '../../../renderer/shared/card-entry/track.ts';
import {
  BURST_GAP_MS,
  QUIET_MS,
  quietAfter,
  TORN_QUIET_MS,
  WEDGE_IDLE,
  type WedgeStep,
  wedgeKey,
  wedgeQuiet,
} from '../../../renderer/shared/card-entry/wedge.ts';

const FIRST = '%B4111111111111111^DOE/JOHN^28121010000000000000?';
const SECOND = ';4111111111111111=28121010000000000000?';
const JOHN = { number: '4111111111111111', expiry: '12/28', name: 'JOHN DOE' };

describe('the tracks of a magnetic stripe', () => {
  test('reads number, expiry and name; either track is sufficient', () => {
    expect(readTracks(FIRST + SECOND)).toEqual({ kind: 'card', card: JOHN });
    expect(readTracks(FIRST)).toEqual({ kind: 'card', card: JOHN });
    expect(readTracks(SECOND)).toEqual({ kind: 'card', card: { ...JOHN, name: null } });
    expect(readTracks(`%E?${SECOND}`)).toEqual({ kind: 'card', card: { ...JOHN, name: null } });
    expect(readTracks(FIRST.replace('DOE/JOHN', 'VAN DER BERG/ANNA  M.DR'))).toMatchObject({ card: { name: 'ANNA M VAN DER BERG' } });
  });

  test.each([
    ['an unread stripe', '%E?;E?'],
    ['tracks that disagree', FIRST + SECOND.replace('4111111111111111', '4242424242424242')],
    ['a wrong check digit', SECOND.replace('4111111111111111', '4111111111111112')],
    ['a month that does not exist', SECOND.replace('=2812', '=2813')],
    ['a torn track', '%B4111111111111111^DOE/JO'],
  ])('reports %s as a failed read', (_, text) => {
    expect(readTracks(text)).toEqual({ kind: 'bad-read' });
  });

  test.each(['%', '%10 off', ';-)', '50%'])('ignores %s, which is not a card', (text) => {
    expect(readTracks(text)).toEqual({ kind: 'not-a-card' });
  });
});

describe('a card reader that emulates a keyboard', () => {
  test('withholds the keys of a reader and its Enter from the page', () => {
    const steps = type(`${FIRST}${SECOND}\n`, 5);
    expect(steps.every((step) => step.swallow)).toBe(true);
    expect(steps.at(-1)).toMatchObject({ swiped: JOHN, state: WEDGE_IDLE });
    expect(steps.slice(0, -1).every((step) => !step.swiped && step.replay === undefined)).toBe(true);
  });

  test('ends a swipe without Enter after a pause, and swallows a late Enter', () => {
    const steps = type(SECOND, 5);
    const held = last(steps);
    const quiet = wedgeQuiet(held.state, 5 * SECOND.length + QUIET_MS);
    expect(quiet.swiped).toEqual({ ...JOHN, name: null });
    expect(wedgeKey(quiet.state, { key: 'Enter', at: 5 * SECOND.length + QUIET_MS + 100, command: false }).swallow).toBe(true);
    expect(wedgeKey(quiet.state, { key: 'Enter', at: 5 * SECOND.length + QUIET_MS + 900, command: false }).swallow).toBe(false);
  });

  test('waits longer within a track, so that a busy computer does not split the swipe', () => {
    const waits = (text: string, isInField = true) => quietAfter(last(type(text, 5)).state, isInField);
    expect(waits('%B411111')).toBe(TORN_QUIET_MS);
    expect(waits(`${FIRST};4111`)).toBe(TORN_QUIET_MS);
    // The second track alone would replace the first one, and with it the name.
    expect(waits(FIRST)).toBe(TORN_QUIET_MS);
    expect(waits(`${FIRST};`)).toBe(TORN_QUIET_MS);
    expect(waits(SECOND)).toBe(QUIET_MS);
    expect(waits(`${FIRST}${SECOND}`)).toBe(QUIET_MS);
    expect(waits('%10 off')).toBe(QUIET_MS);
    // Outside of a field, the letters of a name would be keys of the screen.
    expect([waits('%B', false), waits('%B'), waits(SECOND, false)]).toEqual([TORN_QUIET_MS, QUIET_MS, QUIET_MS]);
  });

  test('reports a failed read and types nothing', () => {
    const end = last(type('%E?;E?\n', 5));
    expect(end).toMatchObject({ badRead: true, swallow: true });
    expect(end.replay).toBeUndefined();
  });

  test('drops an incomplete swipe, because it may contain a card number', () => {
    const quiet = wedgeQuiet(last(type('%B4111111111', 5)).state, 1000);
    expect(quiet).toMatchObject({ badRead: true });
    expect(quiet.replay).toBeUndefined();
  });
});

describe('manual typing', () => {
  test('passes on a single sentinel after the pause', () => {
    expect(wedgeQuiet(last(type('%', 5)).state, QUIET_MS + 5)).toMatchObject({ replay: '%', state: WEDGE_IDLE });
  });

  test('passes on a sentinel and slow keys in order', () => {
    const [percent, space] = type('% ', BURST_GAP_MS);
    expect(percent?.swallow).toBe(true);
    expect(space).toMatchObject({ replay: '%', swallow: false, state: WEDGE_IDLE });
  });

  test('passes on everything at a shortcut', () => {
    const { state } = last(type('%', 5));
    expect(wedgeKey(state, { key: 'k', at: 8, command: true })).toMatchObject({ replay: '%', swallow: false });
  });

  test('loses and changes no typed text at any speed', () => {
    const key = fc.record({ key: fc.constantFrom(...'%;?abcE1 '), gap: fc.integer({ min: 1, max: 120 }) });
    fc.assert(
      fc.property(fc.array(key, { maxLength: 7 }), (keys) => {
        let at = 0;
        let state = WEDGE_IDLE;
        let page = '';
        let bad = false;
        const take = (step: WedgeStep) => {
          state = step.state;
          page += step.replay ?? '';
          bad ||= step.badRead === true;
        };
        for (const { key, gap } of keys) {
          if (gap > QUIET_MS) take(wedgeQuiet(state, at + QUIET_MS));
          at += gap;
          const step = wedgeKey(state, { key, at, command: false });
          take(step);
          if (!step.swallow) page += key;
        }
        take(wedgeQuiet(state, at + QUIET_MS));
        if (!bad) expect(page).toBe(keys.map(({ key }) => key).join(''));
      }),
    );
  });
});

function type(text: string, gapMs: number): WedgeStep[] {
  let state = WEDGE_IDLE;
  return [...text].map((sign, index) => {
    const step = wedgeKey(state, { key: sign === '\n' ? 'Enter' : sign, at: index * gapMs, command: false });
    state = step.state;
    return step;
  });
}

function last(steps: WedgeStep[]): WedgeStep {
  const step = steps.at(-1);
  if (!step) throw new Error('no key was typed');
  return step;
}
