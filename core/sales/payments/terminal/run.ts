import type { Work } from '#core/database';
import { isoTime, later, money, realNow, realTime, ServiceError, storedCurrency } from '#core/kernel';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { released } from '#core/platform/scheduling';
import type { Connector, Outcome, TerminalAnswer, TerminalConnector, TerminalInquiry } from '#core/processing/gateways';
import { waitForEnd } from '#core/processing/terminals';
import type { TerminalPaymentState } from '#shared/terminals';
import { callGateway, gatewayParts } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { conclude, RESOLVE_JOB } from '../outcomes/conclude.ts';
import type { Transaction } from '../records.ts';
import { lockTransaction, readTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS } from '../schema.ts';
import { checkedAnswer } from '../terminal-facts/amounts.ts';
import { terminalEvent } from '../terminal-facts/events.ts';
import { changedFacts, factsOf, isAtTerminal, type RowAtTerminal } from '../terminal-facts/facts.ts';
import { toTransaction } from '../transaction.ts';

/** Interval of questions to a reader about the payment that runs on it. */
const POLL_MS = 2_000;
/** Time in which a reader answers. Later, the payment is unconfirmed and the reader may be used again. */
const ANSWERS_WITHIN_MS = 300_000;

type Running = Extract<TerminalAnswer, { kind: 'running' }>;

/** Starts a written payment on its reader, and waits for its outcome at most for a time. */
export async function payAtTerminal(deps: Dependencies, row: RowAtTerminal, attempt: AttemptRow, waitMs: number): Promise<Transaction> {
  const isClosed = await deps.isMerchantClosed(row.tenant_id, row.merchant_id);
  const answer: TerminalAnswer = isClosed
    ? {
        kind: 'not-sent',
        reason: 'The merchant no longer accepts payments. Nothing was charged.',
        retry: 'error',
        code: 'MERCHANT_NOT_FOUND',
      }
    : checkedAnswer(row, await start(deps, row, attempt));
  if (answer.kind === 'running' || answer.kind === 'unknown') await record(deps, attempt, answer);
  else {
    await connectionShownBy(deps, row, answer);
    const result = await conclude(deps, attempt, answer, { transaction: row });
    if ('transaction' in result) return result.transaction;
  }
  const { tenant_id: tenantId, id } = row;
  const hasEnded = async () => (await readTransaction(deps.database.read(tenantId), id)).status !== 'pending';
  await waitForEnd(deps, tenantId, realNow() + waitMs, hasEnded);
  return respond(deps, attempt);
}

function start(deps: Dependencies, row: RowAtTerminal, attempt: AttemptRow): Promise<TerminalAnswer> {
  return callGateway<{ readonly readers: TerminalConnector }, TerminalAnswer>(
    deps,
    row,
    attempt.operation,
    async (connector) => ({ readers: readersOf(connector) }),
    async (_, { readers }) =>
      readers.start({
        ...(await inquiryOf(deps, row, attempt)),
        merchantId: row.merchant_id,
        parts: gatewayParts(row, row.currency),
        changes: factsOf(row).changes,
      }),
  );
}

function readersOf({ terminals }: Connector): TerminalConnector {
  if (terminals) return terminals;
  throw new ServiceError('GATEWAY_UNAVAILABLE', 'The gateway has no card readers that Paydesk supports. Nothing was charged.');
}

/** Returns the inquiry about a payment, at the present address of its reader. */
export async function inquiryOf(deps: Dependencies, row: RowAtTerminal, attempt: AttemptRow): Promise<TerminalInquiry> {
  const { deviceId, requestId, sentAt } = factsOf(row);
  const reader = await deps.terminals.reachedAt(row.tenant_id, row.terminal_id);
  return {
    tenantId: row.tenant_id,
    gatewayId: row.gateway_id,
    deviceId,
    address: reader?.address ?? null,
    processorRef: attempt.processor_ref,
    requestId,
    operation: row.type,
    amount: money(attempt.amount_minor, storedCurrency(attempt.currency)),
    at: sentAt,
  };
}

/** Updates the connection of the reader by what its answer shows. */
async function connectionShownBy(deps: Dependencies, row: RowAtTerminal, answer: TerminalAnswer): Promise<void> {
  const isOffline = answer.kind === 'not-sent' && answer.refusedBy === 'terminal_offline';
  if (!isOffline && (answer.kind === 'unknown' || answer.kind === 'not-sent')) return;
  await deps.terminals.connectionSeen(row.tenant_id, row.terminal_id, isOffline ? 'offline' : 'online');
}

