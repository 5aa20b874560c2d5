import type { Database } from '#core/database';
import type { Actor, Clock } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Payments } from '#core/payments';

export type By = Pick<Actor, 'tenantId' | 'merchantId'>;

/** What reporting is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly payments: Payments;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (by: By, merchantId?: string) => Promise<Merchant>;
}
