import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { BlockedTarget, checkForbidden, type ForbiddenTarget, lookupAll } from '#core/platform/outbound';

/** Address ranges of this computer and of private networks, as `ipaddr.js` names them. */
const LOCAL_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);
/** Ports at which printers accept raw jobs: JetDirect with several print servers, LPD, and label printers. */
const PRINTER_PORTS: readonly (readonly [first: number, last: number])[] = [
  [9_100, 9_109],
  [515, 515],
  [6_101, 6_101],
];
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*$/i;

/**
 * Location of a network address. `own`: this computer or its networks. `outside`: anywhere else. `unknown`: the name cannot be resolved.
 * `paydesk`: a port of Paydesk or its database, which no page may reach.
 */
type Location =
  | { readonly kind: 'own' | 'outside'; readonly address: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'paydesk' };

/** Returns true if a text can be the name or address of a computer. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || HOST_NAME.test(text);
}

/** Returns true if printers usually listen on a port. The page may print there without a question. */
export function isPrinterPort(port: number): boolean {
  return PRINTER_PORTS.some(([first, last]) => port >= first && port <= last);
}

/**
 * Returns the location of a host and port. One outside address among several makes it `outside`. Callers connect to the returned address,
 * because a second lookup could return another one.
 */
export async function locate(host: string, port: number | null, ownAddresses: readonly ForbiddenTarget[]): Promise<Location> {
  const found = isIP(host) ? [host] : (await dns.lookup(host, { all: true, verbatim: true }).catch(() => [])).map(({ address }) => address);
  const [first] = found;
  if (first === undefined) return { kind: 'unknown' };
  if (port !== null && (await isOwnPort(found, port, ownAddresses))) return { kind: 'paydesk' };
  const outside = found.find((address) => !LOCAL_RANGES.has(ipaddr.process(address).range()));
  return outside === undefined ? { kind: 'own', address: first } : { kind: 'outside', address: outside };
}

async function isOwnPort(addresses: readonly string[], port: number, ownAddresses: readonly ForbiddenTarget[]): Promise<boolean> {
  try {
    for (const address of addresses) await checkForbidden(address, port, ownAddresses, lookupAll);
    return false;
  } catch (error) {
    if (error instanceof BlockedTarget) return true;
    throw error;
  }
}
