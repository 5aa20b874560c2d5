import type { SwipedCard } from '#renderer/card-entry';
import type { Transaction } from '#renderer/client';
import type { Answer } from './charge/answer.ts';
import type { AccountType, CardEntry } from './charge/request.ts';
import type { SaleField, SaleMode, SaleType, SaleValues } from './form/form.ts';
import { EMPTY, type Notice, type PendingCharge, type Stage, stageAfter, stageOfSettled } from './stage.ts';
import type { Doubt } from './unconfirmed/doubts.ts';
import type { TerminalSettings } from './vt-settings.ts';
import { aloud, fieldAtFault } from './words.ts';

/** Emptied when another card is asked for; the first of them on the screen takes the focus. */
const PAYMENT_METHOD_FIELDS: readonly SaleField[] = ['number', 'expiry', 'code', 'zip', 'routing', 'account', 'holder', 'token'];
/** Emptied when the screen locks. */
const SECRET_FIELDS: readonly SaleField[] = ['number', 'expiry', 'code', 'routing', 'account'];

/** State of the virtual terminal. Typed text stays in the inputs: the state contains no card data. */
export interface TerminalState {
  readonly stage: Stage;
  readonly type: SaleType;
  readonly mode: SaleMode;
  readonly accountType: AccountType;
  readonly entry: CardEntry;
  /** True from a decline until something about the sale changes. The bank would decline the same sale again. */
  readonly isDeclinedUnchanged: boolean;
  /** True if the last charge asked for its card to be kept on file. */
  readonly isCardSaved: boolean;
}

/** Something that a person, the card reader or the service did. */
export type TerminalEvent =
  | { readonly kind: 'field-edited'; readonly field: SaleField }
  | { readonly kind: 'type-chosen'; readonly type: SaleType }
  | { readonly kind: 'mode-chosen'; readonly mode: SaleMode }
  | { readonly kind: 'account-type-chosen'; readonly accountType: AccountType }
  /** `hasPaymentDetails` is true if a card or account number was keyed already. */
  | {
      readonly kind: 'customer-found';
      readonly name: string;
      readonly email: string;
      readonly token: string | null;
      readonly hasPaymentDetails: boolean;
    }
  | { readonly kind: 'customer-field-requested' }
  | { readonly kind: 'card-filled'; readonly values: SaleValues }
  /** `isCovered` is true while a dialog lies over the form. */
  | { readonly kind: 'card-swiped'; readonly card: SwipedCard; readonly isLocked: boolean; readonly isCovered: boolean }
  | { readonly kind: 'card-misread'; readonly isLocked: boolean; readonly isCovered: boolean }
  /** `despite` is the unconfirmed charge that the clerk repeats on purpose. */
  | { readonly kind: 'charge-requested'; readonly form: FormCheck; readonly despite?: PendingCharge }
  | { readonly kind: 'customer-not-created'; readonly message: string }
  | { readonly kind: 'charge-repeats'; readonly doubt: Doubt; readonly charge: PendingCharge }
  | { readonly kind: 'charge-answered'; readonly answer: Answer; readonly charge: PendingCharge }
  /** The charge ended without an answer that could be read; its outcome is not known. */
  | { readonly kind: 'charge-unanswered' }
  | { readonly kind: 'charge-confirmed'; readonly doubt: Doubt; readonly transaction: Transaction }
  | { readonly kind: 'result-updated'; readonly transaction: Transaction }
  | { readonly kind: 'notice-dismissed' }
  | { readonly kind: 'other-card-requested' }
  | { readonly kind: 'new-sale-requested'; readonly values?: SaleValues }
  | { readonly kind: 'screen-locked' }
  | { readonly kind: 'interrupted-charge-found' };

/** Properties of the form when a charge is requested, without its values. */
export interface FormCheck {
  /** The first field with a problem; null if the sale can be charged. */
  readonly firstProblem: SaleField | null;
  readonly savesCard: boolean;
  /** True if a customer was chosen, or a name or email was keyed to create one. */
  readonly hasCustomer: boolean;
}

/** `next` is the next required field with a problem, or the Charge button if there is none. */
export type FocusTarget = 'charge' | 'action' | 'customer' | 'next' | SaleField;

/** Actions of the screen after the new state is rendered, in order. */
export type TerminalEffect =
  | { readonly kind: 'announce'; readonly text: string }
  /** Focuses the first of these that is on the screen. */
  | { readonly kind: 'focus'; readonly targets: readonly FocusTarget[] }
  | { readonly kind: 'mark-field'; readonly field: SaleField; readonly message: string }
  | { readonly kind: 'fill'; readonly values: SaleValues }
  | { readonly kind: 'clear'; readonly fields: readonly SaleField[] }
  /** Empties the form and takes the customer off it. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'send'; readonly despite?: PendingCharge }
  /** The next charge is another one: it gets another idempotency key. */
  | { readonly kind: 'renew-key' }
  /** Keystrokes meant for the form before the answer must not act on the result. */
  | { readonly kind: 'hold-enter' }
  | { readonly kind: 'watch'; readonly doubt: Doubt }
  | { readonly kind: 'report-approval'; readonly transaction: Transaction };

