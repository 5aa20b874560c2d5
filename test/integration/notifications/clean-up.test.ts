import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Params, Query } from '#core/database';
import { later, newId } from '#core/kernel';
import { statementOf } from '../../../core/database/queries.ts';
import { createCleanUp } from '../../../core/records/notifications/clean-up.ts';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const DAY = 86_400;
const DAY_MS = DAY * 1_000;

describe.each(ANY_DATABASE)('the clean-up of messages (%s)', (kind) => {
  let opened: TestCore;
  beforeAll(async () => {
    opened = await openTestCore(undefined, kind);
    const { core, actor } = opened;
    // Four hundred days pass here; their settlements are not the subject.
    const { merchantId } = await core.merchants.merchantFor(actor);
    await core.settlement.changeSchedule(actor, merchantId, { frequency: 'manual' });
  });
  afterAll(() => opened.close());

  const write = (kind: 'notice' | 'code', to: string) => {
    const { core, actor } = opened;
    const atMs = core.identity.tenants.clockOf(actor.tenantId).now();
    const message = { tenantId: actor.tenantId, merchantId: null, channel: 'email', kind, to, atMs } as const;
    return core.database.unitOfWork.transaction(actor.tenantId, async (work) =>
      core.notifications.notify(work, {
        ...message,
        body: 'words',
        cause: 'event',
        ...(kind === 'code' ? { expiresMs: later(atMs, 600_000) } : {}),
      }),
    );
  };
  const kept = async () => {
    const { core, actor } = opened;
    const page = await core.notifications.page(actor, {}, { page: 1, limit: 200 });
    return page.items.map(({ to, status }) => [to, status]);
  };

  test('deletes expired codes after a day, and everything after 400 days', async () => {
    const { core, actor } = opened;
    await write('notice', 'a@b.example');
    await write('code', 'c@d.example');
    await core.notifications.cleanUp(actor.tenantId);
    expect(await kept()).toEqual([
      ['c@d.example', 'waiting'],
      ['a@b.example', 'waiting'],
    ]);
    await core.sandbox.moveClock(actor, { advanceSeconds: 700 });
    await core.notifications.cleanUp(actor.tenantId);
    expect(await kept()).toEqual([
      ['c@d.example', 'expired'],
      ['a@b.example', 'waiting'],
    ]);
    await core.sandbox.moveClock(actor, { advanceSeconds: DAY });
    await core.notifications.cleanUp(actor.tenantId);
    expect(await kept()).toEqual([['a@b.example', 'waiting']]);
    await core.sandbox.moveClock(actor, { advanceSeconds: 398 * DAY });
    await core.notifications.cleanUp(actor.tenantId);
    expect(await kept()).toHaveLength(1);
    await core.sandbox.moveClock(actor, { advanceSeconds: 2 * DAY });
    await core.notifications.cleanUp(actor.tenantId);
    expect(await kept()).toEqual([]);
  });
});

const TENANT = 'ten_1';
const NOW = Date.parse('2026-06-01T12:00:00Z');

interface RecordedStatement {
  readonly sql: string;
  readonly params: Params;
  readonly changed: number;
}

/** Returns a clean-up on a database that records its statements. */
function recordedSweep(database: Database): {
  readonly recorded: RecordedStatement[];
  readonly cleanUp: (tenantId: string) => Promise<void>;
} {
  const recorded: RecordedStatement[] = [];
  const noted = {
    ...database,
    nowSql: database.nowSql,
    unitOfWork: {
      transaction: (tenantId: string, doing: (work: unknown) => Promise<unknown>) =>
        database.unitOfWork.transaction(tenantId, (work) =>
          doing({
            execute: async (query: Query<unknown>) => {
              const { sql, params } = statementOf(query);
              const changed = await work.execute(query);
              recorded.push({ sql, params, changed });
              return changed;
            },
          }),
        ),
    },
  };
  const dependencies = { database: noted, now: () => NOW, clockOf: () => ({ now: () => NOW }) } as unknown as Parameters<
    typeof createCleanUp
  >[0];
  return { recorded, cleanUp: createCleanUp(dependencies) };
}

