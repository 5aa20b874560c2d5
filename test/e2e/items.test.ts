import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { swipe } from './pages/card-reader.ts';
import { InvoicesPage } from './pages/invoices-page.ts';
import { SellPage } from './pages/sell-page.ts';

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
  const total = page.locator('[data-total]');
  await expect(page.getByRole('group', { name: 'Items' })).toBeVisible();
  await expect(amount).toBeFocused();
  await page.keyboard.press('Control+i');
  await expect(page.getByRole('textbox', { name: 'Item', exact: true })).toBeFocused();
  await page.keyboard.type('2*fw');
  await page.keyboard.press('Enter');
  await expect(total).toHaveText('Total9.80');
  // A scanner types faster than a person, whatever has the focus.
  await page.getByLabel('Card number').focus();
  await swipe(page, '4006381333931');
  await expect(total).toHaveText('Total14.70');
  await expect(page.getByLabel('Card number')).toHaveValue('');
  await expect(page.getByLabel('Quantity of Flat white')).toHaveValue('3');

  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'New sale' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Lines of the sale' })).toHaveCount(0);
  await page.goto('/#/cash');
  await page.getByRole('row', { name: /14\.70/ }).click();
  await expect(page.getByRole('list', { name: 'Items' })).toContainText('Flat white, 3 × 4.50, with tax 1.20');
});

test('imports items, and fills lines of payment links, invoices and the report from them @full', async ({
  signedIn: page,
  service,
  faults,
}) => {
  const file = (lines: string) => ({ name: 'items.csv', mimeType: 'text/csv', buffer: Buffer.from(`name,price,taxRate,key\n${lines}\n`) });
  await page.goto('/#/settings/items');
  await page.getByRole('button', { name: 'Import CSV' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import items' });
  await dialog.getByLabel('File of items').setInputFiles(file('Nitro brew,4.75,8,NB\nPlain bagel,two,,PB'));
  await expect(dialog.getByRole('list', { name: 'Lines with errors' })).toContainText('Line 3 (Plain bagel)');
  const preview = dialog.getByRole('region', { name: 'First rows of the file' });
  await expect(preview.getByRole('row', { name: '2 Nitro brew 4.75 USD 8%, added NB' })).toBeVisible();
  await expect(preview.getByRole('row', { name: '3 Plain bagel `two` is not a price.' })).toBeVisible();
  const square = 'Token,Item Name,Variation Name,SKU,Price,Tax - City (8%)\nA,Nitro brew,Regular,N1,$4.75,Y\nB,Gift wrap,,,variable,N\n';
  await dialog.getByLabel('File of items').setInputFiles({ name: 'square.csv', mimeType: 'text/csv', buffer: Buffer.from(square) });
  await expect(dialog.getByRole('status')).toContainText('The file is an export of Square.');
  await expect(dialog.getByRole('status')).toContainText('Columns not read: Token, SKU');
  await expect(dialog.getByRole('list', { name: 'Lines that are skipped' })).toContainText('Gift wrap');
  const own = (lines: string) => ({
    name: 'lager.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Ware;Kosten;MwSt;Kürzel;EK\n${lines}\n`),
  });
  await dialog.getByLabel('File of items').setInputFiles(own('Nitro brew;4,75;8;NB;1,00\nPlain bagel;2,25;;PB;0,50'));
  faults.expect(/status of 400/);
  await expect(dialog.getByText('Choose the columns of the file.')).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'Key' })).toHaveText('Kürzel');
  await expectAccessible(page, 'the columns of a file of items');
  for (const [field, column] of [
    ['Name', 'Ware'],
    ['Price', 'Kosten'],
  ] as const) {
    await dialog.getByRole('combobox', { name: field }).press('Enter');
    await page.getByRole('option', { name: column }).press('Enter');
  }
  await expect(preview.getByRole('row', { name: '3 Plain bagel 2.25 USD none PB' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Import items' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 items added, 0 changed')).toBeVisible();
  await expect(page.getByRole('row', { name: /Nitro brew.*NB/ })).toBeVisible();
  await page.getByRole('button', { name: 'Import CSV' }).press('Enter');
  // The columns of the same header are remembered.
  await dialog.getByLabel('File of items').setInputFiles(own('Nitro brew;4,50;8;NB;1,00'));
  await expect(dialog.getByRole('list', { name: 'Changes of items' })).toContainText('Line 2 (Nitro brew): price 4.75 → 4.5');
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');

  await page.goto('/#/invoices?tab=links');
  await expect(page.getByRole('button', { name: 'New payment link' }).first()).toBeVisible();
  await page.keyboard.press('l');
  await expect(page.getByRole('textbox', { name: 'Amount, USD' })).toBeFocused();
  await page.getByRole('button', { name: 'Enter lines instead of an amount' }).press('Enter');
  const invoices = new InvoicesPage(page);
  await expect(invoices.cell(1, 'description')).toBeFocused();
  await page.keyboard.type('nb');
  await page.keyboard.press('Enter');
  await expect(invoices.cell(1, 'price')).toHaveValue('5.13');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(invoices.cell(2, 'description')).toBeFocused();
  await page.keyboard.type('pb');
  await page.keyboard.press('Enter');
  await expect(invoices.total).toContainText('12.51');
  await page.getByRole('button', { name: 'Create link for 12.51 USD' }).press('Enter');
  const created = page.getByRole('dialog', { name: 'Payment link created' });
  await created.getByRole('button', { name: 'View link' }).press('Enter');
  await expect(invoices.drawer).toContainText('Nitro brew');
  const [link] = (await (await ApiSession.open(service)).read<{ url: string }[]>('/invoices?kind=link&limit=1')).data;
  const response = await page.request.get(new URL(link?.url ?? '').pathname);
  const text = await response.text();
  for (const part of ['Nitro brew', '10.26', 'Plain bagel', '12.51']) expect(text).toContain(part);

  await page.goto('/#/invoices/new');
  await invoices.cell(1, 'description').focus();
  await page.keyboard.type('NB');
  await page.keyboard.press('Enter');
  await expect(invoices.cell(1, 'description')).toHaveValue('Nitro brew');
  await expect(invoices.cell(1, 'price')).toHaveValue('5.13');

  const lineItems = [{ description: 'Nitro brew', quantity: 3, unitPrice: '4.75', taxRate: 8 }];
  await (await ApiSession.open(service)).post('/tenders', { kind: 'cash', amount: '15.39', lineItems });
  await page.evaluate(() => location.assign('#/reports/items'));
  await page.getByRole('button', { name: 'Leave without saving' }).press('Enter');
  await expect(page.getByRole('row', { name: /^Nitro brew 3 .*15\.39/ })).toBeVisible();
});

