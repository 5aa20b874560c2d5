import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** A static file whose name contains its hash, so that it can be cached forever. */
export interface Asset {
  readonly url: string;
  readonly type: string;
  readonly content: string | Buffer;
}

const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', woff2: 'font/woff2' } as const;

/** Returns a file with the URL `/<folder>/assets/<name>-<hash of its content>.<extension>`. */
export function assetOf(folder: string, name: string, extension: keyof typeof TYPES, content: string | Buffer): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { url: `/${folder}/assets/${name}-${hash}.${extension}`, type: TYPES[extension], content };
}

/** Adds the route of a file. */
export function addAsset(app: FastifyInstance, { url, type, content }: Asset): void {
  app.get(url, { config: { isForPayers: true } }, (_, reply) => reply.type(type).header('cache-control', CACHE_FOREVER).send(content));
}
