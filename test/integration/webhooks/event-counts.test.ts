import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, serviceActor } from '#core/kernel';
import { type CatchUpRequest, createWebhooks, type HistoryEvent, type HistoryRequest, type Webhooks } from '#core/records/webhooks';
import type { EventType } from '#shared/webhook-events';
import { prepareCatchUp } from '../../../core/records/webhooks/catch-up.ts';
import type { Dependencies } from '../../../core/records/webhooks/dependencies.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { ANY_DATABASE } from '../../support/server.ts';

const TENANT = 'ten_counts';
const TYPES: readonly EventType[] = ['transaction.approved', 'transaction.declined', 'refund.processed', 'transaction.voided'];
const MERCHANTS = ['mer_1', 'mer_2'];
const STARTS_MS = Date.parse('2026-01-01T00:00:00.000Z');
const MINUTE_MS = 60_000;
/** More than two full blocks of 2,000. */
const EVENTS = 4_700;
const at = (index: number) => new Date(STARTS_MS + index * MINUTE_MS).toISOString();

describe.each(ANY_DATABASE)('the counters of the event history (%s)', (kind) => {
  let opened: TestDatabase;
  let webhooks: Webhooks;
  /** All events in the order of their numbers. */
  let history: readonly HistoryEvent[];
  const owner: Actor = { ...serviceActor(TENANT), merchantId: null };

  /** The type of an event is rare if its index is divisible by 1,500. Times are not in the order of the numbers. */
  const emit = (from: number, to: number) =>
    opened.database.unitOfWork.writeBatch(TENANT, (batch) => {
      for (let index = from; index < to; index += 1)
        webhooks.emit(batch, {
          tenantId: TENANT,
          merchantId: MERCHANTS[index % 3 === 0 ? 1 : 0] as string,
          type: (index % 1_500 === 0 ? 'transaction.voided' : TYPES[index % 3]) as 'transaction.voided',
          resourceId: `r_${index}`,
          atMs: STARTS_MS + (index + (index % 5) * 10) * MINUTE_MS,
          data: { index } as never,
        });
    });

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    webhooks = createWebhooks({
      database: opened.database,
      scheduler: { register: () => {}, wake: () => {} },
      changes: { publish: () => {}, subscribe: () => () => {} },
      clockOf: () => ({ now: () => STARTS_MS }),
    } as never);
    for (let from = 0; from < EVENTS; from += 900) await emit(from, Math.min(EVENTS, from + 900));
    history = await allEvents();
  }, 60_000);
  afterAll(() => opened.close());

  async function allEvents(): Promise<HistoryEvent[]> {
    const rows = await opened.database
      .read(TENANT)
      .all<Record<'id' | 'type' | 'created_at' | 'resource_id' | 'merchant_id', string>>(
        'SELECT id, type, created_at, resource_id, merchant_id FROM events WHERE tenant_id = :tenantId ORDER BY n',
      );
    return rows.map((row) => ({
      id: row.id,
      type: row.type as EventType,
      createdAt: row.created_at,
      resourceId: row.resource_id,
      merchantId: row.merchant_id,
      tenantId: TENANT,
      data: {},
    }));
  }

  /** Returns the IDs and the total of a page as the definition of the list gives them. */
  function expected(actor: Actor, { after, before, from, until, types, limit }: HistoryRequest) {
    const isForward = after !== undefined || (from !== undefined && before === undefined);
    const first = history.findIndex(({ id }) => id === after);
    const last = before === undefined ? history.length : history.findIndex(({ id }) => id === before);
    const found = history.filter(
      (event, index) =>
        index > first &&
        index < last &&
        (from === undefined || event.createdAt >= from) &&
        (until === undefined || event.createdAt < until) &&
        (types === undefined || types.includes(event.type)) &&
        (actor.merchantId === null || event.merchantId === actor.merchantId),
    );
    const page = isForward ? found.slice(0, limit) : found.slice(-limit);
    return { ids: page.map(({ id }) => id), total: found.length };
  }

  test('counts full blocks in the commit of their last event', async () => {
    const [counted] = await opened.database
      .read(TENANT)
      .all<{ blocks: number; n: number }>(
        'SELECT count(DISTINCT block) AS blocks, sum(n) AS n FROM event_counts WHERE tenant_id = :tenantId',
      );
    expect({ blocks: Number(counted?.blocks), n: Number(counted?.n) }).toEqual({ blocks: 2, n: 4_000 });
  });

  test('gives the pages and totals of a history that is counted event by event', async () => {
    const edges = [0, 1, 1_998, 1_999, 2_000, 2_001, 3_999, 4_000, 4_699].map((index) => history[index]?.id as string);
    const times = [at(0), at(37), at(1_990), at(2_030), at(3_950), at(4_600), at(9_000)];
    const requests: HistoryRequest[] = [
      { limit: 20 },
      ...edges.flatMap((id) => [
        { after: id, limit: 20 },
        { before: id, limit: 20 },
        { after: id, from: at(2_030), limit: 5 },
        { before: id, from: at(37), until: at(4_600), limit: 5 },
      ]),
      ...times.flatMap((from) => [{ from, limit: 20 }, { until: from, limit: 20 }, ...times.map((until) => ({ from, until, limit: 3 }))]),
    ];
    for (const request of requests)
      for (const types of [undefined, ['transaction.voided'], ['refund.processed', 'transaction.declined']])
        for (const actor of [owner, { ...owner, merchantId: 'mer_2' }]) {
          const asked = { ...request, ...(types === undefined ? {} : { types }) };
          const cursor = history.find(({ id }) => id === (request.after ?? request.before));
          if (cursor !== undefined && actor.merchantId !== null && cursor.merchantId !== actor.merchantId) continue;
          const { items, total } = await webhooks.events(actor, asked);
          expect({ ids: items.map(({ id }) => id), total }, JSON.stringify(asked)).toEqual(expected(actor, asked));
        }
  }, 60_000);

  test('lets a catch-up count only the blocks with events of its period and types', async () => {
    const endpoint = { id: 'whe_1', events: '["*"]', merchant_id: null, mark: 'aa' };
    const prepare = (request: CatchUpRequest) => prepareCatchUp({ database: opened.database } as Dependencies, owner, endpoint, request);
    for (const [request, firstNumber] of [
      [{ from: at(0) }, 0],
      [{ from: at(2_500) }, 2_000],
      [{ from: at(9_000) }, 4_000],
      [{ from: at(2_030), types: ['transaction.voided'] }, 2_000],
    ] as const) {
      const { counted, cursor } = await prepare(request);
      const { total } = expected(owner, { limit: 1, ...request });
      expect({ counted, cursor }, JSON.stringify(request)).toEqual({ counted: total, cursor: firstNumber });
    }
  });

  test('takes no event for an archive that a running catch-up has not considered', async () => {
    const catchUp = (sql: string) => opened.database.unitOfWork.transaction(TENANT, (work) => work.run(sql));
    await catchUp(
      `INSERT INTO webhook_catch_ups (tenant_id, id, endpoint_id, state, types, cursor, until, total, queued, created_at, lease_ms, fence)
       VALUES (:tenantId, 'cup_1', 'whk_1', 'running', '[]', 60, 4000, 0, 0, '${at(0)}', 0, 0)`,
    );
    const taken = await webhooks.archiving.take(TENANT, { n: 0 }, 100, 2026);
    expect(taken.map(({ n }) => n)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    await catchUp('DELETE FROM webhook_catch_ups WHERE tenant_id = :tenantId');
    expect(await webhooks.archiving.take(TENANT, { n: 0 }, 100, 2026)).toHaveLength(100);
    await webhooks.archiving.release(TENANT);
  });

  test('counts what remains after old events were archived, also in a block that was archived in part', async () => {
    const { archiving } = webhooks;
    for (const through of [1_999, 2_000, 2_350]) {
      const { n } = await archiving.start(TENANT);
      await archiving.take(TENANT, { n }, through - n, 2026);
      while (!(await archiving.deleteUpTo(TENANT, through, 900)));
      history = await allEvents();
      expect(history).toHaveLength(EVENTS - through);
      for (const request of [
        { limit: 20 },
        { from: at(2_400), limit: 20 },
        { until: at(4_100), limit: 5 },
        { types: ['transaction.voided'], limit: 5 },
      ])
        for (const actor of [owner, { ...owner, merchantId: 'mer_2' }]) {
          const { items, total } = await webhooks.events(actor, request);
          expect({ ids: items.map(({ id }) => id), total }).toEqual(expected(actor, request));
        }
    }
  });

  test('continues with the numbers of a history whose events were removed', async () => {
    await opened.database.unitOfWork.transaction(TENANT, async (work) => {
      for (const table of ['events', 'event_counts']) await work.run(`DELETE FROM ${table} WHERE tenant_id = :tenantId`);
    });
    await emit(EVENTS, EVENTS + 1_900);
    history = await allEvents();
    expect(history).toHaveLength(1_900);
    for (const request of [{ limit: 20 }, { from: at(EVENTS + 500), limit: 20 }, { types: ['transaction.voided'], limit: 5 }]) {
      const { items, total } = await webhooks.events(owner, request);
      expect({ ids: items.map(({ id }) => id), total }).toEqual(expected(owner, request));
    }
  });
});
