import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../support/api-client.ts';
import { heapGrowth } from '../../support/heap.ts';
import { type ImportRecord, MAPPING } from '../../support/reconciliation.ts';
import { expectData, expectError, FULL, startTestServer } from '../../support/server.ts';

const MEGABYTE = 1_048_576;
const HEAD = 'id,amount,date\n';
const GOOD = 'good,1.00,2026-05-01\n';
const ROW_MAX = 65_536;
/** Far above the cost of reading, and far below the cost of a file that is kept in memory or read again for each character. */
const CPU_MS_PER_MEGABYTE = 400;
const HEAP_MAX = 100 * MEGABYTE;
const SAMPLE_EVERY_MS = 5;

type Import = (content: string | Uint8Array<ArrayBuffer>, mapping?: object) => Promise<Answer<ImportRecord>>;
let send: Import = () => Promise.reject(new Error('the server starts before the first test'));
let stop = async () => {};

// Reading is the same on both databases: one is sufficient, in this process, so that its event loop turns and memory can be measured.
beforeAll(async () => {
  const started = await startTestServer('sqlite');
  stop = started.stop;
  const { baseUrl, credentials } = started.server;
  const tenantHeader = { 'X-Tenant-ID': credentials?.tenantId ?? '' };
  const body = JSON.stringify({ email: credentials?.adminEmail, password: credentials?.adminPassword });
  const login = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { ...tenantHeader, 'content-type': 'application/json' },
    body,
  });
  const { data } = (await login.json()) as { data: { token: string } };
  send = async (content, mapping = MAPPING) => {
    const form = new FormData();
    form.set('mapping', JSON.stringify(mapping));
    form.set('file', new Blob([content]), 'settlements.csv');
    const response = await fetch(`${baseUrl}/api/v1/settlement/imports`, {
      method: 'POST',
      headers: { ...tenantHeader, authorization: `Bearer ${data.token}` },
      body: form,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
});
afterAll(() => stop());

/** Measures the cost of a file: processor time and the growth of the heap. */
async function costOf(content: string, mapping?: object) {
  const bytes = new TextEncoder().encode(content);
  const heap = process.memoryUsage().heapUsed;
  let highest = 0;
  const sampling = setInterval(() => {
    highest = Math.max(highest, heapGrowth(heap, HEAP_MAX));
  }, SAMPLE_EVERY_MS);
  const before = process.cpuUsage();
  const answer = await send(bytes, mapping).finally(() => clearInterval(sampling));
  const { user, system } = process.cpuUsage(before);
  return { answer, megabytes: bytes.length / MEGABYTE, cpuMs: (user + system) / 1_000, heap: highest };
}

/** Counts the turns of the event loop for other requests, until the function that it returns is called. It takes all the processor time that is left. */
function countTurns(): () => number {
  let [turns, isOver] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isOver = true;
    return turns;
  };
}

const LONG = 'x'.repeat(10 * MEGABYTE);
const EVEN = `${'""'.repeat(650)}\n`;

/** Variants of a row that never ends. */
const VARIANTS: ReadonlySet<string> = new Set([
  'ten megabytes of NUL',
  'ten megabytes of empty lines',
  'ten megabytes in a cell',
  'ten megabytes without a line break in the last line',
]);

for (const [name, content, bad] of [
  ['ten megabytes without a line break', LONG, null],
  ['ten megabytes of NUL', '\0'.repeat(10 * MEGABYTE), null],
  ['a million column names', `${'id,'.repeat(1_000_000)}amount,date\n`, null],
  ['ten megabytes of empty lines', '\n'.repeat(10 * MEGABYTE), null],
  ['column names with an unclosed quotation mark', `"${HEAD}${GOOD.repeat(200_000)}`, null],
  ['ten megabytes in a cell', `${HEAD}${LONG},1,2026-05-01\n${GOOD}`, [[2, `longer than ${ROW_MAX} characters`]]],
  ['ten megabytes in a quoted cell', `${HEAD}"${LONG}",1,2026-05-01\n${GOOD}`, [[2, `longer than ${ROW_MAX} characters`]]],
  ['ten megabytes without a line break in the last line', `${HEAD}${GOOD}${LONG}`, [[3, `longer than ${ROW_MAX} characters`]]],
  ['a million columns', `${HEAD}${'1,'.repeat(1_000_000)}\n${GOOD}`, [[2, `longer than ${ROW_MAX} characters`]]],
  ['more than 500 columns', `${HEAD}${'1,'.repeat(600)}\n${GOOD}`, [[2, 'more than 500 columns']]],
  [
    'an unclosed quotation mark before many lines',
    `${HEAD}"x,1,2026-05-01\n${'a,1.00,2026-05-01\n'.repeat(60)}`,
    [[2, 'a quotation mark is not closed']],
  ],
] as const)
  test(`imports or reports ${name} in bounded memory`, VARIANTS.has(name) ? FULL : {}, async () => {
    const { answer, megabytes, cpuMs, heap } = await costOf(content);
    if (bad === null) await expectError(answer, 400, 'VALIDATION_ERROR', 'file');
    else {
      const read = await expectData(answer);
      expect(read.badRows.map(({ line, reason }) => [line, reason])).toEqual(bad);
      expect(read.imported).toBe(read.rows - bad.length);
      expect(read.imported).toBeGreaterThan(0);
    }
    expect(cpuMs).toBeLessThan(CPU_MS_PER_MEGABYTE * (megabytes + 1));
    expect(heap).toBeLessThan(HEAP_MAX);
  });

