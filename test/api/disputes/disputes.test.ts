import { expect, test } from 'vitest';
import { createSale, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant, listLines, listSettlements, sell, settle } from '../../support/settlements.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, registerEndpoint } from '../../support/webhooks.ts';

interface DisputeRecord {
  disputeId: string;
  transactionId: string;
  status: string;
  stage: string;
  amount: number;
  withheldAmount: number;
  returnedAmount: number;
  feesAmount: number;
  dueDate: string;
  reason: string;
  reasonCode: string | null;
  category: string;
  movements: { kind: string; amount: number; settlementId: string | null }[];
}

const dispute = ({ api }: ApiFixture, transactionId: string, more: Record<string, unknown> = {}) =>
  expectData(api.admin.post<DisputeRecord>('/disputes', { transactionId, ...more }), 201);
const conclude = ({ api }: ApiFixture, id: string, body: Record<string, unknown>) =>
  api.admin.post<DisputeRecord>(`/disputes/${id}/conclude`, body);
const detailOf = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<DisputeRecord>(`/disputes/${id}`));
const paymentOf = ({ api }: ApiFixture, id: string) =>
  expectData(api.admin.get<TransactionRecord & { disputedAmount: number }>(`/transactions/${id}`));

const DAY_SECONDS = 86_400;
const TEN = Array.from({ length: 10 }, (_, index) => index);

onAnyDatabase('withholds a chargeback in the settlement, and returns it when the dispute is won', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const sale = await sell(fixture, merchantId, 100);
  await sell(fixture, merchantId, 40);
  const opened = await dispute(fixture, sale.transactionId, { reasonCode: '13.1', amount: 60, feeAmount: 15 });
  expect(opened).toMatchObject({ status: 'open', amount: 60, withheldAmount: 60, feesAmount: 15, category: 'not_received' });
  expect(await paymentOf(fixture, sale.transactionId)).toMatchObject({ disputedAmount: 60 });

  expect(await expectData(fixture.api.admin.get(`/settlement/summary?merchantId=${merchantId}`))).toMatchObject({
    unsettled: { count: 4, amount: 65 },
    unsettledDisputesAmount: -75,
  });
  const [first] = await settle(fixture, merchantId);
  expect(first).toMatchObject({ captures: 140, disputes: -75, amount: 65, disputeCount: 2 });
  const lines = await listLines(fixture, first?.settlementId ?? '');
  expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['capture', 100],
    ['capture', 40],
    ['chargeback', -60],
    ['dispute_fee', -15],
  ]);

  await expectData(fixture.api.admin.post(`/disputes/${opened.disputeId}/submit`));
  const won = await expectData(conclude(fixture, opened.disputeId, { outcome: 'won' }));
  expect(won).toMatchObject({ status: 'won', withheldAmount: 0 });
  const [second] = await settle(fixture, merchantId);
  expect(second).toMatchObject({ captures: 0, disputes: 60, amount: 60, netAmount: 60 });
  expect(await paymentOf(fixture, sale.transactionId)).toMatchObject({ disputedAmount: 0 });

  const again = await expectData(conclude(fixture, opened.disputeId, { outcome: 'prearbitration', feeAmount: 5 }));
  expect(again).toMatchObject({ status: 'prearbitration', stage: 'prearbitration', withheldAmount: 60, feesAmount: 20 });
  expect((await detailOf(fixture, opened.disputeId)).movements.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['chargeback', -60],
    ['dispute_fee', -15],
    ['chargeback_reversed', 60],
    ['chargeback', -60],
    ['dispute_fee', -5],
  ]);
  await expectData(fixture.api.admin.post(`/disputes/${opened.disputeId}/accept`));
  await settle(fixture, merchantId);
  const settlements = await listSettlements(fixture, merchantId);
  expect(settlements.reduce((sum, { netAmount, fees }) => sum + netAmount + fees, 0)).toBeCloseTo(140 - 60 - 20, 2);
});

