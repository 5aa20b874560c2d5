import { newRow, type Work, type Writer } from '#core/database';
import type { ChargeRequest, Outcome, RoutingAttributes } from '#core/gateways';
import { type Actor, dateIn, isoTime, type Money, newId, newProcessorRef, ServiceError, toNumber } from '#core/kernel';
import { type Merchant, refusalOf } from '#core/merchants';
import { NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import type { SealedSource, Source } from '#core/vault';
import { type AttemptFor, finishAttempt, newAttempt, recordIntent, type Via } from '../attempts/attempts.ts';
import { callGateway } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkBeforeAuthorization, type FraudDecline } from '../fraud/rules.ts';
import { countsUses, noteUse } from '../fraud/uses.ts';
import { reasonOf, resultOf } from '../outcome.ts';
import { readTransaction } from '../repository.ts';
import { watchReturns } from '../returns/return-watches.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionMethod, type TransactionRow, type TransactionType } from '../schema.ts';
import type { Billing, Transaction } from '../transaction.ts';
import { toTransaction } from '../transaction.ts';
import { conclude } from './conclude.ts';
import { storedCredentialOf } from './stored-credentials.ts';

/** Number of leading card digits that routing may use, and that a blocked range may have. */
const BIN_DIGITS = 6;
const BLOCKED_BIN_DIGITS = 8;

/** Ties a payment to another record, in the commit of the payment's intent. An error undoes the intent. */
export interface IntentHook {
  /** Reads and locks before the intent is written. */
  readonly prepare?: (work: Work, transactionId: string) => Promise<void>;
  /** Writes beside the intent. */
  readonly write?: (writer: Writer, transactionId: string) => void;
}

/** Validated input of a new transaction. */
export interface PaymentRequest {
  readonly type: TransactionType;
  readonly method: TransactionMethod;
  readonly amount: Money;
  readonly merchant: Merchant;
  /** Card or account to charge. The security code exists here only, for this one call. */
  readonly source: Source;
  /** Vault row to write with the transaction; null if the token exists already. */
  readonly sealed: SealedSource | null;
  readonly token: string;
  readonly details: Partial<TransactionRow>;
  readonly billing?: Billing;
  readonly email?: string;
  /** Gateway that must be used, whatever the routing rules say. */
  readonly sameGatewayAs?: Via;
  /** True if fraud rules must not count it as a use of the card: a repeated payment, or one of a subscription. */
  readonly uncounted?: boolean;
  readonly claim?: IntentHook;
}

/** Writes the intent, asks the gateway, records the answer. */
export async function submitPayment(deps: Dependencies, actor: Actor, draft: PaymentRequest): Promise<Transaction> {
  const [first, ...others] = await candidatesFor(deps, actor, draft);
  if (!first) throw new ServiceError('GATEWAY_UNAVAILABLE', 'No payment gateway is set up for this merchant. Nothing was charged.');
  const row = rowOf(deps, actor, draft, first);
  if (draft.source.kind === 'ach') await watchReturns(deps, row);
  const operation = draft.type;
  const attemptFor = (via: Via) => ({ transactionId: row.id, operation, via, amountMinor: row.amount_minor, currency: row.currency });
  const attempt = newAttempt(deps, actor, attemptFor(first), row.processor_ref);
  const stop = await writeSale(deps, actor, draft, row, attempt);
  const asked = stop
    ? { row, attempt, outcome: { kind: 'declined' as const, declineCode: stop.declineCode, declineReason: stop.declineReason } }
    : await callWithFailover(deps, actor, draft, row, attempt, others, attemptFor);
  const ending = await conclude(deps, asked.attempt, asked.outcome, { transaction: asked.row });
  if ('transaction' in ending) return ending.transaction;
  return toTransaction(await readTransaction(deps.database.read(actor.tenantId), row.id));
}

/** The gateways to try: those of the merchant's routing, but a credit goes back the way that the payment came. */
async function candidatesFor(deps: Dependencies, actor: Actor, draft: PaymentRequest): Promise<Via[]> {
  if (draft.sameGatewayAs) return [draft.sameGatewayAs];
  const route = await deps.route(draft.merchant, actor.tenantId, routingAttributesOf(draft));
  const refusal = refusalOf(route);
  if (refusal) throw refusal;
  const { candidates } = route;
  return candidates.map(({ gatewayId, name }) => ({ gateway: name, gateway_id: gatewayId }));
}

