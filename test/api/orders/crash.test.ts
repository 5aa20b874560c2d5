import { afterAll, expect, test } from 'vitest';
import { createOrder, getOrder, type OrderRecord } from '../../support/orders.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import { startWorkstations, type Workstations } from '../../support/workstations.ts';

const ORDERS = sized(6, 30);
const PARTS = 4;
/** Number of acknowledged payments before the kill. */
const BEFORE_KILL = ORDERS * 2;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'keeps or gives back the share of each payment whose server was killed between intent and outcome (%s)',
  { timeout: 120_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const first = await startServerProcess(dataDir, url);
    const api = apiOf(first.baseUrl, first.credentials);
    const { merchantId } = first.credentials;
    const orders = await Promise.all(
      Array.from({ length: ORDERS }, () => createOrder({ api }, { amount: 40, taxAmount: 3.33, merchantId })),
    );
    let acknowledged = 0;
    let killing: Promise<void> | undefined;
    const payPart = async (orderId: string) => {
      try {
        await api.admin.post('/transactions', { ...cardBody(10), orderId });
        acknowledged += 1;
        if (acknowledged >= BEFORE_KILL) killing ??= first.kill();
      } catch (error) {
        if (!killing) throw error;
      }
    };
    await Promise.all(orders.flatMap(({ orderId }) => Array.from({ length: PARTS }, () => payPart(orderId))));
    await killing;
    await expireLeasesOfKilledServers(url);
    const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    cleanUp.push(() => server.close());
    if (!server.credentials) throw new Error('A server with --demo has credentials.');
    const again = apiOf(server.baseUrl, server.credentials);
    const readAll = () => Promise.all(orders.map(({ orderId }) => getOrder({ api: again }, orderId)));
    const concluded = await until(
      'no share is reserved',
      async () => {
        await expectData(again.admin.post('/sandbox/clock', { advanceSeconds: 60 }));
        const found = await readAll();
        return found.every(({ reservedAmount }) => reservedAmount === 0) ? found : undefined;
      },
      { withinMs: 60_000 },
    );
    for (const order of concluded) await checkPayments(again, order);
    // Released shares can be paid again.
    for (const { orderId, remainingAmount } of concluded)
      if (remainingAmount > 0) await expectData(again.admin.post('/transactions', { ...cardBody(remainingAmount), orderId }));
    for (const order of await readAll()) {
      expect(order).toMatchObject({ status: 'paid', paidAmount: 40 });
      const taxes = order.payments.filter(({ state }) => state === 'paid').map(({ taxAmount }) => Math.round(taxAmount * 100));
      expect(taxes.reduce((sum, tax) => sum + tax, 0)).toBe(333);
    }
  },
);

/** Checks that an order counts the payments that the processor approved, and no other. */
async function checkPayments({ admin }: ReturnType<typeof apiOf>, order: OrderRecord): Promise<void> {
  const payments = await expectData(admin.get<TransactionRecord[]>(`/transactions?q=${order.orderId}`));
  expect(payments.filter(({ status }) => status === 'pending')).toEqual([]);
  const approved = payments.filter(({ status }) => status === 'approved').reduce((sum, { capturedAmount }) => sum + capturedAmount, 0);
  expect(order.paidAmount).toBe(approved);
  expect(order.paidAmount).toBeLessThanOrEqual(order.amount);
}

test('lets ten parallel payments at two workstations never exceed an order', async () => {
  const stations: Workstations = await startWorkstations(2);
  cleanUp.push(() => stations.stop());
  const [one, other] = stations.apis as [ReturnType<typeof apiOf>, ReturnType<typeof apiOf>];
  const { orderId } = await createOrder({ api: one }, { amount: 60, taxAmount: 5 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other).admin.post('/transactions', { ...cardBody(20), orderId })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(await getOrder({ api: other }, orderId)).toMatchObject({ status: 'paid', paidAmount: 60 });
});
