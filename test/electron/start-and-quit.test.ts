import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type DoubleShell, launchDouble, spawnDouble, until } from './shell.ts';

let running: DoubleShell[] = [];

afterEach(async () => {
  for (const shell of running.reverse()) await shell.stop();
  running = [];
});

async function launched(...how: Parameters<typeof launchDouble>): Promise<DoubleShell> {
  return kept(await launchDouble(...how));
}

function kept(shell: DoubleShell): DoubleShell {
  running.push(shell);
  return shell;
}

test('it locks, gets ready, starts the server, and only then opens a window on what answers', async () => {
  const shell = await launched();
  const steps = await shell.evaluate(({ record }) => record.steps, undefined);
  const baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
  expect(steps).toEqual(['lock', 'sandbox', 'ready', 'window', `load ${baseUrl}/ 200`, 'show']);
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
});

test('a taken port makes way for the next', async () => {
  const occupant = createServer();
  const occupied = once(occupant, 'listening').catch(() => 'another program has it already');
  occupant.listen(4801, '127.0.0.1');
  await occupied;
  try {
    const shell = await launched();
    expect(Number(new URL(await shell.inPage<string>('location.href')).port)).toBeGreaterThan(4801);
  } finally {
    occupant.close();
  }
});

test('a second start ends at once, focuses the first window and hands over its link', async () => {
  const first = await launched();
  await first.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize(), undefined);
  const second = kept(await spawnDouble(['paydesk://sale?amount=12.50&order=A-17'], first.dataDir));
  expect(await second.exited).toBe(0);
  const focused = () => first.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFocused() === true, undefined);
  await until(focused);
  const seen = await first.evaluate(({ BrowserWindow, record }) => {
    const windows = BrowserWindow.getAllWindows();
    return { sent: record.sent, windows: windows.length, isMinimized: windows[0]?.isMinimized() };
  }, undefined);
  expect(seen).toEqual({
    windows: 1,
    isMinimized: false,
    sent: [{ channel: 'paydesk:command', args: [{ open: '/sell?amount=12.50&order=A-17' }] }],
  });
});

test('a link that starts the application opens its screen', async () => {
  const shell = await launched(['paydesk://transactions?q=4242']);
  const sent = () => shell.evaluate(({ record }) => record.sent.map(({ args }) => args), undefined);
  await until(async () => (await sent()).length > 0);
  expect(await sent()).toEqual([[{ open: '/transactions?q=4242' }]]);
});

test('quitting stops the server in order and exits with 0, and the data can be opened again', async () => {
  const shell = await launched();
  const baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
  expect(await shell.quit()).toBe(0);
  await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
  const files = await readdir(shell.dataDir);
  expect(files.filter((name) => name.endsWith('-wal'))).toEqual([]);
  const again = await launched([], shell.dataDir);
  expect(await again.inPage('document.readyState')).toBe('complete');
});

test('a page that crashes is loaded again, three times at most', async () => {
  const shell = await launched();
  const reloads = await shell.evaluate(({ BrowserWindow, record }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    for (const reason of ['clean-exit', 'crashed', 'oom', 'killed', 'crashed']) contents?.emit('render-process-gone', {}, { reason });
    return record.steps.filter((step) => step === 'reload').length;
  }, undefined);
  expect(reloads).toBe(3);
});

test('closing the window quits where it is to, even while a printer does not answer', async () => {
  const shell = await launched();
  await shell.inPage('paydesk.changeSettings({ closeToTray: false })');
  await shell.evaluate(({ record }) => {
    record.printing = 'silence';
  }, undefined);
  await shell.inPage(`void paydesk.printReceipt({ html: '<p>1', width: 'letter', copies: 1, silent: true }), 1`);
  await until(() => shell.evaluate(({ record }) => record.printed.length === 1, undefined));
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  expect(await shell.exited).toBe(0);
});

test('a page with something unfinished asks before it is lost', async () => {
  const shell = await launched();
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
