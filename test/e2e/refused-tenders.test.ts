import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';

type Card = Record<'code' | 'expiresOn' | 'merchantId', string>;

test('opens a shift from the refusal of cash without one, and takes the cash, by keyboard', async ({ signedIn: page, service, faults }) => {
  faults.expect(/409/);
  const session = await ApiSession.open(service);
  const { data } = await session.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  await session.put(`/merchants/${data.merchants[0]?.merchantId}/vt-settings`, { cashRequiresShift: true });
  const sell = new SellPage(page, service);
  await sell.open();
  await page.keyboard.type('8.40');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  const notice = page.locator('[data-notice]');
  await expect(notice).toContainText(/No shift is open at Drawer 1\s*Nothing was recorded\. Open a shift, then take the cash\./);
  await expect(notice.getByRole('button', { name: 'Open shift' })).toBeFocused();
  await expectAccessible(page, 'the refusal of cash without a shift');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Open shift at Drawer 1' });
  await expect(dialog.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.type('100');
  await dialog.getByRole('button', { name: 'Open shift' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Take 8\.40/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/8\.40/);
});

test('says at each look-up that a gift card has expired, also if it expires before it pays, by keyboard', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/409/);
  const session = await ApiSession.open(service);
  const gift = { amount: 20, reason: 'Late delivery' };
  const { merchantId } = await session.post<Card>('/gift-cards', gift);
  await session.put(`/merchants/${merchantId}/vt-settings`, { giftCardExpiryMonths: 1 });
  const { code, expiresOn } = await session.post<Card>('/gift-cards', gift);
  const sell = new SellPage(page, service);
  await sell.open();
  await expect(page.getByRole('button', { name: 'Gift', exact: true })).toBeVisible();
  const field = page.getByLabel('Gift card code');
  await page.keyboard.type('6.50');
  await page.keyboard.press('Control+Shift+g');
  await expect(field).toBeFocused();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Gift card ${code.slice(-4)}: balance 20.00 USD.`)).toBeVisible();
  const take = page.getByRole('button', { name: 'Take 6.50, gift card' });
  await expect(take).toBeFocused();
  // Two days later it is the day after the last one in each time zone.
  await session.post('/sandbox/clock', { now: new Date(Date.parse(expiresOn) + 2 * 86_400_000).toISOString() });
  await page.keyboard.press('Enter');
  const reason = page.locator('#sale-giftCode-helper-text');
  await expect(reason).toHaveText(/^This gift card expired on /);
  await expect(field).toBeFocused();
  // The Enter waits for a double press, and looks up what was typed before it.
  await page.keyboard.press('Enter');
  await field.selectText();
  await page.keyboard.type(code);
  await expect(reason).not.toHaveText(/expired/);
  await page.keyboard.press('Enter');
  await expect(reason).toHaveText(/^This gift card expired on /);
  await expect(field).toBeFocused();
  await expect(page.getByText(/: balance 20\.00 USD/)).toHaveCount(0);
});
