import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Diagnostics, LogLine } from '#bridge';
import { LogFile } from '../../electron/log/log-file.ts';
import { redact } from '../../electron/log/redaction.ts';
import { PAGE_WITHOUT_SCRIPT, showPage } from './common-tests.ts';
import { asShell, type DoubleShell, launchDouble, WITHOUT_SCREENS } from './shell.ts';

let folder: string;
let shell: DoubleShell;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-log-'));
  shell = await launchDouble([WITHOUT_SCREENS]);
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
});
afterAll(async () => {
  await shell.stop();
  await rm(folder, { recursive: true, force: true });
});

const KEY = 'q9Zt3Xw7Lk1Vb5Nc8Rf2Hd6Jm4Pg0Ys_Ua-TeWiOoBx';
/** Secrets that must be in no file, each with a text in which it might be logged. */
const SECRETS: Readonly<Record<string, string>> = {
  '4242424242424242': 'charged 4242424242424242',
  '4242 4242 4242 4242': 'charged 4242 4242 4242 4242 today',
  '5555-5555-5555-4444': '{"note":"5555-5555-5555-4444"}',
  '378282246310005': 'amex 378282246310005.',
  pk_sandbox_a8f3k2l9d0s7e6w5: 'x-api-key: pk_sandbox_a8f3k2l9d0s7e6w5',
  whsec_0f9e8d7c6b5a49382716: 'signed with whsec_0f9e8d7c6b5a49382716',
  // Base64 with signs that end a word.
  'whsec_JMK+sa7Gxj2lwJidyhZqugmuPuo9Ese8bu6KCFBJink=': 'signed with whsec_JMK+sa7Gxj2lwJidyhZqugmuPuo9Ese8bu6KCFBJink= twice',
  'Hf/2Ks9Qp+Lw7Zx1Vb3Nm5=': 'signed with whsec_aBcDeFgHiJkLmNoPqRsTHf/2Ks9Qp+Lw7Zx1Vb3Nm5= twice',
  'ses_01m8f0bk8q00001swq5spxhn7h.1.FXb2ycsEWQykLRAHIzUDdxINvNT5': 'refused ses_01m8f0bk8q00001swq5spxhn7h.1.FXb2ycsEWQykLRAHIzUDdxINvNT5',
  '8xmpgmhmew547qr34wbtvnfe6a': 'opened http://127.0.0.1:4801/pay/8xmpgmhmew547qr34wbtvnfe6a/receipt.pdf',
  '01m8f0bk8q00001swq5spxhn7hAbCdEf-hIjKlMn_pQrStUv': 'opened /card/01m8f0bk8q00001swq5spxhn7hAbCdEf-hIjKlMn_pQrStUv',
  gz34rh0f: 'opened https://pay.shop.example/s/gz34rh0f',
  isk_Zm9vYmFyYmF6cXV4Zm9v: 'key isk_Zm9vYmFyYmF6cXV4Zm9v given',
  'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3IifQ.c2lnbmF0dXJl': 'token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3IifQ.c2lnbmF0dXJl refused',
  'abcdef0123456789.secret': 'Authorization: Bearer abcdef0123456789.secret',
  'correct-horse-battery': '{"password":"correct-horse-battery"}',
  'hunter2-and-more': 'postgres://paydesk:hunter2-and-more@db.example:5432/paydesk refused',
  '"987"': '{"cvv":"987"}',
  [KEY]: `master ${KEY} read`,
  'k3J9x0Qw8Zr7Lm2Nv5Bt1Yc6Ud4Fe/Gh+IpOaSsDlKo=': 'file holds k3J9x0Qw8Zr7Lm2Nv5Bt1Yc6Ud4Fe/Gh+IpOaSsDlKo=',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08':
    'key 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  MC4CAQAwBQYDK2VwBCIEIDummy: '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIDummy\n-----END PRIVATE KEY-----',
};
const planted = Object.keys(SECRETS);

test('redacts secrets and card numbers and leaves useful text unchanged', () => {
  for (const [secret, text] of Object.entries(SECRETS)) expect(redact(text)).not.toContain(secret);
  const plain = [
    'GET /api/v1/transactions/txn_01kad8y7z6x5w4v3u2t1s0r9q8 answered 404 in 12.5 ms, req_0123456789abcdef0123456789abcdef',
    'at start (file:///opt/Paydesk/resources/app.asar/node_modules/fastify/lib/server.js:120:11)',
    'Another Paydesk server is using the data directory /srv/paydesk.',
    '{"level":30,"time":"2026-01-31T09:15:00.000Z","ms":1234567890123,"msg":"http://127.0.0.1:4801/health"}',
  ];
  expect(plain.map(redact)).toEqual(plain);
});

