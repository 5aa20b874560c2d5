import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { InvoicesPage, newCustomer, record } from './pages/invoices-page.ts';

test('writes the tax and the purchase order of an invoice, and refuses a tax above the amount @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { customerId } = await newCustomer(api);
  const invoices = new InvoicesPage(page);
  await page.goto(`/#/invoices/new?customerId=${customerId}`);
  await invoices.cell(1, 'description').fill('Shelves');
  await invoices.cell(1, 'price').fill('108.25');
  const tax = page.getByLabel('Tax within the amount (optional)');
  await tax.fill('200');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('The tax is more than the amount of the lines.')).toBeVisible();
  await expect(tax).toBeFocused();
  await tax.fill('8.25');
  await page.getByLabel('Purchase order number (optional)').fill('PO-4711');
  await expect(invoices.preview).toContainText('Tax included8.25');
  await expect(invoices.preview).toContainText('Purchase order PO-4711');
  await page.keyboard.press('Control+s');
  await expect(invoices.drawer).toContainText('Not sent yet.');
  const id = { invoiceId: page.url().split('/').at(-1) ?? '' };
  expect(await record(api, id)).toMatchObject({ taxAmount: 8.25, purchaseOrderNumber: 'PO-4711' });
  await page.keyboard.press('e');
  await expect(tax).toHaveValue('8.25');
  await tax.fill('');
  await page.getByLabel('Purchase order number (optional)').fill('');
  await page.keyboard.press('Control+s');
  await expect(invoices.drawer).toContainText('Not sent yet.');
  expect(await record(api, id)).toMatchObject({ taxAmount: 0, purchaseOrderNumber: null });
});
