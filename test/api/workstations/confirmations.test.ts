import { randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, expectData } from '../../support/server.ts';
import { startWorkstations, type Workstations } from '../../support/workstations.ts';

const STATIONS = 2;
const PARALLEL = 10;

let stations: Workstations;
beforeAll(async () => {
  stations = await startWorkstations(STATIONS);
});
afterAll(() => stations?.stop());

/** Returns the workstations in turn. */
const turn = (index: number) => stations.apis[index % STATIONS] as Api;

test('creates one API key for parallel requests with one Idempotency-Key at two workstations', async () => {
  for (let round = 0; round < 5; round += 1) {
    const headers = { 'Idempotency-Key': randomUUID() };
    const name = `Register ${randomUUID()}`;
    const create = (index: number) =>
      turn(index).admin.post<{ key: string }>('/api-keys', { name, scope: 'tenant', currentPassword: turn(index).adminPassword }, headers);
    const answers = await Promise.all(Array.from({ length: PARALLEL }, (_, index) => create(index)));
    for (const { status, text } of answers) expect([201, 409], text).toContain(status);
    for (const { headers: received } of answers.filter(({ status }) => status === 409)) expect(received.get('retry-after')).toBe('1');
    const repeated = await Promise.all([0, 1].map(create));
    const texts = [...answers.filter(({ status }) => status === 201), ...repeated].map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
    const keys = await expectData(turn(round).admin.get<{ name: string }[]>('/api-keys?limit=200'));
    expect(keys.filter((key) => key.name === name)).toHaveLength(1);
  }
});

test('accepts a code of an authenticator app once for parallel requests at two workstations', async () => {
  const [api] = stations.apis as [Api];
  const { merchants, tenant } = await expectData(
    api.admin.get<{ merchants: { merchantId: string }[]; tenant: { tenantId: string } }>('/auth/me'),
  );
  const merchantId = merchants[0]?.merchantId ?? '';
  const [email, password] = [`admin-${randomUUID().slice(0, 8)}@demo.example`, 'a long enough password'];
  await expectData(api.admin.post(`/merchants/${merchantId}/users`, { email, role: 'admin', password }), 201);
  const tenantHeader = { 'X-Tenant-ID': tenant.tenantId };
  const { token } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenantHeader));
  const headers = { ...tenantHeader, Authorization: `Bearer ${token}` };
  const enrollment = api.bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', { currentPassword: password }, headers);
  const { secret } = await expectData(enrollment);
  // The code of the next 30 seconds is accepted too, so that nothing waits for it.
  const codeAt = (seconds: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1_000 });
  await expectData(api.bare.post('/api/v1/auth/two-factor/totp/confirm', { code: codeAt(0) }, headers));
  const currentCode = codeAt(30);
  const enroll = (index: number) =>
    turn(index).bare.post('/api/v1/auth/two-factor/totp', { currentPassword: password, currentCode }, headers);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => enroll(index)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
});
