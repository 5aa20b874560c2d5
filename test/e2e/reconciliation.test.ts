import { expectAccessible } from './accessibility.ts';
import { ApiSession, type Payment } from './api-session.ts';
import { dateField, expectDate } from './date-entry.ts';
import { expect, type Service, test } from './fixtures.ts';
import { ReconciliationPage } from './pages/reconciliation-page.ts';

const DAY_SECONDS = 86_400;
const SCREENS = [
  { width: 1280, height: 720 },
  { width: 640, height: 400 },
] as const;

interface SettledDay {
  readonly api: ApiSession;
  readonly date: string;
  readonly sales: readonly Payment[];
}

/** Creates a day on which the amounts were sold and settled manually. */
async function settledDay(service: Service, ...amounts: string[]): Promise<SettledDay> {
  const api = await ApiSession.open(service);
  await api.post('/sandbox/clock', { advanceSeconds: 2 * DAY_SECONDS });
  const { data } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const sales: Payment[] = [];
  for (const amount of amounts) sales.push(await api.sell({ amount }));
  const made = await api.post<{ settlementDate: string }[]>('/settlement/settle', { merchantId: data.merchants[0]?.merchantId });
  return { api, date: made[0]?.settlementDate ?? '', sales };
}

const damaged = (service: Service) => settledDay(service, '10.13', '10.14', '10.15', '10.16');

