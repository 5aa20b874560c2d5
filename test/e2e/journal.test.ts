import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

/** Acts, and returns the name and text of the file that the page saves. */
async function saved(page: Page, act: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('downloads a journal export whose file was lost, and an earlier one again, by keyboard only @full', async ({
  signedIn: page,
  service,
  strokes,
  faults,
}) => {
  faults.expect(/ERR_FAILED|Failed to load resource/);
  const api = await ApiSession.open(service);
  const { transactionId } = await api.sell({ amount: '41.70' });
  const { data: payment } = await api.read<{ createdAt: string }>(`/transactions/${transactionId}`);
  const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(payment.createdAt)).slice(0, 7);
  const before = (await api.read<unknown[]>('/reporting/journal/exports?limit=1')).pagination.total;

  await page.goto(`/#/reconciliation/close/${month}`);
  await expect(page.getByRole('button', { name: 'More' })).toBeVisible();
  await expect(page.getByText('Before closing')).toBeVisible();
  await strokes.reset();
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: 'Export journal' });
  await expect(dialog.getByLabel('Owed by the processor', { exact: true })).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Only entries that were not exported before' }).focus();
  await page.keyboard.press('Space');
  await page.route('**/exports/*/file?*', (route) => route.abort(), { times: 1 });
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The export is recorded.')).toBeVisible();
  await expectAccessible(page, 'journal export without a file');
  const submit = dialog.getByRole('button', { name: 'Export journal' });
  await submit.focus();
  const first = await saved(page, () => page.keyboard.press('Enter'));
  expect(first.name).toMatch(/^journal-.*\.xero\.csv$/);
  expect(first.text).toMatch(/PD-[0-9A-F]{16} Captures/);
  await expect(dialog).toBeHidden();
  // The second attempt downloaded the file of the export that the first one had recorded.
  expect((await api.read<unknown[]>('/reporting/journal/exports?limit=1')).pagination.total).toBe(before + 1);

  const exports = page.getByRole('table', { name: 'Journal exports' });
  const row = exports.getByRole('row').nth(1);
  await expect(row).toContainText('Only new entries');
  await expectAccessible(page, 'journal exports');
  await row.getByRole('button', { name: /^Download again: / }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Xero (CSV)' })).toBeFocused();
  const again = await saved(page, () => page.keyboard.press('Enter'));
  expect(again).toEqual(first);
  await expect(row.getByRole('button')).toBeFocused();
  expect(strokes.clicks()).toBe(0);
});

test('names every account of the journal, also those of cash and checks @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  await page.goto('/#/reconciliation/close');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Export journal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export journal' });
  const accounts = dialog.getByRole('region', { name: 'Accounts' });
  const { data: before } = await api.read<Record<string, { name: string; code: string }>>('/reporting/journal/accounts');
  await expect(accounts.getByLabel('Number')).toHaveCount(Object.keys(before).length);
  await accounts.getByLabel('Cash drawers', { exact: true }).fill('Assets:Till');
  await accounts.getByLabel('Checks received', { exact: true }).fill('Assets:Checks');
  await saved(page, () => dialog.getByRole('button', { name: 'Export journal' }).click());
  await expect(dialog).toBeHidden();
  const { data: after } = await api.read<typeof before>('/reporting/journal/accounts');
  expect(after).toEqual({ ...before, cash: { ...before.cash, name: 'Assets:Till' }, checks: { ...before.checks, name: 'Assets:Checks' } });
});

test('saves a journal for Xero as one file for each currency @full', async ({ signedIn: page, service, faults }) => {
  // The refusal of one file for all currencies lists them.
  faults.expect(/status of 400 .*format=xero/);
  const api = await ApiSession.open(service);
  const { transactionId } = await api.sell({ amount: '12.30' });
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' };
  await api.post('/transactions', { type: 'sale', amount: '8.40', currency: 'EUR', card, billing: { zip: '04101' } });
  const { data: payment } = await api.read<{ createdAt: string }>(`/transactions/${transactionId}`);
  const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(payment.createdAt)).slice(0, 7);
  await page.goto(`/#/reconciliation/close/${month}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Export journal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export journal' });
  const files: string[] = [];
  page.on('download', (download) => files.push(download.suggestedFilename()));
  await dialog.getByRole('button', { name: 'Export journal' }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(() => files)
    .toEqual([expect.stringMatching(/^journal-.*EUR.*\.csv$/), expect.stringMatching(/^journal-.*USD.*\.csv$/)]);
  await api.post('/reporting/journal/exports', { startDate: `${month}-01`, endDate: `${month}-28`, currency: 'EUR' });
  await page.reload();
  await expect(page.getByRole('table', { name: 'Journal exports' }).getByRole('row').nth(1)).toContainText('All entries, EUR');
});
