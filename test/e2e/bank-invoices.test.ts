import { ofx } from '../support/bank-files.ts';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

/** Creates a customer with sent invoices. Returns the numbers of the invoices. */
async function sendInvoices(api: ApiSession, customer: object, amounts: readonly number[]): Promise<string[]> {
  const { customerId } = await api.post<{ customerId: string }>('/customers', customer);
  const numbers: string[] = [];
  for (const amount of amounts) {
    const { invoiceId, number } = await api.post<{ invoiceId: string; number: string }>('/invoices', { customerId, amount });
    // Each invoice has an address of its own, because messages to one address are limited.
    await api.post(`/invoices/${invoiceId}/send`, { sendVia: ['email'], email: `${invoiceId}@customer.example` });
    numbers.push(number);
  }
  return numbers;
}

test('bank lines pay invoices: one with Enter, one by a search, many at once, and undone by the message', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const merchantId = data.merchants[0]?.merchantId as string;
  const roofer = { company: 'Acme Roofing LLC', firstName: 'Ann', lastName: 'Marsh', email: 'billing@acme-roofing.example' };
  const [exact, partial, late] = (await sendInvoices(api, roofer, [1_240, 310.5, 95])) as [string, string, string];
  const [typo] = (await sendInvoices(api, { firstName: 'Ines', lastName: 'Brandt', email: 'ines@brandt.example' }, [480])) as [string];
  const { bankAccountId } = await api.post<{ bankAccountId: string }>('/settlement/bank-accounts', { merchantId, name: 'Invoices' });
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(Date.now());
  const misspelled = typo.replace(/(\d)(\d)$/, '$2$1');
  const lines = [
    [124_000, `ACH CREDIT ACME ROOFING ${exact}`],
    [20_000, `WIRE ACME ROOFING ${partial} PART 1`],
    [48_000, `SEPA INES BRANDT ${misspelled === typo ? typo : misspelled}`],
    [10_000, 'INCOMING TRANSFER 88812'],
  ] as const;
  const content = ofx({
    account: '000777123456',
    opening: 0,
    lines: lines.map(([minor, text], index) => ({ day, minor, text, reference: `I${index}` })),
  });
  await page.goto(`/#/reconciliation/bank?account=${bankAccountId}`);
  await strokes.reset();
  await expect(page.getByText('No statement yet', { exact: true })).toBeVisible();
  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog', { name: 'Import a bank statement' });
  const chooser = page.waitForEvent('filechooser');
  await expect(dialog.getByRole('button', { name: 'Choose file' }).first()).toBeFocused();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'statement.ofx', mimeType: 'application/x-ofx', buffer: Buffer.from(content) });
  await expect(dialog.getByRole('button', { name: 'Import statement' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Open (4)' })).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Open bank lines' });
  await expect(grid).toContainText(`${exact}, Acme Roofing LLC`);
  await expect(grid).toContainText(`${typo}, Ines Brandt`);

  const cellOf = (text: string) => grid.getByRole('row').filter({ hasText: text }).getByRole('gridcell').nth(2);

  // One key confirms; the message undoes it.
  const drawer = page.getByRole('dialog', { name: 'Bank line' });
  await cellOf(exact).focus();
  await expect(cellOf(exact)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(drawer).toContainText('The line names the invoice’s number.');
  await expect(drawer.getByRole('button', { name: 'Accept match' })).toBeFocused();
  await expectAccessible(page, 'bank line of an invoice');
  await page.keyboard.press('Enter');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toBeVisible();
  await undo.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(grid.getByRole('row').filter({ hasText: exact })).toBeVisible();

  // A line without a suggestion is split: the search finds the invoice, and the rest stays open.
  await cellOf('INCOMING TRANSFER 88812').focus();
  await expect(cellOf('INCOMING TRANSFER 88812')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(drawer).toContainText('INCOMING TRANSFER 88812');
  await page.keyboard.press('s');
  const split = page.getByRole('dialog', { name: /^Split/ });
  const search = split.getByLabel('Find an invoice by number or customer');
  await search.focus();
  await page.keyboard.type(late.slice(4));
  await expect(split.getByRole('button', { name: `Choose ${late}` })).toBeVisible();
  await expectAccessible(page, 'split into invoices');
  await search.press('Enter');
  await expect(split.getByText('Left: 5.00 USD')).toBeVisible();
  await split.getByRole('button', { name: 'Match parts' }).focus();
  await page.keyboard.press('Enter');
  await expect(split).toBeHidden();
  // The next line is open now.
  await expect(drawer).toContainText('INES BRANDT');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();

  // Selected lines can be accepted at once, and one key offers all suggestions of the page.
  await cellOf(exact).focus();
  await expect(cellOf(exact)).toBeFocused();
  await page.keyboard.press(' ');
  await expect(page.getByRole('toolbar', { name: 'Selected rows' }).getByRole('button', { name: 'Accept matches' })).toBeVisible();
  await page.keyboard.press('a');
  const bulk = page.getByRole('dialog', { name: 'Accept matches' });
  await expect(bulk.getByRole('button', { name: 'Accept matches (3)' })).toBeFocused();
  await expectAccessible(page, 'many matches');
  const sent = page.waitForResponse('**/api/v1/settlement/bank-lines/matches');
  await page.keyboard.press('Enter');
  expect((await sent).status()).toBe(200);
  await expect(bulk.getByRole('list', { name: 'Results' }).getByText('Matched')).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tab', { name: 'Open (1)' })).toBeVisible();

  await page.goto(`/#/invoices?q=${exact}`);
  await expect(page.getByRole('row').filter({ hasText: exact })).toContainText('Paid');
  await page.goto('/#/invoices?tab=to_do');
  await expect(page.getByText(/bank lines? without a match/)).toBeVisible();
  await page.getByRole('link', { name: 'Match bank lines' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Reconciliation' })).toBeVisible();
  expect(strokes.clicks()).toBe(0);
});
