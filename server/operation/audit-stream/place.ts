import type { AuditStreamState } from '#core/operation/status';
import type { StreamedEntry } from '#core/records/audit';

/** A place outside of the database that receives the audit log. */
export interface Place {
  readonly kind: AuditStreamState['kind'];
  /** Name of the place, by which the database knows what it has received. */
  readonly name: string;
  /** Resolves when the place has received the entries. */
  send(entries: readonly StreamedEntry[]): Promise<void>;
}
