import type { Migration } from '#core/database';

const classes = () => import('./migration-classes.ts');

/** Migrations of the sandbox database, in order. */
export const SANDBOX_MIGRATIONS: readonly Migration[] = [
  { name: 'SandboxLedger1763600000000', load: async () => (await classes()).SandboxLedger1763600000000 },
  { name: 'SandboxModes1763600000001', load: async () => (await classes()).SandboxModes1763600000001 },
  { name: 'SandboxGatewayModes1763600000002', load: async () => (await classes()).SandboxGatewayModes1763600000002 },
  { name: 'SandboxInstallation2026112902020', load: async () => (await classes()).SandboxInstallation2026112902020 },
];
