import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { CARDS } from '../../support/sales.ts';
import { ANY_DATABASE } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2026-11-18T17:00:00.000Z');
const CARD = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2039' } as const;

interface Due {
  readonly job: string;
  readonly due_ms: number;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(kind: 'sqlite' | 'postgres') {
  const opened = await openTestCore((ledger) => ledger, kind, { lookForWorkEveryMs: 50, webhookTimeoutMs: 200 });
  const { core, actor, database } = opened;
  const caller = { ...actor, permissions: new Set(['invoices:write', 'settings:write'] as const) };
  const { merchantId } = await core.merchants.create(caller, { name: 'Pier', timezone: 'UTC' });
  await core.merchants.changeSection(caller, merchantId, 'vt-settings', { chargeLaterMaxAmount: 50 });
  const { customerId } = await core.customers.create(caller, { lastName: 'Marsh', email: 'marsh@customer.example', merchantId });
  await core.customers.addMethod(caller, customerId, { card: CARD, consentText: 'Charge it.' });
  // Nothing listens at this port.
  await core.webhooks.createEndpoint(caller, { url: 'https://127.0.0.1:9/', events: ['*'] });
  /** Returns the rows of all jobs that wait for a later time than a delay from now. */
  async function dueAfter(delayMs: number): Promise<Due[]> {
    const tables = [
      'webhook_deliveries',
      'queued_payments',
      'invoice_payments',
      'attempts',
      'invoice_payments',
      'refund_decline_queue',
      'chores',
    ];
    const found: Due[] = [];
    for (const job of [...tables, 'settlement_schedules', 'backup_schedules', 'gateway_return_watches', 'dispute_watches'])
      for (const { due_ms } of await database
        .readAcrossTenants()
        .all<{ due_ms: number }>(`SELECT due_ms FROM ${job} WHERE due_ms IS NOT NULL`))
        if (Number(due_ms) > Date.now() + delayMs) found.push({ job, due_ms: Number(due_ms) });
    return found;
  }
  const load = async () => {
    await core.payments.createPayment(caller, {
      type: 'sale',
      source: 'api',
      amount: '12.00',
      method: { kind: 'card', ...CARD },
      merchantId,
    });
    await core.queuedPayments.create(caller, { customerId, amount: '9.00' });
    const { invoiceId } = await core.invoicing.create(caller, { customerId, amount: '20.00' });
    await core.invoicing.send(caller, invoiceId, { sendVia: ['email'] });
    await core.invoicing.pay(caller, invoiceId, { paymentMethod: 'token', amount: '20.00' });
  };
  return { ...opened, core, caller, load, dueAfter };
}

const untried = async ({ database }: Pick<TestCore, 'database'>) =>
  database.readAcrossTenants().all('SELECT id FROM webhook_deliveries WHERE attempt_count = 0 AND due_ms IS NOT NULL');

test.each(ANY_DATABASE)('nothing waits after the clock of a running server ran ahead by 30 days and was corrected (%s)', async (kind) => {
  const opened = await open(kind);
  const { core, load, dueAfter, close } = opened;
  try {
    await core.start();
    vi.setSystemTime(START + 30 * DAY_MS);
    await load();
    vi.setSystemTime(START + 60_000);
    await until('everything is due within a day', async () => (await dueAfter(26 * HOUR_MS)).length === 0);
    await until('every delivery has been tried', async () => (await untried(opened)).length === 0);
    const { items } = await core.queuedPayments.page(opened.caller, {}, { page: 1, limit: 10 });
    expect(items.map(({ status }) => status)).toEqual(['paid']);
  } finally {
    await close();
  }
});

test.each(ANY_DATABASE)('nothing waits if the clock is corrected while no server runs (%s)', async (kind) => {
  const opened = await open(kind);
  const { core, load, dueAfter, close } = opened;
  try {
    vi.setSystemTime(START + 30 * DAY_MS);
    await load();
    vi.setSystemTime(START);
    expect((await dueAfter(29 * DAY_MS)).map(({ job }) => job)).toEqual(
      expect.arrayContaining(['webhook_deliveries', 'queued_payments', 'invoice_payments']),
    );
    await core.start();
    await until('everything is due within a day', async () => (await dueAfter(26 * HOUR_MS)).length === 0);
    await until('every delivery has been tried', async () => (await untried(opened)).length === 0);
  } finally {
    await close();
  }
});
