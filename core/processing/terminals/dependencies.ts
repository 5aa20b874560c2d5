import type { Database, Read } from '#core/database';
import type { Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { Gateways } from '#core/processing/gateways';
import type { Merchants } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Emit } from '#core/records/webhooks';

/** A payment, or a request to store a card, that a card reader is busy with. */
export interface TerminalUse {
  readonly terminalId: string;
  readonly transactionId?: string;
  readonly cardSaveId?: string;
  /** Person or API key that made the request. */
  readonly usedBy: string;
}

/** Dependencies of the capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchants: Pick<Merchants, 'merchantFor' | 'merchantsOf' | 'gateways'>;
  readonly gateways: Gateways;
  /** Returns what runs on card readers of a tenant. */
  readonly usesOf: (read: Read, terminalIds: readonly string[]) => Promise<readonly TerminalUse[]>;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
}
