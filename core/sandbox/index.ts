import type { Audit, Fields } from '#core/audit';
import type { Database, PageOf, Table, TableShape } from '#core/database';
import type { SandboxGateway, SandboxMode } from '#core/gateways';
import type { Identity } from '#core/identity';
import { type Actor, isDate, isoTime, ServiceError } from '#core/kernel';
import type { Notifications } from '#core/notifications';
import type { PastStep, Payments } from '#core/payments';
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
  /** What a reset empties. */
  readonly tables: readonly TableShape[];
}

export type ClockMove = { readonly advanceSeconds: number } | { readonly now: string };

/** Tools of a sandbox tenant (decisions 5); on a live one each is NOT_FOUND, as if it did not exist. */
export function createSandbox(needs: SandboxNeeds) {
  const { database, tenants, payments, scheduler, gateway, audit, changed } = needs;
  /** Moves of one tenant's clock follow one another. */
  const moving = new Map<string, Promise<unknown>>();

  function only(by: Actor): void {
    if (tenants.environmentOf(by.tenantId) !== 'sandbox')
      throw new ServiceError('NOT_FOUND', 'The sandbox tools do not exist on a live account.');
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
    if (to < now) throw badMove('now', `The test clock only goes forward; it is ${isoTime(now)}.`);
    if (to > now + ADVANCE_MAX_SECONDS * 1_000) throw badMove('now', 'The test clock goes forward by at most ten years at once.');
    return to;
  }

  async function move(by: Actor, input: ClockMove): Promise<{ now: string; ran: Ran }> {
    const { tenantId } = by;
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
    await note(by, 'sandbox.clock_moved', 'sandbox/clock', { now: isoTime(now) }, { now: isoTime(to) });
    return { now: isoTime(to), ran };
  }

  async function note(by: Actor, action: string, resource: string, before: object | null, after: object | null): Promise<void> {
    await database.unitOfWork.run(by.tenantId, async (work) =>
      audit(work, { by, action, resource, before: before as Fields | null, after: after as Fields | null }),
    );
  }

  return {
    async clock(by: Actor): Promise<{ now: string }> {
      only(by);
      return { now: isoTime(await tenants.timeOf(by.tenantId)) };
    },
    /** Moves the tenant's time and runs everything that falls due, in order, each at its own time. VALIDATION_ERROR on a move backwards. */
    async moveClock(by: Actor, input: ClockMove): Promise<{ now: string; ran: Ran }> {
      only(by);
      const before = moving.get(by.tenantId) ?? Promise.resolve();
      const mine = before.catch(() => undefined).then(() => move(by, input));
      moving.set(by.tenantId, mine);
      try {
        return await mine;
      } finally {
        if (moving.get(by.tenantId) === mine) moving.delete(by.tenantId);
      }
    },
    async messages(by: Actor, at: PageOf) {
      only(by);
      return needs.notifications.page(by, {}, at);
    },
    async gatewayMode(by: Actor, gatewayId?: string): Promise<{ mode: SandboxMode }> {
      only(by);
      return { mode: await gateway.modeOf(by.tenantId, gatewayId) };
    },
    /** Plays an outage of all gateways, or of one of a merchant's. */
    async setGatewayMode(by: Actor, mode: SandboxMode, gatewayId?: string): Promise<{ mode: SandboxMode }> {
      only(by);
      const before = await gateway.modeOf(by.tenantId, gatewayId);
      await gateway.setMode(by.tenantId, mode, gatewayId);
      await note(by, 'sandbox.gateway_set', `sandbox/gateway${gatewayId === undefined ? '' : `/${gatewayId}`}`, { mode: before }, { mode });
      return { mode };
    },
    async raiseChargeback(by: Actor, input: Parameters<Payments['raiseChargeback']>[1]) {
      only(by);
      return payments.raiseChargeback(by, input);
    },
    /**
     * Writes a part of a history that is being made: steps in the order of their times, later ones than all before. `moveTo` sets the clock that this
     * core goes by; the history ends with `untilMs`.
     */
    async addPast(by: Actor, steps: readonly PastStep[], moveTo: (ms: number) => void, untilMs: number): Promise<void> {
      only(by);
      await payments.writePast(by.tenantId, steps, gateway.pastBooks(by.tenantId), moveTo, untilMs);
    },
    /** Removes what the tenant's payments left; tenant, merchants, people, keys, settings and clock stay. */
    async reset(by: Actor): Promise<void> {
      only(by);
      await database.unitOfWork.run(by.tenantId, async (work) => {
        for (const table of needs.tables) await work.delete(table as Table<{ tenant_id: string }>, { tenant_id: by.tenantId });
        audit(work, { by, action: 'sandbox.reset', resource: 'sandbox' });
      });
      await gateway.forget(by.tenantId);
    },
  };
}

function badMove(field: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message, { field });
}
