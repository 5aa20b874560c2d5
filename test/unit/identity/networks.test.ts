import { expect, test } from 'vitest';
import { isAllowedAddress, networksOf, storedNetworks } from '../../../core/access/identity/networks.ts';

const isAllowed = (networks: string[], address: string | null) =>
  isAllowedAddress(networksOf({ allowed_addresses: storedNetworks(networks) }), address);

test.each([
  [[], '198.51.100.1', true],
  [[], null, true],
  [['203.0.113.7'], '203.0.113.7', true],
  [['203.0.113.7'], '203.0.113.8', false],
  [['203.0.113.7'], '::ffff:203.0.113.7', true],
  [['::ffff:203.0.113.7'], '203.0.113.7', true],
  [['10.0.0.0/8'], '10.255.255.255', true],
  [['10.0.0.0/8'], '11.0.0.0', false],
  [['10.1.2.3/8'], '10.200.0.1', true],
  [['0.0.0.0/0'], '198.51.100.1', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::/0'], '198.51.100.1', false],
  [['2001:DB8::/32'], '2001:db8:1::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['::1'], '127.0.0.1', false],
  [['203.0.113.7', '198.51.100.0/24'], '198.51.100.9', true],
  [['203.0.113.7'], null, false],
  [['203.0.113.7'], 'unknown', false],
] as [string[], string | null, boolean][])('addresses %j and a request from %j: %j', (networks, address, expected) => {
  expect(isAllowed(networks, address)).toBe(expected);
});
