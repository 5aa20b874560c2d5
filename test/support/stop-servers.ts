import { afterAll } from 'vitest';
import { stopSharedServers } from './server.ts';

// Runs for each test file, which share what they load.
afterAll(stopSharedServers);
