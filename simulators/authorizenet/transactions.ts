// The effect of createTransaction on the ledger. Cards, ZIP codes and amounts have the same effect as in the processor's sandbox.
import { centsOf, type Entry, type EntryState, type Method, textOfCents } from '../ledger.ts';
import type { SimulatorContext } from '../simulator-server.ts';
import { channelDetails, echeckFault, marketFault } from './channels.ts';
import type { Line, TransactionRequest } from './request.ts';

/** The result of a transaction; `entry` if the ledger has one. */
export interface Verdict {
  readonly response: '1' | '2' | '3' | '4';
  readonly reason: string;
  readonly message: string;
  readonly entry?: Entry;
}

const APPROVED = { response: '1', reason: '1', message: 'This transaction has been approved.' } as const;
const refused = (reason: string, message: string): Verdict => ({ response: '3', reason, message });
const DECLINED = 'This transaction has been declined.';
const DUPLICATE = refused('11', 'A duplicate transaction has been submitted.');
/** Authorizations that the processor's own rules decline and whose void then fails, so that the money stays held. */
const HELD_DESPITE_DECLINE = new Set(['127', '141', '145', '152', '165', '181']);
/** Partial approval: the part is held until its group is completed. */
const PARTIAL = '295';
const PART_CENTS = 123;
const REVIEWED = new Set(['193', '252', '253']);
const ERRORS_WITH_CODE_2 = new Set(['2', '3', '4', '27', '41', '44', '45', '65', '127', '128', '141', '145', '165', '191', '250', '251']);
const DUPLICATE_WINDOW_SECONDS = 120;
const ECHECK_CENTS_MAX = 10_000;
const AVS_OF_ZIP: Readonly<Record<string, string>> = {
  46201: 'A',
  46203: 'E',
  46204: 'G',
  46205: 'N',
  46206: 'P',
  46207: 'R',
  46208: 'S',
  46209: 'U',
  46211: 'W',
  46214: 'X',
  46217: 'Z',
};
const CVV_OF_CODE: Readonly<Record<string, string>> = { 900: 'M', 901: 'N', 902: 'S', 903: 'U', 904: 'P' };

/** Time of the last request with each signature, for each ledger. */
const recentTransactions = new WeakMap<SimulatorContext['ledger'], Map<string, number>>();

/** Performs a transaction; a given code determines its result. */
export function transact(request: TransactionRequest, context: SimulatorContext, code: string | null): Verdict {
  switch (request.transactionType) {
    case 'priorAuthCaptureTransaction':
      return capture(request, context, code);
    case 'voidTransaction':
      return cancel(request, context, code);
    case 'refundTransaction':
      return request.refTransId === undefined ? pay(request, context, code) : refund(request, context, code);
    default:
      return pay(request, context, code);
  }
}

function pay(request: TransactionRequest, context: SimulatorContext, code: string | null): Verdict {
  const { transactionType } = request;
  if (transactionType === 'refundTransaction' && context.quirks.has('no-free-credits'))
    return refused('54', 'The referenced transaction does not meet the criteria for issuing a credit.');
  const cents = centsOf(request.amount);
  if (cents === undefined || cents === 0 || partCents(request) > cents) return refused('5', 'A valid amount is required.');
  if (request.currencyCode !== undefined && request.currencyCode !== 'USD')
    return refused(
      '39',
      'The supplied currency code is either invalid, not supported, not allowed for this merchant or doesn’t have an exchange rate.',
    );
  const source = sourceOf(request, context);
  if ('response' in source) return source;
  if (isDuplicate(request, context)) return DUPLICATE;
  const verdict = code === null ? verdictOn(request, source.method, cents) : verdictOfCode(code);
  const operation = transactionType === 'authCaptureTransaction' ? 'sale' : transactionType === 'authOnlyTransaction' ? 'auth' : 'credit';
  const state = stateOf(operation, verdict);
  if (state === null) return verdict;
  const isPart = verdict.reason === PARTIAL;
  const entry = context.ledger.add({
    ourReference: request.order?.invoiceNumber ?? '',
    operation,
    state,
    amountMinor: isPart ? Math.min(cents, PART_CENTS) : cents,
    method: source.method,
    last4: source.last4,
    details: {
      ...checksOf(request),
      ...partDetails(request),
      ...channelDetails(request),
      reason: verdict.reason,
      response: verdict.response,
      ...(isPart && { requested: textOfCents(cents) }),
      firstName: request.billTo?.firstName ?? '',
    },
  });
  return { ...verdict, entry };
}

