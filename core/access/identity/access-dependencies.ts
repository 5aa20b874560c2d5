import type { Database, Work } from '#core/database';
import type { Actor, ApprovalSubject } from '#core/kernel';
import type { RecordAudit } from '#core/records/audit';
import type { Rights } from '#shared/api-key-rights';

/** A person with the remaining rights; null after the person's removal. */
export interface PersonRights {
  readonly userId: string;
  readonly rights: Rights | null;
}

export type RevokeKeysBeyond = (
  work: Work,
  actor: Actor,
  people: readonly PersonRights[],
  keepApiKeyIds: readonly string[],
) => Promise<void>;

/** Dependencies of roles and of the rights of users. */
export interface AccessDependencies {
  readonly database: Database;
  readonly audit: RecordAudit;
  /** Checks in the unit of work of an operation that it needs no second person, or runs under an approval. @throws ApprovalRequired. */
  readonly checkApproval: (work: Work, actor: Actor, subject: ApprovalSubject) => Promise<void>;
  /** Revokes API keys of people whose rights were reduced, in the unit of work of the reduction (`revokeBeyond`). */
  readonly revokeKeysBeyond: RevokeKeysBeyond;
  /** Called after a commit that ended sessions of a tenant, or changed the rights of its users. */
  readonly accessChanged: (tenantId: string) => void;
  /** Returns true while changes of access need two people. */
  readonly needsTwoPeople: (tenantId: string) => Promise<boolean>;
}

type Fields = Readonly<Record<string, unknown>> | null;

/** Returns a change of rights, or of the ways to act as a user, as the approver sees it. */
export const accessChange = (
  resource: string,
  merchantId: string | null,
  action: string,
  before: Fields,
  after: Fields,
): ApprovalSubject => ({ kind: 'access_change', merchantId, resource, amount: null, details: { action, before, after } });
