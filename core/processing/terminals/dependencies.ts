import type { Database } from '#core/database';
import type { Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { Gateways } from '#core/processing/gateways';
import type { Merchants } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Emit } from '#core/records/webhooks';

/** A payment that a card reader is busy with. */
export interface RunningPayment {
  readonly terminalId: string;
  readonly transactionId: string;
  /** Person or API key that made the payment. */
  readonly usedBy: string;
}

/** Dependencies of the capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchants: Pick<Merchants, 'merchantFor' | 'merchantsOf' | 'gateways'>;
  readonly gateways: Gateways;
  /** Returns the payments that run on card readers of a tenant. */
  readonly runningPayments: (tenantId: string, terminalIds: readonly string[]) => Promise<readonly RunningPayment[]>;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
}
