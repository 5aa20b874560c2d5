import type { Work, Writer } from '#core/database';
import {
  type Actor,
  assert,
  dateIn,
  isoTime,
  type Money,
  newId,
  newProcessorRef,
  realNow,
  ServiceError,
  step,
  toNumber,
} from '#core/kernel';
import { NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import type { AllowedChanges, ChargeRequest, Outcome, RoutingAttributes } from '#core/processing/gateways';
import { type Merchant, type Route, refusalOf } from '#core/processing/merchants';
import type { PairedTerminal } from '#core/processing/terminals';
import { type CardAtGateway, last4Of, type SealedSource, type Source } from '#core/records/vault';
import type { PaymentDiscount } from '#core/sales/discounts';
import { lineItemsOf } from '#core/sales/items';
import type { Channel, SecCode } from '#shared/channels';
import { nameKeys } from '../aggregates/name-keys.ts';
import { creditSubject } from '../approval-facts.ts';
import { type AttemptInput, finishAttempt, type GatewayReference, newAttempt, recordIntent } from '../attempts/attempts.ts';
import { callGateway, gatewayParts } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { stateOf } from '../eligibility.ts';
import { checkCreditLimits, creditsOfDay } from '../fraud/amount-limits.ts';
import { checkBeforeAuthorization, type FraudDecline } from '../fraud/rules.ts';
import { hasUseRules, recordUse } from '../fraud/uses.ts';
import { announceReturn, paysOrder, reserveShare } from '../order-payments.ts';
import { reasonOf, resultOf } from '../outcome.ts';
import { conclude } from '../outcomes/conclude.ts';
import { storedCredentialOf } from '../outcomes/stored-credentials.ts';
import { type Parts, partColumns, partsOf } from '../parts/parts.ts';
import { checkTip, tipFacts } from '../parts/tip-limit.ts';
import { PAYMENT_CONTEXTS } from '../payer-context.ts';
import type { Agreement, Billing, Transaction } from '../records.ts';
import { lockTransaction, readTransaction } from '../repository.ts';
import { watchReturns } from '../returns/return-watches.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionMethod, type TransactionRow, type TransactionType } from '../schema.ts';
import { TRANSACTION_STEPS } from '../steps.ts';
import { checkSurcharge } from '../surcharge/surcharge.ts';
import { claimTerminal } from '../terminal/claim.ts';
import { occupiesUntil, payAtTerminal } from '../terminal/run.ts';
import { highestAmount } from '../terminal-facts/amounts.ts';
import { isAtTerminal, newFacts } from '../terminal-facts/facts.ts';
import { toTransaction } from '../transaction.ts';
import { type AuthorizationColumns, authorizationColumns, type BankAuthorizationInput } from './bank-authorization.ts';

/** Number of leading card digits that routing may use, and that a blocked range may have. */
const BIN_DIGITS = 6;
const BLOCKED_BIN_DIGITS = 8;

/** Ties a payment to another record, in the units of work of its intent and of its outcome. */
export interface IntentHook {
  /** Reads and locks before the intent is written. An error rejects the payment. */
  readonly prepare?: (work: Work, transactionId: string) => Promise<void>;
  /** Writes rows together with the intent. An error rejects the payment. */
  readonly write?: (writer: Writer, transactionId: string) => void;
  /**
   * Writes rows together with the outcome. It may run several times, and its writes are omitted if one of the rows was changed in the meantime. A payment
   * that is concluded by recovery has no such writes. `afterCommit` of the writer shows that they are stored.
   */
  readonly conclude?: (writer: Writer, transaction: Transaction) => void;
}

/** A card that the customer presents to a card reader. */
export interface CardAtTerminal {
  readonly kind: 'terminal';
  readonly terminal: PairedTerminal;
  /** Longest time for which the request waits for the outcome. */
  readonly waitMs: number;
  /** Changes of the amount that the payment allows. */
  readonly changes: AllowedChanges;
}

type PaidWith = Source | CardAtTerminal;

/** Validated input of a new transaction. */
export interface PaymentRequest {
  readonly type: TransactionType;
  readonly method: TransactionMethod;
  readonly amount: Money;
  readonly parts: Parts;
  /** Taken off before the amount, in minor units; by default none. */
  readonly discountMinor?: number;
  /** Discount that must need no approval, or have been granted. */
  readonly discount?: PaymentDiscount;
  readonly merchant: Merchant;
  /** Card or account to charge, or the reader that reads the card. The security code is never stored; it exists only during this call. */
  readonly source: PaidWith;
  /** Vault row to write with the transaction; null if the token exists already. */
  readonly sealed: SealedSource | null;
  readonly token: string;
  readonly details: Partial<TransactionRow>;
  readonly channel: Channel;
  /** Authorization of a bank debit, as the request states it. */
  readonly bankAuthorization?: BankAuthorizationInput | undefined;
  /** Agreement under which the merchant charges without the customer. */
  readonly agreement?: Agreement | undefined;
  /** Authorization of the payment that is repeated, in place of these. */
  readonly authorization?: AuthorizationColumns;
  /** For an installment: its number and the number of all installments. */
  readonly installment?: ChargeRequest['installment'];
  readonly billing?: Billing;
  readonly email?: string;
  /** Encrypted device details of the payer. */
  readonly sealedContext?: string | null;
  /** Gateway that must be used, regardless of the routing rules. */
  readonly sameGatewayAs?: GatewayReference;
  /** True if a part of the amount may be approved; a card reader has this among its changes. */
  readonly allowsPartialApproval?: boolean | undefined;
  /** Lines of the order that the payment pays, by their position. */
  readonly orderLines?: readonly number[];
  /** True if fraud rules must not count it as a use of the card: a repeated payment, or one on a schedule. */
  readonly skipsUseRules?: boolean;
  readonly intentHook?: IntentHook;
}

/** Writes the intent, calls the gateway and records the response. */
export async function submitPayment(deps: Dependencies, actor: Actor, request: PaymentRequest): Promise<Transaction> {
  await checkSurcharge(deps, {
    ...request,
    tenantId: actor.tenantId,
    paidWith: request.source,
    source: request.details.source ?? 'api',
  });
  const authorization =
    request.authorization ??
    authorizationColumns({
      ...request,
      given: request.bankAuthorization,
      timezone: request.merchant.timezone,
      nowMs: deps.clockOf(actor.tenantId).now(),
    });
  const [first, ...others] = await candidatesFor(deps, actor, request, authorization.sec_code);
  if (!first) throw new ServiceError('GATEWAY_UNAVAILABLE', 'No payment gateway is set up for this merchant. Nothing was charged.');
  const shiftId = await deps.shiftOf(actor, request.merchant.merchantId, request.amount.currency);
  const draft = { ...newTransaction(deps, actor, request, first), ...authorization, shift_id: shiftId };
  if (request.source.kind === 'ach') await watchReturns(deps, draft);
  const operation = request.type;
  const attemptFor = (via: GatewayReference, payment: TransactionRow) => ({
    transactionId: draft.id,
    operation,
    via,
    amountMinor: draft.amount_minor,
    parts: partsOf(payment),
    currency: draft.currency,
    shiftId,
  });
  const { row, attempt, fraudDecline } = await writePaymentIntent(
    deps,
    actor,
    request,
    draft,
    newAttempt(deps, actor, attemptFor(first, draft), draft.processor_ref),
  );
  if (request.source.kind === 'terminal' && isAtTerminal(row) && !fraudDecline)
    return payAtTerminal(deps, row, attempt, request.source.waitMs);
  const sent = fraudDecline
    ? {
        row,
        attempt,
        outcome: { kind: 'declined' as const, declineCode: fraudDecline.declineCode, declineReason: fraudDecline.declineReason },
      }
    : await callWithFailover(deps, actor, request, row, attempt, others, attemptFor);
  const result = await conclude(deps, sent.attempt, sent.outcome, { transaction: sent.row, write: request.intentHook?.conclude });
  if ('transaction' in result) return result.transaction;
  return toTransaction(await readTransaction(deps.database.read(actor.tenantId), row.id));
}

/** Returns the gateways to try: those of the merchant's routing, or the gateway that must be used. */
async function candidatesFor(
  deps: Dependencies,
  actor: Actor,
  request: PaymentRequest,
  secCode: SecCode | null,
): Promise<GatewayReference[]> {
  if (request.sameGatewayAs) return [request.sameGatewayAs];
  const { source } = request;
  const route = await deps.route(request.merchant, actor.tenantId, {
    ...routingAttributesOf(request),
    channel: { channel: request.channel, secCode: secCode ?? undefined, isOnReader: source.kind === 'terminal' },
  });
  if (source.kind === 'terminal') return [gatewayOfTerminal(source.terminal, route)];
  if (source.kind === 'card-at-gateway') return [gatewayOfCard(source, route)];
  const refusal = refusalOf(route);
  if (refusal) throw refusal;
  const { candidates } = route;
  return candidates.map(({ gatewayId, name }) => ({ gateway: name, gateway_id: gatewayId }));
}

/** Returns the gateway of a card reader, whatever the rules say. @throws ServiceError GATEWAY_UNAVAILABLE if it cannot take the payment. */
function gatewayOfTerminal({ gateway, gateway_id, name }: PairedTerminal, { passedOver }: Route): GatewayReference {
  const obstacle = passedOver.find(({ gatewayId }) => gatewayId === gateway_id);
  if (!obstacle) return { gateway, gateway_id };
  const message = `${name} cannot take this payment: ${obstacle.skipped} Nothing was charged.`;
  throw new ServiceError('GATEWAY_UNAVAILABLE', message, { details: { reason: 'gateway_of_terminal' } });
}

/** Returns the gateway that stores a card, whatever the rules say. @throws ServiceError GATEWAY_UNAVAILABLE if it cannot take the payment. */
function gatewayOfCard({ gatewayId, last4 }: CardAtGateway, { gateways, passedOver }: Route): GatewayReference {
  const gateway = gateways.find((each) => each.gatewayId === gatewayId);
  const obstacle = gateway === undefined ? 'It was removed.' : passedOver.find((each) => each.gatewayId === gatewayId)?.skipped;
  if (gateway !== undefined && obstacle === undefined) return { gateway: gateway.name, gateway_id: gatewayId };
  const message = `Only the gateway that stores the card ending in ${last4} can charge it. ${obstacle} Nothing was charged. Ask the customer for the card again.`;
  throw new ServiceError('GATEWAY_UNAVAILABLE', message, { details: { reason: 'gateway_of_card', gatewayId } });
}

/** Returns the attributes that routing may use. */
function routingAttributesOf({ source, type, amount, email, method, details }: PaymentRequest): RoutingAttributes {
  return {
    amount: toNumber(amount),
    currency: amount.currency,
    card:
      source.kind === 'card' || source.kind === 'card-at-gateway'
        ? { brand: source.brand, bin: source.kind === 'card' ? source.number.slice(0, BIN_DIGITS) : '', last4: last4Of(source) }
        : undefined,
    paymentMethod: method,
    type,
    customer: { email },
    metadata: details.metadata ? (JSON.parse(details.metadata) as Record<string, unknown>) : undefined,
  };
}

/**
 * Writes transaction and attempt before anything is sent. Returns the row with its discount and its share of an order, its attempt, and the merchant's
 * fraud rule that stops the payment, or null.
 */
export async function writePaymentIntent(
  deps: Dependencies,
  actor: Actor,
  request: PaymentRequest,
  draft: TransactionRow,
  newAttemptRow: AttemptRow,
): Promise<{ readonly row: TransactionRow; readonly attempt: AttemptRow; readonly fraudDecline: FraudDecline | null }> {
  const { intentHook: claim, sealed, source, type, discount } = request;
  const { fraud } = request.merchant;
  const preparations: ((work: Work) => Promise<void>)[] = [];
  let usesInHour = 0;
  let row = draft;
  let attempt = newAttemptRow;
  if (paysOrder(draft))
    preparations.push(async (work) => {
      row = await reserveShare(deps, work, actor, draft, request.orderLines);
      attempt = { ...newAttemptRow, ...partColumns(partsOf(row)) };
    });
  if (source.kind === 'terminal') preparations.push((work) => claimTerminal(deps, work, source.terminal));
  else if (type !== 'credit' && request.skipsUseRules !== true && hasUseRules(fraud)) {
    const fingerprint = await deps.vault.fingerprintOf(actor.tenantId, source);
    preparations.push(async (work) => {
      usesInHour = await countUse(deps, work, request, draft, fingerprint);
    });
  }
  const prepareClaim = claim?.prepare;
  if (prepareClaim) preparations.push((work) => prepareClaim(work, draft.id));
  if (sealed !== null && sealed.row.owner !== null) preparations.push((work) => deps.vault.lockOwner(work, sealed));
  if (type === 'credit')
    preparations.push(async (work) => {
      // The locks make parallel credits of the merchant, and refunds of the payment, count each other.
      const named = draft.credit_of === null ? null : await lockTransaction(work, draft.credit_of);
      if (named !== null) {
        step(TRANSACTION_STEPS, stateOf(named), 'credit', { transactionId: named.id });
        await announceReturn(deps, work, actor, named, { creditMinor: request.amount.minor }, newAttemptRow.shift_id);
      }
      await deps.lockMerchant(work, draft.merchant_id);
      const ofDay = await creditsOfDay(work, draft, request.amount);
      checkCreditLimits(request.merchant, request.amount, ofDay);
      const subject = await creditSubject(work, named, draft, request.amount, ofDay);
      await deps.checkApproval(work, actor, subject);
      await deps.claimSpending(work, actor, request.amount, subject.total);
    });
  // A rerun repeats the tip of a payment that was checked.
  else if (request.parts.tip > 0 && draft.rerun_of === null)
    preparations.push((work) => {
      const { amount_minor: amountMinor } = draft;
      return checkTip(deps, work, actor, { ...tipFacts(draft), to: { amountMinor, parts: request.parts }, movedMinor: amountMinor });
    });
  if (discount !== undefined && (discount.discountAmount.minor > 0 || discount.discountId !== undefined))
    preparations.push(async (work) => {
      const claimed = { ...discount, merchantId: draft.merchant_id, paymentId: draft.id };
      row = { ...row, ...(await deps.discounts.claim(work, actor, claimed)) };
    });
  if (actor.hasSpendingLimits && type !== 'credit') preparations.push((work) => deps.claimSpending(work, actor, request.amount));
  await recordIntent(deps, actor, preparations, (writer) => {
    claim?.write?.(writer, draft.id);
    if (sealed) deps.vault.insert(writer, sealed);
    writer.insert(TRANSACTIONS, row);
    if (request.sealedContext) writer.insert(PAYMENT_CONTEXTS, contextRow(row, request.sealedContext));
    writer.insert(ATTEMPTS, attempt);
  });
  if (type === 'credit') return { row, attempt, fraudDecline: null };
  const bin = source.kind === 'card' ? source.number.slice(0, BLOCKED_BIN_DIGITS) : undefined;
  const amount = source.kind === 'terminal' ? highestAmount(request.amount, request.parts, source.changes) : request.amount;
  const facts = { amount, ownCurrency: request.merchant.currency, bin, email: request.email, usesInHour };
  return { row, attempt, fraudDecline: checkBeforeAuthorization(fraud, facts) };
}

const contextRow = ({ tenant_id, id, created_at }: TransactionRow, sealed: string) => ({ tenant_id, id, sealed, created_at });

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
  return recordUse(work, merchant.fraud, use);
}