/** Parts, lines and purchase order number that a request states. */
function partDetails({ lineItems, tax, surcharge, tip, poNumber }: TransactionRequest): Record<string, string> {
  const lines = lineItems?.lineItem.map(lineText).join(', ');
  const details = { lines, tax: tax?.amount, surcharge: surcharge?.amount, tip: tip?.amount, ponumber: poNumber };
  return Object.fromEntries(Object.entries(details).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function lineText({ name, quantity, unitPrice, discountAmount, totalAmount }: Line): string {
  const discount = discountAmount === undefined ? '' : ` - ${discountAmount} = ${totalAmount}`;
  return `${quantity} × ${name} ${unitPrice}${discount}`;
}

/** Returns the sum of the parts, which may not exceed the amount. */
const partCents = ({ tax, surcharge, tip }: TransactionRequest): number =>
  [tax, surcharge, tip].reduce((sum, part) => sum + (part === undefined ? 0 : (centsOf(part.amount) ?? Number.POSITIVE_INFINITY)), 0);

/** Null if the ledger stores nothing of the transaction. */
function stateOf(operation: 'sale' | 'auth' | 'credit', { response, reason }: Verdict): EntryState | null {
  if (HELD_DESPITE_DECLINE.has(reason)) return 'authorized';
  if (reason === PARTIAL) return 'authorized';
  if (response === '1') return operation === 'auth' ? 'authorized' : 'captured';
  if (response === '4') return 'held';
  return response === '2' ? 'declined' : null;
}

function sourceOf(request: TransactionRequest, context: SimulatorContext): { method: Method; last4: string } | Verdict {
  const { creditCard: card, bankAccount: bank } = request.payment ?? {};
  if (bank) {
    if (!isRoutingNumber(bank.routingNumber)) return refused('9', 'The ABA code is invalid');
    if (!/^\d{4,17}$/.test(bank.accountNumber)) return refused('10', 'The account number is invalid');
    const fault = echeckFault(request);
    if (fault !== null) return refused(...fault);
    return { method: 'ach', last4: bank.accountNumber.slice(-4) };
  }
  if (!card || card.expirationDate === 'XXXX') return refused('33', 'Credit card number is required.');
  if (!passesLuhn(card.cardNumber)) return refused('6', 'The credit card number is invalid.');
  const [year = '', month = ''] = card.expirationDate.split('-');
  if (month === '' || Number(month) < 1 || Number(month) > 12) return refused('7', 'Credit card expiration date is invalid.');
  if (Date.UTC(Number(year), Number(month)) <= context.now()) return refused('8', 'The credit card has expired.');
  const fault = marketFault(request, context);
  if (fault !== null) return refused(...fault);
  return { method: 'card', last4: card.cardNumber.slice(-4) };
}

function verdictOn(request: TransactionRequest, method: Method, cents: number): Verdict {
  const { zip } = request.billTo ?? {};
  if (method === 'ach') return cents > ECHECK_CENTS_MAX ? verdictOfCode('2') : APPROVED;
  if (zip === '46282') return verdictOfCode('2');
  if (zip === '46225') return settingOf(request, 'allowPartialAuth') === 'true' ? verdictOfCode(PARTIAL) : verdictOfCode('2');
  const [isCodeWrong, isZipWrong] = [request.payment?.creditCard?.cardCode === '901', zip === '46205'];
  if (isCodeWrong) return verdictOfCode(isZipWrong ? '45' : '44');
  return isZipWrong ? verdictOfCode('27') : APPROVED;
}

/** A reason as in the processor's table. */
function verdictOfCode(reason: string): Verdict {
  if (reason === '1') return APPROVED;
  if (reason === PARTIAL || REVIEWED.has(reason))
    return { response: '4', reason, message: 'Your order has been received. Thank you for your business!' };
  if (ERRORS_WITH_CODE_2.has(reason)) return { response: '2', reason, message: DECLINED };
  return refused(reason, `The transaction was unsuccessful (${reason}).`);
}

function checksOf({ billTo, payment }: TransactionRequest): Record<string, string> {
  const { cardCode } = payment?.creditCard ?? {};
  return {
    avs: payment?.bankAccount ? 'P' : billTo?.zip === undefined ? 'B' : (AVS_OF_ZIP[billTo.zip] ?? (billTo.address ? 'Y' : 'Z')),
    cvv: cardCode === undefined ? '' : (CVV_OF_CODE[cardCode] ?? 'M'),
  };
}

const settingOf = (request: TransactionRequest, name: string) =>
  request.transactionSettings?.setting.find(({ settingName }) => settingName === name)?.settingValue;

/** All fields that the processor compares; any difference makes it another payment. */
function isDuplicate(request: TransactionRequest, context: SimulatorContext): boolean {
  const { transactionType, amount, payment, refTransId, order, customer, billTo } = request;
  const { cardNumber, expirationDate } = payment?.creditCard ?? {};
  const { routingNumber, accountNumber } = payment?.bankAccount ?? {};
  const account = [cardNumber, expirationDate, routingNumber, accountNumber];
  const signature = JSON.stringify([transactionType, amount, account, refTransId, order?.invoiceNumber, customer?.id, billTo]);
  const times = recentTransactions.get(context.ledger) ?? new Map<string, number>();
  recentTransactions.set(context.ledger, times);
  const before = times.get(signature);
  const windowMs = Number(settingOf(request, 'duplicateWindow') ?? DUPLICATE_WINDOW_SECONDS) * 1_000;
  if (before !== undefined && context.now() - before <= windowMs) return true;
  times.set(signature, context.now());
  return false;
}

function capture(request: TransactionRequest, context: SimulatorContext, code: string | null): Verdict {
  const { refTransId = '', amount } = request;
  const entry = context.ledger.find(refTransId);
  if (entry?.operation !== 'auth') return refused('16', 'The transaction was not found.');
  if (code !== null) return verdictOfCode(code);
  if (entry.state === 'captured' || entry.state === 'settled')
    return { ...refused('311', 'This transaction has already been captured.'), entry };
  if (entry.state !== 'authorized') return refused('16', 'The transaction was not found.');
  const cents = amount === undefined ? entry.amountMinor : centsOf(amount);
  if (cents === undefined || cents === 0) return refused('5', 'A valid amount is required.');
  if (cents > entry.amountMinor)
    return refused('47', 'The amount requested for settlement cannot be greater than the original amount authorized.');
  if (partCents(request) > cents) return refused('5', 'A valid amount is required.');
  context.ledger.capture(entry, cents);
  Object.assign(entry.details, partDetails(request));
  return { ...APPROVED, entry };
}

/** Ends the group of an approved part, whose ID is that of the part here. Returns false for an unknown group. */
export function updateGroup(splitTenderId: string, status: string, { ledger }: SimulatorContext): boolean {
  const entry = ledger.find(splitTenderId);
  if (entry?.details.requested === undefined) return false;
  if (entry.state !== 'authorized') return true;
  if (status === 'voided') ledger.void(entry);
  if (status === 'completed' && entry.operation === 'sale') ledger.capture(entry, entry.amountMinor);
  return true;
}

function cancel({ refTransId = '' }: TransactionRequest, context: SimulatorContext, code: string | null): Verdict {
  const entry = context.ledger.find(refTransId);
  if (!entry || entry.state === 'declined') return refused('16', 'The transaction was not found.');
  if (code !== null) return verdictOfCode(code);
  if (entry.state === 'voided') return { ...refused('310', 'This transaction has already been voided.'), entry };
  if (entry.state === 'settled') return refused('327', 'Transactions that are settled cannot be voided.');
  context.ledger.void(entry);
  return { ...APPROVED, entry };
}

function refund(request: TransactionRequest, context: SimulatorContext, code: string | null): Verdict {
  const { refTransId = '', amount, payment, order } = request;
  const original = context.ledger.find(refTransId);
  if (!original) return refused('16', 'The transaction was not found.');
  const last4 = (payment?.creditCard?.cardNumber ?? payment?.bankAccount?.accountNumber ?? '').slice(-4);
  if (last4 !== original.last4 || original.state !== 'settled' || original.operation === 'refund')
    return refused('54', 'The referenced transaction does not meet the criteria for issuing a credit.');
  if (payment?.bankAccount) {
    const source = sourceOf(request, context);
    if ('response' in source) return source;
  }
  const cents = centsOf(amount);
  if (cents === undefined || cents === 0) return refused('5', 'A valid amount is required.');
  if (isDuplicate(request, context)) return DUPLICATE;
  if (cents > context.ledger.refundable(original))
    return refused('55', 'The sum of credits against the referenced transaction would exceed original debit amount.');
  const verdict = code === null ? APPROVED : verdictOfCode(code);
  if (verdict.response !== '1' && verdict.response !== '4') return verdict;
  const entry = context.ledger.add({
    ourReference: order?.invoiceNumber ?? '',
    operation: 'refund',
    state: verdict.response === '4' ? 'held' : 'captured',
    amountMinor: cents,
    method: original.method,
    last4,
    original: original.reference,
    details: { reason: verdict.reason, response: verdict.response },
  });
  return { ...verdict, entry };
}

function isRoutingNumber(routing: string): boolean {
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];
  return /^\d{9}$/.test(routing) && weights.reduce((sum, weight, index) => sum + weight * Number(routing[index]), 0) % 10 === 0;
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return number.length >= 12 && sum % 10 === 0;
}
