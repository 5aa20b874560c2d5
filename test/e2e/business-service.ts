import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS, startService } from './demo-server.ts';
import { test as base, type Service } from './fixtures.ts';

/** A server whose sample data shows a running business, as `npm run serve -- --demo` starts it. */
export const test = base.extend<object, { service: Service }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-e2e-business-'));
      const { ready, stop } = await startService(dataDir, 'business');
      if (ready.credentials === undefined) throw new Error('The server with sample data did not report its credentials.');
      await use({ baseUrl: ready.baseUrl, ...ready.credentials });
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 2 * START_TIMEOUT_MS + STOP_TIMEOUT_MS },
  ],
});
