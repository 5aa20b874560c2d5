import type { Backups } from '#core/backup';
import type { Database } from '#core/database';
import type { SandboxGateway } from '#core/gateways';
import type { Actor, Clock } from '#core/kernel';
import type { Merchants } from '#core/merchants';
import type { Notifications } from '#core/notifications';
import type { Payments } from '#core/payments';
import type { Scheduler } from '#core/platform/scheduling';
import type { Custody } from '#core/vault';
import type { Webhooks } from '#core/webhooks';

/** The server around a core, as far as its status tells of it. */
export interface StatusStation {
  readonly version: string;
  readonly dataDir: string;
  /** Where it listens; null while it does not. */
  readonly address: () => string | null;
}

/** What the status is gathered from; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly station: StatusStation | undefined;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly firstTenant: () => Promise<{ readonly tenantId: string } | null>;
  readonly merchants: Pick<Merchants, 'merchantsOf' | 'gateways'>;
  readonly sandboxGateway: Pick<SandboxGateway, 'modeOf'>;
  readonly payments: Pick<Payments, 'standing' | 'lastAnswers'>;
  readonly webhooks: Pick<Webhooks, 'standing'>;
  readonly notifications: Pick<Notifications, 'standing'>;
  readonly scheduler: Pick<Scheduler, 'standing'>;
  readonly backups: Pick<Backups, 'overview' | 'page'>;
  readonly custody: Pick<Custody, 'state'>;
  /** Where payers reach this server, where it is another address than the screens'. */
  readonly publicUrl: string | undefined;
}

/** Whoever asks, with what follows from it. */
export interface Asked {
  readonly by: Actor;
  readonly environment: 'sandbox' | 'live';
  /** The tenant's time. */
  readonly nowMs: number;
}