/** Outcome of a payment whose merchant was closed after the request arrived. */
const CLOSED: Outcome = {
  kind: 'not-sent',
  reason: 'The merchant no longer accepts payments. Nothing was charged.',
  retry: 'error',
  code: 'MERCHANT_NOT_FOUND',
};

interface SentAttempt {
  readonly row: TransactionRow;
  readonly attempt: AttemptRow;
  readonly outcome: Outcome;
}

/** Calls the first gateway. If it is unavailable, it has certainly charged nothing, so the next one is called. */
async function callWithFailover(
  deps: Dependencies,
  actor: Actor,
  request: PaymentRequest,
  row: TransactionRow,
  attempt: AttemptRow,
  others: readonly GatewayReference[],
  attemptFor: (via: GatewayReference, payment: TransactionRow) => AttemptInput,
): Promise<SentAttempt> {
  // The intent is committed, so a merchant that is being closed either sees it or is seen as closed here.
  const isClosed = await deps.isMerchantClosed(row.tenant_id, row.merchant_id);
  let sent: SentAttempt = { row, attempt, outcome: isClosed ? CLOSED : await sendCharge(deps, request, row) };
  for (const via of others) {
    if (sent.outcome.kind !== 'not-sent' || sent.outcome.retry !== 'unavailable') break;
    const next = newAttempt(deps, actor, attemptFor(via, sent.row));
    const rerouted = { ...sent.row, ...via, processor_ref: next.processor_ref };
    const { attempt: last, outcome } = sent;
    const at = isoTime(deps.clockOf(actor.tenantId).now());
    const isStillOpen = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      if (!(await finishAttempt(work, last, resultOf(outcome), `${last.gateway}: ${reasonOf(outcome)}`, at))) return false;
      // The idempotency key of the request waits for one attempt at a time.
      await work.update(ATTEMPTS, { id: last.id }, NO_IDEMPOTENCY_KEY);
      work.insert(ATTEMPTS, next);
      await work.update(TRANSACTIONS, { id: row.id }, { ...via, processor_ref: next.processor_ref });
      return true;
    });
    // Recovery has concluded the attempt in the meantime, so the payment must not be sent to another gateway.
    if (!isStillOpen) break;
    if (request.source.kind === 'ach') await watchReturns(deps, rerouted);
    sent = { row: rerouted, attempt: next, outcome: await sendCharge(deps, request, rerouted) };
  }
  return sent;
}

