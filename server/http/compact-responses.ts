import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Smaller answers gain nothing. */
const BYTES_MIN = 2_048;
const COMPRESSIBLE = /^(application\/json|text\/(html|css|javascript|csv))\b/;
/** A quick level: answers are compressed while their client waits. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/**
 * Adds an ETag to large answers of GET, so that a client that has the same one gets 304, and compresses large answers. Pages for payers are
 * left out: they contain secrets beside text that a stranger may have chosen, which compressed lengths would reveal.
 */
export function addCompactResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    const { isForPayers } = request.routeOptions.config as { isForPayers?: boolean };
    const isAsset = request.routeOptions.url?.startsWith('/docs/') === true;
    if ((isForPayers && !isAsset) || !COMPRESSIBLE.test(type) || reply.hasHeader('content-encoding')) return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (Buffer.byteLength(payload) < BYTES_MIN) return payload;
    if ((request.method === 'GET' || request.method === 'HEAD') && reply.statusCode === 200) {
      const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
      reply.header('etag', tag);
      if (matches(request.headers['if-none-match'], tag)) {
        reply.code(304).removeHeader('content-type');
        return '';
      }
    }
    const varies = reply.getHeader('vary');
    reply.header('vary', varies === undefined ? 'Accept-Encoding' : `${varies}, Accept-Encoding`);
    const encoding = encodingFor(request);
    if (encoding === null) return payload;
    reply.header('content-encoding', encoding);
    return encoding === 'br' ? brotliOf(payload, BROTLI) : gzipOf(payload);
  });
}

const matches = (sent: string | undefined, tag: string) =>
  sent?.split(',').some((each) => each.trim() === tag || each.trim() === '*') ?? false;

/** Returns the encoding that the client accepts; null for none. */
function encodingFor({ headers }: FastifyRequest): 'br' | 'gzip' | null {
  const accepted = String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => !/;\s*q=0(\.0+)?$/.test(each))
    .map((each) => each.split(';')[0]);
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : null;
}
