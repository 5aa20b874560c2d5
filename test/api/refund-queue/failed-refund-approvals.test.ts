import { expect, test } from 'vitest';
import { type ApprovalRecord, createShop, type Waiting } from '../../support/approvals.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData } from '../../support/server.ts';

interface Entry {
  id: string;
  status: string;
  refundTransactionId: string;
}

const QUEUE = '/refund-decline-queue';

describeOnAnyDatabase('approvals of failed refunds', (fixture) => {
  /** Creates a payment with a failed refund of 80 and a later one of 80 that waits for its retry, below a limit of 100 each. */
  async function failedRefund() {
    const { api } = fixture();
    const { merchantId, ...staff } = await createShop(fixture(), { refundAbove: 100 });
    const setAttempts = (refundMaxAttempts: number) =>
      expectData(api.admin.put(`/merchants/${merchantId}/settings`, { refundMaxAttempts }));
    await setAttempts(1);
    const paid = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(200, CARDS.refundDeclined, { merchantId })));
    const path = `/transactions/${paid.transactionId}`;
    await staff.cashier.as.post(`${path}/refund`, { amount: 80 });
    const [entry] = await expectData(api.admin.get<Entry[]>(`${QUEUE}?merchantId=${merchantId}`));
    if (!entry) throw new Error('a declined refund has an entry');
    await expectData(api.admin.post(`${QUEUE}/process-retries`));
    expect(await expectData(api.admin.get(`${QUEUE}/${entry.id}`))).toMatchObject({ status: 'failed' });
    await setAttempts(9);
    await staff.cashier.as.post(`${path}/refund`, { amount: 80 });
    expect(await expectData(api.admin.get(path))).toMatchObject({ reservedAmount: 80 });
    return { ...staff, path, entry };
  }

  test('retries a failed refund after an approval if other refunds of the payment exceed the limit with it', async () => {
    const { cashier, manager, path, entry } = await failedRefund();
    const { approvalId } = await expectData(cashier.as.post<Waiting>(`${QUEUE}/${entry.id}/retry`), 202);
    expect(await expectData(cashier.as.get<TransactionRecord>(path))).toMatchObject({ reservedAmount: 80 });
    const waiting = await expectData(manager.as.get<ApprovalRecord>(`/approvals/${approvalId}`));
    expect(waiting).toMatchObject({ kind: 'refund', amount: 80, reason: expect.stringContaining('160.00 USD') });
    expect(await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}))).toMatchObject({ resultStatus: 200 });
    expect(await expectData(cashier.as.get<TransactionRecord>(path))).toMatchObject({ reservedAmount: 160 });
    const refund = await expectData(cashier.as.get(`/refunds/${entry.refundTransactionId}`));
    expect(refund).toMatchObject({ approvedBy: manager.email });
  });

  test('resolves a failed refund after an approval if other refunds of the payment exceed the limit with it', async () => {
    const { cashier, manager, path, entry } = await failedRefund();
    const { approvalId } = await expectData(cashier.as.post<Waiting>(`${QUEUE}/${entry.id}/resolve`, { refundMethod: 'cash' }), 202);
    expect(await expectData(cashier.as.get<TransactionRecord>(path))).toMatchObject({ refundedAmount: 0 });
    await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
    expect(await expectData(cashier.as.get<TransactionRecord>(path))).toMatchObject({ refundedAmount: 80, reservedAmount: 80 });
  });
});
