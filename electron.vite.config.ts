import { defineConfig } from 'electron-vite';
import { asciiCode } from './scripts/ascii-code.ts';
import { noticesPlugin } from './scripts/third-party-notices.ts';
import { THREAD_SCRIPTS } from './scripts/thread-scripts.ts';
import renderer from './vite.config.ts';

const ELECTRON_NODE = 'node24';

export default defineConfig({
  main: {
    // electron-builder leaves the source of an extra resource out of the archive, so it takes another file than the one of the pages.
    plugins: [asciiCode, noticesPlugin],
    build: {
      outDir: 'out/main',
      target: ELECTRON_NODE,
      // All packages except those of `dependencies` are bundled: one large file starts in less than half of the processor time that a thousand small
      // ones take. electron-updater is loaded only when it is needed. fflate declares `require`, as electron-vite does in each chunk that uses it.
      externalizeDeps: true,
      rollupOptions: {
        input: { main: 'electron/main.ts', ...THREAD_SCRIPTS },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      target: ELECTRON_NODE,
      // A sandboxed preload can require nothing but electron: one CommonJS file.
      externalizeDeps: false,
      rollupOptions: {
        input: 'electron/preload.ts',
        output: { format: 'cjs', entryFileNames: 'preload.cjs' },
      },
    },
  },
  renderer: { ...renderer, build: { ...renderer.build, rollupOptions: { input: 'renderer/index.html' } } },
});
