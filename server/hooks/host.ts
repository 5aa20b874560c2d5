import type { FastifyRequest } from 'fastify';
import { ServiceError } from '#core/kernel';

/** The names by which this server may be addressed: a page of another name that resolves to us is DNS rebinding. */
export interface OwnNames {
  readonly hosts: ReadonlySet<string>;
}

export function ownNames(host: string, port: number): OwnNames {
  const names = ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host];
  return { hosts: new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))) };
}

/** Exactly one Host header that is ours, and where a browser sends an Origin, our own (decisions 2). */
export function checkHost(request: FastifyRequest, own: OwnNames): void {
  const raw = request.raw.rawHeaders;
  const hosts: string[] = [];
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]?.toLowerCase() === 'host') hosts.push((raw[index + 1] ?? '').toLowerCase());
  if (hosts.length !== 1 || !own.hosts.has(hosts[0] ?? '') || !request.raw.url?.startsWith('/')) {
    throw new ServiceError('VALIDATION_ERROR', 'The Host header does not name this server.', { field: 'Host' });
  }
  const { origin } = request.headers;
  if (origin !== undefined && !own.hosts.has(origin.toLowerCase().replace(/^https?:\/\//, ''))) {
    throw new ServiceError('VALIDATION_ERROR', 'Requests from other origins are not answered.', { field: 'Origin' });
  }
  if (request.headers['sec-fetch-site'] === 'cross-site' && request.headers['sec-fetch-mode'] !== 'navigate') {
    throw new ServiceError('VALIDATION_ERROR', 'Requests from other sites are not answered.', { field: 'Origin' });
  }
}
