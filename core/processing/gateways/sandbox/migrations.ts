import type { Migration } from '#core/database';

/** Migrations of the sandbox database, in order. */
export const SANDBOX_MIGRATIONS: readonly Migration[] = [
  {
    name: 'CreateSandboxSchema2026112912000',
    load: async () => (await import('./migration-classes.ts')).CreateSandboxSchema2026112912000,
  },
  {
    name: 'AddSandboxReaders2026112916000',
    load: async () => (await import('./migration-classes.ts')).AddSandboxReaders2026112916000,
  },
  {
    name: 'AddAmountsOfReaders2026112933000',
    load: async () => (await import('./migration-classes.ts')).AddAmountsOfReaders2026112933000,
  },
  {
    name: 'AddSandboxHostedPages2026113012000',
    load: async () => (await import('./migration-classes.ts')).AddSandboxHostedPages2026113012000,
  },
];
