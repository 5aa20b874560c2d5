import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { type Order, read } from './orders.ts';
import { SellPage } from './pages/sell-page.ts';
import { createPerson, signInElsewhere } from './people.ts';

test('splits a sale between a card and cash, by keyboard', async ({ signedIn: page, service }) => {
  const sell = new SellPage(page, service);
  await sell.open();
  const remaining = page.locator('[data-remaining]');
  await page.keyboard.type('61.50');
  await page.keyboard.press('Control+Shift+e');
  await expect(remaining).toHaveText(/61\.50/);
  await expect(sell.amount).toHaveValue('61.50');
  await expect(sell.amount).toBeFocused();
  await sell.amount.selectText();
  await sell.sell({ amount: '20' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(remaining).toHaveText(/41\.50/);
  await expect(sell.amount).toHaveValue('41.50');
  await expect(page.getByRole('list', { name: 'Payments of this sale' })).toContainText('Visa ••1111');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/41\.50/);
  await page.keyboard.press('Enter');
  await expect(remaining).toBeHidden();
  await expect(sell.amount).toHaveValue('');
  const [made] = await read<readonly Order[]>(page, service, '/orders?status=paid&limit=1');
  expect(await read<Order>(page, service, `/orders/${made?.orderId}`)).toMatchObject({
    status: 'paid',
    paidAmount: 61.5,
    payments: [
      { kind: 'card', shareAmount: 20 },
      { kind: 'cash', shareAmount: 41.5 },
    ],
  });
});

test('splits a sale by thirds, by half and by line, each part in another way, by keyboard', async ({ signedIn: page, service }) => {
  const lineItems = [
    { description: 'Lunch', unitPrice: 24.5 },
    { description: 'Wine', unitPrice: 31 },
    { description: 'Dessert', unitPrice: 6 },
  ];
  const { orderId } = await read<Order>(page, service, '/orders', { lineItems, name: 'Table of three' });
  await read(page, service, `/orders/${orderId}/park`, {});
  const sell = new SellPage(page, service);
  await sell.open();
  await page.keyboard.press('Control+Shift+o');
  await page.getByRole('button', { name: 'Resume Table of three' }).press('Enter');
  const remaining = page.locator('[data-remaining]');
  await expect(remaining).toHaveText(/61\.50/);
  const part = page.getByRole('group', { name: 'Part to pay' });
  await part.getByRole('button', { name: 'Half' }).press('Enter');
  await expect(sell.amount).toHaveValue('30.75');
  await part.getByRole('button', { name: 'Third' }).press('Enter');
  await expect(sell.amount).toHaveValue('20.50');
  await expect(sell.amount).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/20\.50/);
  await page.keyboard.press('Enter');
  await expect(remaining).toHaveText(/41\.00/);
  await page.getByRole('checkbox', { name: 'Wine, 31.00 USD' }).press('Space');
  await expect(sell.amount).toHaveValue('31.00');
  await expect(sell.amount).toBeFocused();
  await sell.amount.selectText();
  await sell.sell({ amount: '31' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(remaining).toHaveText(/10\.00/);
  // Half of the sale is more than what remains.
  await part.getByRole('button', { name: 'Half' }).press('Enter');
  await expect(sell.amount).toHaveValue('10.00');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The sale is paid in full.')).toBeVisible();
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({
    status: 'paid',
    payments: [
      { kind: 'cash', shareAmount: 20.5 },
      { kind: 'card', shareAmount: 31 },
      { kind: 'cash', shareAmount: 10 },
    ],
  });
});

test('keeps the customer of a parked sale, and shows it in the list and at the customer', async ({ signedIn: page, service }) => {
  const { customerId } = await read<{ customerId: string }>(page, service, '/customers', { firstName: 'Olga', lastName: 'Parker' });
  const sell = new SellPage(page, service);
  await page.goto(`/#/sell?customerId=${customerId}`);
  await expect(sell.customer).toHaveValue('Olga Parker');
  await sell.amount.focus();
  await page.keyboard.type('18');
  await page.keyboard.press('Control+Shift+h');
  await expect(page.getByLabel('Name or table (optional)')).toBeFocused();
  await page.keyboard.type('Bar 7');
  await page.keyboard.press('Enter');
  await expect(sell.customer).toHaveValue('');
  await page.keyboard.press('Control+Shift+o');
  const waiting = page.getByRole('list', { name: 'Parked sales' }).getByRole('listitem').filter({ hasText: 'Bar 7' });
  await expect(waiting).toContainText('Olga Parker');
  await waiting.getByRole('button').press('Enter');
  await expect(sell.customer).toHaveValue('Olga Parker');
  await expect(page.locator('[data-remaining]')).toHaveText(/18\.00/);
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The sale is paid in full.')).toBeVisible();
  await page.goto(`/#/customers/${customerId}`);
  const sale = page.getByRole('link', { name: /Bar 7, O-\d+/ });
  await sale.press('Enter');
  await expect(page.getByRole('link', { name: 'Olga Parker' })).toBeVisible();
});

test('forgets the customer of the screen and the card on file when the sale of a walk-in is resumed', async ({
  signedIn: page,
  service,
}) => {
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2030', cvv: '123' };
  const { customerId } = await read<{ customerId: string }>(page, service, '/customers', { firstName: 'Vera', lastName: 'Holt' });
  await read(page, service, `/customers/${customerId}/payment-methods`, { card });
  const { orderId } = await read<Order>(page, service, '/orders', { amount: 9, name: 'Walk-in' });
  await read(page, service, `/orders/${orderId}/park`, {});
  const sell = new SellPage(page, service);
  await page.goto(`/#/sell?customerId=${customerId}`);
  await expect(sell.customer).toHaveValue('Vera Holt');
  await page.keyboard.press('Control+Shift+o');
  await page.getByRole('button', { name: 'Resume Walk-in' }).press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/9\.00/);
  await expect(sell.customer).toHaveValue('');
  await sell.charge.click();
  await expect(page.getByText('This field needs to be corrected.')).toBeAttached();
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ status: 'open', payments: [] });
});