test.runIf(process.platform === 'linux')('loses only log lines on a full disk and leaks no file descriptors', async () => {
  const full = join(folder, 'full');
  await mkdir(full);
  await symlink('/dev/full', join(full, 'paydesk.log'));
  const log = new LogFile(full);
  const openFiles = async () => (await readdir('/proc/self/fd')).length;
  const before = await openFiles();
  for (let line = 0; line < 200; line += 1) log.add('There is no room left.');
  expect(await openFiles()).toBeLessThan(before + 20);
});

test('limits and redacts the log, and reads lines across its files with the newest last', async () => {
  const log = new LogFile(join(folder, 'bounded'), 4_000);
  for (let line = 0; line < 400; line += 1)
    log.add(`${JSON.stringify({ level: 30, time: '2026-01-31T09:15:00.000Z', msg: `line ${line}`, line })}\n`);
  log.add('Paid with 4242 4242 4242 4242\n  at somewhere');
  log.add(JSON.stringify({ level: 50, msg: 'x'.repeat(20_000) }));
  const files = await readdir(join(folder, 'bounded'));
  expect(files.sort()).toEqual(['paydesk.log', 'paydesk.log.1', 'paydesk.log.2', 'paydesk.log.3', 'paydesk.log.4']);
  for (const file of files) {
    const { size, mode } = await stat(join(folder, 'bounded', file));
    expect(size).toBeLessThanOrEqual(4_000);
    expect(mode & 0o777).toBe(0o600);
  }
  const lines = log.lines(60);
  expect(lines).toHaveLength(60);
  expect(lines[0]).toEqual({ at: '2026-01-31T09:15:00.000Z', level: 'info', text: 'line 342', detail: '{"line":342}' });
  expect(lines.at(-2)).toMatchObject({ level: 'warn', text: 'Paid with [card number]\n  at somewhere' });
  expect(lines.at(-1)?.level).toBe('error');
  expect(lines.at(-1)?.text.length).toBeLessThan(4_000);
});

test('returns the newest log lines to the page, within the allowed limit', async () => {
  await shell.evaluate(() => console.warn('something odd'), undefined);
  // The service may log something else meanwhile.
  const warnings = (await shell.inPage<LogLine[]>('paydesk.readLog(50)')).filter(({ level }) => level === 'warn');
  expect(warnings.at(-1)).toEqual({ at: expect.stringMatching(/^\d{4}-/), level: 'warn', text: 'something odd', detail: '' });
  expect(await shell.inPage('paydesk.readLog(1)')).toHaveLength(1);
  for (const limit of ['0', '2001', '1.5', `'1'`, ''])
    expect(await shell.inPage(`paydesk.readLog(${limit}).catch(({ message }) => message)`)).toContain('Refused: ');
});

test('creates a diagnostics file without secrets and saves exactly what was shown', async () => {
  expect(await shell.inPage('paydesk.saveDiagnostics()')).toEqual({ saved: false, problem: 'There is nothing to save yet.' });
  await shell.evaluate((_electron, lines) => {
    for (const line of lines) console.error(line);
  }, Object.values(SECRETS));
  const { name, text } = await shell.inPage<Diagnostics>('paydesk.makeDiagnostics()');
  expect(name).toMatch(/^paydesk-diagnostics-\d{8}-\d{4}\.json$/);
  for (const secret of planted) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  const master = await readFile(join(shell.dataDir, 'master.key'), 'utf8').catch(() => '');
  if (master !== '') expect(text).not.toContain(master.trim());
  expect(JSON.parse(text)).toMatchObject({
    versions: { paydesk: '0.1.0', node: process.versions.node },
    settings: { closeToTray: null, port: null, database: 'SQLite' },
    service: { kind: 'running' },
    health: { status: 'ok' },
    update: { status: 'off' },
    log: expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining('[card number]') })]),
  });

  const file = join(folder, name);
  expect(await shell.inPage('paydesk.saveDiagnostics()')).toEqual({ saved: false });
  const saveTo = (path: string) =>
    shell.evaluate(({ record }, chosen) => {
      record.savePath = chosen;
    }, path);
  await saveTo(file);
  expect(await shell.inPage('paydesk.saveDiagnostics()')).toEqual({ saved: true });
  expect(await readFile(file, 'utf8')).toBe(text);
  await saveTo(join(folder, 'missing/file.json'));
  expect(await shell.inPage('paydesk.saveDiagnostics()')).toMatchObject({
    saved: false,
    problem: expect.stringContaining('could not be written'),
  });
});
