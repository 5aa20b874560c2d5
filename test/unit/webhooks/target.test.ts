import type { LookupAddress } from 'node:dns';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { BlockedTarget, type ForbiddenTarget, reachable } from '../../../core/platform/outbound/target.ts';

const OWN: ForbiddenTarget = { host: '127.0.0.1', port: 4_801 };
const addresses = (...list: string[]): LookupAddress[] => list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Checks a host as a URL spells it: the parser rewrites decimal, octal and short forms first, as for a delivery. */
function ask(host: string, reach: 'public' | 'private', found: LookupAddress[] = [], port = 443, forbidden = [OWN]) {
  const { hostname } = new URL(`https://${host}/`);
  return reachable(hostname, port, { reach, forbidden, lookup: async (name) => (name === 'localhost' ? addresses('127.0.0.1') : found) });
}

const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[fc00::1]',
  '[fd12:3456::1]',
];
const NEVER = [
  '0.0.0.0',
  '0',
  '[::]',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '[fe80::1]',
  '224.0.0.1',
  '[ff02::1]',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.2.1',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:7f00:1::]',
  '[2001:db8::1]',
  '[2001::1]',
  '[::127.0.0.1]',
  '[::10.0.0.1]',
  '[::a9fe:a9fe]',
  '[::93.184.216.34]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:c0a8:101::]',
  '[2002:a9fe:a9fe::1]',
  '[fec0::1]',
  '[100::1]',
  '[4000::1]',
];

describe('literal addresses', () => {
  test.each(PRIVATE)('allows %s, this computer or its network, for a sandbox but not for a live account', async (host) => {
    await expect(ask(host, 'private')).resolves.toHaveLength(1);
    await expect(ask(host, 'public')).rejects.toThrow(BlockedTarget);
  });

  test.each(NEVER)('refuses %s for every account', async (host) => {
    await expect(ask(host, 'private')).rejects.toThrow(BlockedTarget);
    await expect(ask(host, 'public')).rejects.toThrow(BlockedTarget);
  });

  test.each(['93.184.216.34', '[2606:2800:220:1:248:1893:25c8:1946]'])('accepts %s as a public address', async (host) => {
    await expect(ask(host, 'public')).resolves.toHaveLength(1);
  });
});

describe('names', () => {
  test('refuses a name if one of its addresses is private', async () => {
    await expect(ask('shop.example', 'public', addresses('93.184.216.34', '10.0.0.1'))).rejects.toThrow(BlockedTarget);
    await expect(ask('shop.example', 'private', addresses('93.184.216.34', '169.254.169.254'))).rejects.toThrow(BlockedTarget);
  });

  test('connects to the resolved address', async () => {
    const found = addresses('93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946');
    await expect(ask('shop.example', 'public', found)).resolves.toEqual(found);
  });
});

describe("Paydesk's own ports", () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address.split('%')[0] ?? '') ?? []);

  test('refuses its own ports under every address of this computer, but not the next port', async () => {
    for (const address of ['127.0.0.1', '127.0.0.2', '::1', ...interfaces]) {
      const host = address.includes(':') ? `[${address}]` : address;
      await expect(ask(host, 'private', [], OWN.port), address).rejects.toThrow(BlockedTarget);
    }
    await expect(ask('127.0.0.2', 'private', [], OWN.port)).rejects.toThrow(/belongs to Paydesk/);
    await expect(ask('127.0.0.1', 'private', [], OWN.port + 1)).resolves.toHaveLength(1);
  });

  test('refuses the ports of Paydesk through a host name, and ports that are configured by host name', async () => {
    await expect(ask('shop.example', 'private', addresses('127.0.0.1'), OWN.port)).rejects.toThrow(/belongs to Paydesk/);
    await expect(ask('127.0.0.1', 'private', [], 5_432, [{ host: 'localhost', port: 5_432 }])).rejects.toThrow(/belongs to Paydesk/);
  });

  test('refuses the port of a database on another computer for that computer only', async () => {
    const database = { host: '10.0.0.5', port: 5_432 };
    await expect(ask('10.0.0.5', 'private', [], 5_432, [database])).rejects.toThrow(/belongs to Paydesk/);
    await expect(ask('10.0.0.6', 'private', [], 5_432, [database])).resolves.toHaveLength(1);
  });
});
