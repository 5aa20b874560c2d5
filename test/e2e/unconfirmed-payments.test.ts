import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';

const TWO_HOURS_S = 7_200;
const ANSWER_LOST = '4000000000006975';

interface UnconfirmedPayment {
  readonly id: string;
  readonly transactionId: string;
  readonly processorRef: string;
}

let amounts = 600;

/** Creates a charge of another workstation at a gateway that loses every answer, and is unavailable from then on. */
async function createUnconfirmedPayment(service: Service): Promise<UnconfirmedPayment & { readonly amount: string }> {
  const api = await ApiSession.open(service);
  amounts += 1;
  const amount = `${amounts}.00`;
  await api.post('/sandbox/gateway', { mode: 'silent' });
  await api.attempt({ amount, card: ANSWER_LOST });
  await api.post('/sandbox/gateway', { mode: 'down' });
  const [payment] = (await api.read<UnconfirmedPayment[]>(`/unconfirmed-payments?last4=6975&amount=${amount}`)).data;
  if (!payment) throw new Error('The payment is not unconfirmed.');
  return { ...payment, amount };
}

const LONGEST_TEXT =
  'The gateway refuses requests because its account is not set up correctly. Correct its settings; inquiries then continue automatically.';

interface ListState {
  rows: number;
  counts: { unconfirmed: number; inReview: number; needsPerson: number };
  readonly requests: URL[];
}

/** Makes the service return a list of that many payments which a gateway holds for review. */
async function mockList(page: Page, list: ListState, more: Record<string, unknown> = {}): Promise<void> {
  const payment = (n: number) => ({
    id: `att_${n}`,
    transactionId: `txn_${n}`,
    refundId: null,
    merchantId: 'mer_1',
    operation: 'sale',
    amount: n,
    currency: 'USD',
    card: { brand: 'visa', last4: '1111' },
    bankAccount: null,
    customerName: null,
    gateway: 'Authorize.Net',
    gatewayId: null,
    processorRef: `ref${n}`,
    since: new Date().toISOString(),
    lastInquiryAt: null,
    nextInquiryAt: null,
    inquiries: 0,
    pendingReason: 'held_for_review',
    alert: n === 1 ? 'set-up' : null,
    stage: 'open',
    needsPerson: n === 1,
    message: LONGEST_TEXT,
    actions: {
      inquire: { allowed: true },
      conclude: { allowed: n === 1 && more.stage !== 'ended' },
      acknowledge: { allowed: more.stage === 'ended' },
    },
    ...more,
  });
  await page.route(/\/api\/v1\/unconfirmed-payments(\?|$)/, (route) => {
    list.requests.push(new URL(route.request().url()));
    const data = Array.from({ length: list.rows }, (_, index) => payment(index + 1));
    return route.fulfill({ json: { success: true, data, counts: list.counts } });
  });
}

/** Shows this workstation as connected: another one, whose gateway is unavailable, charged the card. */
async function mockConnection(page: Page): Promise<void> {
  await page.route('**/system/connectivity?*', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { works: object } };
    const works = { ...data.works, cards: true, bankAccounts: true, refunds: true, payPages: true };
    await route.fulfill({ response, json: { success: true, data: { ...data, state: 'online', works } } });
  });
}

test.afterEach(async ({ service }) => {
  const api = await ApiSession.open(service);
  await api.endOutage();
  for (const { id } of (await api.read<UnconfirmedPayment[]>('/unconfirmed-payments')).data)
    await api.post(`/unconfirmed-payments/${id}/inquire`, {});
});

test('lists an unconfirmed payment, inquires by keyboard, and removes it when the gateway reports the outcome', async ({
  signedIn,
  service,
}) => {
  const { id, transactionId, amount } = await createUnconfirmedPayment(service);
  const api = await ApiSession.open(service);
  await signedIn.goto('/#/unconfirmed-payments');
  const row = signedIn.locator(`[data-id="${id}"]`);
  await expect(row).toContainText('Unconfirmed');
  await expect(row).toContainText(amount);
  await expect(row).toContainText('Visa ••6975');
  await row.click();
  const panel = signedIn.getByRole('dialog', { name: 'Unconfirmed payment' });
  await expect(panel).toContainText("The gateway's response was lost");
  await expect(panel.getByRole('button', { name: 'Record outcome…' })).toBeHidden();
  await panel.getByRole('button', { name: 'Check now' }).click();
  await expect(signedIn.getByRole('main')).toContainText('the gateway has no outcome yet');
  await panel.getByRole('link', { name: 'View transaction' }).click();
  const drawer = signedIn.getByRole('dialog');
  await expect(drawer).toContainText('The processor hasn’t confirmed this payment yet');
  await expect(signedIn).toHaveURL(new RegExp(transactionId));
  await drawer.getByRole('link', { name: 'View unconfirmed payments' }).click();
  await row.click();

  await expect(panel.getByRole('heading', { name: amount })).toBeFocused();
  // The job of inquiries may ask the gateway before the key is pressed.
  await api.post('/sandbox/gateway', { mode: 'normal' });
  await signedIn.keyboard.press('a');
  await expect(signedIn.getByText('No unconfirmed payments')).toBeVisible();
  await expect(signedIn.getByRole('main')).toContainText('The payment is approved.');
});

