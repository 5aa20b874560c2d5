import { defineConfig } from 'vitest/config';
import { writeClientsWhenStale } from './scripts/client-types.ts';
import { keepTemporaryFilesInMemory } from './test/runner/temporary-folder.ts';
import { cleanEnvironment } from './test/support/clean-environment.ts';
import { keepCompiled } from './test/support/compile-cache.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { FULL_TAG } from './test/support/tier.ts';

keepCompiled();
keepTemporaryFilesInMemory();
await writeClientsWhenStale();
cleanEnvironment();

/** Limits that end a test that hangs, far above what a slow machine needs at the size of the tier. */
const limits = {
  testTimeout: process.env.PAYDESK_TEST_TIER === 'siege' ? 300_000 : 120_000,
  hookTimeout: 180_000,
  teardownTimeout: 20_000,
  // Vitest's own limit is one second, which a busy machine needs for a single request.
  expect: { poll: { timeout: 50_000, interval: 20 } },
};

const LOADED_BY_NODE = {
  // Files share the modules that they load; each file has servers of its own. A stated date needs a process for each file.
  isolate: process.env.PAYDESK_TEST_DATE !== undefined,
  // Node loads the modules, as it does for a server: without transforms, and from its compile cache.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

const NEEDS_DATABASES = {
  ...LOADED_BY_NODE,
  globalSetup: ['./test/support/global-setup.ts'],
  setupFiles: [
    './test/support/start-date.ts',
    './test/support/random-seed.ts',
    './test/support/cheap-password-hashing-in-node.ts',
    './test/support/stop-servers.ts',
  ],
};

const project = (name: string, include: string[], more: object = {}) => ({ extends: true as const, test: { name, include, ...more } });

export default defineConfig({
  test: {
    ...limits,
    pool: 'forks',
    // Many tests wait for a process or a receiver: three files at a time fill two cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    allowOnly: false,
    tags: [{ name: FULL_TAG, description: 'Omitted by `npm test`; see test/README.md.' }],
    projects: [
      // Rules: no database, no socket.
      project('unit', ['test/rules.test.ts', 'test/unit/**/*.test.{ts,tsx}'], {
        isolate: false,
        setupFiles: ['./test/support/random-seed.ts', './test/support/cheap-password-hashing.ts', './test/support/no-input-output.ts'],
      }),
      // Capabilities of the core on real databases, and connectors against processor simulators; without the service's HTTP.
      project('integration', ['test/integration/**/*.test.ts'], NEEDS_DATABASES),
      // The service over HTTP.
      project('api', ['test/api/**/*.test.ts'], {
        ...NEEDS_DATABASES,
        setupFiles: [...NEEDS_DATABASES.setupFiles, './test/support/checked-fetch.ts'],
      }),
      // One application at a time: each takes the port that the desktop application always has.
      project('electron', ['test/electron/**/*.test.ts'], {
        ...LOADED_BY_NODE,
        globalSetup: ['./test/electron/global-setup.ts'],
        setupFiles: ['./test/support/random-seed.ts', './test/support/cheap-password-hashing-in-node.ts'],
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
