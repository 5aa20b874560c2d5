import type { Connector, Facts, Order, Outcome } from '#core/gateways';
import {
  type Actor,
  allows,
  dateIn,
  isoTime,
  type Money,
  majorUnit,
  newId,
  newProcessorRef,
  parseCurrency,
  parseMoney,
  ServiceError,
  step,
  toNumber,
} from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { type SealedSource, type Source, VAULT_ENTRIES } from '#core/vault';
import { conclude } from './conclude.ts';
import { type Stop, stopBefore } from './fraud/rules.ts';
import { countsUses, noteUse } from './fraud/uses.ts';
import { type AttemptFor, finishAttempt, type Needs, newAttempt, onceOnly, type Via, writeIntent } from './needs.ts';
import { reasonOf, resultOf } from './outcome.ts';
import { readTransaction, stateOf, toTransaction } from './repository.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionRow } from './schema.ts';
import { TRANSACTION_STEPS } from './steps.ts';
import type { Billing, Transaction, TransactionMethod, TransactionSource, TransactionType } from './transaction.ts';

/** As many digits of a card as routing may look at, and as many as a blocked range may have. */
const BIN_DIGITS = 6;
const BLOCKED_BIN_DIGITS = 8;

export type PaymentMethodInput =
  | { readonly kind: 'card'; readonly number: string; readonly expiryMonth: string; readonly expiryYear: string; readonly cvv?: string }
  | {
      readonly kind: 'ach';
      readonly accountNumber: string;
      readonly routingNumber: string;
      readonly accountType: string;
      readonly accountHolderName: string;
    }
  | { readonly kind: 'token'; readonly token: string; readonly cvv?: string };

export interface SellInput {
  readonly type: 'sale' | 'auth';
  readonly amount: string | number;
  readonly currency?: string;
  readonly method: PaymentMethodInput;
  readonly billing?: Billing;
  readonly customer?: { readonly email?: string; readonly name?: string };
  readonly merchantId?: string;
  readonly orderId?: string;
  readonly description?: string;
  readonly metadata?: Record<string, unknown>;
  readonly source: TransactionSource;
}

/** Everything that is settled about a new transaction before it is written. */
interface Draft {
  readonly type: TransactionType;
  readonly method: TransactionMethod;
  readonly amount: Money;
  readonly merchant: Merchant;
  /** What the gateway charges; the security code lives here, for this one call. */
  readonly source: Source;
  /** The vault row to write with the transaction; null when the token is there already. */
  readonly sealed: SealedSource | null;
  readonly token: string;
  readonly details: Partial<TransactionRow>;
  readonly billing?: Billing;
  readonly email?: string;
  /** The gateway that it must go to, whatever the routing says. */
  readonly back?: Via;
  /** A decline run again: it is no duplicate of itself. */
  readonly again?: boolean;
}

/**
 * Sells or authorizes (specification 4.1.1, 4.2, 4.4). A decline is a normal result with status `declined`. Throws the Validation codes,
 * GATEWAY_ERROR and GATEWAY_UNAVAILABLE (nothing was charged) and GATEWAY_TIMEOUT: then the transaction of `details.transactionId` is
 * settled by inquiry, and the call must not be repeated.
 */
export async function sell(on: Needs, by: Actor, input: SellInput): Promise<Transaction> {
  const merchant = openFor(await on.merchantFor(by, input.merchantId));
  const currency = input.currency === undefined ? merchant.currency : parseCurrency(input.currency);
  const amount = atLeastOne(parseMoney(input.amount, currency));
  const { source, sealed, token } = await sourceOf(on, by, input.method);
  const name = input.customer?.name ?? nameOf(input.billing);
  return place(on, by, {
    type: input.type,
    method: input.method.kind,
    amount,
    merchant,
    source,
    sealed,
    token,
    billing: input.billing,
    email: input.customer?.email,
    details: {
      customer_name: name ?? null,
      customer_email: input.customer?.email?.toLowerCase() ?? null,
      billing: input.billing ? JSON.stringify(input.billing) : null,
      order_id: input.orderId ?? null,
      description: input.description ?? null,
      metadata: input.metadata ? JSON.stringify(input.metadata) : null,
      source: input.source,
    },
  });
}

