import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCore } from '#core';
import { type Database, openPostgres, openSqlite } from '#core/database';
import { type Actor, serviceActor, tenantTime } from '#core/kernel';
import { openSandboxLedger } from '#core/processing/gateways';
import { MIGRATIONS } from '#migrations';
import { createSubscriptions, forEachConcurrently } from '../support/due-subscriptions.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { promisedBilling } from './promised-billing.ts';
import type { BenchResult, Rate } from './results.ts';

const PLANS = 5_000;
const SALES = 5_000;
const DAY_MS = 86_400_000;

/** Sales that are not measured, so that the compiler has seen the code of a sale. */
const WARM_UP_SALES = 500;

interface Rates {
  readonly billing: Rate;
  readonly sales: Rate;
}

/**
 * Measures due subscriptions billed per second, from the claim to the renewed subscription, in comparison with plain sales of the same
 * stored cards in the same process: both durable, on SQLite and on PostgreSQL, and both while the scheduler runs (`docs/performance.md`).
 */
export async function benchBilling(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const postgres = await startPostgres();
  try {
    const sqlite = await measure(await openSqlite({ file: join(folder, 'ours.sqlite'), migrations: MIGRATIONS }), {
      file: join(folder, 'ledger.sqlite'),
    });
    const promised = promisedBilling(folder, { service: 'ours.sqlite', sandbox: 'ledger.sqlite' }, PLANS);
    const url = await postgres.createDatabase('ours');
    const shared = await measure(await openPostgres({ url, migrations: MIGRATIONS }), { url });
    const figure = (rate: Rate) => ({ [`${PLANS} plans`]: rate });
    const ratio = ({ billing, sales }: Rates) => (billing.perSecond ?? 0) / (sales.perSecond ?? 0);
    return {
      figures: {
        'sqlite billing': figure(sqlite.billing),
        'sqlite sales': figure(sqlite.sales),
        'sqlite billing, promised': figure({ perSecond: promised.renewals }),
        'sqlite sales, promised': figure({ perSecond: promised.sales }),
        'postgres billing': figure(shared.billing),
        'postgres sales': figure(shared.sales),
      },
      ratios: [
        { name: 'due subscriptions / plain sales, SQLite', value: ratio(sqlite) },
        { name: 'due subscriptions / plain sales, SQLite, promised', value: promised.renewals / promised.sales },
        {
          name: 'due subscriptions / plain sales, SQLite / promised',
          value: ratio(sqlite) / (promised.renewals / promised.sales),
          goal: 0.92,
        },
        { name: 'due subscriptions / plain sales, PostgreSQL', value: ratio(shared) },
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
  const masterKey = randomBytes(32);
  const newCore = () =>
    createCore({
      database,
      sandboxLedger,
      masterKey,
      clock: { now: () => tenantTime(Date.now() + offsetMs) },
      renderResponse: () => ({ status: 200, body: '' }),
      report: (message) => process.stderr.write(`${message}\n`),
    });
  const today = newCore();
  const { tenantId } = await today.createTenant({
    name: 'Bench',
    environment: 'sandbox',
    tier: 'sandbox',
    merchant: { name: 'Bench', currency: 'USD', timezone: 'UTC' },
    owner: { email: 'owner@bench.example', password: 'long enough for a bench' },
  });
  const actor = serviceActor(tenantId);
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await createSubscriptions(today, actor, PLANS, tomorrow);
  // The sales of today are not settled tomorrow, because that is no part of a renewal.
  const { merchantId } = await today.merchants.merchantFor(actor);
  await today.settlement.changeSchedule(actor, merchantId, { frequency: 'manual' });
  await today.start();
  await makeSales(today, actor, WARM_UP_SALES);
  // As the autovacuum of PostgreSQL does within a minute.
  if (database.kind === 'postgres') await database.unitOfWork.transaction(null, (work) => work.run('ANALYZE'));
  const sales = await measured(SALES, () => makeSales(today, actor, SALES));
  await today.stop();
  offsetMs = DAY_MS;
  const core = newCore();
  const billing = await measured(PLANS, async () => {
    await core.start();
    await until(() => isDone(core, actor, tomorrow));
  });
  await core.stop();
  await database.close();
  await sandboxLedger.close();
  return { billing, sales };
}

/** Returns the speed of a number of operations and the processor time of this process for one, without the processes of PostgreSQL. */
async function measured(count: number, operation: () => Promise<void>): Promise<Rate> {
  const began = performance.now();
  const before = process.cpuUsage();
  await operation();
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (count * 1_000) / (performance.now() - began), processorMs: (user + system) / 1_000 / count };
}

/** Returns true if no payment is expected on the next day any more, because every subscription has moved on by a month. */
async function isDone(core: Core, actor: Actor, date: string): Promise<boolean> {
  const due = 'SELECT id FROM subscriptions WHERE tenant_id = :tenantId AND next_date <= :date LIMIT 1';
  return (await core.database.read(actor.tenantId).all(due, { date })).length === 0;
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function makeSales(core: Core, actor: Actor, count: number): Promise<void> {
  const { items } = await core.customers.page(actor, {}, { page: 1, limit: 200 });
  await forEachConcurrently(count, async (index) => {
    const { customerId } = items[index % items.length] as { customerId: string };
    await core.payments.createPayment(actor, { type: 'sale', amount: '9.00', customerId, source: 'saved' });
  });
}
