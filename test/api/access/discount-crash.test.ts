// @module-tag full
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { type ApprovalRecord, createPerson, createShop, type Waiting } from '../../support/approvals.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, expectError, isSiege, sized } from '../../support/server.ts';
import { gatewayMode } from '../../support/unconfirmed-payments.ts';
import { until } from '../../support/until.ts';

/** Kills between the approval of a discount and its payment. */
const ROUNDS = sized(1, 12);
/** Largest number of requests after the approval whose answers arrive before the kill. */
const REQUESTS_MAX = 12;
const PARALLEL = 10;
const FLAGS = ['--log-level', 'silent'];

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'uses a granted discount for one charge, if the server is killed before, during and after its payment (%s)',
  { timeout: isSiege ? 600_000 : 180_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    let server = await startServerProcess(dataDir, url, FLAGS);
    cleanUp.push(() => server.kill());
    const { credentials } = server;
    // One surface per server, because sign-ins are limited.
    let api = apiOf(server.baseUrl, credentials);
    const fixture = (): ApiFixture => ({ database, baseUrl: server.baseUrl, credentials, api });
    const { merchantId } = await createShop(fixture(), { discountAbovePercent: 10, personSeconds: 3_600 });
    const { headers, email } = await createPerson(fixture(), 'cashier');
    const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
    cleanUp.push(() => ledger.close());

    const killAndRestart = async () => {
      await server.kill();
      await expireLeasesOfKilledServers(url);
      server = await startServerProcess(dataDir, url, FLAGS);
      api = apiOf(server.baseUrl, credentials);
    };
    /** Requests a discount of 20.00 as the cashier, and lets the manager approve it. Returns the ID of the approval. */
    const requestDiscount = async (price: number) => {
      const body = { merchantId, price, discountAmount: 20 };
      return (await expectData(api.admin.post<Waiting>('/discounts', body, headers), 202)).approvalId;
    };
    const approve = (approvalId: string) => api.admin.post(`/approvals/${approvalId}/approve`, {});
    const grantOf = (approvalId: string) =>
      until('the discount is granted', async () => {
        await approve(approvalId);
        const { result } = await expectData(api.admin.get<ApprovalRecord>(`/approvals/${approvalId}`, headers));
        return result === null ? undefined : String(result.data.discountId);
      });
    const grant = async (price: number) => grantOf(await requestDiscount(price));
    const pay = (amount: number, discountId: string, card: string = CARDS.visa) =>
      api.admin.post<TransactionRecord>('/transactions', cardBody(amount, card, { merchantId, discountAmount: 20, discountId }), headers);
    const refusedAsUsed = async (amount: number, discountId: string) =>
      (await expectError(pay(amount, discountId), 409, 'RESOURCE_CONFLICT', 'discountId')).details;
    const countCharges = async (minor: number) => {
      const sql = 'SELECT count(*) AS n FROM sandbox_ledger WHERE tenant_id = :tenantId AND amount_minor = :minor AND approved = 1';
      const [row] = await ledger.read(credentials.tenantId).all<{ n: number }>(sql, { minor });
      return Number(row?.n);
    };
    const sampleCharges = await ledger
      .read(credentials.tenantId)
      .all<{ minor: number }>('SELECT amount_minor AS minor FROM sandbox_ledger WHERE tenant_id = :tenantId AND approved = 1');
    const ofSample = sampleCharges.map(({ minor }) => Number(minor));
    /** Number of charges of an amount that the processor has taken, without those of the sample data. */
    const charges = async (amount: number) => {
      const minor = Math.round(amount * 100);
      return (await countCharges(minor)) - ofSample.filter((each) => each === minor).length;
    };
    const pendingOf = async (amount: number) =>
      (await expectData(api.admin.get<TransactionRecord[]>(`/transactions?status=pending&merchantId=${merchantId}`))).find(
        (payment) => payment.amount === amount,
      );
    const read = (id: string | undefined) =>
      expectData(api.admin.get<TransactionRecord & { discountApprovedBy: string }>(`/transactions/${id}`));

    /** Makes the gateway available, and waits until recovery has concluded a payment of a killed server. */
    const conclude = async (id: string | undefined) => {
      await gatewayMode(fixture(), 'normal');
      await until('the payment is concluded', async () => (await read(id)).status !== 'pending', { everyMs: 100, withinMs: 60_000 });
    };

    // Between the approval and the payment: ten payments after the restart.
    for (let round = 0; round < ROUNDS; round += 1) {
      const amount = (8_100 + round) / 100;
      const approvalId = await requestDiscount(amount + 20);
      const approving = approve(approvalId).catch(() => null);
      for (let left = Math.floor(Math.random() * REQUESTS_MAX); left > 0; left -= 1) await api.bare.get('/health');
      await killAndRestart();
      await approving;
      const discountId = await grantOf(approvalId);
      const answers = await Promise.all(Array.from({ length: PARALLEL }, () => pay(amount, discountId)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await charges(amount)).toBe(1);
    }

    // Between the claim and the gateway: nothing was charged, so the discount is open for another payment.
    const unsent = await grant(102);
    await gatewayMode(fixture(), 'slow');
    const lost = pay(82, unsent).catch(() => null);
    const claimed = (await until('the payment is pending', () => pendingOf(82), { everyMs: 10 })).transactionId;
    await killAndRestart();
    await lost;
    expect(await refusedAsUsed(82, unsent)).toMatchObject({ reason: 'discount_used', paymentId: claimed });
    await conclude(claimed);
    expect(await read(claimed)).toMatchObject({ status: 'failed' });
    expect(await charges(82)).toBe(0);
    const { transactionId } = await expectData(pay(82, unsent));
    expect(await read(transactionId)).toMatchObject({ status: 'approved', createdBy: email, discountApprovedBy: expect.any(String) });
    expect(await refusedAsUsed(82, unsent)).toMatchObject({ paymentId: transactionId });
    expect(await charges(82)).toBe(1);

    // Between the charge and its result: the payment keeps the discount.
    const charged = await grant(103);
    const unanswered = pay(83, charged, CARDS.answerLost).catch(() => null);
    await until('the processor has charged the payment', async () => (await charges(83)) === 1, { everyMs: 10 });
    const paid = (await pendingOf(83))?.transactionId;
    await killAndRestart();
    await unanswered;
    expect(await refusedAsUsed(83, charged)).toMatchObject({ paymentId: paid });
    await conclude(paid);
    expect(await read(paid)).toMatchObject({ status: 'approved', amount: 83, createdBy: email });
    expect(await refusedAsUsed(83, charged)).toMatchObject({ paymentId: paid });
    expect(await charges(83)).toBe(1);
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
