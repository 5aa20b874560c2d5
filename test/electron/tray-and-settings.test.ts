import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fitToScreens } from '../../electron/window/window-bounds.ts';
import { FULL } from '../support/tier.ts';
import { type DoubleShell, launchDouble, spawnDouble, until, WITHOUT_SCREENS } from './shell.ts';

const KEEP_RUNNING = 0;
const CANCEL = 2;

let home: string;
let shell: DoubleShell;
let baseUrl: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'paydesk-home-'));
  process.env.XDG_CONFIG_HOME = home;
  shell = await launchDouble([WITHOUT_SCREENS], join(home, 'data'));
  baseUrl = new URL(await shell.inPage<string>('location.href')).origin;
});
afterAll(async () => {
  await shell.stop();
  delete process.env.XDG_CONFIG_HOME;
  await rm(home, { recursive: true, force: true });
});

const snapshot = () =>
  shell.evaluate(({ BrowserWindow, record }) => {
    const [window] = BrowserWindow.getAllWindows();
    return { isVisible: window?.isVisible(), questionCount: record.messages.length, tray: record.trays[0], opened: record.opened };
  }, undefined);
const close = (answer = CANCEL) =>
  shell.evaluate(({ BrowserWindow, record }, chosen) => {
    record.answer = chosen;
    BrowserWindow.getAllWindows()[0]?.close();
  }, answer);
const chooseInTray = (label: string) =>
  shell.evaluate(({ record }, wanted) => record.trays[0]?.menu.find((item) => item.label === wanted)?.click?.(), label);
const isHidden = async () => (await snapshot()).isVisible === false;
const isShown = async () => (await snapshot()).isVisible === true;

test('asks at the first close; in the tray the API keeps running and the icon opens the window again', async () => {
  await close(CANCEL);
  await until(async () => (await snapshot()).questionCount === 1);
  expect(await isShown()).toBe(true);
  await close(KEEP_RUNNING);
  await until(isHidden);
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  await chooseInTray('Open Paydesk');
  await until(isShown);
  await close();
  await until(isHidden);
  expect((await snapshot()).questionCount).toBe(2);
  const second = await spawnDouble([], join(home, 'data'));
  expect(await second.exited).toBe(0);
  await until(isShown);
  expect(await shell.inPage('paydesk.changeSettings({ closeToTray: null })')).toMatchObject({ closeToTray: null });
  await close(CANCEL);
  await until(async () => (await snapshot()).questionCount === 3);
});

test('shows the state of the service in the tray, copies its address and starts a sale', async () => {
  const { tray } = await snapshot();
  expect(tray?.tooltip).toBe(`Paydesk: API running at ${new URL(baseUrl).host}`);
  expect(tray?.menu.map(({ label }) => label)).toEqual([
    'Open Paydesk',
    'New sale',
    undefined,
    `API running at ${new URL(baseUrl).host}`,
    'Copy API address',
    undefined,
    'Quit Paydesk',
  ]);
  await chooseInTray('Copy API address');
  await chooseInTray('New sale');
  const { clipboard, sent } = await shell.evaluate(({ record }) => ({ clipboard: record.clipboard, sent: record.sent.at(-1) }), undefined);
  expect(clipboard).toBe(baseUrl);
  expect(sent).toEqual({ channel: 'paydesk:command', args: ['new-sale'] });
});

test('starts in the tray at sign-in if that is enabled', async () => {
  const file = join(home, 'autostart/paydesk.desktop');
  expect(await shell.inPage('paydesk.readSettings()')).toEqual({ closeToTray: null, startAtLogin: false, port: null });
  await shell.inPage('paydesk.changeSettings({ startAtLogin: true })');
  expect(await readFile(file, 'utf8')).toMatch(/^Exec="[^"]+" "[^"]+" "--hidden"$/m);
  await shell.inPage('paydesk.changeSettings({ startAtLogin: false })');
  expect(existsSync(file)).toBe(false);
});

