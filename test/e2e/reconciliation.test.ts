import { expectAccessible } from './accessibility.ts';
import { expect, type Service, test } from './fixtures.ts';
import { ReconciliationPage } from './pages/reconciliation-page.ts';
import { type Payment, Till } from './till.ts';

const DAY_SECONDS = 86_400;
const SCREENS = [
  { width: 1280, height: 720 },
  { width: 640, height: 400 },
] as const;

interface SettledDay {
  readonly till: Till;
  readonly date: string;
  readonly sales: readonly Payment[];
}

/** A day of its own on which the amounts were sold and settled by hand. */
async function settledDay(service: Service, ...amounts: string[]): Promise<SettledDay> {
  const till = await Till.open(service);
  await till.post('/sandbox/clock', { advanceSeconds: 2 * DAY_SECONDS });
  const { data } = await till.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const sales: Payment[] = [];
  for (const amount of amounts) sales.push(await till.sell({ amount }));
  const made = await till.post<{ settlementDate: string }[]>('/settlement/settle', { merchantId: data.merchants[0]?.merchantId });
  return { till, date: made[0]?.settlementDate ?? '', sales };
}

const damaged = (service: Service) => settledDay(service, '10.13', '10.14', '10.15', '10.16');

test('a missing, a short and a doubled payment are resolved by keys alone, and only then the day is balanced', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const { date } = await damaged(service);
  const desk = new ReconciliationPage(page);
  await desk.open(date);
  await expect(desk.verdict('out')).toHaveText('Out by 0.98');
  await expect(desk.result).toContainText('3 to explain');
  await expect(desk.rows).toHaveCount(3);
  await expect(desk.rows.filter({ hasText: 'Settled 1.00 less than was captured' })).toContainText('10.14');
  await expect(desk.rows.filter({ hasText: 'The processor reports it twice' })).toContainText('−10.15');
  await expect(desk.rows.filter({ hasText: 'The processor does not report this payment' })).toContainText('not there');
  await expect(desk.heading).toBeFocused();
  strokes.reset();
  await page.keyboard.press('j');
  await page.keyboard.press('n');
  for (const [at, note] of ['First note', 'Second note', 'Third note'].entries()) {
    await expect(desk.note).toBeFocused();
    await expect(desk.note).toHaveValue('');
    await page.keyboard.type(note);
    await page.keyboard.press('Control+Enter');
    await expect(desk.said).toHaveText(at < 2 ? `Resolved. ${2 - at} to explain.` : 'Resolved. Balanced, 3 explained.');
    if (at < 2) await expect(desk.verdict('out')).toBeVisible();
  }
  await expect(desk.drawer).toBeHidden();
  expect(strokes.clicks()).toBe(0);
  await expect(desk.verdict('explained')).toHaveText('Balanced, 3 explained');
  await expect(desk.day(date)).toHaveAccessibleName(/balanced, 3 explained$/);
  await expect(desk.rows.last().getByRole('gridcell').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(desk.drawer.getByRole('alert')).toContainText('Third note');
  await expect(desk.drawer.getByRole('alert')).toContainText(service.adminEmail);
  await expect(desk.drawer.getByRole('button', { name: 'Note and resolve' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await expect(desk.said).toHaveText('Compared again. Balanced, 3 explained.');
});

test('a note is asked for, a suggestion is saved by nobody but a person, and Enter leaves the line open to read', async ({
  signedIn: page,
  service,
}) => {
  const { date, till } = await settledDay(service, '10.14');
  const desk = new ReconciliationPage(page);
  await desk.open(date);
  await expect(desk.rows).toHaveCount(1);
  await page.keyboard.press('n');
  await expect(desk.note).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(desk.note).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await expect(desk.drawer).toContainText('Probably:');
  await page.keyboard.press('n');
  await page.keyboard.press('Tab');
  await expect(desk.drawer.getByRole('button', { name: 'Write: The processor kept back 1.00.' })).toBeFocused();
  expect((await till.read<{ openCount: number }>(`/settlement/reconciliation?date=${date}`)).data.openCount).toBe(1);
  await page.keyboard.press('Enter');
  await expect(desk.note).toHaveValue('The processor kept back 1.00.');
  await page.keyboard.press('Enter');
  await expect(desk.drawer.getByRole('alert')).toContainText('The processor kept back 1.00.');
  await expect(desk.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(desk.verdict('explained')).toHaveText('Balanced, 1 explained');
});

test('what somebody else resolved in the meantime says by whom and why, without a reload', async ({ signedIn: page, service }) => {
  const { date, till } = await settledDay(service, '10.13', '20.00');
  const desk = new ReconciliationPage(page);
  await desk.open(date);
  await expect(desk.rows).toHaveCount(1);
  await page.keyboard.press('n');
  await expect(desk.note).toBeFocused();
  const own = await till.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const path = `/settlement/reconciliation?date=${date}&merchantId=${own.data.merchants[0]?.merchantId}`;
  const report = await till.read<{ discrepancies: { id: string }[] }>(path);
  await till.post(`/settlement/reconciliation/discrepancies/${report.data.discrepancies[0]?.id}/resolve`, { note: 'On the next report' });
  await expect(desk.drawer.getByRole('alert')).toContainText('On the next report');
  await expect(desk.verdict('explained')).toHaveText('Balanced, 1 explained');
  await expect(desk.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(desk.drawer).toBeHidden();
  await desk.tab('Matched').press('Enter');
  await expect(page).toHaveURL(/tab=matched/);
  await expect(desk.rows.first()).toContainText('Matched');
  await page.reload();
  await expect(desk.tab('Matched')).toHaveAttribute('aria-selected', 'true');
});

test('a file is imported by columns that are guessed; bad rows are told by line, and the columns are kept by name', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/409/);
  const { date, sales } = await settledDay(service, '10.13', '31.00');
  const [year, month, dayOfMonth] = date.split('-');
  const written = `${dayOfMonth}.${month}.${year}`;
  const line = ({ transactionId }: Payment, amount: string) => `${written};${transactionId};${amount};ok`;
  const desk = new ReconciliationPage(page);
  await desk.open(date);
  await expect(desk.verdict('out')).toBeVisible();
  await page.keyboard.press('i');
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeFocused();
  const [missing, right] = sales as [Payment, Payment];
  const rows = [
    'Settlement date;Transaction ID;Gross amount;State',
    line(missing, '10,13'),
    line(right, '31,00'),
    `${written};other-till-7;5,00;ok`,
    `${written};txn_x;none;bad`,
  ];
  await desk.choose('processor.csv', rows);
  await expect(desk.dialog.getByRole('combobox', { name: 'Payment or refund' })).toHaveText('Transaction ID');
  await expect(desk.dialog.getByRole('combobox', { name: 'Amount', exact: true })).toHaveText('Gross amount');
  await expect(desk.dialog.getByRole('combobox', { name: 'Dates are written' })).toHaveText('DD.MM.YYYY');
  const sample = desk.dialog.getByRole('region', { name: 'First rows of the file' });
  await expect(sample).toContainText('payment of 10.13 USD');
  await expect(sample).toContainText('not an amount');
  await expect(desk.dialog.getByLabel('Day to compare')).toHaveValue(date);
  await desk.dialog.getByLabel('Save these columns as, optional').fill('Acme bank');
  await page.keyboard.press('Enter');
  await expect(desk.dialog.getByRole('list', { name: 'Rows kept out' })).toContainText('Line 5: the amount is not a decimal number of USD');
  await expect(desk.dialog).toContainText('3 rows read');
  await expect(desk.dialog.getByRole('button', { name: /^Compare .* with it$/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(desk.dialog).toBeHidden();
  await expect(desk.said).toHaveText('Compared with the file. Out by 5.00.');
  await expect(desk.verdict('out')).toHaveText('Out by 5.00');
  await expect(desk.result).toContainText('Compared with an imported file');
  await expect(desk.rows).toHaveCount(1);
  await expect(desk.rows).toContainText('other-till-7');
  await expect(desk.rows).toContainText('Nobody here knows this payment');

  await page.keyboard.press('i');
  await desk.choose('again.csv', rows);
  await expect(desk.dialog.getByRole('combobox', { name: 'Saved columns' })).toHaveText('Acme bank');
  await desk.dialog.getByRole('button', { name: 'Import and compare' }).press('Enter');
  await expect(desk.dialog.getByRole('alert')).toContainText('This file was imported before.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: "Use the processor's report" }).press('Enter');
  await expect(desk.verdict('out')).toHaveText('Out by 10.13');
});

test('a day without settlements, a report that is missing and a day of another month each say so', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/502/);
  const { date } = await settledDay(service, '12.00');
  const desk = new ReconciliationPage(page);
  await desk.open('2039-01-15');
  await expect(desk.verdict('unsettled')).toHaveText('Nothing settled');
  await expect(page.getByText('This day is still to come.')).toBeVisible();
  await expect(page.getByText('January 2039')).toBeVisible();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/2039-01-14$/);
  await desk.day('2039-01-14').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/2039-01-13$/);
  const refusal = { success: false, error: { code: 'GATEWAY_ERROR', message: "The gateway's report is not available." } };
  await page.route(/\/settlement\/reconciliation\?/, (route) => route.fulfill({ status: 502, json: refusal }));
  await desk.open(date);
  await expect(page.getByRole('alert')).toContainText("The processor's report is missing.");
  await expect(page.getByText('Balanced', { exact: true })).toHaveCount(0);
  await page.unroute(/\/settlement\/reconciliation\?/);
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(desk.verdict('balanced')).toBeVisible();
});

test('reconciliation has no accessibility fault in either scheme and fits a small screen', async ({ signedIn: page, service }) => {
  const { date, sales } = await damaged(service);
  const desk = new ReconciliationPage(page);
  const expectFit = async (what: string) => {
    await page.setViewportSize(SCREENS[0]);
    await expectAccessible(page, what);
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
  };
  await desk.open(date);
  await expect(desk.rows).toHaveCount(3);
  await expectFit('day');
  await page.keyboard.press('n');
  await expect(desk.note).toBeFocused();
  await expectFit('note');
  const resolve = desk.drawer.getByRole('button', { name: 'Resolve', exact: true });
  await resolve.scrollIntoViewIfNeeded();
  await expect(resolve).toBeInViewport({ ratio: 1 });
  expect(await desk.drawer.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(desk.drawer).toBeHidden();
  await page.keyboard.press('i');
  await desk.choose('day.csv', [
    'Transaction ID,Amount,Date',
    `${sales[0]?.transactionId},10.13,${date}`,
    `${sales[1]?.transactionId},x,${date}`,
  ]);
  await expect(desk.dialog.getByRole('region', { name: 'First rows of the file' })).toBeVisible();
  await expectFit('import');
  const send = desk.dialog.getByRole('button', { name: 'Import and compare' });
  await expect(send).toBeInViewport({ ratio: 1 });
  await send.press('Enter');
  await expect(desk.dialog.getByRole('list', { name: 'Rows kept out' })).toBeVisible();
  await expectFit('kept-out');
  await page.keyboard.press('Escape');
  await desk.open('2039-02-01');
  await expect(page.getByText('Nothing is settled for this day')).toBeVisible();
  await expectFit('unsettled');
});
