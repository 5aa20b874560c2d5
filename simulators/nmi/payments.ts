// transact.php: a form as input, one line of names and values as output.
import { centsOf, type Entry, textOfCents } from '../ledger.ts';
import type { ProtocolFault, SimulatorContext, SimulatorResponse } from '../simulator-server.ts';
import { CHANNEL_FIELDS, channelDetails, channelFault } from './channels.ts';

type Form = ReadonlyMap<string, string>;
/** A refusal by its code and text. */
class Refused extends Error {
  readonly code: string;
  constructor(text: string, code = '300') {
    super(text);
    this.code = code;
  }
}

const PAYER_FIELDS = ['first_name', 'last_name', 'company', 'address1', 'address2', 'city', 'state', 'zip', 'country', 'phone', 'email'];
const PAYMENT = [
  ...[
    'security_key',
    'type',
    'amount',
    'tax',
    'surcharge',
    'tip',
    'ponumber',
    'currency',
    'orderid',
    'order_description',
    'processor_id',
    'dup_seconds',
    'customer_receipt',
  ],
  ...[
    'ccnumber',
    'ccexp',
    'cvv',
    'payment',
    'checkname',
    'checkaba',
    'checkaccount',
    'account_holder_type',
    'account_type',
    'sec_code',
    'customer_vault_id',
  ],
  'partial_payments',
  ...['initiated_by', 'stored_credential_indicator', 'initial_transaction_id', 'billing_method', 'test_mode'],
  ...CHANNEL_FIELDS,
  ...PAYER_FIELDS,
];
/** Fields of the lines of a sale (Level III). */
const LINE_FIELD = /^item_(?:description|quantity|unit_cost|discount_amount|tax_amount|total_amount)_[1-9]\d*$/;
const FOLLOW_UP = ['security_key', 'type', 'transactionid', 'amount', 'payment'];
/** A capture with its own reference would rename the payment, so the simulator refuses it. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  sale: PAYMENT,
  auth: PAYMENT,
  credit: PAYMENT,
  capture: [...FOLLOW_UP, 'tax', 'surcharge', 'tip'],
  void: FOLLOW_UP,
  refund: [...FOLLOW_UP, 'orderid'],
};

const DUPLICATE_WITHIN_MS = 20 * 60_000;
const DECLINED_BELOW = 100;
/** Card of which half of the amount is approved, if the request allows it. */
const PREPAID_CARD = '5105105105105100';
const TEXTS: Readonly<Record<string, string>> = {
  100: 'SUCCESS',
  200: 'DECLINE',
  202: 'Insufficient funds',
  223: 'Expired card',
  301: 'Rate limit exceeded, please slow down',
  410: 'Invalid merchant configuration',
  411: 'Merchant account is inactive',
  420: 'Communication error',
  421: 'Communication error with issuer',
  430: 'Duplicate transaction at processor',
};
let refusals = 3_187_654_000;

export function transact(
  pairs: readonly (readonly [string, string])[],
  context: SimulatorContext,
  protocolFault: ProtocolFault | null,
): SimulatorResponse {
  const form: Form = new Map(pairs);
  try {
    if (form.size !== pairs.length) throw new Refused('A field is there twice');
    if (form.get('security_key') !== context.credentials.securityKey) throw new Refused('Authentication Failed');
    if (protocolFault?.kind === 'busy') throw new Refused(textOf('301'), '301');
    if (protocolFault?.kind === 'echo') throw new Refused(`Cannot read ${pairs.map(([name, value]) => `${name} ${value}`).join(', ')}`);
    const code = protocolFault?.kind === 'code' ? protocolFault.code : null;
    if (code !== null && !code.startsWith('2')) throw new Refused(textOf(code), code);
    checkFields(form);
    const shown = perform(form, context, code);
    if (protocolFault?.kind === 'duplicate') throw new Refused('Duplicate transaction');
    return line(shown);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refusals += 1;
    const text = error.code === '300' ? `${error.message} REFID:${refusals}` : error.message;
    return line({
      response: '3',
      responsetext: text,
      orderid: form.get('orderid') ?? '',
      type: form.get('type') ?? '',
      response_code: error.code,
    });
  }
}

