import { expect, test } from 'vitest';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';

describeOnBothDatabases('the list of transactions', (fixture, inFull) => {
  const list = (query = '') => fixture().api.admin.get<TransactionRecord[]>(`/transactions${query}`);

  test('lists transactions newest first, in pages with the total of the filter', async () => {
    const made = [await createSale(fixture(), 41.01), await createSale(fixture(), 41.02), await createSale(fixture(), 41.03)];
    const { body } = await list('?limit=2');
    expect(body.data.map(({ transactionId }) => transactionId)).toEqual([made[2]?.transactionId, made[1]?.transactionId]);
    const { total, pages } = body.pagination;
    expect(pages).toBe(Math.ceil(total / 2));
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(total / 200); page += 1) {
      seen.push(...(await list(`?limit=200&page=${page}`)).body.data.map(({ transactionId }) => transactionId));
    }
    expect(new Set(seen).size).toBe(total);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  test('lists authorizations that wait for their capture, with their number', inFull, async () => {
    const { api } = fixture();
    const held = await createSale(fixture(), 44.01, { type: 'auth' });
    const captured = await createSale(fixture(), 44.02, { type: 'auth' });
    await expectData(api.admin.post(`/transactions/${captured.transactionId}/capture`));
    const { body } = await list('?status=authorized&limit=200');
    const ids = body.data.map(({ transactionId }) => transactionId);
    expect([ids.includes(held.transactionId), ids.includes(captured.transactionId)]).toEqual([true, false]);
    expect(body.pagination.total).toBe(ids.length);
    expect(new Set(body.data.map(({ type, status }) => `${type} ${status}`))).toEqual(new Set(['auth approved']));
  });

  test('pages by cursor without gaps while sales are made', async () => {
    const first = (await list('?limit=20')).body;
    await createSale(fixture(), 42);
    const second = (await list(`?limit=20&cursor=${first.pagination.nextCursor}`)).body;
    const byPage = (await list('?limit=41')).body.data.slice(1, 41);
    expect([...first.data, ...second.data].map(({ transactionId }) => transactionId)).toEqual(
      byPage.map(({ transactionId }) => transactionId),
    );
  });

  test('refuses a cursor that no page returned, in every kind of list', inFull, async () => {
    const { admin } = fixture().api;
    const { nextCursor } = (await list('?limit=1')).body.pagination;
    const lists = ['transactions', 'payments', 'refunds', 'customers', 'disputes', 'refund-decline-queue', 'audit-logs', 'user-sessions'];
    const others = ['settlement/unsettled', 'settlement/funding-report', 'customers/expiring-cards'];
    for (const path of [...lists, ...others])
      for (const cursor of [nextCursor?.slice(0, -1), 'inv_01m8ddt8wp005fhm55a9d2cmd3'])
        await expectError(admin.get(`/${path}?cursor=${cursor}`), 400, 'VALIDATION_ERROR', 'cursor');
    expect((await list('?limit=1&cursor=')).body.pagination.nextCursor).toBe(nextCursor);
  });

  test('returns totals by status that sum to the total', inFull, async () => {
    const count = async (query: string) => (await list(`?limit=1${query}`)).body.pagination.total;
    await fixture().api.admin.post('/transactions', cardBody(20, CARDS.declined));
    const { transactionId } = await createSale(fixture());
    await fixture().api.admin.post(`/transactions/${transactionId}/void`);
    const byStatus = await Promise.all(['pending', 'approved', 'declined', 'voided', 'failed'].map((status) => count(`&status=${status}`)));
    expect(byStatus.reduce((sum, n) => sum + n, 0)).toBe(await count(''));
    // The same filter in a form that the daily counters cannot answer.
    expect(await count('&status=approved&minAmount=0.01')).toBe(byStatus[1]);
  });

  test('filters by brand, decline code and days of refunds', inFull, async () => {
    const { api } = fixture();
    const ids = async (query: string) => (await list(query)).body.data.map(({ transactionId }) => transactionId);
    const other = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(21, '5555555555554444')));
    await api.admin.post('/transactions', cardBody(22, CARDS.declined));
    const refunded = await createSale(fixture(), 23);
    await api.admin.post(`/transactions/${refunded.transactionId}/refund`, {});
    const { createdAt } = await expectData(api.admin.get<{ createdAt: string }>(`/transactions/${refunded.transactionId}`));
    const [before, after] = [-2, 2].map((days) => new Date(Date.parse(createdAt) + days * 86_400_000).toISOString().slice(0, 10));
    expect(await ids('?brand=mastercard')).toContain(other.transactionId);
    expect(await ids('?brand=mastercard')).not.toContain(refunded.transactionId);
    expect(await ids('?brand=ach')).not.toContain(refunded.transactionId);
    const declines = (await list('?declineCode=card_declined')).body.data;
    expect(new Set(declines.map(({ status }) => status))).toEqual(new Set(['declined']));
    expect(await ids(`?refundedFrom=${before}&refundedTo=${after}`)).toContain(refunded.transactionId);
    expect(await ids(`?refundedFrom=${before}&refundedTo=${after}`)).not.toContain(other.transactionId);
    expect(await ids(`?refundedTo=${before}`)).not.toContain(refunded.transactionId);
    await expectError(list(`?refundedFrom=${after}&refundedTo=${before}`), 400, 'VALIDATION_ERROR', 'refundedTo');
  });

  test('filters by day, type, method, last four and search text', async () => {
    const { api } = fixture();
    const made = await expectData(
      api.admin.post<TransactionRecord>(
        '/transactions',
        cardBody(43.21, '5555555555554444', { type: 'auth', orderId: 'ORD-77', customer: { email: 'find@me.example' } }),
      ),
    );
    const ids = async (query: string) => (await list(query)).body.data.map(({ transactionId }) => transactionId);
    for (const query of [
      '?type=auth',
      '?last4=4444',
      '?q=4444',
      '?q=43.21',
      '?q=ORD-77',
      '?q=FIND@me.example',
      `?q=${made.transactionId}`,
      '?minAmount=43.21&maxAmount=43.21',
    ]) {
      expect(await ids(query), query).toContain(made.transactionId);
    }
    expect(await ids('?type=credit&last4=4444')).toEqual([]);
    expect((await list('?startDate=2020-01-01&endDate=2020-01-31')).body.pagination).toMatchObject({ total: 0, pages: 0 });
    const whole = (await list('?startDate=2020-01-01')).body.pagination.total;
    expect(whole).toBe((await list()).body.pagination.total);
  });

  test.for([
    ['?page=0', 'VALIDATION_ERROR', 'page'],
    ['?page=x', 'VALIDATION_ERROR', 'page'],
    ['?limit=0', 'VALIDATION_ERROR', 'limit'],
    ['?status=odd', 'VALIDATION_ERROR', 'status'],
    ['?startDate=2026-02-30', 'INVALID_DATE', 'startDate'],
    ['?startDate=0999-12-31', 'INVALID_DATE', 'startDate'],
    ['?startDate=2026-02-02&endDate=2026-02-01', 'VALIDATION_ERROR', 'endDate'],
    ['?limit=5&limit=6', 'VALIDATION_ERROR', 'limit'],
    ['?merchantId=mer_unknown', 'MERCHANT_NOT_FOUND', undefined],
  ] as const)('refuses %s', inFull, async ([query, code, field]) => {
    await expectError(list(query), code === 'MERCHANT_NOT_FOUND' ? 404 : 400, code, field);
  });

  test('reads a limit above 200 as 200', inFull, async () => {
    expect((await list('?limit=5000')).body.pagination.limit).toBe(200);
  });

  test('exports every transaction of the filter without cells that a spreadsheet would evaluate', inFull, async () => {
    const { api } = fixture();
    await api.admin.post('/transactions', cardBody(20, CARDS.visa, { description: '=HYPERLINK("http://x")', orderId: '@SUM(A1)' }));
    const answer = await api.admin.get('/transactions/export?format=csv&status=approved');
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const lines = answer.text.trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^transactionId,createdAt,/);
    expect(lines.length - 1).toBe((await list('?status=approved&limit=1')).body.pagination.total);
    expect(answer.text).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(answer.text).toContain(",'@SUM(A1),");
    await expectError(api.admin.get('/transactions/export?startDate=x'), 400, 'INVALID_DATE', 'startDate');
  });

  test("lists only transactions of the key's merchant on the Public surface", inFull, async () => {
    const { body } = await fixture().api.public.get<TransactionRecord[]>('/transaction-list?limit=1');
    expect(body.pagination.total).toBe((await list('?limit=1')).body.pagination.total);
    expect((await fixture().api.public.get('/merchant-transactions?limit=1')).status).toBe(200);
    expect((await fixture().api.standard.get<TransactionRecord[]>('/transaction-list')).body).toMatchObject({
      data: [],
      pagination: { total: 0, pages: 0 },
    });
  });

  test('lists and filters refunds', inFull, async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture());
    await api.admin.post(`/transactions/${transactionId}/refund`, { amount: 3 });
    const { body } = await api.admin.get<{ amount: number }[]>(`/refunds?transactionId=${transactionId}&status=approved`);
    expect(body.data).toEqual([expect.objectContaining({ amount: 3, transactionId })]);
    await expectError(api.admin.get('/refunds/ref_unknown'), 404, 'NOT_FOUND');
  });
});
