import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { allRoutes } from '../../../server/routes/index.ts';
import { later, refreshed } from '../../support/earlier-sign-in.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

let keys = 0;
const newKey = () => ({ name: `key ${++keys}`, scope: 'tenant' });
const asAdmin = { allMerchants: true };

describeOnAnyDatabase('operations that a recent sign-in confirms', (fixture) => {
  test('create an API key without a password in the first 15 minutes after the sign-in', async () => {
    const { bare } = fixture().api;
    const admin = await createUser(fixture(), 'admin', asAdmin);
    await expectData(bare.post('/api/v1/api-keys', newKey(), admin.headers), 201);
    await later(14, async () => expectData(bare.post('/api/v1/api-keys', newKey(), await refreshed(fixture(), admin)), 201));
  });

  test('need the password after 15 minutes, also in a session that was refreshed', async () => {
    const { bare } = fixture().api;
    const admin = await createUser(fixture(), 'admin', asAdmin);
    await later(16, async () => {
      const headers = await refreshed(fixture(), admin);
      const refused = await expectError(bare.post('/api/v1/api-keys', newKey(), headers), 403, 'PERMISSION_DENIED');
      expect(refused.details).toEqual({ reason: 'confirmation_required', operation: 'Create an API key' });
      const wrong = { ...newKey(), currentPassword: 'not the password' };
      await expectError(bare.post('/api/v1/api-keys', wrong, headers), 400, 'VALIDATION_ERROR', 'currentPassword');
      await expectData(bare.post('/api/v1/api-keys', { ...newKey(), currentPassword: admin.password }, headers), 201);
    });
  });

  test('do not show password links of a sandbox to a session that began earlier', async () => {
    const { api, credentials } = fixture();
    const admin = await createUser(fixture(), 'admin', asAdmin);
    const seen = async (headers: Record<string, string>) => {
      const tenant = { 'X-Tenant-ID': credentials.tenantId };
      await expectData(api.bare.post('/api/v1/auth/forgot-password', { email: admin.email }, tenant));
      const messages = await expectData(
        api.bare.get<{ to: string; body: string }[]>('/api/v1/notifications/messages?kind=password&limit=20', headers),
      );
      return messages.filter(({ to }) => to === admin.email).map(({ body }) => body);
    };
    expect((await seen(admin.headers)).join()).toContain('set-password?token=');
    await later(16, async () => {
      const bodies = await seen(await refreshed(fixture(), admin));
      expect(bodies.length).toBeGreaterThan(0);
      expect(bodies.filter((body) => body !== '')).toEqual([]);
    });
  });

  test('need the password where it is always required, also while a sign-in seems to be in the future', async () => {
    const admin = await createUser(fixture(), 'admin', asAdmin);
    const setPin = async () => fixture().api.bare.put('/api/v1/auth/pin', { pin: '481627' }, admin.headers);
    await expectError(setPin(), 400, 'REQUIRED_FIELD_MISSING', 'currentPassword');
    await later(-5, () => expectError(setPin(), 400, 'REQUIRED_FIELD_MISSING', 'currentPassword'));
  });

  test('need the password for the own phone of codes, however recent the sign-in', async () => {
    const { api, credentials } = fixture();
    const [admin, other] = [await createUser(fixture(), 'admin', asAdmin), await createUser(fixture(), 'admin', asAdmin)];
    const change = (userId: string, body: object) =>
      api.bare.put(`/api/v1/merchants/${credentials.merchantId}/users/${userId}`, body, admin.headers);
    const phone = '+12075550142';
    await expectError(change(admin.userId, { phone }), 400, 'REQUIRED_FIELD_MISSING', 'currentPassword');
    await expectData(change(admin.userId, { name: 'Another name' }));
    await expectData(change(other.userId, { phone }));
    await expectData(change(admin.userId, { phone, currentPassword: admin.password }));
    await expectData(change(admin.userId, { phone, name: 'The same phone' }));
  });

  test('accept a body with the password for a deletion', async () => {
    const { bare } = fixture().api;
    const owner = await createUser(fixture(), 'owner');
    const path = '/api/v1/notifications/channels/sms';
    const sms = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token', from: 'Harbor' };
    await expectData(bare.put(path, sms, owner.headers));
    await later(16, async () => {
      const headers = await refreshed(fixture(), owner);
      const refused = await expectError(bare.delete(path, headers), 403, 'PERMISSION_DENIED');
      expect(refused.details).toMatchObject({ reason: 'confirmation_required' });
      await expectData(bare.delete(path, headers, { currentPassword: owner.password }));
    });
  });

  test('check a password that is sent although the sign-in is recent', async () => {
    const { bare } = fixture().api;
    const admin = await createUser(fixture(), 'admin', asAdmin);
    const wrong = { ...newKey(), currentPassword: 'not the password' };
    await expectError(bare.post('/api/v1/api-keys', wrong, admin.headers), 400, 'VALIDATION_ERROR', 'currentPassword');
  });

  test('need a code with the password from a caller with an authenticator app', async () => {
    const { bare } = fixture().api;
    const admin = await createUser(fixture(), 'admin', asAdmin);
    const enrolled = bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', { currentPassword: admin.password }, admin.headers);
    const { secret } = await expectData(enrolled);
    await expectData(bare.post('/api/v1/auth/two-factor/totp/confirm', { code: new TOTP({ secret }).generate() }, admin.headers));
    await later(16, async () => {
      const headers = await refreshed(fixture(), admin);
      const body = { ...newKey(), currentPassword: admin.password };
      await expectError(bare.post('/api/v1/api-keys', body, headers), 400, 'REQUIRED_FIELD_MISSING', 'currentCode');
      const currentCode = new TOTP({ secret }).generate();
      await expectData(bare.post('/api/v1/api-keys', { ...body, currentCode }, headers), 201);
    });
  });

  test('do not replace the password where the operation always needs it', async () => {
    const { bare } = fixture().api;
    const owner = await createUser(fixture(), 'owner');
    const pin = bare.put('/api/v1/auth/pin', { pin: '481627' }, owner.headers);
    await expectError(pin, 400, 'REQUIRED_FIELD_MISSING', 'currentPassword');
    await expectError(bare.post('/api/v1/system/recovery-file', {}, owner.headers), 400, 'REQUIRED_FIELD_MISSING', 'currentPassword');
  });
});

describe('the OpenAPI document', () => {
  test('declares confirmations on the Admin surface only, because keys of programs are no people', () => {
    const routes = allRoutes({} as never, () => ({}) as never).filter(({ confirms }) => confirms !== undefined);
    expect(new Set(routes.map(({ surface }) => surface))).toEqual(new Set(['admin']));
  });
});