export interface TerminalStep {
  readonly state: TerminalState;
  readonly effects: readonly TerminalEffect[];
}

export function newTerminal(settings: TerminalSettings): TerminalState {
  return {
    stage: EMPTY,
    type: settings.type,
    mode: defaultMode(settings),
    accountType: 'checking',
    entry: 'keyed',
    isDeclinedUnchanged: false,
    isCardSaved: false,
  };
}

/** Returns the mode of the form: the chosen one, or the merchant's first if the merchant no longer accepts it. */
export function modeOf({ mode }: TerminalState, settings: TerminalSettings): SaleMode {
  return settings.modes.includes(mode) ? mode : defaultMode(settings);
}

function defaultMode({ modes }: TerminalSettings): SaleMode {
  return modes[0] ?? 'card';
}

/** Returns the state after an event and what the screen does about it. An event that does not apply returns the same state and no effects. */
export function stepTerminal(state: TerminalState, event: TerminalEvent, settings: TerminalSettings): TerminalStep {
  const mode = modeOf(state, settings);
  switch (event.kind) {
    case 'field-edited':
      return only(edited(state, event.field));
    case 'type-chosen':
      return only({ ...state, type: event.type });
    case 'mode-chosen':
      return only({ ...state, mode: event.mode });
    case 'account-type-chosen':
      return only({ ...state, accountType: event.accountType });
    case 'customer-found':
      return customerFound(state, event, settings);
    case 'customer-field-requested':
      return state.stage.kind === 'entry' ? { state, effects: [focus('customer')] } : only(state);
    case 'card-filled':
      return state.stage.kind === 'entry' ? cardFilled(state, event.values, 'keyed') : only(state);
    case 'card-swiped':
      return cardSwiped(state, event);
    case 'card-misread':
      if (event.isLocked || event.isCovered || state.stage.kind !== 'entry') return only(state);
      return withNotice(state, { kind: 'bad-read' });
    case 'charge-requested':
      return chargeRequested(state, event, mode);
    case 'customer-not-created':
      return {
        state: { ...state, stage: EMPTY },
        effects: [focus('email'), { kind: 'mark-field', field: 'email', message: event.message }],
      };
    case 'charge-repeats':
      return arrived(state, { kind: 'entry', notice: { kind: 'same-charge', doubt: event.doubt, charge: event.charge } });
    case 'charge-answered':
      return arrived(state, stageAfter(event.answer, event.charge, mode));
    case 'charge-unanswered':
      return arrived(state, { kind: 'entry', notice: { kind: 'silence' } });
    case 'charge-confirmed':
      return chargeConfirmed(state, event, mode);
    case 'result-updated':
      return only({ ...state, stage: { kind: 'result', transaction: event.transaction } });
    case 'notice-dismissed':
      return { state: { ...state, stage: EMPTY }, effects: [focus('charge')] };
    case 'other-card-requested':
      return {
        state: edited({ ...state, stage: EMPTY }, 'number'),
        effects: [{ kind: 'clear', fields: PAYMENT_METHOD_FIELDS }, focus(...PAYMENT_METHOD_FIELDS)],
      };
    case 'new-sale-requested':
      return newSale(state, settings, event.values);
    case 'screen-locked':
      return { state, effects: [{ kind: 'clear', fields: SECRET_FIELDS }] };
    case 'interrupted-charge-found':
      return withNotice(state, { kind: 'interrupted' });
  }
}

const only = (state: TerminalState): TerminalStep => ({ state, effects: [] });
const focus = (...targets: readonly FocusTarget[]): TerminalEffect => ({ kind: 'focus', targets });
const announce = (text: string): TerminalEffect => ({ kind: 'announce', text });

/** Returns the same object if nothing changes, so that a keystroke does not render the screen. */
function edited(state: TerminalState, field: SaleField | null): TerminalState {
  const entry = field === 'number' ? 'keyed' : state.entry;
  return entry === state.entry && !state.isDeclinedUnchanged ? state : { ...state, entry, isDeclinedUnchanged: false };
}

function customerFound(
  state: TerminalState,
  { name, email, token, hasPaymentDetails }: Extract<TerminalEvent, { kind: 'customer-found' }>,
  settings: TerminalSettings,
): TerminalStep {
  if (state.stage.kind !== 'entry') return only(state);
  const unchanged = edited(state, null);
  if (token !== null && !hasPaymentDetails && settings.modes.includes('saved')) {
    return { state: { ...unchanged, mode: 'saved' }, effects: [{ kind: 'fill', values: { token } }, focus('next')] };
  }
  if (modeOf(state, settings) === 'saved') return { state: unchanged, effects: [focus('next')] };
  return { state: unchanged, effects: [{ kind: 'fill', values: { name, email } }, focus('next')] };
}

/** Fills a card into the form and focuses the next required field. */
function cardFilled(state: TerminalState, values: SaleValues, entry: CardEntry): TerminalStep {
  const next: TerminalState = { ...state, stage: EMPTY, mode: 'card', entry, isDeclinedUnchanged: false };
  return { state: next, effects: [{ kind: 'fill', values }, focus('next')] };
}

