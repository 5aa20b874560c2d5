import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, type DatabaseKind, expectData, FULL, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

/** Payments that get each kind of change. */
const OF_EACH = sized(4, 25);
const AMOUNT = 30;
const WITHIN_MS = 90_000;

interface Change {
  readonly path: string;
  readonly body: object;
  /** Type of the payment, and whether it is captured before the change. */
  readonly of: { readonly type: 'sale' | 'auth'; readonly isCaptured?: true };
  /** Amount of the processor's entry, in minor units. */
  readonly minor: number;
  /** The payment afterwards. */
  readonly after: Partial<TransactionRecord>;
}

const CHANGES: readonly Change[] = [
  { path: 'capture', body: {}, of: { type: 'auth' }, minor: 3_000, after: { capturedAmount: 30 } },
  { path: 'capture', body: { amount: 12 }, of: { type: 'auth' }, minor: 1_200, after: { capturedAmount: 12 } },
  { path: 'cancel-capture', body: {}, of: { type: 'auth', isCaptured: true }, minor: 3_000, after: { capturedAmount: 0 } },
  { path: 'void', body: {}, of: { type: 'sale' }, minor: 3_000, after: { status: 'voided' } },
  { path: 'refund', body: { amount: 7 }, of: { type: 'sale' }, minor: 700, after: { refundedAmount: 7, reservedAmount: 0 } },
  { path: 'tip', body: { tipAmount: 5 }, of: { type: 'sale' }, minor: 3_500, after: { amount: 35 } },
];

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

interface Requested {
  readonly change: Change;
  readonly transactionId: string;
  readonly processorRef: string;
  readonly key: string;
}

/** Creates a payment of the kind that a change needs. */
async function createPayment({ admin }: Api, change: Change): Promise<Requested> {
  const { type, isCaptured } = change.of;
  const body = cardBody(AMOUNT, CARDS.visa, { type });
  const { transactionId, processorRef } = await expectData(admin.post<TransactionRecord>('/transactions', body));
  if (isCaptured) await expectData(admin.post(`/transactions/${transactionId}/capture`, {}));
  return { change, transactionId, processorRef, key: randomUUID() };
}

const request = ({ admin }: Api, { change, transactionId, key }: Requested) =>
  admin.post(`/transactions/${transactionId}/${change.path}`, change.body, { 'Idempotency-Key': key });

/** Requests changes of payments, kills the server among them, repeats them, and compares each payment with the entries of the processor. */
async function killAmongChanges(database: DatabaseKind, mode: 'normal' | 'slow'): Promise<void> {
  const { dataDir, url, remove } = await createSampleInstallation(database);
  cleanUp.push(remove);
  const killed = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
  const before = apiOf(killed.baseUrl, killed.credentials);
  const requested = await Promise.all(CHANGES.flatMap((change) => Array.from({ length: OF_EACH }, () => createPayment(before, change))));

  const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
  cleanUp.push(() => ledger.close());
  const entries = async () => {
    const rows = await ledger
      .read(killed.credentials.tenantId)
      .all<{ original_ref: string; amount_minor: number }>(
        'SELECT original_ref, amount_minor FROM sandbox_ledger WHERE tenant_id = :tenantId AND approved = 1 AND original_ref IS NOT NULL ORDER BY at',
      );
    const ofPayment = Map.groupBy(rows, ({ original_ref }) => original_ref);
    return requested.map(({ change, processorRef }) => {
      const all = ofPayment.get(processorRef) ?? [];
      const later = change.of.isCaptured ? all.slice(1) : all;
      return later.map(({ amount_minor }) => amount_minor);
    });
  };
  const made = async () => (await entries()).flat().length;

  const stored = await openTestDatabaseAt(url ?? join(dataDir, 'paydesk.sqlite'));
  cleanUp.push(() => stored.close());
  const sending = async () => {
    const [row] = await stored.readAcrossTenants().all<{ n: number }>("SELECT count(*) AS n FROM attempts WHERE state = 'sending'");
    return Number(row?.n);
  };
  // A slow gateway takes a request only after seconds: its intent is committed, and the processor has not made it.
  await expectData(before.admin.post('/sandbox/gateway', { mode }));
  const answers = requested.map((each) => request(before, each).catch(() => null));
  if (mode === 'slow') await until('most changes are on their way', async () => (await sending()) > requested.length / 2);
  else await until('some of the changes are made', async () => (await made()) > requested.length / 8, { withinMs: WITHIN_MS, everyMs: 1 });
  await killed.kill();
  expect(await Promise.all(answers)).toContain(null);
  await expireLeasesOfKilledServers(url);

  const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent' });
  cleanUp.push(() => server.close());
  const api = apiOf(server.baseUrl, killed.credentials);
  await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
  // A change that the processor did not make is made by the repeated request.
  await until(
    'every change is made',
    async () => {
      const repeated = await Promise.all(requested.map((each) => request(api, each)));
      for (const { status, text } of repeated) expect([200, 409], text).toContain(status);
      return repeated.every(({ status }) => status === 200);
    },
    { withinMs: WITHIN_MS, everyMs: 100 },
  );
  expect(await entries()).toEqual(requested.map(({ change }) => [change.minor]));
  for (const { change, transactionId } of requested) {
    const record = await expectData(api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
    expect(record, change.path).toMatchObject(change.after);
  }
  expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
}

test.each(ANY_DATABASE)(
  'makes each change of a payment exactly once, despite a kill -9 among the changes (%s)',
  { timeout: 3 * WITHIN_MS },
  (database) => killAmongChanges(database, 'normal'),
);

test.each(ANY_DATABASE)(
  'makes each change exactly once that no gateway took before a kill -9, when it is requested again (%s)',
  { timeout: 3 * WITHIN_MS, ...FULL },
  (database) => killAmongChanges(database, 'slow'),
);
