import type { Database, Read, Work } from '#core/database';
import { type Caller, type Clock, ServiceError } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import type { Gateways } from '#core/processing/gateways';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import { WHOLE_TENANT } from './schema.ts';

/** Dependencies of the reconciliation capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly gateways: Gateways;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Locks a merchant's row until the end of the unit of work. The closes of a merchant run one after another. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  /** @throws ServiceError RESOURCE_CONFLICT if the merchant's period of a day is closed. */
  readonly checkOpen: (read: Read, merchantId: string, day: string) => Promise<void>;
  readonly audit: RecordAudit;
  readonly changed: PublishChange;
}

/** Lines to compare, and the merchant whose day and currency are used. */
export interface Scope {
  readonly scope: string;
  readonly merchant: Merchant;
}

/** Returns the scope of a caller: one merchant if the caller acts for or names one, otherwise the whole tenant. */
export async function scopeFor(deps: Dependencies, actor: Caller, merchantId?: string): Promise<Scope> {
  const merchant = await deps.merchantFor(actor, merchantId);
  return { scope: merchantId ?? actor.merchantId ?? WHOLE_TENANT, merchant };
}

/**
 * Checks that a caller may access a scope. @throws ServiceError MERCHANT_NOT_AUTHORIZED for another merchant, or for the whole tenant by a
 * caller of one merchant.
 */
export async function checkScope(deps: Dependencies, actor: Caller, scope: string): Promise<Scope> {
  if (scope !== WHOLE_TENANT) return { scope, merchant: await deps.merchantFor(actor, scope) };
  if (actor.merchantId !== null)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This operation covers the whole account, but you have access to one merchant only.');
  return { scope, merchant: await deps.merchantFor(actor) };
}

/** Yields the event loop: SQLite answers synchronously, so a long read would never pause otherwise. */
export const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