test('resumes a parked sale from the result of another one, and says why no further one can be resumed', async ({
  signedIn: page,
  service,
}) => {
  for (const name of ['Nora Lind', 'Omar Reed']) {
    const { orderId } = await read<Order>(page, service, '/orders', { amount: 7, name });
    await read(page, service, `/orders/${orderId}/park`, {});
  }
  const sell = new SellPage(page, service);
  await sell.open();
  await sell.sell({ amount: '33.35' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('Control+Shift+o');
  await page.getByRole('button', { name: 'Resume Nora Lind' }).press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/7\.00/);
  await page.keyboard.press('Control+Shift+o');
  const further = page.getByRole('button', { name: 'Resume Omar Reed' });
  await expect(further).toBeDisabled();
  await expect(further).toHaveAccessibleDescription('Finish the split sale first.');
});

test('parks a sale, resumes it, and returns its payment when it is canceled, by keyboard', async ({ signedIn: page, service }) => {
  const sell = new SellPage(page, service);
  await sell.open();
  await page.keyboard.type('12.30');
  await page.keyboard.press('Control+Shift+h');
  await expect(page.getByLabel('Name or table (optional)')).toBeFocused();
  await page.keyboard.type('Ann Marsh');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Parked: / })).toBeVisible();
  await expect(sell.amount).toHaveValue('');
  await page.keyboard.press('Control+Shift+o');
  const list = page.getByRole('dialog', { name: 'Parked and unfinished sales' });
  await expect(list).toContainText('Ann Marsh');
  await list.getByRole('button', { name: 'Resume Ann Marsh' }).press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/12\.30/);
  await sell.amount.selectText();
  await page.keyboard.type('5');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/5\.00/);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/7\.30/);
  await page.getByRole('button', { name: 'Cancel sale' }).press('Enter');
  const confirm = page.getByRole('dialog', { name: 'Cancel this sale?' });
  await expect(confirm).toContainText(/Cash, T-\d+: .*5\.00.* is paid out at the counter/);
  await expect(confirm.getByRole('button', { name: 'Return payments and cancel sale' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(confirm).toBeHidden();
  const done = page.getByRole('dialog', { name: 'The sale is canceled.' });
  await expect(done).toContainText(/Hand back .*5\.00.* in cash/);
  await page.keyboard.press('Enter');
  await expect(done).toBeHidden();
  await expect(page.locator('[data-remaining]')).toBeHidden();
  const [canceled] = await read<readonly Order[]>(page, service, '/orders?status=canceled&q=Ann%20Marsh');
  expect(await read<Order>(page, service, `/orders/${canceled?.orderId}`)).toMatchObject({ paidAmount: 0 });
});

test('takes a sale over from another till after a question, which then cannot pay or cancel it', async ({ service, browser, faults }) => {
  faults.expect(/409/);
  const [ann, bob] = ['ann-till@demo.example', 'bob-till@demo.example'];
  await createPerson(service, 'manager', ann);
  await createPerson(service, 'manager', bob);
  const [first, second] = [await signInElsewhere(browser, service, ann), await signInElsewhere(browser, service, bob)];
  const [annSells, bobSells] = [new SellPage(first, service), new SellPage(second, service)];
  await annSells.open();
  await first.keyboard.type('43.21');
  await first.keyboard.press('Control+Shift+e');
  await expect(first.locator('[data-remaining]')).toHaveText(/43\.21/);
  const [sale] = (await read<readonly (Order & { number: string; createdBy: string })[]>(second, service, '/orders?status=open')).filter(
    ({ createdBy }) => createdBy === ann,
  );
  await bobSells.open();
  await second.keyboard.press('Control+Shift+o');
  const listed = second
    .getByRole('list', { name: 'Parked sales' })
    .getByRole('listitem')
    .filter({ hasText: sale?.number ?? '' });
  await expect(listed).toContainText(`${ann} has this sale`);
  await listed.getByRole('button').press('Enter');
  const question = second.getByRole('dialog', { name: 'Take over this sale?' });
  await expect(question).toContainText(`${ann} has ${sale?.number}.`);
  await expectAccessible(second, 'the question before a sale is taken over');
  await second.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(second.locator('[data-remaining]')).toBeHidden();
  await second.keyboard.press('Control+Shift+o');
  await listed.getByRole('button').press('Enter');
  await expect(question.locator('button[type=submit]')).toBeFocused();
  await second.keyboard.press('Enter');
  await expect(second.locator('[data-remaining]')).toHaveText(/43\.21/);
  // The first till shows who has the sale now, and can neither pay nor cancel it.
  const lost = `${bob} has taken over this sale.`;
  await expect(first.getByRole('region', { name: 'Split sale' })).toContainText(lost);
  await first.getByRole('button', { name: 'Cancel sale' }).press('Enter');
  const confirm = first.getByRole('dialog', { name: 'Cancel this sale?' });
  await expect(confirm).toContainText(lost);
  await expect(confirm.getByRole('button', { name: 'Cancel sale' })).toBeDisabled();
  await first.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await annSells.amount.focus();
  await first.keyboard.press('F6');
  await expect(first.getByLabel('Amount given, USD')).toBeFocused();
  await first.keyboard.press('Enter');
  await expect(first.getByRole('alert').filter({ hasText: lost }).first()).toBeVisible();
  expect(await read<Order>(second, service, `/orders/${sale?.orderId}`)).toMatchObject({ payments: [], resumedBy: bob });
  await bobSells.amount.focus();
  await second.keyboard.press('F6');
  await expect(second.getByLabel('Amount given, USD')).toBeFocused();
  await second.keyboard.press('Enter');
  await expect(second.getByText('The sale is paid in full.')).toBeVisible();
  await first.context().close();
  await second.context().close();
});

test('takes a part from a prepaid card and the rest in cash, and refunds the sale, by keyboard @full', async ({
  signedIn: page,
  service,
}) => {
  const sell = new SellPage(page, service);
  await sell.open();
  await page.keyboard.type('80');
  await page.keyboard.press('Control+Shift+e');
  // The order moves the focus to its amount.
  await expect(page.locator('[data-remaining]')).toHaveText(/80\.00/);
  await expect(sell.amount).toBeFocused();
  await sell.amount.selectText();
  await sell.sell({ amount: '50', card: '5105100000003005' });
  await expect(sell.approved).toBeVisible();
  const note = page.getByRole('status').filter({ hasText: 'Only ' });
  await expect(note).toContainText(/Only .*30\.00.* of .*50\.00.* was approved.*Remaining: .*50\.00/);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/50\.00/);
  await expect(sell.amount).toHaveValue('50.00');
  await expect(sell.amount).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  const paid = page.getByRole('status').filter({ hasText: 'The sale is paid in full.' });
  await expect(paid.getByRole('button', { name: 'Print receipt for the whole sale' })).toBeVisible();
  await paid.getByRole('link', { name: /^Open sale O-/ }).press('Enter');
  await expect(page.getByRole('heading', { name: /80\.00/ })).toBeFocused();
  await expect(page.getByRole('list', { name: 'Payments of this sale' })).toContainText(/Mastercard ••3005.*30\.00.*Cash, T-\d+.*50\.00/);
  await page.keyboard.press('r');
  const amount = page.getByLabel('Amount, USD');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue('80.00');
  await page.keyboard.type('16');
  const [card, cash] = [page.getByLabel('Mastercard ••3005'), page.getByLabel(/^Cash, T-/)];
  await expect(card).toHaveValue('6.00');
  await expect(cash).toHaveValue('10.00');
  await card.press('Control+a');
  await page.keyboard.type('31');
  await page.keyboard.press('Enter');
  await expect(card).toHaveAttribute('aria-invalid', 'true');
  await expect(card).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('7.50');
  await expect(page.getByRole('button', { name: /^Refund .*17\.50/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Refunded .*17\.50/ })).toContainText(/Hand back .*10\.00.* in cash/);
  await page.keyboard.press('Enter');
  await expect(card).toBeHidden();
  await expect(page.getByRole('list', { name: 'Payments of this sale' })).toContainText(/7\.50.* refunded.*10\.00.* refunded/);
  const [made] = await read<readonly Order[]>(page, service, '/orders?status=paid&limit=1');
  expect(await read<Order>(page, service, `/orders/${made?.orderId}`)).toMatchObject({ status: 'paid', refundedAmount: 17.5 });
});

