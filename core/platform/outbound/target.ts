import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Address that must never be reached for any tenant: the server's own port or that of its database. */
export interface ForbiddenTarget {
  readonly host: string;
  readonly port: number;
}

/** `public` reaches only public internet addresses; `private` also this computer and its networks. */
export type Reach = 'public' | 'private';

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

/** A target that must not be reached. The message is for the person who registered it. */
export class BlockedTarget extends Error {
  override name = 'BlockedTarget';
}

const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);
const LOCAL_RANGES = new Set(['private', 'uniqueLocal']);

export const lookupAll: Lookup = (host) => dns.lookup(host, { all: true, verbatim: true });

/** The IPv6 addresses that are assigned on the internet (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns the kind of an address, after unmapping IPv4 addresses from IPv6. All other IPv6 forms of IPv4 addresses, such as the deprecated
 * `::127.0.0.1`, are reserved: they are outside of the assigned addresses or have a range of their own.
 */
export function rangeOf(address: string): string {
  const unmapped = ipaddr.process(address);
  const range = unmapped.range();
  return unmapped instanceof ipaddr.IPv6 && range === 'unicast' && !unmapped.match(GLOBAL_UNICAST) ? 'reserved' : range;
}

/** Returns true for every address of this computer. */
function isLocal(address: string): boolean {
  const unmapped = ipaddr.process(address);
  if (unmapped.range() === 'loopback' || unmapped.range() === 'unspecified') return true;
  const text = unmapped.toString();
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((own) => ipaddr.process(own.address.split('%')[0] ?? '').toString() === text),
  );
}

function checkReach(address: string, reach: TargetRules['reach']): void {
  const range = rangeOf(address);
  if (reach === 'local') {
    if (LOCAL_RANGES.has(range)) return;
    throw new BlockedTarget(`The address ${address} is not in a local network.`);
  }
  if (range === 'unicast') return;
  if (PRIVATE_RANGES.has(range)) {
    if (reach === 'private') return;
    throw new BlockedTarget(`The address ${address} is not on the public internet. A live account can reach public addresses only.`);
  }
  throw new BlockedTarget(`The address ${address} is reserved (${range}) and cannot be used.`);
}

/** @throws BlockedTarget if an address and port belong to Paydesk or its database. */
export async function checkForbidden(address: string, port: number, forbidden: readonly ForbiddenTarget[], lookup: Lookup): Promise<void> {
  for (const target of forbidden) {
    if (target.port !== port) continue;
    const name = target.host.replace(/^\[|\]$/g, '');
    const addresses = isIP(name) ? [name] : (await lookup(name).catch(() => [])).map((found) => found.address);
    const same = addresses.some((known) =>
      isLocal(known) ? isLocal(address) : ipaddr.process(known).toString() === ipaddr.process(address).toString(),
    );
    if (same) throw new BlockedTarget(`Port ${port} of this address belongs to Paydesk and cannot be used.`);
  }
}

export interface TargetRules {
  /** `local` reaches only the private networks to which this computer is connected, for devices in the same network. */
  readonly reach: Reach | 'local';
  readonly forbidden: readonly ForbiddenTarget[];
  readonly lookup: Lookup;
}

/**
 * Returns the addresses that a connection to a host may use: all addresses that the name has now, provided that each of them may be reached. The same
 * rules apply to literal addresses. @throws BlockedTarget, or the error of the resolver.
 */
export async function reachable(host: string, port: number, rules: TargetRules): Promise<readonly LookupAddress[]> {
  const name = host.replace(/^\[|\]$/g, '');
  const family = isIP(name);
  const addresses = family ? [{ address: name, family }] : await rules.lookup(name);
  for (const { address } of addresses) {
    checkReach(address, rules.reach);
    await checkForbidden(address, port, rules.forbidden, rules.lookup);
  }
  return addresses;
}
