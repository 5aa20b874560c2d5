import { expect } from 'vitest';
import { createPerson, createShop } from '../../support/approvals.ts';
import { createBankShop, importLines } from '../../support/bank.ts';
import { type CustomerRecord, createCustomer, storeCard, subscribe } from '../../support/customers.ts';
import { createInvoice, payInvoice } from '../../support/invoices.ts';
import { createOrder } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase, onBothDatabases, type Surface } from '../../support/server.ts';
import { createMerchant, sell, settleOnRequest } from '../../support/settlements.ts';
import { refundTender, takeTender } from '../../support/tenders.ts';
import { createUnconfirmedPayment, gatewayMode } from '../../support/unconfirmed-payments.ts';
import { advanceClock } from '../../support/webhooks.ts';

interface ToDo {
  items: {
    id: string;
    kind: string;
    merchantId: string | null;
    resourceId: string | null;
    count: number;
    amount: number | null;
    since: string | null;
    name: string | null;
    dueAt: string | null;
    isUrgent: boolean;
    link: string;
    actions: string[];
  }[];
  total: number;
  urgentCount: number;
  counts: Record<string, number>;
}

const DAY_SECONDS = 86_400;
const listToDo = (surface: Surface, query = '') => expectData(surface.get<ToDo>(`/to-do${query}`));
const kindsOf = ({ items }: ToDo) => [...new Set(items.map(({ kind }) => kind))].sort();

/** Creates a merchant with one item of each kind that a test can cause, and returns it with its people. */
async function createBusyShop(fixture: ApiFixture) {
  const { api } = fixture;
  const shop = await createShop(fixture, { refundAbove: 100 }, { isBound: true });
  const { merchantId, cashier } = shop;
  await settleOnRequest(fixture, merchantId);
  await expectData(api.admin.put(`/merchants/${merchantId}/settings`, { refundMaxAttempts: 1 }));
  const customer: CustomerRecord = await createCustomer(fixture, { merchantId });
  await storeCard(fixture, customer.customerId, CARDS.declined);
  const subscription = await subscribe(fixture, customer.customerId, { amount: 19, merchantId });
  const authorization = await sell(fixture, merchantId, 240, { type: 'auth' });
  await advanceClock(fixture, 5.5 * DAY_SECONDS);
  const refunded = await expectData(
    api.admin.post<TransactionRecord>('/transactions', cardBody(61.2, CARDS.refundDeclined, { merchantId })),
  );
  await api.admin.post(`/transactions/${refunded.transactionId}/refund`, { amount: 61.2 });
  await expectData(api.admin.post('/refund-decline-queue/process-retries'));
  const disputed = await sell(fixture, merchantId, 18.17);
  await expectData(api.admin.post('/disputes', { transactionId: disputed.transactionId }), 201);
  const unconfirmed = await createUnconfirmedPayment(fixture, CARDS.answerLost, { merchantId });
  await advanceClock(fixture, 3_600);
  await gatewayMode(fixture, 'normal');
  const paid = await sell(fixture, merchantId, 300);
  await cashier.as.post(`/transactions/${paid.transactionId}/refund`, { amount: 150 });
  return { ...shop, subscription, authorization, unconfirmed };
}

onBothDatabases('lists the work of a merchant by deadline, with the actions of the caller', async (fixture) => {
  const { merchantId, manager, cashier, subscription, authorization, unconfirmed } = await createBusyShop(fixture);
  const other = await createMerchant(fixture);
  const list = await listToDo(manager.as);
  const itemOf = (kind: string) => list.items.find((item) => item.kind === kind);
  expect(itemOf('failed_refund')).toMatchObject({
    merchantId,
    amount: 61.2,
    isUrgent: true,
    link: expect.stringMatching(/^\/refund-queue\/rdq_/),
    actions: ['retry', 'resolve', 'cancel'],
  });
  expect(itemOf('unconfirmed_payment')).toMatchObject({ resourceId: unconfirmed.id, actions: ['conclude', 'inquire'], isUrgent: true });
  expect(itemOf('approval')).toMatchObject({ amount: 150, name: cashier.email, actions: ['approve', 'reject'] });
  expect(itemOf('dispute')).toMatchObject({ amount: 18.17, isUrgent: false, actions: ['respond', 'accept'] });
  expect(itemOf('expiring_authorization')).toMatchObject({ resourceId: authorization.transactionId, amount: 240, isUrgent: false });
  expect(itemOf('past_due_subscription')).toMatchObject({ resourceId: subscription.subscriptionId, amount: 19, dueAt: null });
  expect(itemOf('system_problem')).toBeUndefined();
  const deadlines = list.items.map(({ dueAt }) => dueAt ?? '9');
  expect(deadlines).toEqual(deadlines.toSorted());
  expect(new Set(list.items.map(({ merchantId: owner }) => owner))).toEqual(new Set([merchantId]));
  expect(Object.values(list.counts).reduce((sum, count) => sum + count, 0)).toBe(list.total);

  // The same work, seen by the whole account; another merchant has none of it.
  const { items } = await listToDo(fixture.api.admin, `?merchantId=${merchantId}`);
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(list.items.map(({ id }) => id)));
  const ofOther = await listToDo(fixture.api.admin, `?merchantId=${other}`);
  expect(ofOther.items.filter((item) => item.merchantId !== null)).toEqual([]);
  const one = await listToDo(manager.as, '?kind=dispute');
  expect(one).toMatchObject({ total: 1, counts: { dispute: 1 } });
  await expectError(manager.as.get('/to-do?kind=everything'), 400, 'VALIDATION_ERROR');
});

