import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../../renderer/base/client/shapes.ts';
import { type ChargeResult, type Decline, isCertain } from '../../../renderer/screens/sell/charge/charge-result.ts';
import type { PendingCharge } from '../../../renderer/screens/sell/charge/unconfirmed-charges.ts';
import { terminalSettings, withReaders } from '../../../renderer/screens/sell/state/terminal-settings.ts';
import {
  type FormCheck,
  modeOf,
  newTerminal,
  stepTerminal,
  type TerminalEffect,
  type TerminalEvent,
  type TerminalState,
} from '../../../renderer/screens/sell/state/terminal-state.ts';

const SETTINGS = terminalSettings({ merchantId: 'mer_1' });
const CHARGE: PendingCharge = { amount: '45.00', currency: 'USD', methodLabel: 'Visa ••6975' };
const COMPLETE: FormCheck = { firstProblem: null, savesCard: false, hasCustomer: false };
const UNCONFIRMED = { ...CHARGE, transactionId: 'txn_1', reason: 'no-response' } as const;
const SWIPED = { number: '4111111111111111', expiry: '12/30', name: 'ANN MARSH' };
const transaction = (status: string, declineCode: string | null = null) =>
  ({ transactionId: 'txn_1', status, declineCode, pendingReason: null }) as Transaction;
const declined = (declineCode: string): ChargeResult => {
  const decline: Decline = {
    transactionId: 'txn_1',
    declineCode,
    declineReason: 'Declined.',
    avsResponse: null,
    billing: null,
    cvvResponse: null,
  };
  return { kind: 'declined', decline };
};
const answered = (result: ChargeResult): TerminalEvent => ({ kind: 'charge-answered', result, charge: CHARGE });
const request = (form: Partial<FormCheck> = {}): TerminalEvent => ({ kind: 'charge-requested', form: { ...COMPLETE, ...form } });

/** Applies events in order; returns the last state and the effects of the last event. */
function play(...events: readonly TerminalEvent[]): { state: TerminalState; effects: readonly TerminalEffect[] } {
  return playFrom(newTerminal(SETTINGS), ...events);
}

function playFrom(from: TerminalState, ...events: readonly TerminalEvent[]) {
  let step: { state: TerminalState; effects: readonly TerminalEffect[] } = { state: from, effects: [] };
  for (const event of events) step = stepTerminal(step.state, event, SETTINGS);
  return step;
}

const kinds = (effects: readonly TerminalEffect[]) => effects.map(({ kind }) => kind);
const focusOf = (effects: readonly TerminalEffect[]) => effects.find((effect) => effect.kind === 'focus')?.targets;

describe('requesting a charge', () => {
  test('sends the form once, however often it is requested', () => {
    const first = play(request());
    expect(first.state.stage.kind).toBe('sending');
    expect(kinds(first.effects)).toEqual(['send']);
    for (const savesCard of [false, true]) {
      expect(playFrom(first.state, request({ savesCard, hasCustomer: true }))).toEqual({ state: first.state, effects: [] });
    }
  });

  test('focuses the first field with a problem and sends nothing', () => {
    const { state, effects } = play(request({ firstProblem: 'expiry' }));
    expect(state.stage).toEqual({ kind: 'entry', notice: null });
    expect(focusOf(effects)).toEqual(['expiry']);
  });

  test('does not send a declined sale again until something about it changes', () => {
    const after = play(request(), answered(declined('cvv_failure'))).state;
    expect(kinds(playFrom(after, request()).effects)).toEqual(['announce']);
    expect(kinds(playFrom(after, { kind: 'field-edited', field: 'code' }, request()).effects)).toEqual(['send']);
  });

  test('asks for a customer before it saves a card', () => {
    const refused = play(request({ savesCard: true }));
    expect(refused.state.stage.kind).toBe('entry');
    expect(focusOf(refused.effects)).toEqual(['name']);
    expect(kinds(refused.effects)).toContain('mark-field');
    expect(play(request({ savesCard: true, hasCustomer: true })).state).toMatchObject({ isCardSaved: true, stage: { kind: 'sending' } });
  });

  test('returns to the form if the customer cannot be created', () => {
    const { state, effects } = play(request({ savesCard: true, hasCustomer: true }), { kind: 'customer-not-created', message: 'Taken.' });
    expect(state.stage.kind).toBe('entry');
    expect(effects).toContainEqual({ kind: 'mark-field', field: 'email', message: 'Taken.' });
  });

  test('keeps the form if the charge ends without an answer', () => {
    expect(play(request(), { kind: 'charge-unanswered' }).state.stage).toEqual({ kind: 'entry', notice: { kind: 'no-response' } });
  });
});

