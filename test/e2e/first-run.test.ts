import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { onReady, spawnServer } from '../../scripts/child.ts';
import { startFakePrinter } from '../support/fake-printer.ts';
import { expectAccessible } from './accessibility.ts';
import { test as base, expect } from './fixtures.ts';
import { FirstRunPage } from './pages/first-run-page.ts';
import { SellPage } from './pages/sell-page.ts';
import { bridgeTo } from './shell-bridge.ts';

/** A server without a setup, for one test. */
const test = base.extend<{ empty: string }>({
  empty: async ({ page }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-first-run-'));
    const child = spawnServer(['--data-dir', dataDir, '--port', '0', '--log-level', 'error'], { program: await buildServiceWhenStale() });
    const baseUrl = await new Promise<string>((resolve) => onReady(child, (ready) => resolve(ready.baseUrl)));
    await use(baseUrl);
    // An open screen would send requests to a stopped server.
    await page.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  },
});

const PASSWORD = 'three loaves rising slowly';
/** The setup creates three months of sales, which takes a few seconds on an idle computer. */
const SAMPLE_DATA_TIMEOUT_MS = 90_000;

test('completes the setup from an empty disk to an approved test sale by keyboard, with three typed fields', async ({
  page,
  empty,
  strokes,
  request,
}) => {
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
  // The sample data is generated first.
  await firstRun.expectStep('Paydesk is set up', { timeout: SAMPLE_DATA_TIMEOUT_MS });
  await expect(page.getByText('isn’t saved yet')).toHaveCount(0);
  await firstRun.continueToNextStep();

  const sell = new SellPage(page);
  await expect(sell.amount).toBeFocused();
  await expect(sell.amount).toHaveValue('10.00');
  const note = page.getByText(/Save the recovery file before you take real cards/);
  await expect(note).toHaveCount(0);
  await keyboard.press('Enter');
  await keyboard.type('4111111111111111122812304101');
  await keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  await expect(note).toBeVisible();
  expect(strokes.clicks()).toBe(0);
  const listed = page.waitForRequest((asked) => asked.method() === 'GET' && asked.url().includes('/api/v1/payments'));
  await keyboard.press('F9');
  const headers = await (await listed).allHeaders();
  expect((await request.get(`${empty}/api/v1/transactions`, { headers })).status()).toBe(200);
  await expect(page.getByText('SANDBOX')).toBeVisible();
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(note).toHaveCount(0);
});

