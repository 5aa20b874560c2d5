import { expect } from 'vitest';
import type { Envelope } from '../../support/api-client.ts';
import { CARDS, cardBody } from '../../support/sales.ts';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { closeShift, openShift, refundTender, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';

interface PaymentRecord {
  paymentId: string;
  createdAt: string;
  transaction: { amount: number } | null;
  tender: { amount: number; kind: string } | null;
}

type PaymentPage = Pick<Envelope<PaymentRecord[]>, 'data' | 'pagination'>;

onAnyDatabase('lists transactions and tenders together, with pages, cursors, filters and CSV', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { otherTenders: ['Gift voucher'] }));
  const ids: string[] = [];
  for (const [index, kind] of ['card', 'cash', 'check', 'card', 'card', 'other', 'cash'].entries()) {
    const amount = 10 + index;
    if (kind === 'card') {
      const body = { ...cardBody(amount), merchantId };
      ids.unshift((await expectData(api.admin.post<{ transactionId: string }>('/transactions', body))).transactionId);
    } else {
      const more = { ...(kind === 'check' && { checkNumber: '77' }), ...(kind === 'other' && { name: 'Gift voucher' }) };
      ids.unshift((await takeTender(fixture, amount, { kind, merchantId, ...more })).tenderId);
    }
  }
  const list = async (query: string): Promise<PaymentPage> =>
    (await api.admin.get<PaymentRecord[]>(`/payments?merchantId=${merchantId}&${query}`)).body;
  const idsOf = ({ data }: PaymentPage) => data.map(({ paymentId }) => paymentId);

  const all = await list('limit=50');
  expect(idsOf(all)).toEqual(ids);
  expect(all.pagination.total).toBe(7);
  expect(all.data[0]).toMatchObject({ transaction: null, tender: { kind: 'cash', amount: 16 } });
  const byPage = await Promise.all([1, 2, 3, 4].map((page) => list(`limit=2&page=${page}`)));
  expect(byPage.flatMap(idsOf)).toEqual(ids);
  const byCursor: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: PaymentPage = await list(`limit=3${cursor && `&cursor=${cursor}`}`);
    byCursor.push(...idsOf(page));
    cursor = page.pagination.nextCursor;
  }
  expect(byCursor).toEqual(ids);

  await expectData(refundTender(fixture, ids[0] ?? '', { amount: 1 }), 201);
  const totals: Readonly<Record<string, number>> = {
    'paymentMethod=cash': 2,
    'paymentMethod=check': 1,
    'paymentMethod=gift_card': 0,
    'paymentMethod=other&startDate=2000-01-01': 1,
    'startDate=2000-01-01&endDate=2099-12-31': 7,
    'endDate=2000-01-01': 0,
    'startDate=2099-01-01': 0,
  };
  for (const [query, total] of Object.entries(totals)) expect((await list(`limit=1&${query}`)).pagination.total, query).toBe(total);
  const counts = async (query: string) => (await list(query)).data.map(({ transaction, tender }) => (transaction ?? tender)?.amount);
  expect(await counts('paymentMethod=cash')).toEqual([16, 11]);
  expect(await counts('paymentMethod=cash&limit=1&page=2')).toEqual([11]);
  expect(await counts('paymentMethod=card')).toEqual([14, 13, 10]);
  expect(await counts('status=approved')).toEqual([16, 15, 14, 13, 12, 11, 10]);
  expect(await counts('status=declined')).toEqual([]);
  expect(await counts('type=auth')).toEqual([]);
  expect(await counts('refundStatus=partial')).toEqual([16]);
  expect(await counts('refundStatus=none&limit=3&page=2')).toEqual([12, 11, 10]);
  expect(await counts('minAmount=12&maxAmount=14')).toEqual([14, 13, 12]);
  expect(await counts('brand=visa')).toEqual([14, 13, 10]);
  expect(await counts('q=T-000002')).toEqual([12]);
  expect(await counts('q=77')).toEqual([12]);
  expect(await counts('q=15')).toEqual([15]);
  const day = (all.data[0]?.createdAt ?? '').slice(0, 10);
  const shifted = (days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  expect(await counts(`startDate=${shifted(-1)}&endDate=${shifted(1)}&limit=4&page=2`)).toEqual([12, 11, 10]);
  expect(await counts(`startDate=${shifted(2)}`)).toEqual([]);
  expect(await counts(`refundedFrom=${shifted(-1)}&refundedTo=${shifted(1)}`)).toEqual([16]);
  await expectError(
    api.admin.get(`/payments?merchantId=${merchantId}&paymentMethod=cash&startDate=${day}&endDate=${shifted(-2)}`),
    400,
    'VALIDATION_ERROR',
    'endDate',
  );

  const { text } = await api.admin.get(`/payments/export?merchantId=${merchantId}`);
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toMatch(/^paymentId,createdAt,.*,number,tenderName,checkNumber,localDate$/);
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(ids);
  expect(lines[5]).toContain(',sale,approved,12.00,');
  expect(lines[5]).toMatch(/,T-000002,,77,\d{4}-\d\d-\d\d$/);
  expect(lines[2]).toContain(',Gift voucher,');

  await expectData(api.admin.post('/roles', { name: 'Card payments only', permissions: ['transactions:read'] }), 201);
  const { headers } = await createUser(fixture, 'Card payments only', {}, merchantId);
  const seen = await api.bare.get(`/api/v1/payments?merchantId=${merchantId}`, headers);
  expect(seen.body).toMatchObject({ pagination: { total: 3 } });
});

