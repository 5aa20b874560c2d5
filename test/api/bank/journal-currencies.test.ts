import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ApiFixture, expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';
import { FULL } from '../../support/tier.ts';

const today = () => new Date().toISOString().slice(0, 10);
const journal = (merchantId: string, more: string) =>
  `/reporting/journal?startDate=${today()}&endDate=${today()}&merchantId=${merchantId}&${more}`;

/** A merchant in USD that also sells in EUR, JPY and KWD. */
async function createTraveler(fixture: ApiFixture): Promise<string> {
  const merchantId = await createMerchant(fixture, { timezone: 'UTC' });
  await sell(fixture, merchantId, 12.34);
  await sell(fixture, merchantId, 5.25, { currency: 'EUR' });
  await sell(fixture, merchantId, 60_000, { currency: 'JPY' });
  await sell(fixture, merchantId, 10.125, { currency: 'KWD' });
  return merchantId;
}

onAnyDatabase('exports one currency to programs whose files name none, and leaves the others unexported', async (fixture) => {
  const { admin } = fixture.api;
  const merchantId = await createTraveler(fixture);
  for (const format of ['xero', 'iif']) {
    const error = await expectError(admin.get(journal(merchantId, `format=${format}`)), 400, 'VALIDATION_ERROR');
    expect(error).toMatchObject({ field: 'currency', details: { currencies: ['EUR', 'JPY', 'KWD', 'USD'] } });
  }
  // The refused requests marked nothing as exported.
  const dollars = await admin.get(journal(merchantId, 'format=xero&currency=USD&only=new'));
  expect(dollars.text).toContain(',12.34,');
  expect(dollars.text).not.toMatch(/,(60000|5\.25|10\.125),/);
  const yen = await admin.get(journal(merchantId, 'format=iif&currency=JPY&only=new'));
  expect(yen.text).toContain('\t60000\t');
  expect(yen.text.match(/^TRNS/gm)).toHaveLength(1);
  const rest = await admin.get(journal(merchantId, 'format=csv&only=new'));
  expect(rest.text).toMatch(/,EUR,/);
  expect(rest.text).toMatch(/,KWD,/);
  expect(rest.text).not.toMatch(/,(USD|JPY),/);
  const again = await admin.get(journal(merchantId, 'format=xero&currency=USD&only=new'));
  expect(again.text.trim().split('\r\n')).toHaveLength(1);
  await expectError(admin.get(journal(merchantId, 'format=xero&currency=QQQ')), 400, 'INVALID_CURRENCY');
});

onAnyDatabase('writes a recorded export of several currencies as a file for each', async (fixture) => {
  const { admin } = fixture.api;
  const merchantId = await createTraveler(fixture);
  const period = { startDate: today(), endDate: today(), merchantId };
  const all = await expectData(admin.post<{ journalExportId: string; entries: number }>('/reporting/journal/exports', period), 201);
  expect(all).toMatchObject({ currency: null, entries: 4 });
  const path = `/reporting/journal/exports/${all.journalExportId}/file`;
  expect((await expectError(admin.get(`${path}?format=iif`), 400, 'VALIDATION_ERROR')).details?.currencies).toHaveLength(4);
  const file = await admin.get(`${path}?format=iif&currency=KWD`);
  expect(file.text).toContain('\t10.125\t');
  expect(file.text.match(/^TRNS/gm)).toHaveLength(1);
  expect(file.headers.get('content-disposition')).toContain('-KWD.iif');
  const one = await expectData(admin.post<object>('/reporting/journal/exports', { ...period, currency: 'EUR' }), 201);
  expect(one).toMatchObject({ currency: 'EUR', entries: 1, newEntries: 0 });
});

/** Names that mean something else in a plain-text format, or become equal in one. */
const NAMES = {
  sales: '(Sales)',
  refunds: '[Refunds]',
  fees: '*Fees',
  chargebacks: '!Chargebacks',
  bank: 'Assets::Bank',
  processor: 'Income:Cards & Cash',
  transit: 'Income:Cards + Cash',
  cash: '<Cash>',
  tips: ':Tips:',
  taxes: '#Taxes',
  surcharges: '4000 Übrige Erträge',
  checks: 'Assets:(Checks)',
  other_tenders: '~ Tenders',
};

onAnyDatabase(
  'keeps accounts apart and postings real, whatever the names of accounts begin with',
  async (fixture) => {
    const { admin } = fixture.api;
    const merchantId = await createTraveler(fixture);
    await expectData(
      admin.put(
        `/reporting/journal/accounts?merchantId=${merchantId}`,
        Object.fromEntries(Object.entries(NAMES).map(([account, name]) => [account, { name }])),
      ),
    );
    const hledger = (await admin.get(journal(merchantId, 'format=hledger'))).text;
    expect(hledger).toMatch(/^ {4}Sales {2}-12\.34 USD$/m);
    expect(hledger).not.toMatch(/^( {4}|account )[^\p{L}\p{N}]/mu);
    const beancount = (await admin.get(journal(merchantId, 'format=beancount'))).text;
    expect(beancount).toContain('open Income:Cards---Cash\n');
    expect(beancount).toContain('open Income:Cards---Cash-2\n');
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-journal-'));
    try {
      checkWithPrograms(folder, { hledger, beancount });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  FULL,
);

/** Reads the journals with the accounting programs that are installed, each in its strict mode, without a warning. */
function checkWithPrograms(folder: string, texts: Readonly<Record<'hledger' | 'beancount', string>>): void {
  const PROGRAMS = [
    ['hledger', ['check', '--strict', '-f'], texts.hledger],
    ['ledger', ['--strict', '--pedantic', 'balance', '-f'], texts.hledger],
    ['bean-check', [], texts.beancount],
  ] as const;
  for (const [program, args, text] of PROGRAMS) {
    const path = join(folder, program);
    writeFileSync(path, text);
    const { error, status, stderr } = spawnSync(program, [...args, path], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    if (error) continue;
    expect({ program, status, stderr }).toEqual({ program, status: 0, stderr: '' });
  }
}
