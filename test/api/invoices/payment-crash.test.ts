import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/gateways';
import { byCard, type InvoiceRecord } from '../../support/invoices.ts';
import { timeOutKilled } from '../../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../../support/process.ts';
import { CARDS } from '../../support/sales.ts';
import { seededPlace } from '../../support/seeded.ts';
import { type Api, apiOf, DATABASES, expectData } from '../../support/server.ts';

const CLIENTS = 8;
const KILLS = 2;
const PAID = 3.21;
const PATIENCE_MS = 90_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

async function place(database: 'sqlite' | 'postgres') {
  const made = await seededPlace(database);
  cleanUp.push(made.remove);
  return made;
}

interface Tried {
  readonly invoiceId: string;
  readonly key: string;
  /** What was answered before the server was gone. */
  text: string | null;
}

const pay = (api: Api, { invoiceId, key }: Tried) =>
  api.admin.post<InvoiceRecord>(`/invoices/${invoiceId}/payment`, byCard(CARDS.visa, { amount: PAID }), { 'Idempotency-Key': key });

/** Many clients pay invoices, each once, until the server is gone. */
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

/** The sales of that amount in the processor's own books. */
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

test.each(DATABASES)(
  'kill -9 while invoices are paid leaves nothing half paid and pays nothing twice (%s)',
  { timeout: 240_000 },
  async (database) => {
    const { dataDir, url } = await place(database);
    const flags = ['--log-level', 'silent'];
    let server = await startServerProcess(dataDir, url, flags);
    const { tenantId } = server.credentials;
    const body = { firstName: 'Kill', lastName: 'Nine', email: 'kill@customer.example' };
    const { customerId } = await expectData(
      apiOf(server.baseUrl, server.credentials).admin.post<{ customerId: string }>('/customers', body),
      201,
    );
    const tried: Tried[] = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      tried.push(...(await payUntilKilled(server, customerId, 20 * kill)));
      await timeOutKilled(url);
      server = await startServerProcess(dataDir, url, flags);
    }
    const api = apiOf(server.baseUrl, server.credentials);
    const giveUpAt = Date.now() + PATIENCE_MS;
    while ((await everyInvoice(api, customerId)).some(({ amountPending }) => amountPending > 0)) {
      if (Date.now() > giveUpAt) throw new Error('a payment is under way for ever');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // Who got no answer asks again under the same key; who got one gets the same.
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
    expect(await server.stop()).toBe(0);
  },
);
