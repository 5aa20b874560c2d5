import type { Database } from '#core/database';
import type { Clock } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { SandboxGateway } from '#core/processing/gateways';
import type { Merchants } from '#core/processing/merchants';
import type { Notifications } from '#core/records/notifications';
import type { Emit } from '#core/records/webhooks';

/** Dependencies of the capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly tenantIds: () => Promise<readonly string[]>;
  readonly merchants: Pick<Merchants, 'merchantFor' | 'merchantsOf' | 'gateways'>;
  readonly sandboxGateway: Pick<SandboxGateway, 'modeOf'>;
  readonly notifications: Pick<Notifications, 'channelHealth' | 'sendWaiting'>;
  /** Returns true if this computer has an address in a network. */
  readonly hasNetwork: () => boolean;
  readonly emit: Emit;
  readonly changed: PublishChange;
  /** Called after a merchant has become online again. */
  readonly returned: (tenantId: string, merchantId: string) => Promise<void>;
  /** Returns the number of a merchant's payments that are charged when its gateway answers. */
  readonly waitingPayments: (tenantId: string, merchantId: string) => Promise<number>;
  readonly report: (message: string, context: Record<string, unknown>) => void;
}