test('keeps the fields and Charge in view at 1024 by 700 pixels, with lines and a notice @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  for (let number = 1; number <= 2; number += 1) await api.post('/items', { name: `Low window ${number}`, price: '1.11' });
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.goto('/#/sell');
  const sell = new SellPage(page, service);
  for (const name of ['Low window 1', 'Low window 2']) await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  // The focus moves on from an item, so that Enter does not add it again and digits are those of the card.
  await expect(sell.number).toBeFocused();
  await page.keyboard.type('4000000000000127122890104101');
  await page.keyboard.press('Enter');
  await expect(sell.declined).toBeVisible();
  for (const field of [sell.number, sell.expiry, sell.code, sell.zip, sell.charge]) await expect(field).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('list', { name: 'Lines of the sale' })).toBeInViewport();
});

test('covers no focused field at 200 % zoom @full', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  const sell = new SellPage(page);
  await sell.open();
  for (const field of [sell.amount, sell.number, sell.expiry, sell.code, sell.zip, sell.charge]) {
    await field.focus();
    const isOnTop = await field.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect(isOnTop).toBe(true);
  }
});

test('restores a removed line, and starts the next sale with a digit or an item @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  await api.post('/items', { name: 'Undone cake', price: '8.10' });
  await page.goto('/#/sell');
  const sell = new SellPage(page, service);
  const lines = page.getByRole('list', { name: 'Lines of the sale' });
  const cake = page.getByRole('button', { name: /^Undone cake/ });
  await cake.click();
  await page.getByRole('button', { name: 'One more of Undone cake' }).click();
  await expect(page.getByLabel('Quantity of Undone cake')).toHaveValue('2');
  await page.getByRole('button', { name: 'Remove Undone cake' }).press('Backspace');
  await expect(lines).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByLabel('Quantity of Undone cake')).toHaveValue('2');
  // Digits that are typed outside of a field are those of the card.
  await page.getByRole('button', { name: 'One less of Undone cake' }).click();
  await page.keyboard.type('4111111111111111122812304101');
  await page.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  await page.keyboard.type('45');
  await expect(sell.amount).toHaveValue('45');
  await page.keyboard.press('F6');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-result=recorded]')).toBeVisible();
  await cake.click();
  await expect(page.getByLabel('Quantity of Undone cake')).toHaveValue('1');
  await expect(sell.number).toBeFocused();
});

