import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { onReady, spawnServer } from '../../scripts/child.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { expectAccessible } from './accessibility.ts';
import { test as base, expect } from './fixtures.ts';
import { FirstRunPage } from './pages/first-run-page.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';

const EMAIL = 'owner@bakery.example';
const PASSWORD = 'three loaves rising slowly';

interface Shared {
  readonly databaseUrl: string;
  /** Key file of the workstation that created the installation. */
  readonly keyFile: string;
  /** A workstation without a setup. */
  readonly second: string;
  /** Kills the database; returns a function that starts it again. */
  readonly cutOff: () => Promise<() => Promise<void>>;
}

/** An installation on its own PostgreSQL, and a second workstation without a setup. */
const test = base.extend<{ shared: Shared }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  shared: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-e2e-stations-'));
    const postgres = await startPostgres(['-c', 'fsync=off']);
    const databaseUrl = await postgres.createDatabase('shared');
    const start = async (name: string) => {
      const child = spawnServer(['--data-dir', join(folder, name), '--port', '0', '--log-level', 'fatal'], {
        program: await buildServiceWhenStale(),
      });
      const baseUrl = await new Promise<string>((resolve) => onReady(child, (ready) => resolve(ready.baseUrl)));
      return { child, baseUrl };
    };
    const [one, two] = [await start('one'), await start('two')];
    const made = await fetch(`${one.baseUrl}/api/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        businessName: 'Corner Bakery',
        currency: 'USD',
        timezone: 'UTC',
        email: EMAIL,
        password: PASSWORD,
        environment: 'sandbox',
        databaseUrl,
      }),
    });
    expect(made.status, await made.text()).toBe(200);
    const cutOff = async () => {
      await postgres.kill();
      return postgres.restart;
    };
    await use({ databaseUrl, keyFile: join(folder, 'one/master.key'), second: two.baseUrl, cutOff });
    for (const { child } of [one, two]) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  },
});

test('joins a second workstation with its key, reports a database outage, keeps typed values, and recovers automatically @full', async ({
  page,
  shared,
  faults,
}) => {
  const firstRun = new FirstRunPage(page);
  await firstRun.open(shared.second);
  await page.getByRole('button', { name: 'Connect to an existing Paydesk' }).click();
  await firstRun.expectStep('Connect to an existing Paydesk');
  await expectAccessible(page, 'join');
  await firstRun.databaseUrl.fill(shared.databaseUrl);
  faults.expect(/400/);
  const key = page.getByLabel('Key');
  await key.setInputFiles({ name: 'master.key', mimeType: 'text/plain', buffer: Buffer.from('0f'.repeat(32)) });
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(/the key of another installation/)).toBeVisible();
  await key.setInputFiles(shared.keyFile);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await firstRun.expectStep('Workstation connected');
  await page.keyboard.press('Enter');
  await new SignInPage(page).enter(EMAIL, PASSWORD);

  const sell = new SellPage(page);
  await page.getByRole('link', { name: 'New sale' }).click();
  await sell.amount.fill('12.40');
  await sell.number.fill('4111111111111111');
  faults.expect(/503|Failed to load resource/);
  const bringBack = await shared.cutOff();
  const banner = page.getByRole('main').getByText(/The database isn’t responding/);
  await expect(banner).toBeVisible();
  await expect(page.getByText('Degraded', { exact: true })).toBeVisible();
  await bringBack();
  await expect(banner).toBeHidden();
  await expect(sell.amount).toHaveValue('12.40');
  await sell.expiry.fill('1228');
  await sell.code.fill('123');
  await sell.zip.fill('04101');
  await sell.charge.click();
  await expect(sell.approved).toBeVisible();
});

test('detects an existing installation at the database step, and leads to joining it @full', async ({ page, shared }) => {
  const firstRun = new FirstRunPage(page);
  await firstRun.open(shared.second);
  await page.keyboard.press('Enter');
  await firstRun.businessName.fill('Corner Bakery');
  await page.keyboard.press('Enter');
  await firstRun.email.fill('second@bakery.example');
  await firstRun.password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: /PostgreSQL/ }).check();
  await firstRun.databaseUrl.fill(shared.databaseUrl);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This database already contains a Paydesk installation.')).toBeVisible();
  await firstRun.expectStep('Database');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await firstRun.expectStep('Connect to an existing Paydesk');
  await expect(firstRun.databaseUrl).toHaveValue(shared.databaseUrl);
});
