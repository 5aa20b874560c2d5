import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/bundle.ts';
import { sized } from '../support/tier.ts';
import { PAGE_WITHOUT_SCRIPT, showPage } from './common-tests.ts';
import { EXPECTED_PREFERENCES } from './expected-preferences.ts';
import { type ForeignServer, startForeignServer } from './foreign-server.ts';
import { asShell, type DoubleShell, launchDouble, PRELOAD, until } from './shell.ts';

const FOREIGN_CALLS = sized(200, 1_000);

let shell: DoubleShell;
let foreignServer: ForeignServer;
let baseUrl: string;

beforeAll(async () => {
  shell = await launchDouble();
  foreignServer = await startForeignServer();
  baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
});
afterAll(async () => {
  await shell.stop();
  await foreignServer[Symbol.asyncDispose]();
});

const waitForEffects = () => shell.inPage('new Promise((resolve) => setTimeout(resolve, 100))');

const HOSTILE_URLS = [
  'http://<foreign>/',
  'http://<foreign>/?next=<ours>',
  'http://<foreign>/#<ours>',
  'http://<ours-host>@<foreign>/',
  'http://<ours-host>%2f@<foreign>/',
  '//<foreign>/',
  '/\\<foreign>/',
  '\\\\<foreign>/',
  'http:\\\\<foreign>/',
  'ht\ttp://<for\neign>/',
  'HTTP://<foreign>/',
  'http://localhost:<port>/',
  'http://127.0.0.2:<port>/',
  'http://[::1]:<port>/',
  'http://someone@<ours-host>/',
  'http://:secret@<ours-host>/',
  'https://<ours-host>/',
  'ftp://<ours-host>/',
  'file:///etc/passwd',
  'javascript:void (document.title = "replaced")',
  ' java\tscript:void (document.title = "replaced")',
  'data:text/html,<title>replaced</title>',
  'view-source:<ours>/',
  'chrome://version',
  'devtools://devtools/bundled/inspector.html',
  'paydesk://sale?amount=1',
  'mailto:someone@example.com',
];

test.each(HOSTILE_URLS)('prevents navigation to %j', async (template) => {
  const { host, port } = new URL(baseUrl);
  const url = template
    .replace('<for\neign>', `${foreignServer.host.slice(0, 4)}\n${foreignServer.host.slice(4)}`)
    .replace('<foreign>', foreignServer.host)
    .replace('<ours-host>', host)
    .replace('<ours>', baseUrl)
    .replace('<port>', port);
  const before = await shell.inPage('[location.href, document.title]');
  await shell.inPage(`(() => { try { location.href = ${JSON.stringify(url)}; } catch {} })()`);
  await waitForEffects();
  expect(await shell.inPage('[location.href, document.title]')).toEqual(before);
  expect(foreignServer.requestedPaths).toEqual([]);
});

test.each(['will-redirect', 'will-frame-navigate', 'will-attach-webview'])('prevents %s to a foreign address', async (moment) => {
  const isPrevented = await shell.evaluate(
    ({ BrowserWindow }, [name, url]) => {
      const event = {
        url,
        isMainFrame: true,
        defaultPrevented: false,
        preventDefault: () => Object.assign(event, { defaultPrevented: true }),
      };
      BrowserWindow.getAllWindows()[0]?.webContents.emit(name, event);
      return event.defaultPrevented;
    },
    [moment, `http://${foreignServer.host}/`] as const,
  );
  expect(isPrevented).toBe(true);
});

test('prevents new windows by script and by link', async () => {
  await shell.inPage(`['http://${foreignServer.host}/', '${baseUrl}/', 'about:blank', 'javascript:1'].forEach((url) => window.open(url))`);
  await shell.inPage(
    `document.body.insertAdjacentHTML('beforeend', '<a id="out" target="_blank" href="http://${foreignServer.host}/">out</a>')`,
  );
  await shell.inPage(`document.getElementById('out').click()`);
  const decisions = () => shell.evaluate(({ record }) => record.windowDecisions, undefined);
  // Three of the scripts and the link ask for a window.
  await until(async () => (await decisions()).length >= 4);
  await waitForEffects();
  expect(new Set(await decisions())).toEqual(new Set(['deny']));
  expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined)).toBe(1);
  expect(foreignServer.requestedPaths).toEqual([]);
});

