import { afterAll, expect, test } from 'vitest';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, FULL, isSiege, sized } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { until } from '../../support/until.ts';

/** Rows of the file. The import must still run when the server is killed. */
const ROWS = sized(6_000, 200_000);
const WITHIN_MS = isSiege ? 300_000 : 60_000;
const PARALLEL = 4;

interface Imported {
  readonly importId: string;
  readonly imported: number;
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'imports a settlement file once after a kill -9 in the middle, without waiting for the lease of the killed server (%s)',
  { timeout: 3 * WITHIN_MS, ...FULL },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    let server = await startServerProcess(dataDir, url);
    cleanUp.push(() => server.kill());
    const { credentials } = server;
    let api = apiOf(server.baseUrl, credentials);
    const merchantId = await createMerchant({ api }, { timezone: 'UTC' });
    const content = ['id,amount,date', ...Array.from({ length: ROWS }, (_, n) => `x${n},1.00,2026-05-01`)].join('\n');
    const send = () => {
      const form = new FormData();
      form.set('merchantId', merchantId);
      form.set('mapping', JSON.stringify({ transactionId: 'id', amount: 'amount', date: 'date' }));
      form.set('file', new Blob([content]), 'file.csv');
      return api.admin.post<Imported>('/settlement/imports', form);
    };
    // One of the requests reads the file. As soon as another one is refused, the server is killed.
    const before: (number | string)[] = [];
    const requests = Array.from({ length: PARALLEL }, () =>
      send().then(
        ({ status }) => before.push(status),
        () => before.push('no answer'),
      ),
    );
    await until('the file is being imported', () => before.includes(409), { withinMs: WITHIN_MS, everyMs: 1 });
    await server.kill();
    await Promise.all(requests);
    expect(before).toContain('no answer');
    expect(before).not.toContain(200);
    await expireLeasesOfKilledServers(url);

    server = await startServerProcess(dataDir, url);
    api = apiOf(server.baseUrl, credentials);
    const answers = await Promise.all(Array.from({ length: PARALLEL }, send));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const imported = answers.find(({ status }) => status === 200)?.body.data as Imported;
    expect(imported.imported).toBe(ROWS);
    const again = await send();
    expect(again.body.error?.details).toEqual({ importId: imported.importId });
    const run = await expectData(
      api.admin.post<{ discrepancyCount: number }>('/settlement/reconciliation/auto', {
        date: '2026-05-01',
        importId: imported.importId,
        merchantId,
      }),
    );
    expect(run.discrepancyCount).toBe(ROWS);
  },
);
