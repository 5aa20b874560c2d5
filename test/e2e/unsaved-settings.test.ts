import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

test('a link that is clicked during a save is followed once the save ends, and asks if the save fails', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/500/);
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  for (const fails of [true, false]) {
    await page.goto('/#/settings/branding');
    await page.getByLabel('Company name').fill(`Saved late, ${fails}`);
    const held = Promise.withResolvers<void>();
    await page.route('**/branding', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      await held.promise;
      if (fails) await route.fulfill({ status: 500 });
      else await route.continue();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Transactions' }).click();
    await expect(leave).toBeHidden();
    await expect(page).toHaveURL(/settings\/branding/);
    held.resolve();
    if (!fails) break;
    await leave.getByRole('button', { name: 'Leave without saving' }).click();
    await page.unroute('**/branding');
  }
  await expect(page.getByRole('heading', { name: 'Transactions', level: 1 })).toBeVisible();
  await expect(leave).toHaveCount(0);
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ after: unknown }[]>('/audit-logs?action=branding.updated&limit=1');
  expect(data[0]?.after).toEqual({ companyName: 'Saved late, false' });
});

test('asks before an address that is typed into the browser discards unsaved changes @full', async ({ signedIn: page }) => {
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  const typeAddress = (address: string) => page.evaluate((hash) => location.assign(hash), `#/${address}`);
  await page.goto('/#/settings/branding');
  const name = page.getByLabel('Company name');
  await name.fill('Typed away');
  await expect(page.getByText('1 change', { exact: true })).toBeVisible();
  await typeAddress('customers');
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leave.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(leave).toBeHidden();
  await expect(page).toHaveURL(/settings\/branding/);
  await expect(name).toHaveValue('Typed away');
  await typeAddress('customers');
  await expect(leave).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/#\/customers/);
  expect(warnings).toEqual([]);
});