/** Returns the attributes that routing may use (decisions 9). */
function routingAttributesOf({ source, type, amount, email, method, details }: PaymentRequest): RoutingAttributes {
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
async function writeSale(
  deps: Dependencies,
  actor: Actor,
  draft: PaymentRequest,
  row: TransactionRow,
  attempt: AttemptRow,
): Promise<FraudDecline | null> {
  const { claim, sealed, source, type } = draft;
  const { fraud } = draft.merchant;
  const preparations: ((work: Work) => Promise<void>)[] = [];
  let usesInHour = 0;
  if (type !== 'credit' && draft.uncounted !== true && countsUses(fraud)) {
    const fingerprint = await deps.vault.fingerprintOf(actor.tenantId, source);
    preparations.push(async (work) => {
      usesInHour = await countUse(deps, work, draft, row, fingerprint);
    });
  }
  const prepareClaim = claim?.prepare;
  if (prepareClaim) preparations.push((work) => prepareClaim(work, row.id));
  if (sealed !== null && sealed.row.owner !== null) preparations.push((work) => deps.vault.holdOwner(work, sealed));
  await recordIntent(deps, actor, preparations, (writer) => {
    claim?.write?.(writer, row.id);
    if (sealed) deps.vault.insert(writer, sealed);
    writer.insert(TRANSACTIONS, row);
    writer.insert(ATTEMPTS, attempt);
  });
  if (type === 'credit') return null;
  const bin = source.kind === 'card' ? source.number.slice(0, BLOCKED_BIN_DIGITS) : undefined;
  return checkBeforeAuthorization(fraud, { amount: toNumber(draft.amount), bin, email: draft.email, usesInHour });
}

async function countUse(
  deps: Dependencies,
  work: Work,
  { merchant }: PaymentRequest,
  row: TransactionRow,
  fingerprint: string,
): Promise<number> {
  await deps.lockMerchant(work, merchant.merchantId);
  const { tenant_id, id, merchant_id, amount_minor, currency } = row;
  const use = { tenant_id, id, merchant_id, fingerprint, amount_minor, currency, at_ms: Date.parse(row.created_at) };
  return noteUse(work, merchant.fraud, use);
}

interface Asked {
  readonly row: TransactionRow;
  readonly attempt: AttemptRow;
  readonly outcome: Outcome;
}

/** Calls the first gateway. A gateway that does not answer has certainly taken nothing, so the next one is called. */
async function callWithFailover(
  deps: Dependencies,
  actor: Actor,
  draft: PaymentRequest,
  row: TransactionRow,
  attempt: AttemptRow,
  others: readonly Via[],
  attemptFor: (via: Via) => AttemptFor,
): Promise<Asked> {
  let asked: Asked = { row, attempt, outcome: await ask(deps, draft, row) };
  for (const via of others) {
    if (asked.outcome.kind !== 'not-sent' || asked.outcome.retry !== 'unavailable') break;
    const next = newAttempt(deps, actor, attemptFor(via));
    const moved = { ...asked.row, ...via, processor_ref: next.processor_ref };
    const { attempt: last, outcome } = asked;
    const at = isoTime(deps.clockOf(actor.tenantId).now());
    const isOurs = await deps.database.unitOfWork.run(actor.tenantId, async (work) => {
      if (!(await finishAttempt(work, last, resultOf(outcome), `${last.gateway}: ${reasonOf(outcome)}`, at))) return false;
      // Only one attempt at a time waits for the request's key.
      await work.update(ATTEMPTS, { id: last.id }, NO_IDEMPOTENCY_KEY);
      work.insert(ATTEMPTS, next);
      await work.update(TRANSACTIONS, { id: row.id }, { ...via, processor_ref: next.processor_ref });
      return true;
    });
    // Recovery gave it up in the meantime, so it must not be sent to another gateway.
    if (!isOurs) break;
    if (draft.source.kind === 'ach') await watchReturns(deps, moved);
    asked = { row: moved, attempt: next, outcome: await ask(deps, draft, moved) };
  }
  return asked;
}

/** The question that a new payment puts to its gateway. */
export function chargeRequestOf(row: TransactionRow, draft: PaymentRequest): ChargeRequest {
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

function ask(deps: Dependencies, draft: PaymentRequest, row: TransactionRow): Promise<Outcome> {
  return callGateway(
    deps,
    row,
    async () => ({ ...chargeRequestOf(row, draft), storedCredential: await storedCredentialOf(deps, row) }),
    (connector, order) => {
      if (draft.type === 'sale') return connector.sell(order);
      return draft.type === 'auth' ? connector.authorize(order) : connector.credit(order);
    },
  );
}

/** Returns a new payment as it is written before the request is sent. */
export function rowOf(deps: Pick<Dependencies, 'clockOf'>, actor: Actor, draft: PaymentRequest, via: Via): TransactionRow {
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  const { source } = draft;
  return newRow(TRANSACTIONS, {
    tenant_id: actor.tenantId,
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