describe('answers', () => {
  test('empties the form and reports an approved sale', () => {
    const { state, effects } = play(request(), answered({ kind: 'approved', transaction: transaction('approved') }));
    expect(state.stage.kind).toBe('result');
    expect(kinds(effects)).toEqual(['hold-enter', 'reset', 'report-approval']);
  });

  test.each([
    ['cvv_failure', ['code', 'action']],
    ['insufficient_funds', ['amount', 'action']],
    ['card_declined', ['action']],
    ['fraud_suspected', ['action']],
  ])('after the decline %s focuses %j and empties the CVV only', (code, targets) => {
    const { effects } = play(request(), answered(declined(code)));
    expect(focusOf(effects)).toEqual(targets);
    expect(effects).toContainEqual({ kind: 'clear', fields: ['code'] });
    expect(kinds(effects)).not.toContain('reset');
  });

  test('marks the field that the service names', () => {
    const refusal = { code: 'INVALID_ZIP', status: 400, message: 'Wrong ZIP.', field: 'billing.zip', details: {}, requestId: 'req_1' };
    const { effects } = play(request(), answered({ kind: 'refused', refusal: { ...refusal, retryAtMs: undefined } }));
    expect(effects).toContainEqual({ kind: 'mark-field', field: 'zip', message: 'Wrong ZIP.' });
    expect(focusOf(effects)).toEqual(['zip', 'action']);
  });

  test('focuses Wait if the charge repeats an unconfirmed one', () => {
    const { state, effects } = play(request(), { kind: 'charge-duplicates', earlier: UNCONFIRMED, charge: CHARGE });
    expect(state.stage).toMatchObject({ notice: { kind: 'same-charge' } });
    expect(focusOf(effects)).toEqual(['action']);
    const anyway = playFrom(state, { kind: 'charge-requested', form: COMPLETE, repeatOf: CHARGE });
    expect(anyway.effects).toEqual([{ kind: 'send', repeatOf: CHARGE }]);
  });

  test('shows the outcome of an unconfirmed charge only to the screen that waits for it', () => {
    const waiting = play(request(), answered({ kind: 'unconfirmed', transactionId: 'txn_1' }));
    expect(kinds(waiting.effects)).toContain('watch');
    const confirmed: TerminalEvent = { kind: 'charge-confirmed', unconfirmed: UNCONFIRMED, transaction: transaction('approved') };
    expect(playFrom(waiting.state, confirmed).state.stage.kind).toBe('result');
    const elsewhere = playFrom(waiting.state, { kind: 'new-sale-requested' }, confirmed);
    expect(elsewhere.state.stage.kind).toBe('entry');
    expect(kinds(elsewhere.effects)).toEqual(['announce']);
  });
});

describe('cards and customers', () => {
  const swipe = (change: { isLocked?: boolean; isCovered?: boolean } = {}): TerminalEvent => ({
    kind: 'card-swiped',
    card: SWIPED,
    isLocked: false,
    isCovered: false,
    ...change,
  });

  test('fills a swiped card into the form, whatever mode it was in', () => {
    const { state, effects } = play({ kind: 'mode-chosen', mode: 'bank' }, swipe());
    expect(state).toMatchObject({ mode: 'card', entry: 'swiped' });
    expect(effects[0]).toEqual({ kind: 'fill', values: { number: SWIPED.number, expiry: '12/30', code: '', name: 'ANN MARSH' } });
    expect(playFrom(state, { kind: 'field-edited', field: 'number' }).state.entry).toBe('keyed');
  });

  test('ignores a swipe while locked, covered, sending or showing a result', () => {
    const sending = play(request()).state;
    const result = playFrom(sending, answered({ kind: 'approved', transaction: transaction('approved') })).state;
    const ignored = [
      play(swipe({ isLocked: true })),
      play(swipe({ isCovered: true })),
      playFrom(sending, swipe()),
      playFrom(result, swipe()),
    ];
    for (const { effects } of ignored) expect(kinds(effects)).not.toContain('fill');
  });

  test('charges the card on file of a chosen customer, unless a card was keyed', () => {
    const found = { kind: 'customer-found', name: 'Ann Marsh', email: 'ann@example.com', token: 'tok_12345678' } as const;
    const onFile = play({ ...found, hasPaymentDetails: false });
    expect(onFile.state.mode).toBe('saved');
    expect(onFile.effects[0]).toEqual({ kind: 'fill', values: { token: 'tok_12345678' } });
    const keyed = play({ ...found, hasPaymentDetails: true });
    expect(keyed.state.mode).toBe('card');
    expect(keyed.effects[0]).toEqual({ kind: 'fill', values: { name: 'Ann Marsh', email: 'ann@example.com' } });
  });

  test('falls back to the first mode when the merchant no longer accepts the chosen one', () => {
    const onlyBank = terminalSettings({ merchantId: 'mer_1', vtSettings: { allowedModes: ['ach'] } });
    expect(modeOf(newTerminal(SETTINGS), onlyBank)).toBe('bank');
  });

  test('removes card and account numbers and codes of gift cards when the screen locks', () => {
    expect(play({ kind: 'screen-locked' }).effects).toEqual([
      { kind: 'clear', fields: ['number', 'expiry', 'code', 'routing', 'account', 'giftCode', 'giftPin'] },
    ]);
  });
});

