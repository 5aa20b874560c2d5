import type { Audit, Fields } from '#core/audit';
import type { Database, PageRequest, Table, TableShape } from '#core/database';
import type { SandboxGateway, SandboxMode } from '#core/gateways';
import type { Identity } from '#core/identity';
import { type Actor, isDate, isoTime, ServiceError } from '#core/kernel';
import type { Notifications } from '#core/notifications';
import type { Payments, SampleStep } from '#core/payments';
import type { Ran, Scheduler } from '#core/platform/scheduling';

/** The test clock goes forward only, and not past what a time can hold. */
const ADVANCE_MAX_SECONDS = 10 * 366 * 86_400;

interface SandboxNeeds {
  readonly database: Database;
  /** The tenants with their clocks. */
  readonly tenants: Identity['tenants'];
  readonly notifications: Notifications;
  readonly audit: Audit['record'];
  readonly payments: Payments;
  readonly scheduler: Scheduler;
  readonly gateway: SandboxGateway;
  /** Called once the tenant's time is another. */
  readonly changed: (tenantId: string, topic: 'clock') => void;
  /** Tables that a reset empties. */
  readonly tables: readonly TableShape[];
}

export type ClockMove = { readonly advanceSeconds: number } | { readonly now: string };

/** Tools of a sandbox tenant (decisions 5); on a live one each is NOT_FOUND, as if it did not exist. */
export function createSandbox(needs: SandboxNeeds) {
  const { database, tenants, payments, scheduler, gateway, audit, changed } = needs;
  /** Moves of one tenant's clock follow one another. */
  const moving = new Map<string, Promise<unknown>>();

  function only(actor: Actor): void {
    if (tenants.environmentOf(actor.tenantId) !== 'sandbox')
      throw new ServiceError('NOT_FOUND', 'Sandbox tools are not available on a live account.');
  }

  function targetOf(move: ClockMove, now: number): number {
    if ('advanceSeconds' in move) {
      const { advanceSeconds } = move;
      if (Number.isInteger(advanceSeconds) && advanceSeconds >= 0 && advanceSeconds <= ADVANCE_MAX_SECONDS)
        return now + advanceSeconds * 1_000;
      throw badMove('advanceSeconds', `advanceSeconds must be a whole number from 0 to ${ADVANCE_MAX_SECONDS}.`);
    }
    const [, day = ''] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d/.exec(move.now) ?? [];
    const to = isDate(day) ? Date.parse(move.now) : Number.NaN;
    if (!Number.isFinite(to)) throw badMove('now', 'now must be an ISO 8601 time such as 2027-01-31T12:00:00Z.');
    if (to < now) throw badMove('now', `The test clock can only move forward. It is ${isoTime(now)}.`);
    if (to > now + ADVANCE_MAX_SECONDS * 1_000) throw badMove('now', 'The test clock can move forward by at most ten years at once.');
    return to;
  }

  async function move(actor: Actor, input: ClockMove): Promise<{ now: string; ran: Ran }> {
    const { tenantId } = actor;
    const now = await tenants.timeOf(tenantId);
    const to = targetOf(input, now);
    await payments.settleDoubt(tenantId, to - now);
    await payments.queue.bringForward(tenantId);
    let reached = now;
    const ran = await scheduler
      .runUntil(tenantId, to, async (ms) => {
        reached = Math.max(reached, ms);
        await tenants.setClock(tenantId, reached, true);
      })
      .finally(() => tenants.setClock(tenantId, reached, false));
    changed(tenantId, 'clock');
    await note(actor, 'sandbox.clock_moved', 'sandbox/clock', { now: isoTime(now) }, { now: isoTime(to) });
    return { now: isoTime(to), ran };
  }

  async function note(actor: Actor, action: string, resource: string, before: object | null, after: object | null): Promise<void> {
    await database.unitOfWork.run(actor.tenantId, async (work) =>
      audit(work, { actor, action, resource, before: before as Fields | null, after: after as Fields | null }),
    );
  }

  return {
    async clock(actor: Actor): Promise<{ now: string }> {
      only(actor);
      return { now: isoTime(await tenants.timeOf(actor.tenantId)) };
    },
    /**
     * Moves the tenant's clock and runs everything that becomes due, in order and each at its own time. @throws ServiceError
     * VALIDATION_ERROR for a move backwards.
     */
    async moveClock(actor: Actor, input: ClockMove): Promise<{ now: string; ran: Ran }> {
      only(actor);
      const before = moving.get(actor.tenantId) ?? Promise.resolve();
      const mine = before.catch(() => undefined).then(() => move(actor, input));
      moving.set(actor.tenantId, mine);
      try {
        return await mine;
      } finally {
        if (moving.get(actor.tenantId) === mine) moving.delete(actor.tenantId);
      }
    },
    async messages(actor: Actor, at: PageRequest) {
      only(actor);
      return needs.notifications.page(actor, {}, at);
    },
    async gatewayMode(actor: Actor, gatewayId?: string): Promise<{ mode: SandboxMode }> {
      only(actor);
      return { mode: await gateway.modeOf(actor.tenantId, gatewayId) };
    },
    /** Plays an outage of all gateways, or of one of a merchant's. */
    async setGatewayMode(actor: Actor, mode: SandboxMode, gatewayId?: string): Promise<{ mode: SandboxMode }> {
      only(actor);
      const before = await gateway.modeOf(actor.tenantId, gatewayId);
      await gateway.setMode(actor.tenantId, mode, gatewayId);
      await note(
        actor,
        'sandbox.gateway_set',
        `sandbox/gateway${gatewayId === undefined ? '' : `/${gatewayId}`}`,
        { mode: before },
        { mode },
      );
      return { mode };
    },
    async raiseChargeback(actor: Actor, input: Parameters<Payments['raiseChargeback']>[1]) {
      only(actor);
      return payments.raiseChargeback(actor, input);
    },
    /**
     * Writes a part of a history that is being made: steps in the order of their times, later ones than all before. `moveTo` sets the clock that this
     * core goes by; the history ends with `untilMs`.
     */
    async addPast(actor: Actor, steps: readonly SampleStep[], moveTo: (ms: number) => void, untilMs: number): Promise<void> {
      only(actor);
      await payments.writePast(actor.tenantId, steps, gateway.pastBooks(actor.tenantId), moveTo, untilMs);
    },
    /** Removes what the tenant's payments left; tenant, merchants, people, keys, settings and clock stay. */
    async reset(actor: Actor): Promise<void> {
      only(actor);
      await database.unitOfWork.run(actor.tenantId, async (work) => {
        for (const table of needs.tables) await work.delete(table as Table<{ tenant_id: string }>, { tenant_id: actor.tenantId });
        audit(work, { actor, action: 'sandbox.reset', resource: 'sandbox' });
      });
      await gateway.forget(actor.tenantId);
    },
  };
}

function badMove(field: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message, { field });
}
