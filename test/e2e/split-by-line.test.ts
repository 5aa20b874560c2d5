import { expect, test } from './fixtures.ts';
import { type Order, read } from './orders.ts';
import { SellPage } from './pages/sell-page.ts';

const DISHES = [
  { description: 'Soup', unitPrice: 8 },
  { description: 'Pasta', unitPrice: 22 },
  { description: 'Wine', unitPrice: 45 },
];

test('marks the lines that guests have paid, also after a reload, by keyboard', async ({ signedIn: page, service }) => {
  const { orderId } = await read<Order>(page, service, '/orders', { lineItems: DISHES, name: 'Table 31' });
  await read(page, service, `/orders/${orderId}/park`, {});
  const sell = new SellPage(page, service);
  const resume = async () => {
    await sell.open();
    await page.keyboard.press('Control+Shift+o');
    await page.getByRole('button', { name: 'Resume Table 31' }).press('Enter');
  };
  await resume();
  const remaining = page.locator('[data-remaining]');
  const lines = page.getByRole('group', { name: 'Lines of the next payment' });
  const box = (name: string) => lines.getByRole('checkbox', { name });
  await box('Soup, 8.00 USD').press('Space');
  await expect(sell.amount).toHaveValue('8.00');
  await box('Pasta, 22.00 USD').press('Space');
  await expect(sell.amount).toHaveValue('30.00');
  // More than the lines is a part of the whole sale, and less is a part of the lines.
  await sell.amount.selectText();
  await page.keyboard.type('31');
  await expect(box('Soup, 8.00 USD')).not.toBeChecked();
  await sell.amount.selectText();
  await page.keyboard.type('30');
  await expect(box('Soup, 8.00 USD')).toBeChecked();
  await box('Pasta, 22.00 USD').press('Space');
  await expect(sell.amount).toHaveValue('8.00');
  await expect(sell.amount).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/8\.00/);
  await page.keyboard.press('Enter');
  await expect(remaining).toHaveText(/67\.00/);
  await expect(lines).toContainText(/Soup, 8\.00 USD\s*Paid: Cash, T-\d+/);
  await expect(box('Soup')).toHaveCount(0);
  await expect(box('Pasta, 22.00 USD')).not.toBeChecked();
  await page.reload();
  await resume();
  await expect(lines).toContainText(/Soup, 8\.00 USD\s*Paid: Cash, T-\d+/);
  await expect(box('Soup')).toHaveCount(0);
  // A prepaid card pays a part of the wine, and the rest stays payable.
  await box('Wine, 45.00 USD').press('Space');
  await expect(sell.amount).toHaveValue('45.00');
  await expect(sell.amount).toBeFocused();
  await sell.amount.selectText();
  await sell.sell({ amount: '45', card: '5105100000003005' });
  await expect(sell.approved).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next payment' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(remaining).toHaveText(/37\.00/);
  await expect(lines).toContainText(/Wine, 15\.00 USD of 45\.00 USD\s*Paid in part: Mastercard ••3005/);
  // Another till pays the pasta while this one has it checked.
  await box('Pasta, 22.00 USD').press('Space');
  await expect(sell.amount).toHaveValue('22.00');
  await read(page, service, '/tenders', { kind: 'cash', amount: 22, orderId, orderLines: [1] });
  await expect(lines).toContainText(/Pasta, 22\.00 USD\s*Paid: Cash, T-\d+/);
  await expect(sell.amount).toHaveValue('15.00');
  await box('Wine, 15.00 USD of 45.00 USD').press('Space');
  await expect(sell.amount).toHaveValue('15.00');
  await expect(sell.amount).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The sale is paid in full.')).toBeVisible();
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({
    status: 'paid',
    payments: [
      { kind: 'cash', lines: [{ line: 0, amount: 8 }] },
      { kind: 'card', lines: [{ line: 2, amount: 30 }] },
      { kind: 'cash', lines: [{ line: 1, amount: 22 }] },
      { kind: 'cash', lines: [{ line: 2, amount: 15 }] },
    ],
  });
});