onAnyDatabase('records the difference of exchange rates above the captured amount as a fee', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const sale = await sell(fixture, merchantId, 100);
  const open = (amount: number, feeAmount?: number) =>
    fixture.api.admin.post('/disputes', { transactionId: sale.transactionId, reason: 'Goods not received', amount, feeAmount });
  const refused = await expectError(open(104.5), 422, 'INVALID_AMOUNT');
  expect(refused.message).toContain('send the captured amount, and the difference as `feeAmount`');
  expect(refused.details).toMatchObject({ disputableAmount: 100, requestedAmount: 104.5 });
  await expectData(open(100, 4.5), 201);
  const [settlement] = await settle(fixture, merchantId);
  expect(settlement).toMatchObject({ captures: 100, disputes: -104.5 });
});

onAnyDatabase('returns a part of the amount when a dispute is won or lost in part, to the cent in every view', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const [won, lost] = await Promise.all([100, 90].map((amount) => sell(fixture, merchantId, amount)));
  const [first, second] = await Promise.all([won, lost].map((sale) => dispute(fixture, sale?.transactionId ?? '', { amount: 70 })));
  const decide = (returnedAmount: unknown) => conclude(fixture, first?.disputeId ?? '', { outcome: 'won', returnedAmount });
  await expectError(decide(70.01), 422, 'INVALID_AMOUNT');
  for (const returnedAmount of [0, '1.234']) await expectError(decide(returnedAmount), 400, 'INVALID_AMOUNT', 'returnedAmount');
  await expectError(
    conclude(fixture, second?.disputeId ?? '', { outcome: 'lost', returnedAmount: 70 }),
    422,
    'INVALID_AMOUNT',
    'returnedAmount',
  );
  await expectError(
    conclude(fixture, first?.disputeId ?? '', { outcome: 'arbitration', returnedAmount: 1 }),
    400,
    'VALIDATION_ERROR',
    'returnedAmount',
  );
  const parts = await Promise.all([
    expectData(conclude(fixture, first?.disputeId ?? '', { outcome: 'won', returnedAmount: 40.55 })),
    expectData(conclude(fixture, second?.disputeId ?? '', { outcome: 'lost', returnedAmount: '12.34' })),
  ]);
  expect(parts).toMatchObject([
    { status: 'won', withheldAmount: 29.45, returnedAmount: 40.55 },
    { status: 'lost', withheldAmount: 57.66, returnedAmount: 12.34 },
  ]);
  expect(await paymentOf(fixture, won?.transactionId ?? '')).toMatchObject({ disputedAmount: 29.45 });
  const [settlement] = await settle(fixture, merchantId);
  expect(settlement).toMatchObject({ captures: 190, disputes: -(29.45 + 57.66), amount: 102.89 });
  // Pre-arbitration withholds the whole amount again.
  const again = await expectData(conclude(fixture, first?.disputeId ?? '', { outcome: 'prearbitration' }));
  expect(again).toMatchObject({ status: 'prearbitration', withheldAmount: 70, returnedAmount: 0 });
  await expectError(fixture.api.admin.post(`/transactions/${lost?.transactionId}/refund`, { amount: 32.35 }), 422, 'INVALID_AMOUNT');
  await expectData(fixture.api.admin.post(`/transactions/${lost?.transactionId}/refund`, { amount: 32.34 }));
});

