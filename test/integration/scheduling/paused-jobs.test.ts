import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCore } from '#core';
import { systemClock } from '#core/kernel';
import { openTestDatabase } from '../../support/databases.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const DAY_MS = 86_400_000;

test.each(ANY_DATABASE)('holds the jobs of one tenant during a function, and runs them afterwards (%s)', async (kind) => {
  const { database, close } = await openTestDatabase(kind);
  const core = createCore({
    database,
    sandboxLedger: database,
    masterKey: randomBytes(32),
    clock: systemClock,
    renderResponse: () => ({ status: 200, body: '' }),
    report: (message) => expect.fail(message),
  });
  const begin = async (name: string) => {
    const merchant = { name, currency: 'USD', timezone: 'UTC' };
    const owner = { email: `${name}@t.example`, password: 'long enough for a test' };
    return (await core.createTenant({ name, environment: 'sandbox', tier: 'sandbox', merchant, owner })).tenantId;
  };
  const [waiting, other] = [await begin('one'), await begin('two')];
  const isDue = async (tenantId: string) => {
    const sql = 'SELECT due_ms FROM settlement_schedules WHERE tenant_id = :tenantId';
    const [row] = await database.read(tenantId).all<{ due_ms: number }>(sql);
    return Number(row?.due_ms) <= Date.now();
  };
  await core.start();
  await core.withoutJobs(waiting, async () => {
    await core.settlement.beginAt(waiting, Date.now() - 3 * DAY_MS);
    await core.settlement.beginAt(other, Date.now() - 3 * DAY_MS);
    // The end of the function wakes the jobs.
    await core.withoutJobs(other, async () => {});
    await expect.poll(() => isDue(other)).toBe(false);
    expect(await isDue(waiting)).toBe(true);
  });
  await expect.poll(() => isDue(waiting)).toBe(false);
  await core.stop();
  await close();
});
