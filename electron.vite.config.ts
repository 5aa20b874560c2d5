import { defineConfig } from 'electron-vite';
import renderer from './vite.config.ts';

const ELECTRON_NODE = 'node24';

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: ELECTRON_NODE,
      // Production dependencies stay packages: several hold native code or files they find beside themselves.
      externalizeDeps: true,
      rollupOptions: {
        // Backups are made in a thread of its own, which is a file of its own.
        input: { main: 'electron/main.ts', 'backup-worker': 'server/backup-worker.ts' },
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