test('asks about parked sales in the daily close of today, also without a shift @full', async ({ signedIn: page, service }) => {
  const { orderId } = await read<Order>(page, service, '/orders', { amount: 13, name: 'Table 2' });
  await read(page, service, `/orders/${orderId}/park`, {});
  await page.goto('/#/reports/daily-close');
  await expect(page.getByText(/still parked.*Table 2, .*13\.00/)).toBeVisible();
  const partly = await read<Order>(page, service, '/orders', { amount: 44, name: 'Table 17' });
  await read(page, service, '/tenders', { kind: 'cash', amount: 4.5, orderId: partly.orderId });
  await expect(page.getByText(/A part of these open sales is paid.*Table 17, .*4\.50/)).toBeVisible();
  await read(page, service, `/orders/${orderId}/cancel`, {});
});

test('asks for parked sales when a shift is closed, and cancels them only after a question', async ({ signedIn: page, service }) => {
  const post = <Data>(path: string, data: Record<string, unknown> = {}) => read<Data>(page, service, path, data);
  const { orderId } = await post<Order>('/orders', { amount: 21, name: 'Table 9' });
  await post(`/orders/${orderId}/park`);
  await page.goto('/#/cash?tab=shifts');
  await page.getByRole('button', { name: 'Open shift' }).first().click();
  const opening = page.getByRole('dialog', { name: /^Open shift/ });
  await opening.getByRole('textbox').first().fill('100');
  await opening.getByRole('button', { name: 'Open shift' }).press('Enter');
  await page.getByRole('button', { name: 'Close shift' }).first().click();
  const closing = page.getByRole('dialog', { name: /^Close shift/ });
  await closing.getByRole('textbox').first().fill('100');
  await closing.getByRole('button', { name: 'Close shift' }).press('Enter');
  const report = page.getByRole('dialog', { name: /^Z report/ });
  await expect(report).toContainText(/still parked.*Table 9, .*21\.00/);
  await report.getByRole('button', { name: 'Cancel all parked sales' }).press('Enter');
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ status: 'parked' });
  await page.getByRole('dialog', { name: 'Cancel all parked sales?' }).getByRole('button', { name: 'Cancel parked sales' }).press('Enter');
  await expect(report).not.toContainText('still parked');
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ status: 'canceled' });
});

test('opens the list of parked sales, and no drawer, before the list has loaded @full', async ({ signedIn: page, service }) => {
  const { orderId } = await read<Order>(page, service, '/orders', { amount: 9, name: 'Jo Reed' });
  await read(page, service, `/orders/${orderId}/park`, {});
  const held = Promise.withResolvers<void>();
  await page.route(/\/api\/v1\/orders\?.*status=parked/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await new SellPage(page, service).open();
  await page.keyboard.press('Control+Shift+o');
  const list = page.getByRole('dialog', { name: 'Parked and unfinished sales' });
  await expect(list).toBeVisible();
  held.resolve();
  await expect(list).toContainText('Jo Reed');
});

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
