import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { cardPaymentBody, type InvoiceRecord } from '../../support/invoices.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../../support/process.ts';
import { CARDS } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const CLIENTS = 8;
const KILLS = sized(1, 2);
/** Number of payments that a server answers before it is killed; more in each round. */
const PAYMENTS = sized(12, 20);
const PAID = 3.21;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

async function place(database: 'sqlite' | 'postgres') {
  const made = await createSampleInstallation(database);
  cleanUp.push(made.remove);
  return made;
}

interface Tried {
  readonly invoiceId: string;
  readonly key: string;
  /** The response; null if the server was killed before. */
  text: string | null;
}

const pay = (api: Api, { invoiceId, key }: Tried) =>
  api.admin.post<InvoiceRecord>(`/invoices/${invoiceId}/payment`, cardPaymentBody(CARDS.visa, { amount: PAID }), {
    'Idempotency-Key': key,
  });

/** Pays invoices with many clients, each invoice once, until the server is killed. */
async function payUntilKilled(server: ServerProcess, customerId: string, afterAnswers: number): Promise<Tried[]> {
  const api = apiOf(server.baseUrl, server.credentials);
  const tried: Tried[] = [];
  let answers = 0;
  let killing: Promise<void> | undefined;
  const client = async () => {
    while (!killing) {
      try {
        const made = await api.admin.post<InvoiceRecord>('/invoices', { customerId, amount: 10 });
        if (made.status !== 201) throw new Error(made.text);
        const mine: Tried = { invoiceId: made.body.data.invoiceId, key: randomUUID(), text: null };
        tried.push(mine);
        const { status, text } = await pay(api, mine);
        expect(status, text).toBe(200);
        mine.text = text;
        answers += 1;
        if (answers >= afterAnswers) killing ??= server.kill();
      } catch (error) {
        if (!killing) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await killing;
  return tried;
}

async function everyInvoice(api: Api, customerId: string): Promise<InvoiceRecord[]> {
  const all: InvoiceRecord[] = [];
  for (let page = 1; all.length === (page - 1) * 200; page += 1)
    all.push(...(await expectData(api.admin.get<InvoiceRecord[]>(`/invoices?customerId=${customerId}&limit=200&page=${page}`))));
  return all;
}

/** Counts the sales of the paid amount in the processor's ledger. */
async function chargedAtGateway(dataDir: string, url: string | undefined, tenantId: string): Promise<number> {
  const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
  const [row] = await ledger
    .read(tenantId)
    .all<{ n: number }>(
      "SELECT count(*) AS n FROM sandbox_ledger WHERE tenant_id = :tenantId AND operation = 'sale' AND amount_minor = 321",
    );
  await ledger.close();
  return Number(row?.n);
}

test.each(ANY_DATABASE)(
  'leaves no payment half recorded and charges none twice after a kill -9 while invoices are paid (%s)',
  { timeout: 240_000 },
  async (database) => {
    const { dataDir, url } = await place(database);
    const flags = ['--log-level', 'silent'];
    const tried: Tried[] = [];
    let customerId = '';
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const killed = await startServerProcess(dataDir, url, flags);
      const body = { firstName: 'Kill', lastName: 'Nine', email: 'kill@customer.example' };
      if (kill === 1) {
        const { admin } = apiOf(killed.baseUrl, killed.credentials);
        ({ customerId } = await expectData(admin.post<{ customerId: string }>('/customers', body), 201));
      }
      tried.push(...(await payUntilKilled(killed, customerId, PAYMENTS * kill)));
      await expireLeasesOfKilledServers(url);
    }
    const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    cleanUp.push(() => server.close());
    if (!server.credentials) throw new Error('A server with --demo has credentials.');
    const { tenantId } = server.credentials;
    const api = apiOf(server.baseUrl, server.credentials);
    await until('no payment is under way', async () =>
      (await everyInvoice(api, customerId)).every(({ amountPending }) => amountPending === 0),
    );
    // A repeat with the same key charges nothing again: an answered request gets the same response.
    for (const each of tried) {
      const again = await pay(api, each);
      expect(again.status, again.text).toBe(200);
      if (each.text !== null) expect(again.text).toBe(each.text);
    }
    const invoices = await everyInvoice(api, customerId);
    const known = new Set(tried.map(({ invoiceId }) => invoiceId));
    for (const { invoiceId, status, amountPaid, amountPending, payments } of invoices.filter((each) => known.has(each.invoiceId))) {
      const succeeded = payments.filter((each) => each.status === 'succeeded');
      expect({ invoiceId, status, amountPaid, amountPending, succeeded: succeeded.length }).toEqual({
        invoiceId,
        status: 'partially_paid',
        amountPaid: PAID,
        amountPending: 0,
        succeeded: 1,
      });
    }
    expect(await chargedAtGateway(dataDir, url, tenantId)).toBe(tried.length);
    const numbers = invoices.map(({ number }) => Number(number.slice('INV-'.length))).sort((left, right) => left - right);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
