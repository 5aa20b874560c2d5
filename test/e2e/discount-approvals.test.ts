import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { giveReason } from './people.ts';

const PASSWORD = 'a long password of the shop';
const PIN = '5927';

async function createPerson(service: Service, role: string, email: string): Promise<void> {
  const api = await ApiSession.open(service);
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  await api.post(`/merchants/${me.merchants[0]?.merchantId}/users`, { email, role, password: PASSWORD });
}

/** Sets the PIN of a person through the API. */
async function setPin({ baseUrl, tenantId }: Service, email: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-tenant-id': tenantId };
  const login = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { data } = (await login.json()) as { data: { token: string } };
  const body = JSON.stringify({ pin: PIN, currentPassword: PASSWORD });
  const authorized = { ...headers, authorization: `Bearer ${data.token}` };
  expect((await fetch(`${baseUrl}/api/v1/auth/pin`, { method: 'PUT', headers: authorized, body })).status).toBe(200);
}

async function signInElsewhere(browser: Browser, { baseUrl }: Service, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseUrl })).newPage();
  await page.goto('/');
  await new SignInPage(page).enter(email, PASSWORD);
  await expect(page.getByRole('button', { name: `Signed in as ${email}` })).toBeVisible();
  return page;
}

test('a discount above the rule is approved by PIN before the card is entered, and again when the price falls @full', async ({
  service,
  browser,
  faults,
}) => {
  faults.expect(/403/);
  const api = await ApiSession.open(service);
  const [cashier, manager] = ['discount-till@demo.example', 'discount-boss@demo.example'];
  await createPerson(service, 'cashier', cashier);
  await createPerson(service, 'manager', manager);
  await setPin(service, manager);
  await api.put('/approvals/rules', { discountAbovePercent: 10, personSeconds: 600, currentPassword: service.adminPassword });
  const page = await signInElsewhere(browser, service, cashier);
  const sell = new SellPage(page, service);
  const dialog = page.getByRole('dialog', { name: 'Discount' });
  const prompt = page.getByRole('dialog', { name: 'A second person must approve this' });
  const takeOff = async (percent: string) => {
    await page.keyboard.press('Control+d');
    await expect(dialog.getByLabel('Discount, %')).toBeFocused();
    await page.keyboard.type(percent);
    await page.keyboard.press('Enter');
  };
  const approve = async () => {
    await expect(prompt.getByLabel('PIN')).toBeFocused();
    await prompt.getByRole('combobox', { name: 'Approver' }).click();
    // Masked: people who may not see users see as many letters of an address as tell it apart.
    await page.getByRole('option', { name: /^(d|di\S*)\*\*\*@demo\.example/ }).click();
    await expect(prompt.getByLabel('PIN')).toBeFocused();
    await page.keyboard.type(PIN);
    await page.keyboard.press('Enter');
    await expect(prompt).toBeHidden();
  };
  const pay = async () => {
    await sell.number.focus();
    await expect(sell.number).toBeFocused();
    await page.keyboard.type('4111111111111111122812304101');
    await page.keyboard.press('Enter');
  };

  // A cashier starts on the Sell screen. Opening it again would start a new sale a moment later, and drop what is typed meanwhile.
  await expect(sell.amount).toBeFocused();
  await page.keyboard.type('64.00');
  await takeOff('25');
  await giveReason(page, 'Regular customer');
  await expect(prompt).toContainText('Discounts above 10 percent need two people. This one takes 16.00 USD off 64.00 USD.');
  await expectAccessible(page, 'approval of a discount');
  await approve();
  await expect(page.locator('[data-total]')).toHaveText('Total48.00');
  await pay();
  await expect(sell.approved).toBeVisible();
  const { data: payments } = await api.read<{ amount: number; discountApprovedBy: string | null }[]>('/transactions?limit=20');
  expect(payments.find(({ amount }) => amount === 48)?.discountApprovedBy).toBe(manager);

  // A withdrawn request leaves the full price.
  await sell.newSale();
  await page.keyboard.type('65.00');
  await takeOff('30');
  await giveReason(page, 'Regular customer');
  await expect(prompt).toBeVisible();
  await prompt.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(prompt).toBeHidden();
  await expect(page.locator('[data-total]')).toHaveCount(0);

  // A lower price has a higher percentage than the approved one.
  await takeOff('20');
  await giveReason(page, 'Regular customer');
  await approve();
  await sell.amount.fill('62.50');
  await pay();
  await giveReason(page, 'Regular customer');
  await expect(prompt).toContainText('This one takes 12.50 USD off 62.50 USD.');
  await approve();
  await expect(sell.approved).toBeVisible();
  await api.put('/approvals/rules', { discountAbovePercent: null, currentPassword: service.adminPassword });
  await page.context().close();
});
