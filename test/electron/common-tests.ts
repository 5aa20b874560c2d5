import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXPECTED_PREFERENCES } from './expected-preferences.ts';
import { startForeignServer } from './foreign-server.ts';
import { type Shell, until } from './shell.ts';

const BRIDGE_MEMBERS = [
  'version',
  'printReceipt',
  'listPrinters',
  'notify',
  'onCommand',
  'setLanguage',
  'readSettings',
  'changeSettings',
  'readLog',
  'openLogFolder',
  'openProvider',
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
  'queuePrintJob',
  'readPrintQueue',
  'actOnPrintJob',
  'onPrintQueue',
];

/** Defines the tests that run on Electron and on its double: one application, used from its page and its menu, and quit at the end. */
export function defineCommonTests(launch: () => Promise<Shell>): void {
  let shell: Shell;
  let baseUrl: string;

  beforeAll(async () => {
    shell = await launch();
    baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
    await showPage(shell, PAGE_WITHOUT_SCRIPT);
  });
  afterAll(async () => {
    expect(await shell.quit()).toBe(0);
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
    await rm(shell.dataDir, { recursive: true, force: true });
  });

  test('gives the page the bridge and nothing of Node or Electron', async () => {
    expect(await shell.inPage('Object.keys(paydesk)')).toEqual(BRIDGE_MEMBERS);
    expect(await shell.inPage('paydesk.version')).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await shell.inPage('[typeof require, typeof process, typeof module, typeof ipcRenderer]')).toEqual(Array(4).fill('undefined'));
    await shell.inPage('try { paydesk.printReceipt = () => 1; window.paydesk = 1; } catch {}');
    expect(await shell.inPage('Object.keys(paydesk)')).toEqual(BRIDGE_MEMBERS);
  });

  test('opens the window with the frozen preferences and its preload script', async () => {
    const preferences = await shell.evaluate(({ BrowserWindow }) => {
      // Undocumented, but the only way to read the preferences of a window.
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as { getLastWebPreferences?(): object } | undefined;
      return contents?.getLastWebPreferences?.();
    }, undefined);
    expect(preferences).toMatchObject(EXPECTED_PREFERENCES);
  });

  test('prevents navigation to a foreign page', async () => {
    await using foreignServer = await startForeignServer();
    const here = await shell.inPage<string>('location.href');
    await shell.inPage(`void (location.href = 'http://${foreignServer.host}/'), 1`);
    await shell.inPage(`new Promise((resolve) => setTimeout(resolve, 300))`);
    expect(await shell.inPage('location.href')).toBe(here);
    expect(foreignServer.requestedPaths).toEqual([]);
  });

  test('prevents a second window', async () => {
    await using foreignServer = await startForeignServer();
    await shell.inPage(`void window.open('http://${foreignServer.host}/'), 1`);
    await shell.inPage(`new Promise((resolve) => setTimeout(resolve, 300))`);
    expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined)).toBe(1);
    expect(foreignServer.requestedPaths).toEqual([]);
  });

  test('denies the geolocation permission to pages', async () => {
    const PERMISSION_DENIED = 1;
    const ask = 'new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve(0), ({ code }) => resolve(code)))';
    expect(await shell.inPage(ask)).toBe(PERMISSION_DENIED);
  });

  test('refuses a malformed print job', async () => {
    const job = `{ html: '<p>1</p>', width: '70mm', copies: 1, silent: true }`;
    await expect(shell.inPage(`paydesk.printReceipt(${job}).catch((problem) => problem.message)`)).resolves.toContain('Refused: width');
  });

  test('lists printers by name', async () => {
    const printers = await shell.inPage<object[]>('paydesk.listPrinters()');
    for (const printer of printers) expect(Object.keys(printer)).toEqual(['name', 'displayName', 'description']);
  });

  test('sends menu commands to the page until the page unsubscribes', async () => {
    await shell.inPage('window.received = [], window.stop = paydesk.onCommand((command) => received.push(command)), 1');
    await chooseInMenu(shell, 'New sale');
    await until(async () => (await shell.inPage<unknown[]>('received')).length === 1);
    await shell.inPage('stop(), 1');
    await chooseInMenu(shell, 'Lock');
    await shell.inPage('paydesk.onCommand((command) => received.push(command)), 1');
    await until(async () => (await shell.inPage<unknown[]>('received')).length === 2);
    expect(await shell.inPage('received')).toEqual(['new-sale', 'lock']);
  });

  test('brings the window to the front at a second start and opens its link', async () => {
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

/** A page of the server without a script that would use the bridge. */
export const PAGE_WITHOUT_SCRIPT = '/health';

/** Shows a page of the server in the main window. */
export async function showPage(shell: Shell, path: string): Promise<void> {
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