/** Events in any order, as from a fast clerk and a slow service. */
const EVENTS: readonly TerminalEvent[] = [
  request(),
  request({ firstProblem: 'amount' }),
  request({ savesCard: true, hasCustomer: true }),
  answered({ kind: 'approved', transaction: transaction('approved') }),
  answered(declined('cvv_failure')),
  answered({ kind: 'unconfirmed', transactionId: 'txn_1' }),
  answered({ kind: 'no-response' }),
  { kind: 'charge-duplicates', earlier: UNCONFIRMED, charge: CHARGE },
  { kind: 'charge-confirmed', unconfirmed: UNCONFIRMED, transaction: transaction('declined', 'card_declined') },
  { kind: 'field-edited', field: 'number' },
  { kind: 'card-filled', values: { number: '4111111111111111' } },
  { kind: 'card-swiped', card: SWIPED, isLocked: false, isCovered: false },
  { kind: 'card-misread', isLocked: false, isCovered: false },
  { kind: 'new-sale-requested' },
  { kind: 'notice-dismissed' },
  { kind: 'other-card-requested' },
  { kind: 'screen-locked' },
];
const ANSWERS = new Set(['charge-answered', 'charge-duplicates', 'charge-unanswered', 'customer-not-created']);

test('never sends while a charge is under way, and never keeps card data in its state', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (events) => {
      let state = newTerminal(SETTINGS);
      let isUnderWay = false;
      for (const event of events) {
        // A response arrives only for a sent charge; the buttons of a notice are not on the screen during a charge.
        if (ANSWERS.has(event.kind) && !isUnderWay) continue;
        if (isUnderWay && (event.kind === 'notice-dismissed' || event.kind === 'other-card-requested')) continue;
        const step = stepTerminal(state, event, SETTINGS);
        const sends = step.effects.filter(({ kind }) => kind === 'send').length;
        expect(sends).toBeLessThanOrEqual(isUnderWay ? 0 : 1);
        if (sends > 0) isUnderWay = true;
        if (ANSWERS.has(event.kind)) isUnderWay = false;
        expect(step.state.stage.kind === 'sending').toBe(isUnderWay);
        expect(JSON.stringify(step.state)).not.toContain('41111111');
        state = step.state;
      }
    }),
  );
});

describe('a payment on a card reader', () => {
  const terminal = { terminalId: 'trm_1', name: 'Counter 1', state: 'waiting_for_card', canceledBy: null };
  const onReader = (status: string, state = 'waiting_for_card', canceledBy: string | null = null) =>
    ({ ...transaction(status, 'expired_card'), terminal: { ...terminal, state, canceledBy } }) as unknown as Transaction;
  const pending = play(request(), answered({ kind: 'pending', transaction: onReader('pending') }));
  const unconfirmed = { ...UNCONFIRMED, reader: { terminalId: 'trm_1', name: 'Counter 1' } };
  const concluded = (payment: Transaction): TerminalEvent => ({ kind: 'charge-confirmed', unconfirmed, transaction: payment });

  test('is watched until its outcome is known, and a new sale does not hide it', () => {
    expect(pending.state.stage).toEqual({ kind: 'checking', unconfirmed });
    expect(pending.effects[0]).toEqual({ kind: 'watch', unconfirmed });
    const next = playFrom(pending.state, { kind: 'new-sale-requested' });
    expect([next.state, kinds(next.effects)]).toEqual([pending.state, ['announce']]);
  });

  test('leaves the screen to the next customer, and stays in the list', () => {
    const { state, effects } = playFrom(pending.state, { kind: 'next-customer-requested' });
    expect(state.stage).toEqual({ kind: 'entry', notice: null });
    expect(effects[0]).toEqual({ kind: 'watch', unconfirmed: UNCONFIRMED });
  });

  test('returns to the form with the reason after it was canceled', () => {
    const { state, effects } = playFrom(pending.state, concluded(onReader('failed', 'canceled', 'customer')));
    expect(state.stage).toMatchObject({ kind: 'entry', notice: { kind: 'not-charged-on-reader', terminal: { canceledBy: 'customer' } } });
    expect(focusOf(effects)).toEqual(['charge']);
  });

  test('can be charged again without a change after a decline, because the customer presents another card', () => {
    const reader = withReaders(SETTINGS, { areOffered: true, isFirst: true });
    const first = stepTerminal(newTerminal(reader), request(), reader).state;
    const waiting = stepTerminal(first, answered({ kind: 'pending', transaction: onReader('pending') }), reader).state;
    const after = stepTerminal(waiting, concluded(onReader('declined', 'declined')), reader).state;
    expect(after.stage).toMatchObject({ notice: { kind: 'declined', advice: { step: { kind: 'other-method' } } } });
    expect(kinds(stepTerminal(after, request(), reader).effects)).toEqual(['send']);
  });

  test('that another payment keeps from its reader is refused for certain', () => {
    const more = { status: 409, field: undefined, requestId: undefined, retryAtMs: undefined };
    const refusal = { code: 'RESOURCE_CONFLICT', message: 'In use.', details: { reason: 'terminal_busy' }, ...more };
    expect(isCertain({ kind: 'refused', refusal })).toBe(true);
    expect(isCertain({ kind: 'refused', refusal: { ...refusal, details: {} } })).toBe(false);
  });
});
