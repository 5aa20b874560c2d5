import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import {
  type Answer,
  type ApiFixture,
  describeOnAnyDatabase,
  describeOnBothDatabases,
  expectData,
  expectError,
} from '../../support/server.ts';
import { createMerchant, sell, settle } from '../../support/settlements.ts';
import { advanceClock } from '../../support/webhooks.ts';

const REQUESTS = 10;
const race = <Result>(send: (index: number) => Promise<Result>) => Promise.all(Array.from({ length: REQUESTS }, (_, index) => send(index)));
const succeeded = <Data>(answers: readonly Answer<Data>[]) => answers.filter(({ status }) => status === 200);

const post = ({ api }: ApiFixture, id: string, operation: string, body?: object) =>
  api.admin.post<TransactionRecord>(`/transactions/${id}/${operation}`, body);
const tipsOf = async ({ api }: ApiFixture, merchantId: string) => {
  const ledger = await expectData(
    api.admin.get<{ merchants: { accounts: Record<string, number> }[] }>(`/settlement/ledger?merchantId=${merchantId}`),
  );
  return ledger.merchants[0]?.accounts;
};

describeOnAnyDatabase('the amount of an open authorization', (fixture) => {
  test('is raised and lowered, and its capture is limited by the new amount', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { transactionId } = await sell(service, merchantId, 100, { type: 'auth', taxAmount: 10 });
    expect(await expectData(post(service, transactionId, 'adjust', { amount: 150 }))).toMatchObject({ amount: 150, taxAmount: 10 });
    expect(await expectData(post(service, transactionId, 'adjust', { amount: 80, taxAmount: 8 }))).toMatchObject({
      amount: 80,
      taxAmount: 8,
    });
    expect(await expectData(post(service, transactionId, 'adjust', { amount: 40 }))).toMatchObject({ amount: 40, taxAmount: 4 });
    await expectError(post(service, transactionId, 'capture', { amount: 40.01 }), 422, 'INVALID_AMOUNT');
    expect(await expectData(post(service, transactionId, 'capture'))).toMatchObject({ capturedAmount: 40, taxAmount: 4 });
    await expectError(post(service, transactionId, 'adjust', { amount: 50 }), 409, 'ALREADY_CAPTURED');
    const record = await expectData(service.api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
    expect(record.history.map(({ action, amount }) => [action, amount])).toEqual([
      ['auth', 100],
      ['adjust', 150],
      ['adjust', 80],
      ['adjust', 40],
      ['capture', 40],
    ]);
  });

  test('stays unchanged if the issuer refuses the raise', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { transactionId } = await sell(service, merchantId, 100, { type: 'auth' });
    await expectError(post(service, transactionId, 'adjust', { amount: 1000 }), 422, 'TRANSACTION_DECLINED');
    expect(await expectData(service.api.admin.get(`/transactions/${transactionId}`))).toMatchObject({ amount: 100, status: 'approved' });
  });

  test('is listed two days before it expires, until it is captured', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { transactionId } = await sell(service, merchantId, 100, { type: 'auth' });
    const listed = () => expectData(service.api.admin.get<TransactionRecord[]>(`/transactions/expiring?merchantId=${merchantId}`));
    expect(await listed()).toEqual([]);
    await advanceClock(service, 5 * 86_400 + 60);
    expect((await listed()).map((row) => row.transactionId)).toEqual([transactionId]);
    await expectData(post(service, transactionId, 'capture'));
    expect(await listed()).toEqual([]);
  });
});

describeOnBothDatabases('the amount of an open authorization', (fixture) => {
  test('is raised once by ten parallel requests, with one Idempotency-Key or without', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const key = { 'Idempotency-Key': randomUUID() };
    const keyed = await sell(service, merchantId, 100, { type: 'auth' });
    const path = `/transactions/${keyed.transactionId}/adjust`;
    const same = await race(() => service.api.admin.post<TransactionRecord>(path, { amount: 120 }, key));
    for (const answer of succeeded(same)) expect(answer.body.data.amount).toBe(120);
    const open = await sell(service, merchantId, 100, { type: 'auth' });
    expect(succeeded(await race(() => post(service, open.transactionId, 'adjust', { amount: 120 })))).toHaveLength(1);
    for (const { transactionId } of [keyed, open]) {
      const { history } = await expectData(service.api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
      expect(history.filter(({ action }) => action === 'adjust')).toHaveLength(1);
    }
  });
});

