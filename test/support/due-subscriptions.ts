import { mkdir } from 'node:fs/promises';
import type { Core } from '#core';
import { type Actor, serviceActor, tenantTime } from '#core/kernel';
import { compose, openDataDirectory } from '../../server/operation/compose.ts';

const CONCURRENCY = 64;
const DAY_MS = 86_400_000;

/** Runs a task for each number below a count, several at the same time. */
export async function forEachConcurrently(count: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await task(index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Creates subscriptions of customers with a card that are all due on one day. */
export async function createSubscriptions(core: Core, actor: Actor, count: number, startDate: string): Promise<void> {
  await forEachConcurrently(count, async (index) => {
    const { customerId } = await core.customers.create(actor, { lastName: `Subscriber ${index}` });
    await core.customers.addMethod(actor, customerId, { card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2039' } });
    await core.recurring.create(actor, { customerId, amount: '9.00', frequency: 'monthly', startDate });
  });
}

/** Creates subscriptions in a data directory with a demo tenant as of the previous day, so that all are due when a server starts on it. */
export async function createDueSubscriptions(
  dataDir: string,
  databaseUrl: string | undefined,
  tenantId: string,
  count: number,
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const options = { dataDir, databaseUrl };
  const { keyStore, lock } = await openDataDirectory(options);
  const ports = { renderResponse: () => ({ status: 200, body: '' }), report: () => {}, ownAddress: () => null };
  // The scheduler is not started, because the first subscriptions are due before all of them exist.
  const composition = await compose(options, ports, keyStore, { starts: false });
  const core = composition.coreAt({ now: () => tenantTime(Date.now() - DAY_MS) });
  await core.identity.tenants.load();
  const actor = serviceActor(tenantId);
  const { timezone } = await core.merchants.merchantFor(actor);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(new Date());
  await createSubscriptions(core, actor, count, today);
  await composition.close();
  lock.release();
}
