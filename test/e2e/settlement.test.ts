import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { dateField, partsOf, typeDate } from './date-entry.ts';
import { expect, test } from './fixtures.ts';
import { centsOf, SettlementPage } from './pages/settlement-page.ts';

const SCREEN = { width: 1280, height: 720 };
const SMALL_SCREEN = { width: 640, height: 400 };

interface Standing {
  readonly merchantId: string;
  readonly unsettled: { readonly count: number; readonly amount: number };
  readonly settledUnpaid: { readonly count: number; readonly amount: number };
}
interface Settlement {
  readonly settlementId: string;
  readonly netAmount: number;
  readonly paidAmount: number;
}

async function standingOf(api: ApiSession): Promise<Standing> {
  const { data } = await api.read<{ merchants: readonly { merchantId: string }[] }>('/auth/me');
  return (await api.read<Standing>(`/settlement/summary?merchantId=${data.merchants[0]?.merchantId}`)).data;
}
const cents = (amount: number) => Math.round(amount * 100);

test('every total of the header opens its lines, which sum to it @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const sold = await api.sell({ amount: '37.10' });
  await api.post(`/transactions/${sold.transactionId}/refund`, { amount: '7.05' });
  const settlementPage = new SettlementPage(page);
  for (const name of ['Unsettled now', 'Awaiting payout']) {
    await settlementPage.open();
    const amount = await settlementPage.amountOf(name);
    await settlementPage.figure(name).focus();
    await page.keyboard.press('Enter');
    await expect(settlementPage.total).toContainText(amount);
    await expect(settlementPage.rows.first()).toBeVisible();
  }
  await page.getByRole('button', { name: 'Show all settlements' }).click();
  await expect(settlementPage.total).toHaveCount(0);
  await settlementPage.figure('Unsettled now').click();
  await settlementPage.rows.filter({ hasText: '37.10' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Transaction' })).toContainText('37.10');
});

test('settles the unsettled lines with S and Enter, again after a failure, and prints their sum to the cent', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/ERR_FAILED/);
  const api = await ApiSession.open(service);
  const sold = await api.sell({ amount: '81.20' });
  await api.post(`/transactions/${sold.transactionId}/refund`, { amount: '11.19' });
  const { unsettled } = await standingOf(api);
  const settlementPage = new SettlementPage(page);
  await settlementPage.open();
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Settle now' });
  await expect(dialog).toContainText(`Settles ${unsettled.count} payments, `);
  await page.route('**/api/v1/settlement/settle', (route) => route.abort(), { times: 1 });
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(settlementPage.settlement.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(settlementPage.announcement).toHaveText(/^Settled: [\d,.]+ USD net\.$/);
  const captures = await settlementPage.cents(/^Captures/);
  const refunds = await settlementPage.cents(/^Refunds/);
  const fees = await settlementPage.cents(/^Fees/);
  expect(captures - refunds).toBe(cents(unsettled.amount));
  expect(await settlementPage.cents(/^Net/)).toBe(captures - refunds - fees);
  const counted = /\((\d+)\)/.exec((await settlementPage.settlement.getByRole('link', { name: /^Captures/ }).textContent()) ?? '')?.[1];
  const made = page.url();
  await settlementPage.settlement.getByRole('link', { name: /^Captures/ }).press('Enter');
  await expect(page).toHaveURL(/\/transactions\?settlementId=stl_/);
  await expect(page.getByText(new RegExp(`^${counted} transactions? match(es)? the filter$`))).toBeVisible();
  await page.goto(made);
  const lines = settlementPage.settlement.getByRole('region', { name: 'Payments' }).getByRole('listitem');
  await lines.filter({ hasText: '81.20' }).getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/transactions/${sold.transactionId}`));
  await settlementPage.open();
  await expect(settlementPage.cutoff).toContainText('nothing to settle yet');
});

test('offers the maximum for a payout above the unpaid amount, and records it once with its reference @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const before = await standingOf(api);
  const { pagination } = await api.read('/settlement/payouts?limit=1');
  const settlementPage = new SettlementPage(page);
  await settlementPage.open();
  const all = await settlementPage.amountOf('Awaiting payout');
  await page.keyboard.press('o');
  const amount = page.getByRole('textbox', { name: 'Amount, USD' });
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue(all);
  await page.keyboard.type('99999999');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${all} USD awaits payout.`, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Use ${all}` }).press('Enter');
  await expect(amount).toHaveValue(all);
  await amount.fill('100');
  await page.keyboard.press('Enter');
  const done = page.getByRole('dialog', { name: 'Paid out 100.00 USD' });
  const reference = (await done.locator('.mono').textContent()) ?? '';
  await expect(done.getByRole('button', { name: 'Copy reference' })).toBeVisible();
  const payouts = await api.read<{ reference: string; amount: number }[]>('/settlement/payouts?limit=1');
  expect(payouts.data[0]).toMatchObject({ reference, amount: 100 });
  expect(payouts.pagination.total).toBe(pagination.total + 1);
  await done.getByRole('button', { name: 'Open payout' }).press('Enter');
  await expect(settlementPage.payout).toContainText(reference);
  await settlementPage.payout.getByRole('link').first().press('Enter');
  await expect(settlementPage.settlement.getByRole('region', { name: 'Payouts' })).toContainText(reference);
  await page.keyboard.press('Escape');
  await settlementPage.figure('Paid in last 30 days').click();
  await expect(settlementPage.total).toContainText(await settlementPage.amountOf('Paid in last 30 days'));
  expect(cents((await standingOf(api)).settledUnpaid.amount)).toBe(cents(before.settledUnpaid.amount) - 10_000);
});

test('offers the remaining amount after the service refuses a payout @full', async ({ signedIn: page, service, faults }) => {
  faults.expect(/422/);
  const api = await ApiSession.open(service);
  const { merchantId } = await standingOf(api);
  const settlementPage = new SettlementPage(page);
  await settlementPage.open();
  const all = centsOf(await settlementPage.amountOf('Awaiting payout'));
  await page.keyboard.press('o');
  await expect(page.getByRole('textbox', { name: 'Amount, USD' })).toBeFocused();
  await api.post('/settlement/payout', { merchantId, amount: '5.00' });
  await page.keyboard.press('Enter');
  const left = ((all - 500) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  await page.getByRole('button', { name: `Use ${left}` }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Amount, USD' })).toHaveValue(left);
});

test('repeats a payout whose response was lost, and records it once @full', async ({ signedIn: page, service, faults }) => {
  faults.expect(/ERR_FAILED/);
  const api = await ApiSession.open(service);
  const before = await api.read('/settlement/payouts?limit=1');
  const keys: string[] = [];
  await page.route('**/settlement/payout', async (route) => {
    keys.push((await route.request().headerValue('Idempotency-Key')) ?? '');
    const response = await route.fetch();
    if (keys.length === 1) await route.abort();
    else await route.fulfill({ response });
  });
  await new SettlementPage(page).open();
  await page.keyboard.press('o');
  await page.getByRole('textbox', { name: 'Amount, USD' }).fill('3.21');
  await page.keyboard.press('Enter');
  await expect(page.getByText('We don’t know whether this was recorded. Try again with the same amount.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Paid out 3.21 USD' })).toBeVisible();
  expect(keys).toEqual([keys[0], keys[0]]);
  expect((await api.read('/settlement/payouts?limit=1')).pagination.total).toBe(before.pagination.total + 1);
});

test('updates the countdown after a schedule change, and shows the key for a manual settlement @full', async ({
  signedIn: page,
  service,
}) => {
  const settlementPage = new SettlementPage(page);
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const choose = async (option: string) => {
    await page.getByRole('button', { name: 'Change schedule' }).press('Enter');
    await expect(field('Frequency')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: option }).press('Enter');
  };
  await settlementPage.open();
  await expect(settlementPage.cutoff).toContainText(/^Next cutoff in (\d+ h|\d+ min|less)/);
  await choose('Every month');
  await field('Day of the month').fill('32');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter a day from 1 to 31.')).toBeVisible();
  const { data: clock } = await (await ApiSession.open(service)).read<{ now: string }>('/sandbox/clock');
  const day = String(((new Date(clock.now).getUTCDate() + 12) % 28) + 1);
  await field('Day of the month').fill(day);
  await typeDate(dateField(page, 'Cutoff time'), '18:30');
  await expect(page.locator('[data-rule]')).toContainText(`On day ${day} of every month at 18:30`);
  await page.keyboard.press('Enter');
  await expect(settlementPage.cutoff).toContainText(/^Next cutoff in \d+ d/);
  await expect(settlementPage.cutoff).toContainText('6:30 PM');
  await choose('Manual');
  await expect(dateField(page, 'Cutoff time')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save schedule' }).press('Enter');
  await expect(settlementPage.cutoff).toContainText(/^Manual settlement/);
  await choose('Every day');
  await page.getByRole('button', { name: 'Save schedule' }).press('Enter');
  await expect(settlementPage.cutoff).toContainText(/^Next cutoff in (\d+ h|\d+ min|less)/);
});

test('releases the settlements of a batch that the bank refused, and marks those of a paid batch as paid @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const before = await standingOf(api);
  const settlementPage = new SettlementPage(page);
  await settlementPage.open();
  await page.keyboard.press('b');
  await expect(partsOf(dateField(page, 'From')).first()).toBeFocused();
  await expect(page.locator('[data-bundle]')).toContainText('after fees.');
  const bundle = (await page.locator('[data-bundle]').textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(settlementPage.batch.getByRole('heading', { level: 2 })).toBeFocused();
  const net = (await settlementPage.batch.getByRole('heading', { level: 2 }).textContent()) ?? '';
  expect(bundle).toContain(net.replace(/\s*USD/, ' USD'));
  expect((await standingOf(api)).settledUnpaid.amount).toBeLessThan(before.settledUnpaid.amount);
  await page.keyboard.press('f');
  await expect(settlementPage.batch.getByLabel('Note (optional)')).toBeFocused();
  await page.keyboard.type('Account closed');
  await page.keyboard.press('Enter');
  await expect(settlementPage.batch.locator('[data-head] [data-state=failed]')).toBeVisible();
  await expect(settlementPage.batch).toContainText('Account closed');
  await expect(settlementPage.batch.getByRole('button', { name: /^(Paid|Failed)/ })).toHaveCount(0);
  expect((await standingOf(api)).settledUnpaid.amount).toBe(before.settledUnpaid.amount);
  await page.keyboard.press('Escape');
  await expect(settlementPage.batch).toHaveCount(0);
  await page.keyboard.press('b');
  await expect(page.locator('[data-bundle]')).toHaveText(bundle);
  await page.keyboard.press('Enter');
  await expect(settlementPage.batch.locator('[data-head] [data-state=pending]')).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.press('Enter');
  await expect(settlementPage.batch.locator('[data-head] [data-state=paid]')).toBeVisible();
  const reference = (await settlementPage.batch.locator('dd .mono').first().textContent()) ?? '';
  await page.keyboard.press('Escape');
  await settlementPage.figure('Paid in last 30 days').click();
  await expect(settlementPage.rows.filter({ hasText: reference })).toContainText('batch');
  await expect(settlementPage.total).toContainText(await settlementPage.amountOf('Paid in last 30 days'));
  // The list of all payouts has those of batches, also at the address that a list of batches had.
  for (const tab of ['payouts', 'batches']) {
    await settlementPage.open(`?tab=${tab}`);
    await expect(page.getByRole('tab', { name: 'Payouts' })).toHaveAttribute('aria-selected', 'true');
    await expect(settlementPage.rows.filter({ hasText: reference })).toContainText('batch');
  }
});

test('the funding report, its rows and its file have equal totals, and the report is sent by email @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const settlementPage = new SettlementPage(page);
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await settlementPage.open(`?tab=funding&from=${day(9)}&to=${day(2)}`);
  const sum = page.locator('[data-sum=Net]');
  await expect(sum).toBeVisible();
  const net = centsOf(((await sum.textContent()) ?? '').replace('= Net', ''));
  const cells = await settlementPage.rows.locator('[data-field=net]').allInnerTexts();
  expect(cells.reduce((sum, text) => sum + centsOf(text), 0)).toBe(net);
  await settlementPage.heading.focus();
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('x')]);
  const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  const at = head.split(',').indexOf('netAmount');
  expect(lines).toHaveLength(cells.length);
  expect(lines.reduce((sum, line) => sum + centsOf(line.split(',')[at] ?? ''), 0)).toBe(net);
  await page.keyboard.press('e');
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
  const address = `books-${process.pid}@desk.example`;
  await page.getByLabel('Email', { exact: true }).fill(address);
  await page.keyboard.press('Enter');
  // The channel is not set up: the message waits, and nothing says that it was sent.
  await expect(page.getByRole('alert')).toHaveText('Waits until email is set up');
  const { data } = await api.read<{ to: string }[]>(`/notifications/messages?q=${encodeURIComponent(address)}`);
  expect(data).toHaveLength(1);
});

test('explains the cutoff before the first settlement @full', async ({ signedIn: page }) => {
  const nothing = { success: true, data: [], pagination: { page: 1, limit: 50, total: 0, totalPages: 0 } };
  await page.route('**/settlement/history/**', (route) => route.fulfill({ json: nothing }));
  const settlementPage = new SettlementPage(page);
  await settlementPage.open('?tab=history');
  await expect(page.getByText('No settlements yet')).toBeVisible();
  await expect(page.getByText(/Captures minus refunds and fees go to your bank\. The next cutoff is /)).toBeVisible();
  await expectAccessible(page, 'nothing yet');
});

test('settlement has no accessibility fault in either color scheme and fits a small screen @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  await api.sell({ amount: '12.00' });
  await api.post('/settlement/settle', {});
  await api.sell({ amount: '13.00' });
  const { data } = await api.read<{ settlements: Settlement[] }>('/settlement/funding-report');
  const newest = data.settlements.at(-1)?.settlementId ?? '';
  const settlementPage = new SettlementPage(page);
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  for (const tab of ['history', 'payouts', 'unsettled', 'funding']) {
    await settlementPage.open(`?tab=${tab}`);
    await expect(settlementPage.rows.first().or(page.getByText(/No payouts yet/))).toBeVisible();
    await expectAccessible(page, tab);
    for (const size of [SMALL_SCREEN, SCREEN]) {
      await page.setViewportSize(size);
      expect(await fits()).toBe(true);
    }
  }
  for (const [key, name] of [
    ['o', 'Record payout'],
    ['s', 'Settle now'],
    ['b', 'New batch'],
  ] as const) {
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog.getByRole('button').last()).toBeEnabled();
    await expectAccessible(page, name);
    await page.setViewportSize(SMALL_SCREEN);
    await expect(dialog.getByRole('button').last()).toBeInViewport();
    await page.setViewportSize(SCREEN);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Change schedule' }).press('Enter');
  await expect(page.getByLabel('Frequency')).toBeFocused();
  await expectAccessible(page, 'schedule');
  await page.keyboard.press('Escape');
  await page.goto(`/#/settlement/${newest}`);
  await expect(settlementPage.settlement.getByRole('region', { name: 'Payments' }).getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'settlement');
  await page.setViewportSize(SMALL_SCREEN);
  await expect.poll(() => settlementPage.settlement.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
});
