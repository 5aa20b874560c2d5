// Payment pages of the processor, with a server process that is killed while a page is created, and while a payment on a page is booked.
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { openTestDatabaseAt } from '../../support/databases.ts';
import type { InvoiceRecord, LinkRecord } from '../../support/invoices.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { CARDS } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, FULL, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const PAGES = sized(20, 60);
const WITHIN_MS = 60_000;
const AMOUNT = 7.31;

interface PageRecord {
  readonly status: string;
  readonly problem: string | null;
  readonly processorRef: string;
  readonly transactionId: string | null;
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'books each payment on a page exactly once after a kill -9 during the creation of pages and during the booking (%s)',
  { timeout: 4 * WITHIN_MS, ...FULL },
  async (kind) => {
    const { dataDir, url, remove } = await createSampleInstallation(kind, 'small');
    cleanUp.push(remove);
    const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
    cleanUp.push(() => ledger.close());
    const flags = ['--log-level', 'silent'];

    // A silent processor has made the page, and its answer does not arrive before the process is killed.
    const creating = await startServerProcess(dataDir, url, flags);
    const { tenantId } = creating.credentials;
    const stored = await openTestDatabaseAt(url ?? join(dataDir, 'paydesk.sqlite'));
    cleanUp.push(() => stored.close());
    const numberOf = async (sql: string) => Number((await stored.readAcrossTenants().all<{ n: number }>(sql))[0]?.n);
    const { admin, public: publicApi } = apiOf(creating.baseUrl, creating.credentials);
    const links = await Promise.all(
      Array.from({ length: PAGES }, () => expectData(publicApi.post<LinkRecord>('/generate-url', { amount: AMOUNT }), 201)),
    );
    const ids = links.map(({ invoiceId }) => invoiceId);
    await expectData(admin.post('/sandbox/gateway', { mode: 'silent' }));
    const tokens = () =>
      ledger.read(tenantId).all<{ token: string }>('SELECT token FROM sandbox_hosted_pages WHERE tenant_id = :tenantId ORDER BY token');
    const creations = ids.map((id) => admin.post(`/invoices/${id}/hosted-pages`, {}).catch(() => null));
    await until('the processor has pages', async () => (await tokens()).length > 0, { withinMs: WITHIN_MS, everyMs: 1 });
    await creating.kill();
    expect(await Promise.all(creations)).toContain(null);
    await expireLeasesOfKilledServers(url);
    await stored.unitOfWork.transaction(null, (work) => work.run("UPDATE hosted_pages SET due_ms = 0 WHERE status = 'creating'"));

    const booking = await startServerProcess(dataDir, url, flags);
    const before = apiOf(booking.baseUrl, booking.credentials).admin;
    await expectData(before.post('/sandbox/gateway', { mode: 'normal' }));
    // A page whose creation is lost is open, because its payer may have it. A repeated request creates no second one.
    const created = await Promise.all(
      ids.map(async (id) => {
        await before.post(`/invoices/${id}/hosted-pages/check`, {});
        return expectData(before.post<PageRecord>(`/invoices/${id}/hosted-pages`, {}));
      }),
    );
    expect(created.map(({ status }) => status)).toEqual(ids.map(() => 'open'));
    expect(created.some(({ problem }) => problem === 'creation_unknown')).toBe(true);
    expect(await numberOf(`SELECT count(*) AS n FROM hosted_pages WHERE invoice_id IN ('${ids.join("', '")}')`)).toBe(PAGES);
    const card = { number: CARDS.visa, month: '12', year: '2039', code: '123' };
    const paid = await tokens();
    for (const { token } of paid)
      await fetch(`${booking.baseUrl}/sandbox/pay/${token}`, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' });

    // The process is killed while at least one payment has its intent and not its outcome.
    const unfinished = () =>
      numberOf(
        `SELECT count(*) AS n FROM attempts a JOIN hosted_pages p ON p.tenant_id = a.tenant_id AND p.transaction_id = a.transaction_id
         WHERE a.state <> 'done'`,
      );
    const checks = ids.map((id) => before.post(`/invoices/${id}/hosted-pages/check`, {}).catch(() => null));
    await until(
      'a payment is half booked',
      async () => {
        if ((await unfinished()) === 0) return false;
        booking.suspend();
        // SQLite can't be read if the server was suspended while it held a lock.
        const isHalfBooked = (await unfinished().catch(() => 0)) > 0;
        if (!isHalfBooked) booking.resume();
        return isHalfBooked;
      },
      { withinMs: WITHIN_MS, everyMs: 1 },
    );
    await booking.kill();
    await Promise.all(checks);
    expect(await unfinished()).toBeGreaterThan(0);
    await expireLeasesOfKilledServers(url);

    const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    cleanUp.push(() => server.close());
    const after = apiOf(server.baseUrl, booking.credentials).admin;
    const invoices = () => Promise.all(ids.map((id) => expectData(after.get<InvoiceRecord>(`/invoices/${id}`))));
    await Promise.all(ids.map((id) => after.post(`/invoices/${id}/hosted-pages/check`, {})));
    await until('no payment is pending', async () => (await invoices()).every(({ amountPending }) => amountPending === 0), {
      withinMs: WITHIN_MS,
    });
    const paidInvoices = (await invoices()).filter(({ status }) => status === 'paid');
    expect(paidInvoices.length).toBe(paid.length);
    for (const { amountPaid, payments } of paidInvoices)
      expect([amountPaid, payments.map(({ status }) => status)]).toEqual([AMOUNT, ['succeeded']]);
    expect(await numberOf(`SELECT count(*) AS n FROM transactions WHERE invoice_id IN ('${ids.join("', '")}')`)).toBe(paid.length);
    expect(await expectData(after.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
