import iconv from 'iconv-lite';
import { expect } from 'vitest';
import { type Discrepancy, type ImportRecord, MAPPING, type RunRecord, upload } from '../../support/reconciliation.ts';
import { type ApiFixture, expectData, expectError, FULL, onAnyDatabase, onBothDatabases, sized } from '../../support/server.ts';
import { createMerchant, sell, settle } from '../../support/settlements.ts';

const bytesOf = (text: string, encoding: string) => new Uint8Array(iconv.encode(text, encoding, { addBOM: encoding.startsWith('utf-16') }));
const compare = ({ api }: ApiFixture, date: string, importId: string) =>
  expectData(api.admin.post<RunRecord>('/settlement/reconciliation/auto', { date, importId }));

/** Creates a settled day of a merchant. */
async function settledDay(fixture: ApiFixture, amounts: readonly (number | string)[]) {
  const merchantId = await createMerchant(fixture);
  const sales = [];
  for (const amount of amounts) sales.push(await sell(fixture, merchantId, amount));
  const [settlement] = await settle(fixture, merchantId);
  return { merchantId, sales, ids: sales.map(({ transactionId }) => transactionId), date: settlement?.settlementDate ?? '' };
}

onAnyDatabase('finds missing, duplicate, different and unknown payments in a file', async (fixture) => {
  const { merchantId, ids, sales, date } = await settledDay(fixture, [20, 30, 40, 50, 60]);
  const [a, b, c, d] = ids;
  const file = `id,amount,date\n${a},20.00,${date}\n${b},29.50,${date}\n${c},40,${date}\n${c},40,${date}\n${sales[4]?.processorRef},60,${date}\nunheard-of,7.25,${date}\nof another day,8.00,2020-01-01\n`;
  const imported = await expectData(upload(fixture, file, undefined, { merchantId }));
  expect(imported).toMatchObject({
    rows: 7,
    imported: 7,
    badRows: [],
    badRowCount: 0,
    startDate: '2020-01-01',
    endDate: date,
    encoding: 'utf-8',
    delimiter: ',',
  });
  const found = await compare(fixture, date, imported.importId);
  expect(
    found.discrepancies
      .map(({ type, transactionId, settlementReference, difference }) => [type, transactionId, settlementReference, difference])
      .sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
  ).toEqual([
    ['amount_mismatch', b, b, 0.5],
    ['duplicate', c, c, -40],
    ['missing_in_settlement', d, null, 50],
    ['missing_in_transactions', null, 'unheard-of', -7.25],
  ]);
  expect(found).toMatchObject({
    source: 'import',
    importId: imported.importId,
    matchedCount: 2,
    transactionsTotal: 200,
    settlementsTotal: 196.75,
  });
});

onBothDatabases('finds lines in another currency than their payment', async (fixture) => {
  const { merchantId, ids, date } = await settledDay(fixture, [20, 30]);
  const [a, b] = ids;
  const file = `id,amount,date,currency\n${a},20.00,${date},USD\n${a},20.00,${date},EUR\n${b},30.00,${date},EUR\n`;
  const imported = await expectData(upload(fixture, file, { ...MAPPING, currency: 'currency' }, { merchantId }));
  const found = await compare(fixture, date, imported.importId);
  expect(
    found.discrepancies
      .map(({ type, transactionId, currency, transactionAmount, settledAmount }) =>
        [type, transactionId, currency, transactionAmount, settledAmount].join(' '),
      )
      .toSorted(),
  ).toEqual(
    [`missing_in_settlement ${b} USD 30 `, `missing_in_transactions ${a} EUR  20`, `missing_in_transactions ${b} EUR  30`].toSorted(),
  );
});

