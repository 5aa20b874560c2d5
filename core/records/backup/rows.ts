import type { ChainHead } from '#core/database';

/** Databases of an installation: that of the service, and that of the sandbox processor. */
export const PARTS = ['service', 'sandbox'] as const;
export type Part = (typeof PARTS)[number];

/** Tables that are not restored: users sign in again, and codes and links that were sent become invalid. */
export const NOT_RESTORED: ReadonlySet<string> = new Set(['sessions', 'one_time_codes', 'password_tokens', 'rate_windows']);

/** First line of a backup, with the ends of the tenants' audit logs and the schema migrations. */
export interface Manifest {
  readonly createdAt: string;
  readonly heads: readonly Pick<ChainHead, 'tenant_id' | 'n' | 'hash'>[];
  /** Schema migrations of each part, oldest first. */
  readonly migrations: Readonly<Record<Part, readonly string[]>>;
  /** Size of the files that the rows came from. Absent in backups of PostgreSQL. */
  readonly bytes?: number;
}

/** Precedes the rows of a table; each row is an array in the order of the columns. */
export interface TableHead {
  readonly part: Part;
  readonly table: string;
  readonly columns: readonly string[];
}

/** Follows the rows of a table. */
interface TableEnd {
  readonly rows: number;
}

/** Kind of a line. A line that starts with a bracket is a row and is not parsed. */
export type Directive = { readonly manifest: Manifest } | { readonly begin: TableHead } | { readonly end: TableEnd };

/** Columns of the table `master_keys` that identify an installation and its key. */
export interface MasterKeyColumns {
  readonly key_id: string;
  readonly installation_id: string;
}

export function storedInstallation(row: MasterKeyColumns | undefined): StoredInstallation | null {
  return row ? { keyId: row.key_id, installationId: row.installation_id } : null;
}

/** Returns the column with the tenant of a row. */
export const tenantColumnOf = (table: string) => (table === 'tenants' ? 'id' : 'tenant_id');

export const isRow = (line: string) => line.startsWith('[');

/** Installation of rows, as the table `master_keys` has it. */
interface StoredInstallation {
  readonly keyId: string;
  readonly installationId: string;
}

/** Rows of a table, read in groups. */
export interface Source {
  readonly kind: 'sqlite' | 'postgres';
  migrations(part: Part): Promise<readonly string[]>;
  /** Returns the columns of a table; null if it does not exist. */
  columns(part: Part, table: string): Promise<readonly string[] | null>;
  /** Yields all rows, or all rows of one tenant, each as the text of a JSON array. */
  rows(head: TableHead, tenantId?: string): AsyncGenerator<readonly string[]>;
  heads(): Promise<Manifest['heads']>;
  /** Returns the master key of the rows and the ID of their installation; null if they are not stored. */
  installation(): Promise<StoredInstallation | null>;
  /** Returns the size of the rows and their indexes. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}
