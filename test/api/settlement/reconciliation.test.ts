import { expect } from 'vitest';
import type { Discrepancy, RunRecord } from '../../support/reconciliation.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant, sell, settle, sumAmounts } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';

const run = ({ api }: ApiFixture, date: string, merchantId: string) =>
  expectData(api.admin.post<RunRecord>('/settlement/reconciliation/auto', { date, merchantId }));
const summarize = ({ type, transactionId, transactionAmount, settledAmount, difference, status }: Discrepancy) => ({
  type,
  transactionId,
  transactionAmount,
  settledAmount,
  difference,
  status,
});
const byType = (items: readonly Discrepancy[]) => items.map(summarize).sort((left, right) => (left.type < right.type ? -1 : 1));

/** Creates a merchant with the sales that the sandbox reports wrongly and one that it reports correctly, and settles them. */
async function damagedDay(fixture: ApiFixture) {
  const merchantId = await createMerchant(fixture);
  const sold = async (amount: string) => (await sell(fixture, merchantId, amount)).transactionId;
  const sales = { missing: await sold('10.13'), short: await sold('10.14'), twice: await sold('10.15'), right: await sold('10.16') };
  const [settlement] = await settle(fixture, merchantId);
  return { merchantId, sales, date: settlement?.settlementDate ?? '' };
}

onAnyDatabase('finds a missing, a short and a duplicate payment, and nothing else', async (fixture) => {
  const { merchantId, sales, date } = await damagedDay(fixture);
  const found = await run(fixture, date, merchantId);
  expect(byType(found.discrepancies)).toEqual([
    {
      type: 'amount_mismatch',
      transactionId: sales.short,
      transactionAmount: 10.14,
      settledAmount: 9.14,
      difference: 1,
      status: 'open',
    },
    {
      type: 'duplicate',
      transactionId: sales.twice,
      transactionAmount: 10.15,
      settledAmount: 20.3,
      difference: -10.15,
      status: 'open',
    },
    {
      type: 'missing_in_settlement',
      transactionId: sales.missing,
      transactionAmount: 10.13,
      settledAmount: null,
      difference: 10.13,
      status: 'open',
    },
  ]);
  expect(found).toMatchObject({
    transactionsTotal: 40.58,
    settlementsTotal: 39.6,
    matched: false,
    matchedCount: 1,
    state: 'open',
    source: 'gateway',
  });
  expect(sumAmounts(found.discrepancies.map(({ difference }) => difference))).toBe(
    sumAmounts([found.transactionsTotal, -found.settlementsTotal]),
  );
});

onAnyDatabase('returns the stored run, and compares again after another settlement for the date', async (fixture) => {
  const { api } = fixture;
  const { merchantId, date } = await damagedDay(fixture);
  const path = `/settlement/reconciliation?date=${date}&merchantId=${merchantId}`;
  const first = await expectData(api.admin.get<RunRecord>(path));
  expect(first.discrepancyCount).toBe(3);
  expect((await expectData(api.admin.get<RunRecord>(`/settlement/reconciliation?merchantId=${merchantId}`))).runId).toBe(first.runId);
  await sell(fixture, merchantId, 25);
  await settle(fixture, merchantId);
  const second = await expectData(api.admin.get<RunRecord>(path));
  expect(second.runId).not.toBe(first.runId);
  expect(second).toMatchObject({ transactionsTotal: 65.58, matchedCount: 2, discrepancyCount: 3 });
  const runs = await expectData(api.admin.get<RunRecord[]>(`/settlement/reconciliation/runs?merchantId=${merchantId}&date=${date}`));
  // The comparison by the service, a second after the settlement, stores another run if it meets the reading.
  const read = [second.runId, first.runId];
  expect(runs.map(({ runId }) => runId).filter((runId) => read.includes(runId))).toEqual(read);
});

