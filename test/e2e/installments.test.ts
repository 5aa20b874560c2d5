import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

const VISA = '4111111111111111';
const DECLINING = '4000000000000002';
const CONSENT = 'I agree to the installments.';

test('starts an installment plan by keyboard, shows it to the payer, and retries a failed installment with another card @full', async ({
  signedIn: page,
  service,
  strokes,
  browser,
}) => {
  const api = await ApiSession.open(service);
  const lastName = `Installments${process.pid}x${Date.now()}`;
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: 'Nora', lastName });
  const store = (number: string) =>
    api.post(`/customers/${customerId}/payment-methods`, { card: { number, expiryMonth: '12', expiryYear: '2039' }, consentText: CONSENT });
  await store(DECLINING);
  await store(VISA);
  const { invoiceId, url } = await api.post<{ invoiceId: string; url: string }>('/invoices', { customerId, amount: '91.37' });
  await page.goto(`/#/invoices/${invoiceId}`);
  const drawer = page.getByRole('dialog').first();
  await expect(drawer.getByRole('heading', { level: 2 })).toBeFocused();

  await strokes.reset();
  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog', { name: 'Pay in installments' });
  await expect(dialog.getByRole('textbox', { name: 'Installments' })).toBeFocused();
  await expect(dialog.getByRole('row').nth(1)).toContainText('30.47');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2');
  await expect(dialog.getByRole('row').nth(1)).toContainText('45.69');
  await expectAccessible(page, 'the dialog of a new plan');
  // The default card is declined, so that the first installment waits for its retry.
  await expect(dialog.getByRole('button', { name: /^Charge .*45\.69.* now/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const section = drawer.getByRole('region', { name: 'Installments' });
  await expect(section.getByRole('alert')).toContainText('failed');
  await expect(section.getByRole('row').nth(1)).toContainText('Retrying');
  expect([strokes.clicks(), strokes.keys() <= 5]).toEqual([0, true]);
  await expectAccessible(page, 'an invoice with a plan');

  await page.keyboard.press('m');
  await expect(section.getByRole('combobox', { name: 'Payment method' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /1111/ }).press('Enter');
  await section.getByRole('button', { name: 'Change card' }).last().press('Enter');
  await expect(section.getByRole('row').nth(1)).toContainText('Paid');
  await expect(section.getByRole('alert')).toContainText('Installment 2 of');

  const payer = await browser.newPage();
  await payer.goto(url);
  await expect(payer.getByRole('heading', { name: 'Installments' })).toBeVisible();
  await expect(payer.getByText(/You can pay the rest of 45\.68 USD now\./)).toBeVisible();
  await payer.close();
  await page.goto('/#/recurring/installments');
  await expect(page.getByRole('tab', { name: 'Installment plans' })).toHaveAttribute('aria-selected', 'true');
  await page.getByLabel('Search by customer').fill(lastName);
  const rows = page.locator('[role=row][data-id]');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('1 of 2');
  // The plan opens beside the list, and the list stays.
  await rows.click();
  await expect(page).toHaveURL(/#\/recurring\/installments\/ipl_/);
  const panel = page.getByRole('dialog', { name: 'Installment plan' });
  await expect(panel.getByRole('row').nth(1)).toContainText('Paid');
  await expect(panel.getByRole('group', { name: 'Actions' })).toBeVisible();
  await expectAccessible(page, 'installment plan');
  await panel.getByRole('link', { name: 'Open invoice' }).click();
  await expect(page).toHaveURL(/#\/invoices\/inv_/);
});

test('starts an installment plan with own dates and amounts, and says what is missing @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const lastName = `Own${process.pid}x${Date.now()}`;
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: 'Nora', lastName });
  await api.post(`/customers/${customerId}/payment-methods`, {
    card: { number: VISA, expiryMonth: '12', expiryYear: '2039' },
    consentText: CONSENT,
  });
  const { invoiceId } = await api.post<{ invoiceId: string }>('/invoices', { customerId, amount: '90.00' });
  await page.goto(`/#/invoices/${invoiceId}`);
  const drawer = page.getByRole('dialog').first();
  await expect(drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog', { name: 'Pay in installments' });
  await expect(dialog.getByRole('textbox', { name: 'Installments' })).toBeFocused();
  await expect(dialog.getByRole('row').nth(3)).toContainText('30.00');
  await dialog.getByRole('combobox', { name: 'Interval' }).press('Enter');
  await page.getByRole('option', { name: 'Own dates' }).press('Enter');
  const amountOf = (number: number) => dialog.getByLabel(`Amount of installment ${number}, USD`);
  await expect(amountOf(3)).toHaveValue('30.00');
  await dialog.getByRole('button', { name: 'Remove installment 3' }).click();
  await expect(dialog.getByText('Left to plan: 30.00 USD')).toBeVisible();
  await amountOf(1).fill('20');
  await dialog.getByRole('button', { name: /^Charge / }).click();
  await expect(dialog.getByText('40.00 USD is missing.')).toBeVisible();
  await expect(amountOf(2)).toBeFocused();
  await amountOf(2).fill('70');
  await expect(dialog.getByText('Left to plan: 0.00 USD')).toBeVisible();
  await expectAccessible(page, 'the dialog of a plan with own dates');
  await dialog.getByRole('button', { name: 'Charge 20.00 USD now' }).click();
  await expect(dialog).toBeHidden();
  const section = drawer.getByRole('region', { name: 'Installments' });
  await expect(section.getByRole('row').nth(1)).toContainText('20.00');
  await expect(section.getByRole('row').nth(1)).toContainText('Paid');
  await expect(section.getByRole('row').nth(2)).toContainText('70.00');
});