onBothDatabases('finds a payment that the files of two days settle', async (fixture) => {
  const { api } = fixture;
  const { merchantId, ids, date } = await settledDay(fixture, [20, 30]);
  const [twice, late] = ids;
  await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 86_400 }));
  const { transactionId } = await sell(fixture, merchantId, 40);
  const [{ settlementDate: next } = { settlementDate: '' }] = await settle(fixture, merchantId);
  expect(next).not.toBe(date);
  const importOf = async (rows: string[]) =>
    (await expectData(upload(fixture, ['id,amount,date', ...rows].join('\n'), undefined, { merchantId }))).importId;
  await compare(fixture, date, await importOf([`${twice},20.00,${date}`]));
  // The processor settles one payment of the first day with the second one, and another one again.
  const second = await importOf([`${twice},20.00,${next}`, `${late},30.00,${next}`, `${transactionId},40.00,${next}`]);
  for (const _ of ['first', 'repeated']) {
    const found = await compare(fixture, next, second);
    expect(found).toMatchObject({ matchedCount: 1, transactionsTotal: 40, settlementsTotal: 60 });
    expect(found.discrepancies).toMatchObject([
      { type: 'duplicate', kind: 'capture', transactionId: twice, transactionAmount: null, settledAmount: 20, difference: -20 },
    ]);
  }
});

onAnyDatabase('finds the header after rows of other kinds, and reads names of months, credits and debits', async (fixture) => {
  const { merchantId, ids } = await settledDay(fixture, [20, 30]);
  const rows = [
    'RH,2026/01/05,report',
    'FH,1',
    'SH,USD',
    'CH,Reference,Credit,Debit,Date',
    `SB,${ids[0]},20.00,,05-Jan-2026 03:25:12 AM PST`,
    `SB,${ids[1]},,30.00,05-Jan-2026 03:25:12 AM PST`,
    'SB,8800000000000009,1.00,,05-Jan-2026 03:25:12 AM PST',
    'SB,4111111111111111,1.00,,05-Jan-2026 03:25:12 AM PST',
  ];
  const mapping = {
    transactionId: 'Reference',
    amount: undefined,
    credit: 'Credit',
    debit: 'Debit',
    date: 'Date',
    dateFormat: 'DD MMM YYYY',
  };
  const imported = await expectData(upload(fixture, rows.join('\n'), mapping, { merchantId }));
  expect(imported).toMatchObject({ rows: 4, imported: 3, badRowCount: 1, startDate: '2026-01-05', endDate: '2026-01-05' });
  expect(imported.badRows).toEqual([{ line: 8, reason: 'the transaction ID looks like a card number, which is not stored' }]);
});

onAnyDatabase('names foreign formats', async (fixture) => {
  for (const [file, name] of [
    ['PK\u0003\u0004\u0014', 'spreadsheet'],
    ['%PDF-1.7', 'PDF'],
    ['<!doctype html><title>Sign in</title>', 'web page'],
    ['OFXHEADER:100\nDATA:OFXSGML\n\n<OFX>', 'bank statement (OFX)'],
    ['"id" , "amount" , "date"\n', 'Line 1 of the file cannot be read'],
  ] as const)
    expect((await expectError(upload(fixture, file), 400, 'VALIDATION_ERROR', 'file')).message).toContain(name);
});

onAnyDatabase('stores no ID that a spreadsheet has rounded, and frees the others from its marks', async (fixture) => {
  const { merchantId, ids, date } = await settledDay(fixture, [20, 30]);
  const rows = ['id,amount,date', `="${ids[0]}",20.00,${date}`, `${ids[1]},'30.00,="${date}"`, `1.23457E+11,1.00,${date}`];
  const imported = await expectData(upload(fixture, rows.join('\n'), undefined, { merchantId }));
  expect(imported.badRows).toEqual([{ line: 4, reason: 'a spreadsheet has rounded the transaction ID 1.23457E+11' }]);
  expect(await compare(fixture, date, imported.importId)).toMatchObject({ matched: true, matchedCount: 2 });
});

