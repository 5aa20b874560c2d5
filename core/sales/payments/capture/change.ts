import type { Work } from '#core/database';
import { type Actor, amountAboveLimit, atLeastOneUnit, isoTime, type Money, money, parseMoney, storedCurrency } from '#core/kernel';
import { paymentFacts } from '../approval-facts.ts';
import { type AttemptInput, newAttempt, writeIntent } from '../attempts/attempts.ts';
import { callGatewayFor } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkMerchantLimit } from '../fraud/amount-limits.ts';
import { announceReturn } from '../order-payments.ts';
import { conclude } from '../outcomes/conclude.ts';
import { approvedByPaydesk, captureHeldUntil, isDecidedByPaydesk } from '../outcomes/held-captures.ts';
import { PART_NAMES, type Parts, type PartsInput, parseParts, partsOf, splitParts, statesParts } from '../parts/parts.ts';
import { checkLoweredTip, checkTip, tipFacts } from '../parts/tip-limit.ts';
import type { Transaction } from '../records.ts';
import { lockTransaction, readTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { checkScaledSurcharge, scaledSurcharge } from '../surcharge/surcharge.ts';
import { toTransaction } from '../transaction.ts';
import { type ChangeOperation, capabilitiesFor, changeRefused, checkChange } from './check-change.ts';

/**
 * Captures all or a part of an authorization; the rest is released. The amount is in the currency of the transaction and at most
 * the authorized amount (INVALID_AMOUNT, 422). Without stated parts, the capture has its share of those of the authorization. @throws ServiceError ALREADY_CAPTURED, ALREADY_VOIDED, TRANSACTION_DECLINED,
 * GATEWAY_TIMEOUT; after a time-out an inquiry finds the outcome.
 */
export function capture(
  deps: Dependencies,
  actor: Actor,
  input: { transactionId: string; amount?: string | number } & PartsInput,
): Promise<Transaction> {
  const amountIn = (row: TransactionRow) => {
    const currency = storedCurrency(row.currency);
    const amount = input.amount === undefined ? money(row.amount_minor, currency) : parseMoney(input.amount, currency);
    return {
      amount,
      parts: statesParts(input) ? statedParts(row, input, amount) : splitParts(amount.minor, row.amount_minor, partsOf(row)),
    };
  };
  const planAttempt = (row: TransactionRow) => {
    const { amount, parts } = amountIn(row);
    if (amount.minor > row.amount_minor) {
      throw amountAboveLimit('The amount exceeds the authorized amount.', {
        authorizedAmount: money(row.amount_minor, amount.currency),
        requestedAmount: amount,
      });
    }
    return { operation: 'capture', amountMinor: amount.minor, parts } as const;
  };
  return change(deps, actor, input.transactionId, 'capture', planAttempt, {}, amountIn);
}

/**
 * Cancels a capture before settlement: the transaction becomes an open authorization again. @throws ServiceError RESOURCE_CONFLICT if there
 * is no capture to cancel.
 */
export function cancelCapture(deps: Dependencies, actor: Actor, input: { transactionId: string }): Promise<Transaction> {
  return change(deps, actor, input.transactionId, 'cancelCapture', (row) => ({
    operation: 'cancel_capture',
    amountMinor: row.captured_minor,
    parts: partsOf(row),
  }));
}

/** Voids a sale or authorization that is neither settled nor refunded. @throws ServiceError ALREADY_VOIDED, TRANSACTION_DECLINED, RESOURCE_CONFLICT with `details.reason`. */
export function voidTransaction(deps: Dependencies, actor: Actor, input: { transactionId: string; reason?: string }): Promise<Transaction> {
  return change(
    deps,
    actor,
    input.transactionId,
    'void',
    (row) => ({ operation: 'void', amountMinor: row.amount_minor, parts: partsOf(row) }),
    {
      void_reason: input.reason ?? null,
    },
  );
}

/**
 * Changes the amount of an open authorization: a higher one is an incremental authorization, a lower one a partial reversal. Without stated parts, a
 * lower amount has its share of each part; a higher one keeps tip and tax, and its surcharge grows in proportion. @throws ServiceError INVALID_AMOUNT, ALREADY_CAPTURED, ALREADY_VOIDED,
 * TRANSACTION_DECLINED if the issuer refuses, RESOURCE_CONFLICT with `details.reason` `gateway_cannot_adjust` or `unchanged`.
 */
export function adjustAuthorization(
  deps: Dependencies,
  actor: Actor,
  input: { transactionId: string; amount: string | number } & PartsInput,
): Promise<Transaction> {
  const adjusted = (row: TransactionRow) => {
    const amount = atLeastOneUnit(parseMoney(input.amount, storedCurrency(row.currency)));
    if (statesParts(input)) return { amount, parts: statedParts(row, input, amount) };
    const agreed = { amountMinor: row.amount_minor, parts: partsOf(row) };
    if (amount.minor <= row.amount_minor) return { amount, parts: splitParts(amount.minor, row.amount_minor, agreed.parts) };
    return { amount, parts: { ...agreed.parts, surcharge: scaledSurcharge(amount.minor, row.tip_minor, agreed) } };
  };
  return adjust(deps, actor, input.transactionId, 'adjustAuthorization', adjusted);
}

/**
 * Sets the tip of an open authorization or of a captured payment that is not settled. The tip is added to the amount, and a former tip is taken off.
 * @throws ServiceError as `adjustAuthorization`; RESOURCE_CONFLICT for a settled or refunded payment.
 */
export function adjustTip(
  deps: Dependencies,
  actor: Actor,
  input: { transactionId: string; tipAmount: string | number },
): Promise<Transaction> {
  const adjusted = (row: TransactionRow) => {
    const currency = storedCurrency(row.currency);
    const tip = parseParts({ tipAmount: input.tipAmount }, money(Number.MAX_SAFE_INTEGER, currency)).tip;
    const before = row.captured_minor > 0 ? row.captured_minor : row.amount_minor;
    const amount = atLeastOneUnit(money(before - row.tip_minor + tip, currency));
    return { amount, parts: { ...partsOf(row), tip } };
  };
  return adjust(deps, actor, input.transactionId, 'adjustTip', adjusted);
}

/** Parses the parts of a changed amount. @throws ServiceError INVALID_AMOUNT; with status 422 for a surcharge above the share that the payer agreed to. */
function statedParts(row: TransactionRow, input: PartsInput, amount: Money): Parts {
  const parts = parseParts(input, amount);
  checkScaledSurcharge(amount, parts, { amountMinor: row.amount_minor, parts: partsOf(row) });
  return parts;
}

async function adjust(
  deps: Dependencies,
  actor: Actor,
  transactionId: string,
  operation: 'adjustAuthorization' | 'adjustTip',
  adjusted: (row: TransactionRow) => { readonly amount: Money; readonly parts: Parts },
): Promise<Transaction> {
  const row = await checkScope(deps, actor, transactionId);
  const merchant = await deps.merchantFor(actor, row.merchant_id);
  const planAttempt = (found: TransactionRow) => {
    const { amount, parts } = adjusted(found);
    const before = found.captured_minor > 0 ? found.captured_minor : found.amount_minor;
    if (amount.minor > before) checkMerchantLimit(merchant, amount);
    const isSame = amount.minor === before && PART_NAMES.every((name) => parts[name] === partsOf(found)[name]);
    if (isSame) throw changeRefused(transactionId, 'unchanged', 'The payment has this amount already.');
    return { operation: 'adjust', amountMinor: amount.minor, parts, spendingMinor: Math.max(0, amount.minor - before) } as const;
  };
  return change(deps, actor, transactionId, operation, planAttempt, {}, adjusted);
}

/** Locks the row, checks the transition table, writes the intent and calls the gateway. No other change of the transaction starts before this one is concluded. */
async function change(
  deps: Dependencies,
  actor: Actor,
  transactionId: string,
  operation: ChangeOperation,
  planAttempt: (row: TransactionRow) => PlannedAttempt,
  set: Partial<TransactionRow> = {},
  /** Checks the input against the currency of the transaction, before its state. */
  checkInput: (row: TransactionRow) => void = () => {},
): Promise<Transaction> {
  const transaction = await checkScope(deps, actor, transactionId);
  checkInput(transaction);
  return deps.serial.run(transactionId, async () => {
    const capabilities = await capabilitiesFor(deps, operation, transaction);
    const heldUntilMs = operation === 'capture' ? await captureHeldUntil(deps, transaction) : undefined;
    const shiftId = await deps.shiftOf(actor, transaction.merchant_id, transaction.currency);
    const { row, attempt } = await writeIntent(deps, actor, async (work) => {
      const found = await lockTransaction(work, transactionId);
      checkChange(found, operation, capabilities);
      const plannedAttempt = planAttempt(found);
      // A canceled capture returns the money as a void does, so the rule for voids covers both.
      if (operation === 'void' || operation === 'cancelCapture')
        await deps.checkApproval(work, actor, {
          kind: 'void',
          merchantId: found.merchant_id,
          resource: `transactions/${found.id}`,
          amount: money(plannedAttempt.amountMinor, storedCurrency(found.currency)),
          paidAt: found.created_at,
          details: { ...paymentFacts(found), reason: set.void_reason ?? null },
        });
      if (operation === 'void') await announceReturn(deps, work, actor, found, 'void', shiftId);
      const { spendingMinor = plannedAttempt.amountMinor } = plannedAttempt;
      if (operation === 'capture' || operation === 'adjustAuthorization' || operation === 'adjustTip') {
        const from = { amountMinor: found.captured_minor || found.amount_minor, parts: partsOf(found) };
        await checkTip(deps, work, actor, { ...tipFacts(found), to: plannedAttempt, from, movedMinor: spendingMinor });
        if (found.captured_minor > 0) await checkLoweredTip(deps, work, actor, found, plannedAttempt);
      }
      const currency = storedCurrency(found.currency);
      if (spendingMinor > 0)
        await deps.claimSpending(work, actor, money(spendingMinor, currency), money(plannedAttempt.amountMinor, currency));
      const opened = newAttempt(deps, actor, { transactionId, via: found, currency: found.currency, shiftId, ...plannedAttempt });
      await writeAttempt(work, opened, {
        ...set,
        ...(operation === 'void' && actor.approval && { approved_by: actor.approval.approvedBy }),
        pending_attempt: opened.id,
        updated_at: isoTime(deps.clockOf(actor.tenantId).now()),
      });
      return { row: found, attempt: opened };
    });
    const isApprovedHere = heldUntilMs !== undefined || isDecidedByPaydesk(row, attempt);
    const outcome = isApprovedHere ? approvedByPaydesk(row) : await callGatewayFor(deps, row, attempt);
    const result = await conclude(deps, attempt, outcome, { heldUntilMs });
    if ('transaction' in result) {
      if (attempt.operation === 'void' || result.transaction.status === 'approved') return result.transaction;
    }
    return toTransaction(await readTransaction(deps.database.read(actor.tenantId), transactionId));
  });
}

/** Request of a change. `spendingMinor` is the amount that counts against spending limits, by default the whole amount. */
type PlannedAttempt = Pick<AttemptInput, 'operation' | 'amountMinor'> & { readonly parts: Parts; readonly spendingMinor?: number };

async function writeAttempt(work: Work, attempt: AttemptRow, set: Partial<TransactionRow>): Promise<void> {
  work.insert(ATTEMPTS, attempt);
  await work.update(TRANSACTIONS, { id: attempt.transaction_id }, set);
}

/** Returns a transaction of the caller's merchants. Others are rejected before their state is checked. */
export async function checkScope(deps: Dependencies, actor: Actor, transactionId: string): Promise<TransactionRow> {
  const row = await readTransaction(deps.database.read(actor.tenantId), transactionId);
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}
