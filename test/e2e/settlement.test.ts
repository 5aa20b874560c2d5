import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { centsOf, SettlementPage } from './pages/settlement-page.ts';
import { Till } from './till.ts';

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

async function standingOf(till: Till): Promise<Standing> {
  const { data } = await till.read<{ merchants: readonly { merchantId: string }[] }>('/auth/me');
  return (await till.read<Standing>(`/settlement/summary?merchantId=${data.merchants[0]?.merchantId}`)).data;
}
const cents = (amount: number) => Math.round(amount * 100);

test('every total of the header leads to its parts, which come to it', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  const sold = await till.sell({ amount: '37.10' });
  await till.post(`/transactions/${sold.transactionId}/refund`, { amount: '7.05' });
  const desk = new SettlementPage(page);
  for (const name of ['Unsettled now', 'Settled and unpaid']) {
    await desk.open();
    const amount = await desk.amountOf(name);
    await desk.figure(name).focus();
    await page.keyboard.press('Enter');
    await expect(desk.total).toContainText(amount);
    await expect(desk.rows.first()).toBeVisible();
  }
  await page.getByRole('button', { name: 'Show all settlements' }).click();
  await expect(desk.total).toHaveCount(0);
  await desk.figure('Unsettled now').click();
  await desk.rows.filter({ hasText: sold.transactionId }).first().click();
  await expect(page.getByRole('dialog', { name: 'Transaction' })).toContainText('37.10');
});

