import type { KeyObject } from 'node:crypto';
import type { Record as RecordEntry } from '#core/audit';
import type { Database, Work } from '#core/database';
import type { Actor, Clock, Permission } from '#core/kernel';
import type { Notify } from '#core/notifications';
import type { Language } from '#core/platform/documents';
import type { SessionKind } from './schema.ts';
import type { Tenants } from './tenants.ts';
import type { UserAccess } from './user-access.ts';

/** What identity is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly tenants: Tenants;
  readonly access: UserAccess;
  /** Real time, unless a history is being made. */
  readonly clock: Clock;
  /** Hashes what is too short for a plain hash. */
  readonly codeKey: KeyObject;
  /** Seals a text for its tenant and purpose, and opens it. */
  readonly secrets: {
    seal(tenantId: string, purpose: string, text: string): Promise<string>;
    open(tenantId: string, purpose: string, sealed: string): Promise<string>;
  };
  readonly audit: RecordEntry;
  /** Called after a commit that ended sessions of a tenant. */
  readonly sessionsEnded: (tenantId: string) => void;
  readonly notify: Notify;
  /** Returns true if messages of the channel leave the account: always in a sandbox, where they can be read. */
  readonly delivers: (tenantId: string, channel: 'email' | 'sms') => Promise<boolean>;
  /** The address of a page of ours, to be sent in a message. */
  readonly pageUrl: (path: string) => string;
  /** What else a new tenant begins with, in the unit of work that makes it. */
  readonly withTenant: (work: Work, tenantId: string) => Promise<void>;
  /** What credentials of a merchant may do at most; null is all. */
  readonly ceilingOf: (tenantId: string, merchantId: string) => Promise<ReadonlySet<Permission> | null>;
  /** The merchant that a call acts for, as its customers know it. MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly merchantFor: (by: Actor, merchantId?: string) => Promise<{ merchantId: string; companyName: string; language: Language }>;
  /** Refuses a merchant that is not there or outside the caller's: MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  readonly checkMerchant: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId: string) => Promise<void>;
}

/** Where a sign-in comes from; shown in the list of sessions and in the audit log. */
export interface From {
  readonly ip: string | null;
  readonly requestId: string;
  readonly userAgent: string | null;
  readonly kind: SessionKind;
}
