import { type Actor, isDate, isoTime, ServiceError } from '#core/kernel';
import { type Dependencies, recordAudit, requireSandbox } from './dependencies.ts';
import type { SandboxClock, SandboxClockMove } from './records.ts';

/** Largest move of a test clock, so that its time stays valid. It only moves forward. */
const ADVANCE_MAX_SECONDS = 10 * 366 * 86_400;

/** Time for which a move runs jobs. Callers usually wait for 30 seconds. */
const MOVE_MAX_MS = 20_000;

/**
 * A move that a person requests retries new entries of the refund queue before their retry is due. In a recording, time passed without a request, and a
 * replay moves the clock only because its steps take a different time.
 */
type MoveReason = 'request' | 'time-passed';

export type ClockMove = { readonly advanceSeconds: number } | { readonly now: string };

function targetTime(move: ClockMove, now: number): number {
  if ('advanceSeconds' in move) {
    const { advanceSeconds } = move;
    if (Number.isInteger(advanceSeconds) && advanceSeconds >= 0 && advanceSeconds <= ADVANCE_MAX_SECONDS)
      return now + advanceSeconds * 1_000;
    throw invalidMove('advanceSeconds', `\`advanceSeconds\` must be a whole number from 0 to ${ADVANCE_MAX_SECONDS}.`);
  }
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d/.exec(move.now) ?? [];
  const targetMs = isDate(day) ? Date.parse(move.now) : Number.NaN;
  if (!Number.isFinite(targetMs)) throw invalidMove('now', '`now` must be an ISO 8601 time such as 2027-01-31T12:00:00Z.');
  if (targetMs < now) throw invalidMove('now', `The test clock can only move forward. It is ${isoTime(now)}.`);
  if (targetMs > now + ADVANCE_MAX_SECONDS * 1_000)
    throw invalidMove('now', 'The test clock can be moved forward by at most ten years in one step.');
  return targetMs;
}

async function moveNow(deps: Dependencies, actor: Actor, input: ClockMove, reason: MoveReason): Promise<SandboxClockMove> {
  const { tenantId } = actor;
  const now = await deps.tenants.timeOf(tenantId);
  const targetMs = targetTime(input, now);
  await deps.payments.resolveUnconfirmed(tenantId, targetMs - now);
  if (reason === 'request') await deps.payments.refundQueue.bringForward(tenantId);
  let reached = now;
  const endMove = deps.beginMove(tenantId);
  const setClock = async (ms: number) => {
    reached = Math.max(reached, ms);
    await deps.tenants.setClock(tenantId, reached, true);
  };
  const moved = await deps.scheduler.runUntil(tenantId, targetMs, setClock, deps.moveMaxMs ?? MOVE_MAX_MS).finally(async () => {
    endMove();
    await deps.tenants.setClock(tenantId, reached, false);
  });
  await deps.checkConnectivity(tenantId);
  deps.changed(tenantId, 'clock', null);
  await recordAudit(deps, actor, 'sandbox.clock_moved', 'sandbox/clock', { now: isoTime(now) }, { now: isoTime(targetMs) });
  return { now: isoTime(targetMs), ...moved };
}

export async function moveInTurn(deps: Dependencies, actor: Actor, input: ClockMove, reason: MoveReason): Promise<SandboxClockMove> {
  const before = deps.pendingMoves.get(actor.tenantId) ?? Promise.resolve();
  const current = before
    .catch(() => undefined)
    .then(() => deps.database.presence.alone(`clock ${actor.tenantId}`, () => moveNow(deps, actor, input, reason)));
  deps.pendingMoves.set(actor.tenantId, current);
  try {
    return await current;
  } finally {
    if (deps.pendingMoves.get(actor.tenantId) === current) deps.pendingMoves.delete(actor.tenantId);
  }
}

export async function getClock(deps: Dependencies, actor: Actor): Promise<SandboxClock> {
  requireSandbox(deps, actor);
  return { now: isoTime(await deps.tenants.timeOf(actor.tenantId)) };
}

/**
 * Moves the tenant's clock and runs everything that becomes due, in order and each at its own time. @throws ServiceError
 * VALIDATION_ERROR for a move backwards.
 */
export async function moveClock(deps: Dependencies, actor: Actor, input: ClockMove): Promise<SandboxClockMove> {
  requireSandbox(deps, actor);
  return moveInTurn(deps, actor, input, 'request');
}

function invalidMove(field: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message, { field });
}
