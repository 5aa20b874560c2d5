import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';

test('a screen reader finds the fields, the outcome and the next steps of a sale by their names', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  await expect(signedIn.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]')).toHaveText(/^New sale/);
  await expect(signedIn.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Sell" [level=1]
    - form "Sale":
      - group "Start of the sale":
        - group "Transaction type":
          - button "Sale" [pressed]
          - button "Authorization"
      - region "Ticket":
        - combobox "Customer on file"
        - textbox "Amount"
        - group "Payment method":
          - button "Card" [pressed]
          - button "Cash"
          - button "Bank"
          - button "Saved"
          - button "Check"
        - textbox "Card number"
        - textbox "Expiry"
        - textbox "CVV, 3 digits"
        - textbox "ZIP"
        - button "Charge"
        - button "Discount"
        - 'button "More: receipt, order, address"'
      - region "Recent sales today":
        - heading "Recent sales today" [level=2]:
          - button "Recent sales today" [expanded]
  `);

  await sell.sell({ amount: '61.10', card: '4000000000000002' });
  await expect(signedIn.getByRole('region', { name: 'Ticket' })).toMatchAriaSnapshot(`
    - textbox "Amount": "61.10"
    - text: "USD Card declined Ask the customer for another card. CVV: matches · Address: ZIP matches; street not checked"
    - button "Use another card"
    - textbox "Card number": 4000 0000 0000 0002
    - button "Charge 61.10"
  `);
  await expect(signedIn.getByRole('status').first()).toHaveText('Declined. Ask the customer for another card.');

  await sell.newSale();
  await sell.sell({ amount: '61.20' });
  await expect(signedIn.getByRole('group', { name: 'Approved' })).toMatchAriaSnapshot(`
    - heading "Approved" [level=2]
    - text: 61.20 USD
    - term: Paid with
    - definition: Visa ••1111
    - term: Authorization code
    - definition: /\\d{6}/
    - term: CVV
    - definition: Matches
    - term: Address
    - definition: ZIP matches; street not checked
    - group "Receipt":
      - button "Print"
      - button "Email"
    - button "New sale"
    - button "More"
  `);
  await expect(signedIn.getByRole('status').first()).toHaveText('Approved: 61.20 USD, Visa ••1111.');
});

test('a screen reader is led through a refund, and hears its outcome @full', async ({ signedIn, service }) => {
  const { transactionId } = await (await ApiSession.open(service)).sell({ amount: '63.00' });
  await signedIn.goto(`/#/transactions/${transactionId}`);
  const details = signedIn.getByRole('dialog', { name: 'Transaction' });
  await expect(details.getByRole('button', { name: 'Refund' })).toBeVisible();
  await signedIn.keyboard.press('r');
  await expect(details).toMatchAriaSnapshot(`
    - group "Actions":
      - button "Refund" [expanded]
    - heading "63.00 USD" [level=2]
    - text: Approved Sale
    - term: Remaining
    - definition: "63.00"
    - form /^Refund/:
      - text: /This payment hasn’t settled, so it is voided\\./
      - textbox "Amount, USD": "63.00"
      - textbox "Reason (optional)"
      - button "Cancel"
      - button "Void 63.00 USD"
    - region "History":
      - list "History":
        - listitem:
          - strong: Sale
          - text: approved
  `);
  await expect(details.getByRole('textbox', { name: 'Amount, USD' })).toBeFocused();
  await signedIn.keyboard.press('Enter');
  await expect(details).toMatchAriaSnapshot(`
    - group "Actions":
      - button "Print receipt"
    - text: Voided 63.00 USD. The customer isn’t charged.
    - region "History":
      - list "History":
        - listitem:
          - strong: Sale
        - listitem:
          - strong: Void
          - text: approved
  `);
  await expect(signedIn.getByRole('status').first()).toHaveText('Voided 63.00 USD. The customer isn’t charged.');
});

test('a screen reader finds the days of a reconciliation with their result, and the figures of a day as a table @full', async ({
  signedIn,
  service,
}) => {
  const api = await ApiSession.open(service);
  // A day of its own: settlements of other tests are on earlier ones.
  await api.post('/sandbox/clock', { advanceSeconds: 2 * 86_400 });
  await api.sell({ amount: '61.30' });
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const [settlement] = await api.post<{ settlementDate: string }[]>('/settlement/settle', { merchantId: me.merchants[0]?.merchantId });
  await signedIn.goto(`/#/reconciliation/${settlement?.settlementDate}`);
  await expect(signedIn.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Reconciliation" [level=1]
    - button "Compare again"
    - tablist "Reconciliation":
      - tab "Processor" [selected]
      - tab "Bank"
      - tab "Close"
    - region "Month":
      - button "Previous month"
      - button "Next month"
      - toolbar /^Days of \\w+ \\d{4}$/
    - region "Result of the day":
      - table "Totals":
        - rowgroup:
          - row:
            - columnheader "Paydesk, USD"
            - columnheader "Difference, USD"
            - columnheader "Processor, USD"
    - tablist "Lines":
      - tab /^Discrepancies/ [selected]
      - tab /^Matched/
      - tab /^All/
  `);
  const days = signedIn.getByRole('toolbar', { name: /^Days of/ }).getByRole('link');
  await expect(days.first()).toHaveAccessibleName(/^\w{3} 1(, \d{4})?: (balanced|off by|nothing settled|not compared)/);
});

test('high contrast marks what is chosen and the main button, which differ by their background otherwise @full', async ({ signedIn }) => {
  await signedIn.emulateMedia({ forcedColors: 'active' });
  const sell = new SellPage(signedIn);
  await sell.open();
  const outline = (name: string) =>
    signedIn.getByRole('button', { name, exact: true }).evaluate((button) => getComputedStyle(button).outlineStyle);
  expect(await outline('Card')).toBe('solid');
  expect(await outline('Bank')).not.toBe('solid');
  const current = signedIn.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
  expect(await current.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe('solid');
  expect(await sell.charge.evaluate((button) => getComputedStyle(button).borderTopWidth)).toBe('2px');
});