test('allows a decision by keyboard after an hour and stores its note in the history @full', async ({ signedIn, service }) => {
  const { id, transactionId, processorRef, amount } = await createUnconfirmedPayment(service);
  const api = await ApiSession.open(service);
  await api.post('/sandbox/clock', { advanceSeconds: TWO_HOURS_S });
  await signedIn.goto('/#/unconfirmed-payments');
  const row = signedIn.locator(`[data-id="${id}"]`);
  await expect(row).toContainText('Needs attention');
  await row.click();
  await expect(signedIn.getByRole('dialog').getByRole('button', { name: 'Record outcome…' })).toBeVisible();
  await signedIn.keyboard.press('d');
  const dialog = signedIn.getByRole('dialog', { name: `Record outcome: sale of ${amount} USD` });
  await expect(dialog).toContainText(processorRef);
  await dialog.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(dialog).toContainText('Choose what the gateway shows.');
  await dialog.getByLabel('Nothing, or it is shown as failed').check();
  await expect(dialog).toContainText('If the gateway did charge it, the customer pays twice.');
  await dialog.getByLabel('The sale, approved').check();
  await expect(dialog).toContainText('is recorded as captured');
  await dialog.getByLabel('What you saw at the gateway').fill('In today’s batch as number 17');
  await signedIn.keyboard.press('Enter');
  await expect(dialog).toContainText('Captures and refunds need it');
  await dialog.getByLabel('Gateway reference').fill('seen-17');
  await signedIn.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(signedIn.getByRole('main')).toContainText('outcome recorded. The payment is approved.');
  await signedIn.goto(`/#/transactions/${transactionId}`);
  await expect(signedIn.getByRole('dialog')).toContainText('In today’s batch as number 17');
});

for (const { role, may, sees } of [
  { role: 'accountant', may: 'Record outcome…', sees: 'Needs attention' },
  { role: 'cashier', may: 'Check now', sees: 'Needs attention' },
  { role: 'viewer', may: undefined, sees: 'Needs attention' },
]) {
  test(`shows a ${role} the allowed actions on unconfirmed payments and no others @full`, async ({ page, service }) => {
    const { id } = await createUnconfirmedPayment(service);
    const api = await ApiSession.open(service);
    await api.post('/sandbox/clock', { advanceSeconds: TWO_HOURS_S });
    const person = { email: `${role}-${process.pid}@unconfirmed.example`, role, password: 'seven quiet herons' };
    const { merchantId } = (await api.read<{ merchantId: string }[]>('/merchants?limit=200')).data.at(-1) ?? {};
    await api.post(`/merchants/${merchantId}/users`, person);
    await page.goto('/');
    await new SignInPage(page).enter(person.email, person.password);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Transactions' }).click();
    // The front desk has no sub-entries in its navigation.
    if (role === 'cashier') await page.goto('/#/unconfirmed-payments');
    else await navigation.getByRole('link', { name: 'Unconfirmed payments' }).click();
    const row = page.locator(`[data-id="${id}"]`);
    await expect(row).toContainText(sees);
    await row.click();
    const panel = page.getByRole('dialog', { name: 'Unconfirmed payment' });
    await expect(panel.getByRole('link', { name: 'View transaction' })).toBeVisible();
    for (const name of ['Check now', 'Record outcome…'])
      await expect(panel.getByRole('button', { name })).toHaveCount(name === may ? 1 : 0);
    await page.keyboard.press('d');
    await expect(page.getByRole('dialog', { name: /^Record outcome/ })).toHaveCount(may === 'Record outcome…' ? 1 : 0);
  });
}

test('a long list shows payments of the merchant only, states how many are listed, shows full texts, and returns to an existing page when it shrinks @full', async ({
  signedIn,
}) => {
  const list: ListState = { rows: 200, counts: { unconfirmed: 0, inReview: 230, needsPerson: 1 }, requests: [] };
  await mockList(signedIn, list);
  await signedIn.goto('/#/unconfirmed-payments');
  await expect(signedIn.getByRole('main')).toContainText('The oldest 200 of 230 are listed.');
  expect(list.requests.filter(({ searchParams }) => !searchParams.get('merchantId'))).toEqual([]);
  await signedIn.locator('[data-id="att_2"]').click();
  const longText = signedIn.getByRole('dialog').getByText(LONGEST_TEXT);
  await expect(longText).toBeVisible();
  expect(await longText.evaluate((cell) => cell.scrollWidth <= cell.clientWidth && cell.scrollHeight <= cell.clientHeight)).toBe(true);
  await signedIn.keyboard.press('Escape');
  for (const last of ['att_51', 'att_101', 'att_151']) {
    await signedIn.getByRole('button', { name: 'Go to next page' }).click();
    await expect(signedIn.locator(`[data-id="${last}"]`)).toBeVisible();
  }
  list.rows = 60;
  list.counts = { unconfirmed: 0, inReview: 60, needsPerson: 1 };
  await expect(signedIn.locator('[data-id="att_51"]')).toBeVisible();
  await expect(signedIn.getByRole('main')).not.toContainText('are listed');
});

