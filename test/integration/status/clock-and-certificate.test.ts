import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { type Certificate, Certificates, ClockWatch } from '#core/operation/status';

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

test('reads a certificate once without blocking anybody', async () => {
  const read = vi.fn(async (): Promise<Certificate> => ({ validUntilMs: 5 }));
  const certificates = new Certificates(read);
  expect(certificates.certificateOf('https://pay.example.com')).toBeNull();
  await expect.poll(() => certificates.certificateOf('https://pay.example.com')).toEqual({ validUntilMs: 5 });
  expect(read).toHaveBeenCalledTimes(1);
});

test('reports an untrusted certificate with an explanation', async () => {
  const server = createServer({ key: readFileSync(join(TLS, 'stranger-key.pem')), cert: readFileSync(join(TLS, 'stranger.pem')) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const certificates = new Certificates();
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect.poll(() => certificates.certificateOf(origin)).toEqual({ problem: expect.stringMatching(/certificate|issuer/i) });
  server.close();
});
