import { defineConfig } from 'vitest/config';
import { keepCompiled } from './test/support/compile-cache.ts';
import { LongestFirst } from './test/support/longest-first.ts';

keepCompiled();

/** How long something may hang, on a slow machine too; what a test promises about time it measures itself. */
const timeouts = { testTimeout: 60_000, hookTimeout: 90_000, teardownTimeout: 20_000 };
const project = (
  name: string,
  include: string[],
  more: { globalSetup?: string[]; setupFiles?: string[]; maxWorkers?: number; sequence?: { groupOrder: number }; isolate?: boolean } = {},
) => ({
  extends: true as const,
  test: { name, include, ...more },
});

export default defineConfig({
  test: {
    ...timeouts,
    pool: 'forks',
    // Many tests wait for a lease or a process: three files at a time fill two cores.
    maxWorkers: 3,
    setupFiles: ['./test/support/quick-passwords.ts'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['./test/support/global-setup.ts'],
    allowOnly: false,
    projects: [
      // Files of unit tests share what they load, and those of API tests; each of these has its own servers.
      project('unit', ['test/rules.test.ts', 'test/unit/**/*.test.{ts,tsx}', 'test/migrations/**/*.test.ts'], { isolate: false }),
      project('api', ['test/api/**/*.test.ts'], { isolate: false, setupFiles: ['./test/support/stop-servers.ts'] }),
      // One application at a time: each wants the port that the desktop always has.
      project('electron', ['test/electron/**/*.test.ts'], {
        globalSetup: ['./test/electron/global-setup.ts'],
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