onBothDatabases('opens one of ten parallel disputes, and applies one of ten parallel transitions', async (fixture) => {
  const sale = await createSale(fixture, 80);
  const opened = await Promise.all(
    TEN.map(() => fixture.api.admin.post<DisputeRecord>('/disputes', { transactionId: sale.transactionId })),
  );
  expect(opened.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  const id = opened.find(({ status }) => status === 201)?.body.data.disputeId ?? '';
  for (const path of ['submit', 'reopen', 'submit', 'conclude'] as const) {
    const body = path === 'conclude' ? { outcome: 'won', feeAmount: 10 } : undefined;
    const answers = await Promise.all(TEN.map(() => fixture.api.admin.post(`/disputes/${id}/${path}`, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  }
  expect(await detailOf(fixture, id)).toMatchObject({ status: 'won', withheldAmount: 0, feesAmount: 10 });
  expect(await paymentOf(fixture, sale.transactionId)).toMatchObject({ disputedAmount: 0 });
});

describeOnAnyDatabase('disputes', (fixture) => {
  test('move no money for an inquiry until it becomes a chargeback', async () => {
    const sale = await createSale(fixture(), 30);
    const { disputeId } = await dispute(fixture(), sale.transactionId, { stage: 'retrieval' });
    expect(await detailOf(fixture(), disputeId)).toMatchObject({ status: 'retrieval', withheldAmount: 0, movements: [] });
    await expectError(fixture().api.admin.post(`/disputes/${disputeId}/accept`), 409, 'RESOURCE_CONFLICT');
    await expectData(fixture().api.admin.post(`/disputes/${disputeId}/submit`));
    expect(await expectData(conclude(fixture(), disputeId, { outcome: 'chargeback' }))).toMatchObject({
      status: 'open',
      withheldAmount: 30,
    });
    await expectError(conclude(fixture(), disputeId, { outcome: 'chargeback' }), 409, 'RESOURCE_CONFLICT');
  });

  test('prevent that the same money is refunded, and cancel a refund that waits', async () => {
    const { api } = fixture();
    const sale = await createSale(fixture(), 50);
    const { disputeId } = await dispute(fixture(), sale.transactionId, { amount: '20.00' });
    await expectError(api.admin.post(`/transactions/${sale.transactionId}/void`), 409, 'RESOURCE_CONFLICT');
    const error = await expectError(api.admin.post(`/transactions/${sale.transactionId}/refund`, { amount: 31 }), 422, 'INVALID_AMOUNT');
    expect(error.details).toMatchObject({ availableToRefund: 30 });
    await expectData(api.admin.post(`/transactions/${sale.transactionId}/refund`, { amount: 30 }));
    await expectData(conclude(fixture(), disputeId, { outcome: 'lost' }));
    await expectError(api.admin.post(`/transactions/${sale.transactionId}/refund`, { amount: 1 }), 422, 'INVALID_AMOUNT');
  });

  test('refuse an amount above the capture, an unknown code, a past due date and an uncaptured payment', async () => {
    const { api } = fixture();
    const sale = await createSale(fixture(), 20);
    const { transactionId } = sale;
    const open = (body: Record<string, unknown>) => api.admin.post('/disputes', { transactionId, ...body });
    await expectError(open({ amount: 20.01 }), 422, 'INVALID_AMOUNT');
    await expectError(open({ reasonCode: '4837' }), 400, 'VALIDATION_ERROR', 'reasonCode');
    await expectError(open({ dueDate: '2020-01-01' }), 400, 'VALIDATION_ERROR', 'dueDate');
    await expectError(open({ notes: 'card 4111111111111111' }), 400, 'VALIDATION_ERROR', 'notes');
    await expectError(open({ transactionId: 'txn_none' }), 404, 'TRANSACTION_NOT_FOUND');
    const auth = await createSale(fixture(), 21, { type: 'auth' });
    await expectError(open({ transactionId: auth.transactionId }), 409, 'RESOURCE_CONFLICT');
    await expectError(api.admin.get('/disputes/dsp_none'), 404, 'NOT_FOUND');
  });

  test('refuse the escalation of a won dispute while the money of its payment is disputed otherwise', async () => {
    const service = fixture();
    const { transactionId } = await createSale(service, 100);
    const first = await dispute(service, transactionId);
    await expectData(conclude(service, first.disputeId, { outcome: 'won' }));
    const second = await dispute(service, transactionId, { amount: 70 });
    const escalate = () => conclude(service, first.disputeId, { outcome: 'prearbitration' });
    const active = await expectError(escalate(), 409, 'RESOURCE_CONFLICT');
    expect(active.details).toMatchObject({ reason: 'dispute_active', disputeId: second.disputeId });
    await expectData(conclude(service, second.disputeId, { outcome: 'lost' }));
    const above = await expectError(escalate(), 422, 'INVALID_AMOUNT');
    expect(above.details).toMatchObject({ disputableAmount: 30, requestedAmount: 100 });
    expect(await paymentOf(service, transactionId)).toMatchObject({ disputedAmount: 70 });
  });

  test('are listed by status and due date, and changed with an entry in the audit log', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const sales = await Promise.all([70, 71, 72].map((amount) => sell(fixture(), merchantId, amount)));
    const [late, early, done] = await Promise.all(sales.map(({ transactionId }) => dispute(fixture(), transactionId)));
    const change = { notes: 'Signed slip in the drawer', reasonCode: '10.4', dueDate: addDays(early?.dueDate ?? '', -3) };
    const changed = await expectData(api.admin.put<DisputeRecord>(`/disputes/${early?.disputeId}`, change));
    expect(changed).toMatchObject({ ...change, reason: 'Other fraud: card-absent environment', category: 'fraud' });
    await expectData(conclude(fixture(), done?.disputeId ?? '', { outcome: 'lost' }));
    const listed = await expectData(api.admin.get<DisputeRecord[]>(`/disputes?merchantId=${merchantId}&status=due&sort=dueDate`));
    expect(listed.map(({ disputeId }) => disputeId)).toEqual([early?.disputeId, late?.disputeId]);
    const until = await expectData(api.admin.get<DisputeRecord[]>(`/disputes?merchantId=${merchantId}&dueBefore=${change.dueDate}`));
    expect(until.map(({ disputeId }) => disputeId)).toEqual([early?.disputeId]);
    expect(await expectData(api.admin.get(`/disputes/summary?merchantId=${merchantId}`))).toMatchObject({
      dueCount: 2,
      activeCount: 2,
      amountAtStake: 141,
      wonCount: 0,
      lostCount: 1,
      winRate: 0,
      nextDueDate: change.dueDate,
    });
    const trail = await expectData(api.admin.get<{ action: string }[]>(`/audit-logs?resource=disputes/${early?.disputeId}`));
    expect(trail.map(({ action }) => action)).toEqual(['dispute.updated', 'dispute.opened']);
    await expectError(api.public.get(`/disputes/${early?.disputeId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    const own = await createSale(fixture(), 73);
    const created = await expectData(api.public.post<DisputeRecord>('/disputes', { transactionId: own.transactionId }), 201);
    expect(await expectData(api.public.get(`/disputes/${created.disputeId}`))).toMatchObject({ status: 'open', amount: 73 });
  });
});

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

describeOnAnyDatabase('reminders', (fixture) => {
  test('are published 7, 3 and 1 days before the due date as the test clock moves, until the evidence is submitted', async () => {
    const service = fixture();
    const receiver = await startReceiver();
    const endpoint = await registerEndpoint(service, receiver.url('/'), ['dispute.evidence_due']);
    const [first, second] = await Promise.all([createSale(service, 91), createSale(service, 92)]);
    const [due, answered] = await Promise.all([first, second].map(({ transactionId }) => dispute(service, transactionId)));
    await advanceClock(service, 8 * DAY_SECONDS);
    await expectData(service.api.admin.post(`/disputes/${answered?.disputeId}/submit`));
    await advanceClock(service, 7 * DAY_SECONDS);
    const events = (await receiver.waitFor('/', 4)).map(({ event }) => event.data as { disputeId: string; daysRemaining: number });
    const remindersOf = (id?: string) => events.filter(({ disputeId }) => disputeId === id).map(({ daysRemaining }) => daysRemaining);
    expect([remindersOf(due?.disputeId).toSorted(), remindersOf(answered?.disputeId)]).toEqual([[1, 3, 7], [7]]);
    await service.api.admin.delete(`/webhooks/${endpoint.id}`);
    await receiver.stop();
  });
});

onAnyDatabase('lists disputes with the facts of their payment and the state of their evidence', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const sale = await sell(fixture, merchantId, 31, { customer: { name: 'Ada Marlow' }, orderId: 'H-31' });
  const { disputeId } = await dispute(fixture, sale.transactionId);
  const list = () => expectData(api.admin.get<Record<string, unknown>[]>(`/disputes?merchantId=${merchantId}`));
  const payment = { customer: { name: 'Ada Marlow' }, card: { brand: 'visa', last4: '1111' }, orderId: 'H-31' };
  expect(await list()).toMatchObject([{ disputeId, payment, documentCount: 0, packCount: 0 }]);
  await expectData(api.admin.post(`/disputes/${disputeId}/evidence`, {}), 201);
  expect(await list()).toMatchObject([{ documentCount: 0, packCount: 1 }]);
});
