import { mkdir } from 'node:fs/promises';
import type { Core } from '#core';
import { type Actor, serviceActor, tenantTime } from '#core/kernel';
import { compose, openDataDirectory } from '../../server/compose.ts';

const AT_ONCE = 64;
const DAY_MS = 86_400_000;

/** Runs a task for each number below a count, some at once. */
export async function each(count: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await task(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Makes plans of customers with a card, all to be charged on one day. */
export async function makePlans(core: Core, actor: Actor, count: number, startDate: string): Promise<void> {
  await each(count, async (index) => {
    const { customerId } = await core.customers.create(actor, { lastName: `Subscriber ${index}` });
    await core.customers.addMethod(actor, customerId, { card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2039' } });
    await core.recurring.create(actor, { customerId, amount: '9.00', frequency: 'monthly', startDate });
  });
}

/** Makes plans in a data directory with a demo tenant, as they were made the day before: all are due when a server starts on it. */
export async function plansFromYesterday(dataDir: string, databaseUrl: string | undefined, tenantId: string, count: number): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const options = { dataDir, databaseUrl };
  const { keyStore, release } = await openDataDirectory(options);
  const ports = { renderAnswer: () => ({ status: 200, body: '' }), report: () => {}, ownAddress: () => null };
  // Its scheduler is not started: the plans are due before all of them are made.
  const composition = await compose(options, ports, keyStore, { starts: false });
  const core = composition.coreAt({ now: () => tenantTime(Date.now() - DAY_MS) });
  await core.identity.tenants.load();
  const actor = serviceActor(tenantId);
  const { timezone } = await core.merchants.merchantFor(actor);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(new Date());
  await makePlans(core, actor, count, today);
  await composition.close();
  release();
}