test('the terminal reports a charge held for review on another workstation as held, not as unconfirmed @full', async ({ signedIn }) => {
  await mockList(signedIn, { rows: 13, counts: { unconfirmed: 0, inReview: 13, needsPerson: 0 }, requests: [] });
  const sell = new SellPage(signedIn);
  await sell.open();
  await sell.sell({ amount: '13.00' });
  await expect(sell.notice).toContainText('The gateway is holding this charge for review');
  await expect(sell.notice).toContainText('Charging again may charge the customer twice.');
  await expect(sell.notice).not.toContainText('unconfirmed since');
  await expect(sell.announcement).toContainText('holding this charge for review');
});

test('the terminal warns about a charge that is unconfirmed on another workstation; Wait keeps the form, and Charge anyway charges', async ({
  signedIn,
  service,
  faults,
}) => {
  faults.expect(/50[23]/);
  await mockConnection(signedIn);
  const { transactionId, amount } = await createUnconfirmedPayment(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.sell({ amount, card: ANSWER_LOST });
  await expect(sell.notice).toContainText(`A payment of ${amount} USD with Visa ••6975 has been unconfirmed since`);
  await expect(sell.notice).toContainText(transactionId);
  await expect(sell.notice).toContainText('Charging again may charge the customer twice.');
  await expect(signedIn.getByRole('button', { name: 'Wait' })).toBeFocused();
  await expect(signedIn.getByRole('link', { name: 'View unconfirmed payments' })).toBeVisible();
  await signedIn.getByRole('button', { name: 'Wait' }).click();
  await expect(sell.notice).toBeHidden();
  await expect(sell.charge).toBeFocused();
  await expect(sell.amount).toHaveValue(amount);
  await sell.charge.click();
  await expect(sell.notice).toContainText('Charging again may charge the customer twice.');
  expect(await sell.recorded(amount)).toHaveLength(1);

  await signedIn.getByRole('button', { name: 'Charge anyway' }).click();
  await expect.poll(async () => (await sell.recorded(amount)).length).toBe(2);
});

test('the terminal charges if the check for an unconfirmed charge does not answer in time @full', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  let requests = 0;
  await signedIn.route(/\/api\/v1\/unconfirmed-payments\?.*last4=/, () => {
    requests += 1;
  });
  await sell.sell({ amount: '77.10' });
  await expect(sell.approved).toBeVisible();
  expect(requests).toBe(1);
});

test('the list of unconfirmed payments has no accessibility fault in either color scheme and fits a small screen @full', async ({
  signedIn,
  service,
}) => {
  const { id } = await createUnconfirmedPayment(service);
  await (await ApiSession.open(service)).post('/sandbox/clock', { advanceSeconds: TWO_HOURS_S });
  await signedIn.goto('/#/unconfirmed-payments');
  const row = signedIn.locator(`[data-id="${id}"]`);
  await expect(row).toContainText('Needs attention');
  await expectAccessible(signedIn, 'list');
  await row.click();
  await expect(signedIn.getByRole('dialog').getByRole('button', { name: 'Record outcome…' })).toBeVisible();
  await expectAccessible(signedIn, 'panel');
  await signedIn.keyboard.press('d');
  await expect(signedIn.getByRole('dialog', { name: /^Record outcome/ })).toBeVisible();
  await expectAccessible(signedIn, 'decision');
  await signedIn.setViewportSize({ width: 640, height: 360 });
  expect(await signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('removes a concluded payment that needs attention from the list with a note @full', async ({ signedIn }) => {
  const list: ListState = { rows: 1, counts: { unconfirmed: 0, inReview: 0, needsPerson: 1 }, requests: [] };
  await mockList(signedIn, list, { stage: 'ended', alert: 'capture-refused', pendingReason: null });
  const notes: unknown[] = [];
  await signedIn.route('**/api/v1/unconfirmed-payments/att_1/acknowledge', (route) => {
    notes.push(route.request().postDataJSON());
    list.rows = 0;
    return route.fulfill({ json: { success: true, data: { id: 'att_1', acknowledged: true } } });
  });
  await signedIn.goto('/#/unconfirmed-payments');
  const row = signedIn.locator('[data-id="att_1"]');
  await row.click();
  const panel = signedIn.getByRole('dialog', { name: 'Unconfirmed payment' });
  await panel.getByRole('button', { name: 'Resolve…' }).click();
  await expect(panel.getByRole('button', { name: 'Check now' })).toBeHidden();
  const dialog = signedIn.getByRole('dialog', { name: /^Resolve/ });
  await dialog.getByRole('button', { name: 'Remove from list' }).click();
  await expect(dialog).toContainText('Enter at least 5 characters');
  await dialog.getByLabel('What you did').fill('paid by check');
  await dialog.getByRole('button', { name: 'Remove from list' }).click();
  await expect(dialog).toBeHidden();
  await expect(signedIn.getByText('No unconfirmed payments')).toBeVisible();
  expect(notes).toEqual([{ note: 'paid by check' }]);
});
