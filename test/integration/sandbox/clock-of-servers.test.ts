import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Core, createCore } from '#core';
import { openPostgres } from '#core/database';
import type { Actor } from '#core/kernel';
import { openSandboxLedger } from '#core/processing/gateways';
import { MIGRATIONS } from '#migrations';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';

const HOUR_MS = 3_600_000;

let database: FreshDatabase;
const servers: { core: Core; close: () => Promise<void> }[] = [];

beforeAll(async () => {
  database = await freshDatabase(inject('migrated').template);
  const masterKey = randomBytes(32);
  for (let n = 0; n < 2; n += 1) {
    const opened = await openPostgres({ url: database.url, migrations: MIGRATIONS });
    const ledger = await openSandboxLedger({ url: database.url });
    const core = createCore({
      database: opened,
      sandboxLedger: ledger,
      masterKey,
      renderResponse: () => ({ status: 200, body: '' }),
      report: (message, { cause }) => expect.fail(`${message} ${cause}`),
    });
    await core.start();
    servers.push({ core, close: async () => core.stop().then(opened.close).then(ledger.close) });
  }
});
afterAll(async () => {
  await Promise.all(servers.map(({ close }) => close()));
  await database.drop();
});

test('moves a test clock by the sum of the moves that two servers run at the same time', async () => {
  const [one, two] = servers.map(({ core }) => core) as [Core, Core];
  const { tenantId } = await one.createTenant({
    name: 'T',
    environment: 'sandbox',
    tier: 'sandbox',
    merchant: { name: 'M', currency: 'USD', timezone: 'UTC' },
    owner: { email: 'o@t.example', password: 'long enough for a test' },
  });
  await two.identity.tenants.find(tenantId);
  const actor = { tenantId, name: 'owner', credentialId: 'c', merchantId: null, requestId: 'r', ip: null } as Actor;
  const before = Date.parse((await one.sandbox.clock(actor)).now);
  await Promise.all([one, two, one, two].map(({ sandbox }) => sandbox.moveClock(actor, { advanceSeconds: HOUR_MS / 1_000 })));
  const moved = Date.parse((await two.sandbox.clock(actor)).now) - before;
  expect(Math.floor(moved / HOUR_MS)).toBe(4);
});