onAnyDatabase('resolves a discrepancy once, also for later runs', async (fixture) => {
  const { api } = fixture;
  const { merchantId, date } = await damagedDay(fixture);
  const first = await run(fixture, date, merchantId);
  const resolve = (id: string, body: object) => api.admin.post<Discrepancy>(`/settlement/reconciliation/discrepancies/${id}/resolve`, body);
  const [one, two, three] = first.discrepancies as [Discrepancy, Discrepancy, Discrepancy];
  await expectError(resolve(one.id, {}), 400, 'REQUIRED_FIELD_MISSING', 'note');
  await expectError(resolve(one.id, { note: '  ' }), 400, 'REQUIRED_FIELD_MISSING', 'note');
  await expectError(resolve('dsc_nothing', { note: 'x' }), 404, 'NOT_FOUND');
  const resolved = await expectData(resolve(one.id, { note: 'Credited on the next report' }));
  expect(resolved).toMatchObject({ status: 'resolved', note: 'Credited on the next report', resolvedBy: fixture.credentials.adminEmail });
  expect(resolved.resolvedAt).toMatch(/Z$/);
  await expectError(resolve(one.id, { note: 'again' }), 409, 'RESOURCE_CONFLICT');
  const second = await run(fixture, date, merchantId);
  const same = second.discrepancies.find(({ type }) => type === one.type);
  expect(same).toMatchObject({ status: 'resolved', note: 'Credited on the next report', difference: one.difference });
  expect(second).toMatchObject({ openCount: 2, discrepancyCount: 3, state: 'open', matched: false });
  for (const each of [two, three]) {
    const now = second.discrepancies.find(({ type }) => type === each.type) as Discrepancy;
    await expectData(resolve(now.id, { note: 'Called the processor' }));
  }
  const last = await expectData(api.admin.get<RunRecord>(`/settlement/reconciliation?date=${date}&merchantId=${merchantId}`));
  expect(last).toMatchObject({ runId: second.runId, openCount: 0, state: 'explained', matched: false });
  const entries = await expectData(api.admin.get<{ action: string; resource: string }[]>('/audit-logs?limit=10'));
  const actions = entries.map(({ action, resource }) => `${action} ${resource}`);
  expect(actions).toContain(`discrepancy.resolved settlement/reconciliation/discrepancies/${one.id}`);
  expect(actions).toContain(`reconciliation.run settlement/reconciliation/${second.runId}`);
});

onAnyDatabase('resolving a discrepancy in an earlier run resolves it in the later ones', async (fixture) => {
  const { api } = fixture;
  const { merchantId, date } = await damagedDay(fixture);
  const first = await run(fixture, date, merchantId);
  await run(fixture, date, merchantId);
  await run(fixture, date, merchantId);
  const resolve = (item: Discrepancy | undefined, note: string) =>
    api.admin.post<Discrepancy>(`/settlement/reconciliation/discrepancies/${item?.id}/resolve`, { note });
  await expectData(resolve(first.discrepancies[0], 'Late by a day'));
  const path = `/settlement/reconciliation?date=${date}&merchantId=${merchantId}`;
  const newest = await expectData(api.admin.get<RunRecord>(path));
  const same = newest.discrepancies.find(({ type }) => type === first.discrepancies[0]?.type);
  expect(newest).toMatchObject({ openCount: 2, state: 'open' });
  expect(same).toMatchObject({ status: 'resolved', note: 'Late by a day', resolvedBy: fixture.credentials.adminEmail });
  await expectError(resolve(same, 'again'), 409, 'RESOURCE_CONFLICT');
  const runs = await expectData(api.admin.get<RunRecord[]>(`/settlement/reconciliation/runs?date=${date}&merchantId=${merchantId}`));
  // The service compares a day a second after it settles, so on a slow computer there is one run more.
  expect(runs.length).toBeGreaterThanOrEqual(3);
  expect(runs.map(({ openCount }) => openCount)).toEqual(runs.map(() => 2));
  const other = (record: RunRecord) => record.discrepancies.find(({ type }) => type === first.discrepancies[1]?.type);
  await Promise.all([resolve(other(first), 'Said there'), resolve(other(newest), 'Said here')]);
  expect(await expectData(api.admin.get<RunRecord>(path)), 'counted once').toMatchObject({ openCount: 1, state: 'open' });
});

