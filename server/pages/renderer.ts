import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; manifest-src 'self'";

/** Serves the built screens at /. Files with a hash in their name are cached; the HTML page is revalidated. */
export async function addRenderer(app: FastifyInstance, webRoot: string): Promise<void> {
  if (!existsSync(join(webRoot, 'index.html'))) return;
  // A route for each of the hundreds of files would take a tenth of the start.
  await app.register(fastifyStatic, {
    root: join(webRoot, 'assets'),
    prefix: '/assets/',
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      if (!path.endsWith('.html')) return void reply.header('cache-control', 'public, max-age=31536000, immutable');
      reply.header('cache-control', 'no-cache').header('content-security-policy', POLICY);
    },
  });
  // A provider of OpenID Connect redirects to /company-sign-in.
  for (const url of ['/', '/index.html', '/company-sign-in']) {
    app.get(url, (_request, reply) => reply.sendFile('index.html', webRoot));
  }
  app.get('/third-party-notices.txt', (_request, reply) => reply.sendFile('third-party-notices.txt', webRoot));
}
