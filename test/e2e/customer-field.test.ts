import { expect, test } from './fixtures.ts';

/** Forms in which a customer is chosen, each with the key that opens the field. */
const FORMS = [
  { name: 'a sale', path: 'sell', key: 'F4', field: 'Customer on file', tag: '' },
  { name: 'an invoice', path: 'invoices/new', key: undefined, field: 'Customer', tag: ' @full' },
  { name: 'a subscription', path: 'recurring?new=1', key: undefined, field: 'Customer', tag: ' @full' },
] as const;

for (const { name, path, key, field: label, tag } of FORMS)
  test(`adds the customer of ${name} where the customer is chosen, by keyboard${tag}`, async ({ signedIn: page, strokes }) => {
    await page.goto(`/#/${path}`);
    const field = page.getByRole('combobox', { name: label });
    await expect(field).toBeVisible();
    if (key) await page.keyboard.press(key);
    await expect(field).toBeFocused();
    await strokes.reset();
    const lastName = `Quill${path.slice(0, 3)}`;
    await page.keyboard.type(`Zora ${lastName}`);
    await expect(page.getByRole('option', { name: `New customer “Zora ${lastName}”` })).toBeVisible();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New customer' });
    await expect(dialog.getByLabel('First name')).toBeFocused();
    await expect(dialog.getByLabel('Last name')).toHaveValue(lastName);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(field).toHaveValue(`Zora ${lastName}`);
    expect(strokes.clicks()).toBe(0);
  });
