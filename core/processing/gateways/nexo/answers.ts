import type { Money } from '#core/kernel';
import type { EntryMode, Verification } from '#shared/terminals';
import { brandOf } from '../card-brands.ts';
import { amountOf } from '../decimal-amount.ts';
import type { CardDeclineCode } from '../decline-codes.ts';
import type { CardPresent, Outcome } from '../outcome.ts';
import { type Fields, groupIn, groupsIn, listIn, textIn } from './json.ts';
import { referenceOf } from './messages.ts';

/** The payment that a response is compared with. */
export interface SentPayment {
  readonly processorRef: string;
  readonly amount: Money;
}

type Decided = Exclude<Outcome, { kind: 'pending' }>;
type Clean = (text: string) => string;

const AUTH_CODE = /^[\w -]{1,12}$/;
const APPLICATION_ID = /^[0-9A-F]{10,32}$/i;
const TEXT_MAX = 40;

const refusal = (reason: string, more: Partial<Extract<Outcome, { kind: 'not-sent' }>> = {}): Decided => ({
  kind: 'not-sent',
  reason,
  retry: 'error',
  ...more,
});

/** Conditions under which the reader ended a payment without a charge. */
const ENDED: Readonly<Record<string, Decided>> = {
  Cancel: refusal('The payment was canceled on the card reader.', { canceledBy: 'customer' }),
  Aborted: refusal('The payment was canceled on the card reader.', { canceledBy: 'clerk' }),
  Busy: refusal('The card reader is in use.', { refusedBy: 'terminal_busy' }),
  DeviceOut: refusal('The card reader is out of order. Look at its display.'),
  UnavailableDevice: refusal('A part of the card reader is not available. Look at its display.'),
  LoggedOut: refusal('The card reader is logged out. Look at its display.'),
  UnavailableService: refusal('The card reader does not offer this service.'),
  UnreachableHost: refusal('The card reader did not reach its processor. Check its network.'),
  InsertedCard: refusal('A card is still in the reader. Remove it and try again.'),
  MessageFormat: refusal('The card reader did not accept the form of the request.'),
  NotAllowed: refusal('The card reader does not allow this request.'),
};

const DECLINED: Readonly<Record<string, CardDeclineCode>> = {
  Refusal: 'card_declined',
  InvalidCard: 'invalid_account',
  WrongPIN: 'restricted_card',
  PaymentRestriction: 'restricted_card',
};
/** Words in the text of a refusal, whose exact form is not documented. */
const DECLINE_WORDS: readonly (readonly [RegExp, CardDeclineCode])[] = [
  [/insufficient|not enough balance/i, 'insufficient_funds'],
  [/expired/i, 'expired_card'],
  [/lost|stolen/i, 'lost_stolen'],
];

/** Returns the outcome of a payment by its response. A condition that is not documented is an unknown outcome. */
export function outcomeOf(response: Fields, sent: SentPayment, clean: Clean): Decided {
  const transaction = textIn(groupIn(response, 'SaleData', 'SaleTransactionID'), 'TransactionID');
  if (transaction !== undefined && transaction !== sent.processorRef)
    return { kind: 'unknown', cause: 'The card reader responded with another payment.', isNotYetShown: true };
  const { Result: result, ErrorCondition: condition } = resultOf(response);
  const card = cardOf(response, clean);
  if (result === 'Success' || result === 'Partial') return approved(response, sent, card);
  if (result === 'Failure' && condition !== undefined) {
    if (Object.hasOwn(ENDED, condition)) return ENDED[condition] as Decided;
    if (Object.hasOwn(DECLINED, condition)) return declined(DECLINED[condition] as CardDeclineCode, reasonIn(response, clean), card);
  }
  const cause = `The card reader responded with ${clean(`${result ?? 'no result'} ${condition ?? ''}`)}.`;
  return { kind: 'unknown', cause, isNotYetShown: true };
}

/** Result of a response and the condition of a failure. */
export function resultOf(response: Fields): { readonly Result: string | undefined; readonly ErrorCondition: string | undefined } {
  const fields = groupIn(response, 'Response');
  return { Result: textIn(fields, 'Result'), ErrorCondition: textIn(fields, 'ErrorCondition') };
}

