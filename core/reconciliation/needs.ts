import type { Record as RecordEntry } from '#core/audit';
import type { Database } from '#core/database';
import type { Gateways } from '#core/gateways';
import { type Actor, type Clock, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Topic } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import { WHOLE_TENANT } from './schema.ts';

/** What reconciliation is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly gateways: Gateways;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  readonly audit: RecordEntry;
  readonly changed: (tenantId: string, topic: Topic) => void;
}

export type By = Pick<Actor, 'tenantId' | 'merchantId'>;

/** Whose lines are compared, and the merchant whose day and currency they are told in. */
export interface Scope {
  readonly scope: string;
  readonly merchant: Merchant;
}

/** One merchant's lines where the caller acts for one or names one; else those of the whole tenant. */
export async function scopeFor(on: Needs, by: By, merchantId?: string): Promise<Scope> {
  const merchant = await on.merchantFor(by, merchantId);
  return { scope: merchantId ?? by.merchantId ?? WHOLE_TENANT, merchant };
}

/** MERCHANT_NOT_AUTHORIZED for a caller of one merchant that asks for another's, or for the whole tenant's. */
export async function checkScope(on: Needs, by: By, scope: string): Promise<Scope> {
  if (scope !== WHOLE_TENANT) return { scope, merchant: await on.merchantFor(by, scope) };
  if (by.merchantId !== null)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This belongs to the whole account; this credential acts for one merchant.');
  return { scope, merchant: await on.merchantFor(by) };
}

/** Lets everybody else have the event loop: SQLite answers at once, and a long read would otherwise never pause. */
export const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
