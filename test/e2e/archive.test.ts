import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { addOldEntries, moveEventsTo } from '../support/old-entries.ts';
import { expectAccessible } from './accessibility.ts';
import { copySeeded } from './file-services.ts';
import { test as base, expect } from './fixtures.ts';

const YEAR = new Date().getUTCFullYear() - 4;

async function prepare(dataDir: string): Promise<void> {
  await copySeeded(dataDir);
  await addOldEntries({ dataDir }, { [YEAR]: 120 });
  await moveEventsTo(YEAR, 60, { dataDir });
}

const test = base.extend({ serviceKind: { prepare } });

test('archives an old year, checks the file, and shows its entries in the audit log @full', async ({
  signedIn: page,
  service,
  dataDir,
  faults,
}) => {
  await page.goto(`${service.baseUrl}/#/audit`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByLabel('Entries', { exact: true })).toBeHidden();

  await page.goto(`${service.baseUrl}/#/system/backup`);
  await expect(page.getByText('No archives yet')).toBeVisible();
  await page.getByRole('button', { name: 'Change archive settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Archive of old years' });
  await dialog.getByLabel('Complete years to keep in the database').fill('1');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter a whole number from 2 to 10.')).toBeVisible();
  await expectAccessible(page, 'archive settings');
  await dialog.getByLabel('Complete years to keep in the database').fill('2');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('2 complete calendar years')).toBeVisible();

  await page.getByRole('button', { name: `Archive ${YEAR} now` }).click();
  await page
    .getByRole('dialog', { name: `Archive ${YEAR} now?` })
    .getByRole('button', { name: 'Archive now' })
    .click();
  const entry = page.getByRole('list', { name: 'Archives' }).getByRole('listitem').first();
  await expect(entry).toContainText('Not checked since it was created', { timeout: 60_000 });
  await expect(entry).toContainText('240 entries · 60 events');
  await expect(page.getByText('Nothing is old enough')).toBeVisible();
  await entry.getByRole('button', { name: `Check archive of ${YEAR}` }).click();
  await expect(entry).toContainText('Unchanged and complete on', { timeout: 60_000 });
  await expectAccessible(page, 'archive');

  await page.goto(`${service.baseUrl}/#/audit`);
  await page.getByRole('combobox', { name: 'Entries' }).click();
  await page.getByRole('option', { name: `Archived: ${YEAR}` }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('old@demo.example');
  await expect(page).toHaveURL(new RegExp(`archive=${YEAR}`));
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await expect(page.getByText('120 older entries are in archives, which an owner checks under System, Backup.')).toBeVisible();
  await expectAccessible(page, 'archived entries');

  await page.goto(`${service.baseUrl}/#/events`);
  await page.getByRole('combobox', { name: 'Events' }).click();
  await page.getByRole('option', { name: `Archived: ${YEAR}` }).click();
  await expect(page).toHaveURL(new RegExp(`archive=${YEAR}`));
  await expect(page.getByRole('row').nth(1)).toContainText(`${YEAR}`);
  await page.getByRole('row').nth(1).click();
  const event = page.getByRole('dialog', { name: 'Event' }).or(page.getByRole('complementary', { name: 'Event' }));
  await expect(event.getByRole('heading', { name: 'Deliveries' })).toBeVisible();
  await expect(event.getByRole('button', { name: 'Send event' })).toBeHidden();
  await expectAccessible(page, 'archived event');
  await page.goto(`${service.baseUrl}/#/audit?archive=${YEAR}`);

  faults.expect(/409/);
  await rename(join(dataDir, 'archive'), join(dataDir, 'away'));
  await page.reload();
  await expect(page.getByText(/is not in its folder on this computer/)).toBeVisible();
  await rename(join(dataDir, 'away'), join(dataDir, 'archive'));
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toContainText('old@demo.example');
});
