import { expect, test } from 'vitest';
import { cardholder, periods, subscribe } from '../../support/customers.ts';
import { doubts, gatewayMode } from '../../support/doubts.ts';
import { CARDS, declinedSale, settled, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';

type Detail = TransactionRecord & { rerun: { transactionId: string; status: string } | null };

const rerunOf = ({ api }: ApiFixture, id: string) => api.admin.post<Detail>(`/transactions/${id}/rerun`);
const detailOf = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<Detail>(`/transactions/${id}`));

async function expectConflict(on: ApiFixture, id: string, rerunId: string, reason: string): Promise<void> {
  const answers = [rerunOf(on, id), on.api.public.post('/rerun', { transactionId: id })];
  for (const answer of answers) {
    const error = await expectError(answer, 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ transactionId: rerunId, reason });
    expect(error.message).toContain(rerunId);
  }
}

/** A failed sale whose rerun is unconfirmed because the gateway is down when it is inquired about. The caller brings the gateway back. */
async function leaveRerunUnconfirmed(on: ApiFixture, card: string) {
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const original = await declinedSale(on, card);
    const asked = rerunOf(on, original.transactionId);
    await doubts(on);
    await gatewayMode(on, 'down');
    const error = (await asked).body.error;
    if (error.code === 'GATEWAY_TIMEOUT') {
      const rerunId = String(error.details?.transactionId);
      const [doubt] = (await doubts(on)).data.filter(({ transactionId }) => transactionId === rerunId);
      if (doubt) return { original, rerunId, doubtId: doubt.id };
    }
    await gatewayMode(on, 'normal');
  }
  throw new Error('no rerun was left unconfirmed');
}

describeOnBothDatabases('rerun of a declined sale', (fixture) => {
  test('rejects a second rerun on every surface after the first was approved', async () => {
    const on = fixture();
    const { transactionId } = await declinedSale(on);
    expect((await detailOf(on, transactionId)).rerun).toBeNull();
    const first = await expectData(rerunOf(on, transactionId));
    expect(first).toMatchObject({ status: 'approved', rerunOf: transactionId });
    await expectConflict(on, transactionId, first.transactionId, 'already_rerun');
    expect((await detailOf(on, transactionId)).rerun).toEqual({ transactionId: first.transactionId, status: 'approved' });
    expect((await detailOf(on, first.transactionId)).rerun).toBeNull();
  });

  test('shows the rerun on the Public and SDK surfaces too', async () => {
    const on = fixture();
    const { transactionId } = await declinedSale(on);
    const rerun = await expectData(on.api.public.post<Detail>('/rerun', { transactionId }));
    expect(await expectData(on.api.public.get<Detail>(`/transaction/${transactionId}`))).toMatchObject({
      rerun: { transactionId: rerun.transactionId, status: 'approved' },
    });
    expect(await expectData(on.api.sdk.get(`/query/${transactionId}`))).toMatchObject({
      Rerun: { TransactionId: rerun.transactionId, Status: 'approved' },
    });
  });

  test('rejects a second rerun after the first was voided or refunded', async () => {
    const on = fixture();
    for (const operation of ['void', 'refund']) {
      const { transactionId } = await declinedSale(on);
      const first = await expectData(rerunOf(on, transactionId));
      await expectData(on.api.admin.post(`/transactions/${first.transactionId}/${operation}`));
      await expectConflict(on, transactionId, first.transactionId, 'already_rerun');
    }
  });

  test('allows another rerun after a declined one, and names the latest', async () => {
    const on = fixture();
    const { transactionId } = await declinedSale(on, CARDS.noFunds);
    for (let round = 0; round < 3; round += 1) {
      const { body } = await rerunOf(on, transactionId);
      expect(body.data).toMatchObject({ status: 'declined', rerunOf: transactionId });
      expect((await detailOf(on, transactionId)).rerun).toEqual({ transactionId: body.data.transactionId, status: 'declined' });
    }
  });

  test('allows another rerun after the gateway refused to take one', async () => {
    const on = fixture();
    const { transactionId } = await declinedSale(on);
    await gatewayMode(on, 'down');
    await expectError(rerunOf(on, transactionId), 503, 'GATEWAY_UNAVAILABLE').finally(() => gatewayMode(on, 'normal'));
    expect(await expectData(rerunOf(on, transactionId))).toMatchObject({ status: 'approved' });
  });

  test('counts reruns of a declined rerun as reruns of the first sale', async () => {
    const on = fixture();
    const first = await declinedSale(on);
    const { body } = await rerunWhileBlocked(on, first.transactionId);
    expect(body.data).toMatchObject({ status: 'declined', rerunOf: first.transactionId });
    const second = await expectData(rerunOf(on, body.data.transactionId));
    expect(second).toMatchObject({ status: 'approved', rerunOf: body.data.transactionId });
    for (const id of [first.transactionId, body.data.transactionId]) await expectConflict(on, id, second.transactionId, 'already_rerun');
  });

  test('rejects a further rerun while one is unconfirmed and after it turns out approved', async () => {
    const on = fixture();
    const { original, rerunId, doubtId } = await leaveRerunUnconfirmed(on, CARDS.answerLost);
    try {
      await expectConflict(on, original.transactionId, rerunId, 'rerun_pending');
      expect((await detailOf(on, original.transactionId)).rerun).toEqual({ transactionId: rerunId, status: 'pending' });
    } finally {
      await gatewayMode(on, 'normal');
    }
    await on.api.admin.post(`/doubts/${doubtId}/inquire`);
    expect(await settled(on, rerunId)).toMatchObject({ status: 'approved' });
    await expectConflict(on, original.transactionId, rerunId, 'already_rerun');
  });

  test('allows another rerun after an unconfirmed one never reached the gateway', async () => {
    const on = fixture();
    const { original, rerunId, doubtId } = await leaveRerunUnconfirmed(on, CARDS.neverReceived);
    try {
      await expectConflict(on, original.transactionId, rerunId, 'rerun_pending');
    } finally {
      await gatewayMode(on, 'normal');
    }
    await on.api.admin.post(`/doubts/${doubtId}/inquire`);
    expect(await settled(on, rerunId)).toMatchObject({ status: 'failed' });
    const error = await expectError(rerunOf(on, original.transactionId), 502, 'GATEWAY_TIMEOUT');
    expect(error.details?.transactionId).not.toBe(rerunId);
  });

  test('rejects a rerun of a subscription payment, which the subscription retries itself', async () => {
    const on = fixture();
    const { customerId } = await cardholder(on, CARDS.noFunds);
    const { subscriptionId } = await subscribe(on, customerId);
    const [declined] = await periods(on, subscriptionId);
    const transactionId = String(declined?.transactionId);
    for (const answer of [rerunOf(on, transactionId), on.api.public.post('/rerun', { transactionId })]) {
      const error = await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ reason: 'subscription_payment', transactionId, subscriptionId });
    }
    await on.api.admin.delete(`/recurring/${subscriptionId}`);
  });
});

/** Reruns a payment while the merchant blocks its card, so that the rerun is declined. */
async function rerunWhileBlocked(on: ApiFixture, transactionId: string) {
  const rules = `/merchants/${on.credentials.merchantId}/fraud-settings`;
  await expectData(on.api.admin.put(rules, { blockedBins: [CARDS.visa.slice(0, 6)] }));
  try {
    return await rerunOf(on, transactionId);
  } finally {
    await expectData(on.api.admin.put(rules, { blockedBins: [] }));
  }
}
