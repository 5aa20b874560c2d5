import type { Tender, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { SwipedCard } from '#renderer/shared/card-entry';
import type { AccountHolder } from '#shared/channels';
import type { ChargeResult } from '../charge/charge-result.ts';
import { isReaderRefusal } from '../charge/charge-result.ts';
import type { EarlierCharge } from '../charge/earlier-charge.ts';
import type { PendingCharge, UnconfirmedCharge } from '../charge/unconfirmed-charges.ts';
import {
  type AccountType,
  type CardEntry,
  isTender,
  type SaleField,
  type SaleMode,
  type SaleType,
  type SaleValues,
  type SellChannel,
} from '../form/form.ts';
import { EMPTY, type Notice, type Stage, stageAfter, stageOfConfirmed } from './stage.ts';
import type { TerminalSettings } from './terminal-settings.ts';
import { announcementText, formFieldOf } from './texts.ts';

/** Fields that are cleared when another card is requested; the first visible one gets the focus. */
const PAYMENT_METHOD_FIELDS: readonly SaleField[] = [
  'number',
  'expiry',
  'code',
  'zip',
  'routing',
  'account',
  'holder',
  'proof',
  'token',
  'giftCode',
];
/** Fields that are cleared when the screen locks. */
const SECRET_FIELDS: readonly SaleField[] = ['number', 'expiry', 'code', 'routing', 'account', 'giftCode', 'giftPin'];

/** State of the virtual terminal. Typed text stays in the inputs: the state contains no card data. */
export interface TerminalState {
  readonly stage: Stage;
  readonly type: SaleType;
  readonly mode: SaleMode;
  readonly accountType: AccountType;
  readonly accountHolder: AccountHolder;
  /** Channel that the clerk chose for this sale; null for that of the settings. */
  readonly channel: SellChannel | null;
  readonly entry: CardEntry;
  /** True from a decline until something about the sale changes. The bank would decline the same sale again. */
  readonly isDeclinedUnchanged: boolean;
  /** True if the last charge requested to save its card. */
  readonly isCardSaved: boolean;
}

/** An action of the user, the card reader or the service. */
export type TerminalEvent =
  | { readonly kind: 'field-edited'; readonly field: SaleField }
  | { readonly kind: 'type-chosen'; readonly type: SaleType }
  /** `movesFocus` focuses the next required field. */
  | { readonly kind: 'mode-chosen'; readonly mode: SaleMode; readonly movesFocus?: boolean }
  | { readonly kind: 'account-type-chosen'; readonly accountType: AccountType }
  | { readonly kind: 'account-holder-chosen'; readonly accountHolder: AccountHolder }
  | { readonly kind: 'channel-chosen'; readonly channel: SellChannel }
  /** `hasPaymentDetails` is true if a card or account number was keyed already. */
  | {
      readonly kind: 'customer-found';
      readonly name: string;
      readonly email: string;
      readonly token: string | null;
      readonly hasPaymentDetails: boolean;
    }
  | { readonly kind: 'customer-field-requested' }
  | { readonly kind: 'next-field-requested' }
  | { readonly kind: 'card-filled'; readonly values: SaleValues }
  /** `isCovered` is true while a dialog lies over the form. */
  | { readonly kind: 'card-swiped'; readonly card: SwipedCard; readonly isLocked: boolean; readonly isCovered: boolean }
  | { readonly kind: 'card-misread'; readonly isLocked: boolean; readonly isCovered: boolean }
  /** `repeatOf` is the earlier charge that the clerk repeats on purpose. */
  | { readonly kind: 'charge-requested'; readonly form: FormCheck; readonly repeatOf?: PendingCharge }
  | { readonly kind: 'customer-not-created'; readonly message: string }
  | { readonly kind: 'charge-duplicates'; readonly earlier: EarlierCharge; readonly charge: PendingCharge }
  | { readonly kind: 'charge-answered'; readonly result: ChargeResult; readonly charge: PendingCharge }
  | { readonly kind: 'tender-recorded'; readonly tender: Tender }
  /** The charge ended without a readable response; its outcome is not known. */
  | { readonly kind: 'charge-unanswered' }
  | { readonly kind: 'charge-confirmed'; readonly unconfirmed: UnconfirmedCharge; readonly transaction: Transaction }
  | { readonly kind: 'result-updated'; readonly transaction: Transaction }
  | { readonly kind: 'notice-dismissed' }
  | { readonly kind: 'other-card-requested' }
  | { readonly kind: 'new-sale-requested'; readonly values?: SaleValues }
  /** A payment of this workstation runs on a card reader, although the screen was opened again. */
  | { readonly kind: 'reader-payment-found'; readonly unconfirmed: UnconfirmedCharge }
  /** The clerk does not wait for the payment on the card reader any longer. */
  | { readonly kind: 'next-customer-requested' }
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
  /** `showsDetails` shows them if they are among the details of the sale. */
  | { readonly kind: 'fill'; readonly values: SaleValues; readonly showsDetails?: boolean }
  | { readonly kind: 'clear'; readonly fields: readonly SaleField[] }
  /** Clears the form and its customer. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'send'; readonly repeatOf?: PendingCharge }
  /** The next charge is another one: it gets another idempotency key. */
  | { readonly kind: 'renew-key' }
  /** Ignores key presses that were meant for the form, so that they do not act on the result. */
  | { readonly kind: 'hold-enter' }
  | { readonly kind: 'watch'; readonly unconfirmed: UnconfirmedCharge }
  | { readonly kind: 'report-approval'; readonly transaction: Transaction };

interface TerminalStep {
  readonly state: TerminalState;
  readonly effects: readonly TerminalEffect[];
}

export function newTerminal(settings: TerminalSettings): TerminalState {
  return {
    stage: EMPTY,
    type: settings.type,
    mode: settings.mode,
    accountType: 'checking',
    accountHolder: 'person',
    channel: null,
    entry: 'keyed',
    isDeclinedUnchanged: false,
    isCardSaved: false,
  };
}

/** Returns the mode of the form: the chosen one, or the merchant's first if the merchant no longer accepts it. */
export function modeOf({ mode }: TerminalState, settings: TerminalSettings): SaleMode {
  return settings.modes.includes(mode) ? mode : settings.mode;
}

/** Returns the channel of the sale: the chosen one if the payment method can have it, otherwise that of a swiped card or of the settings. */
export function channelOf(state: TerminalState, settings: TerminalSettings): SellChannel {
  const { channel, entry } = state;
  const mode = modeOf(state, settings);
  if (channel !== null && (channel !== 'unscheduled' || mode === 'saved')) return channel;
  return mode === 'card' && entry === 'swiped' ? 'counter' : settings.channel;
}

/** Returns the state after an event and the actions of the screen. An event that does not apply returns the same state and no effects. */
export function stepTerminal(state: TerminalState, event: TerminalEvent, settings: TerminalSettings): TerminalStep {
  const mode = modeOf(state, settings);
  switch (event.kind) {
    case 'field-edited':
      return withoutEffects(edited(state, event.field));
    case 'type-chosen':
      return withoutEffects({ ...state, type: event.type });
    case 'mode-chosen':
      return { state: { ...state, mode: event.mode }, effects: event.movesFocus ? [focus('next')] : [] };
    case 'account-type-chosen':
      return withoutEffects({ ...state, accountType: event.accountType });
    case 'account-holder-chosen':
      return withoutEffects({ ...state, accountHolder: event.accountHolder });
    case 'channel-chosen':
      return withoutEffects({ ...state, channel: event.channel });
    case 'customer-found':
      return customerFound(state, event, settings);
    case 'customer-field-requested':
      return state.stage.kind === 'entry' ? { state, effects: [focus('customer')] } : withoutEffects(state);
    case 'next-field-requested':
      return state.stage.kind === 'entry' ? { state, effects: [focus('next')] } : withoutEffects(state);
    case 'card-filled':
      return state.stage.kind === 'entry' ? cardFilled(state, event.values, 'keyed') : withoutEffects(state);
    case 'card-swiped':
      return cardSwiped(state, event);
    case 'card-misread':
      if (event.isLocked || event.isCovered || state.stage.kind !== 'entry') return withoutEffects(state);
      return withNotice(state, { kind: 'bad-read' });
    case 'charge-requested':
      return chargeRequested(state, event, mode);
    case 'customer-not-created':
      return {
        state: { ...state, stage: EMPTY },
        effects: [focus('email'), { kind: 'mark-field', field: 'email', message: event.message }],
      };
    case 'charge-duplicates':
      return showStage(state, { kind: 'entry', notice: { kind: 'same-charge', earlier: event.earlier, charge: event.charge } });
    case 'charge-answered':
      return showStage(state, stageAfter(event.result, event.charge, mode));
    case 'tender-recorded':
      return showStage(state, { kind: 'recorded', tender: event.tender });
    case 'charge-unanswered':
      return showStage(state, { kind: 'entry', notice: { kind: 'no-response' } });
    case 'charge-confirmed':
      return chargeConfirmed(state, event, mode);
    case 'result-updated':
      return withoutEffects({ ...state, stage: { kind: 'result', transaction: event.transaction } });
    case 'notice-dismissed':
      return { state: { ...state, stage: EMPTY }, effects: [focus('charge')] };
    case 'other-card-requested':
      return {
        state: edited({ ...state, stage: EMPTY }, 'number'),
        effects: [{ kind: 'clear', fields: PAYMENT_METHOD_FIELDS }, focus(...PAYMENT_METHOD_FIELDS, 'charge')],
      };
    case 'new-sale-requested':
      if (state.stage.kind === 'checking' && state.stage.unconfirmed.reader)
        return {
          state,
          effects: [announce(t('A payment runs on {{name}}. Cancel it first.', { name: state.stage.unconfirmed.reader.name }))],
        };
      return newSale(state, settings, event.values);
    case 'reader-payment-found':
      return state.stage.kind === 'entry' ? showStage(state, { kind: 'checking', unconfirmed: event.unconfirmed }) : withoutEffects(state);
    case 'next-customer-requested':
      return nextCustomer(state, settings);
    case 'screen-locked':
      return { state, effects: [{ kind: 'clear', fields: SECRET_FIELDS }] };
    case 'interrupted-charge-found':
      return withNotice(state, { kind: 'interrupted' });
  }
}

const withoutEffects = (state: TerminalState): TerminalStep => ({ state, effects: [] });
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
  if (state.stage.kind !== 'entry') return withoutEffects(state);
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
  if (isLocked || state.stage.kind === 'sending') return withoutEffects(state);
  if (isCovered) return { state, effects: [announce(t('Close the open dialog, then swipe.'))] };
  if (state.stage.kind !== 'entry') return { state, effects: [announce(t('Start a new sale, then swipe.'))] };
  const { number, expiry, name } = card;
  const filled = cardFilled(state, { number, expiry, code: '', ...(name === null ? {} : { name }) }, 'swiped');
  return { ...filled, effects: [...filled.effects, announce(t('Card read.'))] };
}