onAnyDatabase('matches payments by ID in a file that names the day of the sale', async (fixture) => {
  const { merchantId, ids, date } = await settledDay(fixture, [20, 30]);
  const file = `id,amount,date\n${ids[0]},20,2019-05-05\n${ids[1]},30,2019-05-05\n`;
  const { importId } = await expectData(upload(fixture, file, undefined, { merchantId }));
  expect(await compare(fixture, date, importId)).toMatchObject({ matched: true, matchedCount: 2, state: 'balanced' });
});

onAnyDatabase('matches payments that are settled after the import', async (fixture) => {
  const { merchantId, ids, date } = await settledDay(fixture, [20]);
  const later = await sell(fixture, merchantId, 33);
  const file = `id,amount,date\n${ids[0]},20,${date}\n${later.transactionId},33,${date}\n`;
  const { importId } = await expectData(upload(fixture, file, undefined, { merchantId }));
  expect(await compare(fixture, date, importId)).toMatchObject({ matched: true, matchedCount: 1 });
  await settle(fixture, merchantId);
  expect(await compare(fixture, date, importId)).toMatchObject({ matched: true, matchedCount: 2, transactionsTotal: 53 });
});

onAnyDatabase('recognizes refunds by a negative amount or by the type column', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const { transactionId } = await sell(fixture, merchantId, 50);
  const refund = await expectData(api.admin.post<{ refundId: string }>(`/transactions/${transactionId}/refund/partial`, { amount: 12 }));
  await expectData(api.admin.post(`/transactions/${transactionId}/refund/partial`, { amount: 3 }));
  const [settlement] = await settle(fixture, merchantId);
  const date = settlement?.settlementDate ?? '';
  const file = `Betrag;Tag;Nummer\n50,00;${date};${transactionId}\n12,00;${date};${refund.refundId}\n(3,00);${date};${transactionId}\n`;
  const mapping = { transactionId: 'nummer', amount: 'Betrag', date: 'Tag' };
  const { importId, delimiter } = await expectData(upload(fixture, file, mapping, { merchantId }));
  expect(delimiter).toBe(';');
  expect(await compare(fixture, date, importId)).toMatchObject({
    matched: true,
    matchedCount: 3,
    transactionsTotal: 35,
    settlementsTotal: 35,
  });
});

onAnyDatabase('reports unreadable rows by line and excludes them', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const file = [
    'id,amount,date',
    'good,1.00,2026-05-01',
    ',1.00,2026-05-01',
    'letters,one,2026-05-01',
    'decimals,1.005,2026-05-01',
    'nothing,0.00,2026-05-01',
    'day,1.00,2026-02-30',
    '4111 1111 1111 1111,1.00,2026-05-01',
    '"open,1.00,2026-05-01',
    '"x"y,1.00,2026-05-01',
    '=HYPERLINK("http://evil.test"),=1+1,2026-05-01',
    '',
    ',,',
    '"two\nlines",1.00,2026-05-01',
    '=cmd|calc,2.00,2026-05-02',
    `huge${'x'.repeat(300_000)},1.00,2026-05-01`,
    'last,"1,234.50",2026-05-03',
  ].join('\n');
  const imported = await expectData(upload(fixture, file, undefined, { merchantId }));
  expect(imported.badRows.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 17]);
  expect(imported).toMatchObject({ rows: 14, imported: 3, badRowCount: 11, startDate: '2026-05-01', endDate: '2026-05-03' });
  expect(JSON.stringify(imported)).not.toContain('41111');
  const found = await compare(fixture, '2026-05-02', imported.importId);
  expect(found.discrepancies.map(({ settlementReference }) => settlementReference)).toEqual(['=cmd|calc']);
});

