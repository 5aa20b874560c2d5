import { expect, test } from './fixtures.ts';
import { GOOD_SWIPE, swipe } from './pages/card-reader.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { bridgeTo } from './shell-bridge.ts';

test('completes a sale with ZIP in 32 keystrokes, 33 including a new empty form, without a click', async ({ signedIn, strokes }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  await strokes.reset();
  await sell.sell({ amount: '46' });
  await expect(sell.approved).toBeVisible();
  await expect.poll(() => strokes.keys()).toBe(32);
  await signedIn.keyboard.press('Enter');
  await expect(sell.amount).toBeFocused();
  await expect(sell.number).toHaveValue('');
  await expect.poll(() => strokes.keys()).toBe(33);
  expect(strokes.clicks()).toBe(0);
});

test('creates one transaction for twenty rapid presses of Enter and keeps its result on the screen', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.key({ amount: '20.20' });
  for (let stroke = 0; stroke < 20; stroke += 1) await signedIn.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  expect(await sell.recorded('20.20')).toHaveLength(1);
});

test('Enter and Tab move forward in the order of the screen, Backspace moves back @full', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const method = signedIn.getByRole('group', { name: 'Payment method' }).getByRole('button', { name: 'Card' });
  const order = [method, sell.number, sell.expiry, sell.code, sell.zip, sell.charge];
  for (const field of order) {
    await signedIn.keyboard.press('Tab');
    await expect(field).toBeFocused();
  }
  await sell.amount.focus();
  await signedIn.keyboard.type('12.37');
  for (const field of [sell.number, sell.expiry, sell.code, sell.zip]) {
    await signedIn.keyboard.press('Enter');
    await expect(field).toBeFocused();
  }
  await signedIn.keyboard.press('Enter');
  await expect(sell.number).toBeFocused();
  await signedIn.keyboard.type('4111111111111111');
  await expect(sell.expiry).toBeFocused();
  await signedIn.keyboard.press('Enter');
  await expect(sell.expiry).toBeFocused();
  await expect(sell.expiry).toHaveAccessibleDescription(/Enter the expiry\./);
  await signedIn.keyboard.type('1228');
  await expect(sell.code).toBeFocused();
  await signedIn.keyboard.press('Backspace');
  await expect(sell.expiry).toBeFocused();
  await expect(sell.amount).toHaveValue('12.37');
  expect(await sell.recorded('12.37')).toHaveLength(0);
});

test('accepts a pasted card in any spacing, and keeps the cursor where a digit is corrected @full', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  await sell.number.focus();
  await signedIn.evaluate(() => {
    const clipboard = new DataTransfer();
    clipboard.setData('text/plain', '3782-822463  10005');
    document.execCommand('insertText', false, clipboard.getData('text/plain'));
  });
  await expect(sell.number).toHaveValue('3782 822463 10005');
  await expect(sell.expiry).toBeFocused();
  await expect(signedIn.getByRole('textbox', { name: 'CVV, 4 digits' })).toBeVisible();
  await sell.number.focus();
  await signedIn.keyboard.press('Home');
  await signedIn.keyboard.press('ArrowRight');
  await signedIn.keyboard.press('Delete');
  await expect(sell.number).toHaveValue('3828 224631 0005');
  expect(await sell.number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(1);
});

test('a swipe while Description has the focus fills in the card, leaves Description empty and charges nothing', async ({
  signedIn,
  service,
}) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await signedIn.keyboard.type('33.10');
  await signedIn.keyboard.press('F4');
  await expect(sell.customer).toBeFocused();
  await sell.more.click();
  await sell.description.focus();
  await swipe(signedIn, GOOD_SWIPE);
  await expect(sell.number).toHaveValue('4111 1111 1111 1111');
  await expect(sell.expiry).toHaveValue('12/28');
  await expect(sell.name).toHaveValue('JOHN DOE');
  await expect(sell.description).toHaveValue('');
  await expect(sell.code).toBeFocused();
  expect(await sell.recorded('33.10')).toHaveLength(0);

  await signedIn.keyboard.type('12304101');
  await signedIn.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  // The letters of a name must not print or void.
  await swipe(signedIn, GOOD_SWIPE.replace('DOE/JOHN', 'VAMP/PVD'));
  await expect(sell.approved).toBeVisible();
  await expect(signedIn.getByRole('dialog')).toHaveCount(0);
});

test('shows "Swipe again" after a failed read, and keeps typed text @full', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  await swipe(signedIn, '%E?;E?');
  await expect(sell.notice).toContainText('Swipe again');
  await expect(sell.amount).toHaveValue('');
  await sell.more.click();
  await sell.description.focus();
  await signedIn.keyboard.type('10%; off', { delay: 60 });
  await expect(sell.description).toHaveValue('10%; off');
});

test('offers second keys in a browser for those that browsers use themselves, and shows them @full', async ({ signedIn: page }) => {
  const sell = new SellPage(page);
  await sell.open();
  const cash = page.getByRole('button', { name: 'Cash', exact: true });
  await expect(cash).toHaveAttribute('aria-keyshortcuts', 'Alt+C');
  await expect(cash).toHaveAttribute('title', 'Alt+C');
  await sell.amount.fill('12');
  await page.keyboard.press('Alt+c');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await sell.open();
  await page.getByRole('heading', { name: 'Sell', includeHidden: true }).focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Alt+L');
  await page.keyboard.press('Alt+l');
  await expect(new SignInPage(page).unlock).toBeVisible();
});

test('keeps the function keys in the desktop application @full', async ({ signedIn: page }) => {
  await bridgeTo(page);
  await page.reload();
  const cash = page.getByRole('button', { name: 'Cash', exact: true });
  await expect(cash).toHaveAttribute('aria-keyshortcuts', 'F6');
  await page.keyboard.press('Alt+c');
  await expect(cash).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('F6');
  await expect(cash).toHaveAttribute('aria-pressed', 'true');
});
