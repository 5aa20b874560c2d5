import type { Identity } from '#core/access/identity';
import type { Disputes, SandboxChargeback } from '#core/books/disputes';
import { type Database, type PageRequest, queriesOn, type Table, type TableShape, TENANT } from '#core/database';
import { type Actor, isDate, isoTime, ServiceError } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { ReaderInput, ReaderScreen, SandboxCardInput, SandboxGateway } from '#core/processing/gateways';
import { type Merchants, READABLE_GATEWAYS } from '#core/processing/merchants';
import type { Terminals } from '#core/processing/terminals';
import type { Audit, Fields } from '#core/records/audit';
import type { Notifications } from '#core/records/notifications';
import type { Webhooks } from '#core/records/webhooks';
import type { CardSaves } from '#core/sales/card-saves';
import type { BankReturn, Payments, SampleStep, Transaction } from '#core/sales/payments';
import {
  createRecorder,
  RECORDING_STEPS,
  RECORDINGS,
  type RecordedEvent,
  type ReplayedRequest,
  type ReplayedResponse,
  replay,
} from './recorder/index.ts';
import type { Chargeback, ReplayReport, SandboxClock, SandboxClockMove, SandboxGatewayMode, SandboxTier } from './records.ts';

/** Largest move of a test clock, so that its time stays valid. It only moves forward. */
const ADVANCE_MAX_SECONDS = 10 * 366 * 86_400;

/** Time for which a move runs jobs. Callers usually wait for 30 seconds. */
const MOVE_MAX_MS = 20_000;

/** Events of one page of the history. */
const EVENTS_PAGE = 200;

interface SandboxDependencies {
  readonly database: Database;
  /** The tenants with their clocks. */
  readonly tenants: Identity['tenants'];
  readonly notifications: Notifications;
  readonly audit: Audit['record'];
  readonly payments: Payments;
  readonly cardSaves: Pick<CardSaves, 'terminalChanged'>;
  readonly disputes: Pick<Disputes, 'raiseChargeback'>;
  readonly scheduler: Scheduler;
  readonly events: Webhooks['events'];
  /** Begins a move of a tenant's clock, in which a receiver that does not answer is not asked again. Returns the function that ends it. */
  readonly beginMove: Webhooks['beginMove'];
  /** Time for which a move runs jobs; 20 seconds by default. */
  readonly moveMaxMs?: number;
  /** Returns the merchants that a caller may act for, oldest first. */
  readonly merchantsOf: Merchants['merchantsOf'];
  /** Writes a log entry about a fault. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
  readonly gateway: SandboxGateway;
  readonly terminals: Pick<Terminals, 'deviceOf' | 'recheck'>;
  /** Looks at the connection to the gateways of a tenant, after its mode or its time changed. */
  readonly checkConnectivity: (tenantId: string) => Promise<void>;
  /** Called after the tenant's time changed. */
  readonly changed: (tenantId: string, topic: 'clock', merchantId: null) => void;
  /** Tables that a reset empties. */
  readonly tables: readonly TableShape[];
  /** Called after a reset, to forget records that are kept in memory. */
  readonly forget: (tenantId: string) => void;
}

/**
 * A move that a person requests retries new entries of the refund queue before their retry is due. In a recording, time passed without a request, and a
 * replay moves the clock only because its steps take a different time.
 */
type MoveReason = 'request' | 'time-passed';

export type ClockMove = { readonly advanceSeconds: number } | { readonly now: string };

export type { ObservedRequest, ReplayedRequest, ReplayedResponse } from './recorder/index.ts';
export {
  Chargeback,
  Recording,
  ReplayReport,
  SandboxClock,
  SandboxClockMove,
  SandboxGatewayMode,
  SandboxMessage,
  SandboxTier,
} from './records.ts';

export const TABLES = [RECORDINGS, RECORDING_STEPS];