test('loads nothing from a foreign server', async () => {
  const tries = `
    const url = 'http://${foreignServer.host}/';
    for (const [name, attribute] of [['img', 'src'], ['script', 'src'], ['iframe', 'src'], ['link', 'href'], ['object', 'data'], ['video', 'src']]) {
      const element = document.createElement(name);
      if (name === 'link') element.rel = 'stylesheet';
      element.setAttribute(attribute, url);
      document.body.append(element);
    }
    fetch(url).catch(() => {});
    fetch(url, { method: 'POST', mode: 'no-cors', body: 'x' }).catch(() => {});
    navigator.sendBeacon(url, 'x');
    new WebSocket('ws://${foreignServer.host}/').onerror = () => {};`;
  await shell.inPage(`(() => { ${tries} })()`);
  await waitForEffects();
  expect(foreignServer.requestedPaths).toEqual([]);
});

test('adds our content policy to the policy of every page', async () => {
  await showPage(asShell(shell), '/');
  for (const path of ['/', '/docs', '/health', '/openapi.json', '/api/v1/transactions', '/nowhere']) {
    const policy = await shell.inPage<string>(`fetch('${path}').then((answer) => answer.headers.get('content-security-policy') ?? '')`);
    expect(policy).toContain("default-src 'self'; script-src 'self'; ");
    expect(policy).toContain("; object-src 'none'; base-uri 'none'; ");
    expect(policy).not.toContain('unsafe-eval');
  }
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
});

test('does not run a script that is injected into the page', async () => {
  await shell.inPage(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true">');
  })()`);
  await waitForEffects();
  expect(await shell.inPage('window.ran === undefined')).toBe(true);
});

test('refuses every permission of Electron, except copying by our own page', async () => {
  const typings = readFileSync(join(ROOT, 'node_modules/electron/electron.d.ts'), 'utf8');
  const [, union = ''] = /setPermissionRequestHandler\(handler: \(\(webContents: WebContents, permission: ([^,]+),/.exec(typings) ?? [];
  const permissions = [...union.matchAll(/'([^']+)'/g)].map(([, name]) => name as string);
  expect(permissions.length).toBeGreaterThan(40);
  const granted = await shell.evaluate(
    ({ session }, { names, pages }) =>
      names.flatMap((name) =>
        pages
          .filter(([url, isMain]) => Object.values(session.defaultSession.checkPermission(name, url, isMain)).includes(true))
          .map(([url, isMain]) => `${name} ${url} ${isMain}`),
      ),
    {
      names: [...permissions, 'new-in-some-later-electron'],
      pages: [
        [`${baseUrl}/`, true],
        [`${baseUrl}/`, false],
        [`http://${foreignServer.host}/`, true],
        ['', true],
      ] as [string, boolean][],
    },
  );
  expect(granted).toEqual([`clipboard-sanitized-write ${baseUrl}/ true`]);
});

test('saves only files of our server and of our pages', async () => {
  const outcomes = await shell.evaluate(
    ({ session }, urls) =>
      urls.map((url) => {
        let isStopped = false;
        const event = {
          preventDefault: () => {
            isStopped = true;
          },
        };
        session.defaultSession.emit('will-download', event, { getURL: () => url, once: () => undefined });
        return isStopped;
      }),
    [
      `${baseUrl}/api/v1/transactions/export`,
      `blob:${baseUrl}/1`,
      `http://${foreignServer.host}/x.exe`,
      `blob:http://${foreignServer.host}/1`,
      'data:,x',
      '',
    ],
  );
  expect(outcomes).toEqual([false, false, true, true, true, true]);
});

test('uses the frozen preferences in every window, with a preload script for pages and no scripts for receipts', async () => {
  await shell.evaluate(({ record }) => {
    record.printResult = 'no response';
  }, undefined);
  await shell.inPage(`void paydesk.printReceipt({ html: '<p>1</p>', width: 'letter', copies: 1, silent: true }), 1`);
  const preferences = () =>
    shell.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getLastWebPreferences()),
      undefined,
    );
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  // The window of the receipt opens after the call of the page.
  await expect.poll(preferences).toEqual([
    { ...EXPECTED_PREFERENCES, preload: PRELOAD, additionalArguments: [`--paydesk-version=${version}`] },
    { ...EXPECTED_PREFERENCES, javascript: false },
  ]);
});

