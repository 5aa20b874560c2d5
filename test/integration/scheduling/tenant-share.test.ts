import { expect, test } from 'vitest';
import type { RowOf } from '#core/database';
import { realNow, systemClock } from '#core/kernel';
import { createScheduler, type Job, MAINTENANCE, released } from '#core/platform/scheduling';
import { openTestDatabase } from '../../support/databases.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

test.each(ANY_DATABASE)('runs the rows of a tenant while slow rows of another one wait, also with two slots (%s)', async (kind) => {
  const { database, close } = await openTestDatabase(kind);
  const scheduler = createScheduler({
    database,
    clockOf: () => systemClock,
    tenants: { ...MAINTENANCE, name: '(SELECT DISTINCT tenant_id AS id FROM chores) AS t' },
    refreshClocks: async () => {},
    report: (message) => expect.fail(message),
  });
  const began: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const job: Job<RowOf<typeof MAINTENANCE>> = {
    name: 'read-reports',
    table: MAINTENANCE,
    clock: 'real',
    concurrency: 2,
    leaseMs: 60_000,
    async run({ tenant_id, id, fence }) {
      began.push(tenant_id);
      if (tenant_id === 'ten_slow') await ended;
      await database.unitOfWork.transaction(tenant_id, (work) => work.update(MAINTENANCE, { id, fence }, released(null)));
      return 'done';
    },
  };
  scheduler.register(job);
  const add = (tenantId: string, ids: readonly string[]) =>
    database.unitOfWork.transaction(tenantId, async (work) => {
      for (const id of ids) work.insert(MAINTENANCE, { tenant_id: tenantId, id, ...released(realNow()), fence: 0 });
    });
  await add('ten_slow', ['a', 'b', 'c']);
  await scheduler.start();
  await expect.poll(() => began.length).toBeGreaterThan(0);
  await add('ten_other', ['d']);
  scheduler.wake(job.name, 'ten_other');
  await expect.poll(() => began).toContain('ten_other');
  end();
  await scheduler.stop();
  await close();
});
