import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

interface Merchant {
  readonly merchantId: string;
}

test('finds a setting by a word of its page, by keys alone', async ({ signedIn: page }) => {
  await page.goto('/#/settings/profile');
  const search = page.getByRole('searchbox', { name: 'Search settings' });
  const found = page.getByRole('list', { name: 'Found settings' }).getByRole('link');
  await search.fill('duplicate');
  await expect(found).toHaveText(['Duplicate windowFraud']);
  await search.press('Enter');
  await expect(page.getByLabel('Duplicate window', { exact: true })).toBeFocused();
  await search.fill('smtp');
  await expect(found).toHaveText(['Email and texts']);
  await search.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Email and texts', level: 1 })).toBeVisible();
  await search.fill('zebra');
  await expect(page.getByText('No setting matches “zebra”.')).toBeVisible();
  await search.press('Escape');
  await expect(page.getByRole('link', { name: 'Fraud', exact: true })).toBeVisible();
});

test('shows durations in the unit that people use, and saves them in another one', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const [merchant] = (await api.read<Merchant[]>('/merchants')).data;
  const path = `/merchants/${merchant?.merchantId}/fraud-settings`;
  const saved = async () => (await api.read<{ duplicateWindowSeconds: number }>(path)).data.duplicateWindowSeconds;
  const before = await saved();
  await api.put(path, { duplicateWindowSeconds: 300 });
  await page.goto('/#/settings/fraud');
  const field = page.getByLabel('Duplicate window', { exact: true });
  const unit = page.getByRole('combobox', { name: 'Unit of Duplicate window' });
  await expect(field).toHaveValue('5');
  await expect(unit).toHaveText('minutes');
  await field.fill('90');
  await expect(unit).toHaveText('minutes');
  await unit.press('Enter');
  await page.getByRole('option', { name: 'seconds' }).click();
  await expect(field).toHaveValue('90');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Saved. Applies from the next payment.').first()).toBeVisible();
  expect(await saved()).toBe(90);
  await api.put(path, { duplicateWindowSeconds: before });
});

test('saves a list that is typed, pasted and shortened by keys @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const [merchant] = (await api.read<Merchant[]>('/merchants')).data;
  const path = `/merchants/${merchant?.merchantId}/dunning-settings`;
  const saved = async () => (await api.read<{ retryIntervalsDays: number[] }>(path)).data.retryIntervalsDays;
  const before = await saved();
  await page.goto('/#/settings/dunning');
  const days = page.getByLabel('Days until each retry');
  await expect(days).toBeVisible();
  for (const _ of before) await days.press('Backspace');
  await days.pressSequentially('2,4 ');
  await days.press('Backspace');
  await days.pressSequentially('6 9');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('No changes')).toBeVisible();
  expect(await saved()).toEqual([2, 6, 9]);
  await api.put(path, { retryIntervalsDays: before });
});

test('shows the choice of a setting that has no value @full', async ({ signedIn: page }) => {
  await page.goto('/#/settings/terminal');
  await expect(page.getByRole('combobox', { name: 'Round cash to' })).toHaveText('Exact amounts');
});

test('restores an archived item with Undo @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { itemId } = await api.post<{ itemId: string }>('/items', { name: 'Plum cake', price: '5.20' });
  const status = async () => (await api.read<{ status: string }>(`/items/${itemId}`)).data.status;
  await page.goto('/#/settings/items');
  await page.getByRole('button', { name: 'Plum cake', exact: true }).click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText('Plum cake archived')).toBeVisible();
  expect(await status()).toBe('archived');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(status).toBe('active');
});

test('opens the guide of the open page, which this server serves', async ({ signedIn: page, service }) => {
  await page.goto('/#/recurring/installments');
  const help = page.getByRole('link', { name: 'Help for this page' });
  await expect(help).toHaveAttribute('href', '/docs/guides/installments#on-the-screen');
  await page.goto('/#/cash');
  await expect(help).toHaveAttribute('href', '/docs/guides/cash#on-the-screen');
  expect(await (await fetch(`${service.baseUrl}/docs/guides/cash`)).text()).toContain('id="on-the-screen"');
  await page.goto('/#/settings/fraud');
  await expect(help).toHaveAttribute('href', '/docs/guides/routing-and-fraud');
});
