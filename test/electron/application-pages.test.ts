import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pause } from '../support/until.ts';
import { chooseInMenu } from './common-tests.ts';
import { asShell, type DoubleShell, launchDouble, until } from './shell.ts';

let shell: DoubleShell;

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'paydesk-home-'));
  process.env.XDG_CONFIG_HOME = home;
  shell = await launchDouble(['--demo', '--sample-data=sales', 'paydesk://sale?amount=19.99&order=A-17']);
});
afterAll(async () => {
  await shell.stop();
  delete process.env.XDG_CONFIG_HOME;
  await rm(home, { recursive: true, force: true });
});

test('opens the link of the start after the sign-in, fills in the sale and charges nothing', async () => {
  const [, email, password] = /sign in as (\S+) with (\S+)/.exec(shell.log()) ?? [];
  const { posted, amount } = await shell.evaluate(
    async ({ BrowserWindow }, { name, secret }) => {
      const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
      if (page === undefined) throw new Error('The main window is missing.');
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname);
      });
      await page.getByLabel('Email').fill(name);
      await page.getByRole('textbox', { name: 'Password' }).fill(secret);
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/sell\?amount=19\.99&order=A-17$/);
      // The screen fills in its form after it is shown.
      const field = page.getByLabel('Amount');
      for (let attempt = 0; attempt < 1_500 && (await field.inputValue()) === ''; attempt += 1) await pause(20);
      return { amount: await field.inputValue(), posted: sent };
    },
    { name: email ?? '', secret: password ?? '' },
  );
  expect(amount).toBe('19.99');
  expect(posted.filter((path) => path.includes('transaction'))).toEqual([]);
});

test('locks the screen from the menu', async () => {
  const asksPassword = () => shell.inPage<boolean>(`document.querySelector('input[type=password]') !== null`);
  expect(await asksPassword()).toBe(false);
  await chooseInMenu(asShell(shell), 'Lock');
  await until(asksPassword);
});

test('shows pages that violate no content policy and connect only to the server', async () => {
  const { complaints, refused } = await shell.evaluate(async ({ BrowserWindow, record }) => {
    const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
    const errors: string[] = [];
    page?.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page?.reload();
    await page?.getByRole('heading', { level: 1 }).waitFor();
    return { complaints: errors, refused: [...record.loadsRefused, ...record.navigationsRefused] };
  }, undefined);
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  expect(refused).toEqual([]);
});

test('changes the close and start settings in the workstation dialog, which shows the version', async () => {
  const dialogText = await shell.evaluate(
    async ({ BrowserWindow }, secret) => {
      const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
      if (page === undefined) throw new Error('The main window is missing.');
      const password = page.getByRole('textbox', { name: 'Password' });
      const chip = page.getByRole('button', { name: /This workstation|shift open|open since/ });
      await chip.or(password).first().waitFor();
      if (await password.isVisible()) {
        await password.fill(secret);
        await page.keyboard.press('Enter');
      }
      await chip.click();
      await page.getByRole('menuitem', { name: 'This workstation' }).click();
      const application = page.getByRole('region', { name: 'Application' });
      await application.getByRole('combobox', { name: 'When the window is closed' }).click();
      await page.getByRole('option', { name: 'Keep the API running in the tray' }).click();
      await application.getByRole('switch', { name: 'Start in the tray when this computer starts' }).click();
      return application.textContent();
    },
    /sign in as \S+ with (\S+)/.exec(shell.log())?.[1] ?? '',
  );
  expect(dialogText).toMatch(/Version \d+\.\d+\.\d+/);
  expect(dialogText).toContain('This build can’t check for updates');
  await expect.poll(() => shell.inPage('paydesk.readSettings()')).toEqual({ closeToTray: true, startAtLogin: true, port: null });
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  await until(() => shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === false, undefined));
});

test('notifies from the tray of a dispute that becomes due, shows its number in the navigation, and opens the list with a click', async () => {
  const [, email, password] = /sign in as (\S+) with (\S+)/.exec(shell.log()) ?? [];
  const itemsToDo = () => shell.inPage<number>(`Number(/To do([\\d,]+) items/.exec(document.querySelector('nav').textContent)?.[1] ?? 0)`);
  const before = await itemsToDo();
  await shell.inPage(`(async () => {
    const { tenantId } = JSON.parse(sessionStorage.getItem('paydesk.session'));
    const send = async (method, path, body, token) => {
      const headers = { 'content-type': 'application/json', 'x-tenant-id': tenantId, ...(token && { authorization: 'Bearer ' + token }) };
      const response = await fetch('/api/v1' + path, { method, headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()).data;
    };
    const { token } = await send('POST', '/auth/login', ${JSON.stringify({ email, password })});
    const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2045', cvv: '123' };
    const { transactionId } = await send('POST', '/transactions', { amount: 31, card }, token);
    const { disputeId } = await send('POST', '/disputes', { transactionId }, token);
    const dueDate = new Date(Date.now() + 2 * 86400000).toISOString().slice(0, 10);
    await send('PUT', '/disputes/' + disputeId, { dueDate }, token);
  })()`);
  const notices = () => shell.evaluate(({ record }) => record.notifications.map(({ title, body }) => ({ title, body })), undefined);
  await until(async () => (await notices()).some(({ title }) => /dispute/.test(title)));
  expect(await notices()).toContainEqual({
    title: 'A dispute is due',
    body: 'Submit evidence before the due date, or the payer keeps the money.',
  });
  await until(async () => (await itemsToDo()) === before + 1);
  await shell.evaluate(({ record }) => {
    for (const notification of record.notifications) if (/dispute/.test(notification.title)) notification.click();
  }, undefined);
  await until(() => shell.inPage<boolean>(`location.hash === '#/disputes'`));
  await until(() => shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true, undefined));
});
