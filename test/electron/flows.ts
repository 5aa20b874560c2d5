import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openElsewhere } from './elsewhere.ts';
import { PREFERENCES } from './expected.ts';
import { type Shell, until } from './shell.ts';

const MEMBERS = [
  'version',
  'printReceipt',
  'listPrinters',
  'notify',
  'onCommand',
  'readSettings',
  'changeSettings',
  'readLog',
  'openLogFolder',
  'makeDiagnostics',
  'saveDiagnostics',
  'readUpdate',
  'checkForUpdate',
  'restartToUpdate',
  'onUpdate',
  'holdRestart',
  'readPrinter',
  'savePrinter',
  'testPrinter',
  'sendPaper',
  'readPaperQueue',
  'actOnPaper',
  'onPaperQueue',
];

/** What holds of the shell on Electron itself as on the double: one application, used from its page and its menu, and quit at the end. */
export function mainFlows(launch: () => Promise<Shell>): void {
  let shell: Shell;
  let baseUrl: string;

  beforeAll(async () => {
    shell = await launch();
    baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
    await show(shell, PLAIN_PAGE);
  });
  afterAll(async () => {
    expect(await shell.quit()).toBe(0);
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
    await rm(shell.dataDir, { recursive: true, force: true });
  });

  test('the page finds the bridge and nothing of Node or Electron', async () => {
    expect(await shell.inPage('Object.keys(paydesk)')).toEqual(MEMBERS);
    expect(await shell.inPage('paydesk.version')).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await shell.inPage('[typeof require, typeof process, typeof module, typeof ipcRenderer]')).toEqual(Array(4).fill('undefined'));
    await shell.inPage('try { paydesk.printReceipt = () => 1; window.paydesk = 1; } catch {}');
    expect(await shell.inPage('Object.keys(paydesk)')).toEqual(MEMBERS);
  });

  test('the window has the frozen preferences and adds its preload script only', async () => {
    const preferences = await shell.evaluate(({ BrowserWindow }) => {
      // Undocumented, and the only way to see what a window was made with.
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as { getLastWebPreferences?(): object } | undefined;
      return contents?.getLastWebPreferences?.();
    }, undefined);
    expect(preferences).toMatchObject(PREFERENCES);
  });

  test('a page elsewhere never replaces ours', async () => {
    await using elsewhere = await openElsewhere();
    const here = await shell.inPage<string>('location.href');
    await shell.inPage(`void (location.href = 'http://${elsewhere.host}/'), 1`);
    await shell.inPage(`new Promise((resolve) => setTimeout(resolve, 300))`);
    expect(await shell.inPage('location.href')).toBe(here);
    expect(elsewhere.asked).toEqual([]);
  });

  test('a page opens no second window', async () => {
    await using elsewhere = await openElsewhere();
    await shell.inPage(`void window.open('http://${elsewhere.host}/'), 1`);
    await shell.inPage(`new Promise((resolve) => setTimeout(resolve, 300))`);
    expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined)).toBe(1);
    expect(elsewhere.asked).toEqual([]);
  });

  test('a page does not learn where it is', async () => {
    const PERMISSION_DENIED = 1;
    const ask = 'new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve(0), ({ code }) => resolve(code)))';
    expect(await shell.inPage(ask)).toBe(PERMISSION_DENIED);
  });

  test('a malformed print job is refused', async () => {
    const job = `{ html: '<p>1</p>', width: '70mm', copies: 1, silent: true }`;
    await expect(shell.inPage(`paydesk.printReceipt(${job}).catch((problem) => problem.message)`)).resolves.toContain('Refused: width');
  });

  test('printers are listed by name', async () => {
    const printers = await shell.inPage<object[]>('paydesk.listPrinters()');
    for (const printer of printers) expect(Object.keys(printer)).toEqual(['name', 'displayName', 'description']);
  });

  test('a command of the menu reaches the page until it stops listening', async () => {
    await shell.inPage('window.heard = [], window.stop = paydesk.onCommand((command) => heard.push(command)), 1');
    await chooseInMenu(shell, 'New sale');
    await until(async () => (await shell.inPage<unknown[]>('heard')).length === 1);
    await shell.inPage('stop(), 1');
    await chooseInMenu(shell, 'Lock');
    await shell.inPage('paydesk.onCommand((command) => heard.push(command)), 1');
    await until(async () => (await shell.inPage<unknown[]>('heard')).length === 2);
    expect(await shell.inPage('heard')).toEqual(['new-sale', 'lock']);
  });

  test('a second start brings the window to the front and hands over its link', async () => {
    await shell.inPage('window.links = [], paydesk.onCommand((command) => links.push(command)), 1');
    await shell.evaluate(({ app, BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.minimize();
      app.emit('second-instance', {}, ['paydesk', 'paydesk://sale?amount=19.99'], '', undefined);
    }, undefined);
    await until(async () => (await shell.inPage<unknown[]>('links')).length === 1);
    expect(await shell.inPage('links')).toEqual([{ open: '/sell?amount=19.99' }]);
    expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible(), undefined)).toBe(true);
  });
}

/** A page of the server that has no program of its own to listen to the bridge. */
export const PLAIN_PAGE = '/health';

/** Shows a page of the server in the main window. */
export async function show(shell: Shell, path: string): Promise<void> {
  await shell.evaluate(async ({ BrowserWindow }, wanted) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    await contents?.loadURL(await contents.executeJavaScript(`new URL('${wanted}', location.href).href`));
  }, path);
}

/** Chooses a command of the application's menu by its label. */
export async function chooseInMenu(shell: Shell, label: string): Promise<void> {
  await shell.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find((item) => item.label === wanted)?.click();
  }, label);
}
