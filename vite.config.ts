import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { noticesPlugin } from './scripts/third-party-notices.ts';
import { compactCatalogue } from './shared/compact-catalogue.ts';

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

/** Writes catalogues of texts in their compact form. */
const catalogues: Plugin = {
  name: 'catalogues',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.json')) continue;
      const texts = JSON.parse(String(Buffer.from(file.source))) as Record<string, string>;
      file.source = JSON.stringify(compactCatalogue(texts));
    }
  },
};

/** The pages: `renderer/` → `out/renderer/`. They address everything relatively, and so work below any path. */
export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  base: './',
  plugins: [
    react(),
    noticesPlugin,
    catalogues,
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
