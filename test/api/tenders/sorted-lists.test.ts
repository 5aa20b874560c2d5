import { expect } from 'vitest';
import type { Envelope } from '../../support/api-client.ts';
import { cardBody } from '../../support/sales.ts';
import { expectData, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { takeTender } from '../../support/tenders.ts';

interface PaymentRecord {
  paymentId: string;
  transaction: { amount: number } | null;
  tender: { amount: number } | null;
}

const amountOf = ({ transaction, tender }: PaymentRecord) => (transaction ?? tender)?.amount;

onBothDatabases('sorts payments of all kinds by amount and time, by pages and by cursors while payments arrive', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const made: string[] = [];
  const sell = async (amount: number) => {
    const { transactionId } = await expectData(
      api.admin.post<{ transactionId: string }>('/transactions', { ...cardBody(amount), merchantId }),
    );
    made.push(transactionId);
  };
  const take = async (amount: number) => void made.push((await takeTender(fixture, amount, { kind: 'cash', merchantId })).tenderId);
  await sell(30);
  await take(9);
  await sell(100);
  await take(30);
  await take(200);
  await sell(11);
  await sell(30);
  const page = async (query: string) => (await api.admin.get<PaymentRecord[]>(`/payments?merchantId=${merchantId}&${query}`)).body;
  const amounts = async (query: string) => (await page(query)).data.map(amountOf);

  expect(await amounts('sort=-amount')).toEqual([200, 100, 30, 30, 30, 11, 9]);
  expect(await amounts('sort=amount')).toEqual([9, 11, 30, 30, 30, 100, 200]);
  expect((await page('sort=createdAt')).data.map(({ paymentId }) => paymentId)).toEqual(made);
  expect((await page('sort=-createdAt')).data.map(({ paymentId }) => paymentId)).toEqual(made.toReversed());
  const byPage = await Promise.all([1, 2, 3, 4].map((number) => amounts(`sort=amount&limit=2&page=${number}`)));
  expect(byPage.flat()).toEqual([9, 11, 30, 30, 30, 100, 200]);
  expect(await amounts('sort=-amount&paymentMethod=cash')).toEqual([200, 30, 9]);
  expect(await amounts('sort=-amount&paymentMethod=card&status=approved&limit=2&page=2')).toEqual([30, 11]);
  expect((await page('sort=amount&limit=2')).pagination).toMatchObject({ total: 7, pages: 4 });

  for (const sort of ['amount', '-amount', 'createdAt']) {
    const before = (await page(`sort=${sort}`)).data.map(({ paymentId }) => paymentId);
    const read: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part: Envelope<PaymentRecord[]> = await page(`sort=${sort}&limit=3${cursor && `&cursor=${cursor}`}`);
      read.push(...part.data.map(({ paymentId }) => paymentId));
      cursor = part.pagination.nextCursor;
      // Between two pages, payments arrive before and behind the place of the cursor.
      if (read.length === 3) await Promise.all([sell(sort === '-amount' ? 500 : 1), take(30)]);
    }
    expect(new Set(read).size).toBe(read.length);
    expect(read.filter((id) => before.includes(id))).toEqual(before);
  }
  expect(await amounts('sort=-amount&q=30')).toEqual([30, 30, 30, 30, 30, 30]);
});

onAnyDatabase('refuses an unknown order and a cursor of another order', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  for (const amount of [5, 6, 7]) await expectData(api.admin.post('/transactions', { ...cardBody(amount), merchantId }));
  for (const path of ['/payments', '/transactions', '/customers', '/invoices', '/disputes', '/settlement/bank-lines']) {
    const { status, body } = await api.admin.get(`${path}?sort=amount;drop&merchantId=${merchantId}`);
    expect({ path, status, code: body.error?.code, field: body.error?.field }).toEqual({
      path,
      status: 400,
      code: 'VALIDATION_ERROR',
      field: 'sort',
    });
    expect(body.error?.message).toMatch(/createdAt|day/);
  }
  const first = await api.admin.get(`/transactions?merchantId=${merchantId}&sort=amount&limit=1`);
  const cursor = first.body.pagination.nextCursor;
  for (const sort of ['', '&sort=createdAt'])
    expect((await api.admin.get(`/transactions?merchantId=${merchantId}${sort}&cursor=${cursor}`)).body.error?.field).toBe('cursor');
});

onBothDatabases('sorts customers by name and invoices by amount', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const names = ['mara Stone', 'Abel Zimmer', 'Zoe Abt'];
  for (const name of names) {
    const [firstName, lastName] = name.split(' ');
    await expectData(api.admin.post('/customers', { firstName, lastName, merchantId }), 201);
  }
  const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', { company: 'Lark & Co', merchantId }), 201);
  const listed = async (query: string) =>
    (
      await api.admin.get<{ firstName: string | null; company: string | null }[]>(`/customers?merchantId=${merchantId}&${query}`)
    ).body.data.map(({ firstName, company }) => firstName ?? company);
  expect(await listed('sort=name')).toEqual(['Abel', 'Lark & Co', 'mara', 'Zoe']);
  expect(await listed('sort=-name')).toEqual(['Zoe', 'mara', 'Lark & Co', 'Abel']);
  expect(await listed('sort=name&limit=2&page=2')).toEqual(['mara', 'Zoe']);
  await expectData(api.admin.put(`/customers/${customerId}`, { company: 'Aalto' }));
  expect((await listed('sort=name'))[0]).toBe('Aalto');

  for (const amount of ['20.00', '5.00', '100.00']) await expectData(api.admin.post('/invoices', { amount, merchantId, customerId }), 201);
  const invoices = async (query: string) =>
    (await api.admin.get<{ amount: number }[]>(`/invoices?merchantId=${merchantId}&${query}`)).body.data.map(({ amount }) => amount);
  expect(await invoices('sort=amount')).toEqual([5, 20, 100]);
  expect(await invoices('sort=-amount&limit=1&page=2')).toEqual([20]);
});
