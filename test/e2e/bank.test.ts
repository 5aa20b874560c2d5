import { ofx } from '../support/bank-files.ts';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

const DAY_SECONDS = 86_400;

test('imports a statement, matches its lines, undoes and repeats a match, and closes the month, by keyboard only', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const merchantId = data.merchants[0]?.merchantId as string;
  // Another month, so that the sales of other tests are not part of it.
  await api.post('/sandbox/clock', { advanceSeconds: 40 * DAY_SECONDS });
  await api.sell({ amount: '84.20' });
  await api.post('/settlement/settle', { merchantId });
  const payout = await api.post<{ reference: string; amount: number; paidAt: string }>('/settlement/payout', { merchantId });
  // Banks book on the merchant's day, which is not that of UTC in the evening.
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(payout.paidAt));
  const cents = Math.round(payout.amount * 100);
  const content = ofx({
    account: '000482719365',
    opening: 0,
    lines: [
      { day, minor: cents - 320, text: `CARD PROCESSING ${payout.reference}`, reference: 'F1' },
      { day, minor: -1_295, text: 'CARD PROCESSING MONTHLY FEE', reference: 'F2' },
    ],
  });

  await page.goto('/#/reconciliation/bank');
  await expect(page.getByText('No bank account')).toBeVisible();
  await strokes.reset();
  await page.getByRole('button', { name: 'Add bank account' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('input:focus')).toBeVisible();
  await page.keyboard.type('Business checking');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import a bank statement' });
  await expect(dialog).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await expect(dialog.getByRole('button', { name: 'Choose file' }).first()).toBeFocused();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'statement.ofx', mimeType: 'application/x-ofx', buffer: Buffer.from(content) });
  await expect(dialog.getByRole('button', { name: 'Import statement' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Open (2)' })).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Open bank lines' });
  await expect(grid).toContainText(`Payout ${payout.reference}, fee 3.20 USD withheld`);
  await expectAccessible(page, 'bank lines');

  const drawer = page.getByRole('dialog', { name: 'Bank line' });
  const row = grid.getByRole('row').filter({ hasText: 'MONTHLY FEE' });
  await expect(row).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(drawer).toContainText('MONTHLY FEE');
  await page.keyboard.press('f');
  await expect(drawer).toContainText(payout.reference);
  await expect(drawer.getByRole('button', { name: 'Accept match' })).toBeFocused();
  // A credit is not marked as a fee with one key. If it were, there would be nothing to split.
  await page.keyboard.press('f');
  await page.keyboard.press('s');
  const split = page.getByRole('dialog', { name: /^Split/ });
  await expect(split.getByLabel('Amount').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(split).toBeHidden();
  await drawer.getByRole('button', { name: 'Accept match' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('No open lines')).toBeVisible();

  await page.goto('/#/reconciliation/bank?state=matched');
  const matched = page.getByRole('grid', { name: 'Matched bank lines' });
  await expect(matched.getByRole('row').filter({ hasText: 'Matched' })).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('u');
  await expect(matched.getByRole('row').filter({ hasText: 'Matched' })).toHaveCount(1);
  await page.goto('/#/reconciliation/bank');
  await expect(grid).toContainText('MONTHLY FEE');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  // Without a suggestion no answer is filled in, and each has the key of its number.
  await expect(drawer.getByRole('button', { name: 'Unrelated to payments' })).toBeVisible();
  await expect(drawer.locator('button.MuiButton-contained')).toHaveCount(0);
  await page.keyboard.press('2');
  await expect(page.getByText('No open lines')).toBeVisible();

  await api.post('/sandbox/clock', { advanceSeconds: 40 * DAY_SECONDS });
  await page.goto(`/#/reconciliation/close/${day.slice(0, 7)}`);
  const figures = page.getByRole('table', { name: 'Figures' });
  await expect(figures.getByRole('row', { name: /Bank account/ })).toContainText('Balanced');
  await expectAccessible(page, 'close');
  // The print dialog belongs to the browser; the test sees that it is asked for, and what the page shows on paper.
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'true');
  });
  await page.keyboard.press('p');
  await expect(page.locator('body[data-printed]')).toBeAttached();
  await page.emulateMedia({ media: 'print' });
  await expect(figures).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save PDF' })).toBeHidden();
  await page.emulateMedia({ media: null });
  await expect(page.getByRole('button', { name: /^Close / })).toBeVisible();
  await page.keyboard.press('c');
  const question = page.getByRole('dialog', { name: /^Close .*\?$/ });
  await expect(question.getByRole('button', { name: /^Close / })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(page.getByText('Closed by')).toBeVisible();
  await page.getByRole('button', { name: 'Reopen' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('input:focus, textarea:focus')).toBeVisible();
  await page.keyboard.type('The bank corrected a line');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The bank corrected a line')).toBeVisible();
  expect(strokes.clicks()).toBe(0);
});

