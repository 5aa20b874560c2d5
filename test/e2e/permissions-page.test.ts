import { expect, test } from './fixtures.ts';

test('the page of permissions finds routes by text and by caller', async ({ page, service }) => {
  await page.goto(`${service.baseUrl}/docs/permissions`);
  const rows = page.locator('#permissions tbody tr:visible');
  const all = await rows.count();
  expect(all).toBeGreaterThan(400);
  await expect(page.getByRole('status')).toHaveText(`${all} of ${all} routes`);

  await page.getByLabel('Route or permission').fill('transactions/{id}/refund post');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Caller').selectOption('viewer');
  await expect(rows).toHaveCount(0);
  await page.getByLabel('Caller').selectOption('cashier');
  await expect(rows).toHaveCount(2);

  await page.getByLabel('Route or permission').fill('api-keys:write');
  await expect(rows).toHaveCount(0);
  await page.getByLabel('Caller').selectOption('admin');
  await rows.getByRole('link', { name: 'POST /api/v1/api-keys' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('API key');
});
