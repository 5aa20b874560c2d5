import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { AddressChecks, type CheckedAddress, ClockWatch, readCertificate } from '#core/operation/status';

const TLS = join(import.meta.dirname, '../../support/tls');

function clocks() {
  const at = { wall: Date.parse('2026-11-20T09:00:00Z'), steady: 1_000 };
  return { at, watch: new ClockWatch({ wall: () => at.wall, steady: () => at.steady }) };
}

test('detects a clock that is set back, but not one that advances, sleeps or is corrected', () => {
  const { at, watch } = clocks();
  const pass = (wallMs: number, steadyMs: number) => {
    at.wall += wallMs;
    at.steady += steadyMs;
    return watch.check();
  };
  expect(pass(10_000, 10_000)).toBeNull();
  expect(pass(9_000, 10_000)).toBeNull();
  expect(pass(8 * 3_600_000, 10_000)).toBeNull();
  expect(pass(-3_590_000, 10_000)).toEqual({ byMs: -3_600_000, seenAt: '2026-11-20T16:00:29.000Z' });
  expect(pass(10_000, 10_000)?.byMs).toBe(-3_600_000);
});

test('checks an address once without blocking anybody', async () => {
  const check = vi.fn(async (): Promise<CheckedAddress> => ({ validUntilMs: 5 }));
  const addresses = new AddressChecks(check);
  expect(addresses.lastOf('https://pay.example.com', true)).toBeNull();
  await expect.poll(() => addresses.lastOf('https://pay.example.com', true)).toEqual({ validUntilMs: 5 });
  expect(check).toHaveBeenCalledTimes(1);
});

test('reports an untrusted certificate with an explanation', async () => {
  const server = createServer({ key: readFileSync(join(TLS, 'stranger-key.pem')), cert: readFileSync(join(TLS, 'stranger.pem')) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await readCertificate(origin)).toEqual({ problem: expect.stringMatching(/certificate|issuer/i) });
  server.close();
});
