// The moments of a keyed operation at which its server may be killed, one after each unit of work.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Core, createCore } from '#core';
import type { Database } from '#core/database';
import type { Actor } from '#core/kernel';
import { openSandboxLedger } from '#core/processing/gateways';
import { openTestDatabase } from '../../support/databases.ts';
import { LATER_ENDINGS } from '../../support/keyed-operations.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { CARDS } from '../../support/sales.ts';
import { FULL } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

/** More units of work than any operation needs. */
const UNITS_MAX = 8;
const CARD = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2039' } as const;
/** A card that the sandbox declines. */
const DECLINED_CARD = { ...CARD, number: CARDS.declined } as const;

/** A keyed operation: `prepare` creates the records that it needs, and returns the operation. */
interface Operation {
  readonly route: string;
  readonly prepare: (core: Core, actor: Actor) => Promise<(core: Core, actor: Actor) => Promise<unknown>>;
}

async function customerOf(core: Core, actor: Actor, card: typeof CARD | typeof DECLINED_CARD = CARD, merchantId?: string): Promise<string> {
  const { customerId } = await core.customers.create(actor, { lastName: 'Marsh', ...(merchantId && { merchantId }) });
  await core.customers.addMethod(actor, customerId, { card, consentText: 'Charge it.' });
  return customerId;
}

const saleOf = () => ({ type: 'sale', source: 'api', amount: '12.00', method: { kind: 'card', ...CARD } }) as const;
const planOf = (customerId: string) =>
  ({ invoice: { customerId, amount: '90.00' }, count: 3, interval: 'weekly', consentText: 'Charge it.' }) as const;

const OPERATIONS: readonly Operation[] = [
  {
    route: 'createTransaction',
    async prepare(core, actor) {
      // The first payment creates an encryption key in a unit of work of its own.
      await core.payments.createPayment(actor, saleOf());
      return (server, caller) => server.payments.createPayment(caller, saleOf());
    },
  },
  {
    route: 'voidTransaction',
    async prepare(core, actor) {
      const { transactionId } = await core.payments.createPayment(actor, saleOf());
      return (server, caller) => server.payments.voidTransaction(caller, { transactionId });
    },
  },
  {
    route: 'refundTransaction',
    async prepare(core, actor) {
      const { transactionId } = await core.payments.createPayment(actor, saleOf());
      return (server, caller) => server.payments.refund(caller, { transactionId, amount: '5.00' });
    },
  },
  {
    route: 'payInvoice',
    async prepare(core, actor) {
      const customerId = await customerOf(core, actor);
      const { invoiceId } = await core.invoicing.create(actor, { customerId, amount: '20.00' });
      return (server, caller) => server.invoicing.pay(caller, invoiceId, { paymentMethod: 'token', amount: '20.00' });
    },
  },
  {
    route: 'createSubscription',
    async prepare(core, actor) {
      const customerId = await customerOf(core, actor);
      return (server, caller) => server.recurring.create(caller, { customerId, amount: '10.00', frequency: 'monthly' });
    },
  },
  {
    route: 'retrySubscription',
    async prepare(core, actor) {
      const customerId = await customerOf(core, actor, DECLINED_CARD);
      const { subscriptionId } = await core.recurring.create(actor, { customerId, amount: '10.00', frequency: 'monthly' });
      return (server, caller) => server.recurring.retryNow(caller, subscriptionId);
    },
  },
  {
    route: 'createInstallmentPlan',
    async prepare(core, actor) {
      const customerId = await customerOf(core, actor);
      return (server, caller) => server.installments.create(caller, planOf(customerId));
    },
  },
  {
    route: 'retryInstallment',
    async prepare(core, actor) {
      const customerId = await customerOf(core, actor, DECLINED_CARD);
      const { installmentPlanId } = await core.installments.create(actor, planOf(customerId));
      return (server, caller) => server.installments.retryNow(caller, installmentPlanId);
    },
  },
  {
    route: 'releaseQueuedPayment',
    async prepare(core, actor) {
      const { merchantId } = await core.merchants.create(actor, { name: 'Pier' });
      await core.merchants.changeSection(actor, merchantId, 'vt-settings', { chargeLaterMaxAmount: 50 });
      const customerId = await customerOf(core, actor, CARD, merchantId);
      const { queuedPaymentId } = await core.queuedPayments.create(actor, { customerId, amount: '9.00' });
      return (server, caller) => server.queuedPayments.release(caller, queuedPaymentId);
    },
  },
  {
    route: 'settleNow',
    async prepare(core, actor) {
      const { merchantId } = await core.merchants.create(actor, { name: 'Quay' });
      await core.payments.createPayment(actor, { ...saleOf(), merchantId });
      return (server, caller) => server.settlement.settle(caller, merchantId);
    },
  },
];

