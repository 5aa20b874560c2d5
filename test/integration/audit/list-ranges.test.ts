import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, serviceActor } from '#core/kernel';
import { createArchiving } from '../../../core/records/audit/archiving.ts';
import { auditChain } from '../../../core/records/audit/chain.ts';
import { type AuditFilter, isMatch, page } from '../../../core/records/audit/list.ts';
import type { AuditRow } from '../../../core/records/audit/schema.ts';
import { verify } from '../../../core/records/audit/verify.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { planOf } from '../../support/plans.ts';
import { ANY_DATABASE } from '../../support/server.ts';

const TENANT = 'ten_log';
/** More than two full blocks of 2,000. */
const ENTRIES = 4_700;
const MINUTE_MS = 60_000;
const timeOf = (minute: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + minute * MINUTE_MS).toISOString();

/** Returns an entry. The times are not in the order of the numbers. */
const entry = (index: number): AuditRow => ({
  tenant_id: TENANT,
  n: 0,
  id: `aud_${index}`,
  at: timeOf(index + (index % 5) * 10),
  actor: index % 1_100 === 0 ? 'rare@demo.example' : 'key',
  actor_id: 'key_1',
  action: index % 4 === 0 ? 'transaction.void' : 'transaction.sale',
  resource: `transactions/txn_${index % 900}${index % 2 === 0 ? '/capture' : ''}`,
  merchant_id: index % 3 === 0 ? 'mer_2' : 'mer_1',
  before: null,
  after: null,
  ip: null,
  user_agent: null,
  request_id: `req_${index}`,
  previous_hash: '',
  hash: '',
});