function checkFields(form: Form): void {
  const known = FIELDS[form.get('type') ?? ''];
  if (!known) throw new Refused('Invalid Transaction Type');
  for (const [name, value] of form) {
    if (!known.includes(name) && !(known === PAYMENT && LINE_FIELD.test(name))) throw new Refused(`Invalid variable ${name}`);
    if (value === '') throw new Refused(`The ${name} field is empty`);
    if ((name === 'state' || name === 'country') && value.length !== 2) throw new Refused(`Invalid ${name}`);
  }
}

/** Performs a valid request and returns the fields of its response. */
function perform(form: Form, context: SimulatorContext, code: string | null): Record<string, string> {
  switch (form.get('type')) {
    case 'capture':
      return capture(form, context);
    case 'void':
      return undo(form, context);
    case 'refund':
      return refund(form, context, code);
    default:
      return pay(form, context, code);
  }
}

function pay(form: Form, context: SimulatorContext, code: string | null): Record<string, string> {
  const operation = form.get('type') as 'sale' | 'auth' | 'credit';
  const amountMinor = amountIn(form);
  if (form.get('currency') !== 'USD')
    throw new Refused(`The cc payment type [Visa] and/or currency [${form.get('currency')}] is not accepted`);
  if (operation === 'credit' && context.quirks.has('no-credits')) throw new Refused('Credits are not allowed for this account');
  checkParts(form, amountMinor);
  const orderId = form.get('orderid') ?? '';
  if (!/^[\w-]{1,50}$/.test(orderId)) throw new Refused('Invalid orderid');
  const method = form.get('payment') === 'check' ? 'ach' : 'card';
  const number = method === 'ach' ? accountIn(form) : form.has('customer_vault_id') ? cardInVault(form, context) : cardIn(form);
  checkStored(form, context);
  const fault = channelFault(form);
  if (fault !== null) throw new Refused(fault);
  if (context.quirks.has('duplicate-check') && isDuplicate(form, context, number, amountMinor)) throw new Refused('Duplicate transaction');
  const declined = code ?? (method === 'card' && isExpired(form, context) ? '223' : amountMinor < DECLINED_BELOW ? '200' : null);
  const checks = { avsresponse: avsOf(form), cvvresponse: cvvOf(form) };
  const isAuth = operation === 'auth';
  const allowed = form.get('partial_payments');
  if (allowed !== undefined && allowed !== 'settle_partial' && allowed !== 'payment_in_full') throw new Refused('Invalid partial_payments');
  const isPrepaid = allowed !== undefined && number === PREPAID_CARD;
  const isPart = (context.quirks.has('partial') || isPrepaid) && method === 'card' && operation !== 'credit';
  const part = isPart ? Math.trunc(amountMinor / 2) : null;
  const entry = context.ledger.add({
    ourReference: orderId,
    operation,
    state: declined ? 'declined' : isAuth ? 'authorized' : 'captured',
    amountMinor: declined ? amountMinor : (part ?? amountMinor),
    method,
    last4: number.slice(-4),
    details: {
      code: declined ?? '100',
      text: declined ? (method === 'ach' ? 'FAILED' : textOf(declined)) : 'SUCCESS',
      auth: declined ? '' : '123456',
      avs: checks.avsresponse,
      cvv: checks.cvvresponse,
      stored: storedKind(form),
      ...partDetails(form),
      ...channelDetails(form),
    },
  });
  const { code: responseCode = '', text = '', auth = '' } = entry.details;
  return {
    response: declined ? '2' : '1',
    responsetext: text,
    authcode: auth,
    transactionid: entry.reference,
    ...checks,
    orderid: orderId,
    type: operation,
    response_code: responseCode,
    ...(part !== null && !declined
      ? { amount_authorized: textOfCents(part), partial_payment_id: '71', partial_payment_balance: textOfCents(amountMinor - part) }
      : {}),
  };
}

