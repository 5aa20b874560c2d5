import { defineConfig } from 'vitest/config';

const timeouts = { testTimeout: 30_000, hookTimeout: 90_000, teardownTimeout: 20_000 };
const project = (name: string, include: string[], globalSetup: string[] = []) => ({
  extends: true as const,
  test: { name, include, globalSetup },
});

export default defineConfig({
  test: {
    ...timeouts,
    pool: 'forks',
    // Many tests wait for a lease or a process: two files at a time fit two cores.
    maxWorkers: 2,
    globalSetup: ['./test/support/global-setup.ts'],
    allowOnly: false,
    projects: [
      project('unit', ['test/rules.test.ts', 'test/unit/**/*.test.{ts,tsx}', 'test/migrations/**/*.test.ts']),
      project('api', ['test/api/**/*.test.ts']),
      project('electron', ['test/electron/**/*.test.ts'], ['./test/electron/global-setup.ts']),
    ],
  },
});