test('resumes at the same step after a reload: the database, the recovery file, the first sale @full', async ({ page, empty, faults }) => {
  const firstRun = new FirstRunPage(page);
  const { keyboard } = page;
  await firstRun.open(empty);
  await keyboard.press('ArrowDown');
  await page.getByLabel(/to confirm$/).fill('go live');
  await keyboard.press('Enter');
  await firstRun.businessName.fill('Corner Bakery');
  await keyboard.press('Enter');
  await firstRun.email.fill('Owner@Bakery.example');
  await firstRun.password.fill(PASSWORD);
  await keyboard.press('Enter');
  await firstRun.expectStep('Database');
  await page.reload();
  await firstRun.expectStep('Database');
  const again = page.getByLabel('The administrator’s password again');
  await expect(again).toBeFocused();
  await keyboard.press('Enter');
  await expect(again).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'database after a reload');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await firstRun.expectStep('Save recovery file');
  await page.reload();
  await firstRun.expectStep('Save recovery file');
  await expect(page.getByText('Setup, step 5 of 6')).toBeVisible();
  await expect(page.getByLabel('Your password')).toBeFocused();
  faults.expect(/400 \(Bad Request\)/);
  await keyboard.type('not the password');
  await keyboard.press('Enter');
  await expect(page.getByText('The password is wrong.')).toBeVisible();
  await page.getByLabel('Your password').fill(PASSWORD);
  const saved = page.waitForEvent('download');
  await keyboard.press('Enter');
  await firstRun.expectStep('Store the file and its code');
  expect((await saved).suggestedFilename()).toBe('paydesk-recovery.json');
  await keyboard.press('Enter');
  await firstRun.expectStep('Paydesk is set up');
  await page.reload();
  await firstRun.expectStep('Paydesk is set up');
  await expect(page.getByText('isn’t saved yet')).toHaveCount(0);
  await firstRun.continueToNextStep();
  await expect(page.getByRole('heading', { name: 'Sell', level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('navigation').first()).toBeVisible();
});

test('asks for the receipt printer in the desktop application, tests it, and allows skipping it @full', async ({ page, empty }) => {
  await using printer = await startFakePrinter();
  const bridge = await bridgeTo(page);
  const firstRun = new FirstRunPage(page);
  await firstRun.open(empty);
  await page.getByLabel('Add sample data').uncheck();
  await page.keyboard.press('Enter');
  await firstRun.businessName.fill('Corner Bakery');
  await page.keyboard.press('Enter');
  await firstRun.email.fill('owner@bakery.example');
  await page.keyboard.press('Enter');
  await firstRun.password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await firstRun.expectStep('Database');
  await page.keyboard.press('Enter');
  await firstRun.expectStep('Receipt printer');
  await expect(page.getByRole('button', { name: 'Skip for now' })).toBeFocused();
  await expectAccessible(page, 'printer step');
  await page.getByLabel('Address').fill('127.0.0.1');
  await page.getByLabel('Port').fill(String(printer.port));
  await page.getByRole('button', { name: 'Print test page' }).click();
  await expect(page.getByRole('main').getByText('Test page sent to Front desk.')).toBeVisible();
  expect(printer.jobs).toHaveLength(1);
  await page.getByRole('button', { name: 'Save printer' }).click();
  await firstRun.expectStep('Paydesk is set up');
  expect(bridge.setup?.address).toEqual({ kind: 'network', host: '127.0.0.1', port: printer.port });
});

test('keeps the step and the entered values after a reload during the setup, but not the password @full', async ({ page, empty }) => {
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

test('shows the PCI note for a live account and requires typing its confirmation @full', async ({ page, empty }) => {
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

test('shows errors for a short password and an invalid email address at their fields @full', async ({ page, empty }) => {
  const firstRun = new FirstRunPage(page);
  await firstRun.open(empty);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter the name to show on receipts.')).toBeVisible();
  await firstRun.businessName.fill('Corner Bakery');
  await page.keyboard.press('Enter');
  await firstRun.email.fill('owner at bakery');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter an email address, such as name@example.com.')).toBeVisible();
  await firstRun.email.fill('owner@bakery.example');
  await firstRun.password.fill('short');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Too short: at least 12 characters.')).toBeVisible();
});

test('explains that the database does not answer before anything is set up @full', async ({ page, empty }) => {
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
  await expect(page.getByText('No server responds at this address.')).toBeVisible();
  await firstRun.expectStep('Database');
});

test('warns about going live without the recovery file, reminds on every screen, and allows saving it in the settings @full', async ({
  page,
  empty,
  faults,
}) => {
  const firstRun = new FirstRunPage(page);
  const { keyboard } = page;
  await firstRun.open(empty);
  await keyboard.press('ArrowDown');
  await page.getByLabel(/to confirm$/).fill('go live');
  await keyboard.press('Enter');
  await firstRun.businessName.fill('Corner Bakery');
  await keyboard.press('Enter');
  await firstRun.email.fill('owner@bakery.example');
  await firstRun.password.fill(PASSWORD);
  await keyboard.press('Enter');
  await firstRun.expectStep('Database');
  await keyboard.press('Enter');
  await firstRun.expectStep('Save recovery file');
  await page.getByRole('radio', { name: /Your own passphrase/ }).check();
  await page.getByLabel('Passphrase', { exact: true }).fill('too short');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Passphrase', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText(/all stored cards are permanently lost/)).toBeVisible();
  await page.getByRole('button', { name: 'Continue without it' }).click();
  await firstRun.expectStep('Paydesk is set up');
  await expect(page.getByText(/isn’t saved yet/)).toBeVisible();
  await firstRun.continueToNextStep();
  // The last step states this too, without the link.
  const reminder = page.getByRole('link', { name: 'Save it now' });
  await expect(reminder).toBeVisible();
  await page.reload();
  await reminder.click();
  await expect(page.getByText('Not saved yet', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Save recovery file' }).click();
  faults.expect(/400 \(Bad Request\)/);
  await page.getByLabel('Your password').fill('not the password');
  await keyboard.press('Enter');
  await expect(page.getByText('The password is wrong.')).toBeVisible();
  await page.getByLabel('Your password').fill(PASSWORD);
  const saved = page.waitForEvent('download');
  await keyboard.press('Enter');
  await expect(page.getByText(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/)).toBeVisible();
  await saved;
  await page.getByRole('button', { name: 'I’ve saved both' }).click();
  await expect(page.getByText(/^Saved/)).toBeVisible();
  await expect(reminder).toHaveCount(0);
  await page.getByRole('button', { name: 'Rotate master key' }).click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await keyboard.press('Enter');
  await expect(reminder).toBeVisible();
});

test('no step of the first run has an accessibility fault in either color scheme @full', async ({ page, empty }) => {
  const firstRun = new FirstRunPage(page);
  await firstRun.open(empty);
  await expectAccessible(page, 'environment');
  await page.getByRole('radio', { name: /Live/ }).check();
  await expectAccessible(page, 'live');
  await page.getByLabel(/to confirm$/).fill('go live');
  await page.getByRole('button', { name: 'Continue' }).click();
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
  await page.getByRole('radio', { name: /On this computer/ }).check();
  await page.keyboard.press('Enter');
  await firstRun.expectStep('Save recovery file');
  await page.getByRole('radio', { name: /Your own passphrase/ }).check();
  await expectAccessible(page, 'recovery');
  await page.getByRole('radio', { name: /A code from Paydesk/ }).check();
  await page.getByRole('button', { name: 'Save recovery file' }).click();
  await firstRun.expectStep('Store the file and its code');
  await expectAccessible(page, 'recovery code');
});