/** Returns the gateway request of a new payment. */
export function chargeRequestOf(row: TransactionRow, request: PaymentRequest): ChargeRequest {
  const { source } = request;
  assert(source.kind !== 'terminal', 'a payment on a card reader is sent to the reader');
  return {
    processorRef: row.processor_ref,
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    gatewayId: row.gateway_id,
    amount: request.amount,
    source,
    parts: gatewayParts(row, row.currency),
    purchaseOrderNumber: row.purchase_order_number ?? undefined,
    lineItems: row.line_items === null ? undefined : lineItemsOf(row.line_items, request.amount.currency),
    billing: request.billing,
    email: request.email,
    forInvoice: row.invoice_id !== null,
    channel: request.channel,
    secCode: row.sec_code ?? undefined,
    installment: request.installment,
    ...(row.requested_minor !== null && { allowsPartialApproval: true }),
  };
}

function sendCharge(deps: Dependencies, request: PaymentRequest, row: TransactionRow): Promise<Outcome> {
  return callGateway(
    deps,
    row,
    request.type,
    async () => ({ ...chargeRequestOf(row, request), storedCredential: await storedCredentialOf(deps, row) }),
    (connector, charge) => {
      if (request.type === 'sale') return connector.purchase(charge);
      return request.type === 'auth' ? connector.authorize(charge) : connector.credit(charge);
    },
  );
}