describeOnAnyDatabase('the tip of a payment', (fixture) => {
  test('is added to a sale until it settles, and taken off again', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { transactionId } = await sell(service, merchantId, 100, { taxAmount: 5 });
    const tipped = await expectData(post(service, transactionId, 'tip', { tipAmount: '20.00' }));
    expect(tipped).toMatchObject({ amount: 120, capturedAmount: 120, tipAmount: 20, taxAmount: 5 });
    expect(await tipsOf(service, merchantId)).toMatchObject({ processor: 120, unsettled: -120, tips: -20, taxes: -5 });
    expect(await expectData(post(service, transactionId, 'tip', { tipAmount: 15 }))).toMatchObject({ amount: 115, tipAmount: 15 });
    await settle(service, merchantId);
    const error = await expectError(post(service, transactionId, 'tip', { tipAmount: 10 }), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ reason: 'settled' });
    expect(await tipsOf(service, merchantId)).toMatchObject({ unsettled: 0, tips: -15 });
  });

  test('raises an authorization, and moves with its capture', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { transactionId } = await sell(service, merchantId, 50, { type: 'auth' });
    expect(await expectData(post(service, transactionId, 'tip', { tipAmount: 10 }))).toMatchObject({ amount: 60, captured: false });
    expect(await expectData(post(service, transactionId, 'capture'))).toMatchObject({ capturedAmount: 60, tipAmount: 10 });
    expect(await expectData(post(service, transactionId, 'tip', { tipAmount: 12 }))).toMatchObject({ amount: 62, capturedAmount: 62 });
    expect(await expectData(post(service, transactionId, 'cancel-capture'))).toMatchObject({ amount: 62, tipAmount: 12, captured: false });
  });

  test('leaves the tax of the authorization unchanged if the capture is canceled', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { transactionId } = await sell(service, merchantId, 100, { type: 'auth', taxAmount: 8 });
    const capture = await expectData(post(service, transactionId, 'capture', { amount: 50 }));
    expect(capture).toMatchObject({ capturedAmount: 50, taxAmount: 4 });
    expect(await expectData(post(service, transactionId, 'tip', { tipAmount: 10 }))).toMatchObject({ capturedAmount: 60, taxAmount: 4 });
    const open = { amount: 100, tipAmount: 0, taxAmount: 8, captured: false };
    expect(await expectData(post(service, transactionId, 'cancel-capture'))).toMatchObject(open);
    // A tip above the authorized amount raises it, and stays.
    await expectData(post(service, transactionId, 'capture', { amount: 95 }));
    await expectData(post(service, transactionId, 'tip', { tipAmount: 15 }));
    const raised = { amount: 110, tipAmount: 10, taxAmount: 8, captured: false };
    expect(await expectData(post(service, transactionId, 'cancel-capture'))).toMatchObject(raised);
    expect(await expectData(post(service, transactionId, 'capture'))).toMatchObject({ ...raised, captured: true, capturedAmount: 110 });
    expect(await tipsOf(service, merchantId)).toMatchObject({ processor: 110, unsettled: -110, tips: -10, taxes: -8 });
  });

  test('is not changed after a refund, and never on a bank payment', async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { transactionId } = await sell(service, merchantId, 100);
    await expectData(post(service, transactionId, 'refund', { amount: 10 }));
    await expectError(post(service, transactionId, 'tip', { tipAmount: 5 }), 409, 'RESOURCE_CONFLICT');
    await expectError(post(service, transactionId, 'tip', { tipAmount: -5 }), 400, 'INVALID_AMOUNT');
  });
});

describeOnBothDatabases('the tip of a payment', (fixture) => {
  test('is added once by ten parallel requests over the Admin, Public and SDK surfaces', async () => {
    const service = fixture();
    const { transactionId } = await expectData(service.api.admin.post<TransactionRecord>('/transactions', cardBody(80, CARDS.visa)));
    const answers = await race<{ status: number }>((index) => {
      if (index % 3 === 0) return post(service, transactionId, 'tip', { tipAmount: 8 });
      if (index % 3 === 1) return service.api.public.post('/tip', { transactionId, tipAmount: 8 });
      return service.api.sdk.post('/tip', { TransactionId: transactionId, TipAmount: '8.00' });
    });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await expectData(service.api.admin.get(`/transactions/${transactionId}`))).toMatchObject({ amount: 88, tipAmount: 8 });
  });
});
