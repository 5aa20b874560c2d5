#!/usr/bin/env node
// The `paydesk` command line. Plain JavaScript, so that an old Node can run it. The package contains the commands as JavaScript in `lib`. The repository
// runs their sources, with the Node that npm installed if the present one is older.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import './stop-with-npm.mjs';

const SOURCE = new URL('./main.ts', import.meta.url);
const isRepository = existsSync(SOURCE);
const installed = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (isRepository ? major >= 24 : major > 22 || (major === 22 && minor >= 22)) {
  // Ends with the process below that started this one, even if that was killed.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  // A start with compiled code takes about three quarters of the time. In a folder that cannot be written, nothing is cached.
  const cache = isRepository ? '../node_modules/.cache/node-compile' : '../lib/.node-compile';
  module.enableCompileCache(fileURLToPath(new URL(cache, import.meta.url)));
  // The command line uses the client for Node, of which a part is generated.
  if (isRepository && !existsSync(new URL('../clients/node/src/generated', import.meta.url)))
    await (await import('../scripts/client-types.ts')).writeClientsWhenStale();
  const { main } = await import(isRepository ? SOURCE.href : new URL('../lib/main.js', import.meta.url).href);
  await main(process.argv.slice(2));
} else if (isRepository && existsSync(installed)) {
  const child = spawn(installed, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  const required = isRepository ? 'Node 24 or later; `npm ci` in the project installs the right version' : 'Node 22.22 or later';
  console.error(`paydesk requires ${required}. This is Node ${process.versions.node}.`);
  process.exit(1);
}
