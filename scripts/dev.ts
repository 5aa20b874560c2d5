// `npm run dev` serves the pages with hot reload on one port, and the service with sample data and automatic restarts on another.
import { join } from 'node:path';
import { createServer } from 'vite';
import { DEV_SERVICE_URL } from '../vite.config.ts';
import { ROOT } from './bundle.ts';
import '../cli/stop-with-npm.mjs';
import { exitWith, onReady, spawnServer } from './child.ts';

const { port } = new URL(DEV_SERVICE_URL);
const flags = ['--demo', '--port', port, '--data-dir', join(ROOT, 'out/dev-data'), ...process.argv.slice(2)];
const service = spawnServer(flags, { nodeFlags: ['--watch', '--watch-preserve-output'] });
onReady(service, ({ credentials }) => {
  console.log(`Service ready on ${DEV_SERVICE_URL}; sign in as ${credentials?.adminEmail} with ${credentials?.adminPassword}`);
});

const pages = await createServer({ configFile: join(ROOT, 'vite.config.ts') });
await pages.listen();
pages.printUrls();
await exitWith(service);
