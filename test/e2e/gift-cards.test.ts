import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('gives a gift card, blocks it and replaces it, by keyboard only', async ({ signedIn: page }) => {
  await page.goto('/#/gift-cards');
  await expect(page.getByRole('button', { name: 'Give gift card' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Amount, USD')).toBeFocused();
  await page.keyboard.type('25');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Late delivery');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It can’t be shown again.')).toBeVisible();
  const code =
    (await page
      .locator('.mono')
      .filter({ hasText: /^(\w{4}-){3}\w{4}$/ })
      .textContent()) ?? '';
  const row = page.getByRole('row', { name: new RegExp(`${code.slice(-4)}.*25\\.00`) });
  await expect(row).toBeVisible();
  await expectAccessible(page, 'gift cards');

  await row.getByRole('gridcell').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /25\.00/ })).toBeFocused();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Unblock card' })).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It can’t be shown again.')).toHaveCount(2);
  await expect(page.getByRole('listitem').filter({ hasText: 'Moved to another card' })).toBeVisible();
  await expectAccessible(page, 'a replaced gift card');
});
