import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { onReady, spawnServer } from '../../scripts/child.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { FirstRunPage } from './pages/first-run-page.ts';

async function expectAccessibleInBoth(page: Page): Promise<void> {
  await expectAccessible(page, 'backup');
}

test('creates and checks a backup with one key, and restores it in the first run @full', async ({ signedIn: page, service }) => {
  await page.goto(`${service.baseUrl}/#/system/backup`);
  await expect(page.getByRole('heading', { name: 'System' })).toBeFocused();
  await expect(page.getByText('No backups yet')).toBeVisible();
  await page.keyboard.press('b');
  const entry = page.getByRole('list', { name: 'Backups' }).getByRole('listitem').first();
  await expect(entry).toContainText(/Restore check passed: [\d,]+ transactions, audit log valid, ledger balanced/, { timeout: 60_000 });
  await expectAccessibleInBoth(page);

  await page.getByRole('button', { name: 'Change schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Daily backup' });
  await dialog.getByLabel('Backups to keep').fill('0');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter a whole number from 1 to 1000.')).toBeVisible();
  await expect(dialog.getByLabel('Backups to keep')).toBeFocused();
  await expectAccessibleInBoth(page);
  await dialog.getByLabel('Backups to keep').fill('7');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('7 newest')).toBeVisible();

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export data' }).click();
  const archive = gunzipSync(await readFile((await (await saving).path()) ?? ''));
  expect(archive.toString('utf8')).toContain('transactions/00001.jsonl');

  const folder = (await page.locator('dd .mono').first().textContent()) ?? '';
  const name = /paydesk-\w+\.paydesk-backup/.exec((await entry.textContent()) ?? '')?.[0] ?? '';
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-restore-'));
  const child = spawnServer(['--data-dir', dataDir, '--port', '0', '--log-level', 'error'], { program: await buildServiceWhenStale() });
  const baseUrl = await new Promise<string>((resolve) => onReady(child, (ready) => resolve(ready.baseUrl)));
  try {
    const firstRun = new FirstRunPage(page);
    await firstRun.open(baseUrl);
    await page.getByRole('button', { name: 'Restore from a backup' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(page.getByText('Choose the backup file.')).toBeVisible();
    await expectAccessibleInBoth(page);
    await page.getByLabel('Backup', { exact: true }).setInputFiles(join(folder, name));
    await page.getByLabel('Key', { exact: true }).setInputFiles(join(dirname(folder), 'master.key'));
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await firstRun.expectStep('Paydesk is restored');
    await expect(page.getByText(/Audit log valid, ledger balanced/)).toBeVisible();
    await page.keyboard.press('Enter');
    await page.getByLabel('Email').fill(service.adminEmail);
    await page.getByLabel('Password', { exact: true }).fill(service.adminPassword);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible();
    await page.goto(`${baseUrl}/#/system/backup`);
    await expect(page.getByText('Automatic charges are paused.')).toBeVisible();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Resume charges' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume charges' }).click();
    await expect(page.getByText('Automatic charges are paused.')).toBeHidden();
  } finally {
    // An open screen would send requests to a stopped server.
    await page.goto('about:blank');
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
});
