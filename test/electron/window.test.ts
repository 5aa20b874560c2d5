import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginPayment } from './payment.ts';
import { type DoubleShell, launchDouble, until } from './shell.ts';

let dataDir: string;
let shell: DoubleShell;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'paydesk-window-'));
});
afterEach(async () => {
  await shell.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const steps = () => shell.evaluate(({ record }) => record.steps, undefined);
const LEAVE = 0;
const STAY = 1;

test('a window that filled the screen fills it again, and is not seen before its page is painted', async () => {
  const bounds = { x: 10, y: 10, width: 1000, height: 700 };
  await writeFile(join(dataDir, 'window.json'), JSON.stringify({ bounds, isMaximized: true }));
  shell = await launchDouble([], dataDir);
  await until(async () => (await steps()).includes('show'));
  const origin = await shell.inPage<string>('location.origin');
  expect((await steps()).slice(3)).toEqual(['window', `load ${origin}/ 200`, 'maximize', 'show']);
});

test('a page that is loaded again while the service starts anew comes back with it', async () => {
  shell = await launchDouble([], dataDir);
  const origin = await shell.inPage<string>('location.origin');
  // The service takes as long as this to stop.
  const payment = await beginPayment(new URL(origin).host);
  await shell.evaluate(() => {
    setImmediate(() => {
      throw new Error('It broke.');
    });
  }, undefined);
  const isRefused = () =>
    fetch(`${origin}/health`).then(
      () => false,
      () => true,
    );
  await until(isRefused);
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload(), undefined);
  await until(async () => (await steps()).includes('fail'));
  await payment.answer();
  await until(
    () => shell.inPage<boolean>(`location.origin === '${origin}' && document.readyState === 'complete'`).catch(() => false),
    20_000,
  );
});

test('a page that a stopping service refuses is loaded again', async () => {
  shell = await launchDouble([], dataDir);
  const refused = await shell.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const page = await contents?.page();
    await page?.route('**/', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 });
    const answered = page?.waitForResponse((response) => response.status() === 503);
    contents?.reload();
    return (await answered)?.url();
  }, undefined);
  const origin = new URL(refused ?? '').origin;
  await until(async () => (await steps()).filter((step) => step === `load ${origin}/ 200`).length === 2);
  expect(await shell.inPage('document.title')).toBe('Paydesk');
});

test('the question about something unfinished leaves the API at work, and what was wanted is done once it is answered', async () => {
  shell = await launchDouble([], dataDir);
  const origin = await shell.inPage<string>('location.origin');
  await shell.inPage('paydesk.changeSettings({ closeToTray: false })');
  await shell.inPage(`(addEventListener('beforeunload', (event) => event.preventDefault()), window.halfTyped = true)`);
  const asked = (count: number) => until(() => shell.evaluate(({ record }, wanted) => record.questions.length === wanted, count));
  const answer = (button: number) => shell.evaluate(({ record }, chosen) => record.questions.at(-1)?.answer(chosen), button);
  const reload = () =>
    shell.evaluate(({ BrowserWindow, record }) => {
      record.answer = null;
      BrowserWindow.getAllWindows()[0]?.webContents.reload();
    }, undefined);

  await reload();
  await asked(1);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  await answer(STAY);
  await reload();
  await asked(2);
  expect(await shell.inPage('window.halfTyped')).toBe(true);
  await answer(LEAVE);
  await until(() => shell.inPage<boolean>('window.halfTyped === undefined').catch(() => false));

  await shell.inPage(`addEventListener('beforeunload', (event) => event.preventDefault()), 1`);
  await shell.evaluate(({ app }) => void setImmediate(() => app.quit()), undefined);
  await asked(3);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  await answer(STAY);
  expect(await shell.inPage('1 + 1')).toBe(2);
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  await asked(4);
  await answer(LEAVE);
  expect(await shell.exited).toBe(0);
});