test('renames a bank account and removes it with its open lines after a confirmation, by keyboard only @full', async ({
  signedIn: page,
  service,
  strokes,
  faults,
}) => {
  faults.expect(/status of 409/);
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const merchantId = data.merchants[0]?.merchantId as string;
  const { bankAccountId } = await api.post<{ bankAccountId: string }>('/settlement/bank-accounts', { merchantId, name: 'Old savings' });
  const content = ofx({
    account: '000482719999',
    opening: 0,
    lines: [1, 2].map((n) => ({ day: '2026-03-02', minor: n, text: `INTEREST ${n}`, reference: `F${n}` })),
  });
  await page.goto(`/#/reconciliation/bank?account=${bankAccountId}`);
  await strokes.reset();
  await expect(page.getByText('No statement yet', { exact: true })).toBeVisible();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Edit bank account' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expectAccessible(page, 'edit bank account');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Reserve');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Reserve, USD, no statement yet')).toBeVisible();

  // Another person renames the account while the dialog is open.
  await page.keyboard.press('e');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await api.put(`/settlement/bank-accounts/${bankAccountId}`, { name: 'Reserve 2' });
  await page.keyboard.type(' account');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('renamed to Reserve 2 in the meantime')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Reserve account, USD, no statement yet')).toBeVisible();

  // A statement is imported while the confirmation is open, so that it has to be confirmed again.
  await page.keyboard.press('e');
  await dialog.getByRole('button', { name: 'Remove bank account' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Remove Reserve account?' });
  await expect(question).toContainText('It has no lines.');
  await expectAccessible(page, 'remove bank account');
  const form = { bankAccountId, file: new File([content], 'statement.ofx') };
  await api.upload('/settlement/bank-statements', form);
  await page.keyboard.press('Enter');
  await expect(question).toContainText('has 2 open lines');
  await expect(question).toContainText('Its 2 open lines and its statements are deleted too.');
  await question.getByRole('button', { name: 'Remove bank account' }).focus();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Reserve account, USD')).toBeHidden();
  expect(
    (await api.read<{ bankAccountId: string }[]>('/settlement/bank-accounts')).data.map((account) => account.bankAccountId),
  ).not.toContain(bankAccountId);
  expect(strokes.clicks()).toBe(0);
});

test('marks each line as a fee whose key is pressed before the last one is saved, and explains a failure at its line @full', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/status of 409/);
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const merchantId = data.merchants[0]?.merchantId as string;
  const { bankAccountId } = await api.post<{ bankAccountId: string }>('/settlement/bank-accounts', { merchantId, name: 'Fees' });
  const content = ofx({
    account: '000482718888',
    opening: 0,
    lines: [1, 2, 3, 4, 5].map((n) => ({ day: '2026-03-02', minor: -n, text: `FEE ${n}`, reference: `F${n}` })),
  });
  await api.upload('/settlement/bank-statements', { bankAccountId, file: new File([content], 'statement.ofx') });
  const { promise: arePressed, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/bank-lines/*/match', async (route) => {
    await arePressed;
    await route.fallback();
  });
  await page.goto(`/#/reconciliation/bank?account=${bankAccountId}`);
  const grid = page.getByRole('grid', { name: 'Open bank lines' });
  await expect(grid.getByRole('row').filter({ hasText: 'FEE' })).toHaveCount(5);
  for (const key of ['j', 'f', 'f', 'j', 'f']) await page.keyboard.press(key);
  release();
  await expect(grid.getByRole('row').filter({ hasText: 'FEE' })).toHaveCount(3);

  // Another person matches a line, which this page does not know yet. The line after it is saved nevertheless.
  await page.route('**/bank-lines?*', (route) => route.abort());
  faults.expect(/ERR_FAILED/);
  const open = await api.read<{ lineId: string }[]>(`/settlement/bank-lines?bankAccountId=${bankAccountId}&state=open`);
  await api.post(`/settlement/bank-lines/${open.data[0]?.lineId}/match`, { parts: [{ kind: 'fee' }] });
  const { promise: arePressedAgain, resolve: releaseAgain } = Promise.withResolvers<void>();
  await page.route('**/bank-lines/*/match', async (route) => {
    await arePressedAgain;
    await route.fallback();
  });
  const saved = page.waitForResponse((response) => response.url().includes(`${open.data[1]?.lineId}/match`));
  for (const key of ['k', 'k', 'k', 'f', 'j', 'f']) await page.keyboard.press(key);
  releaseAgain();
  expect((await saved).status()).toBe(200);
  const drawer = page.getByRole('dialog', { name: 'Bank line' });
  await expect(drawer.getByRole('alert')).toContainText('already matched');
  await expect(drawer).toContainText(/FEE \d/);
});