onBothDatabases('keeps every report readable after invalid amounts and sums above the supported maximum', async (fixture) => {
  const { merchantId, date } = await settledDay(fixture, [20]);
  const rows = (name: string, amount: string, times: number, currency: string) =>
    Array.from({ length: times }, (_, at) => `${name}-${at},${amount},${date},${currency}`);
  const lines = [
    ...rows('huge', '9999999999999.99', 20, 'USD'),
    ...rows('thousandths', '9999999999999.999', 1, 'KWD'),
    ...rows('large', '99999999999.99', 500, 'USD'),
    ...rows('given back', '-99999999999.999', 50, 'KWD'),
  ];
  const mapping = { transactionId: 'id', amount: 'amount', date: 'date', currency: 'cur' };
  const imported = await expectData(upload(fixture, `id,amount,date,cur\n${lines.join('\n')}\n`, mapping, { merchantId }));
  expect(imported).toMatchObject({ rows: 571, imported: 450 + 45, badRowCount: 21 + 50 + 5 });
  const reasons = new Set(imported.badRows.map(({ reason }) => reason));
  expect(reasons).toEqual(
    new Set([
      'the amount is not a decimal number of USD with at most 11 digits before its decimals',
      'the amount is not a decimal number of KWD with at most 11 digits before its decimals',
      'with this row, the sum of the amounts in USD exceeds the supported maximum',
      'with this row, the sum of the amounts in KWD exceeds the supported maximum',
    ]),
  );
  const found = await compare(fixture, date, imported.importId);
  expect(found.discrepancyCount).toBe(496);
  const { admin } = fixture.api;
  for (const path of [`?date=${date}&merchantId=${merchantId}`, `/runs?merchantId=${merchantId}`, `/${found.runId}/items?limit=200`])
    await expectData(admin.get(`/settlement/reconciliation${path}`));
  await expectData(admin.get(`/settlement/reconciliation/days?month=${date.slice(0, 7)}&merchantId=${merchantId}`));
});

onAnyDatabase('reports rows of days in the future, whose dates have another format', async (fixture) => {
  const { now } = await expectData(fixture.api.admin.get<{ now: string }>('/sandbox/clock'));
  const day = (offset: number) => new Date(Date.parse(now) + offset * 86_400_000).toISOString().slice(0, 10);
  const merchantId = await createMerchant(fixture);
  const imported = await expectData(upload(fixture, `id,amount,date\na,5,${day(0)}\nb,5,${day(3)}\n`, undefined, { merchantId }));
  expect(imported).toMatchObject({
    imported: 1,
    badRows: [{ line: 3, reason: `the day ${day(3)} is in the future: check the format of the dates` }],
  });
});

onAnyDatabase('neither stores nor returns a card number in a file', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const headless = '4111111111111111,PAN 5555 5555 5555 4444,5.00\n1,2,3\n';
  const error = await expectError(upload(fixture, headless, undefined, { merchantId }), 400, 'VALIDATION_ERROR', 'mapping.transactionId');
  expect(error.details).toEqual({ columns: ['[card number]', 'PAN [card number]', '5.00'] });
  const file = 'id,amount,date\nPAN 4111111111111111,1.00,2026-05-01\nno 7/4111-1111-1111-1111,1.00,2026-05-01\nno 7,1.00,2026-05-01\n';
  const answer = await upload(fixture, file, undefined, { merchantId });
  expect(await expectData(answer)).toMatchObject({ imported: 1, badRows: [{ line: 2 }, { line: 3 }] });
  expect(answer.text).not.toMatch(/1111/);
});

