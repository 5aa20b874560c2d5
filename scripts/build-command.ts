// `npm pack` runs this script: it builds the screens to `out/renderer` and the command line with its server to `lib`. Node does not remove types below
// `node_modules`, so the package contains JavaScript. It also contains most packages of `dependencies`, because 2,400 single files need twice the processor
// time to start.
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { asciiCode } from './ascii-code.ts';
import { buildPagesWhenStale, ROOT } from './build-when-stale.ts';
import { writeClientsWhenStale } from './client-types.ts';
import { EXTERNAL_PACKAGES } from './external-packages.ts';
import { forProduction } from './production.ts';

/** Backups, integrity checks and the reading of received files run in threads, whose scripts are separate files. */
const ENTRIES = [
  'cli/main.ts',
  'core/platform/received-files/document-worker.ts',
  'server/operation/maintenance/backup-worker.ts',
  'server/operation/maintenance/integrity-worker.ts',
  'server/operation/maintenance/log-worker.ts',
  'server/operation/maintenance/reader-worker.ts',
];
const NODE_TARGET = 'node22.22';

/** Builds the command line with its server into a folder, which must be beside `cli`, `docs` and `out`. */
export async function buildCommand(target: string): Promise<void> {
  await writeClientsWhenStale();
  await forProduction(() =>
    build({
      root: ROOT,
      configFile: false,
      logLevel: 'warn',
      plugins: [asciiCode],
      ssr: { noExternal: true, external: EXTERNAL_PACKAGES },
      build: {
        ssr: true,
        target: NODE_TARGET,
        outDir: target,
        emptyOutDir: true,
        // The server finds the screens and documents beside the folder of its file, so all files are in one folder.
        rollupOptions: {
          input: Object.fromEntries(ENTRIES.map((entry) => [basename(entry, '.ts'), join(ROOT, entry)])),
          // Builds the screens of the repository, which the package contains already.
          external: /scripts\/build-when-stale/,
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    }),
  );
}

if (import.meta.main) {
  await buildPagesWhenStale();
  await buildCommand(join(ROOT, 'lib'));
  // npm packs the file of `main` in any case, which is the desktop application. It is built again at its next start.
  await rm(join(ROOT, 'out/main'), { recursive: true, force: true });
}
