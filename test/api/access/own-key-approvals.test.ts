import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { type ApprovalRecord, createPerson, createShop, type Person, setPin, type Waiting } from '../../support/approvals.ts';
import { CONFIRMED, startLiveServer } from '../../support/live-server.ts';
import { ANY_DATABASE, type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { sell } from '../../support/settlements.ts';

const PIN = '481623';

/** A merchant whose rules apply to approvers too, with a key that an admin made. */
async function shopWithKey(fixture: ApiFixture) {
  const { merchantId, manager } = await createShop(fixture, { refundAbove: 10, approversExempt: false });
  const maker = await createPerson(fixture, 'admin', merchantId);
  const body = { name: 'till', scope: 'merchant', merchantId, currentPassword: maker.password };
  const { id, key } = await expectData(maker.as.post<{ id: string; key: string }>('/api-keys', body), 201);
  const { transactionId } = await sell(fixture, merchantId, 100);
  const asKey = surfaceOf(fixture.baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': fixture.credentials.tenantId, 'x-api-key': key }));
  const request = async () => (await expectData(asKey.post<Waiting>('/refund', { transactionId, amount: 30 }), 202)).approvalId;
  return { merchantId, manager, maker, id, asKey, request };
}

const approve = ({ as }: Person, approvalId: string) => as.post<ApprovalRecord>(`/approvals/${approvalId}/approve`, {});

describeOnAnyDatabase('approvals of requests by API keys', (fixture) => {
  test('refuse the person who made the key, by session and by PIN, and accept another person', async () => {
    const { maker, manager, request } = await shopWithKey(fixture());
    await setPin(maker, PIN);
    const approvalId = await request();
    const { details } = await expectError(approve(maker, approvalId), 403, 'PERMISSION_DENIED');
    expect(details).toMatchObject({ reason: 'own_request' });
    const byPin = maker.as.post(`/approvals/${approvalId}/approve`, { approverId: maker.userId, pin: PIN });
    expect((await expectError(byPin, 403, 'PERMISSION_DENIED')).details).toMatchObject({ reason: 'not_requester' });
    const shown = await expectData(manager.as.get<{ requesterUserIds: string[] }>(`/approvals/${approvalId}`));
    expect(shown.requesterUserIds).toEqual([maker.userId]);
    const { people } = await expectData(manager.as.get<{ people: { userId: string }[] }>(`/approvals/${approvalId}/approvers`));
    expect(people.map(({ userId }) => userId)).not.toContain(maker.userId);
    expect(people.map(({ userId }) => userId)).toContain(manager.userId);
    expect(await expectData(approve(manager, approvalId))).toMatchObject({ status: 'approved', resultStatus: 200 });
  });

  test('refuse the person who last changed what the key may do, but not one who renamed it', async () => {
    const { merchantId, maker, manager, id, request } = await shopWithKey(fixture());
    const [changer, renamer] = [await createPerson(fixture(), 'admin', merchantId), await createPerson(fixture(), 'admin', merchantId)];
    const change = ({ as, password }: Person, body: object) =>
      expectData(as.put(`/api-keys/${id}`, { ...body, currentPassword: password }));
    await change(changer, { permissions: ['transactions', 'refunds'] });
    await change(renamer, { name: 'counter' });
    const approvalId = await request();
    for (const person of [maker, changer])
      expect((await expectError(approve(person, approvalId), 403, 'PERMISSION_DENIED')).details).toMatchObject({ reason: 'own_request' });
    await expectData(approve(renamer, approvalId));
    const { requesterUserIds } = await expectData(manager.as.get<{ requesterUserIds: string[] }>(`/approvals/${approvalId}`));
    expect(requesterUserIds.toSorted()).toEqual([maker.userId, changer.userId].toSorted());
  });

  test('let the person who made the key withdraw its request', async () => {
    const { maker, request } = await shopWithKey(fixture());
    const approvalId = await request();
    expect(await expectData(maker.as.post(`/approvals/${approvalId}/reject`, {}))).toMatchObject({ status: 'rejected' });
  });

  test('cover a granted discount of the key', async () => {
    const { maker, asKey } = await shopWithKey(fixture());
    const { merchantId } = await expectData(asKey.get<{ merchantId: string }>('/api-key'));
    const rules = { discountAbovePercent: 5, currentPassword: fixture().api.adminPassword };
    await expectData(fixture().api.admin.put(`/approvals/rules?merchantId=${merchantId}`, rules));
    const { approvalId } = await expectData(asKey.post<Waiting>('/discounts', { price: 50, discountAmount: 10 }), 202);
    expect((await expectError(approve(maker, approvalId), 403, 'PERMISSION_DENIED')).details).toMatchObject({ reason: 'own_request' });
  });
});

test.each(ANY_DATABASE)('the only person of an account approves an amount above the limits of a key (%s)', async (kind) => {
  const live = await startLiveServer(kind);
  try {
    const { api, merchantId, tenantId, baseUrl } = live;
    const spendingLimits = { currency: 'USD', perPayment: 50, liveWrites: true, overLimit: 'ask' };
    const body = { name: 'agent', scope: 'merchant', merchantId, spendingLimits, ...CONFIRMED };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
    const asKey = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': key }));
    const { approvalId } = await expectData(asKey.post<Waiting>('/generate-url', { amount: 60 }), 202);
    await expectData(api.admin.post(`/approvals/${approvalId}/approve`, {}));
    expect(await expectData(asKey.get(`/approvals/${approvalId}`))).toMatchObject({ status: 'approved', resultStatus: 201 });
  } finally {
    await live.stop();
  }
});
