import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/build-when-stale.ts';
import { sized } from '../support/tier.ts';
import { type Elsewhere, openElsewhere } from './elsewhere.ts';
import { PREFERENCES } from './expected.ts';
import { PLAIN_PAGE, show } from './flows.ts';
import { asShell, type DoubleShell, launchDouble, PRELOAD } from './shell.ts';

const FOREIGN_CALLS = sized(200, 1_000);

let shell: DoubleShell;
let elsewhere: Elsewhere;
let baseUrl: string;

beforeAll(async () => {
  shell = await launchDouble();
  elsewhere = await openElsewhere();
  baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
  await show(asShell(shell), PLAIN_PAGE);
});
afterAll(async () => {
  await shell.stop();
  await elsewhere[Symbol.asyncDispose]();
});

const settle = () => shell.inPage('new Promise((resolve) => setTimeout(resolve, 100))');

const HOSTILE = [
  'http://<elsewhere>/',
  'http://<elsewhere>/?next=<ours>',
  'http://<elsewhere>/#<ours>',
  'http://<ours-host>@<elsewhere>/',
  'http://<ours-host>%2f@<elsewhere>/',
  '//<elsewhere>/',
  '/\\<elsewhere>/',
  '\\\\<elsewhere>/',
  'http:\\\\<elsewhere>/',
  'ht\ttp://<else\nwhere>/',
  'HTTP://<elsewhere>/',
  'http://localhost:<port>/',
  'http://127.0.0.2:<port>/',
  'http://[::1]:<port>/',
  'http://someone@<ours-host>/',
  'http://:secret@<ours-host>/',
  'https://<ours-host>/',
  'ftp://<ours-host>/',
  'file:///etc/passwd',
  'javascript:void (document.title = "taken over")',
  ' java\tscript:void (document.title = "taken over")',
  'data:text/html,<title>taken over</title>',
  'view-source:<ours>/',
  'chrome://version',
  'devtools://devtools/bundled/inspector.html',
  'paydesk://sale?amount=1',
  'mailto:someone@example.com',
];

test.each(HOSTILE)('%j never replaces the page', async (template) => {
  const { host, port } = new URL(baseUrl);
  const url = template
    .replace('<else\nwhere>', `${elsewhere.host.slice(0, 4)}\n${elsewhere.host.slice(4)}`)
    .replace('<elsewhere>', elsewhere.host)
    .replace('<ours-host>', host)
    .replace('<ours>', baseUrl)
    .replace('<port>', port);
  const before = await shell.inPage('[location.href, document.title]');
  await shell.inPage(`(() => { try { location.href = ${JSON.stringify(url)}; } catch {} })()`);
  await settle();
  expect(await shell.inPage('[location.href, document.title]')).toEqual(before);
  expect(elsewhere.asked).toEqual([]);
});

test.each(['will-redirect', 'will-frame-navigate', 'will-attach-webview'])('%s to a foreign address is prevented', async (moment) => {
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
    [moment, `http://${elsewhere.host}/`] as const,
  );
  expect(isPrevented).toBe(true);
});

test('no page opens a window, by script or by link', async () => {
  await shell.inPage(`['http://${elsewhere.host}/', '${baseUrl}/', 'about:blank', 'javascript:1'].forEach((url) => window.open(url))`);
  await shell.inPage(
    `document.body.insertAdjacentHTML('beforeend', '<a id="out" target="_blank" href="http://${elsewhere.host}/">out</a>')`,
  );
  await shell.inPage(`document.getElementById('out').click()`);
  await settle();
  const { asked, windows } = await shell.evaluate(
    ({ BrowserWindow, record }) => ({ asked: record.windowsAsked, windows: BrowserWindow.getAllWindows().length }),
    undefined,
  );
  expect(windows).toBe(1);
  expect(asked.length).toBeGreaterThanOrEqual(4);
  expect(new Set(asked)).toEqual(new Set(['deny']));
  expect(elsewhere.asked).toEqual([]);
});

test('nothing is loaded from elsewhere', async () => {
  const tries = `
    const url = 'http://${elsewhere.host}/';
    for (const [name, attribute] of [['img', 'src'], ['script', 'src'], ['iframe', 'src'], ['link', 'href'], ['object', 'data'], ['video', 'src']]) {
      const element = document.createElement(name);
      if (name === 'link') element.rel = 'stylesheet';
      element.setAttribute(attribute, url);
      document.body.append(element);
    }
    fetch(url).catch(() => {});
    fetch(url, { method: 'POST', mode: 'no-cors', body: 'x' }).catch(() => {});
    navigator.sendBeacon(url, 'x');
    new WebSocket('ws://${elsewhere.host}/').onerror = () => {};`;
  await shell.inPage(`(() => { ${tries} })()`);
  await settle();
  expect(elsewhere.asked).toEqual([]);
});

