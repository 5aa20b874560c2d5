import { expect, onTestFinished, test } from 'vitest';
import { openTestCore } from '../../support/core.ts';

const MINUTE_MS = 60_000;

test('names the operations whose keys have been open for more than a minute', async () => {
  const { core, actor, database, close } = await openTestCore();
  onTestFinished(close);
  // Callers of one merchant do not see the items of the installation, such as its backups.
  const { merchantId } = await core.merchants.create(actor, { name: 'Pier' });
  const requests = async () => (await core.status.statusFor({ ...actor, merchantId })).items.find(({ name }) => name === 'requests');
  expect(await requests()).toMatchObject({ state: 'ok', facts: [] });
  const leaveOpen = (key: string, ageMs: number) =>
    database.unitOfWork.transaction(actor.tenantId, async (work) => {
      const columns = 'tenant_id, credential_id, key, route, fingerprint, state, created_at, expires_ms';
      const values = ":tenantId, 'c', :key, 'admin.createInstallmentPlan', 'f', 'running', :createdAt, 0";
      const createdAt = new Date(Date.now() - ageMs).toISOString();
      await work.run(`INSERT INTO idempotency_keys (${columns}) VALUES (${values})`, { key, createdAt });
    });
  await leaveOpen('running', MINUTE_MS / 2);
  expect(await requests()).toMatchObject({ state: 'ok' });
  await leaveOpen('left', 5 * MINUTE_MS);
  expect(await requests()).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^1 request without an outcome, the oldest for 5 minutes\./),
    facts: [{ name: 'admin.createInstallmentPlan', value: '1 request, the oldest for 5 minutes' }],
  });
  await leaveOpen('long left', 120 * MINUTE_MS);
  expect(await requests()).toMatchObject({ state: 'problem', facts: [{ value: '2 requests, the oldest for 2 hours' }] });
});
