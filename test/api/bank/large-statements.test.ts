import { Agent, FormData, fetch } from 'undici';
import { expect, test } from 'vitest';
import { type BankShop, createBankShop } from '../../support/bank.ts';
import { bai2, CSV_MAPPING, camt, csv, mt940, ofx, type StatementTruth } from '../../support/bank-files.ts';
import { heapGrowth } from '../../support/heap.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, FULL, sized } from '../../support/server.ts';
import { signInAs } from '../../support/users.ts';

const LINES = sized(800, 400_000);
const LINES_OF_A_DAY = sized(200, 4_000);
const ACCOUNT = '9876543210';
/** The heap holds the open lines for the suggestions, but neither the file nor its text. */
const HEAP_MAX = 400 * 1_048_576;
const FORMATS = { OFX: ofx, 'CAMT.053': camt, MT940: mt940, BAI2: bai2, CSV: csv } as const;
const EVERY_DAY: ReadonlySet<string> = new Set(['CAMT.053', 'CSV']);

/** Returns a statement of many lines with texts as long as those of banks, and distinct references. */
function largeTruth(): StatementTruth {
  const lines = Array.from({ length: LINES }, (_, index) => ({
    day: new Date(Date.UTC(2025, 0, 1 + Math.floor(index / LINES_OF_A_DAY))).toISOString().slice(0, 10),
    minor: (index % 7 === 0 ? -1 : 1) * (100 + ((index * 104_729) % 90_000)),
    text: `INCOMING CREDIT TRANSFER ORDER ${index} REMITTER EXAMPLE TRADING LIMITED BRANCH ${index % 400} INVOICE OF THE MONTH`,
    reference: `R${index}`,
  }));
  return { account: ACCOUNT, opening: 1_000_000, lines };
}

/** Sends a file and returns the data of the response, however long the import takes. The HTTP client of Node waits for 300 s only. */
async function importFile(fixture: ApiFixture, { bankAccountId }: BankShop, content: string, fields: Readonly<Record<string, string>>) {
  const { adminEmail, adminPassword, tenantId } = fixture.credentials;
  const { token } = await signInAs(fixture, adminEmail, adminPassword, tenantId);
  const form = new FormData();
  for (const [name, value] of Object.entries({ bankAccountId, ...fields })) form.set(name, value);
  form.set('file', new Blob([content]), 'statement.txt');
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  try {
    const headers = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` };
    const request = { method: 'POST', headers, body: form, dispatcher };
    const response = await fetch(`${fixture.baseUrl}/api/v1/settlement/bank-statements`, request);
    return ((await response.json()) as { data: { lineCount: number; added: number } }).data;
  } finally {
    await dispatcher.close();
  }
}

describeOnAnyDatabase('large statements', (fixture) => {
  for (const [format, write] of Object.entries(FORMATS))
    test(`of ${format} are imported in bounded memory, while other requests are answered`, {
      ...(EVERY_DAY.has(format) ? {} : FULL),
      timeout: sized(120_000, 900_000),
    }, async () => {
      const shop = await createBankShop(fixture());
      const content = write(largeTruth());
      const before = process.memoryUsage().heapUsed;
      let [highest, answered, isOver] = [0, 0, false];
      const fields: Record<string, string> = format === 'CSV' ? { mapping: JSON.stringify(CSV_MAPPING) } : {};
      const importing = importFile(fixture(), shop, content, fields).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await expectData(fixture().api.admin.get(`/settlement/bank-accounts?merchantId=${shop.merchantId}`));
        highest = Math.max(highest, heapGrowth(before, HEAP_MAX));
        answered += 1;
      }
      expect(await importing).toMatchObject({ lineCount: LINES, added: LINES });
      expect(answered).toBeGreaterThan(0);
      expect(highest).toBeLessThan(HEAP_MAX);
    });
});
