// `npm pack` runs this script: it builds the screens to `out/renderer` and the command line with its server to `lib`. Node does not remove types below
// `node_modules`, so the package contains JavaScript. It also contains most packages of `dependencies`, because 2,400 single files need twice the processor
// time to start.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPagesWhenStale } from './build-when-stale.ts';
import { bundle, ROOT } from './bundle.ts';
import { writeClientsWhenStale } from './client-types.ts';

/** Builds the command line with its server into a folder, which must be beside `cli`, `docs` and `out`. */
export async function buildCommand(target: string): Promise<void> {
  await writeClientsWhenStale();
  await bundle('vite', 'scripts/server.vite.config.ts', '--mode', 'package', '--outDir', target, '--emptyOutDir');
}

if (import.meta.main) {
  await buildPagesWhenStale();
  await buildCommand(join(ROOT, 'lib'));
  // npm packs the file of `main` in any case, which is the desktop application. It is built again at its next start.
  await rm(join(ROOT, 'out/main'), { recursive: true, force: true });
}