test(`refuses ${FOREIGN_CALLS} calls of a foreign page, and gives a frame in our page no bridge`, async () => {
  const outcomes = await shell.evaluate(
    async ({ BrowserWindow }, { url, calls }) => {
      const [main] = BrowserWindow.getAllWindows();
      const webPreferences = { ...main?.webContents.getLastWebPreferences(), partition: 'foreign' };
      const window = new BrowserWindow({ show: false, webPreferences });
      await window.loadURL(url);
      const outcome = await window.webContents.executeJavaScript(`(async () => {
        const refusals = { count: 0, others: [] };
        const job = { html: '<p>1</p>', width: '80mm', copies: 1, silent: true };
        const arguments_ = [[job], [], [null], ['x'], [{ ...job, printer: 'Front_Desk' }], [[job]]];
        for (let call = 0; call < ${calls}; call += 1) {
          const ask = call % 2 === 0 ? paydesk.listPrinters : paydesk.printReceipt;
          await ask(...arguments_[call % arguments_.length]).then(
            (answer) => refusals.others.push(answer),
            ({ message }) => message.includes('only our own page') ? refusals.count += 1 : refusals.others.push(message));
        }
        return refusals;
      })()`);
      window.destroy();
      return outcome;
    },
    { url: `http://${foreignServer.host}/foreign`, calls: FOREIGN_CALLS },
  );
  expect(outcomes).toEqual({ count: FOREIGN_CALLS, others: [] });
  const frame = `document.body.appendChild(Object.assign(document.createElement('iframe'), { srcdoc: '<p>1</p>' })).contentWindow.paydesk`;
  expect(await shell.inPage(`typeof ${frame}`)).toBe('undefined');
  foreignServer.requestedPaths.length = 0;
});

test('refuses calls of frames within our page, of sandboxed pages and of frames that no longer exist', async () => {
  const ours = { url: `${baseUrl}/`, origin: baseUrl, parent: null };
  const senders = [{ ...ours, parent: ours }, { ...ours, origin: 'null' }, { ...ours, url: 'about:blank' }, null];
  const answers = await shell.evaluate(
    ({ ipcMain }, frames) => Promise.all(frames.map((frame) => ipcMain.call({}, frame, 'paydesk:list-printers', []))),
    senders,
  );
  for (const answer of answers) expect(answer).toEqual({ refusal: expect.stringContaining('only our own page') });
});

const MALFORMED = `[
  ...[undefined, null, 0, '', {}, [], 'x'.repeat(256 * 1024 + 1), 'é'.repeat(128 * 1024 + 1)].map((html) => ({ ...job, html })),
  ...[undefined, null, '', '57mm', 'A4', 'Letter', '58MM', ' 58mm', 58, {}, ['58mm'], 'toString', '__proto__'].map((width) => ({ ...job, width })),
  ...[null, '', 0, {}, [], ['Front_Desk'], 'a\\nb', 'a\\0b', 'x'.repeat(257)].map((printer) => ({ ...job, printer })),
  ...[undefined, null, 0, -1, 10, 1.5, NaN, Infinity, 1e9, '1', true, {}, [1]].map((copies) => ({ ...job, copies })),
  ...[undefined, null, 0, 1, 'true', {}].map((silent) => ({ ...job, silent })),
  undefined, null, '', 'job', 1, true, [], [job], { job }, { __proto__: null }, new Date(0),
]`;

test('refuses malformed print jobs of our own page and names the broken rule', async () => {
  const printedBefore = await shell.evaluate(({ record }) => record.printed.length, undefined);
  const outcome = await shell.inPage<{ tried: number; refused: number; others: unknown[] }>(`(async () => {
    const job = { html: '<p>1</p>', width: '80mm', copies: 1, silent: true };
    const outcome = { tried: 0, refused: 0, others: [] };
    for (const malformed of ${MALFORMED}) {
      outcome.tried += 1;
      await paydesk.printReceipt(malformed).then(
        (answer) => outcome.others.push(answer),
        ({ message }) => message.includes('Refused: ') ? outcome.refused += 1 : outcome.others.push(message));
    }
    return outcome;
  })()`);
  expect(outcome).toEqual({ tried: outcome.tried, refused: outcome.tried, others: [] });
  expect(outcome.tried).toBeGreaterThan(50);
  expect(await shell.evaluate(({ record }) => record.printed.length, undefined)).toBe(printedBefore);
});
