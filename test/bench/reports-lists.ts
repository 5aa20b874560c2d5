import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createCore } from '#core';
import { openSqlite } from '#core/database';
import { serviceActor } from '#core/kernel';
import { openSandboxLedger } from '#core/processing/gateways';
import { loadMasterKey } from '#core/records/vault';
import { Transaction } from '#core/sales/payments';
import { MIGRATIONS } from '#migrations';
import { Paginated, responseBody } from '#server/http';
import type { ApiClient } from './api-client.ts';
import { median, type Rate, type Ratio } from './results.ts';

const TIMES = 300;
const SAMPLE = 100;
const DAYS_TRIED = 30;
const DAY_MS = 86_400_000;

interface List {
  readonly data: readonly {
    readonly transactionId: string;
    readonly card: { readonly last4: string } | null;
    readonly createdAt: string;
  }[];
  readonly pagination: { readonly total: number };
}

type Paths = (turn: number) => string;

/** Requests alternate between both, so that a slow moment of the computer affects both. */
async function inTurn(sides: readonly (readonly [ApiClient, Paths])[]): Promise<number[]> {
  const times: number[][] = sides.map(() => []);
  for (let turn = 0; turn < TIMES; turn += 1) {
    for (const [index, [api, path]] of sides.entries()) {
      const { ms } = await api.get(path(turn));
      if (turn > TIMES / 10) times[index]?.push(ms);
    }
  }
  return times.map(median);
}

const dayBefore = (day: string, days: number) => new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** Returns a filter that finds about as many rows in the large history as exist in the small one, by narrowing it to some days. */
async function narrowed(large: ApiClient, filter: string, wanted: number, last: string): Promise<string> {
  let best = { path: '', away: Number.POSITIVE_INFINITY };
  for (let days = 0; days < DAYS_TRIED; days += 1) {
    const path = `/transactions?limit=50&${filter}&startDate=${dayBefore(last, days)}&endDate=${last}`;
    const { body } = await large.get<List>(path);
    const away = Math.abs(body.pagination.total - wanted);
    if (away < best.away) best = { path, away };
    if (body.pagination.total > wanted) break;
  }
  return best.path;
}

/** Rows 8 and 9 of the goals: lists at 10,000 and at 1,000,000 transactions, over HTTP. */
export async function benchLists(
  small: ApiClient,
  large: ApiClient,
): Promise<{ figures: Record<string, Record<string, Rate>>; ratios: Ratio[] }> {
  const figures: Record<string, Record<string, Rate>> = {};
  const ratios: Ratio[] = [];
  const compare = async (name: string, paths: { small: Paths; large: Paths }, must: number, goal: number) => {
    const [few = 0, many = 0] = await inTurn([
      [small, paths.small],
      [large, paths.large],
    ]);
    figures[name] = { '10,000': { ms: few }, '1,000,000': { ms: many } };
    ratios.push({ name: `${name}, 1,000,000 / 10,000`, value: many / few, must, goal, isBelow: true });
  };
  const newest = '/transactions?limit=50';
  await compare('list, newest', { small: () => newest, large: () => newest }, 1.5, 1.2);

  const { body: first } = await large.get<List>(newest);
  const last = dayBefore(first.data[0]?.createdAt.slice(0, 10) ?? '', 1);
  const { body: ofSmall } = await small.get<List>(newest);
  const last4 = (list: List) => list.data.find(({ card }) => card !== null)?.card?.last4 ?? '';
  for (const [name, filterOf] of [
    ['list by status', () => 'status=declined'],
    ['list by last four', (list: List) => `last4=${last4(list)}`],
  ] as const) {
    const few = `/transactions?limit=50&${filterOf(ofSmall)}&startDate=${dayBefore(last, 360)}&endDate=${last}`;
    const { body } = await small.get<List>(few);
    const many = await narrowed(large, filterOf(first), body.pagination.total, last);
    const found = (await large.get<List>(many)).body.pagination.total;
    await compare(`${name} (${body.pagination.total} and ${found})`, { small: () => few, large: () => many }, 1.5, 1.2);
  }
  const idsOf = async (api: ApiClient) => {
    const ids: string[] = [];
    for (let page = 1; ids.length < SAMPLE; page += 1) {
      const { body } = await api.get<List>(`/transactions?limit=10&page=${page * 15}`);
      ids.push(...body.data.map(({ transactionId }) => `/transactions/${transactionId}`));
    }
    return ids;
  };
  const [smallIds, largeIds] = [await idsOf(small), await idsOf(large)];
  await compare(
    'one by id',
    { small: (turn) => smallIds[turn % smallIds.length] as string, large: (turn) => largeIds[turn % largeIds.length] as string },
    1.5,
    1.2,
  );
  const [page1 = 0, page1000 = 0] = await inTurn([
    [large, () => newest],
    [large, () => `${newest}&page=1000`],
  ]);
  figures['page 1 and 1,000'] = { 'page 1': { ms: page1 }, 'page 1,000': { ms: page1000 } };
  ratios.push({ name: 'page 1,000 / page 1 at 1,000,000', value: page1000 / page1, must: 4, goal: 2.5, isBelow: true });
  return { figures, ratios };
}

/** Row 10: a page with its total as the service makes it, in comparison with the two statements and JSON, in one process. */
export async function benchPage(
  folder: string,
  tenantId: string,
): Promise<{ figures: Record<string, Record<string, Rate>>; ratios: Ratio[] }> {
  const file = join(folder, 'paydesk.sqlite');
  const database = await openSqlite({ file, migrations: MIGRATIONS });
  const sandboxLedger = await openSandboxLedger({ file: join(folder, 'sandbox-gateway.sqlite') });
  const masterKey = await loadMasterKey(join(folder, 'master.key'));
  const core = createCore({ database, sandboxLedger, masterKey, renderResponse: () => ({ status: 200, body: '' }), report: () => {} });
  await core.identity.tenants.load();
  const actor = serviceActor(tenantId);
  const handle = new BetterSqlite3(file, { readonly: true });
  const rows = handle.prepare('SELECT * FROM transactions WHERE tenant_id = ? ORDER BY id DESC LIMIT 50');
  const total = handle.prepare("SELECT sum(n) AS n FROM transaction_counts WHERE tenant_id = ? AND day = ''");
  const raw = () => JSON.stringify({ data: rows.all(tenantId), total: total.get(tenantId) });
  const response = Paginated(Transaction);
  const ours = async () => responseBody({ response }, await core.payments.page(actor, {}, { page: 1, limit: 50 }));
  const times: Record<'raw' | 'ours', number[]> = { raw: [], ours: [] };
  for (let turn = 0; turn < TIMES * 3; turn += 1) {
    for (const [name, make] of [
      ['raw', raw],
      ['ours', ours],
    ] as const) {
      const began = performance.now();
      await make();
      if (turn > TIMES) times[name].push(performance.now() - began);
    }
  }
  handle.close();
  await database.close();
  await sandboxLedger.close();
  const [bare, made] = [median(times.raw), median(times.ours)];
  return {
    figures: { 'page with total': { 'raw statements, JSON': { ms: bare }, service: { ms: made } } },
    ratios: [{ name: 'list page service time / raw statements with JSON', value: made / bare, must: 3, goal: 2, isBelow: true }],
  };
}
