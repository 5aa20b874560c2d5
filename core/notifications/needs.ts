import type { Record as RecordEntry } from '#core/audit';
import type { Database } from '#core/database';
import type { Actor, Clock } from '#core/kernel';
import type { Topic } from '#core/platform/change-feed';
import type { AllowsPrivateHost, ForbiddenTarget } from '#core/platform/outbound';
import type { Scheduler } from '#core/platform/scheduling';
import type { Letterhead } from './email-page.ts';
import type { Secrets } from './message.ts';

/** A document that goes with an e-mail. */
export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Makes the document of a record; null if the record has none any more. */
export type MakeAttachment = (tenantId: string, id: string) => Promise<Attachment | null>;

/** An owner of a tenant, as far as it is notified. */
export interface Owner {
  readonly email: string;
  readonly phone: string | null;
}

/** What the notifications capability is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  readonly isSandbox: (tenantId: string) => boolean;
  readonly secrets: Secrets;
  /** Returns true if the caller may manage a user of their tenant. */
  readonly canManageUser: (by: Actor, userId: string) => Promise<boolean>;
  /** The owners of a tenant who can sign in. */
  readonly ownersOf: (tenantId: string) => Promise<readonly Owner[]>;
  readonly scheduler: Scheduler;
  readonly audit: RecordEntry;
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** Certificates in PEM that are trusted besides those of the public authorities. */
  readonly ca: readonly string[];
  /** Where nothing is ever sent: the server's own ports and its database's. */
  readonly forbidden: () => readonly ForbiddenTarget[];
  readonly allowsPrivateHost: AllowsPrivateHost;
  /** How a merchant's e-mails look; of the tenant's first where it is null, and null where there is none. */
  readonly letterheadOf: (tenantId: string, merchantId: string | null) => Promise<Letterhead | null>;
  /** Tells the log of something that needs a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}
