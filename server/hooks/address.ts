import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const FORMAT_MESSAGE = '--trusted-proxy requires addresses such as 10.0.0.5, or loopback, separated by commas.';

/** Parses a comma-separated list of proxies whose X-Forwarded-For is trusted. @throws Error with an explanation for anything else. */
export function parseTrustedProxies(text: string): string[] {
  const proxies = text.split(',').map((each) => each.trim());
  if (proxies.every((each) => each === 'loopback' || isIP(each) !== 0)) return proxies;
  throw new Error(FORMAT_MESSAGE);
}

/** Returns the client address of a request: the one that a trusted proxy reports if it is valid, otherwise that of the connection. */
export function addressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? ip) : ip;
}

/**
 * Returns the network whose requests are counted together: an IPv4 address, or the first 64 bits of an IPv6 address, because a
 * client can choose the other 64 bits freely.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIP(address) !== 6) return mapped ?? address;
  const [head = '', tail] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail)];
  return `${all.slice(0, 4).join(':')}::/64`;
}
