import { readFile, stat } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PaperJob, PrinterSaved, PrinterSetup, PrintOutcome, QueuedPaper } from '#bridge';
import { type PaperPrinter, readEscpos, startPaperPrinter } from '../support/paper-printer.ts';
import { PLAIN_PAGE, show } from './flows.ts';
import { asShell, type DoubleShell, launchDouble, until } from './shell.ts';

let shell: DoubleShell;
let printer: PaperPrinter;

beforeAll(async () => {
  printer = await startPaperPrinter();
  shell = await launchDouble();
  await show(asShell(shell), PLAIN_PAGE);
});
afterAll(async () => {
  await shell.stop();
  await printer[Symbol.asyncDispose]();
});
afterEach(() => {
  printer.jobs.length = 0;
  printer.manner = 'takes';
});

const setup = (more: Partial<PrinterSetup> = {}): PrinterSetup => ({
  name: 'Front desk',
  address: { kind: 'network', host: '127.0.0.1', port: printer.port },
  paper: '80mm',
  columns: 42,
  codePage: 'cp858',
  cuts: true,
  copies: { customer: 1, merchant: 1 },
  pausesToTear: true,
  drawerPin: null,
  ...more,
});
const BYTES = Buffer.from('\u001b@One receipt\n\u001dV\u0001', 'latin1');
let jobs = 0;
const job = (more: Partial<PaperJob> = {}): PaperJob => {
  jobs += 1;
  const content = { kind: 'escpos', base64: BYTES.toString('base64') } as const;
  return { key: `job-number-${jobs}`, title: 'Customer copy', content, copies: 1, follows: false, isUrgent: false, note: '', ...more };
};

const call = <Answer>(name: string, ...given: unknown[]) =>
  shell.inPage<Answer>(`paydesk.${name}(${given.map((one) => JSON.stringify(one)).join(', ')}).catch((refusal) => refusal.message)`);
const save = (given: PrinterSetup | null) => call<PrinterSaved>('savePrinter', given);
const send = (given: unknown) => call<PrintOutcome>('sendPaper', given);
const queue = () => call<QueuedPaper[]>('readPaperQueue');

test('without a receipt printer nothing is sent, and it is said so', async () => {
  expect(await call('readPrinter')).toBeNull();
  expect(await send(job())).toEqual({ sent: false, problem: 'No receipt printer is set up on this workstation.' });
});

test('the printer gets the bytes of the page as they are, in order, copy by copy', async () => {
  expect(await save(setup())).toEqual({ saved: true });
  expect(await call('readPrinter')).toEqual(setup());
  expect(await send(job({ copies: 2 }))).toEqual({ sent: true });
  expect(await send(job({ content: { kind: 'escpos', base64: Buffer.from('next').toString('base64') } }))).toEqual({ sent: true });
  expect(printer.jobs).toEqual([BYTES, BYTES, Buffer.from('next')]);
});

test('the test page has a ruler as wide as the columns, the letters, a code and the cut, and opens no drawer', async () => {
  expect(await call('testPrinter', setup({ columns: 35, drawerPin: 2 }))).toEqual({ sent: true });
  const { lines, commands } = readEscpos(printer.jobs[0] ?? Buffer.alloc(0));
  const texts = lines.map((line) => line.toString('latin1'));
  expect(texts).toContain('12345678901234567890123456789012345');
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(35);
  expect(lines.some((line) => line.includes(Buffer.from([0xd5, 0x20, 0xa0])))).toBe(true); // € á
  expect(commands).toContain('GS (');
  expect(commands.at(-1)).toBe('GS V 1');
  expect(commands.some((command) => command.startsWith('ESC p'))).toBe(false);
});

test('lines of a page are put into the letters of the printer, and none is a command or too long', async () => {
  await save(setup({ columns: 24, cuts: false, pausesToTear: false }));
  const lines = [
    { text: 'Daily close €', isLoud: true },
    { text: `\u001bp\u0000\u0019\u00fa${'x'.repeat(60)}`, isLoud: false },
  ];
  expect(await send(job({ content: { kind: 'lines', lines } }))).toEqual({ sent: true });
  const read = readEscpos(printer.jobs[0] ?? Buffer.alloc(0));
  expect(read.lines[0]).toEqual(Buffer.from('Daily close \u00d5', 'latin1'));
  for (const line of read.lines) expect(line.length).toBeLessThanOrEqual(24);
  expect(read.commands.filter((command) => /^(ESC p|GS)/.test(command))).toEqual([]);
});

test('a page that is loaded again finds its jobs, the one to tear off for and the one that failed', async () => {
  await save(setup({ cuts: false }));
  expect(await send(job({ copies: 2, note: 'txn_1' }))).toEqual({ sent: true });
  await show(asShell(shell), PLAIN_PAGE);
  const [torn] = (await queue()).filter(({ note }) => note === 'txn_1');
  expect(torn).toMatchObject({ state: 'tearing', sent: 1, copies: 2, isNoted: false });
  await shell.inPage('window.told = [], paydesk.onPaperQueue((jobs) => told.push(jobs)), 1');
  expect(await call('actOnPaper', torn?.id, 'next')).toBe(true);
  await until(async () => printer.jobs.length === 2);
  await until(async () => (await shell.inPage<number>('told.length')) > 0);
  expect(await call('actOnPaper', torn?.id, 'note')).toBe(true);
  await save(setup({ address: { kind: 'network', host: '127.0.0.1', port: 1 } }));
  expect(await send(job())).toMatchObject({ sent: false, problem: expect.stringContaining('Nothing takes print jobs at 127.0.0.1:1') });
  expect((await queue()).at(-1)).toMatchObject({ state: 'failed', isPartial: false });
});