onAnyDatabase('keeps resolved discrepancies of a file after comparing another file in between', async (fixture) => {
  const { api } = fixture;
  const { merchantId, ids, date } = await settledDay(fixture, [20, 30]);
  const lines = [`id,amount,date`, `${ids[0]},20,${date}`];
  const lacking = await expectData(upload(fixture, `${lines.join('\n')}\n`, undefined, { merchantId }));
  const whole = await expectData(upload(fixture, `${[...lines, `${ids[1]},30,${date}`].join('\n')}\n`, undefined, { merchantId }));
  const [missing] = (await compare(fixture, date, lacking.importId)).discrepancies;
  await expectData(api.admin.post(`/settlement/reconciliation/discrepancies/${missing?.id}/resolve`, { note: 'In the next file' }));
  expect(await compare(fixture, date, whole.importId)).toMatchObject({ matched: true, state: 'balanced' });
  const again = await compare(fixture, date, lacking.importId);
  expect(again).toMatchObject({ state: 'explained', openCount: 0, discrepancies: [{ status: 'resolved', note: 'In the next file' }] });
  expect(again.discrepancies[0]?.resolvedBy).toBe(fixture.credentials.adminEmail);
  const gateway = await expectData(
    api.admin.post<{ discrepancies: Discrepancy[] }>('/settlement/reconciliation/auto', { date, merchantId }),
  );
  expect(gateway.discrepancies).toEqual([]);
});

onAnyDatabase('lists the first two hundred unreadable rows and counts all', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const file = `id,amount,date\n${'x,none,2026-01-01\n'.repeat(350)}y,1,2026-01-01\n`;
  const imported = await expectData(upload(fixture, file, undefined, { merchantId }));
  expect(imported).toMatchObject({ rows: 351, imported: 1, badRowCount: 350 });
  expect(imported.badRows).toHaveLength(200);
});

onAnyDatabase('distinguishes UTF-8, UTF-16 and Windows-1252, with or without a byte-order mark', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const text = (season: string) => `Référence\tMontant €\tDate\nÉté-${season}\t1 234,50\t03.04.2026\n`;
  const mapping = { transactionId: 'Référence', amount: 'Montant €', date: 'Date', dateFormat: 'DD.MM.YYYY' };
  const files: [string, Uint8Array<ArrayBuffer>][] = [
    ['utf-8', bytesOf(text('a'), 'utf-8')],
    ['utf-8', bytesOf(`\ufeff${text('b')}`, 'utf-8')],
    ['utf-16le', bytesOf(text('c'), 'utf-16le')],
    ['utf-16be', bytesOf(text('d'), 'utf-16be')],
    ['utf-16le', new Uint8Array(iconv.encode(text('e'), 'utf-16le'))],
    ['windows-1252', bytesOf(text('f'), 'windows-1252')],
  ];
  for (const [encoding, bytes] of files) {
    const imported = await expectData(upload(fixture, bytes, mapping, { merchantId }));
    expect(imported).toMatchObject({ encoding, delimiter: 'tab', imported: 1, badRows: [], startDate: '2026-04-03' });
    const found = await compare(fixture, '2026-04-03', imported.importId);
    expect(found.discrepancies[0]).toMatchObject({ type: 'missing_in_transactions', settledAmount: 1234.5, difference: -1234.5 });
    expect(found.discrepancies[0]?.settlementReference).toMatch(/^Été-[a-f]$/);
  }
});

onAnyDatabase('accepts inverted signs and a currency column', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const file = 'id,amount,date,cur\nan-a,-5.00,20260607,usd\na-b,-700,20260607,JPY\na-c,1.00,20260607,XXX9\n';
  const mapping = { transactionId: 'id', amount: 'amount', date: 'date', currency: 'cur', dateFormat: 'YYYYMMDD', sign: 'negative' };
  const imported = await expectData(upload(fixture, file, mapping, { merchantId }));
  expect(imported).toMatchObject({ imported: 2, badRowCount: 1 });
  const found = await compare(fixture, '2026-06-07', imported.importId);
  expect(found.discrepancies.map(({ currency, settledAmount, kind }) => [currency, settledAmount, kind])).toEqual(
    expect.arrayContaining([
      ['USD', 5, 'capture'],
      ['JPY', 700, 'capture'],
    ]),
  );
});

