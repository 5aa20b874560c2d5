import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseInMenu } from './flows.ts';
import { asShell, type DoubleShell, launchDouble, until } from './shell.ts';

let shell: DoubleShell;

beforeAll(async () => {
  shell = await launchDouble(['--demo', 'paydesk://sale?amount=19.99&order=A-17']);
});
afterAll(() => shell.stop());

test('the link that started the application waits for the sign-in, then fills in the sale and charges nothing', async () => {
  const [, email, password] = /sign in as (\S+) with (\S+)/.exec(shell.log()) ?? [];
  const { posted, amount } = await shell.evaluate(
    async ({ BrowserWindow }, { name, secret }) => {
      const page = await BrowserWindow.getAllWindows()[0]?.webContents.page();
      if (page === undefined) throw new Error('there is a window');
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname);
      });
      await page.getByLabel('E-mail').fill(name);
      await page.getByRole('textbox', { name: 'Password' }).fill(secret);
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/sell\?amount=19\.99&order=A-17$/);
      // The screen fills its form after it has come into view.
      const field = page.getByLabel('Amount');
      for (let look = 0; look < 100 && (await field.inputValue()) === ''; look += 1) await page.waitForTimeout(20);
      return { amount: await field.inputValue(), posted: sent };
    },
    { name: email ?? '', secret: password ?? '' },
  );
  expect(amount).toBe('19.99');
  expect(posted.filter((path) => path.includes('transaction'))).toEqual([]);
});

test('the menu locks the screen', async () => {
  const asksPassword = () => shell.inPage<boolean>(`document.querySelector('input[type=password]') !== null`);
  expect(await asksPassword()).toBe(false);
  await chooseInMenu(asShell(shell), 'Lock');
  await until(asksPassword);
});

test('our pages break neither policy and ask nothing of the network beyond the server', async () => {
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