class Killed extends Error {}

/** Number of units of work that the requests of a context may still begin. */
const unitsLeft = new AsyncLocalStorage<{ left: number }>();

/** Runs a request of a server that is killed after a number of units of work. Returns true if the request was answered. */
const runKilledAfter = (units: number, request: () => Promise<unknown>): Promise<boolean> =>
  unitsLeft.run({ left: units }, async () => {
    try {
      await request();
      return true;
    } catch {
      return false;
    }
  });

/** Returns the database of a server that `runKilledAfter` kills. */
function killable(database: Database): Database {
  const begin = () => {
    const budget = unitsLeft.getStore();
    if (budget === undefined) return;
    budget.left -= 1;
    if (budget.left < 0) throw new Killed();
  };
  const unitOfWork: Database['unitOfWork'] = {
    async transaction(tenantId, work) {
      begin();
      return database.unitOfWork.transaction(tenantId, work);
    },
    async writeBatch(tenantId, fill) {
      begin();
      return database.unitOfWork.writeBatch(tenantId, fill);
    },
  };
  return new Proxy(database, {
    get(target, name) {
      if (name === 'unitOfWork') return unitOfWork;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe.each([
  ['sqlite', {}],
  ['postgres', FULL],
] as const)('a server that is killed during keyed operations (%s)', (kind, tier) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>;
  let ledger: Database;
  let folder: string;
  const masterKey = randomBytes(32);
  const cores: Core[] = [];
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    folder = await mkdtemp(join(tmpdir(), 'paydesk-ledger-'));
    ledger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
  });
  afterAll(async () => {
    for (const core of cores) await core.stop();
    await ledger.close();
    await opened.close();
    await rm(folder, { recursive: true, force: true });
  });

  function coreOn(database: Database): Core {
    const core = createCore({
      database,
      sandboxLedger: ledger,
      masterKey,
      lookForWorkEveryMs: 50,
      renderResponse: (_, result) => ({ status: 'error' in result ? 502 : 200, body: JSON.stringify(Object.keys(result)) }),
      report: () => {},
    });
    cores.push(core);
    return core;
  }

  test('completes or releases every key after the next start, whatever the moment of the kill', { ...tier, timeout: 300_000 }, async () => {
    const killed = coreOn(killable(opened.database));
    const owner = { email: 'o@t.example', password: 'long enough for a test' };
    const merchant = { name: 'M', currency: 'USD', timezone: 'UTC' };
    const { tenantId } = await killed.createTenant({ name: 'T', environment: 'sandbox', tier: 'sandbox', merchant, owner });
    const actor: Actor = {
      tenantId,
      credentialId: 'c',
      name: 'test',
      merchantId: null,
      permissions: new Set(['invoices:write', 'api-keys:write'] as const),
      requestId: 'r',
      ip: null,
      idempotencyKey: null,
    };
    const asked: Actor[] = [];
    const interrupted = new Set<string>();
    for (const { route, prepare } of OPERATIONS)
      for (let units = 1; units <= UNITS_MAX; units += 1) {
        const run = await prepare(killed, actor);
        const caller = { ...actor, idempotencyKey: { key: `${route} ${units}`, credentialId: 'c', route, fingerprint: 'f' } };
        const isAnswered = await runKilledAfter(units, () => run(killed, caller));
        asked.push(caller);
        const { kind: state } = await killed.idempotencyKeys.find(caller);
        if (state === 'running') interrupted.add(route);
        if (isAnswered && state === 'done') break;
      }
    expect(interrupted).toEqual(new Set(Object.keys(LATER_ENDINGS)));

    await expireLeasesOfKilledServers(kind === 'postgres' ? opened.place : undefined);
    const core = coreOn(opened.database);
    await core.start();
    const openKeys = async () => {
      const states = await Promise.all(asked.map((caller) => core.idempotencyKeys.find(caller)));
      return asked.flatMap(({ idempotencyKey }, at) => (states[at]?.kind === 'running' ? [idempotencyKey?.key] : []));
    };
    await until('every key is completed or released', async () => (await openKeys()).length === 0, { withinMs: 15_000 }).catch(() => {});
    expect(await openKeys()).toEqual([]);
    expect(await core.idempotencyKeys.running(tenantId, 0)).toEqual([]);
  });
});