onBothDatabases('imports the same file once, and again if nothing in it could be read', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const file = `id,amount,date\n${merchantId},5.00,2026-05-01\n`;
  const wrong = { transactionId: 'id', amount: 'date', date: 'date' };
  expect(await expectData(upload(fixture, file, wrong, { merchantId }))).toMatchObject({ imported: 0, badRowCount: 1 });
  const [left, right] = await Promise.all([
    upload(fixture, file, undefined, { merchantId }),
    upload(fixture, file, undefined, { merchantId }),
  ]);
  const [done, refused] = left.status === 200 ? [left, right] : [right, left];
  const { importId } = await expectData<ImportRecord>(done);
  const error = await expectError(refused, 409, 'RESOURCE_CONFLICT', 'file');
  expect(error.details?.importId).toBe(importId);
  const again = await expectError(upload(fixture, file, undefined, { merchantId }), 409, 'RESOURCE_CONFLICT', 'file');
  expect(again.details).toEqual({ importId });
  const entries = await expectData(fixture.api.admin.get<{ action: string; resource: string }[]>('/audit-logs?limit=5'));
  expect(entries.filter(({ resource }) => resource === `settlement/imports/${importId}`)).toMatchObject([
    { action: 'settlement_import.created' },
  ]);
});

onAnyDatabase('refuses an invalid form and names the error', async (fixture) => {
  const { api } = fixture;
  const file = 'id,amount,date\nx,1,2026-05-01\n';
  await expectError(upload(fixture, file, '{broken'), 400, 'VALIDATION_ERROR', 'mapping');
  await expectError(upload(fixture, file, { transactionId: 'id', amount: 'amount' }), 400, 'REQUIRED_FIELD_MISSING', 'mapping.date');
  const error = await expectError(
    upload(fixture, file, { transactionId: 'id', amount: 'amount', date: 'day' }),
    400,
    'VALIDATION_ERROR',
    'mapping.date',
  );
  expect(error.details).toEqual({ columns: ['id', 'amount', 'date'] });
  await expectError(upload(fixture, ''), 400, 'VALIDATION_ERROR', 'file');
  await expectError(upload(fixture, '\n \n'), 400, 'VALIDATION_ERROR', 'file');
  await expectError(upload(fixture, file, undefined, { mapping: 'x', merchantId: 'mer_nothing' }), 404, 'MERCHANT_NOT_FOUND');
  await expectError(api.admin.post('/settlement/imports', { mapping: {} }), 400, 'VALIDATION_ERROR', 'Content-Type');
  await expectError(api.admin.post('/settlement/reconciliation/auto', { date: '2026-05-01', importId: 'imp_nothing' }), 404, 'NOT_FOUND');
  const elsewhere = await fetch(`${fixture.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'X-Tenant-ID': fixture.credentials.tenantId },
    body: new FormData(),
  });
  expect(elsewhere.status).toBe(400);
});

const ROWS = sized(20_000, 100_000);

onAnyDatabase(
  'answers other requests while it imports a large file',
  async (fixture) => {
    const { merchantId, ids, date } = await settledDay(fixture, [20, 30]);
    const rows = Array.from({ length: ROWS }, (_, at) => `line-${at},${(at % 900) + 1}.25,2020-01-01`);
    rows.splice(ROWS / 2, 0, `${ids[0]},20.00,${date}`, `${ids[1]},30.00,${date}`, 'bad');
    const reading = upload(fixture, `id,amount,date\n${rows.join('\n')}\n`, undefined, { merchantId });
    let isOver = false;
    void reading.finally(() => {
      isOver = true;
    });
    let served = 0;
    while (!isOver) {
      expect((await fixture.api.bare.get('/health')).status).toBe(200);
      served += 1;
    }
    const imported = await expectData(reading);
    expect(imported).toMatchObject({ rows: ROWS + 3, imported: ROWS + 2, badRows: [{ line: ROWS / 2 + 4 }] });
    expect(served).toBeGreaterThan(ROWS / 5_000);
    expect(await compare(fixture, date, imported.importId)).toMatchObject({ matched: true, matchedCount: 2 });
  },
  FULL,
);
