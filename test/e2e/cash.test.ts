import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { openMerchantApi } from './pages/merchant-api.ts';
import { SellPage } from './pages/sell-page.ts';
import { actOn, expectRefused } from './record-actions.ts';

test('takes cash in five keys, then counts the drawer blind and explains the variance, by keyboard', async ({
  signedIn: page,
  strokes,
  faults,
}) => {
  faults.expect(/422/);
  await page.keyboard.press('F2');
  await expect(page.getByRole('textbox', { name: 'Amount', exact: true })).toBeFocused();
  await page.keyboard.type('42.50');
  await strokes.reset();
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.type('50');
  await expect(page.locator('output')).toContainText('7.50');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/7\.50/);
  await page.keyboard.press('Enter');
  await expect.poll(() => strokes.keys()).toBe(5);
  await expect(page.getByRole('textbox', { name: 'Amount', exact: true })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Amount', exact: true })).toHaveValue('');

  await page.goto('/#/cash?tab=shifts');
  await expect(page.getByRole('button', { name: 'Open shift' })).toBeVisible();
  await page.keyboard.press('o');
  await expect(page.getByLabel('Counted cash, USD')).toBeFocused();
  await page.keyboard.type('200');
  await expect(page.locator('[data-counted]')).toContainText('200.00');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Drawer 1' })).toContainText('Open since');
  await page.keyboard.press('u');
  await expect(page.getByRole('dialog').locator('input:focus')).toBeVisible();
  await page.keyboard.type('200.01');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Milk');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Drawer 1 holds 200.00 USD. Put cash in first, or take less.');
  await page.getByRole('dialog').getByLabel('Amount, USD').fill('12');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+o');
  await expect(page.getByRole('dialog', { name: 'Open Drawer 1 without a sale' })).toBeVisible();
  await expect(page.getByRole('dialog').getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('Change for the meter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText('Opening of Drawer 1 recorded')).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog')).not.toContainText('188');
  await expect(page.getByLabel('100.00 ×')).toBeFocused();
  await page.keyboard.type('2');
  await page.getByLabel('0.01 ×').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-variance]')).toContainText('12.00');
  await page.keyboard.type('Milk was paid from the safe');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /Drawer 1/ });
  await expect(row).toContainText('12.00');
  // A slip in the float of the next shift is noticed.
  await page.keyboard.press('o');
  await page.keyboard.type('1000');
  await expect(page.getByText(/more than five times the last float/)).toBeHidden();
  await page.keyboard.type('0');
  await expect(page.getByText('This is more than five times the last float of 200.00 USD.')).toBeVisible();
  await page.keyboard.press('Escape');
  expect(strokes.clicks()).toBe(0);
  await row.click();
  await expect(page.getByText('Change for the meter')).toBeVisible();
  await page.getByRole('button', { name: 'Print Z report' }).click();
  await expect(page.getByText('Shift report sent to the printer')).toBeVisible();

  // The list of transactions and Home show the cash sale beside card payments.
  await page.goto('/#/transactions?paymentMethod=cash');
  await page.getByRole('row', { name: /42\.50.*Cash/ }).click();
  await expect(page.getByRole('dialog', { name: 'Payment' })).toContainText('T-0000');
  await page.goto('/#/home');
  await expect(page.getByRole('list', { name: 'Latest payments' }).getByRole('link', { name: 'Cash' })).toBeVisible();
});

