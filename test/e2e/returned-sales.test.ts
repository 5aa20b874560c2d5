import type { Page } from '@playwright/test';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { type Order, read } from './orders.ts';
import { SellPage } from './pages/sell-page.ts';
import type { Service } from './session.ts';

/** Resumes an order by its name, and returns the dialog that cancels it. */
async function askToCancel(page: Page, service: Service, name: string) {
  await new SellPage(page, service).open();
  await expect(page.getByRole('button', { name: /^(Parked|Unfinished): / })).toBeVisible();
  await page.keyboard.press('Control+Shift+o');
  await page.getByRole('button', { name: `Resume ${name}` }).press('Enter');
  await page.getByRole('button', { name: 'Cancel sale' }).press('Enter');
  return page.getByRole('dialog', { name: 'Cancel this sale?' });
}

const VISA = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' };

test('says of each payment of a canceled sale how its money goes back, and pays out no gift card', async ({ signedIn: page, service }) => {
  const post = <Data>(path: string, data: Record<string, unknown> = {}) => read<Data>(page, service, path, data);
  const card = await post<{ giftCardId: string; code: string }>('/gift-cards', { amount: 7, reason: 'Late delivery' });
  const { orderId } = await post<Order>('/orders', { amount: 60, name: 'Nora Vale' });
  const byCard = (amount: number) => post('/transactions', { type: 'sale', amount, orderId, paymentMethod: 'card', card: VISA });
  await byCard(11);
  await post('/settlement/settle');
  await byCard(12);
  await post('/tenders', { kind: 'cash', amount: 13, orderId });
  await post('/tenders', { kind: 'check', amount: 14, orderId, checkNumber: '8' });
  await post('/tenders', { kind: 'gift_card', amount: 5, orderId, giftCardCode: card.code });
  const confirm = await askToCancel(page, service, 'Nora Vale');
  await expect(confirm.getByRole('listitem')).toHaveText([
    /Visa.*11\.00.* is refunded/,
    /Visa.*12\.00.* is voided/,
    /Cash.*13\.00.* is paid out at the counter/,
    /Check.*14\.00.* goes back in the way in which it was paid/,
    /Gift card.*5\.00.* goes back to the gift card/,
  ]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'The sale is canceled.' })).toContainText(/Hand back .*13\.00.* in cash/);
  expect(await read(page, service, `/gift-cards/${card.giftCardId}`)).toMatchObject({ balance: 7 });
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ status: 'canceled' });
});

test('returns no money of a canceled sale while the outcome of a payment is not known', async ({ signedIn: page, service }) => {
  const { orderId } = await read<Order>(page, service, '/orders', { amount: 30, name: 'Otto Quill' });
  await read(page, service, '/tenders', { kind: 'cash', amount: 6, orderId });
  const confirm = await askToCancel(page, service, 'Otto Quill');
  await expect(confirm.getByRole('listitem')).toHaveText([/Cash.*6\.00/]);
  const api = await ApiSession.open(service);
  // Another till charges a card, and its outcome is not known before the gateway answers inquiries again.
  await read(page, service, '/sandbox/gateway', { mode: 'silent' });
  await api.attempt({ amount: '9', card: VISA.number, orderId });
  await read(page, service, '/sandbox/gateway', { mode: 'down' });
  await expect(confirm.getByRole('status')).toContainText('The outcome of a payment is not known yet.');
  await expect(confirm.getByRole('button', { name: 'Return payments and cancel sale' })).toBeDisabled();
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ status: 'open', paidAmount: 6 });
  await api.endOutage();
  for (const { id } of (await api.read<{ id: string }[]>('/unconfirmed-payments')).data)
    await api.post(`/unconfirmed-payments/${id}/inquire`, {});
  await expect(confirm.getByRole('listitem')).toHaveCount(2);
  await expect(confirm.getByRole('button', { name: 'Return payments and cancel sale' })).toBeEnabled();
});

test('returns only the money that payments still have when a reopened sale is canceled @full', async ({ signedIn: page, service }) => {
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
  await expect(page.getByRole('button', { name: /^(Parked|Unfinished): / })).toBeVisible();
  await page.keyboard.press('Control+Shift+o');
  await page.getByRole('button', { name: 'Resume Lee Park' }).press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/10\.00/);
  await page.getByRole('button', { name: 'Cancel sale' }).press('Enter');
  const confirm = page.getByRole('dialog', { name: 'Cancel this sale?' });
  await expect(confirm.getByRole('listitem')).toHaveText([/Cash, T-\d+: .*18\.00.* is paid out at the counter/]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'The sale is canceled.' })).toContainText(/Hand back .*18\.00/);
  await page.keyboard.press('Enter');
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ status: 'canceled' });
});

