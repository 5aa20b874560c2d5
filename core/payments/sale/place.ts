import { newRow, type Work, type Writer } from '#core/database';
import type { Facts, Order, Outcome } from '#core/gateways';
import { type Actor, dateIn, isoTime, type Money, newId, newProcessorRef, ServiceError, toNumber } from '#core/kernel';
import { type Merchant, refusalOf } from '#core/merchants';
import { ANSWERED } from '#core/platform/idempotency';
import type { SealedSource, Source } from '#core/vault';
import { putTo } from '../attempts/ask.ts';
import { type AttemptFor, finishAttempt, newAttempt, recordIntent, type Via } from '../attempts/attempts.ts';
import { type Stop, stopBefore } from '../fraud/rules.ts';
import { countsUses, noteUse } from '../fraud/uses.ts';
import type { Needs } from '../needs.ts';
import { reasonOf, resultOf } from '../outcome.ts';
import { readTransaction } from '../repository.ts';
import { watchReturns } from '../returns/return-watches.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionMethod, type TransactionRow, type TransactionType } from '../schema.ts';
import type { Billing, Transaction } from '../transaction.ts';
import { toTransaction } from '../transaction.ts';
import { conclude } from './conclude.ts';
import { storedCredentialOf } from './stored-credentials.ts';

/** As many digits of a card as routing may look at, and as many as a blocked range may have. */
const BIN_DIGITS = 6;
const BLOCKED_BIN_DIGITS = 8;

/** Makes a payment part of something else, in the commit of the payment's intent. An error undoes the intent. */
export interface Claim {
  /** Reads and locks before the intent is written. */
  readonly prepare?: (work: Work, transactionId: string) => Promise<void>;
  /** Writes beside the intent. */
  readonly write?: (writer: Writer, transactionId: string) => void;
}

/** Everything that is settled about a new transaction before it is written. */
export interface Draft {
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
  /** Not one more use of the card for the fraud rules that count: a payment that is repeated, or part of a subscription. */
  readonly uncounted?: boolean;
  readonly claim?: Claim;
}

/** Writes the intent, asks the gateway, records the answer. */
export async function place(on: Needs, by: Actor, draft: Draft): Promise<Transaction> {
  const [first, ...others] = await candidatesFor(on, by, draft);
  if (!first) throw new ServiceError('GATEWAY_UNAVAILABLE', 'No payment gateway is set up for this merchant. Nothing was charged.');
  const row = rowOf(on, by, draft, first);
  if (draft.source.kind === 'ach') await watchReturns(on, row);
  const operation = draft.type;
  const attemptFor = (via: Via) => ({ transactionId: row.id, operation, via, amountMinor: row.amount_minor, currency: row.currency });
  const attempt = newAttempt(on, by, attemptFor(first), row.processor_ref);
  const stop = await writeSale(on, by, draft, row, attempt);
  const asked = stop
    ? { row, attempt, outcome: { kind: 'declined' as const, declineCode: stop.declineCode, declineReason: stop.declineReason } }
    : await askInTurn(on, by, draft, row, attempt, others, attemptFor);
  const ending = await conclude(on, asked.attempt, asked.outcome, { transaction: asked.row });
  if ('transaction' in ending) return ending.transaction;
  return toTransaction(await readTransaction(on.database.read(by.tenantId), row.id));
}

