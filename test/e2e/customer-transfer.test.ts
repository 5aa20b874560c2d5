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
  await page.getByLabel('File of customers').setInputFiles({ name: 'stripe.csv', mimeType: 'text/csv', buffer });
  const results = page.getByRole('list', { name: 'Results' });
  await expect(results).toContainText('New customer: 3');
  await expect(page.getByRole('row', { name: /The card number is not valid/ })).toBeVisible();
  await expectAccessible(page, 'the report of an import');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
  await page.goto(`/#/customers?q=cus_Old${FIRST + 1}`);
  await expect(page.getByRole('row', { name: new RegExp(`Marsh${FIRST + 1}`) })).toBeVisible();
});
