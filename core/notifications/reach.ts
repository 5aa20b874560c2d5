import { isIP } from 'node:net';
import { BlockedTarget, lookupAll, type Reach, rangeOf, reachable } from '#core/platform/outbound';
import type { Dependencies } from './dependencies.ts';

const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);

const isPrivateAddress = (address: string) => PRIVATE_RANGES.has(rangeOf(address));

/** Returns true if a host is this computer or in its private networks, whatever its name resolves to. */
export async function isPrivateHost(host: string): Promise<boolean> {
  if (isIP(host)) return isPrivateAddress(host);
  const found = await lookupAll(host).catch(() => []);
  return found.length > 0 && found.every(({ address }) => isPrivateAddress(address));
}

/** The addresses that messages of a tenant may go to at a host. A live tenant reaches a private address only if the operator has allowed the host. */
export function reachOf(deps: Pick<Dependencies, 'isSandbox' | 'allowsPrivateHost'>, tenantId: string, host: string, port: number): Reach {
  return deps.isSandbox(tenantId) || deps.allowsPrivateHost(host, port) ? 'private' : 'public';
}

/** The sentence for a host that a tenant may not reach. */
export const notReached = (host: string, reach: Reach): string =>
  `${host} is not an address that messages are sent to.${reach === 'public' ? ' A private address needs the permission of the operator (--private-hosts).' : ''}`;

/** The one address that a server is reached at from now on: what was checked is what is connected to. Words where it may not be reached. */
export async function addressOf(
  deps: Pick<Dependencies, 'isSandbox' | 'allowsPrivateHost' | 'forbidden'>,
  tenantId: string,
  host: string,
  port: number,
): Promise<{ readonly address: string; readonly isPrivate: boolean } | { readonly refused: string } | { readonly unknown: string }> {
  const reach = reachOf(deps, tenantId, host, port);
  try {
    const [first] = await reachable(host, port, { reach, forbidden: deps.forbidden(), lookup: lookupAll });
    if (!first) return { unknown: `The name ${host} has no address.` };
    return { address: first.address, isPrivate: isPrivateAddress(first.address) };
  } catch (error) {
    if (error instanceof BlockedTarget) return { refused: notReached(`${host}:${port}`, reach) };
    return { unknown: `The host name ${host} cannot be resolved.` };
  }
}
