import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';
import { TransactionsPage } from './pages/transactions-page.ts';
import { Till } from './till.ts';

test('one box finds by id, order, e-mail, amount and last four', async ({ signedIn, service }) => {
  const till = await Till.open(service);
  const email = `finder-${Date.now()}@customer.example`;
  const sale = await till.sell({ amount: '613.37', card: '378282246310005', email });
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

test('from the sell screen a transaction is open after F9, its number and Enter', async ({ signedIn, service, strokes }) => {
  const { orderId } = await (await Till.open(service)).sell({ amount: '7.77' });
  const list = new TransactionsPage(signedIn);
  strokes.reset();
  await list.find(orderId);
  expect(strokes.keys()).toBe(orderId.length + 2);
  expect(strokes.clicks()).toBe(0);
});

test('several matches put the focus into the rows; arrows and Enter open one, Esc comes back to it', async ({ signedIn, service }) => {
  const till = await Till.open(service);
  await till.sell({ amount: '321.09' });
  await till.sell({ amount: '321.09' });
  const list = new TransactionsPage(signedIn);
  await list.open();
  await list.search.fill('321.09');
  await signedIn.keyboard.press('Enter');
  await expect(list.rows).toHaveCount(2);
  await expect(list.rows.first().getByRole('gridcell').first()).toBeFocused();
  await expect(list.said).toHaveText('2 transactions match.');
  await signedIn.keyboard.press('ArrowDown');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toBeVisible();
  await signedIn.keyboard.press('Escape');
  await expect(list.drawer).toBeHidden();
  await expect(list.rows.nth(1).getByRole('gridcell').first()).toBeFocused();
});

test('filters live in the address: a reload keeps them, and Clear takes them off', async ({ signedIn, service }) => {
  await (await Till.open(service)).sell({ amount: '9.99', card: '4000000000000002' });
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

test('an empty answer names the filter and offers the way out of it', async ({ signedIn }) => {
  const list = new TransactionsPage(signedIn);
  await list.open('?q=NO-SUCH-ORDER&status=voided');
  await expect(signedIn.getByText('No transaction matches “NO-SUCH-ORDER”, Status: Voided.')).toBeVisible();
  await signedIn.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(list.rows.first()).toBeVisible();
});

test('pages follow one another without a row twice', async ({ signedIn }) => {
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

test('a sale made elsewhere waits behind a pill and moves no row', async ({ signedIn, service }) => {
  const till = await Till.open(service);
  const list = new TransactionsPage(signedIn);
  await signedIn.clock.install();
  await list.open();
  await expect(list.rows.first()).toBeVisible();
  const first = (await list.rows.first().getAttribute('data-id')) ?? '';
  const { transactionId } = await till.sell({ amount: '5.55' });
  await signedIn.clock.runFor(16_000);
  const pill = signedIn.getByRole('button', { name: /^\d+ new$/ });
  await expect(pill).toBeVisible();
  await expect(list.rows.first()).toHaveAttribute('data-id', first);
  await pill.click();
  await expect(list.rows.first()).toHaveAttribute('data-id', transactionId);
});

test('the export holds every transaction of the filter, not only the page', async ({ signedIn, service }) => {
  const till = await Till.open(service);
  const list = new TransactionsPage(signedIn);
  await list.open('?status=approved');
  await expect(list.rows.first()).toBeVisible();
  const download = signedIn.waitForEvent('download');
  await list.exportCsv.click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  const { pagination } = await till.read('/transactions?status=approved&limit=1');
  expect(lines.length - 1).toBe(pagination.total);
  expect(pagination.total).toBeGreaterThan(50);
});

test('a failure says what happened, gives the request id and asks again on request', async ({ signedIn, faults }) => {
  faults.expect(/500/);
  const body = JSON.stringify({ success: false, error: { code: 'INTERNAL_ERROR', message: 'Something went wrong here.' } });
  await signedIn.route(/\/api\/v1\/transactions\?/, (route) =>
    route.fulfill({ status: 500, body, headers: { 'X-Request-Id': 'req_1', 'content-type': 'application/json' } }),
  );
  const list = new TransactionsPage(signedIn);
  await list.open();
  const note = signedIn.getByRole('main').getByRole('alert');
  await expect(note).toContainText('Something went wrong in the service.');
  await expect(note).toContainText('INTERNAL_ERROR');
  await expect(note).toContainText('req_1');
  await signedIn.unroute(/\/api\/v1\/transactions\?/);
  await note.getByRole('button', { name: 'Try again' }).click();
  await expect(list.rows.first()).toBeVisible();
});

test('too many requests count down before they can be tried again', async ({ signedIn, faults }) => {
  faults.expect(/429/);
  const body = JSON.stringify({ success: false, error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Slow down.' } });
  await signedIn.route(/\/api\/v1\/transactions\?/, (route) =>
    route.fulfill({ status: 429, body, headers: { 'Retry-After': '3', 'content-type': 'application/json' } }),
  );
  const list = new TransactionsPage(signedIn);
  await list.open();
  await expect(signedIn.getByRole('button', { name: /^Try again in \d s$/ })).toBeDisabled();
  await signedIn.unroute(/\/api\/v1\/transactions\?/);
  await signedIn.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(list.rows.first()).toBeVisible();
});
