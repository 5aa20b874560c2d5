import type { FastifyRequest } from 'fastify';
import { ServiceError } from '#core/kernel';

/** Host names by which this server may be addressed. A page under another name that resolves to this server is DNS rebinding. */
export interface AllowedHosts {
  readonly hosts: ReadonlySet<string>;
  /** Returns true if payers may use this host name; evaluated on routes for payers only. */
  readonly isPublicHost: (host: string) => Promise<boolean>;
}

export function allowedHosts(host: string, port: number, isPublicHost: AllowedHosts['isPublicHost']): AllowedHosts {
  const names = ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host];
  return { hosts: new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))), isPublicHost };
}

/**
 * Requires exactly one Host header with an allowed name and, if a browser sends an Origin, an allowed origin. Routes for payers
 * and pages of shops may also be addressed by the public name and be embedded in a page of another site. On the SDK surface the API key determines the
 * origins (`checkOrigin`). @throws VALIDATION_ERROR.
 */
export async function checkHost(request: FastifyRequest, allowed: AllowedHosts): Promise<void> {
  const { isForPayers, isForAnyHost, surface } = request.routeOptions.config;
  const host = onlyHost(request);
  const isAllowed =
    host !== null && (isForAnyHost === true || allowed.hosts.has(host) || (isForPayers === true && (await allowed.isPublicHost(host))));
  if (!isAllowed || !request.raw.url?.startsWith('/')) {
    throw new ServiceError('VALIDATION_ERROR', 'The Host header does not name this server.', { field: 'Host' });
  }
  if (surface === 'sdk') return;
  const origin = foreignOrigin(request, allowed);
  if (origin !== null && !(isForPayers && hostOfOrigin(origin) === host)) {
    throw new ServiceError('VALIDATION_ERROR', 'Requests from other origins are refused.', { field: 'Origin' });
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (request.headers['sec-fetch-site'] === 'cross-site' && request.headers['sec-fetch-mode'] !== 'navigate' && !(isForPayers && isRead)) {
    throw new ServiceError('VALIDATION_ERROR', 'Requests from other sites are refused.', { field: 'Origin' });
  }
}

/** Returns the origin of the page that sent a request, if it is not a page of this server; null also for programs. */
export function foreignOrigin({ headers: { origin } }: FastifyRequest, { hosts }: AllowedHosts): string | null {
  return origin === undefined || hosts.has(hostOfOrigin(origin)) ? null : origin.toLowerCase();
}

const hostOfOrigin = (origin: string) => origin.toLowerCase().replace(/^https?:\/\//, '');

function onlyHost({ raw: { rawHeaders } }: FastifyRequest): string | null {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts.push((rawHeaders[index + 1] ?? '').toLowerCase());
  return hosts.length === 1 ? (hosts[0] ?? null) : null;
}
