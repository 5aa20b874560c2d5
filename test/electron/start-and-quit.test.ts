import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { FULL } from '../support/tier.ts';
import { type DoubleShell, launchDouble, spawnDouble, until, WITHOUT_SCREENS } from './shell.ts';

let running: DoubleShell[] = [];

afterEach(async () => {
  for (const shell of running.reverse()) await shell.stop();
  running = [];
});

let first: DoubleShell | undefined;

afterAll(() => first?.stop());

/** One application for several tests; the last of them quits it. */
async function launchFirst(): Promise<DoubleShell> {
  first ??= await launchDouble([WITHOUT_SCREENS]);
  return first;
}

async function launch(flags: string[] = [], dataDir?: string): Promise<DoubleShell> {
  return stopAfterTest(await launchDouble([...flags, WITHOUT_SCREENS], dataDir));
}

function stopAfterTest(shell: DoubleShell): DoubleShell {
  running.push(shell);
  return shell;
}

test('takes the lock, becomes ready, starts the server and then opens a window on it', async () => {
  const shell = await launchFirst();
  const steps = await shell.evaluate(({ record }) => record.steps, undefined);
  const baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
  expect(steps).toEqual(['lock', 'sandbox', 'ready', 'window', `load ${baseUrl}/ 200`, 'show']);
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
});

test('uses the next port if the default one is in use', FULL, async () => {
  const occupant = createServer();
  const occupied = once(occupant, 'listening').catch(() => 'another program uses it already');
  occupant.listen(4801, '127.0.0.1');
  await occupied;
  try {
    const shell = await launch();
    expect(Number(new URL(await shell.inPage<string>('location.href')).port)).toBeGreaterThan(4801);
  } finally {
    occupant.close();
  }
});

test('ends a second start immediately, focuses the first window and opens the link there', async () => {
  const shell = await launchFirst();
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize(), undefined);
  const second = stopAfterTest(await spawnDouble(['paydesk://sale?amount=12.50&order=A-17'], shell.dataDir));
  expect(await second.exited).toBe(0);
  const focused = () => shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFocused() === true, undefined);
  await until(focused);
  await until(() => shell.evaluate(({ record }) => record.sent.length > 0, undefined));
  const seen = await shell.evaluate(({ BrowserWindow, record }) => {
    const windows = BrowserWindow.getAllWindows();
    return { sent: record.sent, windows: windows.length, isMinimized: windows[0]?.isMinimized() };
  }, undefined);
  expect(seen).toEqual({
    windows: 1,
    isMinimized: false,
    sent: [{ channel: 'paydesk:command', args: [{ open: '/sell?amount=12.50&order=A-17' }] }],
  });
});

test('opens the screen of a link that starts the application', FULL, async () => {
  const shell = await launch(['paydesk://transactions?q=4242']);
  const sent = () => shell.evaluate(({ record }) => record.sent.map(({ args }) => args), undefined);
  await until(async () => (await sent()).length > 0);
  expect(await sent()).toEqual([[{ open: '/transactions?q=4242' }]]);
});

test('stops the server cleanly when quitting, exits with 0 and can open the data again', async () => {
  const shell = await launchFirst();
  const baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
  expect(await shell.quit()).toBe(0);
  await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
  const files = await readdir(shell.dataDir);
  expect(files.filter((name) => name.endsWith('-wal'))).toEqual([]);
  const again = await launch([], shell.dataDir);
  expect(await again.inPage('document.readyState')).toBe('complete');
});

test('reloads a crashed page three times at most', FULL, async () => {
  const shell = await launch();
  const reloads = await shell.evaluate(({ BrowserWindow, record }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    for (const reason of ['clean-exit', 'crashed', 'oom', 'killed', 'crashed']) contents?.emit('render-process-gone', {}, { reason });
    return record.steps.filter((step) => step === 'reload').length;
  }, undefined);
  expect(reloads).toBe(3);
});

test('quits when the window closes, if so set, even while a printer does not answer', FULL, async () => {
  const shell = await launch();
  await shell.inPage('paydesk.changeSettings({ closeToTray: false })');
  await shell.evaluate(({ record }) => {
    record.printResult = 'no response';
  }, undefined);
  await shell.inPage(`void paydesk.printReceipt({ html: '<p>1', width: 'letter', copies: 1, silent: true }), 1`);
  await until(() => shell.evaluate(({ record }) => record.printed.length === 1, undefined));
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  expect(await shell.exited).toBe(0);
});

test('asks before a page with unfinished work is closed', FULL, async () => {
  const shell = await launch();
  await shell.inPage('paydesk.changeSettings({ closeToTray: false })');
  await shell.inPage(`addEventListener('beforeunload', (event) => event.preventDefault()), 1`);
  const close = (answer: number) =>
    shell.evaluate(({ BrowserWindow, record }, chosen) => {
      record.answer = chosen;
      BrowserWindow.getAllWindows()[0]?.close();
    }, answer);
  const LEAVE = 0;
  const STAY = 1;
  await close(STAY);
  await until(() => shell.evaluate(({ record }) => record.messages.length === 1, undefined));
  expect(await shell.inPage('1 + 1')).toBe(2);
  await close(LEAVE);
  expect(await shell.exited).toBe(0);
});