/** Pays money to the card or account of a transaction, not bound by its amount (decisions 4). A new transaction of type credit. */
export async function credit(on: Needs, by: Actor, input: { transactionId: string; amount: string | number }): Promise<Transaction> {
  const original = await originalOf(on, by, input.transactionId, 'credit');
  const merchant = await on.merchantFor(by, original.merchant_id);
  const amount = atLeastOne(parseMoney(input.amount, parseCurrency(original.currency)));
  return place(on, by, {
    type: 'credit',
    method: original.method,
    amount,
    merchant,
    back: { gateway: original.gateway, gateway_id: original.gateway_id },
    ...(await again(on, original)),
  });
}

/** Tries a declined or failed transaction once more with its vaulted card and no security code; RESOURCE_CONFLICT for any other. */
export async function rerun(on: Needs, by: Actor, input: { transactionId: string }): Promise<Transaction> {
  const original = await originalOf(on, by, input.transactionId, 'rerun');
  const merchant = openFor(await on.merchantFor(by, original.merchant_id));
  const amount = { minor: original.amount_minor, currency: parseCurrency(original.currency) };
  const draft = await again(on, original);
  return place(on, by, {
    type: original.type,
    method: original.method,
    amount,
    merchant,
    ...draft,
    again: true,
    details: { ...draft.details, rerun_of: original.id },
  });
}

async function originalOf(on: Needs, by: Actor, transactionId: string, operation: 'credit' | 'rerun'): Promise<TransactionRow> {
  const row = await readTransaction(on.database.read(by.tenantId), transactionId);
  await on.merchantFor(by, row.merchant_id);
  if (!allows(TRANSACTION_STEPS, stateOf(row), operation)) step(TRANSACTION_STEPS, stateOf(row), operation, { transactionId });
  return row;
}

/** What a new transaction takes over from the one it repeats or credits. */
async function again(
  on: Needs,
  original: TransactionRow,
): Promise<Pick<Draft, 'source' | 'sealed' | 'token' | 'details' | 'billing' | 'email'>> {
  const { customer_name, customer_email, customer_id, billing, order_id, description, metadata } = original;
  return {
    source: await on.vault.open(original.tenant_id, original.token),
    sealed: null,
    token: original.token,
    billing: billing === null ? undefined : (JSON.parse(billing) as Billing),
    email: customer_email ?? undefined,
    details: { customer_name, customer_email, customer_id, billing, order_id, description, metadata, source: 'saved' },
  };
}

async function sourceOf(on: Needs, by: Actor, method: PaymentMethodInput): Promise<Pick<Draft, 'source' | 'sealed' | 'token'>> {
  if (method.kind === 'token') {
    const source = await on.vault.open(by.tenantId, method.token);
    return {
      source: source.kind === 'card' && method.cvv !== undefined ? { ...source, cvv: method.cvv } : source,
      sealed: null,
      token: method.token,
    };
  }
  const source = method.kind === 'card' ? on.vault.checkCard(by.tenantId, method) : on.vault.checkBankAccount(method);
  const sealed = await on.vault.seal(by.tenantId, source);
  return { source, sealed, token: sealed.token };
}

/** A merchant that was deleted takes no more payments. */
function openFor(merchant: Merchant): Merchant {
  if (merchant.deletedAt === null) return merchant;
  throw new ServiceError('MERCHANT_NOT_FOUND', `The merchant ${merchant.merchantId} takes no more payments.`, {
    details: { merchantId: merchant.merchantId },
  });
}

