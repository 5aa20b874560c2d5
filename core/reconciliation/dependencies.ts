import type { Record as RecordEntry } from '#core/audit';
import type { Database } from '#core/database';
import type { Gateways } from '#core/gateways';
import { type Actor, type Clock, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Topic } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import { WHOLE_TENANT } from './schema.ts';

/** Dependencies of the reconciliation capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly gateways: Gateways;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  readonly audit: RecordEntry;
  readonly changed: (tenantId: string, topic: Topic) => void;
}

export type By = Pick<Actor, 'tenantId' | 'merchantId'>;

/** Lines to compare, and the merchant whose day and currency are used. */
export interface Scope {
  readonly scope: string;
  readonly merchant: Merchant;
}

/** One merchant's lines where the caller acts for one or names one; else those of the whole tenant. */
export async function scopeFor(deps: Dependencies, actor: By, merchantId?: string): Promise<Scope> {
  const merchant = await deps.merchantFor(actor, merchantId);
  return { scope: merchantId ?? actor.merchantId ?? WHOLE_TENANT, merchant };
}

/** MERCHANT_NOT_AUTHORIZED for a caller of one merchant that asks for another's, or for the whole tenant's. */
export async function checkScope(deps: Dependencies, actor: By, scope: string): Promise<Scope> {
  if (scope !== WHOLE_TENANT) return { scope, merchant: await deps.merchantFor(actor, scope) };
  if (actor.merchantId !== null)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This concerns the whole account, and this credential has access to one merchant.');
  return { scope, merchant: await deps.merchantFor(actor) };
}

/** Yields the event loop: SQLite answers synchronously, so a long read would never pause otherwise. */
export const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
