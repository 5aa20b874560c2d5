import { expect } from 'vitest';
import type { Envelope } from '../../support/api-client.ts';
import { createCustomer, getSubscription, storeCard, subscribe } from '../../support/customers.ts';
import { giveGiftCard } from '../../support/gift-cards.ts';
import { CARDS } from '../../support/sales.ts';
import { type ApiFixture, expectData, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

type Listed = Record<string, string | number | null>;

/** Expects a list to be in the order of a field and of the IDs, with empty values at the end, by pages and by cursors of every size. */
async function expectOrder({ api }: ApiFixture, path: string, field: string, idField: string): Promise<void> {
  const page = async (query: string): Promise<Envelope<Listed[]>> => (await api.admin.get<Listed[]>(`${path}&${query}`)).body;
  const { data: all } = await page('limit=200');
  const up = (left: Listed, right: Listed) => (String(left[idField]) < String(right[idField]) ? -1 : 1);
  const compare = (left: Listed, right: Listed) => {
    const [a, b] = [left[field] ?? null, right[field] ?? null];
    if (a === b) return up(left, right);
    return (a as string) < (b as string) ? -1 : 1;
  };
  const valued = all.filter((row) => row[field] != null).toSorted(compare);
  const empty = all.filter((row) => row[field] == null).toSorted(up);
  const expected = { [field]: [...valued, ...empty], [`-${field}`]: [...valued.toReversed(), ...empty.toReversed()] };
  const idsOf = (rows: readonly Listed[]) => rows.map((row) => row[idField]);
  for (const [sort, rows] of Object.entries(expected))
    for (const limit of [2, 3]) {
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(all.length / limit) }, (_, at) => page(`sort=${sort}&limit=${limit}&page=${at + 1}`)),
      );
      expect(idsOf(pages.flatMap(({ data }) => data)), `pages of ${limit} by ${sort}`).toEqual(idsOf(rows));
      const read: Listed[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { data, pagination } = await page(`sort=${sort}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
        read.push(...data);
        cursor = pagination.nextCursor;
      }
      expect(idsOf(read), `cursors of ${limit} by ${sort}`).toEqual(idsOf(rows));
    }
}

onBothDatabases('sorts invoices by due date, with equal and without due dates, by pages and by cursors', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const { customerId } = await createCustomer(fixture, { merchantId });
  for (const dueDate of ['2031-03-01', null, '2031-01-15', '2031-03-01', null, '2032-01-01', null])
    await expectData(api.admin.post('/invoices', { amount: '20.00', merchantId, customerId, ...(dueDate && { dueDate }) }), 201);
  await expectOrder(fixture, `/invoices?merchantId=${merchantId}`, 'dueDate', 'invoiceId');
  await expectOrder(fixture, `/invoices?merchantId=${merchantId}&kind=link`, 'dueDate', 'invoiceId');
  const first = await api.admin.get(`/invoices?merchantId=${merchantId}&sort=dueDate&limit=5`);
  const { nextCursor } = first.body.pagination;
  const refused = await api.admin.get(`/invoices?merchantId=${merchantId}&sort=amount&cursor=${nextCursor}`);
  expect(refused.body.error?.field).toBe('cursor');
});

onBothDatabases('sorts subscriptions by their next payment as they show it, with retries and ended ones', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const [{ customerId }, declined] = [await createCustomer(fixture, { merchantId }), await createCustomer(fixture, { merchantId })];
  await storeCard(fixture, customerId);
  await storeCard(fixture, declined.customerId, CARDS.noFunds);
  const later = await subscribe(fixture, customerId, { merchantId, startDate: '2031-05-01' });
  const { subscriptionId: paused } = await subscribe(fixture, customerId, { merchantId });
  await expectData(api.admin.post(`/recurring/${paused}/pause`, {}));
  const { subscriptionId: canceled } = await subscribe(fixture, customerId, { merchantId, startDate: '2031-05-01' });
  await expectData(api.admin.post(`/recurring/${canceled}/cancel`, {}));
  await subscribe(fixture, customerId, { merchantId, startDate: '2031-05-01' });
  await subscribe(fixture, customerId, { merchantId, frequency: 'weekly' });
  const { subscriptionId: retried } = await subscribe(fixture, declined.customerId, { merchantId });
  expect(await getSubscription(fixture, retried)).toMatchObject({ status: 'past_due', nextPaymentDate: expect.any(String) });
  expect(later.nextPaymentDate).toBe('2031-05-01');
  await expectOrder(fixture, `/recurring?merchantId=${merchantId}`, 'nextPaymentDate', 'subscriptionId');
});

onBothDatabases('sorts gift cards by balance', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  for (const amount of [25, 5, 25, 100]) await giveGiftCard(fixture, amount, { merchantId });
  await expectOrder(fixture, `/gift-cards?merchantId=${merchantId}`, 'balance', 'giftCardId');
});
