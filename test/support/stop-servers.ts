import { afterAll } from 'vitest';
import { killServerProcesses } from './process.ts';
import { stopSharedServers } from './server.ts';

// Runs for each test file; files share the modules that they load.
afterAll(async () => {
  await killServerProcesses();
  await stopSharedServers();
});