test('what was taken is settled by S and Enter, and its sum is printed to the cent', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  const sold = await till.sell({ amount: '81.20' });
  await till.post(`/transactions/${sold.transactionId}/refund`, { amount: '11.19' });
  const { unsettled } = await standingOf(till);
  const desk = new SettlementPage(page);
  await desk.open();
  await page.keyboard.press('s');
  await expect(page.getByRole('dialog', { name: 'Settle now' })).toContainText(`Settles ${unsettled.count} lines, `);
  await page.keyboard.press('Enter');
  await expect(desk.settlement.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(desk.said).toHaveText(/^Settled: [\d,.]+ USD net\.$/);
  const captures = await desk.cents(/^Captures/);
  const refunds = await desk.cents(/^Refunds/);
  const fees = await desk.cents(/^Fees/);
  expect(captures - refunds).toBe(cents(unsettled.amount));
  expect(await desk.cents(/^Net/)).toBe(captures - refunds - fees);
  const counted = /\((\d+)\)/.exec((await desk.settlement.getByRole('link', { name: /^Captures/ }).textContent()) ?? '')?.[1];
  const made = page.url();
  await desk.settlement.getByRole('link', { name: /^Captures/ }).press('Enter');
  await expect(page).toHaveURL(/\/transactions\?settlementId=stl_/);
  await expect(page.getByText(new RegExp(`^${counted} transactions? match(es)? the filter$`))).toBeVisible();
  await page.goto(made);
  const lines = desk.settlement.getByRole('region', { name: 'Lines' }).getByRole('listitem');
  await lines.filter({ hasText: '81.20' }).getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/transactions/${sold.transactionId}`));
  await desk.open();
  await expect(desk.cutoff).toContainText('nothing to settle yet');
});

test('a payout above what is unpaid offers the maximum, and is recorded once with its reference', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  const before = await standingOf(till);
  const { pagination } = await till.read('/settlement/payouts?limit=1');
  const desk = new SettlementPage(page);
  await desk.open();
  const all = await desk.amountOf('Settled and unpaid');
  await page.keyboard.press('o');
  const amount = page.getByLabel('Amount, USD');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue(all);
  await page.keyboard.type('99999999');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${all} USD is settled and unpaid.`, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Use ${all}` }).press('Enter');
  await expect(amount).toHaveValue(all);
  await amount.fill('100');
  await page.keyboard.press('Enter');
  const done = page.getByRole('dialog', { name: 'Paid out 100.00 USD' });
  const reference = (await done.locator('.mono').textContent()) ?? '';
  await expect(done.getByRole('button', { name: 'Copy reference' })).toBeVisible();
  const payouts = await till.read<{ reference: string; amount: number }[]>('/settlement/payouts?limit=1');
  expect(payouts.data[0]).toMatchObject({ reference, amount: 100 });
  expect(payouts.pagination.total).toBe(pagination.total + 1);
  await done.getByRole('button', { name: 'Open payout' }).press('Enter');
  await expect(desk.payout).toContainText(reference);
  await desk.payout.getByRole('link').first().press('Enter');
  await expect(desk.settlement.getByRole('region', { name: 'Payouts' })).toContainText(reference);
  await page.keyboard.press('Escape');
  await desk.figure('Paid in 30 days').click();
  await expect(desk.total).toContainText(await desk.amountOf('Paid in 30 days'));
  expect(cents((await standingOf(till)).settledUnpaid.amount)).toBe(cents(before.settledUnpaid.amount) - 10_000);
});

test('a refusal by the service offers what is left to pay out', async ({ signedIn: page, service, faults }) => {
  faults.expect(/422/);
  const till = await Till.open(service);
  const { merchantId } = await standingOf(till);
  const desk = new SettlementPage(page);
  await desk.open();
  const all = centsOf(await desk.amountOf('Settled and unpaid'));
  await page.keyboard.press('o');
  await expect(page.getByLabel('Amount, USD')).toBeFocused();
  await till.post('/settlement/payout', { merchantId, amount: '5.00' });
  await page.keyboard.press('Enter');
  const left = ((all - 500) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  await page.getByRole('button', { name: `Use ${left}` }).press('Enter');
  await expect(page.getByLabel('Amount, USD')).toHaveValue(left);
});

test('a payout whose answer is lost is tried again and recorded once', async ({ signedIn: page, service, faults }) => {
  faults.expect(/ERR_FAILED/);
  const till = await Till.open(service);
  const before = await till.read('/settlement/payouts?limit=1');
  const keys: string[] = [];
  await page.route('**/settlement/payout', async (route) => {
    keys.push((await route.request().headerValue('Idempotency-Key')) ?? '');
    const response = await route.fetch();
    if (keys.length === 1) await route.abort();
    else await route.fulfill({ response });
  });
  await new SettlementPage(page).open();
  await page.keyboard.press('o');
  await page.getByLabel('Amount, USD').fill('3.21');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It is not known whether this was recorded. Try again with the same amount.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Paid out 3.21 USD' })).toBeVisible();
  expect(keys).toEqual([keys[0], keys[0]]);
  expect((await till.read('/settlement/payouts?limit=1')).pagination.total).toBe(before.pagination.total + 1);
});

test('a changed schedule moves the countdown, and one by hand says what to press', async ({ signedIn: page, service }) => {
  const desk = new SettlementPage(page);
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const choose = async (option: string) => {
    await page.getByRole('button', { name: 'Change the schedule' }).press('Enter');
    await expect(field('How often')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: option }).press('Enter');
  };
  await desk.open();
  await expect(desk.cutoff).toContainText(/^Next cutoff in (\d+ h|\d+ min|less)/);
  await choose('Every month');
  await field('Day of the month').fill('32');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A day, 1 to 31.')).toBeVisible();
  const { data: clock } = await (await Till.open(service)).read<{ now: string }>('/sandbox/clock');
  const day = String(((new Date(clock.now).getUTCDate() + 12) % 28) + 1);
  await field('Day of the month').fill(day);
  await field('Cutoff time').fill('18:30');
  await expect(page.locator('[data-rule]')).toContainText(`On day ${day} of every month at 18:30`);
  await page.keyboard.press('Enter');
  await expect(desk.cutoff).toContainText(/^Next cutoff in \d+ d/);
  await expect(desk.cutoff).toContainText('6:30:00 PM');
  await choose('Only by hand');
  await expect(field('Cutoff time')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save schedule' }).press('Enter');
  await expect(desk.cutoff).toContainText(/^Settled only by hand/);
  await choose('Every day');
  await page.getByRole('button', { name: 'Save schedule' }).press('Enter');
  await expect(desk.cutoff).toContainText(/^Next cutoff in (\d+ h|\d+ min|less)/);
});

test('a batch that the bank refused gives its settlements back, and one that it paid is paid', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  const before = await standingOf(till);
  const desk = new SettlementPage(page);
  await desk.open();
  await page.keyboard.press('b');
  await expect(page.getByLabel('From')).toBeFocused();
  await expect(page.locator('[data-bundle]')).toContainText('after fees.');
  const bundle = (await page.locator('[data-bundle]').textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(desk.batch.getByRole('heading', { level: 2 })).toBeFocused();
  const net = (await desk.batch.getByRole('heading', { level: 2 }).textContent()) ?? '';
  expect(bundle).toContain(net.replace(/\s*USD/, ' USD'));
  expect((await standingOf(till)).settledUnpaid.amount).toBeLessThan(before.settledUnpaid.amount);
  await page.keyboard.press('f');
  await expect(desk.batch.getByLabel('Note, optional')).toBeFocused();
  await page.keyboard.type('Account closed');
  await page.keyboard.press('Enter');
  await expect(desk.batch.locator('header [data-state=failed]')).toBeVisible();
  await expect(desk.batch).toContainText('Account closed');
  await expect(desk.batch.getByRole('button', { name: /^(Paid|Failed)/ })).toHaveCount(0);
  expect((await standingOf(till)).settledUnpaid.amount).toBe(before.settledUnpaid.amount);
  await page.keyboard.press('Escape');
  await expect(desk.batch).toHaveCount(0);
  await page.keyboard.press('b');
  await expect(page.locator('[data-bundle]')).toHaveText(bundle);
  await page.keyboard.press('Enter');
  await expect(desk.batch.locator('header [data-state=pending]')).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.press('Enter');
  await expect(desk.batch.locator('header [data-state=paid]')).toBeVisible();
  const reference = (await desk.batch.locator('dd .mono').first().textContent()) ?? '';
  await page.keyboard.press('Escape');
  await desk.figure('Paid in 30 days').click();
  await expect(desk.rows.filter({ hasText: reference })).toContainText('batch');
  await expect(desk.total).toContainText(await desk.amountOf('Paid in 30 days'));
});

test('the funding report, its rows and its file come to the same, and it is sent by e-mail', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  const desk = new SettlementPage(page);
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await desk.open(`?tab=funding&from=${day(9)}&to=${day(2)}`);
  const sum = page.locator('[data-sum=Net]');
  await expect(sum).toBeVisible();
  const net = centsOf(((await sum.textContent()) ?? '').replace('= Net', ''));
  const cells = await desk.rows.locator('[data-field=net]').allInnerTexts();
  expect(cells.reduce((sum, text) => sum + centsOf(text), 0)).toBe(net);
  await desk.heading.focus();
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('x')]);
  const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  const at = head.split(',').indexOf('netAmount');
  expect(lines).toHaveLength(cells.length);
  expect(lines.reduce((sum, line) => sum + centsOf(line.split(',')[at] ?? ''), 0)).toBe(net);
  await page.keyboard.press('e');
  await expect(page.getByLabel('E-mail', { exact: true })).toBeFocused();
  const address = `books-${process.pid}@desk.example`;
  await page.getByLabel('E-mail', { exact: true }).fill(address);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText(`On its way to ${address}.`);
  const { data } = await till.read<{ to: string }[]>(`/notifications/messages?q=${encodeURIComponent(address)}`);
  expect(data).toHaveLength(1);
});

test('before the first settlement the screen explains the cutoff', async ({ signedIn: page }) => {
  const nothing = { success: true, data: [], pagination: { page: 1, limit: 50, total: 0, totalPages: 0 } };
  await page.route('**/settlement/history/**', (route) => route.fulfill({ json: nothing }));
  const desk = new SettlementPage(page);
  await desk.open();
  await expect(page.getByText('No settlements yet')).toBeVisible();
  await expect(page.getByText(/captures less refunds less fees is what goes to your bank\. The next cutoff is /)).toBeVisible();
  await expectAccessible(page, 'nothing yet');
});

test('settlement has no accessibility fault in either scheme and fits a small screen', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  await till.sell({ amount: '12.00' });
  await till.post('/settlement/settle', {});
  await till.sell({ amount: '13.00' });
  const { data } = await till.read<{ settlements: Settlement[] }>('/settlement/funding-report');
  const newest = data.settlements.at(-1)?.settlementId ?? '';
  const desk = new SettlementPage(page);
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  for (const tab of ['history', 'payouts', 'batches', 'unsettled', 'funding']) {
    await desk.open(`?tab=${tab}`);
    await expect(desk.rows.first().or(page.getByText(/No (payouts|batches) yet/))).toBeVisible();
    await expectAccessible(page, tab);
    for (const size of [SMALL_SCREEN, SCREEN]) {
      await page.setViewportSize(size);
      expect(await fits()).toBe(true);
    }
  }
  for (const [key, name] of [
    ['o', 'Pay out'],
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
  await page.getByRole('button', { name: 'Change the schedule' }).press('Enter');
  await expect(page.getByLabel('How often')).toBeFocused();
  await expectAccessible(page, 'schedule');
  await page.keyboard.press('Escape');
  await page.goto(`/#/settlement/${newest}`);
  await expect(desk.settlement.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'settlement');
  await page.setViewportSize(SMALL_SCREEN);
  await expect.poll(() => desk.settlement.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
});
