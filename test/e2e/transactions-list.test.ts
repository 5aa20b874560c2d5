import { readFile } from 'node:fs/promises';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { TransactionsPage } from './pages/transactions-page.ts';

/** Rows of a page of the list. */
const ROWS_OF_A_PAGE = 50;

test('finds transactions by ID, order, email, amount and last four digits in one search field', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const email = `finder-${Date.now()}@customer.example`;
  const sale = await api.sell({ amount: '613.37', card: '378282246310005', email });
  const list = new TransactionsPage(signedIn);
  for (const text of [sale.transactionId, sale.orderId, email, '613.37']) {
    await list.open();
    await list.find(text);
    await expect(list.drawer).toContainText(sale.orderId);
  }
  await list.open();
  await list.search.fill('0005');
  await expect(list.rows.first()).toContainText('Amex ••0005');
  await expect(list.rows.filter({ hasNotText: '0005' })).toHaveCount(0);
});

test('opens a transaction from the sell screen with F9, its number and Enter @full', async ({ signedIn, service, strokes }) => {
  const { orderId } = await (await ApiSession.open(service)).sell({ amount: '7.77' });
  const list = new TransactionsPage(signedIn);
  await strokes.reset();
  await list.find(orderId);
  await expect.poll(() => strokes.keys()).toBe(orderId.length + 2);
  expect(strokes.clicks()).toBe(0);
});

test('focuses the rows of several matches; arrow keys and Enter open one, and Esc returns to it @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  await api.sell({ amount: '321.09' });
  await api.sell({ amount: '321.09' });
  const list = new TransactionsPage(signedIn);
  await list.open();
  await list.search.fill('321.09');
  await signedIn.keyboard.press('Enter');
  await expect(list.rows).toHaveCount(2);
  await expect(list.rows.first().getByRole('gridcell').nth(1)).toBeFocused();
  await expect(list.announcement).toHaveText('2 transactions match.');
  await signedIn.keyboard.press('ArrowDown');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toBeVisible();
  await signedIn.keyboard.press('Escape');
  await expect(list.drawer).toBeHidden();
  await expect(list.rows.nth(1).getByRole('gridcell').nth(1)).toBeFocused();
});

test('leaves the focus in a dialog while a transaction closes behind it @full', async ({ signedIn, service }) => {
  await (await ApiSession.open(service)).sell({ amount: '321.11' });
  const list = new TransactionsPage(signedIn);
  await list.open('?q=321.11');
  await list.rows.first().click();
  await expect(list.drawer).toBeVisible();
  await signedIn.keyboard.press('Control+k');
  const command = signedIn.getByRole('combobox', { name: 'Go to anything' });
  await expect(command).toBeFocused();
  await signedIn.evaluate(() => {
    location.hash = '#/transactions?q=321.11';
  });
  await expect(list.drawer).toHaveCount(0);
  await expect(command).toBeFocused();
});

test('keeps filters in the URL after a reload, and removes them with Clear', async ({ signedIn, service }) => {
  await (await ApiSession.open(service)).sell({ amount: '9.99', card: '4000000000000002' });
  const list = new TransactionsPage(signedIn);
  await list.open();
  await list.chooseFilter('Status', 'Declined');
  await expect(signedIn).toHaveURL(/status=declined/);
  await signedIn.getByRole('button', { name: 'Period', exact: true }).click();
  await signedIn.getByRole('button', { name: 'Last 7 days' }).click();
  await expect(signedIn).toHaveURL(/period=7-days/);
  await signedIn.reload();
  await expect(signedIn.getByRole('button', { name: 'Status: Declined' })).toBeVisible();
  await expect(list.rows.first()).toContainText('Declined');
  await expect(list.rows.filter({ hasNotText: 'Declined' })).toHaveCount(0);
  await list.clear.click();
  await expect(signedIn).toHaveURL(/#\/transactions$/);
});

test('names the filter of an empty result and offers to clear it @full', async ({ signedIn }) => {
  const list = new TransactionsPage(signedIn);
  await list.open('?q=NO-SUCH-ORDER&status=voided');
  await expect(signedIn.getByText('No transaction matches “NO-SUCH-ORDER”, Status: Voided.')).toBeVisible();
  await signedIn.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(list.rows.first()).toBeVisible();
});

test('shows no row on two pages @full', async ({ signedIn }) => {
  const list = new TransactionsPage(signedIn);
  await list.open();
  await expect(list.rows.first()).toBeVisible();
  const first = await list.rows.first().getAttribute('data-id');
  await signedIn.getByRole('button', { name: 'Go to next page' }).click();
  await expect(signedIn).toHaveURL(/page=2/);
  await expect(list.rows.first()).not.toHaveAttribute('data-id', first ?? '');
  await signedIn.goBack();
  await expect(list.rows.first()).toHaveAttribute('data-id', first ?? '');
});

test('announces a sale made elsewhere in a badge without moving rows @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const list = new TransactionsPage(signedIn);
  await signedIn.clock.install();
  await list.open();
  await expect(list.rows.first()).toBeVisible();
  const first = (await list.rows.first().getAttribute('data-id')) ?? '';
  const { transactionId } = await api.sell({ amount: '5.55' });
  await signedIn.clock.runFor(16_000);
  const pill = signedIn.getByRole('button', { name: /^\d+ new transactions?$/ });
  await expect(pill).toBeVisible();
  await expect(list.rows.first()).toHaveAttribute('data-id', first);
  await pill.click();
  await expect(list.rows.first()).toHaveAttribute('data-id', transactionId);
});