test('every page has our content policy beneath its own', async () => {
  await show(asShell(shell), '/');
  for (const path of ['/', '/docs', '/health', '/openapi.json', '/api/v1/transactions', '/nowhere']) {
    const policy = await shell.inPage<string>(`fetch('${path}').then((answer) => answer.headers.get('content-security-policy') ?? '')`);
    expect(policy).toContain("default-src 'self'; script-src 'self'; ");
    expect(policy).toContain("; object-src 'none'; base-uri 'none'; ");
    expect(policy).not.toContain('unsafe-eval');
  }
  await show(asShell(shell), PLAIN_PAGE);
});

test('a script written into the page does not run', async () => {
  await shell.inPage(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true">');
  })()`);
  await settle();
  expect(await shell.inPage('window.ran === undefined')).toBe(true);
});

test('every permission that Electron knows is refused, but for copying by our own page', async () => {
  const typings = readFileSync(join(ROOT, 'node_modules/electron/electron.d.ts'), 'utf8');
  const [, union = ''] = /setPermissionRequestHandler\(handler: \(\(webContents: WebContents, permission: ([^,]+),/.exec(typings) ?? [];
  const permissions = [...union.matchAll(/'([^']+)'/g)].map(([, name]) => name as string);
  expect(permissions.length).toBeGreaterThan(40);
  const granted = await shell.evaluate(
    ({ session }, { names, pages }) =>
      names.flatMap((name) =>
        pages
          .filter(([url, isMain]) => Object.values(session.defaultSession.ask(name, url, isMain)).includes(true))
          .map(([url, isMain]) => `${name} ${url} ${isMain}`),
      ),
    {
      names: [...permissions, 'new-in-some-later-electron'],
      pages: [
        [`${baseUrl}/`, true],
        [`${baseUrl}/`, false],
        [`http://${elsewhere.host}/`, true],
        ['', true],
      ] as [string, boolean][],
    },
  );
  expect(granted).toEqual([`clipboard-sanitized-write ${baseUrl}/ true`]);
});

test('only what our server or our page made is saved to a file', async () => {
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
      `http://${elsewhere.host}/x.exe`,
      `blob:http://${elsewhere.host}/1`,
      'data:,x',
      '',
    ],
  );
  expect(outcomes).toEqual([false, false, true, true, true, true]);
});

test('every window has the frozen preferences; the page gets a preload script, the receipt no script at all', async () => {
  await shell.evaluate(({ record }) => {
    record.printing = 'silence';
  }, undefined);
  await shell.inPage(`void paydesk.printReceipt({ html: '<p>1</p>', width: 'letter', copies: 1, silent: true }), 1`);
  const preferences = await shell.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getLastWebPreferences()),
    undefined,
  );
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(preferences).toEqual([
    { ...PREFERENCES, preload: PRELOAD, additionalArguments: [`--paydesk-version=${version}`] },
    { ...PREFERENCES, javascript: false },
  ]);
});

test(`${FOREIGN_CALLS} calls from a page elsewhere and from a frame in ours are all refused`, async () => {
  const outcomes = await shell.evaluate(
    async ({ BrowserWindow }, { url, calls }) => {
      const [main] = BrowserWindow.getAllWindows();
      const webPreferences = { ...main?.webContents.getLastWebPreferences(), partition: 'elsewhere' };
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
    { url: `http://${elsewhere.host}/foreign`, calls: FOREIGN_CALLS },
  );
  expect(outcomes).toEqual({ count: FOREIGN_CALLS, others: [] });
  const frame = `document.body.appendChild(Object.assign(document.createElement('iframe'), { srcdoc: '<p>1</p>' })).contentWindow.paydesk`;
  expect(await shell.inPage(`typeof ${frame}`)).toBe('undefined');
  elsewhere.asked.length = 0;
});

test('a frame within our page, a sandboxed page of ours and a frame that is gone are refused', async () => {
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

test('malformed print jobs from our own page are refused, each with the rule it breaks', async () => {
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
