import { expect, test } from 'vitest';
import { createOrder, getOrder } from '../../support/orders.ts';
import type { RunRecord } from '../../support/reconciliation.ts';
import { bankBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant, settle, settleOnRequest, zoneAtNoon } from '../../support/settlements.ts';
import { takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';

describeOnBothDatabases('POST /sandbox/returns', (fixture, inFull) => {
  const debit = (amount: number, more: Record<string, unknown> = {}) =>
    expectData(fixture().api.admin.post<TransactionRecord>('/transactions', bankBody(amount, more)));
  const giveBack = (transactionId: string, more: Record<string, unknown> = {}) =>
    fixture().api.admin.post<TransactionRecord & { returnCode: string }>('/sandbox/returns', { transactionId, ...more });

  test('opens the order of a returned bank payment again, and frees its lines, once of ten', async () => {
    const lineItems = [
      { description: 'Lamp', unitPrice: 40 },
      { description: 'Bulb', unitPrice: 10 },
    ];
    const { orderId } = await createOrder(fixture(), { lineItems });
    const { transactionId } = await debit(40, { orderId, orderLines: [0] });
    await takeTender(fixture(), 10, { orderId, orderLines: [1] });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => giveBack(transactionId, { code: 'R02', reason: 'Account closed' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await expectData(fixture().api.admin.get(`/transactions/${transactionId}`))).toMatchObject({
      returnCode: 'R02',
      refundStatus: 'full',
    });
    expect(await getOrder(fixture(), orderId)).toMatchObject({
      status: 'open',
      remainingAmount: 40,
      lineItems: [
        { remainingAmount: 40, paidBy: [] },
        { remainingAmount: 0, paidBy: [expect.any(String)] },
      ],
      payments: [{ returnedAmount: 40, lines: [] }, { lines: [{ line: 1, amount: 10 }] }],
    });
    await debit(40, { orderId, orderLines: [0] });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid' });
    const declined = await findEvent(fixture(), 'transaction.declined', ({ data }) => data.transactionId === transactionId);
    expect(declined?.data).toMatchObject({ returned: true, declineCode: 'R02', declineReason: 'Account closed', orderId });
  });

  test('is in the report of the processor, so that the settlement has no difference', inFull, async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture(), { timezone: await zoneAtNoon(fixture()) });
    await settleOnRequest(fixture(), merchantId);
    const { transactionId } = await debit(60.2, { merchantId });
    await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount: 20 }));
    await expectData(giveBack(transactionId));
    const [settlement] = await settle(fixture(), merchantId);
    const run = await expectData(
      api.admin.get<RunRecord>(`/settlement/reconciliation?date=${settlement?.settlementDate}&merchantId=${merchantId}`),
    );
    expect(run).toMatchObject({ discrepancies: [] });
  });

  test('refuses cards, unknown payments and those of other merchants', inFull, async () => {
    const { transactionId } = await createSale(fixture(), 12);
    const error = await expectError(giveBack(transactionId), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ reason: 'not_returnable', transactionId });
    await expectError(giveBack('txn_unknown'), 404, 'TRANSACTION_NOT_FOUND');
    const paid = await debit(12);
    const stranger = await createUser(fixture(), 'viewer', { permissions: ['settings:write'] }, await createMerchant(fixture()));
    const answer = fixture().api.bare.post('/api/v1/sandbox/returns', { transactionId: paid.transactionId }, stranger.headers);
    await expectError(answer, 403, 'MERCHANT_NOT_AUTHORIZED');
  });
});
