import type { ChainPoint } from '#core/records/audit';
import type { Dependencies } from './dependencies.ts';
import type { Contents } from './schema.ts';

/** A row that an archive contains. */
export interface ArchivedRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly n: number;
}

/** Numbered rows of each tenant that archives take from the database. */
interface ArchiveSource<Row extends ArchivedRow = ArchivedRow> {
  /** Number of rows of a frame: reading or writing one blocks other work for a few milliseconds. */
  readonly frameRows: number;
  /** Number of rows that one commit deletes. */
  readonly deletedAtATime: number;
  /** Name of the whole, for messages. */
  readonly name: string;
  /** Returns the time of a tenant's oldest row in the database; null if there is none. */
  oldestAt(tenantId: string): Promise<string | null>;
  /** Returns the point up to which a tenant's rows were archived and deleted. */
  start(tenantId: string): Promise<ChainPoint>;
  /** Returns the rows after a point that a year's archive contains, in order. They do not change from then on. */
  take(tenantId: string, point: ChainPoint, limit: number, year: number): Promise<readonly Row[]>;
  /** Allows changes of the rows that were taken and not deleted. */
  release(tenantId: string): Promise<void>;
  /** Deletes up to `limit` of the rows up to a number. Returns true if none is left. */
  deleteUpTo(tenantId: string, n: number, limit: number): Promise<boolean>;
  /** Returns why an archived row does not follow the point before it; null if it does. */
  breakOf(point: ChainPoint, row: Row): string | null;
  pointOf(row: Row): ChainPoint;
  /** Returns true if a part that begins with a number and the hash before it follows a point. */
  isFollowed(point: ChainPoint, part: { readonly first_n: number; readonly previous_hash: string }): boolean;
}

export type Sources = Readonly<Record<Contents, ArchiveSource>>;

export function sourcesOf({ audit, webhooks }: Pick<Dependencies, 'audit' | 'webhooks'>): Sources {
  return {
    audit: {
      ...audit.archiving,
      frameRows: 200,
      deletedAtATime: 500,
      name: 'audit log',
      release: async () => {},
      isFollowed: ({ n, hash }, part) => n + 1 === part.first_n && hash === part.previous_hash,
    },
    // Events are larger, with their deliveries and attempts. A reset of the sandbox leaves gaps between their numbers.
    events: {
      ...webhooks.archiving,
      frameRows: 50,
      deletedAtATime: 100,
      name: 'event history',
      isFollowed: ({ n }, part) => n < part.first_n,
    },
  };
}