function capture(form: Form, context: SimulatorContext): Record<string, string> {
  const entry = entryIn(form, context);
  const amountMinor = amountIn(form);
  if (entry.state !== 'authorized') throw new Refused('A capture requires that the existing transaction be an AUTH');
  checkParts(form, amountMinor);
  if (amountMinor > entry.amountMinor)
    throw new Refused(
      `The specified amount of ${textOfCents(amountMinor)} exceeds the authorization amount of ${textOfCents(entry.amountMinor)}`,
    );
  context.ledger.capture(entry, amountMinor);
  Object.assign(entry.details, partDetails(form));
  return done(entry, 'capture', 'SUCCESS');
}

function undo(form: Form, context: SimulatorContext): Record<string, string> {
  const entry = entryIn(form, context);
  if (entry.state !== 'authorized' && entry.state !== 'captured') throw new Refused('Only transactions pending settlement can be voided');
  context.ledger.void(entry);
  return done(entry, 'void', 'Transaction Void Successful');
}

function refund(form: Form, context: SimulatorContext, code: string | null): Record<string, string> {
  const entry = entryIn(form, context);
  if ((entry.state !== 'captured' && entry.state !== 'settled') || entry.operation === 'refund' || entry.operation === 'credit')
    throw new Refused('Invalid Transaction ID specified');
  const left = context.ledger.refundable(entry);
  const requested = centsOf(form.get('amount') ?? '0.00');
  if (requested === undefined) throw new Refused('Invalid amount');
  const amountMinor = requested === 0 ? left : requested;
  if (amountMinor > left) throw new Refused('Refund amount may not exceed the transaction balance');
  const orderId = form.get('orderid') ?? '';
  const made = context.ledger.add({
    ourReference: orderId,
    operation: 'refund',
    state: code ? 'declined' : 'captured',
    amountMinor,
    method: entry.method,
    last4: entry.last4,
    original: entry.reference,
    details: { code: code ?? '100', text: textOf(code ?? '100') },
  });
  const response = done(made, 'refund', textOf(code ?? '100'));
  return { ...response, response: code ? '2' : '1', response_code: code ?? '100', orderid: orderId };
}

function done(entry: Entry, type: string, text: string): Record<string, string> {
  return {
    response: '1',
    responsetext: text,
    authcode: entry.details.auth ?? '',
    transactionid: entry.reference,
    orderid: entry.ourReference,
    type,
    response_code: '100',
  };
}

/** The transaction that a request refers to; for a bank payment only if the request names that type. */
function entryIn(form: Form, context: SimulatorContext): Entry {
  const id = form.get('transactionid') ?? '';
  if (!/^\d+$/.test(id)) throw new Refused('Invalid Transaction ID specified');
  const entry = context.ledger.find(id);
  if (!entry || entry.state === 'declined') throw new Refused('Transaction not found');
  if (entry.method === 'ach' && form.get('payment') !== 'check') throw new Refused('Invalid Transaction ID specified');
  return entry;
}

/** Parts, lines and purchase order number that a request states. */
const partDetails = (form: Form): Record<string, string> =>
  Object.fromEntries([...form].filter(([name]) => ['tax', 'surcharge', 'tip', 'ponumber'].includes(name) || LINE_FIELD.test(name)));

/** Checks the format of tax, surcharge, tip and purchase order number, and that the parts do not exceed the amount. */
function checkParts(form: Form, amountMinor: number): void {
  const parts = ['tax', 'surcharge', 'tip'].map((name) => {
    const value = form.get(name);
    if (value === undefined) return 0;
    const cents = /^\d+\.\d{2}$/.test(value) ? centsOf(value) : undefined;
    if (cents === undefined) throw new Refused(`Invalid ${name}`);
    return cents;
  });
  if (parts.reduce((sum, part) => sum + part, 0) > amountMinor) throw new Refused('Invalid amount');
  if ((form.get('ponumber') ?? '').length > 50) throw new Refused('Invalid ponumber');
}

function amountIn(form: Form): number {
  const amount = form.get('amount') ?? '';
  const cents = /^\d+\.\d{2}$/.test(amount) ? centsOf(amount) : undefined;
  if (!cents) throw new Refused('Invalid amount');
  return cents;
}