/** Returns a new payment as it is written before the request is sent. */
export function newTransaction(
  deps: Pick<Dependencies, 'clockOf'>,
  actor: Actor,
  request: PaymentRequest,
  via: GatewayReference,
): TransactionRow {
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  const { source } = request;
  const { allowsPartialApproval } = source.kind === 'terminal' ? source.changes : request;
  return {
    ...TRANSACTIONS.blank,
    tenant_id: actor.tenantId,
    id: newId('txn', now),
    merchant_id: request.merchant.merchantId,
    type: request.type,
    method: request.method,
    status: 'pending',
    amount_minor: request.amount.minor,
    requested_minor: allowsPartialApproval ? request.amount.minor : null,
    ...partColumns(request.parts),
    discount_minor: request.discountMinor ?? 0,
    currency: request.amount.currency,
    captured_minor: 0,
    refunded_minor: 0,
    reserved_minor: 0,
    disputed_minor: 0,
    ...via,
    processor_ref: newProcessorRef(),
    token: request.token,
    card_brand: 'brand' in source ? source.brand : null,
    last4: source.kind === 'terminal' ? '' : last4Of(source),
    card_expiry: 'brand' in source ? `${source.expiryMonth}/${source.expiryYear}` : null,
    account_type: source.kind === 'ach' ? source.accountType : null,
    ...(source.kind === 'terminal' ? terminalColumns(source, request.amount) : {}),
    source: 'api',
    channel: request.channel,
    created_by: actor.name,
    approved_by: request.type === 'credit' ? (actor.approval?.approvedBy ?? null) : null,
    ...request.details,
    order_key: request.details.order_id?.toLowerCase() ?? null,
    ...nameKeys(request.details.customer_name),
    day: dateIn(request.merchant.timezone, now),
    created_at: at,
    updated_at: at,
  };
}

const terminalColumns = ({ terminal: { id, name, device_id: deviceId }, changes }: CardAtTerminal, { minor: requestedMinor }: Money) => ({
  terminal_id: id,
  terminal: newFacts({ name, deviceId, sentAt: isoTime(realNow()), requestedMinor, changes }),
  terminal_until_ms: occupiesUntil(),
});
