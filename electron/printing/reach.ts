import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses of this computer and of private networks. */
const OWN_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*$/i;

/** `own`: this machine or its networks. `outside`: anywhere else. `unknown`: the name leads nowhere now. */
type Reach = { readonly kind: 'own' | 'outside'; readonly address: string } | { readonly kind: 'unknown' };

/** Returns true if a text can be the name or address of a computer. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || HOST.test(text);
}

/** Returns the location of a host. Of several addresses, one outside decides; the checked address is the one that is connected to. */
export async function reachOf(host: string): Promise<Reach> {
  const found = isIP(host) ? [host] : (await dns.lookup(host, { all: true, verbatim: true }).catch(() => [])).map(({ address }) => address);
  const [first] = found;
  if (first === undefined) return { kind: 'unknown' };
  const outside = found.find((address) => !OWN_RANGES.has(ipaddr.process(address).range()));
  return outside === undefined ? { kind: 'own', address: first } : { kind: 'outside', address: outside };
}