function cardIn(form: Form): string {
  const number = form.get('ccnumber') ?? '';
  if (!/^\d{13,19}$/.test(number) || !passesLuhn(number)) throw new Refused('Invalid Credit Card Number');
  if (!/^(0[1-9]|1[0-2])\d{2}$/.test(form.get('ccexp') ?? '')) throw new Refused('Invalid Expiration Date');
  if (form.has('cvv') && !/^\d{3,4}$/.test(form.get('cvv') ?? '')) throw new Refused('Invalid CVV');
  return number;
}

/** The card of an entry of the vault, which takes no number and no code. */
function cardInVault(form: Form, { ledger }: SimulatorContext): string {
  const id = form.get('customer_vault_id');
  if (form.has('ccnumber') || form.has('ccexp') || form.has('cvv')) throw new Refused('Invalid variable ccnumber');
  const stored = ledger.all().find(({ details }) => details.vaultId === id);
  if (!stored) throw new Refused('Invalid Customer Vault ID specified');
  return stored.last4;
}

function accountIn(form: Form): string {
  const [routing = '', account = ''] = [form.get('checkaba'), form.get('checkaccount')];
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(routing[index]), 0);
  if (!/^\d{9}$/.test(routing) || sum % 10 !== 0) throw new Refused('Invalid ABA number');
  if (!/^\d{4,17}$/.test(account)) throw new Refused('Invalid account number');
  if (!form.has('checkname')) throw new Refused('The checkname field is required');
  if (!['checking', 'savings'].includes(form.get('account_type') ?? '')) throw new Refused('Invalid account_type');
  if (!['personal', 'business'].includes(form.get('account_holder_type') ?? '')) throw new Refused('Invalid account_holder_type');
  if (!['PPD', 'WEB', 'TEL', 'CCD'].includes(form.get('sec_code') ?? '')) throw new Refused('Invalid sec_code');
  return account;
}

const storedKind = (form: Form): string => (form.has('stored_credential_indicator') ? (form.get('billing_method') ?? 'unscheduled') : '');

function checkStored(form: Form, context: SimulatorContext): void {
  const first = form.get('initial_transaction_id');
  const use = form.get('stored_credential_indicator');
  if (use !== undefined && use !== 'stored' && use !== 'used') throw new Refused('Invalid stored_credential_indicator');
  if (use !== undefined && !['customer', 'merchant'].includes(form.get('initiated_by') ?? '')) throw new Refused('Invalid initiated_by');
  if (use === 'used' && form.has('cvv')) throw new Refused('Invalid CVV');
  if (first === undefined) return;
  if (use !== 'used' || context.ledger.find(first)?.details.stored !== storedKind(form))
    throw new Refused('Invalid initial_transaction_id');
}

function isDuplicate(form: Form, context: SimulatorContext, number: string, amountMinor: number): boolean {
  const since = context.now() - DUPLICATE_WITHIN_MS;
  return context.ledger
    .all()
    .some(
      (entry) =>
        entry.operation === form.get('type') &&
        entry.amountMinor === amountMinor &&
        entry.last4 === number.slice(-4) &&
        entry.state !== 'declined' &&
        Date.parse(entry.at) >= since,
    );
}

function isExpired(form: Form, context: SimulatorContext): boolean {
  const exp = form.get('ccexp') ?? '1230';
  return Date.UTC(2000 + Number(exp.slice(2)), Number(exp.slice(0, 2)), 1) <= context.now();
}

/** The matching address is number 888 in 77777. */
function avsOf(form: Form): string {
  if (!form.has('address1') && !form.has('zip')) return '';
  const [isStreet, isZip] = [form.get('address1') === '888', form.get('zip') === '77777'];
  return isStreet && isZip ? 'Y' : isZip ? 'Z' : isStreet ? 'A' : 'N';
}

const cvvOf = (form: Form): string => (form.has('cvv') ? (form.get('cvv') === '999' ? 'M' : 'N') : '');
const textOf = (code: string): string => TEXTS[code] ?? `Result ${code}`;

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function line(shown: Readonly<Record<string, string>>): SimulatorResponse {
  const empty = {
    response: '',
    responsetext: '',
    authcode: '',
    transactionid: '',
    avsresponse: '',
    cvvresponse: '',
    orderid: '',
    type: '',
  };
  const body = new URLSearchParams({ ...empty, ...shown }).toString();
  return { status: 200, contentType: 'text/html; charset=UTF-8', body };
}