/** Lets the next refunds of card payments fail at the given status. Returns the function that ends it. */
async function failCardRefunds(page: Page): Promise<() => Promise<void>> {
  const path = /\/api\/v1\/transactions\/[^/]+\/(refund|void)$/;
  const error = { code: 'NOT_REFUNDABLE', message: 'The bank refused the refund. Try again.' };
  await page.route(path, (route) => route.fulfill({ status: 422, json: { success: false, error } }));
  return () => page.unroute(path);
}

/** Makes an order that is paid in cash first and then by card. Returns its ID. */
async function cashAndCard(page: Page, service: Service, cash: number, card: number, order: Record<string, unknown>): Promise<string> {
  const post = <Data>(path: string, data: Record<string, unknown>) => read<Data>(page, service, path, data);
  const { orderId } = await post<Order>('/orders', order);
  await post('/tenders', { kind: 'cash', amount: cash, orderId });
  await post('/transactions', {
    type: 'sale',
    amount: card,
    orderId,
    paymentMethod: 'card',
    card: VISA,
  });
  return orderId;
}

test('keeps the rest of a refund that failed in part, and names the cash to hand back', async ({ signedIn: page, service, faults }) => {
  faults.expect(/422/);
  const orderId = await cashAndCard(page, service, 50, 30, { amount: 80 });
  await page.goto(`/#/orders/${orderId}`);
  await expect(page.getByRole('heading', { name: /80\.00/ })).toBeVisible();
  const recover = await failCardRefunds(page);
  await page.keyboard.press('r');
  const amount = page.getByLabel('Amount, USD');
  await expect(amount).toBeFocused();
  await page.keyboard.type('16');
  const [card, cash] = [page.getByLabel('Visa ••1111'), page.getByLabel(/^Cash, T-/)];
  await expect(cash).toHaveValue('10.00');
  await cash.fill('8');
  await card.fill('7.50');
  await page.getByLabel(/^Reason/).fill('Broken mug');
  await page.getByLabel(/^Reason/).press('Enter');
  const done = page.getByRole('dialog', { name: /^Refunded .*8\.00/ });
  await expect(done).toContainText(/Hand back .*8\.00.* in cash/);
  await page.keyboard.press('Enter');
  await expect(done).toBeHidden();
  await expect(page.getByText('The bank refused the refund. Try again.')).toBeVisible();
  await expect(amount).toHaveValue('7.50');
  await expect(cash).toHaveValue('0.00');
  await expect(card).toHaveValue('7.50');
  await expect(page.getByLabel(/^Reason/)).toHaveValue('Broken mug');
  await recover();
  await page.getByRole('button', { name: /^Refund .*7\.50/ }).press('Enter');
  await expect(card).toBeHidden();
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ refundedAmount: 15.5 });
});

test('names all cash of a canceled sale, also what was paid out before a failure @full', async ({ signedIn: page, service, faults }) => {
  faults.expect(/422/);
  const orderId = await cashAndCard(page, service, 5, 4, { amount: 20, name: 'Kim Oak' });
  const sell = new SellPage(page, service);
  await sell.open();
  await expect(page.getByRole('button', { name: /^(Parked|Unfinished): / })).toBeVisible();
  await page.keyboard.press('Control+Shift+o');
  await page.getByRole('button', { name: 'Resume Kim Oak' }).press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/11\.00/);
  const recover = await failCardRefunds(page);
  const confirm = page.getByRole('dialog', { name: 'Cancel this sale?' });
  await page.getByRole('button', { name: 'Cancel sale' }).press('Enter');
  await expect(confirm.getByRole('listitem')).toHaveCount(2);
  await confirm.getByRole('button', { name: 'Return payments and cancel sale' }).press('Enter');
  await expect(confirm).toContainText('The bank refused the refund. Try again.');
  await expect(confirm).toContainText(/Hand back .*5\.00.* in cash/);
  await page.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await recover();
  await page.getByRole('button', { name: 'Cancel sale' }).press('Enter');
  await expect(confirm.getByRole('listitem')).toHaveText([/Visa.*4\.00/]);
  await confirm.getByRole('button', { name: 'Return payments and cancel sale' }).press('Enter');
  const done = page.getByRole('dialog', { name: 'The sale is canceled.' });
  await expect(done).toContainText(/Hand back .*5\.00.* in cash/);
  await page.keyboard.press('Enter');
  expect(await read<Order>(page, service, `/orders/${orderId}`)).toMatchObject({ status: 'canceled' });
});
