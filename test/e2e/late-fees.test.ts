import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { InvoicesPage, newInvoice } from './pages/invoices-page.ts';

const DAY_MS = 86_400_000;

/** Returns the path for the merchant of the screens; other tests create merchants. */
async function pathOf(api: ApiSession): Promise<string> {
  const { data: me } = await api.read<{ readonly merchants: { readonly merchantId: string }[] }>('/auth/me');
  return `/merchants/${me.merchants[0]?.merchantId}/late-fee-settings`;
}

/** Other tests of this service have unpaid invoices. */
test.afterEach(async ({ service }) => {
  const api = await ApiSession.open(service);
  await api.put(await pathOf(api), { enabled: false });
});

test('switches late fees on with a preview, and reverses one, by keyboard', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { data: clock } = await api.read<{ readonly now: string }>('/sandbox/clock');
  const after = (days: number) => new Date(Date.parse(clock.now) + days * DAY_MS).toISOString();
  await api.put(await pathOf(api), { graceDays: 0, percent: 5 });
  const invoice = await newInvoice(api, { dueDate: after(1).slice(0, 10) });
  await page.goto('#/settings/late-fees');
  await expect(page.getByRole('table', { name: 'Calendar of the late fees' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Charged first' })).toHaveCount(0);
  await page.getByRole('switch', { name: 'Charge late fees' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('list', { name: 'Charged first' }).getByRole('link', { name: invoice.number })).toBeVisible();
  await expectAccessible(page, 'settings');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved. Applies to fees that are charged from now on.')).toBeVisible();
  await api.post('/sandbox/clock', { now: after(4) });

  await new InvoicesPage(page).openOne(invoice.invoiceId);
  const fees = page.getByRole('region', { name: 'Late fees' });
  await expect(fees.getByRole('list', { name: 'Charged late fees' }).getByRole('listitem')).toHaveCount(1);
  await fees.getByRole('button', { name: 'Reverse' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await page.keyboard.type('Agreed with Ann');
  await page.keyboard.press('Enter');
  await expect(fees.getByText(/^Reversed by .+: Agreed with Ann$/)).toBeVisible();
  await expect(fees.getByRole('button', { name: 'Reverse' })).toHaveCount(0);
  await fees.getByRole('button', { name: 'Exempt from late fees' }).press('Enter');
  await expect(fees.getByRole('status')).toContainText('This invoice is charged no late fees.');
  await expectAccessible(page, 'invoice');
});