/** Records that a payment runs on its reader, or that its reader does not answer, and when to ask again. */
async function record(deps: Dependencies, attempt: AttemptRow, answer: Running | Extract<Outcome, { kind: 'unknown' }>): Promise<void> {
  const isRunning = answer.kind === 'running';
  const changes = isRunning ? { requestId: answer.requestId, ...(answer.tip && { tipMinor: answer.tip.minor }) } : {};
  await deps.database.unitOfWork.transaction(attempt.tenant_id, async (work) => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const current = await work.lockOne(ATTEMPTS, { id: attempt.id });
    if (!isAtTerminal(row) || !current || current.state === 'done') return;
    await changeState(deps, work, row, isRunning ? answer.step : 'unconfirmed', changes);
    await work.update(
      ATTEMPTS,
      { id: attempt.id },
      { state: isRunning ? 'waiting' : 'unconfirmed', missed: null, ...released(later(realNow(), POLL_MS)) },
    );
  });
  deps.wake(RESOLVE_JOB, attempt.tenant_id);
}

/** Writes the state of a payment on its reader, and emits its change. */
async function changeState(
  deps: Dependencies,
  work: Work,
  row: RowAtTerminal,
  state: TerminalPaymentState,
  changes: { readonly requestId?: string | null; readonly tipMinor?: number } = {},
): Promise<void> {
  const before = factsOf(row);
  const terminal = changedFacts(row, { state, ...changes });
  if (terminal === row.terminal) return;
  const nowMs = deps.clockOf(row.tenant_id).now();
  const next = { ...row, terminal, updated_at: isoTime(nowMs) };
  await work.update(TRANSACTIONS, { id: row.id, status: 'pending' }, { terminal, updated_at: next.updated_at });
  if (before.state === state && changes.tipMinor === undefined) return;
  const event = terminalEvent(toTransaction(next));
  if (event) deps.emit(work, { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs: nowMs, ...event });
  work.afterCommit(() => {
    deps.changed(row.tenant_id, 'transactions', row.merchant_id);
    deps.changed(row.tenant_id, 'terminals', row.merchant_id);
  });
}

/**
 * Asks about a payment that was sent to a reader: the reader while the payment runs, otherwise the processor's records. Returns the outcome to conclude, or
 * null if the payment is still open.
 */
export async function askTerminal(
  deps: Dependencies,
  connector: Connector,
  row: RowAtTerminal,
  attempt: AttemptRow,
): Promise<Exclude<TerminalAnswer, Running> | { readonly kind: 'not-found' } | null> {
  const readers = readersOf(connector);
  const inquiry = await inquiryOf(deps, row, attempt);
  const isWaiting = attempt.state === 'waiting';
  const answer = checkedAnswer(row, isWaiting ? await readers.status(inquiry) : await readers.inquire(inquiry));
  const isOverdue = Date.now() - Date.parse(inquiry.at) >= ANSWERS_WITHIN_MS;
  if (answer.kind === 'running' && !isOverdue) {
    await deps.terminals.connectionSeen(row.tenant_id, row.terminal_id, 'online');
    await record(deps, attempt, answer);
    return null;
  }
  const outcome: Exclude<typeof answer, Running> =
    answer.kind === 'running' ? { kind: 'unknown', cause: 'The card reader did not end the payment in time.' } : answer;
  if (outcome.kind === 'unknown' && isWaiting) {
    await record(deps, attempt, outcome);
    await deps.terminals.recheck(row.tenant_id, row.terminal_id);
    return null;
  }
  // The records of the processor say nothing about the reader.
  if (isWaiting && outcome.kind !== 'not-found') await connectionShownBy(deps, row, outcome);
  return outcome;
}

/** Returns the payment, and stores the response under the Idempotency-Key of the request unless its conclusion did. */
async function respond(deps: Dependencies, attempt: AttemptRow): Promise<Transaction> {
  return deps.database.unitOfWork.transaction(attempt.tenant_id, async (work) => {
    const current = await work.lockOne(ATTEMPTS, { id: attempt.id });
    const transaction = toTransaction(await readTransaction(work, attempt.transaction_id));
    const key = current === null ? null : keyNameOf(current);
    if (key !== null && current?.state !== 'done') {
      await deps.idempotencyKeys.completeInWork(work, key, deps.renderResponse(key.route, { transaction }));
      await work.update(ATTEMPTS, { id: attempt.id }, NO_IDEMPOTENCY_KEY);
    }
    return transaction;
  });
}

/** Returns the time until which a payment that is sent now occupies its reader. */
export const occupiesUntil = () => realTime(realNow() + ANSWERS_WITHIN_MS);
