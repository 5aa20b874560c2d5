// @module-tag full
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { getInvoice } from '../../support/invoices.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import { CARD_PART, cardForm, fieldsOf, openPayment, pageWithInvoices, submit } from './customer-page-client.ts';

const CUSTOMERS = sized(8, 30);
/** Amounts of the invoices of each customer. */
const AMOUNTS = [7.71, 7.72, 7.73];

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

/** Returns the number of sales of the invoices in the processor's ledger. */
async function chargedAtGateway(dataDir: string, url: string | undefined, tenantId: string): Promise<number> {
  const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
  const rows = await ledger
    .read(tenantId)
    .all<{ id: string }>(
      "SELECT processor_ref AS id FROM sandbox_ledger WHERE tenant_id = :tenantId AND operation = 'sale' AND amount_minor BETWEEN 771 AND 773",
    );
  await ledger.close();
  return rows.length;
}

test.each(ANY_DATABASE)(
  'charges each invoice at most once after a kill -9 while customers pay all their invoices (%s)',
  { timeout: 300_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const killed = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
    const { credentials } = killed;
    const service: ApiFixture = { database, baseUrl: killed.baseUrl, credentials, api: apiOf(killed.baseUrl, credentials) };
    const pages: (Awaited<ReturnType<typeof pageWithInvoices>> & { readonly form: [string, string][] })[] = [];
    for (let nth = 0; nth < CUSTOMERS; nth += 1) {
      const page = await pageWithInvoices(service, AMOUNTS);
      const form = [...fieldsOf(await openPayment(service, page.path, page.invoices), CARD_PART), ...cardForm()];
      pages.push({ ...page, form });
    }
    const ofSamples = await chargedAtGateway(dataDir, url, credentials.tenantId);
    const submitted = pages.map(({ path, form }) => submit(service, `${path}/pay`, form).catch(() => null));
    // The invoices of a customer are charged one after another, so others are under way now.
    await until('an invoice is paid', async () => {
      const first = pages.map(({ invoices: [invoice] }) => getInvoice(service, invoice?.invoiceId ?? ''));
      return (await Promise.all(first)).some(({ status }) => status === 'paid');
    });
    await killed.kill();
    for (const answer of await Promise.all(submitted)) if (answer) expect(answer.status).toBe(303);
    await expireLeasesOfKilledServers(url);
    const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    cleanUp.push(() => server.close());
    const next: ApiFixture = { database, baseUrl: server.baseUrl, credentials, api: apiOf(server.baseUrl, credentials) };
    const invoicesNow = () => Promise.all(pages.flatMap(({ invoices }) => invoices.map(({ invoiceId }) => getInvoice(next, invoiceId))));
    await until('no payment is under way', async () => (await invoicesNow()).every(({ amountPending }) => amountPending === 0));
    /** Expects that each payment is recorded as it is in the processor's ledger, and returns the number of paid invoices. */
    const expectWhole = async () => {
      const paid = (await invoicesNow()).map(({ status, payments, amountDue }) => {
        const succeeded = payments.filter((payment) => payment.status === 'succeeded').length;
        expect([status, succeeded, amountDue === 0]).toEqual(succeeded === 1 ? ['paid', 1, true] : ['sent', 0, false]);
        return succeeded;
      });
      const sum = paid.reduce((total, n) => total + n, 0);
      expect((await chargedAtGateway(dataDir, url, credentials.tenantId)) - ofSamples).toBe(sum);
      return sum;
    };
    const before = await expectWhole();
    // The same forms are sent again, as a browser does after a lost connection: what was reserved is not charged again.
    for (const { path, form } of pages) expect((await submit(next, `${path}/pay`, form)).status).toBeLessThan(500);
    expect(await expectWhole()).toBeGreaterThanOrEqual(before);
    // The rest is paid by new forms.
    for (const { path, invoices } of pages) {
      const open: { invoiceId: string }[] = [];
      for (const { invoiceId } of invoices) if ((await getInvoice(next, invoiceId)).amountDue > 0) open.push({ invoiceId });
      if (open.length === 0) continue;
      const form = [...fieldsOf(await openPayment(next, path, open), CARD_PART), ...cardForm()];
      expect((await submit(next, `${path}/pay`, form)).status).toBe(303);
    }
    expect(await expectWhole()).toBe(CUSTOMERS * AMOUNTS.length);
    expect(await expectData(next.api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