test('resolves a missing, a short and a duplicate payment by keyboard only, after which the day is balanced', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const { date } = await damaged(service);
  const reconciliationPage = new ReconciliationPage(page);
  await reconciliationPage.open(date);
  await expect(reconciliationPage.verdict('out')).toHaveText('Off by 0.98');
  await expect(reconciliationPage.result).toContainText('3 unexplained');
  await expect(reconciliationPage.rows).toHaveCount(3);
  await expect(reconciliationPage.rows.filter({ hasText: 'Settled 1.00 less than was captured' })).toContainText('10.14');
  await expect(reconciliationPage.rows.filter({ hasText: 'Reported twice by the processor' })).toContainText('−10.15');
  await expect(reconciliationPage.rows.filter({ hasText: 'The processor didn’t report this payment' })).toContainText('missing');
  await expect(reconciliationPage.heading).toBeFocused();
  await strokes.reset();
  await page.keyboard.press('j');
  await page.keyboard.press('n');
  for (const [at, note] of ['First note', 'Second note', 'Third note'].entries()) {
    await expect(reconciliationPage.note).toBeFocused();
    await expect(reconciliationPage.note).toHaveValue('');
    await page.keyboard.type(note);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText(at < 2 ? `Resolved. ${2 - at} unexplained.` : 'Resolved. Balanced, 3 explained.')).toBeVisible();
    if (at < 2) await expect(reconciliationPage.verdict('out')).toBeVisible();
  }
  await expect(reconciliationPage.drawer).toBeHidden();
  expect(strokes.clicks()).toBe(0);
  await expect(reconciliationPage.verdict('explained')).toHaveText('Balanced, 3 explained');
  await expect(reconciliationPage.day(date)).toHaveAccessibleName(/balanced, 3 explained$/);
  await expect(reconciliationPage.rows.last().getByRole('gridcell').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(reconciliationPage.drawer.getByRole('alert')).toContainText('Third note');
  await expect(reconciliationPage.drawer.getByRole('alert')).toContainText('Olivia Hart');
  await expect(reconciliationPage.drawer.getByRole('button', { name: 'Note and resolve' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(reconciliationPage.drawer).toBeHidden();
  await page.keyboard.press('r');
  await expect(reconciliationPage.announcement).toHaveText('Compared again. Balanced, 3 explained.');
});

test('requires a note, saves a suggestion only on confirmation, and keeps the resolved line open after Enter @full', async ({
  signedIn: page,
  service,
}) => {
  const { date, api } = await settledDay(service, '10.14');
  const reconciliationPage = new ReconciliationPage(page);
  await reconciliationPage.open(date);
  await expect(reconciliationPage.rows).toHaveCount(1);
  await page.keyboard.press('n');
  await expect(reconciliationPage.note).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(reconciliationPage.note).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await expect(reconciliationPage.drawer).toContainText('Probable cause:');
  await page.keyboard.press('n');
  await page.keyboard.press('Tab');
  await expect(reconciliationPage.drawer.getByRole('button', { name: 'Use: The processor deducted 1.00.' })).toBeFocused();
  expect((await api.read<{ openCount: number }>(`/settlement/reconciliation?date=${date}`)).data.openCount).toBe(1);
  await page.keyboard.press('Enter');
  await expect(reconciliationPage.note).toHaveValue('The processor deducted 1.00.');
  await page.keyboard.press('Enter');
  await expect(reconciliationPage.drawer.getByRole('alert')).toContainText('The processor deducted 1.00.');
  await expect(reconciliationPage.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(reconciliationPage.verdict('explained')).toHaveText('Balanced, 1 explained');
});

test('reopens a resolved discrepancy by Undo', async ({ signedIn: page, service }) => {
  const { date } = await settledDay(service, '10.13', '20.00');
  const reconciliationPage = new ReconciliationPage(page);
  await reconciliationPage.open(date);
  await expect(reconciliationPage.rows).toHaveCount(1);
  await page.keyboard.press('n');
  await expect(reconciliationPage.note).toBeFocused();
  await page.keyboard.type('The wrong line');
  await page.keyboard.press('Enter');
  await expect(reconciliationPage.verdict('explained')).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(reconciliationPage.result).toContainText('1 unexplained');
  await expect(reconciliationPage.drawer).not.toContainText('The wrong line');
});

test('shows who resolved a discrepancy in the meantime and why, without a reload @full', async ({ signedIn: page, service }) => {
  const { date, api } = await settledDay(service, '10.13', '20.00');
  const reconciliationPage = new ReconciliationPage(page);
  await reconciliationPage.open(date);
  await expect(reconciliationPage.rows).toHaveCount(1);
  await page.keyboard.press('n');
  await expect(reconciliationPage.note).toBeFocused();
  const own = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const path = `/settlement/reconciliation?date=${date}&merchantId=${own.data.merchants[0]?.merchantId}`;
  const report = await api.read<{ discrepancies: { id: string }[] }>(path);
  await api.post(`/settlement/reconciliation/discrepancies/${report.data.discrepancies[0]?.id}/resolve`, { note: 'On the next report' });
  await expect(reconciliationPage.drawer.getByRole('alert')).toContainText('On the next report');
  await expect(reconciliationPage.verdict('explained')).toHaveText('Balanced, 1 explained');
  await expect(reconciliationPage.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(reconciliationPage.drawer).toBeHidden();
  await reconciliationPage.tab('Matched').press('Enter');
  await expect(page).toHaveURL(/tab=matched/);
  await expect(reconciliationPage.rows.first()).toContainText('Matched');
  await page.reload();
  await expect(reconciliationPage.tab('Matched')).toHaveAttribute('aria-selected', 'true');
});

test('imports a file with suggested columns, reports invalid rows by line, and stores the columns under a name', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/409/);
  const { date, sales } = await settledDay(service, '10.13', '31.00');
  const [year, month, dayOfMonth] = date.split('-');
  const written = `${dayOfMonth}.${month}.${year}`;
  const line = ({ transactionId }: Payment, amount: string) => `${written};${transactionId};${amount};ok`;
  const reconciliationPage = new ReconciliationPage(page);
  await reconciliationPage.open(date);
  await expect(reconciliationPage.verdict('out')).toBeVisible();
  await page.keyboard.press('i');
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeFocused();
  const [missing, right] = sales as [Payment, Payment];
  const rows = [
    'Settlement date;Transaction ID;Gross amount;State',
    line(missing, '10,13'),
    line(right, '31,00'),
    `${written};other-till-7;5,00;ok`,
    `${written};txn_x;none;bad`,
  ];
  await reconciliationPage.choose('processor.csv', rows);
  await expect(reconciliationPage.dialog.getByRole('combobox', { name: 'Payment or refund' })).toHaveText('Transaction ID');
  await expect(reconciliationPage.dialog.getByRole('combobox', { name: 'Amount', exact: true })).toHaveText('Gross amount');
  await expect(reconciliationPage.dialog.getByRole('combobox', { name: 'Date format' })).toHaveText('DD.MM.YYYY');
  const sample = reconciliationPage.dialog.getByRole('region', { name: 'First rows of the file' });
  await expect(sample).toContainText('payment of 10.13 USD');
  await expect(sample).toContainText('not an amount');
  await expectDate(dateField(reconciliationPage.dialog, 'Day to compare'), date);
  await reconciliationPage.dialog.getByLabel('Save mapping as (optional)').fill('Acme bank');
  await page.keyboard.press('Enter');
  await expect(reconciliationPage.dialog.getByRole('list', { name: 'Skipped rows' })).toContainText(
    'Line 5: the amount is not a decimal number of USD',
  );
  await expect(reconciliationPage.dialog).toContainText('3 rows read');
  await expect(reconciliationPage.dialog.getByRole('button', { name: /^Compare [A-Z]/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(reconciliationPage.dialog).toBeHidden();
  await expect(reconciliationPage.announcement).toHaveText('Compared with the file. Off by 5.00.');
  await expect(reconciliationPage.verdict('out')).toHaveText('Off by 5.00');
  await expect(reconciliationPage.result).toContainText('Compared with an imported file');
  await expect(reconciliationPage.rows).toHaveCount(1);
  await expect(reconciliationPage.rows).toContainText('other-till-7');
  await expect(reconciliationPage.rows).toContainText('This payment isn’t in Paydesk');

  await page.keyboard.press('i');
  await reconciliationPage.choose('again.csv', rows);
  await expect(reconciliationPage.dialog.getByRole('combobox', { name: 'Saved mapping' })).toHaveText('Acme bank');
  await reconciliationPage.dialog.getByRole('button', { name: 'Import and compare' }).press('Enter');
  await expect(reconciliationPage.dialog.getByRole('alert')).toContainText('This file was already imported.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Use the processor’s report' }).press('Enter');
  await expect(reconciliationPage.verdict('out')).toHaveText('Off by 10.13');
});

test('explains a day without settlements, a missing report and a day of another month @full', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/502/);
  const { date } = await settledDay(service, '12.00');
  const reconciliationPage = new ReconciliationPage(page);
  await reconciliationPage.open('2039-01-15');
  await expect(reconciliationPage.verdict('unsettled')).toHaveText('Nothing settled');
  await expect(page.getByText('This day is in the future.')).toBeVisible();
  await expect(page.getByText('January 2039')).toBeVisible();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/2039-01-14$/);
  await reconciliationPage.day('2039-01-14').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/2039-01-13$/);
  const refusal = { success: false, error: { code: 'GATEWAY_ERROR', message: "The gateway's report is not available." } };
  await page.route(/\/settlement\/reconciliation\?/, (route) => route.fulfill({ status: 502, json: refusal }));
  await reconciliationPage.open(date);
  await expect(page.getByRole('alert')).toContainText('The processor’s report isn’t available.');
  await expect(page.getByText('Balanced', { exact: true })).toHaveCount(0);
  await page.unroute(/\/settlement\/reconciliation\?/);
  // A notification of the service may load the report first.
  const balanced = reconciliationPage.verdict('balanced');
  await page.getByRole('button', { name: 'Try again' }).or(balanced).press('Enter');
  await expect(balanced).toBeVisible();
});

