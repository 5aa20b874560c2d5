import type { Identity } from '#core/access/identity';
import type { Disputes } from '#core/books/disputes';
import type { Database, TableShape } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { SandboxGateway } from '#core/processing/gateways';
import type { Merchants } from '#core/processing/merchants';
import type { Terminals } from '#core/processing/terminals';
import type { Audit, Fields } from '#core/records/audit';
import type { Notifications } from '#core/records/notifications';
import type { Webhooks } from '#core/records/webhooks';
import type { CardSaves } from '#core/sales/card-saves';
import type { Payments } from '#core/sales/payments';

/** Dependencies of the tools of a sandbox, constructed by `createCore`. */
export interface SandboxDependencies {
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

export function requireSandbox(deps: Dependencies, actor: Pick<Actor, 'tenantId'>): void {
  if (deps.tenants.environmentOf(actor.tenantId) !== 'sandbox')
    throw new ServiceError('NOT_FOUND', 'Sandbox tools are not available on a live account.');
}

export async function recordAudit(
  deps: Dependencies,
  actor: Actor,
  action: string,
  resource: string,
  before: object | null,
  after: object | null,
): Promise<void> {
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) =>
    deps.audit(work, { actor, action, resource, before: before as Fields | null, after: after as Fields | null }),
  );
}

/** Dependencies, with the running moves. */
export interface Dependencies extends SandboxDependencies {
  /** The last move of each tenant's clock in this process; the next move waits for it. */
  readonly pendingMoves: Map<string, Promise<unknown>>;
}
