// @module-tag full
import { afterAll, expect, test } from 'vitest';
import {
  type BankLineRecord,
  type BankShop,
  createBankShop,
  importLines,
  listBankLines,
  matchBankLine,
  suggestedParts,
  undoBankMatch,
} from '../../support/bank.ts';
import { accountsOf, credit, customerOf } from '../../support/bank-invoices.ts';
import { getInvoice, type InvoiceRecord } from '../../support/invoices.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, sized } from '../../support/server.ts';
import { sentInvoice } from '../customers/customer-page-client.ts';

/** Transfers, each of which pays two invoices of a customer. */
const TRANSFERS = sized(12, 40);
const CLIENTS = 8;
const sumOf = (invoices: readonly InvoiceRecord[]) => invoices.reduce((sum, { amount }) => sum + amount, 0);

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'has the payments of both invoices with their whole match, or none, after a kill -9 during confirmations of transfers for two invoices and undone matches (%s)',
  { timeout: 300_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    let server = await startServerProcess(dataDir, url);
    cleanUp.push(() => server.kill());
    const { credentials } = server;
    // The session lasts until the server is killed, because sign-ins are limited.
    const signedIn = (): ApiFixture => ({ database, baseUrl: server.baseUrl, credentials, api: apiOf(server.baseUrl, credentials) });
    let current = signedIn();
    const fixture = () => current;
    const shop: BankShop = await createBankShop(fixture());
    const pairs: InvoiceRecord[][] = [];
    for (let n = 0; n < TRANSFERS; n += 1) {
      const customer = await customerOf(fixture(), shop);
      pairs.push([
        await sentInvoice(fixture(), customer.customerId, { amount: 10 + n }),
        await sentInvoice(fixture(), customer.customerId, { amount: 100 + n }),
      ]);
    }
    const invoices = pairs.flat();
    const imported = await importLines(
      fixture(),
      shop,
      pairs.map((pair) => credit(sumOf(pair) * 100, `WIRE ${pair.map(({ number }) => number).join(', ')}`)),
    );

    /** Changes lines with several clients until the server is killed in between. */
    const killDuring = async (lines: readonly BankLineRecord[], change: (line: BankLineRecord) => Promise<{ status: number }>) => {
      const waiting = [...lines];
      let done = 0;
      let killing: Promise<void> | undefined;
      const client = async () => {
        for (let line = waiting.shift(); line && !killing; line = waiting.shift()) {
          const answer = await change(line).catch(() => null);
          if (answer) expect(answer.status).toBe(200);
          done += 1;
          if (done >= lines.length / 2) killing ??= server.kill();
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      await killing;
      await expireLeasesOfKilledServers(url);
      server = await startServerProcess(dataDir, url);
      current = signedIn();
    };
    /** Expects that lines, invoices and ledger tell the same, and returns the lines. */
    const expectWhole = async () => {
      const lines = await listBankLines(fixture(), shop);
      let paid = 0;
      for (const invoice of invoices) {
        const { status, payments } = await getInvoice(fixture(), invoice.invoiceId);
        const succeeded = payments.filter((payment) => payment.status === 'succeeded');
        const isMatched = lines.some(({ text, state }) => text.includes(invoice.number) && state === 'matched');
        expect([status === 'paid', succeeded.length]).toEqual([isMatched, isMatched ? 1 : 0]);
        if (isMatched) paid += invoice.amount;
      }
      expect(await accountsOf(fixture(), shop)).toMatchObject({ bank: paid === 0 ? 0 : -paid, tendersDeposited: paid, tenderSales: -paid });
      return lines;
    };

    await killDuring(imported, (line) => matchBankLine(fixture(), line.lineId, suggestedParts(line)));
    const lines = await expectWhole();
    // The rest is confirmed after the restart.
    for (const line of lines.filter(({ state }) => state === 'open')) {
      const pair = invoices.filter(({ number }) => line.text.includes(number));
      const parts = pair.map(({ invoiceId, amount }) => ({ kind: 'invoice', invoiceId, amount }));
      const answer = await matchBankLine(fixture(), line.lineId, parts);
      expect(answer.status, answer.text).toBe(200);
    }
    await killDuring(await expectWhole(), (line) => undoBankMatch(fixture(), line.lineId));
    await expectWhole();
  },
);
