import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { type PaymentOnReader, pairReader, present, readPayment, saleOn, untilState } from '../../support/readers.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { apiOf, DATABASES, expectData, fullOnPostgres } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

/** Starts a server in the test process on the data of a killed one. */
async function restart(dataDir: string, databaseUrl: string | undefined) {
  await expireLeasesOfKilledServers(databaseUrl);
  const server = await startServer({ dataDir, databaseUrl, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
  cleanUp.push(() => server.close());
  if (!server.credentials) throw new Error('A server with demo data has credentials.');
  return { api: apiOf(server.baseUrl, server.credentials) };
}

describe.each(DATABASES)('payments on card readers when the server is killed (%s)', (database) => {
  const inFull = fullOnPostgres(database);
  test('a payment that waits on its reader continues after the restart, and is charged once', async () => {
    const { dataDir, url: databaseUrl, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const process = await startServerProcess(dataDir, databaseUrl);
    const before = { api: apiOf(process.baseUrl, process.credentials) };
    const [first, second] = [await pairReader(before), await pairReader(before)];
    const key = randomUUID();
    const body = saleOn(second.terminalId, 43.21, { wait: 60 });
    const pending = await expectData(before.api.admin.post<PaymentOnReader>('/transactions', saleOn(first.terminalId, 43.2)), 202);
    // The request waits for the outcome when the server is killed.
    const lost = before.api.admin.post<PaymentOnReader>('/transactions', body, { 'Idempotency-Key': key }).catch(() => null);
    await until('the reader waits for a card', async () => {
      const path = `/sandbox/terminals/${second.terminalId}`;
      return (await expectData(before.api.admin.get<{ dialog: { state: string } | null }>(path))).dialog?.state === 'waiting';
    });
    await process.kill();
    await lost;
    const after = await restart(dataDir, databaseUrl);
    await untilState(after, pending.transactionId, 'waiting_for_card');
    await present(after, first.terminalId, 'chip');
    await untilState(after, pending.transactionId, 'approved');
    await present(after, second.terminalId, 'chip');
    const { payment } = await expectData(
      after.api.admin.get<{ payment: { transactionId: string } | null }>(`/terminals/${second.terminalId}`),
    );
    if (payment) await untilState(after, payment.transactionId, 'approved');
    const repeated = await expectData(after.api.admin.post<PaymentOnReader>('/transactions', body, { 'Idempotency-Key': key }));
    expect(await readPayment(after, repeated.transactionId)).toMatchObject({ status: 'approved', amount: 43.21 });
    const sales = await expectData(after.api.admin.get<PaymentOnReader[]>('/transactions?minAmount=43.21&maxAmount=43.21'));
    expect(sales.map(({ transactionId }) => transactionId)).toEqual([repeated.transactionId]);
  });

  test(
    'a payment that was written and not sent to its reader is not charged, and the reader is free after the restart',
    inFull,
    async () => {
      const { dataDir, url: databaseUrl, remove } = await createSampleInstallation(database);
      cleanUp.push(remove);
      const process = await startServerProcess(dataDir, databaseUrl);
      const before = { api: apiOf(process.baseUrl, process.credentials) };
      const { terminalId } = await pairReader(before);
      await expectData(before.api.admin.post('/sandbox/gateway', { mode: 'slow' }));
      const lost = before.api.admin.post('/transactions', saleOn(terminalId, 43.22)).catch(() => null);
      const { transactionId } = await until('the payment is written', async () => {
        const [payment] = await expectData(before.api.admin.get<PaymentOnReader[]>('/transactions?minAmount=43.22&maxAmount=43.22'));
        return payment;
      });
      await process.kill();
      await lost;
      const after = await restart(dataDir, databaseUrl);
      await expectData(after.api.admin.post('/sandbox/gateway', { mode: 'normal' }));
      await untilState(after, transactionId, 'reader_error');
      const next = await expectData(after.api.admin.post<PaymentOnReader>('/transactions', saleOn(terminalId, 43.23)), 202);
      await present(after, terminalId, 'chip');
      await untilState(after, next.transactionId, 'approved');
    },
  );

  test('an approval that neither the reader nor the killed server recorded is found at the processor, once', inFull, async () => {
    const { dataDir, url: databaseUrl, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const process = await startServerProcess(dataDir, databaseUrl);
    const before = { api: apiOf(process.baseUrl, process.credentials) };
    const { terminalId } = await pairReader(before);
    const { transactionId } = await expectData(before.api.admin.post<PaymentOnReader>('/transactions', saleOn(terminalId, 43.24)), 202);
    await present(before, terminalId, 'unplug_after_approval');
    await process.kill();
    const after = await restart(dataDir, databaseUrl);
    expect(await untilState(after, transactionId, 'approved')).toMatchObject({ status: 'approved', amount: 43.24, channel: 'chip' });
  });

  test('a request to store a card continues after the restart, or is found at the processor, and stores it once', inFull, async () => {
    const { dataDir, url: databaseUrl, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const process = await startServerProcess(dataDir, databaseUrl);
    const before = { api: apiOf(process.baseUrl, process.credentials) };
    const [waiting, lost] = [await pairReader(before), await pairReader(before)];
    const [customer] = await expectData(before.api.admin.get<{ customerId: string }[]>('/customers?limit=1'));
    const path = `/customers/${customer?.customerId}`;
    const methods = async (as: typeof before) => (await expectData(as.api.admin.get<unknown[]>(`${path}/payment-methods`))).length;
    const had = await methods(before);
    const ask = ({ terminalId }: { terminalId: string }) =>
      expectData(before.api.admin.post<{ cardSaveId: string }>(`${path}/card-saves`, { terminalId, consentText: 'Store it.' }), 202);
    const [first, second] = [await ask(waiting), await ask(lost)];
    await present(before, lost.terminalId, 'unplug_after_approval');
    await process.kill();
    const after = await restart(dataDir, databaseUrl);
    const untilSaved = (id: string) =>
      until('the card is stored', async () => {
        const { status } = await expectData(after.api.admin.get<{ status: string }>(`/card-saves/${id}`));
        return status === 'saved';
      });
    await untilSaved(second.cardSaveId);
    await present(after, waiting.terminalId, 'chip');
    await untilSaved(first.cardSaveId);
    expect(await methods(after)).toBe(had + 2);
  });
});
