import type { ChainHead } from '#core/database';

/** The databases of an installation: the service's own, and the books of the sandbox processor. */
export const PARTS = ['service', 'sandbox'] as const;
export type Part = (typeof PARTS)[number];

/** Tables that are not restored: users sign in again, and codes and links that were sent become invalid. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['sessions', 'one_time_codes', 'password_tokens', 'rate_windows']);

/** The first line of a backup: what follows, and where each tenant's audit log ended. */
export interface Manifest {
  readonly createdAt: string;
  readonly heads: readonly Pick<ChainHead, 'tenant_id' | 'n' | 'hash'>[];
  /** The changes of the schema that each part has, oldest first. */
  readonly migrations: Readonly<Record<Part, readonly string[]>>;
  /** Size of the files that the rows came from. Absent in older backups and in those of PostgreSQL. */
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

/** The column that says whose a row is. */
export const tenantColumnOf = (table: string) => (table === 'tenants' ? 'id' : 'tenant_id');

export const isRow = (line: string) => line.startsWith('[');

/** Rows of a table, read in groups. */
export interface Source {
  readonly kind: 'sqlite' | 'postgres';
  migrations(part: Part): Promise<readonly string[]>;
  /** The columns of a table; null where there is no such table. */
  columns(part: Part, table: string): Promise<readonly string[] | null>;
  /** Every row, or every row of one tenant, each as the text of a JSON array. */
  rows(head: TableHead, tenantId?: string): AsyncGenerator<readonly string[]>;
  heads(): Promise<Manifest['heads']>;
  /** The name of the master key that the rows are under; null where they do not say. */
  keyId(): Promise<string | null>;
  /** Bytes that the rows and their indexes occupy. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}
