import type { RecordAudit } from '#core/audit';
import type { Database, Work } from '#core/database';
import type { Actor, ApprovalSubject } from '#core/kernel';

/** Dependencies of roles and of the rights of users. */
export interface AccessDependencies {
  readonly database: Database;
  readonly audit: RecordAudit;
  /** Checks in the unit of work of an operation that it needs no second person, or runs under an approval. @throws ApprovalRequired. */
  readonly checkApproval: (work: Work, actor: Actor, subject: ApprovalSubject) => Promise<void>;
  /** Called after a commit that ended sessions of a tenant, or changed the rights of its users. */
  readonly accessChanged: (tenantId: string) => void;
}