describe.each(ANY_DATABASE)('lists of the audit log (%s)', (kind) => {
  const key = createSecretKey(randomBytes(32));
  const admin: Actor = { ...serviceActor(TENANT), merchantId: null };
  const actors = [admin, { ...admin, merchantId: 'mer_2' }];
  let opened: TestDatabase;
  let log: readonly AuditRow[];
  const stored = async () =>
    (await opened.database
      .read(TENANT)
      .all<AuditRow>('SELECT * FROM audit_entries WHERE tenant_id = :tenantId ORDER BY n DESC')) as readonly AuditRow[];

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    for (let from = 0; from < ENTRIES; from += 900)
      await opened.database.unitOfWork.transaction(TENANT, async (work) => {
        for (let index = from; index < Math.min(ENTRIES, from + 900); index += 1) work.append(auditChain(key), entry(index));
      });
    log = await stored();
  }, 60_000);
  afterAll(() => opened.close());

  const edges = [37, 1_990, 2_030, 4_600].map(timeOf);
  const periods = [{}, ...edges.flatMap((from) => [{ from }, { until: from }, ...edges.map((until) => ({ from, until }))])];
  const others: readonly AuditFilter[] = [
    {},
    { actor: 'rare@demo.example' },
    { action: 'transaction.void' },
    { resource: 'transactions/txn_7' },
    { resource: 'transactions/txn_7', action: 'transaction.void' },
    { resource: 'transactions' },
    { requestId: 'req_2100' },
  ];

  /** Compares pages by number and by cursor with those of all entries in memory. */
  async function comparePages(filters: readonly AuditFilter[]) {
    for (const filter of filters)
      for (const actor of actors) {
        const matching = log.filter((row) => isMatch(actor, filter, row));
        const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
        for (const number of [1, 3]) {
          const found = await page(opened.database, actor, filter, { page: number, limit: 20 });
          const expected = { ids: ids(matching.slice((number - 1) * 20, number * 20)), total: matching.length };
          expect({ ids: ids(found.items), total: found.total }, JSON.stringify([filter, number])).toEqual(expected);
        }
        const cursor = matching[30];
        if (cursor === undefined) continue;
        const found = await page(opened.database, actor, filter, { page: 1, limit: 20, cursor: String(cursor.n) });
        expect({ ids: ids(found.items), total: found.total }).toEqual({ ids: ids(matching.slice(31, 51)), total: matching.length });
      }
  }

  if (kind === 'sqlite')
    test('read only the blocks of their period', async () => {
      const plan = await planOf(() =>
        page(opened.database, admin, { from: edges[0] as string, until: edges[2] as string }, { page: 1, limit: 20 }),
      );
      const entries = plan.filter((step) => step.includes('audit_entries'));
      expect(entries.length).toBeGreaterThan(0);
      expect(entries.filter((step) => !step.includes('(tenant_id=? AND n>? AND n<?)'))).toEqual([]);
      const ofAction = await planOf(() => page(opened.database, admin, { action: 'transaction.void' }, { page: 1, limit: 20 }));
      const found = ofAction.filter((step) => step.includes('audit_entries'));
      expect(found.length).toBeGreaterThan(0);
      expect(found.filter((step) => !step.includes('audit_entries_by_action (tenant_id=? AND action=?'))).toEqual([]);
      const ofResource = await planOf(() => page(opened.database, admin, { resource: 'transactions/txn_7' }, { page: 1, limit: 20 }));
      const read = ofResource.filter((step) => step.includes('audit_entries'));
      expect(read.length).toBeGreaterThan(0);
      expect(read.filter((step) => !/audit_entries_by_resource|\(tenant_id=\? AND n=\?\)/.test(step))).toEqual([]);
      const whole = await planOf(() => page(opened.database, admin, {}, { page: 1, limit: 20 }));
      expect(whole.filter((step) => step.includes('audit_entries'))).toHaveLength(1);
    });

  test('have the entries and totals of the whole log', async () => {
    await comparePages(periods.flatMap((period) => others.map((other) => ({ ...other, ...period }))));
  }, 120_000);

  test('cannot lose entries by changed times of a block without a broken chain', async () => {
    const verdict = () => verify(opened.database, key, TENANT);
    const run = (sql: string) =>
      opened.database.unitOfWork.transaction(TENANT, (work) =>
        work.run(`${sql} AND tenant_id = :tenantId`).then((changed) => expect(changed).toBe(1)),
      );
    expect(await verdict()).toMatchObject({ valid: true, reason: null });
    for (const [column, time] of [
      ['first_at', timeOf(3_900)],
      ['last_at', timeOf(2_100)],
    ] as const) {
      const [before] = await opened.database
        .read(TENANT)
        .all<Record<string, string>>(`SELECT ${column} FROM audit_blocks WHERE block = 1 AND tenant_id = :tenantId`);
      await run(`UPDATE audit_blocks SET ${column} = '${time}' WHERE block = 1`);
      expect(await verdict()).toMatchObject({
        valid: false,
        reason: 'the times by which lists of a period find entries 2001 to 4000 were changed',
      });
      await run(`UPDATE audit_blocks SET ${column} = '${before?.[column]}' WHERE block = 1`);
      expect(await verdict()).toMatchObject({ valid: true });
    }
    await run('UPDATE audit_blocks SET block = 9 WHERE block = 0');
    expect(await verdict()).toMatchObject({
      valid: false,
      reason: 'the times by which lists of a period find entries 1 to 2000 were changed',
    });
    await run('UPDATE audit_blocks SET block = 0 WHERE block = 9');
    expect(await verdict()).toMatchObject({ valid: true });
  });

  test('leave out archived entries', async () => {
    expect(await createArchiving(opened.database, key).deleteUpTo(TENANT, 2_500, 10_000)).toBe(true);
    log = await stored();
    expect(log).toHaveLength(ENTRIES - 2_500);
    await comparePages([{}, { from: timeOf(2_400) }, { from: timeOf(100), until: timeOf(3_000) }, { until: timeOf(1_000) }]);
    expect(await verify(opened.database, key, TENANT)).toMatchObject({ valid: true, archivedEntries: 2_500 });
  });
});