onBothDatabases('reopens a resolved discrepancy in all runs of its day', async (fixture) => {
  const { api } = fixture;
  const { merchantId, date } = await damagedDay(fixture);
  const first = await run(fixture, date, merchantId);
  const item = first.discrepancies[0] as Discrepancy;
  const path = (record: Discrepancy, action: string) => `/settlement/reconciliation/discrepancies/${record.id}/${action}`;
  await expectError(api.admin.post(path(item, 'reopen')), 409, 'RESOURCE_CONFLICT');
  await expectData(api.admin.post(path(item, 'resolve'), { note: 'Wrong line' }));
  const later = await run(fixture, date, merchantId);
  const same = later.discrepancies.find(({ type }) => type === item.type) as Discrepancy;
  expect(same.status).toBe('resolved');
  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await api.admin.post(path(same, 'reopen'))).status));
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  const runs = await expectData(api.admin.get<RunRecord[]>(`/settlement/reconciliation/runs?date=${date}&merchantId=${merchantId}`));
  expect(runs.map(({ openCount }) => openCount)).toEqual(runs.map(() => 3));
  const newest = await run(fixture, date, merchantId);
  expect(newest.discrepancies.map(({ status, note, resolvedBy }) => [status, note, resolvedBy])).toEqual(
    newest.discrepancies.map(() => ['open', null, null]),
  );
  const [entry] = await expectData(api.admin.get<{ action: string; before: unknown }[]>('/audit-logs?action=discrepancy.reopened&limit=1'));
  expect(entry).toMatchObject({ action: 'discrepancy.reopened' });
});

onBothDatabases('reopens only the explanation that was seen, and none of a closed period', async (fixture) => {
  const { api } = fixture;
  const { merchantId, date } = await damagedDay(fixture);
  const { discrepancies } = await run(fixture, date, merchantId);
  const [{ id }] = discrepancies as [Discrepancy];
  const post = (action: string, body?: object, of = id) =>
    api.admin.post<Discrepancy>(`/settlement/reconciliation/discrepancies/${of}/${action}`, body);
  const seen = await expectData(post('resolve', { note: 'Wrong line' }));
  await expectData(post('reopen'));
  await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 172_800 }));
  const other = await expectData(post('resolve', { note: 'Said by another person' }));
  const refused = await expectError(post('reopen', { resolvedAt: seen.resolvedAt }), 409, 'RESOURCE_CONFLICT');
  expect(refused.details).toMatchObject({ reason: 'changed_meanwhile', resolvedAt: other.resolvedAt });
  await expectData(post('reopen', { resolvedAt: other.resolvedAt }));
  for (const each of discrepancies) await expectData(post('resolve', { note: 'Explained' }, each.id));
  await expectData(api.admin.post('/settlement/close', { merchantId, date }));
  expect((await expectError(post('reopen'), 409, 'RESOURCE_CONFLICT')).details).toEqual({ period: date });
  await expectData(api.admin.post('/settlement/reopen', { merchantId, date, reason: 'Wrong note' }));
  // The close and the reopening follow one another: a closed day has no open discrepancy.
  const [closed, reopened] = await Promise.all([api.admin.post('/settlement/close', { merchantId, date }), post('reopen')]);
  expect([closed.status, reopened.status].toSorted()).toEqual([200, 409]);
});

onAnyDatabase('compares refunds with captures, and equal partial refunds individually', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const { transactionId } = await sell(fixture, merchantId, 50);
  const refund = (amount: number) => expectData(api.admin.post(`/transactions/${transactionId}/refund/partial`, { amount }));
  for (const amount of [5, 5, 7]) await refund(amount);
  const [settlement] = await settle(fixture, merchantId);
  const found = await run(fixture, settlement?.settlementDate ?? '', merchantId);
  expect(found).toMatchObject({
    transactionsTotal: 33,
    settlementsTotal: 33,
    matched: true,
    matchedCount: 4,
    state: 'balanced',
    discrepancies: [],
  });
  await refund(5);
  const later = await run(fixture, found.date, merchantId);
  expect(later, 'a refund that is not settled yet is no difference').toMatchObject({ matched: true, matchedCount: 4 });
});