test('exports every transaction of the filter, not only the page', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  // The service charges subscriptions meanwhile, so only sales of this test are counted: one more than a page shows.
  const sold: string[] = [];
  while (sold.length <= ROWS_OF_A_PAGE) sold.push((await api.sell({ amount: '77.31' })).transactionId);
  const list = new TransactionsPage(signedIn);
  await list.open('?status=approved&q=77.31');
  await expect(list.rows.first()).toHaveAttribute('data-id', sold.at(-1) ?? '');
  const download = signedIn.waitForEvent('download');
  await list.exportCsv.click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(sold.toReversed());
});

test('explains a failed request with its request ID and repeats it on request', async ({ signedIn, faults }) => {
  faults.expect(/500/);
  const body = JSON.stringify({ success: false, error: { code: 'INTERNAL_ERROR', message: 'Something went wrong here.' } });
  await signedIn.route(/\/api\/v1\/payments\?/, (route) =>
    route.fulfill({ status: 500, body, headers: { 'X-Request-Id': 'req_1', 'content-type': 'application/json' } }),
  );
  const list = new TransactionsPage(signedIn);
  await list.open();
  const note = signedIn.getByRole('main').getByRole('alert');
  await expect(note).toContainText('Something went wrong on the server.');
  await expect(note).toContainText('INTERNAL_ERROR');
  await expect(note).toContainText('req_1');
  await signedIn.unroute(/\/api\/v1\/payments\?/);
  // A notification of the service may load the list first.
  await note.getByRole('button', { name: 'Try again' }).or(list.rows.first()).click();
  await expect(list.rows.first()).toBeVisible();
});

test('counts down after too many requests before another one is allowed @full', async ({ signedIn, faults }) => {
  faults.expect(/429/);
  const body = JSON.stringify({ success: false, error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Slow down.' } });
  await signedIn.route(/\/api\/v1\/payments\?/, (route) =>
    route.fulfill({ status: 429, body, headers: { 'Retry-After': '3', 'content-type': 'application/json' } }),
  );
  const list = new TransactionsPage(signedIn);
  await list.open();
  await expect(signedIn.getByRole('button', { name: /^Try again in \d s$/ })).toBeDisabled();
  await signedIn.unroute(/\/api\/v1\/payments\?/);
  await signedIn.getByRole('button', { name: 'Try again', exact: true }).or(list.rows.first()).click();
  await expect(list.rows.first()).toBeVisible();
});

test('keeps a saved view, a hidden column and a column width on this computer @full', async ({ signedIn: page }) => {
  // A narrower list leaves the column out.
  await page.setViewportSize({ width: 1480, height: 800 });
  await page.goto('/#/transactions?status=declined');
  const views = page.getByRole('button', { name: 'Views' });
  await views.click();
  await page.getByRole('menuitem', { name: /^Save this filter/ }).click();
  await page.getByLabel('Name').fill('Declines');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Declines' })).toBeVisible();

  const order = page.getByRole('columnheader', { name: 'Order' });
  await order.focus();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('menuitem', { name: 'Hide column' }).click();
  await expect(order).toHaveCount(0);

  await page.goto('/#/transactions');
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toBeVisible();
  await expect(order).toHaveCount(0);
  await views.click();
  await page.getByRole('menuitem', { name: /^Declines/ }).click();
  await expect(page).toHaveURL(/status=declined/);
  await page.getByRole('button', { name: 'Declines' }).click();
  await page.getByRole('button', { name: 'Delete view Declines' }).click();
  await expect(page.getByRole('menuitem', { name: /^Declines/ })).toHaveCount(0);
});

test('keeps a saved view with the tab of its report @full', async ({ signedIn: page }) => {
  await page.goto('/#/reports/declines?period=7-days');
  const views = page.getByRole('button', { name: 'Views' });
  await views.click();
  await page.getByRole('menuitem', { name: /^Save this filter/ }).click();
  await page.getByLabel('Name').fill('Declines of the week');
  await page.keyboard.press('Enter');
  await page.goto('/#/reports/refunds?period=7-days');
  await views.click();
  await page.getByRole('menuitem', { name: /^Declines of the week/ }).click();
  await expect(page).toHaveURL(/reports\/declines\?period=7-days/);
  await expect(page.getByRole('tab', { name: 'Declines', selected: true })).toBeVisible();
});

test('leaves out columns in a narrow window, unless the user shows them @full', async ({ signedIn: page, service }) => {
  await (await ApiSession.open(service)).sell({ amount: '17.35' });
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.goto('/#/transactions');
  const column = (name: string) => page.getByRole('columnheader', { name, exact: true });
  await expect(column('Paid with')).toBeInViewport({ ratio: 1 });
  await expect(column('Order')).toHaveCount(0);
  await expect(column('Settled')).toHaveCount(0);

  await column('Paid with').focus();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('menuitem', { name: 'Manage columns' }).click();
  await page.getByRole('checkbox', { name: 'Order' }).check();
  await page.keyboard.press('Escape');
  await expect(column('Order')).toBeAttached();
  await page.reload();
  await expect(column('Order')).toBeAttached();
  await expect(column('Settled')).toHaveCount(0);

  await page.setViewportSize({ width: 1600, height: 900 });
  await expect(column('Settled')).toBeInViewport({ ratio: 1 });
});
