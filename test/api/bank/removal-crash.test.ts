// @module-tag full
import { afterAll, expect, test } from 'vitest';
import { createBankShop, sendStatement } from '../../support/bank.ts';
import { ofx } from '../../support/bank-files.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, expectError, isSiege, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';

/** Lines of the removed account. The job must still delete them when the server is killed. */
const LINES = sized(16_000, 100_000);
const WITHIN_MS = isSiege ? 300_000 : 60_000;
const NUMBER = '9876543210';

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'deletes the rest of a removed bank account after a kill -9, and leaves nothing of it in the close (%s)',
  { timeout: 3 * WITHIN_MS },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    let server = await startServerProcess(dataDir, url);
    cleanUp.push(() => server.kill());
    const { credentials } = server;
    let api = apiOf(server.baseUrl, credentials);
    const fixture = (): ApiFixture => ({ database, baseUrl: server.baseUrl, credentials, api });
    const shop = await createBankShop(fixture());
    const lines = Array.from({ length: LINES }, (_, n) => ({ day: '2026-03-02', minor: 100 + n, text: `LINE ${n}`, reference: `F${n}` }));
    await expectData(sendStatement(fixture(), shop, ofx({ account: NUMBER, opening: 0, lines })));
    const totalOf = async () =>
      (await api.admin.get(`/settlement/bank-lines?merchantId=${shop.merchantId}&limit=1`)).body.pagination?.total ?? Number.NaN;
    await expectData(api.admin.delete(`/settlement/bank-accounts/${shop.bankAccountId}?openLines=${LINES}`));
    await server.kill();
    await expireLeasesOfKilledServers(url);
    server = await startServerProcess(dataDir, url);
    api = apiOf(server.baseUrl, credentials);
    expect(await expectData(api.admin.get(`/settlement/bank-accounts?merchantId=${shop.merchantId}`))).toEqual([]);
    await expectError(sendStatement(fixture(), shop, ofx({ account: NUMBER, opening: 0, lines })), 404, 'NOT_FOUND');
    await until('the restarted server deletes the lines', async () => (await totalOf()) === 0, { withinMs: WITHIN_MS });
    const { blockers } = await expectData(
      api.admin.get<{ blockers: unknown[] }>(`/settlement/close?merchantId=${shop.merchantId}&month=2026-03`),
    );
    expect(blockers).toEqual([]);
    const body = { merchantId: shop.merchantId, name: 'Again', accountNumber: NUMBER };
    const again = await expectData(api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body), 201);
    const first = sendStatement(fixture(), { ...shop, ...again }, ofx({ account: NUMBER, opening: 0, lines: lines.slice(0, 5) }));
    expect(await expectData(first)).toMatchObject({ added: 5 });
  },
);
