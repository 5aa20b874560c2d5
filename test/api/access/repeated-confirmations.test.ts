import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { later, refreshed } from '../../support/earlier-sign-in.ts';
import { expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

const PARALLEL = 8;

/** Sends a request several times in parallel. Each response is that of the one created record, or reports the running request. */
async function sendInParallel(send: () => Promise<{ status: number; text: string; body: { error: { details?: unknown } } }>) {
  const responses = await Promise.all(Array.from({ length: PARALLEL }, send));
  for (const { status, text, body } of responses)
    if (status !== 201) expect({ status, details: body.error.details }, text).toEqual({ status: 409, details: { retryAfter: 1 } });
  const created = new Set(responses.filter(({ status }) => status === 201).map(({ text }) => text));
  expect(created.size).toBe(1);
  return [...created][0];
}

onBothDatabases('creates one API key for parallel and repeated requests with one Idempotency-Key', async ({ api }) => {
  const name = `Register ${randomUUID()}`;
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { name, scope: 'tenant', currentPassword: api.adminPassword };
  const send = () => api.admin.post('/api-keys', body, headers);
  const created = await sendInParallel(send);
  const again = await send();
  expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([201, 'true', created]);
  const keys = await expectData(api.admin.get<{ name: string }[]>('/api-keys?limit=200'));
  expect(keys.filter((key) => key.name === name)).toHaveLength(1);
  const error = await expectError(api.admin.post('/api-keys', { ...body, name: `${name} 2` }, headers), 409, 'RESOURCE_CONFLICT');
  expect(error.field).toBe('Idempotency-Key');
});

onAnyDatabase('replays the secret of an API key only to a caller who confirms the repeated request', async (fixture) => {
  const { bare } = fixture.api;
  const admin = await createUser(fixture, 'admin', { allMerchants: true });
  const key = { 'Idempotency-Key': randomUUID() };
  const body = { name: `Kiosk ${randomUUID()}`, scope: 'tenant' };
  const send = (headers: Record<string, string>, currentPassword?: string) =>
    bare.post('/api/v1/api-keys', { ...body, currentPassword }, { ...headers, ...key });
  // A wrong password does not use the key, so that the corrected request runs.
  expect((await expectError(send(admin.headers, 'not the password'), 400, 'VALIDATION_ERROR')).field).toBe('currentPassword');
  const first = await send(admin.headers);
  expect(first.status, first.text).toBe(201);
  await later(16, async () => {
    const headers = await refreshed(fixture, admin);
    await expectError(send(headers, 'not the password'), 400, 'VALIDATION_ERROR');
    await expectError(send(headers), 403, 'PERMISSION_DENIED');
    expect((await send(headers, admin.password)).text).toBe(first.text);
  });
});

onAnyDatabase('adds one gateway for parallel and repeated requests with one Idempotency-Key', async ({ api, credentials }) => {
  const name = `Second ${randomUUID()}`;
  const path = `/merchants/${credentials.merchantId}/gateways`;
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = () => api.admin.post(path, { type: 'sandbox', name, currentPassword: api.adminPassword }, headers);
  const created = await sendInParallel(send);
  const again = await send();
  expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([201, 'true', created]);
  const gateways = await expectData(api.admin.get<{ name: string }[]>(`${path}?limit=200`));
  expect(gateways.filter((gateway) => gateway.name === name)).toHaveLength(1);
});
