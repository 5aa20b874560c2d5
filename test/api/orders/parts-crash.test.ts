import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { createOrder, getOrder, type OrderRecord } from '../../support/orders.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { pairReader, present, saleOn, startSale } from '../../support/readers.ts';
import { bankBody, CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, expectData, expectError } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const AMOUNT = 90;
const PART = 40;
/** `executed`: the processor has the request and the server lost the answer. `unsent`: the server has written the intent only. */
type Gap = 'executed' | 'unsent';
type Kind = 'keyed card' | 'card on file' | 'bank debit' | 'partial approval' | 'card reader';
const SENT: readonly Kind[] = ['keyed card', 'card on file', 'bank debit', 'partial approval'];
/** Ways to return the second of two payments before an order is canceled. */
const RETURNS = ['void', 'refund'] as const;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'keeps the share of each kind of payment, and of each return, that a kill interrupts, until its outcome is known (%s)',
  { timeout: 120_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database, 'small');
    cleanUp.push(remove);
    const killed = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
    const api = apiOf(killed.baseUrl, killed.credentials);
    const { tenantId } = killed.credentials;
    const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
    cleanUp.push(() => ledger.close());
    const entries = async () => {
      const [row] = await ledger
        .read(tenantId)
        .all<{ n: number }>('SELECT count(*) AS n FROM sandbox_ledger WHERE tenant_id = :tenantId AND approved = 1');
      return Number(row?.n);
    };
    const service = await openTestDatabaseAt(url ?? join(dataDir, 'paydesk.sqlite'));
    cleanUp.push(() => service.close());
    const undecided = async () => {
      const [row] = await service
        .read(tenantId)
        .all<{ n: number }>("SELECT count(*) AS n FROM attempts WHERE tenant_id = :tenantId AND state <> 'done'");
      return Number(row?.n);
    };
    const gateway = (mode: string, { admin }: Api = api) => expectData(admin.post('/sandbox/gateway', { mode }));
    const newOrder = () => createOrder({ api }, { amount: AMOUNT, taxAmount: 7.77 });
    const stored = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(5)));
    const bodyOf = (kind: Kind, orderId: string) => {
      if (kind === 'card on file') return { amount: PART, token: stored.token, orderId };
      if (kind === 'bank debit') return bankBody(PART, { orderId });
      const more = { orderId, allowPartialApproval: true };
      return kind === 'partial approval' ? cardBody(PART, CARDS.prepaid, more) : cardBody(PART, CARDS.visa, { orderId });
    };

    const parts: { readonly kind: Kind; readonly gap: Gap; readonly orderId: string }[] = [];
    const returns: { readonly by: (typeof RETURNS)[number]; readonly gap: Gap; readonly orderId: string; readonly ids: string[] }[] = [];
    for (const gap of ['executed', 'unsent'] as const) {
      for (const kind of [...SENT, 'card reader'] as const) parts.push({ kind, gap, orderId: (await newOrder()).orderId });
      for (const by of RETURNS) {
        const { orderId } = await newOrder();
        const sold = [await createSale({ api }, PART, { orderId }), await createSale({ api }, PART, { orderId })];
        const ids = sold.map(({ transactionId }) => transactionId);
        await expectData(api.admin.post(`/transactions/${ids[0]}/${by}`, {}));
        returns.push({ by, gap, orderId, ids });
      }
    }
    const [lostReader, unsentReader] = [await pairReader({ api }), await pairReader({ api })];
    const answers: Promise<unknown>[] = [];
    const send = (path: string, body: object) => answers.push(api.admin.post(path, body).catch(() => null));
    const sendAll = (gap: Gap) => {
      for (const part of parts.filter((each) => each.gap === gap && each.kind !== 'card reader'))
        send('/transactions', bodyOf(part.kind, part.orderId));
      for (const each of returns.filter((each) => each.gap === gap)) send(`/transactions/${each.ids[1]}/${each.by}`, {});
    };
    const orderOnReader = (gap: Gap) => parts.find((part) => part.gap === gap && part.kind === 'card reader')?.orderId;
    await startSale({ api }, lostReader.terminalId, PART, { orderId: orderOnReader('executed') });
    await gateway('silent');
    const executed = (await entries()) + parts.length / 2 + RETURNS.length;
    await present({ api }, lostReader.terminalId, 'unplug_after_approval');
    sendAll('executed');
    await until('the processor has all requests', async () => (await entries()) === executed);
    await gateway('slow');
    sendAll('unsent');
    send('/transactions', saleOn(unsentReader.terminalId, PART, { orderId: orderOnReader('unsent') }));
    await until('every intent is written', async () => (await undecided()) === parts.length + returns.length);
    await killed.kill();
    await Promise.all(answers);
    expect(await entries()).toBe(executed);
    await expireLeasesOfKilledServers(url);

    // Inquiries wait until the test sets another mode.
    const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxSlowMs: 3_600_000 });
    cleanUp.push(() => server.close());
    cleanUp.push(() => gateway('normal', again));
    const again = apiOf(server.baseUrl, killed.credentials);
    const read = (orderId: string) => getOrder({ api: again }, orderId);
    const paymentsOf = async ({ payments }: OrderRecord) =>
      Promise.all(payments.map(({ paymentId }) => expectData(again.admin.get<TransactionRecord>(`/transactions/${paymentId}`))));
    for (const { kind, gap, orderId } of parts) {
      const order = await read(orderId);
      const held = { status: 'open', paidAmount: 0, reservedAmount: PART, remainingAmount: AMOUNT - PART };
      expect(order, `${kind}, ${gap}`).toMatchObject(held);
      expect(await paymentsOf(order), `${kind}, ${gap}`).toMatchObject([{ status: 'pending' }]);
      const refused = await expectError(again.admin.post(`/orders/${orderId}/cancel`, {}), 409, 'RESOURCE_CONFLICT');
      expect(refused.details).toMatchObject({ reason: 'payment_pending' });
    }
    for (const { by, gap, orderId } of returns) {
      expect(await read(orderId), `${by}, ${gap}`).toMatchObject({ status: 'open', paidAmount: PART, reservedAmount: 0 });
      await expectError(again.admin.post(`/orders/${orderId}/cancel`, {}), 409, 'RESOURCE_CONFLICT');
    }

    await gateway('normal', again);
    await until('every outcome is known', async () => (await undecided()) === 0, { withinMs: 60_000 });
    for (const { kind, gap, orderId } of parts) {
      const text = `${kind}, ${gap}`;
      const approved = gap === 'unsent' ? 0 : kind === 'partial approval' ? 30 : PART;
      const order = await read(orderId);
      expect(order, text).toMatchObject({ status: 'open', paidAmount: approved, reservedAmount: 0, remainingAmount: AMOUNT - approved });
      expect(await paymentsOf(order), text).toMatchObject([{ status: gap === 'unsent' ? 'failed' : 'approved' }]);
      await expectData(again.admin.post('/transactions', cardBody(AMOUNT - approved, CARDS.visa, { orderId })));
      const paid = await read(orderId);
      expect(paid, text).toMatchObject({ status: 'paid', paidAmount: AMOUNT });
      const taxes = paid.payments.filter(({ state }) => state === 'paid').map(({ taxAmount }) => Math.round(taxAmount * 100));
      expect(
        taxes.reduce((sum, tax) => sum + tax, 0),
        text,
      ).toBe(777);
    }
    for (const { by, gap, orderId, ids } of returns) {
      const text = `${by}, ${gap}`;
      if (gap === 'unsent') {
        expect(await read(orderId), text).toMatchObject({ paidAmount: PART });
        await expectData(again.admin.post(`/transactions/${ids[1]}/${by}`, {}));
      }
      expect(await read(orderId), text).toMatchObject({ status: 'open', paidAmount: 0, remainingAmount: AMOUNT });
      await expectData(again.admin.post(`/orders/${orderId}/cancel`, {}));
    }
  },
);
