import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { type ApprovalRecord, createShop, type Waiting } from '../../support/approvals.ts';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Answer, describeOnAnyDatabase, expectData, expectError, onBothDatabases, type Surface } from '../../support/server.ts';
import { sell } from '../../support/settlements.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
type Tipped = TransactionRecord & Waiting & { tipAmount: number };
const tip = (as: Surface, transactionId: unknown, tipAmount: number) =>
  as.post<Tipped>(`/transactions/${transactionId}/tip`, { tipAmount });

describeOnAnyDatabase('tips above the limit of a merchant', (fixture) => {
  test('need an approval when they are set on a sale, and run once after it', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), {});
    const { transactionId } = await sell(fixture(), merchantId, 20);
    const { approvalId } = await expectData(tip(cashier.as, transactionId, 979.99), 202);
    expect(await expectData(manager.as.get<ApprovalRecord>(`/approvals/${approvalId}`))).toMatchObject({
      kind: 'tip',
      amount: 979.99,
      reason: 'Tips above 100 percent need two people. This one is 979.99 USD on 20.00 USD.',
    });
    expect(await expectData(cashier.as.get(`/transactions/${transactionId}`))).toMatchObject({ amount: 20 });
    await expectData(tip(cashier.as, transactionId, 20));
    await expectError(cashier.as.post(`/approvals/${approvalId}/approve`, {}), 403, 'PERMISSION_DENIED');
    await expectData(tip(manager.as, transactionId, 20.01));
  });

  test('need it in new payments with a token, and are refused with a card, which is not kept', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), {});
    const { token } = (await sell(fixture(), merchantId, 1)) as unknown as TransactionRecord;
    const body = { merchantId, paymentMethod: 'token', token, amount: 60, tipAmount: 40 };
    const { approvalId } = await expectData(cashier.as.post<Waiting>('/transactions', body), 202);
    await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
    const { result } = await expectData(cashier.as.get<ApprovalRecord>(`/approvals/${approvalId}`));
    expect(result?.data).toMatchObject({ amount: 60, tipAmount: 40, status: 'approved' });
    const keyed = cashier.as.post('/transactions', cardBody(60, CARDS.visa, { merchantId, tipAmount: 40 }));
    const { message } = await expectError(keyed, 403, 'PERMISSION_DENIED');
    expect(message).toContain('set the tip afterwards');
    await expectData(cashier.as.post('/transactions', cardBody(60, CARDS.visa, { merchantId, tipAmount: 30 })));
  });

  test('need it at the capture and with a raised authorization, unless the share was agreed before', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { maxTipPercent: 20 });
    const held = async (more: object = {}) => String((await sell(fixture(), merchantId, 60, { type: 'auth', ...more })).transactionId);
    const post = (id: string, operation: string, body: object) => cashier.as.post<Tipped>(`/transactions/${id}/${operation}`, body);
    const one = await held();
    await expectData(post(one, 'capture', { tipAmount: 10.01 }), 202);
    await expectData(post(one, 'capture', { tipAmount: 10 }));
    const two = await held();
    await expectData(post(two, 'adjust', { amount: 72.1, tipAmount: 12.1 }), 202);
    await expectData(post(two, 'adjust', { amount: 72, tipAmount: 12 }));
    const three = await held({ tipAmount: 30 });
    await expectData(post(three, 'adjust', { amount: 40 }));
    await expectData(post(three, 'capture', { amount: 30, tipAmount: 15 }));
    expect(await expectData(manager.as.get(`/transactions/${three}`))).toMatchObject({ capturedAmount: 30, tipAmount: 15 });
  });

  test('need it in payments that are charged later', async () => {
    const { merchantId, cashier } = await createShop(fixture(), {});
    const { api } = fixture();
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { chargeLaterMaxAmount: 500 }));
    const { customerId } = await createCustomer(fixture(), { merchantId });
    await storeCard(fixture(), customerId, undefined, { consentText: 'Charge it later.' });
    const queue = (tipAmount: number) => cashier.as.post<Waiting>('/queued-payments', { merchantId, customerId, amount: 60, tipAmount });
    await expectData(queue(31), 202);
    await expectData(queue(30), 201);
  });

  test('need it for API keys too', async () => {
    const { api, baseUrl, credentials } = fixture();
    const { merchantId } = await createShop(fixture(), {});
    const body = { name: 'till', scope: 'merchant', merchantId, currentPassword: api.adminPassword };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
    const asKey = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
    const { transactionId } = await sell(fixture(), merchantId, 20);
    await expectData(asKey.post('/tip', { transactionId, tipAmount: 21 }), 202);
  });
});

describeOnAnyDatabase('a lowered tip', (fixture) => {
  const tipped = async (rules: object, amount: number, tipAmount: number) => {
    const { merchantId, ...staff } = await createShop(fixture(), rules);
    const { transactionId } = await sell(fixture(), merchantId, amount, { tipAmount });
    return { ...staff, transactionId };
  };

  test('counts as a refund if the tip was above the limit, also in steps', async () => {
    const { cashier, manager, transactionId } = await tipped({ refundAbove: 20 }, 500, 450);
    await expectData(tip(cashier.as, transactionId, 0), 202);
    await expectData(tip(cashier.as, transactionId, 430));
    const { approvalId } = await expectData(tip(cashier.as, transactionId, 429.99), 202);
    expect(await expectData(manager.as.get<ApprovalRecord>(`/approvals/${approvalId}`))).toMatchObject({ kind: 'refund', amount: 0.01 });
    await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
    expect(await expectData(cashier.as.get(`/transactions/${transactionId}`))).toMatchObject({ tipAmount: 429.99 });
  });

  test('needs no approval if the tip was within the limit', async () => {
    const { cashier, transactionId } = await tipped({ refundAbove: 20 }, 200, 100);
    await expectData(tip(cashier.as, transactionId, 0));
  });
});

onBothDatabases('of ten parallel tips, none is above the limit', async (fixture) => {
  const { merchantId, cashier } = await createShop(fixture, {});
  const { transactionId } = await sell(fixture, merchantId, 20);
  const answers: Answer<Tipped>[] = await Promise.all(TEN.map((index) => tip(cashier.as, transactionId, 16 + index)));
  expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(0);
  for (const { status, body } of answers) if (status === 200) expect(body.data.tipAmount).toBeLessThanOrEqual(20);
  const { amount } = await expectData(cashier.as.get<Tipped>(`/transactions/${transactionId}`));
  expect(amount).toBeLessThanOrEqual(40);
});
