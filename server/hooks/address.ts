import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const FORM = '--trusted-proxy takes addresses such as 10.0.0.5, or loopback, with commas between them.';

/** The proxies whose X-Forwarded-For is believed, of a list with commas; throws in words for anything else. */
export function parseTrustedProxies(text: string): string[] {
  const proxies = text.split(',').map((each) => each.trim());
  if (proxies.every((each) => each === 'loopback' || isIP(each) !== 0)) return proxies;
  throw new Error(FORM);
}

/** Where a request comes from: what a trusted proxy says, where that is an address at all, else the other end of the connection. */
export function addressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? ip) : ip;
}
