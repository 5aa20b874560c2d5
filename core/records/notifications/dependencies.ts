import type { Database } from '#core/database';
import type { Actor, Clock, Secrets } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { GeneratedFile } from '#core/platform/documents';
import type { AllowsPrivateHost, ForbiddenTarget, Trust } from '#core/platform/outbound';
import type { Scheduler } from '#core/platform/scheduling';
import type { RecordAudit } from '#core/records/audit';
import type { Language } from '#shared/languages';
import type { Letterhead } from './email-page.ts';

/** Creates the document of a record in a language; null if the record no longer has one. */
export type MakeAttachment = (tenantId: string, id: string, language: Language) => Promise<GeneratedFile | null>;

/** An owner of a tenant, as a recipient of notices. */
export interface Owner {
  readonly email: string;
  readonly phone: string | null;
}

/** Limits of the messages that callers request. */
export interface MessageLimits {
  /** Shortest time between two messages to one destination. */
  readonly spacingMs: number;
  /** Messages to one destination in a day. */
  readonly perDestination: number;
  /** Reminders to one destination in a day. */
  readonly remindersPerDestination: number;
  /** Messages of a channel in a day, of a whole tenant. */
  readonly perTenant: number;
}

/** Dependencies of the notifications capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  /** Current real time. While sample history is created, it is that of the history. */
  readonly now: () => number;
  readonly messageLimits: MessageLimits;
  readonly isSandbox: (tenantId: string) => boolean;
  readonly secrets: Secrets;
  /** Returns true if the caller may read the password links and codes of a user of their tenant. */
  readonly mayReadLinks: (actor: Actor, userId: string) => Promise<boolean>;
  /** Returns the owners of a tenant who can sign in. */
  readonly ownersOf: (tenantId: string) => Promise<readonly Owner[]>;
  readonly scheduler: Scheduler;
  readonly audit: RecordAudit;
  readonly changed: PublishChange;
  readonly trust: Trust;
  /** Addresses that must never be contacted: the server's own ports and those of its database. */
  readonly forbidden: () => readonly ForbiddenTarget[];
  readonly allowsPrivateHost: AllowsPrivateHost;
  /** Returns the letterhead of a merchant's emails; without a merchant, that of the tenant's first merchant. Null if there is none. */
  readonly letterheadOf: (tenantId: string, merchantId: string | null) => Promise<Letterhead | null>;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}
