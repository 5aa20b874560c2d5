import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle, ROOT } from './bundle.ts';
import { writeClientsWhenStale } from './client-types.ts';
import { isStale } from './stale.ts';

const PAGE_SOURCES = ['shared', 'renderer', 'vite.config.ts', 'package-lock.json'];
const SERVICE_SOURCES = ['shared', 'core', 'server', 'migrations', 'cli', 'mcp', 'package-lock.json'];
const SHELL_SOURCES = ['shared', 'core', 'server', 'electron', 'migrations', 'electron.vite.config.ts', 'package-lock.json'];

/**
 * Builds `out/renderer` if it is missing or older than its sources. Reports on standard error, so that standard output stays clean. A
 * running server keeps complete pages: the new folder replaces the old one when it is complete.
 */
export async function buildPagesWhenStale(): Promise<void> {
  const target = join(ROOT, 'out/renderer');
  if (!(await isStale(join(target, 'index.html'), PAGE_SOURCES))) return;
  console.error('Building the pages. This takes a few seconds…');
  const fresh = join(ROOT, `out/renderer-${process.pid}`);
  await bundle('vite', 'vite.config.ts', '--outDir', fresh, '--emptyOutDir');
  const former = `${fresh}-former`;
  await rename(target, former).catch(ignoreMissing);
  try {
    await rename(fresh, target);
  } catch {
    // Another process built the same pages at the same time and was first.
    await rm(fresh, { recursive: true, force: true });
  }
  await rm(former, { recursive: true, force: true });
}

/**
 * Bundles `server/serve.ts` with most of its packages into `out/serve.js` if it is missing or older than its sources, and returns its path;
 * `out/command.js` beside it has the command line. The bundle needs less than half of the processor time to start that a thousand single files
 * need.
 */
export async function buildServiceWhenStale(): Promise<string> {
  const target = join(ROOT, 'out/serve.js');
  const stale = await Promise.all(['serve', 'server', 'command'].map((entry) => isStale(join(ROOT, `out/${entry}.js`), SERVICE_SOURCES)));
  if (!stale.includes(true)) return target;
  await writeClientsWhenStale();
  console.error('Building the service. This takes a few seconds…');
  const fresh = join(ROOT, `out/service-${process.pid}`);
  await bundle('vite', 'scripts/server.vite.config.ts', '--outDir', fresh);
  // Entries are moved last, so that a server that starts in between finds every file that its entry imports.
  const files = (await readdir(fresh)).sort((one, other) => Number(one.startsWith('serve.')) - Number(other.startsWith('serve.')));
  for (const file of files) await rename(join(fresh, file), join(ROOT, 'out', file));
  await rm(fresh, { recursive: true, force: true });
  return target;
}

/** Builds the main process, the preload script and the pages into `out/`, each if it is missing or older than its sources. */
export async function buildDesktopWhenStale(): Promise<void> {
  await buildPagesWhenStale();
  const stale = await Promise.all([
    isStale(join(ROOT, 'out/main/main.js'), SHELL_SOURCES),
    isStale(join(ROOT, 'out/preload/preload.cjs'), SHELL_SOURCES),
  ]);
  if (!stale.includes(true)) return;
  console.error('Building the application. This takes a few seconds…');
  await bundle('electron-vite', 'scripts/shell.vite.config.ts', '--ignoreConfigWarning');
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
