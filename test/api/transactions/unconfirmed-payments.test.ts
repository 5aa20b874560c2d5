import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { CARDS, cardBody, type TransactionRecord, waitUntilConcluded } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import {
  concludeUnconfirmed,
  createUnconfirmedPayment,
  gatewayMode,
  listUnconfirmed,
  type UnconfirmedPayment,
} from '../../support/unconfirmed-payments.ts';
import { createUser } from '../../support/users.ts';
import { advanceClock } from '../../support/webhooks.ts';

const TWO_HOURS_S = 7_200;
const APPROVED = { outcome: 'approved', gatewayReference: 'seen-there-1', note: 'Stands in the batch of the day.' };
const FAILED = { outcome: 'failed', note: 'The gateway has nothing of it.' };

interface Inquired {
  ended: boolean;
  isInquiring?: boolean;
  transaction?: TransactionRecord;
  unconfirmedPayment?: UnconfirmedPayment;
}
interface AuditRecord {
  action: string;
  actor: string;
  resource: string;
  after: Record<string, unknown>;
}

const inquire = ({ api }: ApiFixture, id: string, headers: Record<string, string> = {}) =>
  api.admin.post<Inquired>(`/unconfirmed-payments/${id}/inquire`, undefined, headers);
const conclude = ({ api }: ApiFixture, id: string, body: object, headers: Record<string, string> = {}) =>
  api.admin.post<TransactionRecord>(`/unconfirmed-payments/${id}/conclude`, body, headers);

const acknowledge = ({ api }: ApiFixture, id: string) => api.admin.post(`/unconfirmed-payments/${id}/acknowledge`, { note: 'Seen there.' });

/** Reason why an unconfirmed payment is not concluded. */
async function expectConflict(answer: Promise<Parameters<typeof expectError>[0]>, reason: string): Promise<void> {
  const { details } = await expectError(await answer, 409, 'RESOURCE_CONFLICT');
  expect(details).toMatchObject({ reason });
}