/** Writes `n` messages of an age, a kind and a state. */
async function fill(database: Database, n: number, kind: string, status: string, ageMs: number, expiresMs: number | null = null) {
  const rows = Array.from({ length: n }, () => {
    const values = [newId('msg', NOW - ageMs), kind, status, expiresMs ?? 'NULL'] as const;
    return `(:tenantId, '${values[0]}', 'mer_1', 'email', '${kind}', 'a@b.example', 'a@b.example', '', '${status}', 0, ${values[3]}, NULL, 0, 0, '')`;
  });
  await database.unitOfWork.transaction(TENANT, (work) =>
    work.run(
      `INSERT INTO messages (tenant_id, id, merchant_id, channel, kind, recipient, recipient_key, body, status, attempts, expires_ms, due_ms, lease_ms, fence, created_at) VALUES ${rows.join(', ')}`,
    ),
  );
}

/** Returns the query plan of a statement. */
async function planOf({ database, place }: TestDatabase, { sql, params }: RecordedStatement): Promise<string> {
  // The longest name first, because `:p1` is the beginning of `:p10`.
  const named = Object.entries({ ...params, tenantId: TENANT }).sort(([left], [right]) => right.length - left.length);
  const literal = named.reduce(
    (text, [name, value]) => text.replaceAll(`:${name}`, typeof value === 'string' ? `'${value}'` : String(value)),
    sql,
  );
  if (database.kind === 'sqlite') {
    const connection = new BetterSqlite3(place, { readonly: true });
    const lines = connection.prepare(`EXPLAIN QUERY PLAN ${literal}`).all() as { detail: string }[];
    connection.close();
    return lines.map(({ detail }) => detail).join('\n');
  }
  const client = new Client({ connectionString: place });
  await client.connect();
  await client.query('ANALYZE messages');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${literal}`);
  await client.end();
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test.each(ANY_DATABASE)('removes a long history in blocks, and does not visit rows that stay (%s)', async (kind) => {
  const opened = await openTestDatabase(kind);
  const { database } = opened;
  await fill(database, 8_000, 'receipt', 'sent', 30 * DAY_MS);
  await fill(database, 3_000, 'receipt', 'waiting', 30 * DAY_MS);
  await fill(database, 1_200, 'receipt', 'sent', 401 * DAY_MS);
  await fill(database, 1_100, 'code', 'sent', 2 * DAY_MS, NOW - 2 * DAY_MS);
  await fill(database, 20, 'code', 'sent', 60_000, NOW + 540_000);
  await fill(database, 700, 'link', 'waiting', DAY_MS, NOW - 60_000);
  const { recorded, cleanUp } = recordedSweep(database);
  await cleanUp(TENANT);
  expect(Math.max(...recorded.map(({ changed }) => changed))).toBe(500);
  const left = await database
    .read(TENANT)
    .all<{ kind: string; status: string; n: number }>(
      'SELECT kind, status, count(*) AS n FROM messages WHERE tenant_id = :tenantId GROUP BY kind, status ORDER BY kind, status',
    );
  expect(left.map((row) => [row.kind, row.status, Number(row.n)])).toEqual([
    ['code', 'sent', 20],
    ['link', 'expired', 700],
    ['receipt', 'sent', 8_000],
    ['receipt', 'waiting', 3_000],
  ]);
  const once = [...new Map(recorded.map((each) => [each.sql, each])).values()];
  const plans = await Promise.all(once.map((each) => planOf(opened, each)));
  for (const plan of plans) expect(plan).not.toMatch(/SCAN messages|Seq Scan on messages|messages_by_status/);
  for (const index of [/messages_expiring/, /messages_(of_tenant_)?due/, /messages_secret/])
    expect(plans.some((plan) => index.test(plan))).toBe(true);
  await opened.close();
});
