import type { Installments } from '#core/billing/installments';
import type { Recurring } from '#core/billing/recurring';
import type { Database } from '#core/database';
import type { Actor, Clock } from '#core/kernel';
import type { IdempotencyKeys } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { SandboxGateway } from '#core/processing/gateways';
import type { Merchants } from '#core/processing/merchants';
import type { Archives } from '#core/records/archive';
import type { Audit } from '#core/records/audit';
import type { Backups } from '#core/records/backup';
import type { Notifications } from '#core/records/notifications';
import type { KeyManagement } from '#core/records/vault';
import type { Webhooks } from '#core/records/webhooks';
import type { Payments } from '#core/sales/payments';

/** A file or collector that receives the audit log: since when, and why, it receives nothing. */
export interface AuditStreamState {
  readonly kind: 'file' | 'syslog';
  /** Name of the place, by which the database knows what it has received. */
  readonly place: string;
  readonly failure: { readonly reason: string; readonly sinceMs: number } | null;
}

/** Properties of the server that the system status shows. */
export interface StatusServer {
  readonly version: string;
  readonly dataDir: string;
  /** Listening address; null while it does not listen. */
  readonly address: () => string | null;
  readonly auditStreams?: (() => Promise<readonly AuditStreamState[]>) | undefined;
}

/** Dependencies of the status, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly server: StatusServer | undefined;
  readonly audit: Pick<Audit, 'streaming'>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly firstTenant: () => Promise<{ readonly tenantId: string } | null>;
  readonly merchants: Pick<Merchants, 'addressProblem' | 'merchantsOf' | 'gateways'>;
  readonly sandboxGateway: Pick<SandboxGateway, 'modeOf'>;
  readonly payments: Pick<Payments, 'countRefusedCharges' | 'health' | 'recentGatewayResults' | 'unconfirmedByTenant'>;
  readonly recurring: Pick<Recurring, 'agreedCharges'>;
  readonly installments: Pick<Installments, 'agreedCharges'>;
  readonly webhooks: Pick<Webhooks, 'health' | 'openDeliveries'>;
  readonly notifications: Pick<Notifications, 'channelHealth'>;
  readonly scheduler: Pick<Scheduler, 'statuses' | 'backlogs'>;
  readonly backups: Pick<Backups, 'overview' | 'page' | 'lastTimes'>;
  readonly archives: Pick<Archives, 'all'>;
  readonly idempotencyKeys: Pick<IdempotencyKeys, 'running'>;
  readonly keyManagement: Pick<KeyManagement, 'state'>;
  /** Address of this server for payers, if it differs from that of the screens. */
  readonly publicUrl: string | undefined;
}

/** Request for the system status: its caller, and the environment and time of the tenant. */
export interface StatusRequest {
  readonly actor: Actor;
  readonly environment: 'sandbox' | 'live';
  /** The tenant's time. */
  readonly nowMs: number;
}
