// The service with most of its packages: `vite build --mode package` builds the command line for the npm package. Otherwise the service is also a program and a
// module for tests.
import { defineConfig } from 'vite';
import { asciiCode } from './ascii-code.ts';
import { EXTERNAL_PACKAGES } from './external-packages.ts';
import { THREAD_SCRIPTS } from './thread-scripts.ts';

const OF_PACKAGE = { entries: { main: 'cli/main.ts' }, target: 'node22.22' };
const OF_REPOSITORY = { entries: { serve: 'server/serve.ts', server: 'server/index.ts', command: 'cli/main.ts' }, target: 'node24' };

export default defineConfig(({ mode }) => {
  const { entries, target } = mode === 'package' ? OF_PACKAGE : OF_REPOSITORY;
  return {
    plugins: [asciiCode],
    ssr: { noExternal: true, external: EXTERNAL_PACKAGES },
    build: {
      ssr: true,
      target,
      rollupOptions: {
        // The service finds the screens and documents beside the folder of its file, so all files are in one folder.
        input: { ...entries, ...THREAD_SCRIPTS },
        // Builds the screens of the repository, which the package contains already.
        external: /scripts\/build-when-stale/,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'service-[name]-[hash].js' },
      },
    },
  };
});