test('groups the buttons of items by category, and sums their sales @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const add = (name: string, price: string) => api.post<{ itemId: string }>('/items', { name, price });
  const beer = await add('Grouped beer', '6.10');
  await add('Grouped pin', '2.20');
  await page.goto('/#/sell');
  const items = page.getByRole('group', { name: 'Items' });
  const entry = page.getByRole('textbox', { name: 'Item', exact: true });
  const buttonOf = (name: string) => items.getByRole('button', { name: new RegExp(`^${name}`) });
  await entry.fill('Grouped');
  await expect(buttonOf('Grouped beer')).toBeVisible();
  await expect(items.getByRole('group', { name: 'Category' })).toHaveCount(0);

  await page.goto('/#/settings/items');
  await page.getByRole('button', { name: 'Grouped beer', exact: true }).click();
  await page.getByLabel('Category (optional)').fill('Grouped drinks');
  await page.getByLabel('Category (optional)').press('Enter');
  await expect(page.getByRole('row', { name: /Grouped beer.*Grouped drinks/ })).toBeVisible();
  try {
    await page.goto('/#/sell');
    await items.getByRole('button', { name: 'Grouped drinks' }).click();
    await expect(buttonOf('Grouped beer')).toBeVisible();
    await expect(buttonOf('Grouped pin')).toHaveCount(0);
    // Typing finds the items of all categories.
    await entry.fill('Grouped pin');
    await expect(buttonOf('Grouped pin')).toBeVisible();
    await entry.fill('');
    await items.getByRole('button', { name: 'Other', exact: true }).click();
    await expect(buttonOf('Grouped beer')).toHaveCount(0);
    await api.post('/tenders', { kind: 'cash', amount: '6.10', lineItems: [{ itemId: beer.itemId }] });
    await page.goto('/#/reports/items');
    await expect(page.getByRole('row', { name: /Grouped drinks.*6\.10/ })).toBeVisible();
  } finally {
    await api.put(`/items/${beer.itemId}`, { category: null });
  }
});

test('takes 10 % off an itemized sale in cash, and off one by card, by keyboard', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  await api.post('/items', { name: 'Steel chain', price: '31.30', key: 'STC' });
  await api.post('/items', { name: 'Brass bell', price: '12.20', key: 'BRB' });
  const sell = new SellPage(page, service);
  await page.goto('/#/sell');
  const item = page.getByRole('textbox', { name: 'Item', exact: true });
  const discount = page.getByRole('dialog', { name: 'Discount' });
  const addItems = async () => {
    await expect(item).toBeVisible();
    await item.focus();
    for (const [key, amount] of [
      ['stc', '31.30'],
      ['brb', '43.50'],
    ] as const) {
      await page.keyboard.type(key);
      // The item is new: the screen may load it only now.
      await expect(page.getByRole('group', { name: 'Items' }).getByTitle(key.toUpperCase())).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page.locator('[data-total]')).toHaveText(`Total${amount}`);
    }
  };
  const takeTenPercent = async () => {
    await page.keyboard.press('Control+d');
    await expect(discount.getByLabel('Discount, %')).toBeFocused();
    await page.keyboard.type('10');
    await expect(discount).toContainText('43.50 − 4.35 = 39.15');
    await page.keyboard.press('Enter');
    await expect(discount).toBeHidden();
    await expect(page.locator('[data-total]')).toHaveText('Total39.15');
  };

  await addItems();
  await takeTenPercent();
  await expect(page.getByRole('list', { name: 'Lines of the sale' })).toContainText('31.30 each, discount 3.13');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'New sale' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sell.amount).toHaveValue('');
  await expect(page.locator('[data-total]')).toHaveCount(0);

  await addItems();
  await takeTenPercent();
  await sell.number.focus();
  await expect(sell.number).toBeFocused();
  await page.keyboard.type('4111111111111111122812304101');
  await page.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();

  await page.goto('/#/cash');
  await page
    .getByRole('row', { name: /39\.15/ })
    .first()
    .click();
  const tender = page.getByRole('dialog');
  await expect(tender.getByRole('list', { name: 'Items' })).toContainText('Steel chain, discount 3.13');
  await expect(tender).toContainText('Discount4.35 USD');
  await page.goto('/#/transactions');
  await page
    .getByRole('row', { name: /39\.15.*Visa/ })
    .first()
    .click();
  const payment = page.getByRole('dialog', { name: 'Transaction' });
  await expect(payment.locator('dl', { hasText: 'Base amount' })).toHaveText(/Base amount43\.50.*Discount[−-]4\.35/);
});

