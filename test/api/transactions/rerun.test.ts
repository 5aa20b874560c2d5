import { expect, test } from 'vitest';
import { createCustomerWithCard, getPeriods, subscribe } from '../../support/customers.ts';
import { CARDS, createDeclinedSale, type TransactionRecord, waitUntilConcluded } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { gatewayMode, inquireNow, listUnconfirmed } from '../../support/unconfirmed-payments.ts';

type Detail = TransactionRecord & { rerun: { transactionId: string; status: string } | null };

const rerunOf = ({ api }: ApiFixture, id: string) => api.admin.post<Detail>(`/transactions/${id}/rerun`);
const detailOf = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<Detail>(`/transactions/${id}`));

async function expectConflict(service: ApiFixture, id: string, rerunId: string, reason: string): Promise<void> {
  const answers = [rerunOf(service, id), service.api.public.post('/rerun', { transactionId: id })];
  for (const answer of answers) {
    const error = await expectError(answer, 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ transactionId: rerunId, reason });
    expect(error.message).toContain(rerunId);
  }
}

/**
 * Creates a failed sale whose rerun is unconfirmed because the gateway is unavailable for the inquiry. The caller makes the gateway
 * available again.
 */
async function leaveRerunUnconfirmed(service: ApiFixture, card: string) {
  const original = await createDeclinedSale(service, card);
  // The inquiry that follows a lost answer gets none either.
  await gatewayMode(service, 'silent');
  const { details } = await expectError(rerunOf(service, original.transactionId), 502, 'GATEWAY_TIMEOUT');
  await gatewayMode(service, 'down');
  const rerunId = String(details?.transactionId);
  const unconfirmedPayment = (await listUnconfirmed(service)).data.find(({ transactionId }) => transactionId === rerunId);
  if (!unconfirmedPayment) throw new Error('The rerun is not unconfirmed.');
  return { original, rerunId, unconfirmedPaymentId: unconfirmedPayment.id };
}

