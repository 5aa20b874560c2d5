import { expect, test } from 'vitest';
import { type ApprovalRecord, createPerson, createShop, setRules, type Waiting } from '../../support/approvals.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import {
  type ApiFixture,
  describeOnAnyDatabase,
  describeOnBothDatabases,
  expectData,
  expectError,
  type Surface,
} from '../../support/server.ts';
import { createMerchant, sell, zoneAtNoon } from '../../support/settlements.ts';
import { findEvent } from '../../support/webhooks.ts';

interface Asked extends ApprovalRecord {
  readonly requestReason: string | null;
  readonly details: Record<string, unknown>;
  readonly requestsOfDay: { readonly count: number; readonly amounts: readonly { readonly amount: number; readonly currency: string }[] };
}

const withReason = (reason: string) => ({ 'Paydesk-Approval-Reason': encodeURIComponent(reason) });
/** A request that asks for the question: blanks around a value are no part of it. */
const ASKS = { 'Paydesk-Approval-Reason': ' ' };
const refundOf = (as: Surface, transactionId: string, body: object, headers = {}) =>
  as.post<Waiting & TransactionRecord>(`/transactions/${transactionId}/refund`, body, headers);
const approvalOf = (as: Surface, approvalId: string) => expectData(as.get<Asked>(`/approvals/${approvalId}`));
const saleIn = async (fixture: ApiFixture, merchantId: string, amount = 100) =>
  String((await sell(fixture, merchantId, amount, { customer: { name: 'Ada Marlow' } })).transactionId);

