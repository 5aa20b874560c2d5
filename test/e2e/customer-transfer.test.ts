import { STRIPE_HEADER, stripeRow } from '../support/customer-file.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

/** Numbers of lines that occur in no other file, so that this test can run again in the same account. */
const FIRST = process.pid % 100_000;

test('reads a file of another provider, reports each line, imports by keyboard, and finds the customer by the earlier ID @full', async ({
  signedIn: page,
}) => {
  await page.goto('/#/customers/transfer');
  const rows = [
    stripeRow(FIRST),
    stripeRow(FIRST + 1),
    stripeRow(FIRST + 2, { number: '4111111111111112' }),
    stripeRow(FIRST + 3, { year: '2020' }),
  ];
  const buffer = Buffer.from([STRIPE_HEADER, ...rows].join('\n'));
  await page.locator('input[aria-label="File of customers"]').setInputFiles({ name: 'stripe.csv', mimeType: 'text/csv', buffer });
  const results = page.getByRole('list', { name: 'Results' });
  await expect(results).toContainText('New customer: 3');
  await expect(page.getByRole('row', { name: /The card number is not valid/ })).toBeVisible();
  await expectAccessible(page, 'the report of an import');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
  await page.goto(`/#/customers?q=cus_Old${FIRST + 1}`);
  await expect(page.getByRole('row', { name: new RegExp(`Marsh${FIRST + 1}`) })).toBeVisible();
});

test('asks for the columns of an unknown list, and imports customers without unreadable cards @full', async ({
  signedIn: page,
  faults,
}) => {
  faults.expect(/400/);
  await page.goto('/#/customers/transfer');
  const buffer = Buffer.from('Kunde;Post;Karte;Ablauf;Punkte\nLio Farrow;lio@customer.example;XXXXXXXXXXXX1111;12/35;40\n');
  await page.locator('input[aria-label="File of customers"]').setInputFiles({ name: 'kunden.csv', mimeType: 'text/csv', buffer });
  const form = page.getByRole('form', { name: 'Columns of the file' });
  for (const [field, column] of [
    ['Full name', 'Kunde'],
    ['Email', 'Post'],
    ['Card number', 'Karte'],
    ['Expiry date', 'Ablauf'],
  ] as const) {
    await form.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: column, exact: true }).click();
  }
  await expectAccessible(page, 'the columns of a list of customers');
  await form.getByRole('button', { name: 'Read file' }).press('Enter');
  await expect(page.getByRole('row', { name: /Lio Farrow.*The card number is masked/ })).toBeVisible();
  const preview = page.getByRole('region', { name: 'First rows of the file' });
  await expect(preview.getByRole('row', { name: '2 Lio Farrow lio@customer.example' })).toBeVisible();
  await expect(page.getByText('Columns not read: Punkte')).toBeVisible();
  await page.getByRole('combobox', { name: 'Cards that can’t be read' }).click();
  await page.getByRole('option', { name: 'Import customers without the card' }).click();
  await page.getByRole('button', { name: 'Import customers', exact: true }).press('Enter');
  await expect(page.getByRole('list', { name: 'Results' })).toContainText('New customer: 1');
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
});
