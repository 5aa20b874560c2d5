import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';

const PAN = '4111111111111111';

test('leaves no card number in storage, URL and console, or in the page after a sale or a lock', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  const said: string[] = [];
  signedIn.on('console', (message) => said.push(message.text()));
  const addresses: string[] = [];
  signedIn.on('request', (request) => addresses.push(request.url()));
  await sell.open();
  await sell.key({ amount: '85' });
  await expectNowhere('while it is typed');
  await signedIn.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  await expectNowhere('after the sale');
  expect(await pageText()).not.toMatch(/4111 ?1111/);

  await sell.newSale();
  await sell.key({ amount: '86' });
  await signedIn.keyboard.press('Control+L');
  await expect(signedIn.getByLabel('Password', { exact: true })).toBeVisible();
  expect(await pageText()).not.toMatch(/4111 ?1111/);
  expect(await fieldTexts()).not.toContain('4111 1111 1111 1111');

  /** All storage that outlives the form. */
  async function expectNowhere(when: string): Promise<void> {
    const kept = await signedIn.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.cookie]),
    );
    const databases = await signedIn.evaluate(async () => (await indexedDB.databases()).length);
    expect(databases, when).toBe(0);
    for (const text of [kept, ...said, ...addresses]) expect(text.replace(/[ -]/g, ''), when).not.toContain(PAN);
  }

  function pageText(): Promise<string> {
    return signedIn.evaluate(() => document.documentElement.outerHTML);
  }

  function fieldTexts(): Promise<string[]> {
    return signedIn.evaluate(() => [...document.querySelectorAll('input')].map((input) => input.value));
  }
});

test('moves a card number typed into the amount to the card field and hides it meanwhile', async ({ signedIn: page }) => {
  const sell = new SellPage(page);
  await sell.open();
  await sell.amount.focus();
  await page.keyboard.type('4111111111');
  await expect(sell.amount).toHaveCSS('-webkit-text-security', 'disc');
  await page.keyboard.type('111111');
  await expect(page.getByText('That was the card number. Enter the amount.')).toBeVisible();
  await expect(sell.amount).toHaveValue('');
  await expect(sell.number).toHaveValue('4111 1111 1111 1111');
  // The digits that follow on the card go into the expiry.
  await page.keyboard.type('1230');
  await expect(sell.expiry).toHaveValue('12/30');
});

test('keeps the cursor on an amount of 0 and says why @full', async ({ signedIn: page }) => {
  const sell = new SellPage(page);
  await sell.open();
  await sell.amount.fill('0');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The amount must be greater than 0.')).toBeVisible();
  await expect(sell.amount).toBeFocused();
});

test('the terminal, its decline and its result have no accessibility fault in either color scheme @full', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  await expectAccessible(signedIn, 'empty form');
  await sell.more.click();
  await expectAccessible(signedIn, 'open form');
  await sell.amount.focus();
  await sell.sell({ amount: '83', card: '4000000000000127' });
  await expect(sell.declined).toBeVisible();
  await expectAccessible(signedIn, 'decline');
  await sell.newSale();
  await sell.sell({ amount: '84' });
  await expect(sell.approved).toBeVisible();
  await expectAccessible(signedIn, 'result');
  await signedIn
    .getByRole('button', { name: /^Receipt for/ })
    .first()
    .click();
  await expect(signedIn.getByRole('dialog')).toBeVisible();
  await expectAccessible(signedIn, 'receipt');
  await signedIn.keyboard.press('Escape');
  await signedIn.getByRole('button', { name: /no shift open|open since/ }).click();
  await signedIn.getByRole('menuitem', { name: 'This workstation' }).click();
  await expectAccessible(signedIn, 'workstation');
});
