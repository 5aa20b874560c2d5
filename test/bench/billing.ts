import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCore } from '#core';
import { type Database, openPostgres, openSqlite } from '#core/database';
import { openSandboxLedger } from '#core/gateways';
import { type Actor, serviceActor, tenantTime } from '#core/kernel';
import { MIGRATIONS } from '#migrations';
import { createSubscriptions, forEachConcurrently } from '../support/due-subscriptions.ts';
import { startPostgres } from '../support/postgres-server.ts';
import type { BenchResult } from './results.ts';

const PLANS = 5_000;
const SALES = 5_000;
const DAY_MS = 86_400_000;

interface Rates {
  readonly billing: number;
  readonly sales: number;
}

/**
 * Measures due subscriptions billed per second, from the claim to the renewed subscription, in comparison with plain sales of the same
 * stored cards in the same process: both durable, on SQLite and on PostgreSQL (`docs/performance.md`).
 */
export async function benchBilling(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const postgres = await startPostgres();
  try {
    const sqlite = await measure(await openSqlite({ file: join(folder, 'ours.sqlite'), migrations: MIGRATIONS }), {
      file: join(folder, 'ledger.sqlite'),
    });
    const url = await postgres.createDatabase('ours');
    const shared = await measure(await openPostgres({ url, migrations: MIGRATIONS }), { url });
    const figure = (perSecond: number) => ({ [`${PLANS} plans`]: { perSecond } });
    return {
      figures: {
        'sqlite billing': figure(sqlite.billing),
        'sqlite sales': figure(sqlite.sales),
        'postgres billing': figure(shared.billing),
        'postgres sales': figure(shared.sales),
      },
      ratios: [
        { name: 'due subscriptions / plain sales, SQLite', value: sqlite.billing / sqlite.sales },
        { name: 'due subscriptions / plain sales, PostgreSQL', value: shared.billing / shared.sales },
      ],
    };
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(database: Database, ledgerAt: { file: string } | { url: string }): Promise<Rates> {
  const sandboxLedger = await openSandboxLedger(ledgerAt);
  let offsetMs = 0;
  const core = createCore({
    database,
    sandboxLedger,
    masterKey: randomBytes(32),
    clock: { now: () => tenantTime(Date.now() + offsetMs) },
    renderResponse: () => ({ status: 200, body: '' }),
    report: (message) => process.stderr.write(`${message}\n`),
  });
  const { tenantId } = await core.createTenant({
    name: 'Bench',
    environment: 'sandbox',
    tier: 'sandbox',
    merchant: { name: 'Bench', currency: 'USD', timezone: 'UTC' },
    owner: { email: 'owner@bench.example', password: 'long enough for a bench' },
  });
  const actor = serviceActor(tenantId);
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await createSubscriptions(core, actor, PLANS, tomorrow);
  const sales = await salesPerSecond(core, actor);
  offsetMs = DAY_MS;
  const began = performance.now();
  await core.start();
  await until(
    async () => (await core.recurring.page(actor, {}, { page: 1, limit: 1 })).items[0]?.paymentsMade === 1 && (await isDone(core, actor)),
  );
  const billing = (PLANS * 1_000) / (performance.now() - began);
  await core.stop();
  await database.close();
  await sandboxLedger.close();
  return { billing, sales };
}

/** No payment is expected on the next day any more, because every subscription has moved on by a month. */
async function isDone(core: Core, actor: Actor): Promise<boolean> {
  const [row] = await core.database
    .read(actor.tenantId)
    .all<{ n: number }>('SELECT count(*) AS n FROM subscriptions WHERE tenant_id = :tenantId AND payments_made = 0');
  return Number(row?.n) === 0;
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function salesPerSecond(core: Core, actor: Actor): Promise<number> {
  const { items } = await core.customers.page(actor, {}, { page: 1, limit: 200 });
  const began = performance.now();
  await forEachConcurrently(SALES, async (index) => {
    const { customerId } = items[index % items.length] as { customerId: string };
    await core.payments.createPayment(actor, { type: 'sale', amount: '9.00', customerId, source: 'saved' });
  });
  return (SALES * 1_000) / (performance.now() - began);
}