onAnyDatabase('reports no discrepancy for a captured authorization and for a canceled capture', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const held = await sell(fixture, merchantId, 80, { type: 'auth' });
  await expectData(api.admin.post(`/transactions/${held.transactionId}/capture`, { amount: 60 }));
  const voided = await sell(fixture, merchantId, 20);
  await expectData(api.admin.post(`/transactions/${voided.transactionId}/void`, {}));
  const [settlement] = await settle(fixture, merchantId);
  const found = await run(fixture, settlement?.settlementDate ?? '', merchantId);
  expect(found).toMatchObject({ transactionsTotal: 60, settlementsTotal: 60, matched: true, matchedCount: 1 });
});

onAnyDatabase('returns the lines of every figure in pages', async (fixture) => {
  const { api } = fixture;
  const { merchantId, sales, date } = await damagedDay(fixture);
  for (const amount of [20, 21, 22]) await sell(fixture, merchantId, amount);
  await settle(fixture, merchantId);
  const { runId, ...found } = await run(fixture, date, merchantId);
  const path = (query: string) => `/settlement/reconciliation/${runId}/items?${query}`;
  const all = await api.admin.get<Discrepancy[]>(path('kind=all'));
  expect(all.body.pagination.total).toBe(7);
  expect(sumAmounts(all.body.data.map(({ transactionAmount }) => transactionAmount ?? 0))).toBe(found.transactionsTotal);
  expect(sumAmounts(all.body.data.map(({ settledAmount }) => settledAmount ?? 0))).toBe(found.settlementsTotal);
  const matched = await expectData(api.admin.get<Discrepancy[]>(path('kind=matched')));
  expect(matched).toHaveLength(found.matchedCount);
  expect(matched.map(({ transactionId }) => transactionId)).toContain(sales.right);
  expect((await api.admin.get<Discrepancy[]>(path('kind=discrepancies'))).body.pagination.total).toBe(3);
  const ids = all.body.data.map(({ id, transactionId }) => id ?? transactionId);
  const paged: unknown[] = [];
  for (let page = 1; page <= 4; page += 1) {
    const part = await expectData(api.admin.get<Discrepancy[]>(path(`kind=all&limit=2&page=${page}`)));
    paged.push(...part.map(({ id, transactionId }) => id ?? transactionId));
  }
  expect(paged).toEqual(ids);
  const followed: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const part: Awaited<ReturnType<typeof api.admin.get<Discrepancy[]>>> = await api.admin.get(
      path(`kind=all&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`),
    );
    followed.push(...part.body.data.map(({ id, transactionId }) => id ?? transactionId));
    cursor = part.body.pagination.nextCursor;
  }
  expect(followed).toEqual(ids);
  await expectError(api.admin.get('/settlement/reconciliation/rec_nothing/items'), 404, 'NOT_FOUND');
});

onAnyDatabase('returns the status of each day of a month', async (fixture) => {
  const { api } = fixture;
  const { merchantId, date } = await damagedDay(fixture);
  const dayOf = async () => {
    const days = await expectData(
      api.admin.get<{ date: string; state: string; difference: number | null }[]>(
        `/settlement/reconciliation/days?month=${date.slice(0, 7)}&merchantId=${merchantId}`,
      ),
    );
    expect(days.length).toBeGreaterThanOrEqual(28);
    expect(days.filter((day) => day.date !== date).every(({ state }) => state === 'unsettled')).toBe(true);
    return days.find((day) => day.date === date);
  };
  expect(await dayOf()).toMatchObject({ state: 'open', difference: null, runId: null });
  const { runId } = await run(fixture, date, merchantId);
  expect(await dayOf()).toMatchObject({ state: 'open', difference: 0.98, openCount: 3, runId });
  for (const month of ['2026-13', '0999-01'])
    await expectError(api.admin.get(`/settlement/reconciliation/days?month=${month}`), 400, 'INVALID_DATE', 'month');
  for (const [month, length] of [
    ['9999-12', 31],
    ['1000-02', 28],
    ['2028-02', 29],
  ] as const) {
    const days = await expectData(api.admin.get<{ date: string }[]>(`/settlement/reconciliation/days?month=${month}`));
    expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([length, `${month}-01`, `${month}-${length}`]);
  }
});