onAnyDatabase('compares amounts in the currency of each payment', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  for (const [amount, currency] of [
    [90, 'USD'],
    [110, 'USD'],
    [90, 'JPY'],
    [110, 'JPY'],
    [90.5, 'KWD'],
    [110.125, 'KWD'],
  ] as const) {
    await takeTender(fixture, amount, { currency, merchantId });
    await expectData(api.admin.post('/transactions', cardBody(amount, CARDS.visa, { currency, merchantId })));
  }
  interface Amounts {
    amount: number;
    currency: string;
  }
  const listed = async (path: string, query: string) =>
    (
      await expectData(
        api.admin.get<(Amounts & { transaction?: Amounts | null; tender?: Amounts | null })[]>(`${path}?merchantId=${merchantId}&${query}`),
      )
    )
      .map((line) => line.transaction ?? line.tender ?? line)
      .map(({ amount, currency }) => `${amount} ${currency}`)
      .toSorted();
  const above = ['110 JPY', '110 USD', '110.125 KWD'];
  const below = ['90 JPY', '90 USD', '90.5 KWD'];
  expect(await listed('/transactions', 'minAmount=100')).toEqual(above);
  expect(await listed('/transactions', 'maxAmount=100')).toEqual(below);
  expect(await listed('/transactions', 'minAmount=90.01&maxAmount=110')).toEqual(['110 JPY', '110 USD', '90.5 KWD']);
  expect(await listed('/payments', 'minAmount=100')).toEqual(above.flatMap((each) => [each, each]));
  expect(await listed('/payments', 'maxAmount=100')).toEqual(below.flatMap((each) => [each, each]));
});