describeOnAnyDatabase('rerun of a declined sale', (fixture) => {
  test('rejects a second rerun on every surface after the first was approved', async () => {
    const service = fixture();
    const { transactionId } = await createDeclinedSale(service);
    expect((await detailOf(service, transactionId)).rerun).toBeNull();
    const first = await expectData(rerunOf(service, transactionId));
    expect(first).toMatchObject({ status: 'approved', rerunOf: transactionId });
    await expectConflict(service, transactionId, first.transactionId, 'already_rerun');
    expect((await detailOf(service, transactionId)).rerun).toEqual({ transactionId: first.transactionId, status: 'approved' });
    expect((await detailOf(service, first.transactionId)).rerun).toBeNull();
  });

  test('shows the rerun on the Public and SDK surfaces too', async () => {
    const service = fixture();
    const { transactionId } = await createDeclinedSale(service);
    const rerun = await expectData(service.api.public.post<Detail>('/rerun', { transactionId }));
    expect(await expectData(service.api.public.get<Detail>(`/transaction/${transactionId}`))).toMatchObject({
      rerun: { transactionId: rerun.transactionId, status: 'approved' },
    });
    expect(await expectData(service.api.sdk.get(`/query/${transactionId}`))).toMatchObject({
      Rerun: { TransactionId: rerun.transactionId, Status: 'approved' },
    });
  });

  test('rejects a second rerun after the first was voided or refunded', async () => {
    const service = fixture();
    for (const operation of ['void', 'refund']) {
      const { transactionId } = await createDeclinedSale(service);
      const first = await expectData(rerunOf(service, transactionId));
      await expectData(service.api.admin.post(`/transactions/${first.transactionId}/${operation}`));
      await expectConflict(service, transactionId, first.transactionId, 'already_rerun');
    }
  });

  test('allows another rerun after a declined one, and names the latest', async () => {
    const service = fixture();
    const { transactionId } = await createDeclinedSale(service, CARDS.noFunds);
    for (let round = 0; round < 3; round += 1) {
      const { body } = await rerunOf(service, transactionId);
      expect(body.data).toMatchObject({ status: 'declined', rerunOf: transactionId });
      expect((await detailOf(service, transactionId)).rerun).toEqual({ transactionId: body.data.transactionId, status: 'declined' });
    }
  });

  test('allows another rerun after the gateway refused to take one', async () => {
    const service = fixture();
    const { transactionId } = await createDeclinedSale(service);
    await gatewayMode(service, 'down');
    await expectError(rerunOf(service, transactionId), 503, 'GATEWAY_UNAVAILABLE').finally(() => gatewayMode(service, 'normal'));
    expect(await expectData(rerunOf(service, transactionId))).toMatchObject({ status: 'approved' });
  });

  test('counts reruns of a declined rerun as reruns of the first sale', async () => {
    const service = fixture();
    const first = await createDeclinedSale(service);
    const { body } = await rerunWhileBlocked(service, first.transactionId);
    expect(body.data).toMatchObject({ status: 'declined', rerunOf: first.transactionId });
    const second = await expectData(rerunOf(service, body.data.transactionId));
    expect(second).toMatchObject({ status: 'approved', rerunOf: body.data.transactionId });
    for (const id of [first.transactionId, body.data.transactionId])
      await expectConflict(service, id, second.transactionId, 'already_rerun');
  });

  test('rejects a further rerun while one is unconfirmed and after it turns out approved', async () => {
    const service = fixture();
    const { original, rerunId, unconfirmedPaymentId } = await leaveRerunUnconfirmed(service, CARDS.answerLost);
    try {
      await expectConflict(service, original.transactionId, rerunId, 'rerun_pending');
      expect((await detailOf(service, original.transactionId)).rerun).toEqual({ transactionId: rerunId, status: 'pending' });
    } finally {
      await gatewayMode(service, 'normal');
    }
    await inquireNow(service, unconfirmedPaymentId);
    expect(await waitUntilConcluded(service, rerunId)).toMatchObject({ status: 'approved' });
    await expectConflict(service, original.transactionId, rerunId, 'already_rerun');
  });

  test('allows another rerun after an unconfirmed one never reached the gateway', async () => {
    const service = fixture();
    const { original, rerunId, unconfirmedPaymentId } = await leaveRerunUnconfirmed(service, CARDS.neverReceived);
    try {
      await expectConflict(service, original.transactionId, rerunId, 'rerun_pending');
    } finally {
      await gatewayMode(service, 'normal');
    }
    await inquireNow(service, unconfirmedPaymentId);
    expect(await waitUntilConcluded(service, rerunId)).toMatchObject({ status: 'failed' });
    const error = await expectError(rerunOf(service, original.transactionId), 502, 'GATEWAY_TIMEOUT');
    expect(error.details?.transactionId).not.toBe(rerunId);
  });

  test('rejects a rerun of a subscription payment, which the subscription retries itself', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, CARDS.noFunds);
    const { subscriptionId } = await subscribe(service, customerId);
    const [declined] = await getPeriods(service, subscriptionId);
    const transactionId = String(declined?.transactionId);
    for (const answer of [rerunOf(service, transactionId), service.api.public.post('/rerun', { transactionId })]) {
      const error = await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ reason: 'subscription_payment', transactionId, subscriptionId });
    }
    await service.api.admin.delete(`/recurring/${subscriptionId}`);
  });
});

/** Reruns a payment while the merchant blocks its card, so that the rerun is declined. */
async function rerunWhileBlocked(service: ApiFixture, transactionId: string) {
  const rules = `/merchants/${service.credentials.merchantId}/fraud-settings`;
  await expectData(service.api.admin.put(rules, { blockedBins: [CARDS.visa.slice(0, 6)] }));
  try {
    return await rerunOf(service, transactionId);
  } finally {
    await expectData(service.api.admin.put(rules, { blockedBins: [] }));
  }
}
