import { BlockList, isIP } from 'node:net';
import { ServiceError } from '#core/kernel';

const FIELD = 'allowedAddresses';
const BITS = { ipv4: 32, ipv6: 128 } as const;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

interface Address {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
}

/** Returns an address with its family; an IPv4 address within IPv6 as IPv4. Undefined for another text. */
function addressFrom(text: string): Address | undefined {
  const plain = MAPPED.exec(text)?.[1] ?? text;
  const version = isIP(plain);
  return version === 0 ? undefined : { text: plain, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Returns addresses and networks in their stored form; null means all addresses. @throws ServiceError VALIDATION_ERROR. */
export function storedNetworks(input: readonly string[] = []): string | null {
  const networks = [...new Set(input.map((text) => text.trim().toLowerCase()))];
  for (const network of networks) {
    const [address = '', prefix, ...more] = network.split('/');
    const found = addressFrom(address);
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && found?.text === address && Number(prefix) <= BITS[found.family]);
    if (found === undefined || address.includes('%') || !isPrefix || more.length > 0)
      throw new ServiceError(
        'VALIDATION_ERROR',
        `\`${FIELD}\` must contain addresses such as 203.0.113.7, or networks such as 10.0.0.0/8.`,
        {
          field: FIELD,
        },
      );
  }
  return networks.length === 0 ? null : JSON.stringify(networks);
}

/** Returns the addresses and networks of a stored key or role; empty for all addresses. */
export const networksOf = ({ allowed_addresses: stored }: { readonly allowed_addresses: string | null }): string[] =>
  stored === null ? [] : (JSON.parse(stored) as string[]);

const lists = new Map<string, BlockList>();
const LISTS_MAX = 1_000;

/** Returns true if an address is within one of the networks, or if there are none. An unknown address is in no network. */
export function isAllowedAddress(networks: readonly string[], address: string | null): boolean {
  if (networks.length === 0) return true;
  const found = address === null ? undefined : addressFrom(address);
  return found !== undefined && listOf(networks, found.family).check(found.text, found.family);
}

/** Returns the networks of one family. Lists that were read before are remembered, because every request needs that of its credential. */
function listOf(networks: readonly string[], family: Address['family']): BlockList {
  const key = `${family} ${networks.join(' ')}`;
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const network of networks) {
    const [text = '', prefix] = network.split('/');
    const address = addressFrom(text);
    if (address?.family === family) list.addSubnet(address.text, Number(prefix ?? BITS[family]), family);
  }
  if (lists.size >= LISTS_MAX) lists.clear();
  lists.set(key, list);
  return list;
}
