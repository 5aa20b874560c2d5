import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startServerProcess } from '../../support/process.ts';
import { ANY_DATABASE, apiOf, type DatabaseKind, expectData, FULL, startTestServer } from '../../support/server.ts';

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function start(database: DatabaseKind, trustedProxy?: string) {
  const { server, stop } = await startTestServer(database, { trustedProxy });
  stops.push(stop);
  const { baseUrl, credentials } = server;
  if (credentials === undefined) throw new Error('a server with demo tenants tells their credentials');
  const { admin } = apiOf(baseUrl, credentials);
  /** Returns the remaining requests of the minute for a client with these headers. */
  const left = async (headers: Record<string, string>) =>
    Number((await fetch(`${baseUrl}/pay/unknown`, { headers })).headers.get('x-ratelimit-remaining'));
  /** Returns the address that the audit log stores for a change. */
  const noted = async (headers: Record<string, string>) => {
    const { customerId } = await expectData(
      admin.post<{ customerId: string }>('/customers', { firstName: 'Ann', lastName: 'Marsh' }, headers),
      201,
    );
    const [entry] = await expectData(admin.get<{ ip: string | null }[]>(`/audit-logs?resource=customers/${customerId}`));
    return entry?.ip;
  };
  return { left, noted };
}

let last = 0;
const forwarded = (tail = '') => {
  last += 1;
  return { 'x-forwarded-for': `203.0.113.${last}${tail}` };
};

describe.each(ANY_DATABASE)('client addresses forwarded by a proxy (%s)', (database) => {
  test('uses the forwarded address of a trusted proxy in limits and records', async () => {
    const { left, noted } = await start(database, '192.0.2.9, loopback');
    // The minute may change between the requests.
    await expect
      .poll(async () => {
        const [one, other] = [forwarded(), forwarded()];
        return [await left(one), await left(one), await left(other)];
      })
      .toEqual([299, 298, 299]);
    expect(await noted({ 'x-forwarded-for': '198.51.100.7, 203.0.113.250' })).toBe('203.0.113.250');
    expect(await noted({ 'x-forwarded-for': '198.51.100.7, 192.0.2.9' })).toBe('198.51.100.7');
    for (const rubbish of ['unknown', '<b>', '203.0.113.4:443', '9'.repeat(500)])
      expect(await noted({ 'x-forwarded-for': rubbish })).toBe('127.0.0.1');
    expect(await noted({})).toBe('127.0.0.1');
  });

  const ignoresAddress = async (trustedProxy?: string) => {
    const { left, noted } = await start(database, trustedProxy);
    await expect
      .poll(async () => [await left(forwarded()), await left(forwarded())].map((each, index) => each + index))
      .toSatisfy(([one, two]: number[]) => one === two);
    expect(await noted(forwarded())).toBe('127.0.0.1');
  };
  test('ignores the forwarded address without a trusted proxy', () => ignoresAddress());
  test('ignores the forwarded address of an untrusted proxy', FULL, () => ignoresAddress('192.0.2.9'));
});

test.each(['nowhere', 'proxy.example.com', '10.0.0.300', '10.0.0.1,,10.0.0.2', '10.0.0.0/8', 'true', '1', ','])(
  'refuses to start with %j as proxies',
  async (trustedProxy) => {
    await expect(startTestServer('sqlite', { trustedProxy })).rejects.toThrow(
      '--trusted-proxy requires addresses such as 10.0.0.5, or loopback, separated by commas.',
    );
  },
);

test('explains an invalid command line flag', FULL, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-test-'));
  try {
    await expect(startServerProcess(dataDir, undefined, ['--trusted-proxy', 'nowhere'])).rejects.toThrow(
      'paydesk: --trusted-proxy requires addresses',
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