test('names a shift that was left open on an earlier day at the next sign-in, until it is closed @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { shiftId } = await api.post<{ shiftId: string }>('/shifts/open', { drawer: 'Night bar', amount: 50 });
  await page.reload();
  await expect(page.getByText(/Your shift at Night bar is open since/)).toBeVisible();
  await api.post('/sandbox/clock', { advanceSeconds: 86_400 });
  await page.reload();
  const banner = page.locator('#desk').getByText(/The shift at Night bar is open since/);
  await expect(banner).toBeVisible();
  await page.getByRole('link', { name: 'Count and close it' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Shift' })).toContainText('Night bar');
  await api.post(`/shifts/${shiftId}/close`, { amount: 50 });
  await expect(banner).toBeHidden();
});

test('shows the card payments of the drawer of the workstation in its shift @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  await page.evaluate(() => {
    localStorage.setItem('paydesk.workstation', JSON.stringify({ state: { drawer: 'Wine bar' }, version: 1 }));
  });
  await page.reload();
  const { shiftId } = await api.post<{ shiftId: string }>('/shifts/open', { drawer: 'Wine bar', amount: 10 });
  const sell = new SellPage(page, service);
  await sell.open();
  await sell.sell({ amount: '61.37' });
  await expect(sell.approved).toBeVisible();
  await page.goto('/#/cash?tab=my-shift');
  const last = page.getByRole('list', { name: 'Last payments of this shift' }).getByRole('listitem');
  await expect(last).toHaveCount(1);
  await expect(last).toContainText('61.37');
  await expect(last.getByRole('button', { name: /^Print receipt/ })).toBeVisible();
  await last.getByRole('link', { name: /^Refund/ }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Transaction' }).getByLabel('Amount')).toBeFocused();
  await page.goto('/#/cash?tab=shifts');
  await page.getByRole('row', { name: /Wine bar/ }).click();
  const shift = page.getByRole('dialog', { name: 'Shift' });
  await expect(shift).toContainText('Card sales61.37 USD (1)');
  await expect(shift).toContainText('Visa61.37 USD');
  await expect(shift).toContainText('Net sales61.37 USD');
  await api.post(`/shifts/${shiftId}/close`, { amount: 10 });
  await expect(shift).toContainText('Z report');

  // The list of the payments of the shift, and its name in the details of a payment.
  await page.keyboard.press('l');
  await expect(page.getByRole('button', { name: /^Shift: Z report \d+: Wine bar$/ })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/transactions\\?shiftId=${shiftId}`));
  const rows = page.getByRole('grid', { name: 'Transactions' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await rows.nth(1).click();
  const payment = page.getByRole('dialog', { name: 'Transaction' });
  await expect(payment.getByRole('link', { name: /^Z report \d+: Wine bar$/ })).toHaveAttribute('href', new RegExp(`shiftId=${shiftId}$`));
  await payment.getByRole('link', { name: 'Shift report' }).click();
  await expect(page.getByRole('dialog', { name: 'Shift' })).toContainText('Wine bar');

  // Without a shift, the person still reprints and refunds.
  await page.goto('/#/cash?tab=my-shift');
  const own = page.getByRole('list', { name: 'Your last payments today' }).getByRole('listitem').filter({ hasText: '61.37' });
  await expect(own.getByRole('link', { name: /^Refund/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open shift' })).toBeVisible();
});

test('records a tax that is typed for a cash sale @full', async ({ signedIn: page, service }) => {
  const merchant = await openMerchantApi(service);
  await merchant.change('amount-settings', { taxPercent: 10 });
  try {
    await page.reload();
    const sell = new SellPage(page, service);
    await sell.open();
    await sell.amount.fill('31.13');
    await page.getByLabel(/^Sales tax/).fill('2.04');
    await sell.amount.press('F6');
    await expect(page.getByLabel('Amount given, USD')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-change]')).toContainText('33.17');
    await page.keyboard.press('Enter');
    await page.goto('/#/cash');
    await page.getByRole('row', { name: /33\.17/ }).click();
    await expect(page.getByRole('dialog', { name: 'Payment' })).toContainText('Tax2.04');
  } finally {
    await merchant.change('amount-settings', { taxPercent: 0 });
  }
});

test('records a returned check in both lists, and its invoice is open again', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { customerId } = await api.post<{ customerId: string }>('/customers', {
    firstName: 'Ann',
    lastName: 'Marsh',
    email: 'ann@returned.example',
  });
  const { invoiceId } = await api.post<{ invoiceId: string }>('/invoices', { customerId, amount: 64.21 });
  await api.post(`/invoices/${invoiceId}/payment`, { amount: 64.21, paymentMethod: 'check', reference: '1042' });
  await page.goto('/#/cash');
  await page.getByRole('row', { name: /64\.21/ }).click();
  const details = page.getByRole('dialog', { name: 'Payment' });
  await actOn(details, 'Record returned check');
  await details.getByLabel('Reason').fill('insufficient funds');
  await page.keyboard.press('Enter');
  await expect(details).toContainText('Reason for the returninsufficient funds');
  await expectRefused(details, 'Record returned check', '');
  await actOn(details, 'Print return notice');
  await expect(page.getByText('Customer copy sent to the printer')).toBeVisible();
  await details.getByRole('link', { name: invoiceId }).click();
  await expect(page.getByText('The bank returned the check: insufficient funds')).toBeVisible();
  await page.goto('/#/transactions?q=64.21');
  await expect(page.getByRole('row', { name: /64\.21/ })).toContainText('Returned');
});

test('takes and returns cash rounded to the smallest coin, by keyboard @full', async ({ signedIn: page, service }) => {
  const merchant = await openMerchantApi(service);
  try {
    await page.goto('/#/settings/terminal');
    await page.getByRole('combobox', { name: 'Round cash to' }).press('Enter');
    await page.getByRole('option', { name: '0.05 USD' }).press('Enter');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Saved').first()).toBeVisible();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('10.02');
    await page.keyboard.press('F6');
    await expect(page.getByRole('note')).toHaveText('In cash 10.00 USD (rounding −0.02 USD)');
    await page.keyboard.type('20');
    await expect(page.locator('output')).toContainText('10.00');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('group', { name: 'Cash received' })).toContainText('20.00 given for 10.00');
    await page.keyboard.press('Enter');
    await page.goto('/#/cash');
    await page.getByRole('row', { name: /10\.02/ }).click();
    await expect(page.getByRole('button', { name: 'Refund', exact: true })).toBeVisible();
    await page.keyboard.press('r');
    await expect(page.getByRole('note')).toHaveText('In cash 10.00 USD (rounding −0.02 USD)');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/rounding -0\.02 USD/)).toBeVisible();
  } finally {
    await merchant.change('vt-settings', { cashRounding: null });
  }
});
