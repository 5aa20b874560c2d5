import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { type ApprovalRecord, createClerk, createPerson, createShop, setPin, setRules, type Waiting } from '../../support/approvals.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import {
  type ApiFixture,
  describeOnAnyDatabase,
  describeOnBothDatabases,
  expectData,
  expectError,
  type Surface,
} from '../../support/server.ts';
import { createMerchant, sell, settleOnRequest } from '../../support/settlements.ts';
import { advanceClock, findEvent } from '../../support/webhooks.ts';

const PIN = '481627';

async function sellIn(fixture: ApiFixture, merchantId: string, amount = 150) {
  return (await sell(fixture, merchantId, amount)) as unknown as TransactionRecord;
}

const refundOf = (as: Surface, { transactionId }: { transactionId: string }, amount: number, headers = {}) =>
  as.post<Waiting & TransactionRecord>(`/transactions/${transactionId}/refund`, { amount }, headers);

const approvalOf = (as: Surface, approvalId: string) => expectData(as.get<ApprovalRecord>(`/approvals/${approvalId}`));

describeOnAnyDatabase('approvals by a second person', (fixture) => {
  const saleIn = (merchantId: string, amount?: number) => sellIn(fixture(), merchantId, amount);

  test('runs a refund above the limit once, after a manager approved it, and records both names', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 100 });
    const sale = await saleIn(merchantId);
    const { approvalId } = await expectData(refundOf(cashier.as, sale, 120), 202);
    expect(await expectData(cashier.as.get(`/transactions/${sale.transactionId}`))).toMatchObject({ refundedAmount: 0 });
    await expectError(cashier.as.post(`/approvals/${approvalId}/approve`, {}), 403, 'PERMISSION_DENIED');
    const approved = await expectData(manager.as.post<ApprovalRecord>(`/approvals/${approvalId}/approve`, {}));
    // The response of the operation is for its requester only.
    expect(approved).toMatchObject({ status: 'approved', decidedBy: manager.email, resultStatus: 200, result: null });
    const { result } = await approvalOf(cashier.as, approvalId);
    expect(result?.data).toMatchObject({ status: 'approved', amount: 120, approvedBy: manager.email });
    const shown = await expectData(cashier.as.get<TransactionRecord>(`/transactions/${sale.transactionId}`));
    expect(shown.refundedAmount).toBe(120);
    expect(shown.history.at(-1)).toMatchObject({ actor: cashier.email, approvedBy: manager.email });
    const { api } = fixture();
    const refundId = String(result?.data.refundId);
    const [entry] = (await api.admin.get<{ actor: string; after: object }[]>(`/audit-logs?resource=refunds/${refundId}`)).body.data;
    expect(entry).toMatchObject({ actor: cashier.email, after: { approvedBy: manager.email } });
  });

  test('approves with the PIN of a manager in the session of the cashier, and refuses everyone else', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 100 });
    await setPin(manager, PIN);
    await setPin(cashier, '5937');
    const sale = await saleIn(merchantId);
    const { approvalId } = await expectData(refundOf(cashier.as, sale, 120), 202);
    const approve = (approverId: string, pin: string) =>
      cashier.as.post<ApprovalRecord>(`/approvals/${approvalId}/approve`, { approverId, pin });
    await expectError(approve(cashier.userId, '5937'), 403, 'PERMISSION_DENIED');
    await expectError(approve(manager.userId, '5937'), 400, 'VALIDATION_ERROR', 'pin');
    const { people } = await expectData(
      cashier.as.get<{ people: { userId: string; hasPin: boolean }[] }>(`/approvals/${approvalId}/approvers`),
    );
    expect(people.find(({ userId }) => userId === manager.userId)).toMatchObject({ hasPin: true });
    expect(people.map(({ userId }) => userId)).not.toContain(cashier.userId);
    const approved = await expectData(approve(manager.userId, PIN));
    expect(approved).toMatchObject({ status: 'approved', decidedVia: 'pin', decidedBy: manager.email });
    expect(approved.result?.data).toMatchObject({ amount: 120, approvedBy: manager.email });
  });

  test('refuses the PIN of a manager whose role does not accept the address of the workstation', async () => {
    const { api } = fixture();
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 100 });
    await setPin(manager, PIN);
    const { user } = await expectData(manager.as.get<{ user: { permissions: string[] } }>('/auth/me'));
    const form = { name: `Manager of ${merchantId}`, permissions: user.permissions };
    const role = await expectData(api.admin.post<{ id: string }>('/roles', form), 201);
    await expectData(api.admin.put(`/merchants/${merchantId}/users/${manager.userId}`, { role: role.id }));
    const { approvalId } = await expectData(refundOf(cashier.as, await saleIn(merchantId), 120), 202);
    const approve = () => cashier.as.post(`/approvals/${approvalId}/approve`, { approverId: manager.userId, pin: PIN });
    await expectData(api.admin.put(`/roles/${role.id}`, { allowedAddresses: ['203.0.113.7'] }));
    expect((await expectError(approve(), 403, 'PERMISSION_DENIED')).details).toEqual({ reason: 'address' });
    await expectData(api.admin.put(`/roles/${role.id}`, { allowedAddresses: ['127.0.0.1'] }));
    await expectData(approve());
  });

  test('canceled captures need an approval like voids', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { voidAfterMinutes: 0 });
    const hold = await sell(fixture(), merchantId, 150, { type: 'auth' });
    const path = `/transactions/${hold.transactionId}`;
    await expectData(cashier.as.post(`${path}/capture`, { amount: 120 }));
    const { approvalId } = await expectData(cashier.as.post<Waiting>(`${path}/cancel-capture`), 202);
    expect(await approvalOf(manager.as, approvalId)).toMatchObject({ kind: 'void', amount: 120 });
    expect(await expectData(cashier.as.get(path))).toMatchObject({ capturedAmount: 120 });
    await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
    const shown = await expectData(cashier.as.get<TransactionRecord>(path));
    expect(shown).toMatchObject({ captured: false, capturedAmount: 0 });
    expect(shown.history.at(-1)).toMatchObject({ action: 'cancel_capture', actor: cashier.email, approvedBy: manager.email });
  });

  test('refunds of cash need an approval like those of cards', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 100 });
    const cash = { merchantId, kind: 'cash', amount: 150 };
    const { tenderId } = await expectData(fixture().api.admin.post<{ tenderId: string }>('/tenders', cash), 201);
    await setRules(fixture(), { approversExempt: false }, merchantId);
    const asked = await expectData(manager.as.post<Waiting>(`/tenders/${tenderId}/refund`, { amount: 120 }), 202);
    await expectError(cashier.as.post(`/approvals/${asked.approvalId}/approve`, {}), 404, 'NOT_FOUND');
    await expectData(fixture().api.admin.post(`/approvals/${asked.approvalId}/approve`, {}));
    expect((await approvalOf(manager.as, asked.approvalId)).resultStatus).toBe(201);
    expect(await expectData(fixture().api.admin.get(`/tenders/${tenderId}`))).toMatchObject({ refundedAmount: 120 });
    const event = await findEvent(fixture(), 'tender.refunded', ({ data }) => data.tenderId === tenderId);
    expect(event.data).toMatchObject({ refundedAmount: 120, approvedBy: fixture().credentials.adminEmail });
  });

  test('a repeated request with the same Idempotency-Key gets the same approval, and the result after it', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 });
    const sale = await saleIn(merchantId, 100);
    const key = { 'Idempotency-Key': `refund ${sale.transactionId}` };
    const first = await expectData(refundOf(cashier.as, sale, 30, key), 202);
    expect((await expectData(refundOf(cashier.as, sale, 30, key), 202)).approvalId).toBe(first.approvalId);
    await expectError(refundOf(cashier.as, sale, 31, key), 409, 'RESOURCE_CONFLICT', 'Idempotency-Key');
    await expectData(manager.as.post(`/approvals/${first.approvalId}/approve`, {}));
    const repeated = await refundOf(cashier.as, sale, 30, key);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(repeated.body.data).toMatchObject({ amount: 30, approvedBy: manager.email });
    expect(await expectData(cashier.as.get(`/transactions/${sale.transactionId}`))).toMatchObject({ refundedAmount: 30 });
  });

  test('reports an approved refund that its gateway did not receive as failed, and takes the same Idempotency-Key for a new request', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 });
    const sale = await saleIn(merchantId, 100);
    const setGateway = (mode: string) => expectData(fixture().api.admin.post('/sandbox/gateway', { mode }));
    const key = { 'Idempotency-Key': `refund ${sale.transactionId}` };
    const first = await expectData(refundOf(cashier.as, sale, 30, key), 202);
    await setGateway('down');
    try {
      const approve = () => manager.as.post<ApprovalRecord>(`/approvals/${first.approvalId}/approve`, {});
      expect(await expectData(approve())).toMatchObject({ status: 'approved', resultStatus: 503 });
      expect((await approve()).status).toBe(409);
    } finally {
      await setGateway('normal');
    }
    const { result } = await approvalOf(cashier.as, first.approvalId);
    expect(result).toMatchObject({ success: false, error: { code: 'GATEWAY_UNAVAILABLE' } });
    expect(await expectData(cashier.as.get(`/transactions/${sale.transactionId}`))).toMatchObject({
      refundedAmount: 0,
      status: 'approved',
    });
    const second = await expectData(refundOf(cashier.as, sale, 30, key), 202);
    expect(second).toMatchObject({ status: 'pending' });
    expect(second.approvalId).not.toBe(first.approvalId);
    await expectData(manager.as.post(`/approvals/${second.approvalId}/approve`, {}));
    expect(await expectData(cashier.as.get(`/transactions/${sale.transactionId}`))).toMatchObject({ refundedAmount: 30 });
  });

  test('several small refunds of a payment count together, and people who may approve are exempt', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 100 });
    const sale = await saleIn(merchantId, 300);
    await expectData(refundOf(cashier.as, sale, 60));
    await expectData(refundOf(cashier.as, sale, 60), 202);
    await expectData(refundOf(manager.as, sale, 150));
    await setRules(fixture(), { approversExempt: false }, merchantId);
    await expectData(refundOf(manager.as, sale, 50), 202);
  });

  test('a limit has a currency, and refunds in another one always wait', async () => {
    const { api } = fixture();
    const { merchantId, cashier } = await createShop(fixture(), { refundAbove: 100 });
    const rules = (query = `?merchantId=${merchantId}`) => expectData(api.admin.get(`/approvals/rules${query}`));
    const put = (body: object) =>
      api.admin.put(`/approvals/rules?merchantId=${merchantId}`, { ...body, currentPassword: api.adminPassword });
    expect(await rules()).toMatchObject({ refundAbove: 100, currency: 'USD' });
    const inYen = await expectData(
      api.admin.post<TransactionRecord>('/transactions', cardBody(5000, CARDS.visa, { merchantId, currency: 'JPY' })),
    );
    const inDollars = await saleIn(merchantId, 50);
    await expectData(refundOf(cashier.as, inYen, 90), 202);
    await expectData(refundOf(cashier.as, inDollars, 50));
    await expectError(put({ refundAbove: 100.5, currency: 'JPY' }), 400, 'INVALID_AMOUNT', 'refundAbove');
    await expectError(put({ currency: 'XYZ' }), 400, 'INVALID_CURRENCY', 'currency');
    await expectData(put({ refundAbove: 3000, currency: 'JPY' }));
    await expectData(put({ voidAfterMinutes: 10 }));
    expect(await rules()).toMatchObject({ refundAbove: 3000, currency: 'JPY', voidAfterMinutes: 10 });
    await expectData(refundOf(cashier.as, inYen, 3000));
    await expectData(refundOf(cashier.as, inYen, 1), 202);
    await expectData(put({ refundAbove: null }));
    expect(await rules()).toMatchObject({ refundAbove: null, currency: null });
    await expectData(refundOf(cashier.as, inYen, 1));
  });

  test('changes the rules of the merchant in the body, and refuses two different merchants', async () => {
    const { api } = fixture();
    const { merchantId } = await createShop(fixture(), { refundAbove: 100 });
    const put = (body: object, query = '') => api.admin.put(`/approvals/rules${query}`, { ...body, currentPassword: api.adminPassword });
    const rules = (query = '') => expectData(api.admin.get<Record<string, unknown>>(`/approvals/rules${query}`));
    const ofAccount = await rules();
    expect(await expectData(put({ merchantId, refundAbove: 70 }))).toMatchObject({ merchantId, refundAbove: 70 });
    expect(await rules(`?merchantId=${merchantId}`)).toMatchObject({ refundAbove: 70 });
    await expectError(put({ merchantId: 'mer_other' }, `?merchantId=${merchantId}`), 400, 'VALIDATION_ERROR', 'merchantId');
    await expectError(put({ merchantId: null }, `?merchantId=${merchantId}`), 400, 'VALIDATION_ERROR', 'merchantId');
    await expectError(put({ merchantId: 'mer_unknown', refundAbove: 1 }), 404, 'MERCHANT_NOT_FOUND');
    expect(await rules()).toEqual(ofAccount);
    expect(await expectData(put(ofAccount))).toEqual(ofAccount);
  });

  test('lists the merchants whose refunds all need an approval, because they have the limit of another currency', async () => {
    const { api } = fixture();
    const named = { name: 'Osaka', currency: 'JPY' };
    const merchantId = await createMerchant(fixture(), named);
    const put = (body: object, query = '') => api.admin.put(`/approvals/rules${query}`, { ...body, currentPassword: api.adminPassword });
    type Rules = { merchantsInOtherCurrencies: { merchantId: string }[] };
    const listed = async (query = '') =>
      (await expectData(api.admin.get<Rules>(`/approvals/rules${query}`))).merchantsInOtherCurrencies.filter(
        (merchant) => merchant.merchantId === merchantId,
      );
    const own = `?merchantId=${merchantId}`;
    try {
      expect(await listed(own)).toEqual([]);
      const saved = await expectData(put({ refundAbove: 100, currency: 'USD' }) as ReturnType<typeof api.admin.put<Rules>>);
      const expected = { merchantId, ...named };
      expect(saved.merchantsInOtherCurrencies).toContainEqual(expected);
      expect(await listed()).toEqual([expected]);
      expect(await listed(own)).toEqual([expected]);
      await expectData(put({ refundAbove: 15_000 }, own));
      expect(await listed()).toEqual([]);
      expect(await expectData(api.admin.get(`/approvals/rules${own}`))).toMatchObject({
        refundAbove: 15_000,
        currency: 'JPY',
        inherited: false,
        merchantsInOtherCurrencies: [],
      });
      await expectData(put({ inherited: true }, own));
      expect(await listed()).toEqual([expected]);
    } finally {
      await expectData(put({ refundAbove: null }));
    }
    expect(await listed()).toEqual([]);
  });

  test('late voids and unlinked credits wait, and expire after the time limit', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { voidAfterMinutes: 30, unlinkedCredit: true });
    await settleOnRequest(fixture(), merchantId);
    const [early, late] = [await saleIn(merchantId), await saleIn(merchantId)];
    await expectData(cashier.as.post(`/transactions/${early.transactionId}/void`, {}));
    await advanceClock(fixture(), 31 * 60);
    const { approvalId } = await expectData(cashier.as.post<Waiting>(`/transactions/${late.transactionId}/void`, { reason: 'wrong' }), 202);
    const clerk = await createClerk(fixture(), merchantId);
    const credit = await expectData(clerk.as.post<Waiting>(`/transactions/${late.transactionId}/credit`, { amount: 20 }), 202);
    await expectData(manager.as.post(`/approvals/${credit.approvalId}/approve`, {}));
    const { result } = await approvalOf(clerk.as, credit.approvalId);
    expect(result?.data).toMatchObject({ type: 'credit', amount: 20, approvedBy: manager.email });
    await advanceClock(fixture(), 61);
    expect((await approvalOf(cashier.as, approvalId)).status).toBe('expired');
    await expectError(manager.as.post(`/approvals/${approvalId}/approve`, {}), 409, 'RESOURCE_CONFLICT');
    expect(await expectData(cashier.as.get(`/transactions/${late.transactionId}`))).toMatchObject({ voidedAt: null });
    const again = await expectData(cashier.as.post<Waiting>(`/transactions/${late.transactionId}/void`, { reason: 'wrong' }), 202);
    await expectData(manager.as.post(`/approvals/${again.approvalId}/approve`, {}));
    expect(await expectData(cashier.as.get(`/transactions/${late.transactionId}`))).toMatchObject({
      status: 'voided',
      approvedBy: manager.email,
    });
  });

  test('an API key asks above its spending limits, with a token but never with a card, and cannot approve', async () => {
    const { api, credentials, baseUrl } = fixture();
    const { merchantId, tenantId } = credentials;
    const spendingLimits = { currency: 'USD', perPayment: 50, overLimit: 'ask' };
    const body = { name: 'agent', scope: 'merchant', merchantId, spendingLimits, currentPassword: api.adminPassword };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
    const asKey = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': key }));
    const { token } = await saleIn(merchantId, 20);
    const card = { Amount: 60, CardNumber: '4111111111111111', ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
    const refused = await expectError(asKey.post('/transaction', card), 403, 'PERMISSION_DENIED');
    expect(refused.details).toMatchObject({ reason: 'approval_required' });
    await expectData(asKey.post('/token-transaction', { token, amount: 40 }));
    const { approvalId } = await expectData(asKey.post<Waiting>('/token-transaction', { token, amount: 60 }), 202);
    expect(await approvalOf(asKey, approvalId)).toMatchObject({ status: 'pending', kind: 'key_limit', amount: 60, requestedBy: 'agent' });
    const { manager } = await createShop(fixture(), {});
    await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
    const { result } = await approvalOf(asKey, approvalId);
    expect(result?.data).toMatchObject({ status: 'approved', amount: 60 });
  });

  test('people of another merchant and lower roles see and decide nothing', async () => {
    const { merchantId, cashier } = await createShop(fixture(), { refundAbove: 10 }, { isBound: true });
    const other = await createShop(fixture(), {}, { isBound: true });
    const colleague = await createPerson(fixture(), 'cashier', merchantId);
    const viewer = await createPerson(fixture(), 'viewer', merchantId);
    const sale = await saleIn(merchantId, 100);
    const { approvalId } = await expectData(refundOf(cashier.as, sale, 30), 202);
    for (const { as, status, code } of [
      { ...other.manager, status: 403, code: 'MERCHANT_NOT_AUTHORIZED' },
      { ...colleague, status: 404, code: 'NOT_FOUND' },
    ]) {
      await expectError(as.get(`/approvals/${approvalId}`), status, code);
      await expectError(as.post(`/approvals/${approvalId}/approve`, {}), status, code);
      await expectError(as.post(`/approvals/${approvalId}/reject`, {}), status, code);
    }
    await expectError(viewer.as.post(`/approvals/${approvalId}/approve`, {}), 403, 'PERMISSION_DENIED');
    const rules = (as: Surface, password: string) =>
      as.put(`/approvals/rules?merchantId=${merchantId}`, { refundAbove: null, currentPassword: password });
    await expectError(rules(cashier.as, cashier.password), 403, 'PERMISSION_DENIED');
    const manager = await createPerson(fixture(), 'manager');
    await expectError(rules(manager.as, manager.password), 403, 'PERMISSION_DENIED');
    await expectData(cashier.as.post(`/approvals/${approvalId}/reject`, {}));
    expect(await approvalOf(cashier.as, approvalId)).toMatchObject({ status: 'rejected', decidedBy: cashier.email });
  });

  test('changes of access need two people, also the change of the rule, and no PIN suffices', async () => {
    const { api, credentials } = fixture();
    const currentPassword = api.adminPassword;
    await createPerson(fixture(), 'admin');
    const admin = await createPerson(fixture(), 'admin');
    await setPin(admin, PIN);
    await setRules(fixture(), { accessChanges: true });
    const keyBody = { name: 'shop', scope: 'merchant', merchantId: credentials.merchantId, currentPassword };
    const { approvalId } = await expectData(api.admin.post<Waiting>('/api-keys', keyBody), 202);
    const byPin = { approverId: admin.userId, pin: PIN };
    await expectError(api.admin.post(`/approvals/${approvalId}/approve`, byPin), 403, 'PERMISSION_DENIED');
    const approved = await admin.as.post<ApprovalRecord>(`/approvals/${approvalId}/approve`, {});
    expect(approved.text).not.toMatch(/pk_(sandbox|live)_/);
    expect((await approvalOf(api.admin, approvalId)).result?.data.key).toMatch(/^pk_/);
    const role = await expectData(api.admin.post<Waiting>('/roles', { name: 'Helper', permissions: ['transactions:read'] }), 202);
    await expectData(admin.as.post(`/approvals/${role.approvalId}/approve`, {}));
    expect((await approvalOf(api.admin, role.approvalId)).resultStatus).toBe(201);
    const path = `/merchants/${credentials.merchantId}/users`;
    const withPassword = { email: 'second@demo.example', role: 'cashier', password: 'a long password' };
    await expectError(api.admin.post(path, withPassword), 403, 'PERMISSION_DENIED');
    await expectData(api.admin.post(path, { ...withPassword, password: undefined }), 202);
    await expectData(api.admin.delete(`${path}/${admin.userId}`), 202);
    const limit = `/merchants/${await createMerchant(fixture())}/permissions`;
    const raised = await expectData(api.admin.put<Waiting>(limit, { permissions: ['transactions:read'] }), 202);
    expect(await expectData(api.admin.get(limit))).toEqual({ permissions: null });
    await expectData(admin.as.post(`/approvals/${raised.approvalId}/approve`, {}));
    expect(await expectData(api.admin.get(limit))).toEqual({ permissions: ['transactions:read'] });
    const off = await expectData(api.admin.put<Waiting>('/approvals/rules', { accessChanges: false, currentPassword }), 202);
    await expectData(admin.as.post(`/approvals/${off.approvalId}/approve`, {}));
    expect(await expectData(api.admin.get('/approvals/rules'))).toMatchObject({ accessChanges: false });
  });
});