test('an address outside of our networks is asked about, once, and refused otherwise', async () => {
  const outside = setup({ address: { kind: 'network', host: '192.0.2.7', port: 9100 } });
  const answer = (button: number) =>
    shell.evaluate(({ record }, chosen) => {
      record.answer = chosen;
      record.messages = [];
    }, button);
  const asked = () => shell.evaluate(({ record }) => record.messages, undefined);
  await answer(0);
  expect(await save(outside)).toEqual({ saved: false, problem: '192.0.2.7 is outside of your networks. Receipts do not go there.' });
  expect(await call('testPrinter', outside)).toMatchObject({ sent: false });
  expect(await asked()).toEqual(['Print to 192.0.2.7?', 'Print to 192.0.2.7?']);
  await answer(1);
  expect(await save(outside)).toEqual({ saved: true });
  expect(await save(outside)).toEqual({ saved: true });
  expect(await asked()).toEqual(['Print to 192.0.2.7?']);
  await save(setup());
});

test('while a person thinks about such an address, the API and the page go on', async () => {
  await save(setup());
  await shell.evaluate(({ record }) => {
    record.answer = null;
  }, undefined);
  const host = await shell.inPage<string>('location.host');
  const saved = save(setup({ address: { kind: 'network', host: '192.0.2.8', port: 9100 } }));
  await until(() => shell.evaluate(({ record }) => record.questions.length === 1, undefined));
  expect((await fetch(`http://${host}/health`)).status).toBe(200);
  expect(await call('readPrinter')).toMatchObject({ address: { host: '127.0.0.1' } });
  await shell.evaluate(({ record }) => record.questions[0]?.answer(1), undefined);
  expect(await saved).toEqual({ saved: true });
  await save(setup());
});

test('a printer of the system gets a document, on the page of its own where that is set', async () => {
  const address = { kind: 'system', printer: 'Front_Desk', usesOwnPage: true } as const;
  await save(setup({ address }));
  expect(await send(job({ content: { kind: 'html', html: '<!doctype html><p>1</p>', width: '80mm' } }))).toEqual({ sent: true });
  expect(await send(job())).toMatchObject({ sent: false, problem: expect.stringContaining('documents only') });
  await save(setup({ address: { ...address, usesOwnPage: false } }));
  expect(await call('testPrinter', setup({ address: { ...address, usesOwnPage: false } }))).toEqual({ sent: true });
  const printed = await shell.evaluate(({ record }) => record.printed.map(({ options }) => options), undefined);
  expect(printed[0]).toMatchObject({ usePrinterDefaultPageSize: true, deviceName: 'Front_Desk', silent: true });
  expect(printed[0]).not.toHaveProperty('pageSize');
  expect(printed[1]).toMatchObject({ pageSize: { width: 80_000 } });
});

test('the set-up is kept for the next start, for the eyes of this user alone', async () => {
  const file = `${shell.dataDir}/printer.json`;
  await save(setup());
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ setup: setup() });
  expect((await stat(file)).mode & 0o077).toBe(0);
});

test('malformed set-ups and jobs are refused, each with the rule it breaks, and print nothing', async () => {
  const at = (address: unknown) => setup({ address: address as PrinterSetup['address'] });
  const setups: unknown[] = [
    undefined,
    '',
    [],
    {},
    ...[
      { kind: 'network', host: 'a b', port: 9100 },
      { kind: 'network', host: 'x', port: 0 },
      { kind: 'network', host: '-o', port: 1 },
    ].map(at),
    ...[{ kind: 'queue', queue: '-o' }, { kind: 'queue', queue: 'a;b' }, { kind: 'share', share: 'C:\\x' }, { kind: 'usb' }, null].map(at),
    setup({ columns: 23 }),
    setup({ columns: 49 }),
    setup({ name: '' }),
    setup({ drawerPin: 3 as never }),
    setup({ codePage: 'utf8' as never }),
    setup({ copies: { customer: 0, merchant: 1 } }),
    setup({ cuts: 1 as never }),
  ];
  const big = 'A'.repeat(4 * 30_000);
  const contents: unknown[] = [
    null,
    {},
    { kind: 'escpos', base64: '' },
    { kind: 'escpos', base64: '!!!!' },
    { kind: 'escpos', base64: big },
    { kind: 'lines', lines: [] },
    { kind: 'lines', lines: [{ text: 'x'.repeat(201), isLoud: false }] },
    { kind: 'html', html: '', width: '80mm' },
    { kind: 'html', html: 'x', width: 'A4' },
  ];
  const bad: unknown[] = [
    null,
    [],
    ...contents.map((content) => job({ content: content as never })),
    job({ copies: 0 }),
    job({ copies: 10 }),
    job({ key: 'x' }),
    job({ title: '' }),
    job({ title: 'a\nb' }),
    job({ note: 'x'.repeat(401) }),
    job({ follows: 1 as never }),
  ];
  for (const given of setups) expect(await call('savePrinter', given)).toContain('Refused: ');
  for (const given of bad) expect(await send(given)).toContain('Refused: ');
  for (const [id, action] of [
    [0, 'next'],
    ['1', 'next'],
    [1, 'print'],
    [1.5, 'next'],
  ])
    expect(await call('actOnPaper', id, action)).toContain('Refused: ');
  expect(printer.jobs).toEqual([]);
});