onAnyDatabase('lists the payments that were made in a shift, also on the Public surface and as CSV', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const drawer = 'Garden';
  const shifts = { first: '', second: '' };
  const sell = (amount: number, headers: Record<string, string> = {}) =>
    expectData(api.admin.post<{ transactionId: string }>('/transactions', { ...cardBody(amount), merchantId }, headers));
  const at = { 'Paydesk-Drawer': drawer };
  shifts.first = (await openShift(fixture, { merchantId, drawer, amount: 0 })).shiftId;
  const { transactionId } = await sell(21, at);
  await sell(22, at);
  await takeTender(fixture, 23, { merchantId, drawer });
  await sell(24);
  await takeTender(fixture, 25, { merchantId, drawer: 'Elsewhere' });
  await expectData(closeShift(fixture, shifts.first, { amount: 23 }));
  shifts.second = (await openShift(fixture, { merchantId, drawer, amount: 0 })).shiftId;
  await sell(26, at);
  // A refund in the second shift leaves the payment in its own.
  await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount: 5 }, at));

  const amounts = (records: readonly { amount: number }[]) => records.map(({ amount }) => amount);
  const transactions = `/transactions?merchantId=${merchantId}&shiftId=`;
  expect(amounts(await expectData(api.admin.get<{ amount: number }[]>(`${transactions}${shifts.first}`)))).toEqual([22, 21]);
  expect(amounts(await expectData(api.admin.get<{ amount: number }[]>(`${transactions}${shifts.second}`)))).toEqual([26]);
  expect(await expectData(api.admin.get(`${transactions}shf_unknown`))).toEqual([]);
  const narrowed = await expectData(api.admin.get<{ amount: number }[]>(`${transactions}${shifts.first}&refundStatus=partial`));
  expect(amounts(narrowed)).toEqual([21]);

  const payments = await api.admin.get<PaymentRecord[]>(`/payments?merchantId=${merchantId}&shiftId=${shifts.first}&limit=2`);
  expect(payments.body.data.map(({ transaction, tender }) => (transaction ?? tender)?.amount)).toEqual([23, 22]);
  expect(payments.body.pagination.total).toBe(3);
  const csv = async (path: string) =>
    (await api.admin.get(`${path}?merchantId=${merchantId}&shiftId=${shifts.first}`)).text.trim().split('\r\n').length - 1;
  expect(await csv('/transactions/export')).toBe(2);
  expect(await csv('/payments/export')).toBe(3);
  const report = await api.admin.get(`/reporting/transactions?merchantId=${merchantId}&shiftId=${shifts.first}`);
  expect(report.body).toMatchObject({ totals: { count: 2, amount: 43 } });

  const ofKey = await expectData(api.public.post<{ shiftId: string }>('/shifts/open', { drawer: 'Orchard', amount: 0 }), 201);
  await expectData(
    api.public.post(
      '/transaction',
      { Amount: 27, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2030', CVV: '123' },
      { 'Paydesk-Drawer': 'Orchard' },
    ),
  );
  const listed = await expectData(api.public.get<{ amount: number }[]>(`/transaction-list?shiftId=${ofKey.shiftId}`));
  expect(amounts(listed)).toEqual([27]);
});

onAnyDatabase('lists the payments of one person, and shows no one more by that filter', async (fixture) => {
  const { api } = fixture;
  const [merchantId, otherId] = [await createMerchant(fixture), await createMerchant(fixture)];
  const cashier = await createUser(fixture, 'Cashier', {}, merchantId);
  const stranger = await createUser(fixture, 'Cashier', {}, otherId);
  for (const [person, amount] of [
    [cashier, 31],
    [stranger, 41],
  ] as const)
    await expectData(api.bare.post('/api/v1/transactions', cardBody(amount), person.headers));
  await expectData(api.bare.post('/api/v1/tenders', { kind: 'cash', amount: 32 }, cashier.headers), 201);
  await takeTender(fixture, 33, { merchantId });

  const listed = async (query: string, headers?: Record<string, string>, path = 'payments') => {
    const get = (url: string) => (headers === undefined ? api.admin.get(url.slice('/api/v1'.length)) : api.bare.get(url, headers));
    const { body } = await get(`/api/v1/${path}?${query}`);
    const { data, pagination } = body as unknown as PaymentPage;
    expect(pagination.total).toBe(data.length);
    return data.map((line) => (line.transaction ?? line.tender ?? (line as unknown as { amount: number })).amount);
  };
  const by = (person: { email: string }) => `createdBy=${encodeURIComponent(person.email)}`;
  expect(await listed(`merchantId=${merchantId}&${by(cashier)}`)).toEqual([32, 31]);
  expect(await listed(by(cashier), cashier.headers)).toEqual([32, 31]);
  expect(await listed(by(cashier), cashier.headers, 'transactions')).toEqual([31]);
  expect(await listed(`${by(cashier)}&paymentMethod=cash`, cashier.headers)).toEqual([32]);
  // A person of another business stays unknown, and so do the tenders of people who may not read them.
  expect(await listed(by(stranger), cashier.headers)).toEqual([]);
  await expectData(api.admin.post('/roles', { name: 'Payments by card', permissions: ['transactions:read'] }), 201);
  const reader = await createUser(fixture, 'Payments by card', {}, merchantId);
  expect(await listed(by(cashier), reader.headers)).toEqual([31]);
});
