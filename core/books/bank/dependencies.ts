import type { KeyObject } from 'node:crypto';
import type { Invoicing } from '#core/billing/invoicing';
import type { ReconciliationDay } from '#core/books/reconciliation';
import type { createReporting } from '#core/books/reporting';
import type { Database, Read, Work } from '#core/database';
import { type Actor, type Caller, type Clock, ServiceError } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { Scheduler } from '#core/platform/scheduling';
import type { DomainEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Post } from '#core/records/ledger';
import { BANK_ACCOUNTS, type BankAccountRow } from './schema.ts';

/** A caller whose permissions decide which names of customers and invoices it sees. */
export type Reader = Caller & Pick<Actor, 'permissions'>;

/** Dependencies of the bank capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Locks a merchant's row until the end of the unit of work. Matches, imports and closes of a merchant run one after another. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  /** Encrypts texts of a tenant for one purpose. */
  readonly secrets: {
    readonly seal: (tenantId: string, purpose: string, text: string) => Promise<string>;
    readonly open: (tenantId: string, purpose: string, sealed: string) => Promise<string>;
    /** Returns a key for hashes of texts with one purpose. It is the same after rotations of keys. */
    readonly hashKey: (tenantId: string, purpose: string) => Promise<KeyObject>;
  };
  /** Returns the days of a month with the state of their comparison with the processor, and requests those that are missing. */
  readonly reconciledDays: (actor: Caller, input: { readonly month: string; readonly merchantId: string }) => Promise<ReconciliationDay[]>;
  /** Same as `reconciledDays`, without requests, as a unit of work sees them. */
  readonly comparedDays: (read: Read, input: { readonly month: string; readonly merchantId: string }) => Promise<ReconciliationDay[]>;
  /** Returns the first date of a settlement that is due or under way; null if there is none. */
  readonly settlingFrom: (read: Read, merchant: Merchant) => Promise<string | null>;
  readonly giftCardReport: ReturnType<typeof createReporting>['giftCards'];
  readonly invoicing: Pick<Invoicing, 'receiveTransfer' | 'undoTransfer'>;
  readonly events: DomainEvents;
  readonly post: Post;
  readonly audit: RecordAudit;
  readonly changed: PublishChange;
}

export const noAccount = (accountId: string) =>
  new ServiceError('NOT_FOUND', `There is no bank account ${accountId.slice(0, 60)}.`, { details: { bankAccountId: accountId } });

/** Returns an account that the caller may access. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function accountOf(deps: Dependencies, actor: Caller, accountId: string): Promise<BankAccountRow> {
  const row = await deps.database.read(actor.tenantId).one(BANK_ACCOUNTS, { id: accountId });
  if (!row || row.removed_at !== null) throw noAccount(accountId);
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

/** Yields the event loop: SQLite answers synchronously, so a long read or computation would never pause otherwise. */
export const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
