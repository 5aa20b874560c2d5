import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCore } from '#core';
import { type Actor, tenantTime } from '#core/kernel';
import { openTestDatabase } from '../../support/databases.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const DAY_MS = 86_400_000;

test.each(ANY_DATABASE)('removes stored responses and sessions after their retention time, and no others (%s)', async (kind) => {
  const { database, close } = await openTestDatabase(kind);
  const clock = { at: tenantTime(Date.now() - 60 * DAY_MS), now: () => clock.at };
  const core = createCore({
    database,
    sandboxLedger: database,
    masterKey: randomBytes(32),
    clock,
    renderResponse: () => ({ status: 200, body: '' }),
    report: (message) => expect.fail(message),
  });
  const owner = { email: 'o@t.example', password: 'long enough for a test' };
  const { tenantId } = await core.createTenant({
    name: 'T',
    environment: 'sandbox',
    tier: 'sandbox',
    merchant: { name: 'M', currency: 'USD', timezone: 'UTC' },
    owner,
  });
  const from = { ip: null, requestId: 'r', userAgent: null, kind: 'api' } as const;
  const { signIn } = core.identity;
  const signedIn = await signIn.login(tenantId, owner.email, owner.password, from);
  await signIn.login(tenantId, owner.email, owner.password, from);
  if ('token' in signedIn) await signIn.logout(signedIn.refreshToken, from);
  const actor = (key: string): Actor => ({
    ...{ tenantId, credentialId: 'c', name: 'n', merchantId: null, permissions: new Set(), requestId: 'r', ip: null },
    idempotencyKey: { credentialId: 'c', key, route: 'r', fingerprint: 'f' },
  });
  await core.idempotencyKeys.storeResponse(actor('old'), { status: 200, body: '{}' });
  clock.at = tenantTime(Date.now());
  await core.idempotencyKeys.storeResponse(actor('young'), { status: 200, body: '{}' });
  await database.unitOfWork.transaction(tenantId, async (work) => {
    await work.run("UPDATE sessions SET revoked_at = '2020-01-01T00:00:00.000Z' WHERE tenant_id = :tenantId AND revoked_at IS NOT NULL");
    // The first clean-up is an hour away by the clock of this computer.
    await work.run('UPDATE chores SET due_ms = 0 WHERE tenant_id = :tenantId');
  });

  await core.start();
  const left = (table: string) =>
    database.read(tenantId).all<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = :tenantId`);
  await expect.poll(async () => [(await left('idempotency_keys'))[0]?.n, (await left('sessions'))[0]?.n]).toEqual([1, 1]);
  expect(await core.idempotencyKeys.find(actor('young'))).toMatchObject({ kind: 'done' });
  await core.stop();
  await close();
});