test('takes an amount off a typed price, and removes it again @full', async ({ signedIn: page, service }) => {
  const sell = new SellPage(page, service);
  await sell.open();
  const dialog = page.getByRole('dialog', { name: 'Discount' });
  await page.keyboard.type('51.70');
  await page.keyboard.press('Control+d');
  await expect(dialog.getByLabel('Discount, %')).toBeFocused();
  await dialog.getByRole('button', { name: 'Amount', exact: true }).press('Enter');
  await expect(dialog.getByLabel('Discount, USD')).toBeFocused();
  await page.keyboard.type('60');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('The discount is more than the price.');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('5.20');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.locator('[data-total]')).toContainText('46.50');
  await expect(sell.charge).toHaveText('Charge 46.50');
  await expect(sell.amount).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sell.number).toBeFocused();
  await page.keyboard.type('4111111111111111122812304101');
  await page.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  expect(await sell.recorded('46.50')).toMatchObject([{ amount: 46.5, discountAmount: 5.2 }]);
  await sell.newSale();
  await expect(page.locator('[data-total]')).toHaveCount(0);

  await page.keyboard.type('20');
  await page.keyboard.press('Control+d');
  await expect(dialog.getByLabel('Discount, %')).toBeFocused();
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-total]')).toContainText('15.00');
  await page.getByRole('button', { name: /^Discount/ }).press('Enter');
  await expect(dialog.getByLabel('Discount, %')).toHaveValue('25');
  await dialog.getByRole('button', { name: 'Remove discount' }).press('Enter');
  await expect(page.locator('[data-total]')).toHaveCount(0);
  await expect(sell.charge).toHaveText('Charge 20.00');
});

test('takes a discount off one line of a sale, by keyboard @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  await api.post('/items', { name: 'Wool scarf', price: '18.20', key: 'WOS' });
  await api.post('/items', { name: 'Rain hat', price: '24.60', key: 'RAH' });
  await page.goto('/#/sell');
  const item = page.getByRole('textbox', { name: 'Item', exact: true });
  await expect(item).toBeVisible();
  await item.focus();
  for (const [key, amount] of [
    ['wos', '18.20'],
    ['rah', '42.80'],
  ] as const) {
    await page.keyboard.type(key);
    // The item is new: the screen may load it only now.
    await expect(page.getByRole('group', { name: 'Items' }).getByTitle(key.toUpperCase())).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-total]')).toHaveText(`Total${amount}`);
  }
  const dialog = page.getByRole('dialog', { name: 'Discount' });
  const percent = dialog.getByLabel('Discount, %');
  const appliesTo = dialog.getByRole('combobox', { name: 'Applies to' });
  const chooseLine = async () => {
    await page.keyboard.press('Control+d');
    await expect(percent).toBeFocused();
    await appliesTo.press('Enter');
    await page.getByRole('option', { name: 'Rain hat' }).press('Enter');
  };
  await chooseLine();
  await expect(percent).toBeFocused();
  await page.keyboard.type('50');
  await expect(dialog).toContainText('24.60 − 12.30 = 12.30');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.locator('[data-total]')).toHaveText('Total30.50');
  await expect(page.getByRole('list', { name: 'Lines of the sale' })).toContainText('24.60 each, discount 12.30');

  await chooseLine();
  await expect(percent).toHaveValue('50');
  await expect(percent).toBeFocused();
  // The same line is chosen again.
  await appliesTo.press('Enter');
  await page.getByRole('option', { name: 'Rain hat' }).press('Enter');
  await expect(percent).toBeFocused();
  await dialog.getByRole('button', { name: 'Remove discount' }).press('Enter');
  await expect(page.locator('[data-total]')).toHaveText('Total42.80');
});