describeOnAnyDatabase('reasons of approvals', (fixture) => {
  test('shows the reason, the customer and the payment to the approver, in the event and in the audit log', async () => {
    const { api } = fixture();
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 });
    const sale = await saleIn(fixture(), merchantId);
    const reason = 'Café was cold, él dijo';
    const { approvalId } = await expectData(refundOf(cashier.as, sale, { amount: 30, reason: 'cold' }, withReason(` ${reason} `)), 202);
    expect(await approvalOf(manager.as, approvalId)).toMatchObject({
      requestReason: reason,
      details: { customerName: 'Ada Marlow', paymentAmount: 100, paymentCurrency: 'USD', last4: '1111' },
    });
    const [listed] = (await manager.as.get<Asked[]>(`/approvals?merchantId=${merchantId}`)).body.data;
    expect(listed).toMatchObject({ approvalId, requestReason: reason });
    const event = await findEvent(fixture(), 'approval.requested', ({ data }) => data.approvalId === approvalId);
    expect(event.data).toMatchObject({ requestReason: reason, customerName: 'Ada Marlow' });
    const entries = (await api.admin.get<{ after: object }[]>(`/audit-logs?resource=approvals/${approvalId}`)).body.data;
    expect(entries[0]).toMatchObject({ after: { requestReason: reason, customerName: 'Ada Marlow' } });
  });

  test('takes the reason of the operation if the request names none', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 });
    const sale = await saleIn(fixture(), merchantId);
    const { approvalId } = await expectData(refundOf(cashier.as, sale, { amount: 30, reason: 'Wrong size' }, ASKS), 202);
    expect(await approvalOf(manager.as, approvalId)).toMatchObject({ requestReason: 'Wrong size' });
    const without = await expectData(refundOf(cashier.as, sale, { amount: 31 }), 202);
    expect(await approvalOf(manager.as, without.approvalId)).toMatchObject({ requestReason: null });
  });

  test('refuses a request with an empty reason without storing it, and takes it with one under the same Idempotency-Key', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 });
    const sale = await saleIn(fixture(), merchantId);
    const key = { 'Idempotency-Key': `reason ${sale}` };
    const asked = await expectError(refundOf(cashier.as, sale, { amount: 30 }, { ...key, ...ASKS }), 403, 'PERMISSION_DENIED');
    expect(asked.details).toMatchObject({
      reason: 'approval_reason_required',
      rule: expect.stringContaining('Refunds above 10 USD need two'),
    });
    expect((await manager.as.get(`/approvals?merchantId=${merchantId}`)).body.data).toEqual([]);
    const { approvalId } = await expectData(refundOf(cashier.as, sale, { amount: 30 }, { ...key, ...withReason('Wrong size') }), 202);
    expect(await approvalOf(manager.as, approvalId)).toMatchObject({ requestReason: 'Wrong size' });
  });

  test('refuses a card number, a second line, a long text and a wrong encoding as the reason, before anything is done', async () => {
    const { merchantId, cashier } = await createShop(fixture(), {});
    const sale = await saleIn(fixture(), merchantId);
    const header = 'Paydesk-Approval-Reason';
    for (const sent of ['4111 1111 1111 1111', 'one\ntwo', 'a'.repeat(201), '   '].map(encodeURIComponent).concat('%E0%A4%A'))
      await expectError(refundOf(cashier.as, sale, { amount: 5 }, { [header]: sent }), 400, 'VALIDATION_ERROR', header);
    expect(await expectData(cashier.as.get(`/transactions/${sale}`))).toMatchObject({ refundedAmount: 0 });
    await expectData(refundOf(cashier.as, sale, { amount: 5 }, withReason('a'.repeat(200))));
  });

  test('hides reasons from colleagues and from people of other merchants', async () => {
    const { merchantId, cashier } = await createShop(fixture(), { refundAbove: 10 }, { isBound: true });
    const other = await createShop(fixture(), {}, { isBound: true });
    const colleague = await createPerson(fixture(), 'cashier', merchantId);
    const sale = await saleIn(fixture(), merchantId);
    const { approvalId } = await expectData(refundOf(cashier.as, sale, { amount: 30 }, withReason('Confidential')), 202);
    await expectError(other.manager.as.get(`/approvals/${approvalId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(colleague.as.get(`/approvals/${approvalId}`), 404, 'NOT_FOUND');
    for (const { as } of [other.manager, other.cashier, colleague]) {
      expect((await as.get('/approvals')).body.data).toEqual([]);
      expect((await as.get(`/webhooks/events?types=approval.requested&limit=100`)).text).not.toContain('Confidential');
      expect((await as.get('/audit-logs?limit=100')).text).not.toContain('Confidential');
    }
  });

  test('requires a reason to reject the request of another person, and none to withdraw it', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 });
    const sale = await saleIn(fixture(), merchantId);
    const ask = async () => (await expectData(refundOf(cashier.as, sale, { amount: 30 }), 202)).approvalId;
    const first = await ask();
    for (const body of [{}, { reason: '' }, { reason: '  ' }])
      await expectError(manager.as.post(`/approvals/${first}/reject`, body), 400, 'REQUIRED_FIELD_MISSING', 'reason');
    expect(await approvalOf(manager.as, first)).toMatchObject({ status: 'pending' });
    const rejected = await expectData(manager.as.post(`/approvals/${first}/reject`, { reason: ' No receipt ' }));
    expect(rejected).toMatchObject({ status: 'rejected', note: 'No receipt' });
    expect(await expectData(cashier.as.post(`/approvals/${await ask()}/reject`, {}))).toMatchObject({ status: 'rejected', note: null });
  });
});

describeOnBothDatabases('requests of a person on a day', (fixture) => {
  test('counts and sums them by currency, for an approver of one merchant without those of other merchants', async () => {
    const merchant = { timezone: await zoneAtNoon(fixture()) };
    const { merchantId, cashier, manager } = await createShop(fixture(), { refundAbove: 10 }, { merchant });
    const otherId = await createMerchant(fixture(), merchant);
    await setRules(fixture(), { refundAbove: 10 }, otherId);
    const ofOne = await createPerson(fixture(), 'manager', merchantId);
    const clerk = await createPerson(fixture(), 'cashier');
    const ask = async (of: string, amount: number) =>
      (await expectData(refundOf(clerk.as, await saleIn(fixture(), of), { amount }, withReason('Wrong size')), 202)).approvalId;
    const first = await ask(merchantId, 30.5);
    await ask(merchantId, 20);
    await ask(otherId, 49.5);
    // Requests of another person do not count.
    await expectData(refundOf(cashier.as, await saleIn(fixture(), merchantId), { amount: 77 }), 202);
    expect((await approvalOf(manager.as, first)).requestsOfDay).toEqual({ count: 3, amounts: [{ amount: 100, currency: 'USD' }] });
    expect((await approvalOf(ofOne.as, first)).requestsOfDay).toEqual({ count: 2, amounts: [{ amount: 50.5, currency: 'USD' }] });
  });
});
