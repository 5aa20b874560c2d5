import type { ChainHead } from '#core/database';

/** The databases of an installation: the service's own, and the books of the sandbox processor. */
export const PARTS = ['service', 'sandbox'] as const;
export type Part = (typeof PARTS)[number];

/** What is not carried over: whoever was signed in signs in anew, and codes and links that were sent are void. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['sessions', 'one_time_codes', 'password_tokens', 'rate_windows']);

/** The first line of a backup: what follows, and where each tenant's audit log ended. */
export interface Manifest {
  readonly createdAt: string;
  readonly heads: readonly Pick<ChainHead, 'tenant_id' | 'n' | 'hash'>[];
  /** The changes of the schema that each part has, oldest first. */
  readonly migrations: Readonly<Record<Part, readonly string[]>>;
  /** As large as the files were that the rows come from; absent in older backups, and in those of PostgreSQL. */
  readonly bytes?: number;
}

/** Stands before the rows of a table, each of which is an array in the order of the columns. */
export interface TableHead {
  readonly part: Part;
  readonly table: string;
  readonly columns: readonly string[];
}

/** Stands behind the rows of a table. */
interface TableEnd {
  readonly rows: number;
}

/** What a line is. A row begins with a bracket and is left as text. */
export type Directive = { readonly manifest: Manifest } | { readonly begin: TableHead } | { readonly end: TableEnd };

/** The column that says whose a row is. */
export const tenantColumnOf = (table: string) => (table === 'tenants' ? 'id' : 'tenant_id');

export const isRow = (line: string) => line.startsWith('[');

/** Rows of a table as they are read: some at once. */
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
  /** As much as the rows and their indexes take up. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}