test('offers to record a payout on its way that a line names as paid, and then suggests it @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const merchantId = data.merchants[0]?.merchantId as string;
  await api.sell({ amount: '61.70' });
  const [settlement] = await api.post<{ settlementDate: string }[]>('/settlement/settle', { merchantId });
  const day = settlement?.settlementDate as string;
  const batch = await api.post<{ reference: string; netAmount: number }>('/settlement/batch-payouts/generate', {
    merchantId,
    startDate: day,
    endDate: day,
  });
  const { bankAccountId } = await api.post<{ bankAccountId: string }>('/settlement/bank-accounts', { merchantId, name: 'Payout account' });
  const minor = Math.round(batch.netAmount * 100);
  const line = { day, minor, text: `CARD PROCESSING ${batch.reference}`, reference: 'W1' };
  const content = ofx({ account: '000482719777', opening: 0, lines: [line] });
  await page.goto(`/#/reconciliation/bank?account=${bankAccountId}`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import statement' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Import a bank statement' });
  await dialog.getByRole('button', { name: 'Choose file' }).first().click();
  await (await chooser).setFiles({ name: 'statement.ofx', mimeType: 'application/x-ofx', buffer: Buffer.from(content) });
  await dialog.getByRole('button', { name: 'Import statement' }).click();
  await page.getByRole('row').filter({ hasText: batch.reference }).click();
  const drawer = page.getByRole('dialog', { name: 'Bank line' });
  await expect(drawer).toContainText(`Payout ${batch.reference} of`);
  await drawer.getByRole('button', { name: 'Record as paid…' }).click();
  const question = page.getByRole('dialog', { name: `Record ${batch.reference} as paid?` });
  await expect(question).toContainText('You can’t undo this.');
  await page.keyboard.press('Enter');
  await drawer.getByRole('button', { name: 'Accept match' }).click();
  await expect(page.getByText('No open lines')).toBeVisible();
});

test('shows the first rows of a CSV file as they are read, and imports them with the chosen columns @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const merchantId = data.merchants[0]?.merchantId as string;
  const { bankAccountId } = await api.post<{ bankAccountId: string }>('/settlement/bank-accounts', { merchantId, name: 'Checking' });
  await page.goto(`/#/reconciliation/bank?account=${bankAccountId}`);
  await page.getByRole('button', { name: 'Import statement' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Import a bank statement' });
  const choose = (name: string, lines: readonly string[]) =>
    page
      .getByLabel('Bank statement', { exact: true })
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
  const preview = dialog.getByRole('region', { name: 'First rows of the file' }).getByRole('row');
  const field = (name: string) => dialog.getByRole('combobox', { name });
  const pick = async (name: string, option: string) => {
    await field(name).press('Enter');
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  await choose('two-columns.csv', [
    'Account,12345678',
    'Booking date,Description,Paid in,Paid out,Reference',
    '05/06/2026,Card payout,61.70,,A1',
    '06/06/2026,Monthly fee,,-12.00,A2',
    '07/06/2026,Reversal,-1.00,,A3',
  ]);
  await expect(preview.nth(1)).toHaveText(/^3.*May 6, 2026.*\+61\.70 USD.*Card payout$/);
  await expect(preview.nth(2)).toContainText('−12.00 USD');
  await expect(preview.nth(3)).toContainText('−1.00 USD');
  await expect(field('Amounts are in')).toHaveText('Two columns');
  await expect(dialog.getByText('MM/DD/YYYY and DD/MM/YYYY both match: check the dates below.')).toBeVisible();
  await pick('Date format', 'DD/MM/YYYY');
  await expect(preview.nth(1)).toContainText('Jun 5, 2026');
  await expectAccessible(page, 'columns of a bank statement');
  await dialog.getByRole('textbox', { name: 'Save columns as (optional)' }).fill('Branch bank');
  await dialog.getByRole('button', { name: 'Import statement' }).click();
  await expect(page.getByRole('tab', { name: 'Open (3)' })).toBeVisible();

  await page.getByRole('button', { name: 'Import statement' }).first().click();
  await choose('no-names.csv', [
    '2026-07-01,Card sale,20.00,C,USD',
    '2026-07-02,Other currency,7.00,D,EUR',
    '2026-07-03,Bank fee,3.00,D,USD',
  ]);
  await expect(field('First row')).toHaveText('A line of the account');
  await expect(field('Direction')).toHaveText('Column 4: C');
  await expect(preview.nth(2)).toContainText('EUR, left out');
  await expect(preview.nth(3)).toContainText('−3.00 USD');
  await dialog.getByRole('button', { name: 'Import statement' }).click();
  await expect(page.getByRole('tab', { name: 'Open (5)' })).toBeVisible();

  await page.getByRole('button', { name: 'Import statement' }).first().click();
  await choose('next.csv', ['Booking date,Description,Paid in,Paid out,Reference', '05/08/2026,Card payout,9.00,,A9']);
  await expect(field('Saved columns')).toHaveText('Branch bank');
  await expect(preview.nth(1)).toContainText('Aug 5, 2026');
});
