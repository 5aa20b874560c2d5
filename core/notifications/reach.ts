import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { BlockedTarget, type ForbiddenTarget, lookupAll, reachable } from '#core/webhooks';

const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);

const isPrivateAddress = (address: string) => PRIVATE_RANGES.has(ipaddr.process(address).range());

/** Whether a host is this machine or in its own networks, whatever its name resolves to. */
export async function isPrivateHost(host: string): Promise<boolean> {
  if (isIP(host)) return isPrivateAddress(host);
  const found = await lookupAll(host).catch(() => []);
  return found.length > 0 && found.every(({ address }) => isPrivateAddress(address));
}

/** The one address that a server is reached at from now on: what was checked is what is connected to. Words where it may not be reached. */
export async function addressOf(
  host: string,
  port: number,
  forbidden: readonly ForbiddenTarget[],
): Promise<{ readonly address: string; readonly isPrivate: boolean } | { readonly refused: string } | { readonly unknown: string }> {
  try {
    const [first] = await reachable(host, port, { reach: 'private', forbidden, lookup: lookupAll });
    if (!first) return { unknown: `The name ${host} has no address.` };
    return { address: first.address, isPrivate: isPrivateAddress(first.address) };
  } catch (error) {
    if (error instanceof BlockedTarget) return { refused: `${host}:${port} is not an address that messages are sent to.` };
    return { unknown: `The host name ${host} cannot be resolved.` };
  }
}