/** Reports the amount of the response, which the caller checks. Without an amount in the currency of the payment the outcome is unknown. */
function approved(response: Fields, { amount: { currency } }: SentPayment, card: CardPresent | undefined): Decided {
  const id = groupIn(response, 'POIData', 'POITransactionID');
  const reference = referenceOf(textIn(id, 'TransactionID'), textIn(id, 'TimeStamp'));
  const amounts = groupIn(response, 'PaymentResult', 'AmountsResp');
  const amount = amountOf(textIn(amounts, 'AuthorizedAmount'), currency);
  const tip = amountOf(textIn(amounts, 'TipAmount') ?? '0', currency);
  if (reference === undefined || amount === undefined || tip === undefined || textIn(amounts, 'Currency') !== currency)
    return { kind: 'unknown', cause: 'The approval of the card reader has no reference or no amount.', alert: 'processor-at-a-loss' };
  const authCode = textIn(groupIn(response, 'PaymentResult', 'PaymentAcquirerData'), 'ApprovalCode');
  return {
    kind: 'approved',
    reference,
    charged: { amount, ...(tip.minor > 0 && { tip }), isNotVoidable: true },
    ...(authCode !== undefined && AUTH_CODE.test(authCode) && { authCode }),
    ...(card && { cardPresent: card }),
  };
}

function declined(declineCode: CardDeclineCode, words: string, card: CardPresent | undefined): Decided {
  const byWords = declineCode === 'card_declined' ? DECLINE_WORDS.find(([pattern]) => pattern.test(words))?.[1] : undefined;
  return {
    kind: 'declined',
    declineCode: byWords ?? declineCode,
    declineReason: words || 'The payment was declined.',
    ...(card && { cardPresent: card }),
  };
}

/** Returns the text of a failure, for people. */
export function reasonIn(response: Fields, clean: Clean): string {
  const additional = textIn(groupIn(response, 'Response'), 'AdditionalResponse') ?? '';
  return clean(new URLSearchParams(additional.slice(0, 2_000)).get('refusalReason') ?? '');
}

const ENTRY_MODES: Readonly<Record<string, EntryMode>> = {
  ICC: 'chip',
  Contactless: 'contactless',
  Tapped: 'contactless',
  Mobile: 'contactless',
  MagStripe: 'swipe',
  Keyed: 'keyed',
  Manual: 'keyed',
};
const VERIFICATIONS: Readonly<Record<string, Verification>> = {
  OnlinePIN: 'pin',
  OfflinePIN: 'pin',
  SignatureCapture: 'signature',
  PaperSignature: 'signature',
  Bypass: 'none',
};

/** Returns the card of a response; undefined without its last four digits. The receipt states the application on the chip. */
function cardOf(response: Fields, clean: Clean): CardPresent | undefined {
  const result = groupIn(response, 'PaymentResult');
  const data = groupIn(result, 'PaymentInstrumentData', 'CardData');
  const masked = textIn(data, 'MaskedPan') ?? '';
  const last4 = /(\d{4})$/.exec(masked)?.[1];
  if (last4 === undefined) return undefined;
  const receipts = groupsIn(response, 'PaymentReceipt');
  const lines = linesOf(receipts);
  const entryMode = firstOf(listIn(data, 'EntryMode'), ENTRY_MODES);
  const needsSignature = receipts.some((receipt) => receipt.RequiredSignatureFlag === true);
  const verification = needsSignature ? 'signature' : firstOf(listIn(result, 'AuthenticationMethod'), VERIFICATIONS);
  const [id, label] = [lines.get('aid'), clean(lines.get('preferredName') ?? '').slice(0, TEXT_MAX)];
  return {
    brand: brandOf(textIn(data, 'PaymentBrand') ?? '', masked),
    last4,
    ...(entryMode && { entryMode }),
    ...(verification && { verification }),
    ...(label && { applicationLabel: label }),
    ...(id && APPLICATION_ID.test(id) && { applicationId: id.toUpperCase() }),
  };
}

function firstOf<Value>(names: readonly unknown[], values: Readonly<Record<string, Value>>): Value | undefined {
  const known = names.find((name) => typeof name === 'string' && Object.hasOwn(values, name));
  return known === undefined ? undefined : values[known as string];
}

/** Returns the values of the lines of receipts by their keys, which are documented, unlike their texts. */
function linesOf(receipts: readonly Fields[]): ReadonlyMap<string, string> {
  const lines = receipts.flatMap((receipt) => groupsIn(groupIn(receipt, 'OutputContent'), 'OutputText'));
  const pairs = lines.flatMap((line) => {
    const form = new URLSearchParams((textIn(line, 'Text') ?? '').slice(0, 500));
    const [key, value] = [form.get('key'), form.get('value')];
    return key && value ? [[key, value] as const] : [];
  });
  return new Map(pairs);
}
