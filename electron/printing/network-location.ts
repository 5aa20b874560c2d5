import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Address ranges of this computer and of private networks, as `ipaddr.js` names them. */
const LOCAL_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*$/i;

/** Location of a host. `own`: this computer or its networks. `outside`: anywhere else. `unknown`: the name cannot be resolved. */
type HostLocation = { readonly kind: 'own' | 'outside'; readonly address: string } | { readonly kind: 'unknown' };

/** Returns true if a text can be the name or address of a computer. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || HOST_NAME.test(text);
}

/** Returns the location of a host. One outside address among several makes it `outside`. Callers connect to the returned address. */
export async function locateHost(host: string): Promise<HostLocation> {
  const found = isIP(host) ? [host] : (await dns.lookup(host, { all: true, verbatim: true }).catch(() => [])).map(({ address }) => address);
  const [first] = found;
  if (first === undefined) return { kind: 'unknown' };
  const outside = found.find((address) => !LOCAL_RANGES.has(ipaddr.process(address).range()));
  return outside === undefined ? { kind: 'own', address: first } : { kind: 'outside', address: outside };
}
