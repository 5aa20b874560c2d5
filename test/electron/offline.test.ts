import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '#server';
import { freePort } from '../../electron/server-process/port.ts';
import { type DoubleShell, launchDouble, spawnDouble, until } from './shell.ts';

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

const words = (running: DoubleShell) => running.inPage<string>('document.body.innerText');
/** A page that is being replaced cannot be asked. */
const isOnServer = (running: DoubleShell) =>
  running.inPage<string>('location.protocol').then(
    (protocol) => protocol === 'http:',
    () => false,
  );

async function occupant(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  const port = await freePort(5200);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return { port, server };
}

test('without a server the window says why, and goes on by itself when the reason is gone', async () => {
  const other = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  shell = await launchDouble([], dataDir);
  const running = shell;
  expect(await words(running)).toContain('Another Paydesk server has the data');
  const page = await running.evaluate(async ({ BrowserWindow, record }) => {
    const shown = await BrowserWindow.getAllWindows()[0]?.webContents.page();
    const focused = await shown?.evaluate('document.activeElement?.textContent');
    return { focused, tray: record.trays[0]?.words, title: await shown?.title() };
  }, undefined);
  expect(page).toEqual({
    focused: 'Try again',
    tray: 'Paydesk: API not running: Another Paydesk server has the data',
    title: 'Paydesk is not running',
  });
  expect(await running.inPage(`paydesk.readLog(10).catch((problem) => problem.message)`)).toContain('Refused: only our own page');
  await other.close();
  await until(() => isOnServer(running), 20_000);
  const origin = await running.inPage<string>('location.origin');
  expect((await fetch(`${origin}/health`)).status).toBe(200);

  // The server's page has none of the other one's ways to the shell.
  for (const path of ['retry', 'open-log-folder', 'use-port?port=5555']) {
    await running.inPage(`(location.href = 'http://shell.paydesk.invalid/${path}')`);
    await running.inPage('new Promise((resolve) => setTimeout(resolve, 100))');
  }
  expect(await running.inPage('location.origin')).toBe(origin);
  expect(await running.evaluate(({ record }) => record.opened, undefined)).toEqual([]);
  expect(await running.inPage('paydesk.readSettings()')).toMatchObject({ port: null });
});

test('in the tray, trouble is told once, however often the service is tried again', async () => {
  const other = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  shell = await spawnDouble(['--hidden'], dataDir);
  const running = shell;
  await until(async () => running.log().split('The service did not start').length > 3, 30_000);
  const told = () => running.evaluate(({ record }) => record.notices.map(({ title, body }) => ({ title, body })), undefined);
  expect(await told()).toEqual([{ title: 'Paydesk’s API is not running', body: 'Another Paydesk server has the data' }]);
  await other.close();
});

test('a port of one’s own choice that is taken is said, and another is one field away and kept', async () => {
  const { port, server } = await occupant();
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'shell.json'), JSON.stringify({ port }));
    shell = await launchDouble([], dataDir);
    const running = shell;
    expect(await words(running)).toContain(`Port ${port} is taken`);
    const chosen = await running.evaluate(async ({ BrowserWindow }) => {
      const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
      await page?.getByRole('link', { name: 'Open the log folder' }).click();
      const offered = (await page?.getByLabel('Port').inputValue()) ?? '';
      await page?.getByRole('button', { name: 'Use this port' }).click();
      return Number(offered);
    }, undefined);
    expect(chosen).toBeGreaterThan(port);
    await until(() => isOnServer(running), 20_000);
    expect(new URL(await running.inPage<string>('location.href')).port).toBe(String(chosen));
    expect(JSON.parse(await readFile(join(dataDir, 'shell.json'), 'utf8'))).toMatchObject({ port: chosen });
    expect(await running.evaluate(({ record }) => record.opened, undefined)).toEqual([join(dataDir, 'logs')]);
  } finally {
    server.close();
  }
});

test('a server that dies is started again on its port beneath the page, whatever killed it; one that keeps dying waits for a person', async () => {
  shell = await launchDouble([], dataDir);
  const running = shell;
  const { origin, port } = await running.inPage<{ origin: string; port: string }>('({ origin: location.origin, port: location.port })');
  await running.inPage(`(window.halfTyped = 'still here')`);
  const starts = () => running.log().split('The service died').length - 1;
  const answers = () =>
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
  await until(async () => starts() === 1 && (await answers()), 20_000);
  expect(await running.inPage('window.halfTyped')).toBe('still here');

  const fail = () =>
    running.evaluate(() => {
      setImmediate(() => {
        throw new Error('It broke at card 4242 4242 4242 4242');
      });
    }, undefined);
  for (let death = 2; death <= 4; death += 1) {
    await fail();
    await until(async () => starts() === death && (death === 4 || (await answers())), 20_000);
  }
  await until(async () => !(await isOnServer(running)));
  expect(await words(running)).toContain('Paydesk waits for you');
  const log = await readFile(join(dataDir, 'logs/paydesk.log'), 'utf8');
  expect(log).toContain('It broke at card [card number]');
  expect(log).not.toContain('4242 4242');
  expect(running.log()).not.toContain('4242 4242');
  await running.evaluate(async ({ BrowserWindow }) => {
    const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
    await page?.keyboard.press('Enter');
  }, undefined);
  await until(() => isOnServer(running), 20_000);
  expect(await running.quit()).toBe(0);
});