function cardSwiped(state: TerminalState, { card, isLocked, isCovered }: Extract<TerminalEvent, { kind: 'card-swiped' }>): TerminalStep {
  if (isLocked || state.stage.kind === 'sending') return only(state);
  if (isCovered) return { state, effects: [announce('Close the open dialog, then swipe.')] };
  if (state.stage.kind !== 'entry') return { state, effects: [announce('Start a new sale, then swipe.')] };
  const { number, expiry, name } = card;
  const filled = cardFilled(state, { number, expiry, code: '', ...(name === null ? {} : { name }) }, 'swiped');
  return { ...filled, effects: [...filled.effects, announce('Card read.')] };
}

function chargeRequested(
  state: TerminalState,
  { form, despite }: Extract<TerminalEvent, { kind: 'charge-requested' }>,
  mode: SaleMode,
): TerminalStep {
  if (state.stage.kind !== 'entry') return only(state);
  if (form.firstProblem !== null) {
    return { state, effects: [focus(form.firstProblem), announce('This field needs to be corrected.')] };
  }
  if (state.isDeclinedUnchanged) {
    return { state, effects: [announce('This sale was declined. Change the amount, the card or the CVV first.')] };
  }
  const isCardSaved = mode !== 'saved' && form.savesCard;
  if (isCardSaved && !form.hasCustomer) {
    const message = 'Enter the name of the customer whose card is saved, or choose a customer.';
    return { state, effects: [focus('name'), { kind: 'mark-field', field: 'name', message }] };
  }
  return { state: { ...state, stage: { kind: 'sending' }, isCardSaved }, effects: [{ kind: 'send', ...(despite ? { despite } : {}) }] };
}

/** Shows what a charge led to. */
function arrived(state: TerminalState, stage: Stage): TerminalStep {
  const hold: TerminalEffect = { kind: 'hold-enter' };
  switch (stage.kind) {
    case 'result':
      return {
        state: { ...state, stage },
        effects: [hold, { kind: 'reset' }, { kind: 'report-approval', transaction: stage.transaction }],
      };
    case 'checking': {
      const watch: TerminalEffect = { kind: 'watch', doubt: stage.doubt };
      return { state: { ...state, stage }, effects: [watch, hold, announce('Checking with the processor, do not charge again.')] };
    }
    case 'entry': {
      const shown = stage.notice === null ? only({ ...state, stage }) : withNotice(state, stage.notice);
      return { ...shown, effects: [hold, ...shown.effects] };
    }
    case 'sending':
      return only({ ...state, stage });
  }
}

/** Shows why the sale did not go through, says it aloud, and focuses what the clerk needs next. */
function withNotice(state: TerminalState, notice: Notice): TerminalStep {
  const shown: TerminalState = { ...state, stage: { kind: 'entry', notice } };
  const said = announce(aloud(notice));
  switch (notice.kind) {
    case 'declined': {
      const { step } = notice.advice;
      const targets: FocusTarget[] = step.kind === 'field' ? [step.field, 'action'] : ['action'];
      return { state: { ...shown, isDeclinedUnchanged: true }, effects: [said, { kind: 'clear', fields: ['code'] }, focus(...targets)] };
    }
    case 'refused': {
      const field = fieldAtFault(notice.refusal.field);
      if (field === null) return { state: shown, effects: [said, focus('action')] };
      const mark: TerminalEffect = { kind: 'mark-field', field, message: notice.refusal.message };
      return { state: shown, effects: [said, mark, focus(field, 'action')] };
    }
    case 'same-charge':
      return { state: shown, effects: [said, focus('action')] };
    case 'failed':
      return { state: shown, effects: [said, focus('charge')] };
    case 'silence':
    case 'bad-read':
    case 'interrupted':
      return { state: shown, effects: [said] };
  }
}

/** The outcome of an unconfirmed charge: shown if the screen waits for it, else only said aloud. */
function chargeConfirmed(
  state: TerminalState,
  { doubt, transaction }: Extract<TerminalEvent, { kind: 'charge-confirmed' }>,
  mode: SaleMode,
): TerminalStep {
  const stage = stageOfSettled(transaction, mode);
  const isWatched = state.stage.kind === 'checking' && state.stage.doubt.transactionId === doubt.transactionId;
  if (stage !== null && isWatched) return arrived(state, stage);
  const outcome = transaction.status === 'approved' ? 'Approved' : 'Not charged';
  return { state, effects: [announce(`${outcome}: ${doubt.means}, ${doubt.amount} ${doubt.currency}.`)] };
}

function newSale(state: TerminalState, settings: TerminalSettings, values: SaleValues = {}): TerminalStep {
  if (state.stage.kind === 'sending') return only(state);
  const { accountType, isCardSaved } = state;
  return {
    state: { ...newTerminal(settings), accountType, isCardSaved },
    effects: [{ kind: 'renew-key' }, { kind: 'reset' }, { kind: 'fill', values }, focus('amount')],
  };
}
