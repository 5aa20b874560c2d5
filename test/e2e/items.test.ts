import { expect, test } from './fixtures.ts';
import { swipe } from './pages/card-reader.ts';

test('adds an item in Settings and sells it by key and by scanner, by keyboard', async ({ signedIn: page }) => {
  await page.keyboard.press('F2');
  await expect(page.getByRole('textbox', { name: 'Amount', exact: true })).toBeFocused();
  await expect(page.getByRole('group', { name: 'Items' })).toHaveCount(0);

  await page.goto('/#/settings/items');
  await expect(page.getByText('No items yet')).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Flat white');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4.50');
  await page.keyboard.press('Tab');
  await page.keyboard.type('8.875');
  await page.getByLabel('Key (optional)').focus();
  await page.keyboard.type('fw');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4006381333931');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /Flat white.*\+8\.875%.*FW/ })).toBeVisible();

  await page.keyboard.press('F2');
  const amount = page.getByRole('textbox', { name: 'Amount', exact: true });
  await expect(page.getByRole('group', { name: 'Items' })).toBeVisible();
  await expect(amount).toBeFocused();
  await page.keyboard.press('Control+i');
  await page.keyboard.type('2*fw');
  await page.keyboard.press('Enter');
  await expect(amount).toHaveValue('9.80');
  // A scanner types faster than a person, whatever has the focus.
  await page.getByLabel('Card number').focus();
  await swipe(page, '4006381333931');
  await expect(amount).toHaveValue('14.70');
  await expect(page.getByLabel('Card number')).toHaveValue('');
  await expect(page.getByLabel('Quantity of Flat white')).toHaveValue('3');

  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('14.70');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Lines of the sale' })).toHaveCount(0);
  await page.goto('/#/cash');
  await page.getByRole('row', { name: /14\.70/ }).click();
  await expect(page.getByRole('list', { name: 'Items' })).toContainText('Flat white, 3 × 4.50, with tax 1.20');
});
