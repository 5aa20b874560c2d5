import { expect, test } from 'vitest';
import { createPerson, createShop, type Waiting } from '../../support/approvals.ts';
import { type PaymentOnReader, pairReader, present, readPayment } from '../../support/readers.ts';
import { CARDS } from '../../support/sales.ts';
import { type Answer, describeOnBothDatabases, expectData, expectError, type Surface } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

const creditOn = (as: Surface, terminalId: string, amount: number, more: Record<string, unknown> = {}) =>
  as.post<PaymentOnReader & Waiting>(`/terminals/${terminalId}/credit`, { amount, ...more });
const statuses = (answers: readonly Answer<unknown>[]) => answers.map(({ status }) => status).toSorted();

describeOnBothDatabases('credits to the card on a card reader', (fixture, inFull) => {
  test('are pending while the reader waits, and pay money to the card that is presented', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { transactionId } = await expectData(creditOn(service.api.admin, terminalId, 12.5, { orderId: 'return-7' }), 202);
    expect(await readPayment(service, transactionId)).toMatchObject({ type: 'credit', status: 'pending', orderId: 'return-7' });
    await present(service, terminalId, 'chip', CARDS.visa);
    expect(await readPayment(service, transactionId)).toMatchObject({
      type: 'credit',
      status: 'approved',
      amount: 12.5,
      captured: false,
      creditOf: null,
      channel: 'chip',
      card: { last4: '1111' },
      terminal: { state: 'approved', entryMode: 'chip' },
    });
    await expectError(service.api.admin.post(`/transactions/${transactionId}/credit`, { amount: 1 }), 409, 'RESOURCE_CONFLICT');
    await expectError(service.api.admin.post(`/transactions/${transactionId}/refund`, {}), 422, 'NOT_REFUNDABLE');
  });

  test('are declined, canceled and found after a lost answer as payments are', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const declined = await expectData(creditOn(service.api.admin, terminalId, 5), 202);
    await present(service, terminalId, 'chip', CARDS.noFunds);
    expect(await readPayment(service, declined.transactionId)).toMatchObject({ status: 'declined' });
    const canceled = await expectData(creditOn(service.api.admin, terminalId, 5), 202);
    const after = await expectData(service.api.admin.post(`/transactions/${canceled.transactionId}/cancel-terminal`));
    expect(after).toMatchObject({ status: 'failed', terminal: { canceledBy: 'clerk' } });
    const lost = await expectData(creditOn(service.api.admin, terminalId, 5), 202);
    await present(service, terminalId, 'unplug_after_approval');
    expect(await readPayment(service, lost.transactionId)).toMatchObject({ status: 'pending', terminal: { state: 'unconfirmed' } });
  });

  test('the Public and the SDK surface pay money to a presented card too', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const first = await expectData(creditOn(service.api.public, terminalId, 3), 202);
    await present(service, terminalId, 'contactless');
    expect(await readPayment(service, first.transactionId)).toMatchObject({ type: 'credit', status: 'approved' });
    const { sdk } = service.api;
    const answer = await sdk.post('/credit', { Amount: '4.00', TerminalId: terminalId });
    expect(answer.status).toBe(202);
    await present(service, terminalId, 'chip');
    expect((await sdk.post('/credit', { Amount: '4.00', TerminalId: terminalId, TransactionId: first.transactionId })).status).toBe(400);
    expect((await sdk.post('/credit', { Amount: '4.00' })).status).toBe(400);
  });

  test('need the permission of unlinked credits', inFull, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { terminalId } = await pairReader(service, { merchantId });
    for (const role of ['cashier', 'accountant', 'viewer']) {
      const { as } = await createPerson(service, role, merchantId);
      const { details } = await expectError(creditOn(as, terminalId, 5000), 403, 'PERMISSION_DENIED');
      expect(details).toMatchObject({ permission: 'credits:write' });
    }
  });

  test('ten parallel credits on one reader start one', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const answers = await Promise.all(Array.from({ length: 10 }, () => creditOn(service.api.admin, terminalId, 6)));
    expect(statuses(answers)).toEqual([202, ...Array.from({ length: 9 }, () => 409)]);
    await present(service, terminalId, 'cancel');
  });

  test('ten parallel requests with one key, and one after the payment, are one credit', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const key = { 'Idempotency-Key': `return-of-${terminalId}` };
    const pay = () => service.api.admin.post<PaymentOnReader>(`/terminals/${terminalId}/credit`, { amount: 6 }, key);
    const answers = await Promise.all(Array.from({ length: 10 }, pay));
    const started = new Set(answers.flatMap(({ status, body }) => (status === 202 ? [body.data.transactionId] : [])));
    expect(started.size).toBe(1);
    await present(service, terminalId, 'chip');
    const repeated = await pay();
    expect(repeated.body.data.transactionId).toBe([...started][0]);
    const credits = await expectData(service.api.admin.get<PaymentOnReader[]>(`/transactions?type=credit&terminalId=${terminalId}`));
    expect(credits).toMatchObject([{ status: 'approved', amount: 6 }]);
  });

  test('count in the limits of a day with those of payments, also ten at once on ten readers', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    await expectData(service.api.admin.put(`/merchants/${merchantId}/fraud-settings`, { maxAmount: 50, maxCreditsPerDay: 30 }));
    const readers = [];
    for (let index = 0; index < 10; index += 1) readers.push((await pairReader(service, { merchantId })).terminalId);
    await expectError(creditOn(service.api.admin, readers[0] ?? '', 51), 422, 'INVALID_AMOUNT');
    const answers = await Promise.all(readers.map((terminalId) => creditOn(service.api.admin, terminalId, 10)));
    expect(statuses(answers)).toEqual([202, 202, 202, ...Array.from({ length: 7 }, () => 422)]);
  });

  test('wait for a second person where the rules say so, and start on the reader after the approval', inFull, async () => {
    const service = fixture();
    const shop = await createShop(service, { unlinkedCredit: true });
    const { terminalId } = await pairReader(service, { merchantId: shop.merchantId });
    const requester = await createPerson(service, 'cashier', shop.merchantId, {
      permissions: ['transactions', 'terminals:read', 'credits:write'],
    });
    const { approvalId } = await expectData(creditOn(requester.as, terminalId, 5), 202);
    const reader = () => expectData(service.api.admin.get<{ payment: { transactionId: string } | null }>(`/terminals/${terminalId}`));
    expect((await reader()).payment).toBeNull();
    await expectData(shop.manager.as.post(`/approvals/${approvalId}/approve`, {}));
    const transactionId = (await reader()).payment?.transactionId ?? '';
    await present(service, terminalId, 'chip');
    expect(await readPayment(service, transactionId)).toMatchObject({ type: 'credit', status: 'approved' });
  });
});