onAnyDatabase('shows a cashier, a viewer and another merchant nothing that their other lists would refuse', async (fixture) => {
  const { merchantId, cashier } = await createBusyShop(fixture);
  const elsewhere = await createShop(fixture, {}, { isBound: true });
  const viewer = await createPerson(fixture, 'viewer', merchantId);

  const ofCashier = await listToDo(cashier.as);
  expect(kindsOf(ofCashier)).toEqual(['expiring_authorization', 'failed_refund', 'unconfirmed_payment', 'unsent_message']);
  expect(Object.keys(ofCashier.counts)).not.toContain('dispute');
  // The requester does not decide, and only others may conclude a payment.
  expect(ofCashier.items.find(({ kind }) => kind === 'unconfirmed_payment')?.actions).toEqual(['inquire']);
  expect(await listToDo(cashier.as, '?kind=system_problem')).toMatchObject({ items: [], total: 0, counts: {} });

  const ofViewer = await listToDo(viewer.as);
  expect(kindsOf(ofViewer)).toContain('dispute');
  expect(ofViewer.items.flatMap(({ actions }) => actions)).toEqual([]);

  expect((await listToDo(elsewhere.manager.as)).items).toEqual([]);
  await expectError(elsewhere.manager.as.get(`/to-do?merchantId=${merchantId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
  await expectError(fixture.api.admin.get('/to-do?merchantId=mer_missing'), 404, 'MERCHANT_NOT_FOUND');
});

onAnyDatabase('counts the bank lines without a match, and removes an item as soon as its work is done', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  const query = `?merchantId=${shop.merchantId}`;
  await importLines(fixture, shop, [
    { day: '2026-11-02', minor: -1_250, text: 'Paper', reference: 'R1' },
    { day: '2026-11-03', minor: -700, text: 'Stamps', reference: 'R2' },
  ]);
  const bankLines = async () => (await listToDo(api.admin, query)).items.find(({ kind }) => kind === 'bank_line');
  expect(await bankLines()).toMatchObject({
    count: 2,
    amount: 19.5,
    link: '/reconciliation/bank',
    since: expect.stringMatching(/^2026-11-02/),
  });

  const sale = await sell(fixture, shop.merchantId, 20);
  const { disputeId } = await expectData(api.admin.post<{ disputeId: string }>('/disputes', { transactionId: sale.transactionId }), 201);
  const disputes = async () => (await listToDo(api.admin, `${query}&kind=dispute`)).items.map(({ resourceId }) => resourceId);
  expect(await disputes()).toEqual([disputeId]);
  await expectData(api.admin.post(`/disputes/${disputeId}/submit`));
  expect(await disputes()).toEqual([]);
});

onAnyDatabase('lists unpaid invoices that were promised for today or earlier, in the time zone of their merchant', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture, { timezone: 'Pacific/Auckland' });
  const { customerId } = await createCustomer(fixture, { merchantId, firstName: 'Ann', lastName: 'Marsh' });
  const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
  const dayIn = (timeZone: string, atMs: number) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(atMs);
  const today = dayIn('Pacific/Auckland', Date.parse(now));
  const promise = async (amount: number, date: string) => {
    const { invoiceId } = await createInvoice(fixture, customerId, { amount });
    await expectData(api.admin.post(`/invoices/${invoiceId}/send`, {}));
    await expectData(api.admin.put(`/invoices/${invoiceId}/promise`, { date, by: 'Ann Marsh' }));
    return invoiceId;
  };
  const due = await promise(60, today);
  await promise(70, dayIn('Pacific/Auckland', Date.parse(now) + DAY_SECONDS * 1_000));
  const list = () => listToDo(api.admin, `?merchantId=${merchantId}&kind=promised_invoice`);
  expect((await list()).items).toMatchObject([
    { resourceId: due, amount: 60, name: 'Ann Marsh', isUrgent: true, link: `/invoices/${due}`, actions: ['remind'] },
  ]);
  await expectData(payInvoice(fixture, due));
  expect(await list()).toMatchObject({ items: [], total: 0 });
});

onBothDatabases('lists open sales of an earlier day that hold money, for people who may take payments', async (fixture) => {
  const { api } = fixture;
  const { merchantId, cashier } = await createShop(fixture, {}, { isBound: true });
  const viewer = await createPerson(fixture, 'viewer', merchantId);
  const list = (surface: Surface = api.admin) => listToDo(surface, `?merchantId=${merchantId}&kind=open_order`);
  const { orderId } = await createOrder(fixture, { merchantId, amount: 50, name: 'Table 4' });
  const tender = await takeTender(fixture, 20, { merchantId, orderId });
  await createOrder(fixture, { merchantId, amount: 9, name: 'Nothing paid' });
  const paid = await createOrder(fixture, { merchantId, amount: 8 });
  await takeTender(fixture, 8, { merchantId, orderId: paid.orderId });
  expect(await list()).toMatchObject({ items: [], total: 0 });
  await advanceClock(fixture, DAY_SECONDS);
  const item = { resourceId: orderId, amount: 20, name: 'Table 4', isUrgent: true, link: `/orders/${orderId}`, actions: ['resolve'] };
  expect(await list()).toMatchObject({ items: [item], total: 1, counts: { open_order: 1 } });
  expect((await list(cashier.as)).items).toMatchObject([item]);
  expect(await list(viewer.as)).toMatchObject({ items: [], total: 0, counts: {} });
  await expectData(refundTender(fixture, tender.tenderId), 201);
  expect(await list()).toMatchObject({ items: [], total: 0 });
});