function chargeRequested(
  state: TerminalState,
  { form, repeatOf }: Extract<TerminalEvent, { kind: 'charge-requested' }>,
  mode: SaleMode,
): TerminalStep {
  if (state.stage.kind !== 'entry') return withoutEffects(state);
  if (form.firstProblem !== null) {
    return { state, effects: [focus(form.firstProblem), announce(t('This field needs to be corrected.'))] };
  }
  // On a card reader the customer presents another card.
  if (state.isDeclinedUnchanged && mode !== 'reader' && !isTender(mode)) {
    return { state, effects: [announce(t('This sale was declined. Change the amount, the card or the CVV first.'))] };
  }
  const isCardSaved = (mode === 'card' || mode === 'bank') && form.savesCard;
  if (isCardSaved && !form.hasCustomer) {
    const message = t('Enter the name of the customer whose card is saved, or choose a customer.');
    return { state, effects: [focus('name'), { kind: 'mark-field', field: 'name', message }] };
  }
  return { state: { ...state, stage: { kind: 'sending' }, isCardSaved }, effects: [{ kind: 'send', ...(repeatOf ? { repeatOf } : {}) }] };
}

/** Shows the stage after a charge. */
function showStage(state: TerminalState, stage: Stage): TerminalStep {
  const holdEnter: TerminalEffect = { kind: 'hold-enter' };
  switch (stage.kind) {
    case 'result':
      return {
        state: { ...state, stage },
        effects: [holdEnter, { kind: 'reset' }, { kind: 'report-approval', transaction: stage.transaction }],
      };
    case 'recorded':
      return { state: { ...state, stage }, effects: [holdEnter, { kind: 'reset' }] };
    case 'checking': {
      const watch: TerminalEffect = { kind: 'watch', unconfirmed: stage.unconfirmed };
      const spoken = stage.unconfirmed.reader ? [] : [announce(t('Checking with the processor, do not charge again.'))];
      return { state: { ...state, stage }, effects: [watch, holdEnter, ...spoken] };
    }
    case 'entry': {
      const next = stage.notice === null ? withoutEffects({ ...state, stage }) : withNotice(state, stage.notice);
      return { ...next, effects: [holdEnter, ...next.effects] };
    }
    case 'sending':
      return withoutEffects({ ...state, stage });
  }
}

