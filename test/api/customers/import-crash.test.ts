// @module-tag full
import { afterAll, expect, test } from 'vitest';
import { STRIPE_HEADER, stripeRow, testCard } from '../../support/customer-file.ts';
import { type ImportRecord, sendCustomers, untilDone } from '../../support/customer-transfer.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, sized } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { storedData } from '../../support/stored-data.ts';
import { until } from '../../support/until.ts';

/** Customers in the file. The import must still run when the server is killed. */
const CUSTOMERS = sized(300, 5_000);
const WITHIN_MS = 60_000 + CUSTOMERS * 50;

interface Customer {
  readonly externalIds: readonly { readonly id: string }[];
  readonly defaultPaymentMethod: { readonly last4: string } | null;
}

const CARD_LENGTH = testCard(0).length;

/** Yields each sequence of this many digits in a text, in one pass: a search for every card of the file would block the process for minutes. */
function* numbersOfLength(length: number, text: string): Generator<string> {
  for (const [digits] of text.matchAll(/\d+/g)) {
    for (let start = 0; start + length <= digits.length; start += 1) yield digits.slice(start, start + length);
  }
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'imports every customer once despite a kill -9 in the middle, and stores no card number in clear text (%s)',
  { timeout: 3 * WITHIN_MS },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const first = await startServerProcess(dataDir, url);
    const before = { api: apiOf(first.baseUrl, first.credentials) };
    const merchantId = await createMerchant(before);
    const rows = Array.from({ length: CUSTOMERS }, (_, n) => stripeRow(n));
    const { importId, planned } = await expectData(sendCustomers(before, [STRIPE_HEADER, ...rows].join('\n'), merchantId), 201);
    expect(planned).toMatchObject({ create: CUSTOMERS });
    const path = `/customers/imports/${importId}`;
    await expectData(before.api.admin.post(`${path}/run`, {}), 202);
    const importedSoFar = async () => (await expectData(before.api.admin.get<ImportRecord>(path))).imported;
    await until('a part of the file is imported', async () => (await importedSoFar()) > 0, {
      withinMs: WITHIN_MS,
      everyMs: 1,
    });
    await first.kill();
    await expireLeasesOfKilledServers(url);

    const second = await startServerProcess(dataDir, url);
    cleanUp.push(() => second.stop());
    const after = { api: apiOf(second.baseUrl, second.credentials) };
    const atKill = (await expectData(after.api.admin.get<ImportRecord>(path))).imported;
    expect(atKill).toBeLessThan(CUSTOMERS);
    const done = await untilDone(after, importId, WITHIN_MS);
    expect(done).toMatchObject({ imported: CUSTOMERS, results: planned });
    const customers: Customer[] = [];
    for (let page = 1; customers.length < CUSTOMERS; page += 1) {
      const listed = await expectData(after.api.admin.get<Customer[]>(`/customers?merchantId=${merchantId}&limit=100&page=${page}`));
      if (listed.length === 0) break;
      customers.push(...listed);
    }
    const imported = customers.map(
      ({ externalIds, defaultPaymentMethod }) => `${externalIds.map(({ id }) => id)} ${defaultPaymentMethod?.last4}`,
    );
    expect(imported.toSorted()).toEqual(rows.map((_, n) => `cus_Old${n} ${testCard(n).slice(-4)}`).toSorted());
    const cards = new Set(rows.map((_, n) => testCard(n)));
    expect([...numbersOfLength(CARD_LENGTH, await storedData(dataDir, url))].filter((number) => cards.has(number))).toEqual([]);
    expect(await expectData(after.api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
