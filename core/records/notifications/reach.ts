import { isIP } from 'node:net';
import { BlockedTarget, lookupForTenant, type Reach, rangeOf, reachable } from '#core/platform/outbound';
import type { Dependencies } from './dependencies.ts';

const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);

const isPrivateAddress = (address: string) => PRIVATE_RANGES.has(rangeOf(address));

/** Returns true if a host is this computer or in its private networks, whatever its name resolves to. */
export async function isPrivateHost(host: string): Promise<boolean> {
  if (isIP(host)) return isPrivateAddress(host);
  const found = await lookupForTenant(host).catch(() => []);
  return found.length > 0 && found.every(({ address }) => isPrivateAddress(address));
}

/**
 * Returns which addresses of a host a tenant's messages may reach. A live tenant reaches a private address only if the operator has allowed
 * the host.
 */
export function reachOf(deps: Pick<Dependencies, 'isSandbox' | 'allowsPrivateHost'>, tenantId: string, host: string, port: number): Reach {
  return deps.isSandbox(tenantId) || deps.allowsPrivateHost(host, port) ? 'private' : 'public';
}

/** Returns the message for a host that a tenant may not reach. */
export const unreachableText = (host: string, reach: Reach): string =>
  `Messages can't be sent to ${host}.${reach === 'public' ? ' A private address requires the permission of the operator (--private-hosts).' : ''}`;

/**
 * Resolves the address of a server. The caller connects to exactly this address, so that the checked address is the one in use. `refused`
 * and `unknown` give the reason if there is none.
 */
export async function addressOf(
  deps: Pick<Dependencies, 'isSandbox' | 'allowsPrivateHost' | 'forbidden'>,
  tenantId: string,
  host: string,
  port: number,
): Promise<{ readonly address: string; readonly isPrivate: boolean } | { readonly refused: string } | { readonly unknown: string }> {
  const reach = reachOf(deps, tenantId, host, port);
  try {
    const [first] = await reachable(host, port, { reach, forbidden: deps.forbidden(), lookup: lookupForTenant });
    if (!first) return { unknown: `The name ${host} has no address.` };
    return { address: first.address, isPrivate: isPrivateAddress(first.address) };
  } catch (error) {
    if (error instanceof BlockedTarget) return { refused: unreachableText(`${host}:${port}`, reach) };
    return { unknown: `The host name ${host} cannot be resolved.` };
  }
}