/** Creates a payment that has been unconfirmed for two hours, while the gateway is still unavailable. */
async function oldUnconfirmedPayment(
  service: ApiFixture,
  card: string = CARDS.answerLost,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<UnconfirmedPayment> {
  const unconfirmedPayment = await createUnconfirmedPayment(service, card, more, headers);
  await advanceClock(service, TWO_HOURS_S);
  return unconfirmedPayment;
}

async function byHand({ api }: ApiFixture, { transactionId }: UnconfirmedPayment): Promise<AuditRecord[]> {
  const entries = await expectData(api.admin.get<AuditRecord[]>('/audit-logs?action=transaction.concluded_by_hand&limit=200'));
  return entries.filter(({ resource }) => resource === `transactions/${transactionId}`);
}

/** Returns the amount that the processor took for a merchant, according to the ledger. */
async function taken({ api }: ApiFixture, merchantId: string): Promise<number> {
  const { merchants, balanced } = await expectData(
    api.admin.get<{ merchants: { accounts: { processor: number } }[]; balanced: boolean }>(`/settlement/ledger?merchantId=${merchantId}`),
  );
  expect(balanced).toBe(true);
  return merchants[0]?.accounts.processor ?? 0;
}

describeOnAnyDatabase('unconfirmed payments', (fixture) => {
  afterEach(async () => {
    await concludeUnconfirmed(fixture());
  });

  test("lists unconfirmed payments with their next inquiry, and concludes them after the gateway's return", async () => {
    for (const [card, ends] of [
      [CARDS.answerLost, 'approved'],
      [CARDS.neverReceived, 'failed'],
    ] as const) {
      const unconfirmedPayment = await createUnconfirmedPayment(fixture(), card);
      expect(unconfirmedPayment).toMatchObject({
        operation: 'sale',
        currency: 'USD',
        card: { brand: 'visa', last4: card.slice(-4) },
        needsPerson: false,
        alert: null,
        merchantId: fixture().credentials.merchantId,
        message: expect.stringMatching(/^[A-Z].+\.$/),
      });
      expect(unconfirmedPayment.processorRef).toMatch(/^\w{20}$/);
      const away = await expectData(inquire(fixture(), unconfirmedPayment.id));
      expect(away).toMatchObject({
        ended: false,
        unconfirmedPayment: { id: unconfirmedPayment.id, lastInquiryAt: expect.stringMatching(/Z$/) },
      });
      expect(away.unconfirmedPayment?.inquiries).toBeGreaterThan(0);
      await gatewayMode(fixture(), 'normal');
      await expect.poll(async () => (await expectData(inquire(fixture(), unconfirmedPayment.id))).ended).toBe(true);
      expect(await expectData(inquire(fixture(), unconfirmedPayment.id))).toMatchObject({
        ended: true,
        transaction: { transactionId: unconfirmedPayment.transactionId, status: ends },
      });
      expect((await listUnconfirmed(fixture())).data.map(({ id }) => id)).not.toContain(unconfirmedPayment.id);
    }
  });

  test('finds an unconfirmed charge by last four digits and amount', async () => {
    const unconfirmedPayment = await createUnconfirmedPayment(fixture());
    const ids = async (query: string) => (await listUnconfirmed(fixture(), query)).data.map(({ id }) => id);
    expect(await ids(`?last4=6975&amount=${unconfirmedPayment.amount}.00`)).toEqual([unconfirmedPayment.id]);
    expect(await ids(`?last4=6975&amount=${unconfirmedPayment.amount}`)).toEqual([unconfirmedPayment.id]);
    expect(await ids(`?last4=6975&amount=${unconfirmedPayment.amount}.01`)).toEqual([]);
    expect(await ids(`?last4=1111&amount=${unconfirmedPayment.amount}`)).toEqual([]);
    const { counts } = await listUnconfirmed(fixture(), '?last4=1111');
    expect(counts).toEqual({ unconfirmed: 1, inReview: 0, needsPerson: 0 });
    for (const query of ['?last4=69', '?amount=-1', '?amount=twelve'])
      await expectError(fixture().api.admin.get(`/unconfirmed-payments${query}`), 400, 'VALIDATION_ERROR');
  });

  test('hides unconfirmed payments of another merchant and refuses operations on them', async () => {
    const { api } = fixture();
    const north = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: `North ${randomUUID()}` }), 201);
    const { headers } = await createUser(fixture(), 'admin', { scope: 'merchant' }, north.merchantId);
    const unconfirmedPayment = await oldUnconfirmedPayment(fixture());
    expect(await listUnconfirmed(fixture(), '', headers)).toMatchObject({ data: [], counts: { unconfirmed: 0, needsPerson: 0 } });
    expect((await listUnconfirmed(fixture(), `?merchantId=${north.merchantId}`)).data).toEqual([]);
    expect((await listUnconfirmed(fixture(), `?merchantId=${unconfirmedPayment.merchantId}`)).data.map(({ id }) => id)).toEqual([
      unconfirmedPayment.id,
    ]);
    await expectError(
      api.admin.get(`/unconfirmed-payments?merchantId=${unconfirmedPayment.merchantId}`, headers),
      403,
      'MERCHANT_NOT_AUTHORIZED',
    );
    await expectError(inquire(fixture(), unconfirmedPayment.id, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(conclude(fixture(), unconfirmedPayment.id, FAILED, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(inquire(fixture(), 'att_nothing'), 404, 'NOT_FOUND');
    const viewer = await createUser(fixture(), 'viewer');
    expect((await listUnconfirmed(fixture(), '', viewer.headers)).data).toHaveLength(1);
    await expectError(inquire(fixture(), unconfirmedPayment.id, viewer.headers), 403, 'PERMISSION_DENIED');
  });

  test('allows a decision by a person only after an hour', async () => {
    const unconfirmedPayment = await createUnconfirmedPayment(fixture());
    const listed = async (headers = {}) =>
      (await listUnconfirmed(fixture(), '', headers)).data.find(({ id }) => id === unconfirmedPayment.id);
    const { code, message } = await expectError(conclude(fixture(), unconfirmedPayment.id, FAILED), 409, 'RESOURCE_CONFLICT');
    expect(message).toContain('An inquiry at the gateway is still running.');
    expect(await listed()).toMatchObject({ actions: { inquire: { allowed: true }, conclude: { allowed: false, code, message } } });
    await advanceClock(fixture(), TWO_HOURS_S);
    const acknowledged = await expectError(acknowledge(fixture(), unconfirmedPayment.id), 409, 'RESOURCE_CONFLICT');
    expect(await listed()).toMatchObject({
      needsPerson: true,
      actions: {
        conclude: { allowed: true, choices: ['approved', 'failed'] },
        acknowledge: { allowed: false, code: acknowledged.code, message: acknowledged.message },
      },
    });
    const viewer = await createUser(fixture(), 'viewer');
    expect((await listed(viewer.headers))?.actions.conclude).toMatchObject({ allowed: false, code: 'PERMISSION_DENIED' });
    const { counts } = await listUnconfirmed(fixture());
    expect(counts.needsPerson).toBeGreaterThan(0);
    for (const wrong of [
      { outcome: 'approved', note: 'four' },
      { outcome: 'maybe', note: FAILED.note },
      { ...FAILED, note: '      ' },
    ])
      await expectError(conclude(fixture(), unconfirmedPayment.id, wrong), 400, 'VALIDATION_ERROR');
    const { outcome, note } = APPROVED;
    await expectError(conclude(fixture(), unconfirmedPayment.id, { outcome, note }), 400, 'VALIDATION_ERROR', 'gatewayReference');
    await expectData(conclude(fixture(), unconfirmedPayment.id, FAILED));
  });

  test('counts a payment concluded as approved once, and stores the response for the original request', async () => {
    const { api, credentials } = fixture();
    const merchantId = await createMerchant(fixture());
    const key = { 'Idempotency-Key': randomUUID() };
    const unconfirmedPayment = await oldUnconfirmedPayment(fixture(), CARDS.answerLost, { merchantId }, key);
    expect(await taken(fixture(), merchantId)).toBe(0);
    const paid = await expectData(conclude(fixture(), unconfirmedPayment.id, APPROVED));
    expect(paid).toMatchObject({
      transactionId: unconfirmedPayment.transactionId,
      status: 'approved',
      capturedAmount: unconfirmedPayment.amount,
    });
    expect(await taken(fixture(), merchantId)).toBe(unconfirmedPayment.amount);
    const { history } = await expectData(api.admin.get<TransactionRecord>(`/transactions/${unconfirmedPayment.transactionId}`));
    expect(history).toMatchObject([{ action: 'sale', result: 'approved', reason: APPROVED.note }]);
    expect(await byHand(fixture(), unconfirmedPayment)).toMatchObject([
      { actor: credentials.adminEmail, after: { result: 'approved', note: APPROVED.note, gatewayReference: APPROVED.gatewayReference } },
    ]);
    const again = await api.admin.post('/transactions', cardBody(unconfirmedPayment.amount, CARDS.answerLost, { merchantId }), key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await expectError(again, 502, 'GATEWAY_TIMEOUT');
    await expectConflict(conclude(fixture(), unconfirmedPayment.id, FAILED), 'ended');
    expect((await listUnconfirmed(fixture())).data.map(({ id }) => id)).not.toContain(unconfirmedPayment.id);
    expect(await expectData(inquire(fixture(), unconfirmedPayment.id))).toMatchObject({ ended: true, transaction: { status: 'approved' } });
    expect(await taken(fixture(), merchantId)).toBe(unconfirmedPayment.amount);
  });

  test('keeps the books unchanged for a payment concluded as failed, whatever the gateway reports later', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const unconfirmedPayment = await oldUnconfirmedPayment(fixture(), CARDS.answerLost, { merchantId });
    const takenBefore = await taken(fixture(), merchantId);
    expect(await expectData(conclude(fixture(), unconfirmedPayment.id, FAILED))).toMatchObject({ status: 'failed', captured: false });
    await gatewayMode(fixture(), 'normal');
    await advanceClock(fixture(), 60);
    const { status, history } = await expectData(api.admin.get<TransactionRecord>(`/transactions/${unconfirmedPayment.transactionId}`));
    expect(status).toBe('failed');
    expect(history).toMatchObject([{ result: 'failed', reason: FAILED.note }]);
    expect(await byHand(fixture(), unconfirmedPayment)).toMatchObject([{ after: { result: 'failed', note: FAILED.note } }]);
    expect(await taken(fixture(), merchantId)).toBe(takenBefore);
  });

  test('lets either a person or a parallel inquiry conclude a payment, with matching books', async () => {
    for (let round = 0; round < 4; round += 1) {
      const merchantId = await createMerchant(fixture());
      const unconfirmedPayment = await oldUnconfirmedPayment(fixture(), CARDS.answerLost, { merchantId });
      const takenBefore = await taken(fixture(), merchantId);
      await gatewayMode(fixture(), 'normal');
      const [decided] = await Promise.all([
        conclude(fixture(), unconfirmedPayment.id, FAILED),
        inquire(fixture(), unconfirmedPayment.id),
        inquire(fixture(), unconfirmedPayment.id),
      ]);
      const { status } = await waitUntilConcluded(fixture(), unconfirmedPayment.transactionId);
      if (decided.status !== 200) await expectError(decided, 409, 'RESOURCE_CONFLICT');
      expect(status).toBe(decided.status === 200 ? 'failed' : 'approved');
      expect(await taken(fixture(), merchantId)).toBe(takenBefore + (status === 'approved' ? unconfirmedPayment.amount : 0));
      expect(await byHand(fixture(), unconfirmedPayment)).toHaveLength(decided.status === 200 ? 1 : 0);
    }
  });

  test('accepts one of two parallel decisions', async () => {
    const unconfirmedPayment = await oldUnconfirmedPayment(fixture());
    const answers = await Promise.all([
      conclude(fixture(), unconfirmedPayment.id, FAILED),
      conclude(fixture(), unconfirmedPayment.id, APPROVED),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await byHand(fixture(), unconfirmedPayment)).toHaveLength(1);
    expect(await expectData(fixture().api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  });
});