test('reads repeatedly opened quotation marks as fast as other characters', FULL, async () => {
  const { answer, megabytes, cpuMs } = await costOf(`${HEAD}${`"a\n${EVEN.repeat(49)}`.repeat(60)}`);
  const read = await expectData(answer);
  expect(read).toMatchObject({ imported: 0, badRowCount: read.rows });
  expect(cpuMs).toBeLessThan(3 * CPU_MS_PER_MEGABYTE * megabytes);
});

test('counts a million unreadable rows in bounded memory', FULL, async () => {
  const rows = 1_000_000;
  const stopCounting = countTurns();
  const { answer, megabytes, heap } = await costOf(`${HEAD}${'bad,none,2026-01-01\n'.repeat(rows)}`);
  const turns = stopCounting();
  const read = await expectData(answer);
  expect(read).toMatchObject({ rows, imported: 0, badRowCount: rows });
  expect(read.badRows).toHaveLength(200);
  // At least one turn of the event loop for others per 64 kB.
  expect(turns).toBeGreaterThan(megabytes * 16);
  expect(heap).toBeLessThan(HEAP_MAX);
});

test('preserves text in every encoding or reports its line, and imports no invalid character', async () => {
  const mapping = { transactionId: 'Référence', amount: 'Betrag', date: 'Tag' };
  const text = (name: string) => `Référence,Betrag,Tag\nÉté-${name},1.00,2026-05-01\n`;
  const encoded = (encoding: string, name: string, addBOM: boolean) => iconv.encode(text(name), encoding, { addBOM });
  for (const [encoding, bytes] of [
    ['utf-16le', encoded('utf-16le', 'a', true)],
    ['utf-16le', encoded('utf-16le', 'b', false)],
    ['utf-16be', encoded('utf-16be', 'c', true)],
    ['utf-16be', encoded('utf-16be', 'd', false)],
    ['windows-1252', encoded('windows-1252', 'e', false)],
    // Half a character at the end of a truncated file.
    ['utf-16le', Buffer.concat([encoded('utf-16le', 'f', true), Buffer.from([0x41])])],
  ] as const)
    expect(await expectData(send(new Uint8Array(bytes), mapping)), encoding).toMatchObject({ encoding, imported: 1 });
  const broken = Buffer.concat([Buffer.from(`${HEAD}caf`), Buffer.from([0xc3]), Buffer.from(`,1.00,2026-05-01\n${GOOD}`)]);
  expect(await expectData(send(new Uint8Array(broken)))).toMatchObject({ encoding: 'windows-1252', imported: 2 });
  const nul = await expectData(send(`${HEAD}a\0b,1.00,2026-05-01\nok,1.\0${'00'},2026-05-01\n${GOOD}`));
  expect(nul).toMatchObject({ imported: 1, badRows: [{ line: 2 }, { line: 3 }] });
  const lone = iconv.encode(`${HEAD}a?b,1.00,2026-05-01\n${GOOD}`, 'utf-16le', { addBOM: true });
  lone.writeUInt16LE(0xd800, lone.indexOf(Buffer.from('?', 'utf16le')));
  expect(await expectData(send(new Uint8Array(lone)))).toMatchObject({ encoding: 'utf-16le', rows: 2, badRowCount: 1 });
});

test('treats formulas as text, uses the first of two columns with the same name, and reports unknown columns', async () => {
  const formulas = ['=1+1', '@SUM(A1)', '+cmd|calc', '-2+3'].map((name) => `"${name}",2.50,2026-05-02\n`);
  expect(await expectData(send(`${HEAD}${formulas.join('')}x,=2.50,2026-05-02\n`))).toMatchObject({ imported: 4, badRows: [{ line: 6 }] });
  const twice = await expectData(send(`id,amount,amount,date\nx,1.00,none,2026-05-03\ny,none,1.00,2026-05-03\n`));
  expect(twice).toMatchObject({ imported: 1, badRows: [{ line: 3 }] });
  const error = await expectError(send(`${HEAD.replace('amount', '=HYPERLINK("x")')}${GOOD}`), 400, 'VALIDATION_ERROR', 'mapping.amount');
  expect(error.details?.columns).toHaveLength(3);
});

test('imports or reports every row of arbitrary bytes', async () => {
  const sign = fc.constantFrom('"', ',', '\n', '\r', ';', '\t', 'a', '1.00', '2026-05-01', '\0', 'é', '\ud800', '\u2028', '=');
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((raw) => new Uint8Array(raw)),
    fc.array(sign, { maxLength: 80 }).map((signs) => new TextEncoder().encode(HEAD + signs.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const { status, body } = await send(content as Uint8Array<ArrayBuffer>);
      expect([200, 400, 409]).toContain(status);
      if (status === 200) expect(body.data.rows).toBe(body.data.imported + body.data.badRowCount);
      else expect(body.error.field ?? '').toMatch(/^(file|mapping\.)/);
    }),
    { numRuns: 80 },
  );
});
