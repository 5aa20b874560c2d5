import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { InvoicesPage } from './pages/invoices-page.ts';

interface LinkRecord {
  readonly url: string;
  readonly amount: number;
  readonly askForTip: string;
}

test('creates a payment link that asks for a tip although the settings do not @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const invoices = new InvoicesPage(page);
  await invoices.open('?tab=links');
  await page.keyboard.press('l');
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.type('53.17');
  const tip = page.getByRole('combobox', { name: 'Tip on the pay page' });
  await expect(tip).toHaveText('As in the settings (not asked for)');
  await tip.press('Enter');
  await page.getByRole('option', { name: 'Ask for a tip', exact: true }).press('Enter');
  await expect(tip).toHaveText('Ask for a tip');
  await page.getByLabel('Amount, USD', { exact: true }).press('Enter');
  const created = page.getByRole('dialog', { name: 'Payment link created' });
  await created.getByRole('button', { name: 'View link' }).click();
  await expect(invoices.drawer).toContainText('TipAsked for on the pay page');
  const { data } = await api.read<LinkRecord[]>('/invoices?kind=link&limit=200');
  const link = data.find(({ amount }) => amount === 53.17);
  expect(link?.askForTip).toBe('yes');
  await page.goto(link?.url ?? '');
  await expect(page.getByLabel('No tip')).toBeVisible();
});