/** Shows and announces why the sale was not charged, and focuses the element that the clerk needs next. */
function withNotice(state: TerminalState, notice: Notice): TerminalStep {
  const next: TerminalState = { ...state, stage: { kind: 'entry', notice } };
  const spoken = announce(announcementText(notice));
  switch (notice.kind) {
    case 'declined': {
      const { step } = notice.advice;
      const targets: FocusTarget[] = step.kind === 'field' ? [step.field, 'action'] : ['action'];
      return { state: { ...next, isDeclinedUnchanged: true }, effects: [spoken, { kind: 'clear', fields: ['code'] }, focus(...targets)] };
    }
    case 'refused': {
      if (isReaderRefusal(notice.refusal)) return { state: next, effects: [spoken, focus('charge')] };
      const field = formFieldOf(notice.refusal.field);
      if (field === null) return { state: next, effects: [spoken, focus('action')] };
      const mark: TerminalEffect = { kind: 'mark-field', field, message: notice.refusal.message };
      return { state: next, effects: [spoken, mark, focus(field, 'action')] };
    }
    case 'same-charge':
      return { state: next, effects: [spoken, focus('action')] };
    case 'failed':
    case 'not-charged-on-reader':
      return { state: next, effects: [spoken, focus('charge')] };
    case 'no-response':
    case 'bad-read':
    case 'interrupted':
      return { state: next, effects: [spoken] };
  }
}

