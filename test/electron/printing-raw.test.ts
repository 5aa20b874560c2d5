import { readFile, stat } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PrinterSaveOutcome, PrinterSetup, PrintJob, PrintOutcome, QueuedPrintJob } from '#bridge';
import { type FakePrinter, readEscpos, startFakePrinter } from '../support/fake-printer.ts';
import { PAGE_WITHOUT_SCRIPT, showPage } from './common-tests.ts';
import { asShell, type DoubleShell, launchDouble, until, WITHOUT_SCREENS } from './shell.ts';

/** Answers the next questions, and forgets the earlier ones. */
const answer = (button: number) =>
  shell.evaluate(({ record }, chosen) => {
    record.answer = chosen;
    record.messages = [];
  }, button);
const asked = () => shell.evaluate(({ record }) => record.messages, undefined);

let shell: DoubleShell;
let printer: FakePrinter;

beforeAll(async () => {
  printer = await startFakePrinter();
  shell = await launchDouble([WITHOUT_SCREENS]);
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
  // The printer of the tests has a port that printers do not use, which a person allows.
  await answer(1);
  await save(setup());
  await save(null);
});
afterAll(async () => {
  await shell.stop();
  await printer[Symbol.asyncDispose]();
});
afterEach(() => {
  printer.jobs.length = 0;
  printer.behavior = 'takes';
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
const job = (more: Partial<PrintJob> = {}): PrintJob => {
  jobs += 1;
  const content = { kind: 'escpos', base64: BYTES.toString('base64') } as const;
  return {
    key: `job-number-${jobs}`,
    title: 'Customer copy',
    content,
    copies: 1,
    isFollowUp: false,
    isUrgent: false,
    metadata: '',
    ...more,
  };
};

const call = <Answer>(name: string, ...given: unknown[]) =>
  shell.inPage<Answer>(`paydesk.${name}(${given.map((one) => JSON.stringify(one)).join(', ')}).catch((refusal) => refusal.message)`);
const save = (given: PrinterSetup | null) => call<PrinterSaveOutcome>('savePrinter', given);
const send = (given: unknown) => call<PrintOutcome>('queuePrintJob', given);
const queue = () => call<QueuedPrintJob[]>('readPrintQueue');

test('reports that no receipt printer is set up and sends nothing', async () => {
  expect(await call('readPrinter')).toBeNull();
  expect(await send(job())).toEqual({ sent: false, problem: 'No receipt printer is set up on this workstation.' });
});

test('sends the bytes of the page unchanged, in order and copy by copy', async () => {
  expect(await save(setup())).toEqual({ saved: true });
  expect(await call('readPrinter')).toEqual(setup());
  expect(await send(job({ copies: 2 }))).toEqual({ sent: true });
  expect(await send(job({ content: { kind: 'escpos', base64: Buffer.from('next').toString('base64') } }))).toEqual({ sent: true });
  expect(printer.jobs).toEqual([BYTES, BYTES, Buffer.from('next')]);
});

test('prints a test page with a ruler as wide as the columns, letters, a code and the cut, and opens no drawer', async () => {
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

test('encodes lines of a page for the printer, without commands and without lines that are too long', async () => {
  await save(setup({ columns: 24, cuts: false, pausesToTear: false }));
  const lines = [
    { text: 'Daily close €', isBold: true },
    { text: `\u001bp\u0000\u0019\u00fa${'x'.repeat(60)}`, isBold: false },
  ];
  expect(await send(job({ content: { kind: 'lines', lines } }))).toEqual({ sent: true });
  const read = readEscpos(printer.jobs[0] ?? Buffer.alloc(0));
  expect(read.lines[0]).toEqual(Buffer.from('Daily close \u00d5', 'latin1'));
  for (const line of read.lines) expect(line.length).toBeLessThanOrEqual(24);
  expect(read.commands.filter((command) => /^(ESC p|GS)/.test(command))).toEqual([]);
});

test('keeps jobs that wait for a tear-off or failed when the page is reloaded', async () => {
  await save(setup({ cuts: false }));
  expect(await send(job({ copies: 2, metadata: 'txn_1' }))).toEqual({ sent: true });
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
  const [torn] = (await queue()).filter(({ metadata }) => metadata === 'txn_1');
  expect(torn).toMatchObject({ state: 'awaiting-tear-off', sent: 1, copies: 2, isAcknowledged: false });
  await shell.inPage('window.received = [], paydesk.onPrintQueue((jobs) => received.push(jobs)), 1');
  expect(await call('actOnPrintJob', torn?.id, 'next')).toBe(true);
  await until(async () => printer.jobs.length === 2);
  await until(async () => (await shell.inPage<number>('received.length')) > 0);
  expect(await call('actOnPrintJob', torn?.id, 'acknowledge')).toBe(true);
  await save(setup({ address: { kind: 'network', host: '127.0.0.1', port: 1 } }));
  expect(await send(job())).toMatchObject({ sent: false, problem: expect.stringContaining('No printer accepts jobs at 127.0.0.1:1') });
  expect((await queue()).at(-1)).toMatchObject({ state: 'failed', isPartial: false });
});

test('asks once before printing to an address outside our networks, and refuses it without consent', async () => {
  const outside = setup({ address: { kind: 'network', host: '192.0.2.7', port: 9100 } });
  await answer(0);
  expect(await save(outside)).toEqual({ saved: false, problem: '192.0.2.7 is outside your networks. No receipts are sent to it.' });
  expect(await call('testPrinter', outside)).toMatchObject({ sent: false });
  expect(await asked()).toEqual(['Print to 192.0.2.7?', 'Print to 192.0.2.7?']);
  await answer(1);
  expect(await save(outside)).toEqual({ saved: true });
  expect(await save(outside)).toEqual({ saved: true });
  expect(await asked()).toEqual(['Print to 192.0.2.7?']);
  await save(setup());
});

test('asks once before printing to a port that printers do not use, also on this computer', async () => {
  await using other = await startFakePrinter();
  const unusual = setup({ address: { kind: 'network', host: '127.0.0.1', port: other.port } });
  const destination = `127.0.0.1:${other.port}`;
  await answer(0);
  const problem = `${destination} has a port that printers do not use. No receipts are sent to it.`;
  expect(await save(unusual)).toEqual({ saved: false, problem });
  expect(await call('testPrinter', unusual)).toEqual({ sent: false, problem });
  expect(await asked()).toEqual([`Print to ${destination}?`, `Print to ${destination}?`]);
  await answer(1);
  expect(await call('testPrinter', unusual)).toEqual({ sent: true });
  expect(await save(unusual)).toEqual({ saved: true });
  expect(await asked()).toEqual([`Print to ${destination}?`]);
  await until(async () => other.jobs.length === 1);
  await save(setup());
});

test('never prints to the port of the server, under any name and without a question', async () => {
  const port = Number(await shell.inPage<string>('location.port'));
  await answer(1);
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.3.2.1']) {
    const own = setup({ address: { kind: 'network', host, port } });
    const refused = { problem: expect.stringContaining('is an address of Paydesk or its database. No receipts are sent to it.') };
    expect(await save(own)).toMatchObject({ saved: false, ...refused });
    expect(await call('testPrinter', own)).toMatchObject({ sent: false, ...refused });
  }
  expect(await asked()).toEqual([]);
});

test('keeps the API and the page working while the question about an outside address is open', async () => {
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

test('sends a document to a printer of the system, with the printer’s own page size if set', async () => {
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

test('stores the printer setup in a file that only this user can read', async () => {
  const file = `${shell.dataDir}/printer.json`;
  await save(setup());
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ setup: setup() });
  expect((await stat(file)).mode & 0o077).toBe(0);
});

test('refuses malformed setups and jobs, names the broken rule and prints nothing', async () => {
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
    { kind: 'lines', lines: [{ text: 'x'.repeat(201), isBold: false }] },
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
    job({ metadata: 'x'.repeat(401) }),
    job({ isFollowUp: 1 as never }),
  ];
  for (const given of setups) expect(await call('savePrinter', given)).toContain('Refused: ');
  for (const given of bad) expect(await send(given)).toContain('Refused: ');
  for (const [id, action] of [
    [0, 'next'],
    ['1', 'next'],
    [1, 'print'],
    [1.5, 'next'],
  ])
    expect(await call('actOnPrintJob', id, action)).toContain('Refused: ');
  expect(printer.jobs).toEqual([]);
});