function nameOf(billing: Billing | undefined): string | undefined {
  const name = [billing?.firstName, billing?.lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : name;
}

/** The smallest sale, authorization or credit is one major unit (decisions 5, 11). */
function atLeastOne(amount: Money): Money {
  if (amount.minor < majorUnit(amount.currency)) {
    throw new ServiceError('INVALID_AMOUNT', `The smallest amount is 1 ${amount.currency}.`, { field: 'amount' });
  }
  return amount;
}

/** Writes the intent, asks the gateway, records the answer. */
async function place(on: Needs, by: Actor, draft: Draft): Promise<Transaction> {
  const [first, ...others] = await candidatesFor(on, by, draft);
  if (!first) throw new ServiceError('GATEWAY_UNAVAILABLE', 'No payment gateway is set up for this merchant. Nothing was charged.');
  const row = rowOf(on, by, draft, first);
  const operation = draft.type;
  const attemptFor = (via: Via) => ({ transactionId: row.id, operation, via, amountMinor: row.amount_minor, currency: row.currency });
  const attempt = newAttempt(on, by, attemptFor(first), row.processor_ref);
  const stop = await writeSale(on, by, draft, row, attempt);
  const asked = stop
    ? { row, attempt, outcome: { kind: 'declined' as const, declineCode: stop.declineCode, declineReason: stop.declineReason } }
    : await askInTurn(on, by, draft, row, attempt, others, attemptFor);
  const ending = await conclude(on, asked.attempt, asked.outcome, asked.row);
  if ('transaction' in ending) return ending.transaction;
  return toTransaction(await readTransaction(on.database.read(by.tenantId), row.id));
}

/** The gateways to try: those of the merchant's routing, but a credit goes back the way that the payment came. */
async function candidatesFor(on: Needs, by: Actor, draft: Draft): Promise<Via[]> {
  if (draft.back) return [draft.back];
  const { candidates } = await on.route(draft.merchant, by.tenantId, factsOf(draft));
  return candidates.map(({ gatewayId, name }) => ({ gateway: name, gateway_id: gatewayId }));
}

/** What routing may look at (decisions 9). */
function factsOf({ source, type, amount, email, method, details }: Draft): Facts {
  return {
    amount: toNumber(amount),
    currency: amount.currency,
    card:
      source.kind === 'card' ? { brand: source.brand, bin: source.number.slice(0, BIN_DIGITS), last4: source.number.slice(-4) } : undefined,
    paymentMethod: method,
    type,
    customer: { email },
    metadata: details.metadata ? (JSON.parse(details.metadata) as Record<string, unknown>) : undefined,
  };
}

/** Writes transaction and attempt before anything is sent, and answers the merchant's rule that stops it there, if one does. */
async function writeSale(on: Needs, by: Actor, draft: Draft, row: TransactionRow, attempt: AttemptRow): Promise<Stop | null> {
  const { fraud, merchantId } = draft.merchant;
  const taking = draft.type !== 'credit';
  const number = draft.source.kind === 'card' ? draft.source.number : undefined;
  const subject = { amount: toNumber(draft.amount), bin: number?.slice(0, BLOCKED_BIN_DIGITS), email: draft.email };
  if (!taking || draft.again || !countsUses(fraud)) {
    await onceOnly(() =>
      on.database.unitOfWork.record(by.tenantId, (batch) => {
        on.once.open(batch, by);
        if (draft.sealed) batch.insert(VAULT_ENTRIES, draft.sealed.row);
        batch.insert(TRANSACTIONS, row);
        batch.insert(ATTEMPTS, attempt);
      }),
    );
    return taking ? stopBefore(fraud, { ...subject, usesInHour: 0 }) : null;
  }
  const fingerprint = await on.vault.fingerprintOf(by.tenantId, draft.source);
  const usesInHour = await writeIntent(on, by, async (work) => {
    await on.lockMerchant(work, merchantId);
    const { amount_minor, currency } = row;
    const use = { tenant_id: by.tenantId, id: row.id, merchant_id: merchantId, fingerprint, amount_minor, currency };
    const uses = await noteUse(work, fraud, { ...use, at_ms: Date.parse(row.created_at) });
    if (draft.sealed) await work.insert(VAULT_ENTRIES, draft.sealed.row);
    await work.insert(TRANSACTIONS, row);
    await work.insert(ATTEMPTS, attempt);
    return uses;
  });
  return stopBefore(fraud, { ...subject, usesInHour });
}

interface Asked {
  readonly row: TransactionRow;
  readonly attempt: AttemptRow;
  readonly outcome: Outcome;
}

/** Asks the first gateway; one that is away has certainly taken nothing, so the next is asked in its place. */
async function askInTurn(
  on: Needs,
  by: Actor,
  draft: Draft,
  row: TransactionRow,
  attempt: AttemptRow,
  others: readonly Via[],
  attemptFor: (via: Via) => AttemptFor,
): Promise<Asked> {
  let asked: Asked = { row, attempt, outcome: await ask(on.gateways.of(by.tenantId), draft.type, orderOf(row, draft)) };
  for (const via of others) {
    if (asked.outcome.kind !== 'not-sent' || asked.outcome.retry !== 'unavailable') break;
    const next = newAttempt(on, by, attemptFor(via));
    const moved = { ...asked.row, ...via, processor_ref: next.processor_ref };
    const { attempt: last, outcome } = asked;
    const at = isoTime(on.clockOf(by.tenantId).now());
    await on.database.unitOfWork.run(by.tenantId, async (work) => {
      // Only one attempt at a time waits for the request's key.
      await work.update(ATTEMPTS, { id: last.id }, { once_credential: null, once_key: null, once_route: null });
      await finishAttempt(work, last, resultOf(outcome), `${last.gateway}: ${reasonOf(outcome)}`, at);
      await work.insert(ATTEMPTS, next);
      await work.update(TRANSACTIONS, { id: row.id }, { ...via, processor_ref: next.processor_ref });
    });
    asked = { row: moved, attempt: next, outcome: await ask(on.gateways.of(by.tenantId), draft.type, orderOf(moved, draft)) };
  }
  return asked;
}

function orderOf(row: TransactionRow, draft: Draft): Order {
  return {
    processorRef: row.processor_ref,
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    gatewayId: row.gateway_id,
    amount: draft.amount,
    source: draft.source,
    billing: draft.billing,
    email: draft.email,
  };
}

/** A connector that throws has told us nothing: that is doubt, never a decline. */
async function ask(connector: Connector, operation: TransactionType, order: Order): Promise<Outcome> {
  try {
    if (operation === 'sale') return await connector.sell(order);
    return operation === 'auth' ? await connector.authorize(order) : await connector.credit(order);
  } catch (cause) {
    return { kind: 'unknown', cause };
  }
}

function rowOf(on: Needs, by: Actor, draft: Draft, via: Via): TransactionRow {
  const now = on.clockOf(by.tenantId).now();
  const at = isoTime(now);
  const { source } = draft;
  return {
    tenant_id: by.tenantId,
    id: newId('txn', now),
    merchant_id: draft.merchant.merchantId,
    type: draft.type,
    method: draft.method,
    status: 'pending',
    amount_minor: draft.amount.minor,
    currency: draft.amount.currency,
    captured_minor: 0,
    captured_at: null,
    refunded_minor: 0,
    reserved_minor: 0,
    voided_at: null,
    void_reason: null,
    settled_at: null,
    settlement_date: null,
    settlement_id: null,
    ...via,
    processor_ref: newProcessorRef(),
    gateway_reference: null,
    auth_code: null,
    avs_response: null,
    cvv_response: null,
    decline_code: null,
    decline_reason: null,
    token: draft.token,
    card_brand: source.kind === 'card' ? source.brand : null,
    last4: source.kind === 'card' ? source.number.slice(-4) : source.accountNumber.slice(-4),
    card_expiry: source.kind === 'card' ? `${source.expiryMonth}/${source.expiryYear}` : null,
    account_type: source.kind === 'card' ? null : source.accountType,
    bank_name: null,
    customer_name: null,
    customer_email: null,
    customer_id: null,
    billing: null,
    rerun_of: null,
    order_id: null,
    description: null,
    metadata: null,
    source: 'api',
    pending_reason: null,
    busy_attempt: null,
    ...draft.details,
    day: dateIn(draft.merchant.timezone, now),
    created_at: at,
    updated_at: at,
  };
}
