export type DatabaseKind = 'sqlite' | 'postgres';

/** Both databases, for tests whose subject is stored, locked, counted or queried differently on them. */
export const DATABASES: readonly DatabaseKind[] = ['sqlite', 'postgres'];
