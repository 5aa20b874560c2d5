import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { InvoicesPage, newInvoice } from './pages/invoices-page.ts';

const DAY_MS = 86_400_000;

/** Returns the day after some days, by the clock of the service, which other tests move. */
async function dayAfter(api: ApiSession, days: number): Promise<string> {
  const { data } = await api.read<{ readonly now: string }>('/sandbox/clock');
  return new Date(Date.parse(data.now) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the merchant of the screens; other tests create merchants. */
async function merchantOf(api: ApiSession) {
  const { data: me } = await api.read<{ readonly merchants: { readonly merchantId: string; readonly timezone: string }[] }>('/auth/me');
  return me.merchants[0];
}

/** Returns the local day of the merchant. */
async function todayOf(api: ApiSession): Promise<string> {
  const { data: clock } = await api.read<{ readonly now: string }>('/sandbox/clock');
  const timeZone = (await merchantOf(api))?.timezone;
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(Date.parse(clock.now));
}

const pathOf = async (api: ApiSession) => `/merchants/${(await merchantOf(api))?.merchantId}/reminder-settings`;

/** Other tests of this service send invoices. */
test.afterEach(async ({ service }) => {
  const api = await ApiSession.open(service);
  await api.put(await pathOf(api), { enabled: false });
});

test('previews reminders before they are switched on, and stops them by a promise and by hand', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  // Reminded before the invoices of other tests, so that it is among the first.
  const invoice = await newInvoice(api, { dueDate: await dayAfter(api, 4) });
  await page.goto('#/settings/reminders');
  await expect(page.getByRole('table', { name: 'Calendar of the reminders' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Reminded first' })).toHaveCount(0);
  await page.getByRole('switch', { name: 'Send reminders' }).check();
  await expect(page.getByRole('list', { name: 'Reminded first' }).getByRole('link', { name: invoice.number })).toBeVisible();
  await page.getByRole('button', { name: 'Español' }).click();
  await expect(page.getByRole('list', { name: 'Texts of the reminders' })).toContainText('está vencida');
  await expectAccessible(page, 'settings');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved. Applies to reminders that are sent from now on.')).toBeVisible();

  await new InvoicesPage(page).openOne(invoice.invoiceId);
  const reminders = page.getByRole('region', { name: 'Reminders' });
  await expect(reminders.getByRole('status')).toContainText('Next reminder:');
  await reminders.getByRole('button', { name: 'Record promise to pay' }).click();
  await page.getByRole('textbox', { name: 'Promised by' }).fill('Ann Marsh');
  await page.keyboard.press('Enter');
  await expect(reminders.getByText(/^Ann Marsh promised to pay by/)).toBeVisible();
  await expect(reminders.getByRole('status')).toContainText('No reminder is sent until');
  await reminders.getByRole('button', { name: 'End reminders' }).click();
  await expect(reminders.getByRole('status')).toContainText('Reminders were ended by');
  await expectAccessible(page, 'invoice');

  await api.put(`/invoices/${invoice.invoiceId}/promise`, { date: await todayOf(api), by: 'Ann Marsh' });
  await page.goto('#/invoices?tab=to_do');
  await expect(page.getByRole('tab', { name: 'To do', selected: true })).toBeVisible();
  await expect(page.getByRole('row', { name: invoice.number }).locator('[data-field=promise]')).toHaveText(/ by Ann Marsh$/);
  await expectAccessible(page, 'invoices to do');
});