describeOnBothDatabases('decisions on an approval at the same time', (fixture) => {
  test('ten approvals at the same time run the operation once', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 });
    const sale = await sellIn(fixture(), merchantId, 100);
    const { approvalId } = await expectData(refundOf(cashier.as, sale, 30), 202);
    const answers = await Promise.all(Array.from({ length: 10 }, () => manager.as.post(`/approvals/${approvalId}/approve`, {})));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await expectData(cashier.as.get(`/transactions/${sale.transactionId}`))).toMatchObject({ refundedAmount: 30 });
  });

  test('one of an approval and a rejection at the same time wins', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 });
    const sale = await sellIn(fixture(), merchantId, 100);
    const { approvalId } = await expectData(refundOf(cashier.as, sale, 30), 202);
    await Promise.all([
      manager.as.post(`/approvals/${approvalId}/approve`, {}),
      manager.as.post(`/approvals/${approvalId}/reject`, { reason: 'no receipt' }),
    ]);
    const { status } = await approvalOf(cashier.as, approvalId);
    const { refundedAmount } = await expectData(cashier.as.get<TransactionRecord>(`/transactions/${sale.transactionId}`));
    expect(['approved', 'rejected']).toContain(status);
    expect(refundedAmount).toBe(status === 'approved' ? 30 : 0);
    await expectError(manager.as.post(`/approvals/${approvalId}/reject`, { reason: 'late' }), 409, 'RESOURCE_CONFLICT');
  });
});
