import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '#server';
import { freePort } from '../../electron/server-process/port.ts';
import { startStepPage } from '../../electron/window/offline-page.ts';
import { FULL } from '../support/tier.ts';
import { type DoubleShell, launchDouble, spawnDouble, until, WITHOUT_SCREENS } from './shell.ts';

let dataDir: string;
let shell: DoubleShell | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'paydesk-offline-'));
});
afterEach(async () => {
  await shell?.stop();
  shell = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const pageText = (running: DoubleShell) => running.inPage<string>('document.body.innerText');
/** Returns false for a page that is being replaced, because it cannot be evaluated. */
const isOnServer = (running: DoubleShell) =>
  running.inPage<string>('location.protocol').then(
    (protocol) => protocol === 'http:',
    () => false,
  );

async function occupyPort(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  const port = await freePort(5200);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return { port, server };
}

test('explains the check and the update of a database file with its size, and offers no action', async () => {
  for (const [kind, words] of [
    ['check', 'the database file (2.4 GB) is checked'],
    ['update', 'The database file (2.4 GB) is updated to this version'],
  ] as const) {
    const page = Buffer.from(startStepPage({ kind, bytes: 2_400_000_000 }).split('base64,')[1] ?? '', 'base64').toString();
    expect(page).toContain(words);
    expect(page).not.toMatch(/<(form|a|script)\b/);
  }
});

test('shows why the start takes long while a large database file is checked, and then the server’s page', FULL, async () => {
  shell = await launchDouble([WITHOUT_SCREENS], dataDir);
  await shell.quit();
  const file = join(dataDir, 'paydesk.sqlite');
  await rm(`${file}.clean-stop`);
  // Larger by a hole, which no check reads.
  await truncate(file, 120_000_000);
  shell = await launchDouble([WITHOUT_SCREENS], dataDir);
  const running = shell;
  await until(() => isOnServer(running));
  const loads = (await running.evaluate(({ record }) => record.steps, undefined)).filter((step) => step.startsWith('load '));
  expect(loads[0]).toMatch(/^load data:text\/html/);
  expect(loads.at(-1)).toMatch(/^load http:\S+ 200$/);
});

test('explains why the server does not run, and shows the server’s page when the cause is gone', FULL, async () => {
  const other = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  shell = await launchDouble([], dataDir);
  const running = shell;
  expect(await pageText(running)).toContain('Another Paydesk server uses the data');
  const page = await running.evaluate(async ({ BrowserWindow, record }) => {
    const shown = await BrowserWindow.getAllWindows()[0]?.webContents.page();
    const focused = await shown?.evaluate('document.activeElement?.textContent');
    return { focused, tray: record.trays[0]?.tooltip, title: await shown?.title() };
  }, undefined);
  expect(page).toEqual({
    focused: 'Try again',
    tray: 'Paydesk: API not running: Another Paydesk server uses the data',
    title: 'Paydesk is not running',
  });
  expect(await running.inPage(`paydesk.readLog(10).catch((problem) => problem.message)`)).toContain('Refused: only our own page');
  await other.close();
  await until(() => isOnServer(running));
  const origin = await running.inPage<string>('location.origin');
  expect((await fetch(`${origin}/health`)).status).toBe(200);

  // The server's page cannot use the actions of the offline page.
  for (const path of ['retry', 'open-log-folder', 'use-port?port=5555']) {
    await running.inPage(`(location.href = 'http://shell.paydesk.invalid/${path}')`);
    await running.inPage('new Promise((resolve) => setTimeout(resolve, 100))');
  }
  expect(await running.inPage('location.origin')).toBe(origin);
  expect(await running.evaluate(({ record }) => record.opened, undefined)).toEqual([]);
  expect(await running.inPage('paydesk.readSettings()')).toMatchObject({ port: null });
});

test('shows one notification about a failed service in the tray, however often it is retried', FULL, async () => {
  const other = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  shell = await spawnDouble(['--hidden'], dataDir);
  const running = shell;
  await until(async () => running.log().split('The service did not start').length > 3);
  const notifications = () => running.evaluate(({ record }) => record.notifications.map(({ title, body }) => ({ title, body })), undefined);
  expect(await notifications()).toEqual([{ title: 'Paydesk’s API is not running', body: 'Another Paydesk server uses the data' }]);
  await other.close();
});

test('reports a configured port that is in use, and stores the port that is chosen instead', FULL, async () => {
  const { port, server } = await occupyPort();
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'shell.json'), JSON.stringify({ port }));
    shell = await launchDouble([], dataDir);
    const running = shell;
    expect(await pageText(running)).toContain(`Port ${port} is in use`);
    const chosen = await running.evaluate(async ({ BrowserWindow }) => {
      const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
      await page?.getByRole('link', { name: 'Open the log folder' }).click();
      const offered = (await page?.getByLabel('Port').inputValue()) ?? '';
      await page?.getByRole('button', { name: 'Use this port' }).click();
      return Number(offered);
    }, undefined);
    expect(chosen).toBeGreaterThan(port);
    await until(() => isOnServer(running));
    expect(new URL(await running.inPage<string>('location.href')).port).toBe(String(chosen));
    expect(JSON.parse(await readFile(join(dataDir, 'shell.json'), 'utf8'))).toMatchObject({ port: chosen });
    expect(await running.evaluate(({ record }) => record.opened, undefined)).toEqual([join(dataDir, 'logs')]);
  } finally {
    server.close();
  }
});

test('restarts a crashed server on its port and keeps the page; stops restarting it after four crashes', async () => {
  shell = await launchDouble([], dataDir);
  const running = shell;
  const { origin, port } = await running.inPage<{ origin: string; port: string }>('({ origin: location.origin, port: location.port })');
  await running.inPage(`(window.unsaved = 'still here')`);
  const crashCount = () => running.log().split('The service crashed').length - 1;
  const isResponding = () =>
    fetch(`${origin}/health`).then(
      ({ status }) => status === 200,
      () => false,
    );

  await running.evaluate((_electron, wanted) => {
    interface Handle {
      address?(): { port?: number } | null;
      close?(): void;
    }
    const handles = (process as unknown as { _getActiveHandles(): Handle[] })._getActiveHandles();
    for (const handle of handles) if (handle.address?.()?.port === wanted) handle.close?.();
  }, Number(port));
  await until(async () => crashCount() === 1 && (await isResponding()));
  expect(await running.inPage('window.unsaved')).toBe('still here');

  const fail = () =>
    running.evaluate(() => {
      setImmediate(() => {
        throw new Error('Crash at card 4242 4242 4242 4242');
      });
    }, undefined);
  for (let crash = 2; crash <= 4; crash += 1) {
    await fail();
    await until(async () => crashCount() === crash && (crash === 4 || (await isResponding())));
  }
  // A page that is being replaced cannot be evaluated.
  await until(async () => (await pageText(running).catch(() => '')).includes('does not retry automatically'));
  const log = await readFile(join(dataDir, 'logs/paydesk.log'), 'utf8');
  expect(log).toContain('Crash at card [card number]');
  expect(log).not.toContain('4242 4242');
  expect(running.log()).not.toContain('4242 4242');
  await running.evaluate(async ({ BrowserWindow }) => {
    const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
    await page?.keyboard.press('Enter');
  }, undefined);
  await until(() => isOnServer(running));
  expect(await running.quit()).toBe(0);
});
