import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** A static file whose name contains its hash, so that it can be cached forever. */
export interface Asset {
  readonly url: string;
  readonly type: string;
  readonly content: string;
}

const KEEP_FOR_EVER = 'public, max-age=31536000, immutable';
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** A file at `/<folder>/assets/<name>-<mark of its content>.<ending>`. */
export function assetOf(folder: string, name: string, ending: keyof typeof TYPES, content: string): Asset {
  const mark = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { url: `/${folder}/assets/${name}-${mark}.${ending}`, type: TYPES[ending], content };
}

export function addAsset(app: FastifyInstance, { url, type, content }: Asset): void {
  app.get(url, { config: { isForPayers: true } }, (_, reply) => reply.type(type).header('cache-control', KEEP_FOR_EVER).send(content));
}
