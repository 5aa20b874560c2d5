import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { type ApprovalRecord, createClerk, createShop, type Waiting } from '../../support/approvals.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, onBothDatabases, type Surface } from '../../support/server.ts';
import { sell } from '../../support/settlements.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
type Credit = TransactionRecord & Waiting & { creditOf: string | null; approvedBy: string | null };

async function shopWithSale(fixture: ApiFixture) {
  const shop = await createShop(fixture, { refundAbove: 100 });
  const { transactionId } = (await sell(fixture, shop.merchantId, 300)) as unknown as TransactionRecord;
  return { ...shop, cashier: await createClerk(fixture, shop.merchantId), transactionId };
}

const creditOf = (as: Surface, transactionId: string, amount: number) =>
  as.post<Credit>(`/transactions/${transactionId}/credit`, { amount });
const refundOf = (as: Surface, transactionId: string, amount: number) =>
  as.post<Waiting>(`/transactions/${transactionId}/refund`, { amount });

describeOnAnyDatabase('approvals of credits above the limit of refunds', (fixture) => {
  test('a credit above the limit waits, and runs once after the approval', async () => {
    const { cashier, manager, transactionId } = await shopWithSale(fixture());
    const { approvalId } = await expectData(creditOf(cashier.as, transactionId, 120), 202);
    const waiting = await expectData(manager.as.get<ApprovalRecord>(`/approvals/${approvalId}`));
    expect(waiting).toMatchObject({ kind: 'unlinked_credit', amount: 120, reason: expect.stringContaining('120.00 USD') });
    // The payment that the approver can open, not the credit, which does not exist yet.
    expect(waiting).toMatchObject({ resource: `transactions/${transactionId}`, details: { transactionId } });
    await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
    const { result } = await expectData(cashier.as.get<ApprovalRecord>(`/approvals/${approvalId}`));
    expect(result?.data).toMatchObject({ type: 'credit', amount: 120, creditOf: transactionId, approvedBy: manager.email });
    await expectData(creditOf(manager.as, transactionId, 120));
  });

  test('credits and refunds of a payment count together, also credits of its credits', async () => {
    const { cashier, transactionId } = await shopWithSale(fixture());
    const first = await expectData(creditOf(cashier.as, transactionId, 40));
    expect(first).toMatchObject({ type: 'credit', creditOf: transactionId });
    const second = await expectData(creditOf(cashier.as, first.transactionId, 40));
    expect(second).toMatchObject({ creditOf: transactionId });
    await expectData(creditOf(cashier.as, second.transactionId, 21), 202);
    await expectData(refundOf(cashier.as, transactionId, 21), 202);
    await expectData(refundOf(cashier.as, transactionId, 20));
    await expectData(creditOf(cashier.as, transactionId, 1), 202);
  });

  test('an API key waits too, by the SDK', async () => {
    const { api, baseUrl } = fixture();
    const { merchantId, transactionId } = await shopWithSale(fixture());
    const body = { name: 'till', scope: 'merchant', merchantId, currentPassword: api.adminPassword };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
    const sdk = surfaceOf(baseUrl, '/api/v1/sdk', () => ({ Authorization: `Bearer ${key}` }));
    const credit = (Amount: number) => sdk.post<Record<string, unknown>>('/credit', { TransactionId: transactionId, Amount });
    expect((await credit(101)).status).toBe(202);
    expect(await expectData(credit(100))).toMatchObject({ Amount: '100.00', CreditOf: transactionId });
    expect((await credit(1)).status).toBe(202);
  });
});

onBothDatabases('of ten parallel credits above the limit of refunds, only those within the limit run', async (fixture) => {
  const { cashier, transactionId } = await shopWithSale(fixture);
  const answers = await Promise.all(TEN.map(() => creditOf(cashier.as, transactionId, 30)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(7);
});