/** Shows the outcome of an unconfirmed charge if the screen waits for it, and only announces it otherwise. */
function chargeConfirmed(
  state: TerminalState,
  { unconfirmed, transaction }: Extract<TerminalEvent, { kind: 'charge-confirmed' }>,
  mode: SaleMode,
): TerminalStep {
  const stage = stageOfConfirmed(transaction, mode);
  const isWatched = state.stage.kind === 'checking' && state.stage.unconfirmed.transactionId === unconfirmed.transactionId;
  if (stage !== null && isWatched) return showStage(state, stage);
  const outcome = transaction.status === 'approved' ? t('Approved') : t('Not charged');
  return { state, effects: [announce(`${outcome}: ${unconfirmed.methodLabel}, ${unconfirmed.amount} ${unconfirmed.currency}.`)] };
}

function newSale(state: TerminalState, settings: TerminalSettings, values: SaleValues = {}): TerminalStep {
  if (state.stage.kind === 'sending') return withoutEffects(state);
  const { accountType, isCardSaved } = state;
  return {
    state: { ...newTerminal(settings), accountType, isCardSaved },
    effects: [{ kind: 'renew-key' }, { kind: 'reset' }, { kind: 'fill', values, showsDetails: true }, focus('amount')],
  };
}

/** Starts the sale of the next customer. The payment on the card reader stays in the list of those that are not confirmed. */
function nextCustomer(state: TerminalState, settings: TerminalSettings): TerminalStep {
  if (state.stage.kind !== 'checking') return withoutEffects(state);
  const { reader: _, ...unconfirmed } = state.stage.unconfirmed;
  const next = newSale(state, settings);
  return { ...next, effects: [{ kind: 'watch', unconfirmed }, ...next.effects] };
}