/** The gateways to try: those of the merchant's routing, but a credit goes back the way that the payment came. */
async function candidatesFor(on: Needs, by: Actor, draft: Draft): Promise<Via[]> {
  if (draft.back) return [draft.back];
  const route = await on.route(draft.merchant, by.tenantId, factsOf(draft));
  const refusal = refusalOf(route);
  if (refusal) throw refusal;
  const { candidates } = route;
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

/** Writes transaction and attempt before anything is sent. Returns the merchant's fraud rule that stops the payment, or null. */
async function writeSale(on: Needs, by: Actor, draft: Draft, row: TransactionRow, attempt: AttemptRow): Promise<Stop | null> {
  const { claim, sealed, source, type } = draft;
  const { fraud } = draft.merchant;
  const preparations: ((work: Work) => Promise<void>)[] = [];
  let usesInHour = 0;
  if (type !== 'credit' && draft.uncounted !== true && countsUses(fraud)) {
    const fingerprint = await on.vault.fingerprintOf(by.tenantId, source);
    preparations.push(async (work) => {
      usesInHour = await countUse(on, work, draft, row, fingerprint);
    });
  }
  const prepareClaim = claim?.prepare;
  if (prepareClaim) preparations.push((work) => prepareClaim(work, row.id));
  if (sealed !== null && sealed.row.owner !== null) preparations.push((work) => on.vault.holdOwner(work, sealed));
  await recordIntent(on, by, preparations, (writer) => {
    claim?.write?.(writer, row.id);
    if (sealed) on.vault.insert(writer, sealed);
    writer.insert(TRANSACTIONS, row);
    writer.insert(ATTEMPTS, attempt);
  });
  if (type === 'credit') return null;
  const bin = source.kind === 'card' ? source.number.slice(0, BLOCKED_BIN_DIGITS) : undefined;
  return stopBefore(fraud, { amount: toNumber(draft.amount), bin, email: draft.email, usesInHour });
}

async function countUse(on: Needs, work: Work, { merchant }: Draft, row: TransactionRow, fingerprint: string): Promise<number> {
  await on.lockMerchant(work, merchant.merchantId);
  const { tenant_id, id, merchant_id, amount_minor, currency } = row;
  const use = { tenant_id, id, merchant_id, fingerprint, amount_minor, currency, at_ms: Date.parse(row.created_at) };
  return noteUse(work, merchant.fraud, use);
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
  let asked: Asked = { row, attempt, outcome: await ask(on, draft, row) };
  for (const via of others) {
    if (asked.outcome.kind !== 'not-sent' || asked.outcome.retry !== 'unavailable') break;
    const next = newAttempt(on, by, attemptFor(via));
    const moved = { ...asked.row, ...via, processor_ref: next.processor_ref };
    const { attempt: last, outcome } = asked;
    const at = isoTime(on.clockOf(by.tenantId).now());
    const isOurs = await on.database.unitOfWork.run(by.tenantId, async (work) => {
      if (!(await finishAttempt(work, last, resultOf(outcome), `${last.gateway}: ${reasonOf(outcome)}`, at))) return false;
      // Only one attempt at a time waits for the request's key.
      await work.update(ATTEMPTS, { id: last.id }, ANSWERED);
      work.insert(ATTEMPTS, next);
      await work.update(TRANSACTIONS, { id: row.id }, { ...via, processor_ref: next.processor_ref });
      return true;
    });
    // Recovery gave it up meanwhile: nobody may send it elsewhere.
    if (!isOurs) break;
    if (draft.source.kind === 'ach') await watchReturns(on, moved);
    asked = { row: moved, attempt: next, outcome: await ask(on, draft, moved) };
  }
  return asked;
}

/** The question that a new payment puts to its gateway. */
export function orderOf(row: TransactionRow, draft: Draft): Order {
  return {
    processorRef: row.processor_ref,
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    gatewayId: row.gateway_id,
    amount: draft.amount,
    source: draft.source,
    billing: draft.billing,
    email: draft.email,
    forInvoice: row.invoice_id !== null,
  };
}

function ask(on: Needs, draft: Draft, row: TransactionRow): Promise<Outcome> {
  return putTo(
    on,
    row,
    async () => ({ ...orderOf(row, draft), storedCredential: await storedCredentialOf(on, row) }),
    (connector, order) => {
      if (draft.type === 'sale') return connector.sell(order);
      return draft.type === 'auth' ? connector.authorize(order) : connector.credit(order);
    },
  );
}

/** A new payment as it is written before anything is sent. */
export function rowOf(on: Pick<Needs, 'clockOf'>, by: Actor, draft: Draft, via: Via): TransactionRow {
  const now = on.clockOf(by.tenantId).now();
  const at = isoTime(now);
  const { source } = draft;
  return newRow(TRANSACTIONS, {
    tenant_id: by.tenantId,
    id: newId('txn', now),
    merchant_id: draft.merchant.merchantId,
    type: draft.type,
    method: draft.method,
    status: 'pending',
    amount_minor: draft.amount.minor,
    currency: draft.amount.currency,
    captured_minor: 0,
    refunded_minor: 0,
    reserved_minor: 0,
    ...via,
    processor_ref: newProcessorRef(),
    token: draft.token,
    card_brand: source.kind === 'card' ? source.brand : null,
    last4: source.kind === 'card' ? source.number.slice(-4) : source.accountNumber.slice(-4),
    card_expiry: source.kind === 'card' ? `${source.expiryMonth}/${source.expiryYear}` : null,
    account_type: source.kind === 'card' ? null : source.accountType,
    source: 'api',
    ...draft.details,
    day: dateIn(draft.merchant.timezone, now),
    created_at: at,
    updated_at: at,
  });
}