onAnyDatabase('compares a day when it settles, without a reader and without an audit entry', async (fixture) => {
  const { api } = fixture;
  const { merchantId, date } = await damagedDay(fixture);
  const path = `/settlement/reconciliation/days?month=${date.slice(0, 7)}&merchantId=${merchantId}`;
  const look = async () =>
    (await expectData(api.admin.get<{ date: string; state: string; openCount: number; compared: boolean }[]>(path))).find(
      (day) => day.date === date,
    );
  const runs = () => expectData(api.admin.get<RunRecord[]>(`/settlement/reconciliation/runs?merchantId=${merchantId}`));
  await expect.poll(async () => (await runs()).length).toBe(1);
  expect(await look()).toMatchObject({ state: 'open', compared: true, openCount: 3, difference: 0.98 });
  await sell(fixture, merchantId, 12);
  await settle(fixture, merchantId);
  await expect.poll(async () => (await runs()).length).toBe(2);
  expect(await look()).toMatchObject({ compared: true, openCount: 3 });
  await expectData(api.admin.get<RunRecord>(`/settlement/reconciliation?date=${date}&merchantId=${merchantId}`));
  const ids = (await runs()).map(({ runId }) => `settlement/reconciliation/${runId}`);
  for (const resource of ids) expect(await expectData(api.admin.get(`/audit-logs?resource=${resource}`)), resource).toEqual([]);
});

onAnyDatabase('returns an empty report for a date without settlements, and stores none', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  await sell(fixture, merchantId, 12);
  const found = await expectData(api.admin.get<RunRecord>(`/settlement/reconciliation?merchantId=${merchantId}`));
  expect(found).toMatchObject({ runId: null, state: 'unsettled', transactionsTotal: 0, settlementsTotal: 0, discrepancies: [] });
  expect(await expectData(api.admin.get<RunRecord[]>(`/settlement/reconciliation/runs?merchantId=${merchantId}`))).toEqual([]);
  await expectError(api.admin.get('/settlement/reconciliation?date=2026-02-30'), 400, 'INVALID_DATE', 'date');
  await expectError(api.admin.post('/settlement/reconciliation/auto', {}), 400, 'REQUIRED_FIELD_MISSING', 'date');
});

onAnyDatabase("shows callers of one merchant that merchant's lines only", async (fixture) => {
  const { api } = fixture;
  const { merchantId, date } = await damagedDay(fixture);
  const other = await createMerchant(fixture);
  await sell(fixture, other, 30);
  await settle(fixture, other);
  const whole = await expectData(api.admin.post<RunRecord>('/settlement/reconciliation/auto', { date }));
  const { headers } = await createUser(fixture, 'accountant', {}, other);
  const own = await expectData(api.admin.post<RunRecord>('/settlement/reconciliation/auto', { date }, headers));
  expect(own).toMatchObject({ transactionsTotal: 30, settlementsTotal: 30, matched: true, matchedCount: 1 });
  const at = `/settlement/reconciliation`;
  await expectError(api.admin.get(`${at}?merchantId=${merchantId}`, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
  await expectError(api.admin.get(`${at}/${whole.runId}/items`, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
  const [strange] = whole.discrepancies;
  await expectError(api.admin.post(`${at}/discrepancies/${strange?.id}/resolve`, { note: 'x' }, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
  const runs = await expectData(api.admin.get<RunRecord[]>(`${at}/runs`, headers));
  expect(runs.map(({ runId }) => runId)).toContain(own.runId);
  // The service compares a day when it settles, so it may have stored another run before.
  expect(new Set(runs.map((run) => run.merchantId))).toEqual(new Set([other]));
});