/** Tools of a sandbox tenant. On a live tenant each throws NOT_FOUND. */
export function createSandbox(deps: SandboxDependencies) {
  const { database, tenants, payments, scheduler, gateway, audit, changed } = deps;
  /** The last move of each tenant's clock in this process; the next move waits for it. */
  const pendingMoves = new Map<string, Promise<unknown>>();

  function requireSandbox(actor: Pick<Actor, 'tenantId'>): void {
    if (tenants.environmentOf(actor.tenantId) !== 'sandbox')
      throw new ServiceError('NOT_FOUND', 'Sandbox tools are not available on a live account.');
  }

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

  async function move(actor: Actor, input: ClockMove, reason: MoveReason): Promise<SandboxClockMove> {
    const { tenantId } = actor;
    const now = await tenants.timeOf(tenantId);
    const targetMs = targetTime(input, now);
    await payments.resolveUnconfirmed(tenantId, targetMs - now);
    if (reason === 'request') await payments.refundQueue.bringForward(tenantId);
    let reached = now;
    const endMove = deps.beginMove(tenantId);
    const setClock = async (ms: number) => {
      reached = Math.max(reached, ms);
      await tenants.setClock(tenantId, reached, true);
    };
    const moved = await scheduler.runUntil(tenantId, targetMs, setClock, deps.moveMaxMs ?? MOVE_MAX_MS).finally(async () => {
      endMove();
      await tenants.setClock(tenantId, reached, false);
    });
    await deps.checkConnectivity(tenantId);
    changed(tenantId, 'clock', null);
    await recordAudit(actor, 'sandbox.clock_moved', 'sandbox/clock', { now: isoTime(now) }, { now: isoTime(targetMs) });
    return { now: isoTime(targetMs), ...moved };
  }

  async function moveInTurn(actor: Actor, input: ClockMove, reason: MoveReason): Promise<SandboxClockMove> {
    const before = pendingMoves.get(actor.tenantId) ?? Promise.resolve();
    const current = before
      .catch(() => undefined)
      .then(() => database.presence.alone(`clock ${actor.tenantId}`, () => move(actor, input, reason)));
    pendingMoves.set(actor.tenantId, current);
    try {
      return await current;
    } finally {
      if (pendingMoves.get(actor.tenantId) === current) pendingMoves.delete(actor.tenantId);
    }
  }

  async function recordAudit(actor: Actor, action: string, resource: string, before: object | null, after: object | null): Promise<void> {
    await database.unitOfWork.transaction(actor.tenantId, async (work) =>
      audit(work, { actor, action, resource, before: before as Fields | null, after: after as Fields | null }),
    );
  }

  /** Returns the events from a time on, or after an event. After a reset, which deletes events, it begins at the time again. */
  async function eventsSince(actor: Actor, from: string, after: string | null): Promise<RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    let cursor = after;
    do {
      const page = await deps.events(actor, { from, limit: EVENTS_PAGE, ...(cursor === null ? {} : { after: cursor }) }).catch((error) => {
        if (cursor !== null && error instanceof ServiceError && error.code === 'NOT_FOUND') return null;
        throw error;
      });
      if (page === null) return eventsSince(actor, from, null);
      found.push(...page.items.map(({ id, type, createdAt, data }) => ({ id, type, createdAt, data })));
      cursor = page.continuesAt;
    } while (cursor !== null);
    return found;
  }

  const tools = {
    recordings: createRecorder({
      database,
      timeOf: tenants.timeOf,
      requireSandbox,
      isSandbox: (tenantId) => tenants.environmentOf(tenantId) === 'sandbox',
      merchantsOf: deps.merchantsOf,
      eventsSince,
      audit,
      report: deps.report,
    }),
    /** Runs the steps of a recording until the first difference (see `replay`). */
    replay(
      actor: Actor,
      file: AsyncIterable<string>,
      isReset: boolean,
      run: (request: ReplayedRequest) => Promise<ReplayedResponse>,
    ): Promise<ReplayReport> {
      requireSandbox(actor);
      const passTimeUntil = async (by: Actor, ms: number) => void (await moveInTurn(by, { now: isoTime(ms) }, 'time-passed'));
      return replay(
        { timeOf: tenants.timeOf, passTimeUntil, reset: tools.reset, merchantsOf: deps.merchantsOf, eventsSince },
        actor,
        file,
        isReset,
        run,
      );
    },
    async clock(actor: Actor): Promise<SandboxClock> {
      requireSandbox(actor);
      return { now: isoTime(await tenants.timeOf(actor.tenantId)) };
    },
    /**
     * Moves the tenant's clock and runs everything that becomes due, in order and each at its own time. @throws ServiceError
     * VALIDATION_ERROR for a move backwards.
     */
    async moveClock(actor: Actor, input: ClockMove): Promise<SandboxClockMove> {
      requireSandbox(actor);
      return moveInTurn(actor, input, 'request');
    },
    async messages(actor: Actor, at: PageRequest) {
      requireSandbox(actor);
      return deps.notifications.page(actor, {}, at);
    },
    async gatewayMode(actor: Actor, gatewayId?: string): Promise<SandboxGatewayMode> {
      requireSandbox(actor);
      await checkGateway(database, actor, gatewayId);
      return { mode: await gateway.modeOf(actor.tenantId, gatewayId) };
    },
    /** Simulates an outage of all gateways, or of one. */
    async setGatewayMode(actor: Actor, mode: SandboxGatewayMode['mode'], gatewayId?: string): Promise<SandboxGatewayMode> {
      requireSandbox(actor);
      await checkGateway(database, actor, gatewayId);
      const before = await gateway.modeOf(actor.tenantId, gatewayId);
      await gateway.setMode(actor.tenantId, mode, gatewayId);
      await recordAudit(
        actor,
        'sandbox.gateway_set',
        `sandbox/gateway${gatewayId === undefined ? '' : `/${gatewayId}`}`,
        { mode: before },
        { mode },
      );
      await deps.checkConnectivity(actor.tenantId);
      return { mode };
    },
    /** Returns the tier of the account, whose request limits apply to it. */
    async tier(actor: Actor): Promise<SandboxTier> {
      requireSandbox(actor);
      return { tier: (await tenants.find(actor.tenantId))?.tier ?? 'sandbox' };
    },
    /** Gives the account the request limits of a tier, or none with the tier `sandbox`. */
    async setTier(actor: Actor, tier: SandboxTier['tier']): Promise<SandboxTier> {
      const before = await tools.tier(actor);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        await tenants.setTier(work, actor.tenantId, tier);
        audit(work, { actor, action: 'sandbox.tier_set', resource: 'sandbox/tier', before, after: { tier } });
      });
      return { tier };
    },
    /** Returns what a simulated card reader shows. */
    async readerScreen(actor: Actor, terminalId: string): Promise<ReaderScreen> {
      requireSandbox(actor);
      return gateway.readerScreen(actor.tenantId, await deps.terminals.deviceOf(actor, terminalId));
    },
    /** Runs the action of a person at a simulated card reader. The payment on it learns the result, unless the reader lost it. */
    async presentToReader(actor: Actor, terminalId: string, input: ReaderInput): Promise<ReaderScreen> {
      requireSandbox(actor);
      const { tenantId } = actor;
      const screen = await gateway.presentToReader(tenantId, await deps.terminals.deviceOf(actor, terminalId), input);
      await deps.terminals.recheck(tenantId, terminalId);
      const changed = screen.dialog?.operation === 'verification' ? deps.cardSaves : payments;
      if (screen.dialog) await changed.terminalChanged(tenantId, screen.dialog.processorRef);
      return screen;
    },
    /** Returns a payment page of the sandbox processor. @throws ServiceError NOT_FOUND. */
    hostedPage: (token: string) => gateway.hostedPage(token),
    /** Pays a payment page of the sandbox processor, as a payer does. */
    payHostedPage: (token: string, card: SandboxCardInput) => gateway.payHostedPage(token, card),
    async raiseChargeback(actor: Actor, input: SandboxChargeback): Promise<Chargeback> {
      requireSandbox(actor);
      const dispute = await deps.disputes.raiseChargeback(actor, input);
      return { chargebackId: dispute.disputeId, ...dispute };
    },
    /** Returns a bank payment as its bank would, also in the report of the sandbox processor. */
    async returnBankPayment(actor: Actor, input: BankReturn): Promise<Transaction> {
      requireSandbox(actor);
      const { payment, amount } = await payments.returnBankPayment(actor, input);
      await gateway.recordReturn(actor.tenantId, payment.processorRef, amount);
      return payment;
    },
    /**
     * Writes a part of a sample history. Its steps are in the order of their times, after those of all earlier parts. `moveTo` sets the clock of this
     * core; the history ends at `untilMs`.
     */
    async addSampleHistory(actor: Actor, steps: readonly SampleStep[], moveTo: (ms: number) => void, untilMs: number): Promise<void> {
      requireSandbox(actor);
      await payments.writeSampleHistory(actor.tenantId, steps, gateway.sampleBooks(actor.tenantId), moveTo, untilMs);
    },
    /** Removes the payments of the tenant and all data that follows from them. Tenant, merchants, users, keys, settings and clock stay. */
    async reset(actor: Actor): Promise<void> {
      requireSandbox(actor);
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        for (const table of deps.tables) await work.delete(table as Table<{ tenant_id: string }>, { tenant_id: actor.tenantId });
        audit(work, { actor, action: 'sandbox.reset', resource: 'sandbox' });
        work.afterCommit(() => deps.forget(actor.tenantId));
      });
      await gateway.forget(actor.tenantId);
    },
  };
  return tools;
}

function invalidMove(field: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message, { field });
}

/** Checks that a gateway that a request names exists. @throws ServiceError VALIDATION_ERROR. */
async function checkGateway(database: Database, { tenantId }: Actor, gatewayId: string | undefined): Promise<void> {
  if (gatewayId === undefined) return;
  const query = queriesOn(READABLE_GATEWAYS)
    .selectFrom('gateways')
    .select('id')
    .where('tenant_id', '=', TENANT)
    .where('id', '=', gatewayId)
    .where('removed_at', 'is', null);
  if ((await database.read(tenantId).rows(query)).length === 0)
    throw new ServiceError('VALIDATION_ERROR', `No gateway with ID \`${gatewayId}\`.`, { field: 'gatewayId' });
}
