import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';
import { type Service, sessionOf } from './session.ts';

interface Order {
  readonly orderId: string;
  readonly status: string;
  readonly paidAmount: number;
  readonly payments: readonly { readonly kind: string; readonly shareAmount: number }[];
}

/** Returns what the service answers to a read, or to a write if there is a body. */
async function read<Data>(page: Page, service: Service, path: string, data?: Record<string, unknown>): Promise<Data> {
  const { token, user } = await sessionOf(service);
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': user.tenantId };
  const response = await page.request.fetch(`/api/v1${path}`, { headers, ...(data && { method: 'POST', data }) });
  expect(response.ok(), await response.text()).toBe(true);
  return ((await response.json()) as { data: Data }).data;
}

test('splits a sale between a card and cash, by keyboard', async ({ signedIn: page, service }) => {
  const sell = new SellPage(page, service);
  await sell.open();
  const remaining = page.locator('[data-remaining]');
  await page.keyboard.type('61.50');
  await page.keyboard.press('Control+Shift+e');
  await expect(remaining).toHaveText(/61\.50/);
  await expect(sell.amount).toHaveValue('61.50');
  await expect(sell.amount).toBeFocused();
  await sell.amount.selectText();
  await sell.sell({ amount: '20' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(remaining).toHaveText(/41\.50/);
  await expect(sell.amount).toHaveValue('41.50');
  await expect(page.getByRole('list', { name: 'Payments of this sale' })).toContainText('Visa 1111');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/41\.50/);
  await page.keyboard.press('Enter');
  await expect(remaining).toBeHidden();
  await expect(sell.amount).toHaveValue('');
  const [made] = await read<readonly Order[]>(page, service, '/orders?status=paid&limit=1');
  expect(await read<Order>(page, service, `/orders/${made?.orderId}`)).toMatchObject({
    status: 'paid',
    paidAmount: 61.5,
    payments: [
      { kind: 'card', shareAmount: 20 },
      { kind: 'cash', shareAmount: 41.5 },
    ],
  });
});

test('parks a sale, resumes it, and returns its payment when it is canceled, by keyboard', async ({ signedIn: page, service }) => {
  const sell = new SellPage(page, service);
  await sell.open();
  await page.keyboard.type('12.30');
  await page.keyboard.press('Control+Shift+h');
  await expect(page.getByLabel('Name or table (optional)')).toBeFocused();
  await page.keyboard.type('Ann Marsh');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Parked: / })).toBeVisible();
  await expect(sell.amount).toHaveValue('');
  await page.keyboard.press('Control+Shift+o');
  const list = page.getByRole('dialog', { name: 'Parked and unfinished sales' });
  await expect(list).toContainText('Ann Marsh');
  await list.getByRole('button', { name: 'Resume Ann Marsh' }).press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/12\.30/);
  await sell.amount.selectText();
  await page.keyboard.type('5');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/5\.00/);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/7\.30/);
  await page.getByRole('button', { name: 'Cancel sale' }).press('Enter');
  const confirm = page.getByRole('dialog', { name: 'Cancel this sale?' });
  await expect(confirm).toContainText(/Cash, T-\d+: .*5\.00.* is paid out at the counter/);
  await page.keyboard.press('Enter');
  await expect(confirm).toBeHidden();
  await expect(page.locator('[data-remaining]')).toBeHidden();
  const [canceled] = await read<readonly Order[]>(page, service, '/orders?status=canceled&q=Ann%20Marsh');
  expect(await read<Order>(page, service, `/orders/${canceled?.orderId}`)).toMatchObject({ paidAmount: 0 });
});

test('returns only the money that payments still have when a reopened sale is canceled', async ({ signedIn: page, service }) => {
  const post = <Data>(path: string, data: Record<string, unknown> = {}) => read<Data>(page, service, path, data);
  const { orderId } = await post<Order>('/orders', { amount: 60, name: 'Lee Park' });
  const take = async (amount: number, kind: string, more = {}) =>
    (await post<{ tenderId: string }>('/tenders', { kind, amount, orderId, ...more })).tenderId;
  const refunded = await take(20, 'cash');
  const partly = await take(30, 'cash');
  const check = await take(10, 'check', { checkNumber: '7' });
  await post(`/tenders/${refunded}/refund`);
  await post(`/tenders/${partly}/refund`, { amount: 12 });
  await post(`/tenders/${check}/return`);
  const sell = new SellPage(page, service);
  await sell.open();
  await page.getByRole('button', { name: /^Parked: / }).click();
  await page.getByRole('button', { name: 'Resume Lee Park' }).press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/10\.00/);
  await page.getByRole('button', { name: 'Cancel sale' }).press('Enter');
  const confirm = page.getByRole('dialog', { name: 'Cancel this sale?' });
  await expect(confirm.getByRole('listitem')).toHaveText([/Cash, T-\d+: .*18\.00.* is paid out at the counter/]);
  await page.keyboard.press('Enter');
  await expect(confirm).toBeHidden();
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ status: 'canceled' });
});
