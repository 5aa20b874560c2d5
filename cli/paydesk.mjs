#!/usr/bin/env node
// The `paydesk` command line. Plain JavaScript, so that an old Node can run it: it then starts the Node that npm installed with the project.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const installed = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) {
  // Ends with the process below that started this one, even if that was killed.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
} else if (existsSync(installed)) {
  const child = spawn(
    installed,
    [join(import.meta.dirname ?? fileURLToPath(new URL('.', import.meta.url)), 'paydesk.mjs'), ...process.argv.slice(2)],
    { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  console.error(
    `paydesk requires Node ${NODE_MAJOR_MIN} or later; this is Node ${process.versions.node}. \`npm ci\` in the project installs the right version.`,
  );
  process.exit(1);
}
