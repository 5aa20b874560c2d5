import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createPerson, createShop, setPin, type Waiting } from '../../support/approvals.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { sell } from '../../support/settlements.ts';

const PIN = '481627';

describeOnAnyDatabase('PINs', (fixture) => {
  test('refuses trivial PINs, locks after five wrong ones, and lets an admin remove but not set one', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 }, { isBound: true });
    const set = (pin: string) => manager.as.put('/auth/pin', { pin, currentPassword: manager.password });
    for (const pin of ['1234', '0000', '9876', '1212', '123', '12345678901', 'abcd']) await expectError(set(pin), 400, 'VALIDATION_ERROR');
    await expectError(
      manager.as.put('/auth/pin', { pin: PIN, currentPassword: 'wrong password' }),
      400,
      'VALIDATION_ERROR',
      'currentPassword',
    );
    await expectData(set(PIN));
    const { transactionId } = await sell(fixture(), merchantId, 100);
    const refund = await expectData(cashier.as.post<Waiting>(`/transactions/${transactionId}/refund`, {}), 202);
    const approve = (pin: string) => cashier.as.post(`/approvals/${refund.approvalId}/approve`, { approverId: manager.userId, pin });
    const wrong = await Promise.all(Array.from({ length: 6 }, (_, n) => approve(`111${n + 2}`)));
    expect(wrong.every(({ status }) => status === 400)).toBe(true);
    const locked = await expectError(approve(PIN), 400, 'VALIDATION_ERROR', 'pin');
    expect(locked.details).toMatchObject({ reason: 'pin_locked' });
    const path = `/merchants/${merchantId}/users/${manager.userId}/pin`;
    await expectError(cashier.as.delete(path), 403, 'PERMISSION_DENIED');
    const admin = await createPerson(fixture(), 'admin', merchantId);
    const hasPin = async () => {
      const users = await expectData(admin.as.get<{ userId: string; hasPin: boolean }[]>(`/merchants/${merchantId}/users`));
      return users.find(({ userId }) => userId === manager.userId)?.hasPin;
    };
    expect(await hasPin()).toBe(true);
    // An admin of the merchant cannot remove the PIN of an owner, who has more permissions.
    const owner = await createPerson(fixture(), 'owner');
    await setPin(owner, PIN);
    const ofOwner = await admin.as.delete(`/merchants/${merchantId}/users/${owner.userId}/pin`);
    expect(ofOwner.status).toBe(403);
    await expectData(admin.as.delete(path));
    expect(await hasPin()).toBe(false);
    await expectError(fixture().api.admin.delete(path), 404, 'NOT_FOUND');
  });

  test('a person takes over the screen with a PIN, without the rights that need a password', async () => {
    const { api, baseUrl, credentials } = fixture();
    const { merchantId, cashier, manager } = await createShop(fixture(), {}, { isBound: true });
    const owner = await createPerson(fixture(), 'owner');
    for (const person of [manager, owner]) await setPin(person, PIN);
    const screen = await expectData(
      api.bare.post<{ token: string }>(
        '/api/v1/auth/login',
        { email: cashier.email, password: cashier.password },
        { 'X-Tenant-ID': credentials.tenantId, 'X-Paydesk-Client': 'screen' },
      ),
    );
    const withToken = (token: string) =>
      surfaceOf(baseUrl, '/api/v1', () => ({
        'X-Tenant-ID': credentials.tenantId,
        Authorization: `Bearer ${token}`,
        'X-Paydesk-Client': 'screen',
      }));
    const asCashier = withToken(screen.token);
    // A session of a program is not a workstation.
    await expectError(cashier.as.post('/auth/switch', { userId: manager.userId, pin: PIN }), 401, 'TOKEN_INVALID');
    const { people } = await expectData(asCashier.get<{ people: { userId: string }[] }>('/auth/people'));
    expect(people.map(({ userId }) => userId)).toEqual(expect.arrayContaining([manager.userId, owner.userId]));
    const switched = await expectData(
      asCashier.post<{ token: string; user: { email: string } }>('/auth/switch', { userId: owner.userId, pin: PIN }),
    );
    expect(switched.user.email).toBe(owner.email);
    await expectError(asCashier.get('/auth/me'), 401, 'TOKEN_INVALID');
    const asOwner = withToken(switched.token);
    const me = await expectData(asOwner.get<{ user: { permissions: string[]; byPin: boolean; merchantId: string } }>('/auth/me'));
    expect(me.user.byPin).toBe(true);
    expect(me.user.permissions.some((permission) => permission.startsWith('owner:'))).toBe(false);
    // The cashier's workstation belongs to one merchant, and so does what the owner can do at it.
    const rules = { unlinkedCredit: true, currentPassword: owner.password };
    await expectError(asOwner.put('/approvals/rules', rules), 403, 'PERMISSION_DENIED');
    await expectError(asOwner.get(`/transactions?merchantId=${credentials.merchantId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectData(asOwner.post('/auth/switch', { userId: manager.userId, pin: PIN }));
    expect(merchantId).not.toBe(credentials.merchantId);
  });
});