test('refuses malformed settings and names the broken rule', async () => {
  const malformed = [
    `'x'`,
    'null',
    '{ port: 80 }',
    '{ port: 4801.5 }',
    `{ port: '4801' }`,
    '{ closeToTray: 1 }',
    '{ startAtLogin: null }',
    '1, 2',
  ];
  for (const change of malformed) {
    expect(await shell.inPage(`paydesk.changeSettings(${change}).catch((problem) => problem.message)`), change).toContain('Refused: ');
  }
});

test('notifies about an export that was saved while the window had no focus; a click shows the file', async () => {
  const save = (state: string) =>
    shell.evaluate(({ session, record }, downloadState) => {
      record.notifications = [];
      const listeners: ((event: object, state: string) => void)[] = [];
      const item = {
        getURL: () => 'http://127.0.0.1/export.csv',
        getFilename: () => 'export.csv',
        getSavePath: () => '/srv/exports/sales.csv',
        once: (_name: string, listener: (event: object, state: string) => void) => listeners.push(listener),
      };
      session.defaultSession.emit('will-download', { preventDefault: () => undefined }, item);
      for (const listener of listeners) listener({}, downloadState);
      for (const notification of record.notifications) notification.click();
      return record.notifications.map(({ title, body }) => ({ title, body }));
    }, state);
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur(), undefined);
  expect(await save('completed')).toEqual([{ title: 'Export saved', body: 'sales.csv' }]);
  expect((await snapshot()).opened).toEqual(['/srv/exports/sales.csv']);
  expect(await save('interrupted')).toEqual([{ title: 'Export not saved', body: 'sales.csv' }]);
  expect(await save('cancelled')).toEqual([]);
});

test('restores the window position, quits from the tray, and opens no window at a hidden start until requested', async () => {
  const bounds = { x: 300, y: 120, width: 1000, height: 700 };
  await shell.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), bounds);
  await chooseInTray('Quit Paydesk');
  expect(await shell.exited).toBe(0);
  shell = await spawnDouble(['--hidden', WITHOUT_SCREENS], join(home, 'data'));
  const tray = () => shell.evaluate(({ record }) => record.trays[0]?.tooltip ?? '', undefined);
  await until(async () => (await tray()).includes('running'));
  const windows = () => shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined);
  expect(await windows()).toBe(0);
  await chooseInTray('Open Paydesk');
  await until(isShown);
  const where = await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds(), undefined);
  expect(where).toEqual(bounds);
});

test('uses the defaults if the settings file or the window state file is damaged', FULL, async () => {
  await writeFile(join(home, 'data/window.json'), '{"bounds":{"x":1}}');
  await writeFile(join(home, 'data/shell.json'), '{"closeToTray":"yes","port":80');
  await shell.quit();
  shell = await launchDouble([WITHOUT_SCREENS], join(home, 'data'));
  expect(await shell.inPage('paydesk.readSettings()')).toEqual({ closeToTray: null, startAtLogin: false, port: null });
});

test('centers a window of a removed screen on the primary screen, no larger than the screen', () => {
  const main = { x: 0, y: 0, width: 1366, height: 728 };
  const second = { x: 1366, y: -200, width: 1920, height: 1040 };
  const bounds = { x: 1800, y: 100, width: 1600, height: 900 };
  expect(fitToScreens(bounds, [main, second], main)).toEqual(bounds);
  expect(fitToScreens(bounds, [main], main)).toEqual({ x: 0, y: 0, width: 1366, height: 728 });
  expect(fitToScreens({ x: -900, y: 10, width: 1000, height: 700 }, [main], main)).toEqual({ x: 183, y: 14, width: 1000, height: 700 });
  expect(fitToScreens({ x: 100, y: -60, width: 1000, height: 700 }, [main], main)).toEqual({ x: 183, y: 14, width: 1000, height: 700 });
});
