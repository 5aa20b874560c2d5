import type { SandboxChargeback } from '#core/books/disputes';
import type { Page, PageRequest, Table } from '#core/database';
import { type Actor, bind, isoTime, ServiceError } from '#core/kernel';
import type { Message } from '#core/records/notifications';
import type { BankReturn, SampleStep, Transaction } from '#core/sales/payments';
import { moveInTurn } from './clock.ts';
import { type Dependencies, requireSandbox } from './dependencies.ts';
import { type RecordedEvent, type ReplayedRequest, type ReplayedResponse, replay } from './recorder/index.ts';
import type { Chargeback, ReplayReport, SandboxTier } from './records.ts';

/** Events of one page of the history. */
const EVENTS_PAGE = 200;

/** Returns the events from a time on, or after an event. After a reset, which deletes events, it begins at the time again. */
export async function eventsSince(deps: Dependencies, actor: Actor, from: string, after: string | null): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  let cursor = after;
  do {
    const page = await deps.events(actor, { from, limit: EVENTS_PAGE, ...(cursor === null ? {} : { after: cursor }) }).catch((error) => {
      if (cursor !== null && error instanceof ServiceError && error.code === 'NOT_FOUND') return null;
      throw error;
    });
    if (page === null) return eventsSince(deps, actor, from, null);
    found.push(...page.items.map(({ id, type, createdAt, data }) => ({ id, type, createdAt, data })));
    cursor = page.continuesAt;
  } while (cursor !== null);
  return found;
}

/** Runs the steps of a recording until the first difference (see `replay`). */
export function replayRecording(
  deps: Dependencies,
  actor: Actor,
  file: AsyncIterable<string>,
  isReset: boolean,
  run: (request: ReplayedRequest) => Promise<ReplayedResponse>,
): Promise<ReplayReport> {
  requireSandbox(deps, actor);
  const passTimeUntil = async (by: Actor, ms: number) => void (await moveInTurn(deps, by, { now: isoTime(ms) }, 'time-passed'));
  const {
    tenants: { timeOf },
    merchantsOf,
  } = deps;
  const { reset, eventsSince: since } = bind(deps, { reset: resetSandbox, eventsSince });
  return replay({ timeOf, passTimeUntil, reset, merchantsOf, eventsSince: since }, actor, file, isReset, run);
}

export async function listMessages(deps: Dependencies, actor: Actor, at: PageRequest): Promise<Page<Message>> {
  requireSandbox(deps, actor);
  return deps.notifications.page(actor, {}, at);
}

/** Returns the tier of the account, whose request limits apply to it. */
export async function getTier(deps: Dependencies, actor: Actor): Promise<SandboxTier> {
  requireSandbox(deps, actor);
  return { tier: (await deps.tenants.find(actor.tenantId))?.tier ?? 'sandbox' };
}

/** Gives the account the request limits of a tier, or none with the tier `sandbox`. */
export async function setTier(deps: Dependencies, actor: Actor, tier: SandboxTier['tier']): Promise<SandboxTier> {
  const before = await getTier(deps, actor);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.tenants.setTier(work, actor.tenantId, tier);
    deps.audit(work, { actor, action: 'sandbox.tier_set', resource: 'sandbox/tier', before, after: { tier } });
  });
  return { tier };
}

export async function raiseChargeback(deps: Dependencies, actor: Actor, input: SandboxChargeback): Promise<Chargeback> {
  requireSandbox(deps, actor);
  const dispute = await deps.disputes.raiseChargeback(actor, input);
  return { chargebackId: dispute.disputeId, ...dispute };
}

/** Returns a bank payment as its bank would, also in the report of the sandbox processor. */
export async function returnBankPayment(deps: Dependencies, actor: Actor, input: BankReturn): Promise<Transaction> {
  requireSandbox(deps, actor);
  const { payment, amount } = await deps.payments.returnBankPayment(actor, input);
  await deps.gateway.recordReturn(actor.tenantId, payment.processorRef, amount);
  return payment;
}

/**
 * Writes a part of a sample history. Its steps are in the order of their times, after those of all earlier parts. `moveTo` sets the clock of this
 * core; the history ends at `untilMs`.
 */
export async function addSampleHistory(
  deps: Dependencies,
  actor: Actor,
  steps: readonly SampleStep[],
  moveTo: (ms: number) => void,
  untilMs: number,
): Promise<void> {
  requireSandbox(deps, actor);
  await deps.payments.writeSampleHistory(actor.tenantId, steps, deps.gateway.sampleBooks(actor.tenantId), moveTo, untilMs);
}

/** Removes the payments of the tenant and all data that follows from them. Tenant, merchants, users, keys, settings and clock stay. */
export async function resetSandbox(deps: Dependencies, actor: Actor): Promise<void> {
  requireSandbox(deps, actor);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    for (const table of deps.tables) await work.delete(table as Table<{ tenant_id: string }>, { tenant_id: actor.tenantId });
    deps.audit(work, { actor, action: 'sandbox.reset', resource: 'sandbox' });
    work.afterCommit(() => deps.forget(actor.tenantId));
  });
  await deps.gateway.forget(actor.tenantId);
}
