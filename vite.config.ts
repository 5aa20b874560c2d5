import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { noticesPlugin } from './scripts/third-party-notices.ts';

/** The service that `npm run dev` starts beside the pages. */
export const DEV_SERVICE_URL = 'http://127.0.0.1:4801';

/** The service answers to its own name only, so a passed-on request bears that name as its host and origin. */
const toService: ProxyOptions = {
  target: DEV_SERVICE_URL,
  changeOrigin: true,
  configure: (proxy) => {
    proxy.on('proxyReq', (request) => {
      if (request.hasHeader('origin')) request.setHeader('origin', DEV_SERVICE_URL);
    });
  },
};

/** The pages: `renderer/` → `out/renderer/`. They address everything relatively, and so work below any path. */
export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  base: './',
  plugins: [
    react(),
    noticesPlugin,
    // The service sends these instead of the files themselves to browsers that accept them.
    compression({ include: /\.(js|css|json)$/, threshold: 1024, algorithms: ['brotliCompress', 'gzip'] }),
  ],
  build: {
    outDir: join(import.meta.dirname, 'out/renderer'),
    emptyOutDir: true,
    target: 'es2023',
    minify: true,
    // The service's content security policy forbids inline sources.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': toService, '/openapi.json': toService, '/docs': toService, '/health': toService },
  },
});
