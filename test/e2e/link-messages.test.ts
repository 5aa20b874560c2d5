import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { InvoicesPage } from './pages/invoices-page.ts';

test('sends a new payment link by email and text message, after it said that the link opens on this computer only', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const invoices = new InvoicesPage(page);
  await invoices.open('?tab=links');
  await page.keyboard.press('l');
  await page.getByLabel('Amount, USD', { exact: true }).fill('46.25');
  const dialog = page.getByRole('dialog', { name: 'New payment link' });
  await dialog.getByRole('checkbox', { name: 'Send by email' }).check();
  await dialog.getByRole('checkbox', { name: 'Send by text message' }).check();
  await dialog.getByRole('button', { name: 'Create and send link for 46.25 USD' }).click();
  await expect(dialog.getByText('Enter an email address.')).toBeVisible();
  await expect(dialog.getByText('Enter a phone number.')).toBeVisible();
  await expect(dialog.getByLabel('Payer’s email', { exact: true })).toBeFocused();
  await dialog.getByLabel('Payer’s email', { exact: true }).fill('link-payer@customer.example');
  await dialog.getByLabel('Payer’s phone', { exact: true }).fill('+1 (207) 555-0188');
  await expect(dialog.getByText('This link opens only on this computer.')).toBeVisible();
  await expectAccessible(page, 'the new payment link');
  await page.keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'Payment link created' });
  await expect(made.getByText(/for link-payer@customer\.example and \+1 \(207\) 555-0188 waits in the outbox/)).toBeVisible();
  await expect(invoices.announcement).toHaveText('Payment link created. Its message is in the outbox.');
  const { data: messages } = await api.read<{ to: string; channel: string; body: string }[]>('/notifications/messages?kind=link&limit=200');
  const mine = messages.filter(({ to }) => to === 'link-payer@customer.example' || to === '+12075550188');
  expect(mine.map(({ channel }) => channel).toSorted()).toEqual(['email', 'sms']);
  for (const { body } of mine) expect(body).toContain('46.25 USD');
});