test('reconciliation has no accessibility fault in either color scheme and fits a small screen @full', async ({
  signedIn: page,
  service,
}) => {
  const { date, sales } = await damaged(service);
  const reconciliationPage = new ReconciliationPage(page);
  const expectFit = async (what: string) => {
    await page.setViewportSize(SCREENS[0]);
    await expectAccessible(page, what);
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
  };
  await reconciliationPage.open(date);
  await expect(reconciliationPage.rows).toHaveCount(3);
  await expectFit('day');
  await page.keyboard.press('n');
  await expect(reconciliationPage.note).toBeFocused();
  await expectFit('note');
  const resolve = reconciliationPage.drawer.getByRole('button', { name: 'Resolve', exact: true });
  await resolve.scrollIntoViewIfNeeded();
  await expect(resolve).toBeInViewport({ ratio: 1 });
  expect(await reconciliationPage.drawer.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(reconciliationPage.drawer).toBeHidden();
  await page.keyboard.press('i');
  await reconciliationPage.choose('day.csv', [
    'Transaction ID,Amount,Date',
    `${sales[0]?.transactionId},10.13,${date}`,
    `${sales[1]?.transactionId},x,${date}`,
  ]);
  await expect(reconciliationPage.dialog.getByRole('region', { name: 'First rows of the file' })).toBeVisible();
  await expectFit('import');
  const send = reconciliationPage.dialog.getByRole('button', { name: 'Import and compare' });
  await expect(send).toBeInViewport({ ratio: 1 });
  await send.press('Enter');
  await expect(reconciliationPage.dialog.getByRole('list', { name: 'Skipped rows' })).toBeVisible();
  await expectFit('kept-out');
  await page.keyboard.press('Escape');
  await reconciliationPage.open('2039-02-01');
  await expect(page.getByText('No settlement on this day')).toBeVisible();
  await expectFit('unsettled');
});

test('reads payments and refunds from two columns of a processor file, in cents @full', async ({ signedIn: page, service }) => {
  const { date, sales } = await settledDay(service, '10.00', '25.00');
  const reconciliationPage = new ReconciliationPage(page);
  await reconciliationPage.open(date);
  await page.keyboard.press('i');
  const { dialog } = reconciliationPage;
  await reconciliationPage.choose('two-columns.csv', [
    'Report,1',
    'Transaction ID,Credit,Debit,Settlement date',
    `${sales[0]?.transactionId},1000,,${date}`,
    `${sales[1]?.transactionId},2500,,${date}`,
  ]);
  await expect(dialog.getByRole('combobox', { name: 'Amounts are in', exact: true })).toHaveText('Two columns');
  const sample = dialog.getByRole('region', { name: 'First rows of the file' });
  await expect(sample).toContainText('payment of 1,000.00 USD');
  await dialog.getByRole('combobox', { name: 'Amounts are in units of' }).press('Enter');
  await page.getByRole('option', { name: 'Cents, such as 1250' }).click();
  await expect(sample).toContainText('payment of 10.00 USD');
  await dialog.getByRole('button', { name: 'Import and compare' }).click();
  await expect(dialog).toBeHidden();
  await expect(reconciliationPage.verdict('balanced')).toBeVisible();
});
