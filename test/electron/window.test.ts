import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FULL } from '../support/tier.ts';
import { beginPayment } from './pending-payment.ts';
import { type DoubleShell, launchDouble, until, WITHOUT_SCREENS } from './shell.ts';

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

test('restores a maximized window and shows it after the first paint', FULL, async () => {
  const bounds = { x: 10, y: 10, width: 1000, height: 700 };
  await writeFile(join(dataDir, 'window.json'), JSON.stringify({ bounds, isMaximized: true }));
  shell = await launchDouble([WITHOUT_SCREENS], dataDir);
  await until(async () => (await steps()).includes('show'));
  const origin = await shell.inPage<string>('location.origin');
  expect((await steps()).slice(3)).toEqual(['window', `load ${origin}/ 200`, 'maximize', 'show']);
});

test('loads a page that was reloaded during a restart of the service when the service runs again', FULL, async () => {
  shell = await launchDouble([WITHOUT_SCREENS], dataDir);
  const origin = await shell.inPage<string>('location.origin');
  // The service cannot stop before this payment is complete.
  const payment = await beginPayment(new URL(origin).host);
  await shell.evaluate(() => {
    setImmediate(() => {
      throw new Error('Test crash.');
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
  await payment.complete();
  await until(() => shell.inPage<boolean>(`location.origin === '${origin}' && document.readyState === 'complete'`).catch(() => false));
});

test('reloads a page that a stopping service refused', FULL, async () => {
  shell = await launchDouble([WITHOUT_SCREENS], dataDir);
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

test('keeps the API running during the question about unfinished work, and then repeats the requested action', FULL, async () => {
  shell = await launchDouble([WITHOUT_SCREENS], dataDir);
  const origin = await shell.inPage<string>('location.origin');
  await shell.inPage('paydesk.changeSettings({ closeToTray: false })');
  await shell.inPage(`(addEventListener('beforeunload', (event) => event.preventDefault()), window.unsaved = true)`);
  const untilQuestions = (count: number) => until(() => shell.evaluate(({ record }, wanted) => record.questions.length === wanted, count));
  const answer = (button: number) => shell.evaluate(({ record }, chosen) => record.questions.at(-1)?.answer(chosen), button);
  const reload = () =>
    shell.evaluate(({ BrowserWindow, record }) => {
      record.answer = null;
      BrowserWindow.getAllWindows()[0]?.webContents.reload();
    }, undefined);

  await reload();
  await untilQuestions(1);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  await answer(STAY);
  await reload();
  await untilQuestions(2);
  expect(await shell.inPage('window.unsaved')).toBe(true);
  await answer(LEAVE);
  await until(() => shell.inPage<boolean>('window.unsaved === undefined').catch(() => false));

  await shell.inPage(`addEventListener('beforeunload', (event) => event.preventDefault()), 1`);
  await shell.evaluate(({ app }) => void setImmediate(() => app.quit()), undefined);
  await untilQuestions(3);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  await answer(STAY);
  expect(await shell.inPage('1 + 1')).toBe(2);
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  await untilQuestions(4);
  await answer(LEAVE);
  expect(await shell.exited).toBe(0);
});
