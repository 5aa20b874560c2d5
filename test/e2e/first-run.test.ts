import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onReady, spawnServer } from '../../scripts/child.ts';
import { expectAccessible, SCHEMES } from './accessibility.ts';
import { test as base, expect } from './fixtures.ts';
import { FirstRunPage } from './pages/first-run-page.ts';
import { SellPage } from './pages/sell-page.ts';

/** A server that nobody has set up yet, for one test. */
const test = base.extend<{ empty: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  empty: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-first-run-'));
    const child = spawnServer(['--data-dir', dataDir, '--port', '0', '--log-level', 'error']);
    const baseUrl = await new Promise<string>((resolve) => onReady(child, (ready) => resolve(ready.baseUrl)));
    await use(baseUrl);
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  },
});

const PASSWORD = 'three loaves rising slowly';

test('from an empty disk to an approved test sale by keyboard, with three typed fields', async ({ page, empty, strokes, request }) => {
  const startedAt = Date.now();
  const firstRun = new FirstRunPage(page);
  const { keyboard } = page;
  expect((await request.get(`${empty}/api/v1/transactions`)).status()).toBe(503);
  await firstRun.open(empty);
  await keyboard.press('Enter');
  await expect(firstRun.businessName).toBeFocused();
  await keyboard.type('Corner Bakery');
  await keyboard.press('Enter');
  await expect(firstRun.email).toBeFocused();
  await keyboard.type('owner@bakery.example');
  await keyboard.press('Enter');
  await expect(firstRun.password).toBeFocused();
  await keyboard.type(PASSWORD);
  await expect(page.getByText('Strong.')).toBeVisible();
  await keyboard.press('Enter');
  await firstRun.expectStep('Database');
  await keyboard.press('Enter');
  await firstRun.expectStep('Paydesk is set up');
  await keyboard.press('Enter');

  const sell = new SellPage(page);
  await expect(sell.amount).toBeFocused();
  await expect(sell.amount).toHaveValue('10.00');
  await keyboard.press('Enter');
  await keyboard.type('4111111111111111122812304101');
  await keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  expect(strokes.clicks()).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(90_000);
  expect((await request.get(`${empty}/api/v1/transactions`)).status()).toBe(401);
  await expect(page.getByText('SANDBOX')).toBeVisible();
});

test('a reload half-way goes on at the same step with what was entered, but without the password', async ({ page, empty }) => {
  const firstRun = new FirstRunPage(page);
  await firstRun.open(empty);
  await page.keyboard.press('Enter');
  await firstRun.businessName.fill('Corner Bakery');
  await page.keyboard.press('Enter');
  await firstRun.email.fill('owner@bakery.example');
  await firstRun.password.fill(PASSWORD);
  await page.reload();
  await firstRun.expectStep('Administrator');
  await expect(firstRun.email).toHaveValue('owner@bakery.example');
  await expect(firstRun.password).toHaveValue('');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(firstRun.businessName).toHaveValue('Corner Bakery');
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(PASSWORD);
});

test('live shows the PCI note and wants its words typed', async ({ page, empty }) => {
  const firstRun = new FirstRunPage(page);
  await firstRun.open(empty);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText(/SAQ D/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Type “go live”, or choose the sandbox.')).toBeVisible();
  await page.getByLabel(/to confirm$/).fill('go live');
  await page.keyboard.press('Enter');
  await firstRun.expectStep('Your business');
});

test('a short password and a wrong address are said beside their fields', async ({ page, empty }) => {
  const firstRun = new FirstRunPage(page);
  await firstRun.open(empty);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter the name that stands on receipts.')).toBeVisible();
  await firstRun.businessName.fill('Corner Bakery');
  await page.keyboard.press('Enter');
  await firstRun.email.fill('owner at bakery');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter an e-mail address like name@example.com.')).toBeVisible();
  await firstRun.email.fill('owner@bakery.example');
  await firstRun.password.fill('short');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Too short: at least 12 characters.')).toBeVisible();
});

test('a database that does not answer is said in plain words before anything is set up', async ({ page, empty }) => {
  const firstRun = new FirstRunPage(page);
  await firstRun.open(empty);
  await page.keyboard.press('Enter');
  await firstRun.businessName.fill('Corner Bakery');
  await page.keyboard.press('Enter');
  await firstRun.email.fill('owner@bakery.example');
  await firstRun.password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: /PostgreSQL/ }).check();
  await firstRun.databaseUrl.fill('postgres://nobody@127.0.0.1:1/none');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing answers at that address.')).toBeVisible();
  await firstRun.expectStep('Database');
});

for (const colorScheme of SCHEMES) {
  test(`no step has an accessibility fault in the ${colorScheme} scheme`, async ({ page, empty }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const firstRun = new FirstRunPage(page);
    await firstRun.open(empty);
    await expectAccessible(page, 'environment');
    await page.getByRole('radio', { name: /Live/ }).check();
    await expectAccessible(page, 'live');
    await page.getByRole('radio', { name: /Sandbox/ }).check();
    await page.keyboard.press('Enter');
    await firstRun.expectStep('Your business');
    await expectAccessible(page, 'business');
    await firstRun.businessName.fill('Corner Bakery');
    await page.keyboard.press('Enter');
    await firstRun.email.fill('owner@bakery.example');
    await firstRun.password.fill(PASSWORD);
    await expectAccessible(page, 'administrator');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: /PostgreSQL/ }).check();
    await expectAccessible(page, 'database');
  });
}
