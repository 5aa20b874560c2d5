import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, type Service, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { Till } from './till.ts';

const TWO_HOURS_S = 7_200;
const ANSWER_LOST = '4000000000006975';

interface Doubt {
  readonly id: string;
  readonly transactionId: string;
  readonly processorRef: string;
}

let amounts = 600;

/** A charge of another station whose answer is lost, at a gateway that is away from then on. */
async function leaveInDoubt(service: Service): Promise<Doubt & { readonly amount: string }> {
  const till = await Till.open(service);
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    amounts += 1;
    const amount = `${amounts}.00`;
    const asked = till.attempt({ amount, card: ANSWER_LOST });
    await till.read('/doubts');
    await till.post('/sandbox/gateway', { mode: 'down' });
    await asked;
    const [doubt] = (await till.read<Doubt[]>(`/doubts?last4=6975&amount=${amount}`)).data;
    if (doubt) return { ...doubt, amount };
    await till.post('/sandbox/gateway', { mode: 'normal' });
  }
  throw new Error('no payment was left in doubt');
}

const LONGEST_WORDS =
  'The gateway refuses our questions because its account is set up wrongly; mend its settings, and it is asked again by itself.';

interface Board {
  rows: number;
  counts: { inDoubt: number; inReview: number; needsPerson: number };
  readonly asked: URL[];
}

/** Has the service tell of a board of so many payments that a gateway holds for review. */
async function playBoard(page: Page, board: Board, more: Record<string, unknown> = {}): Promise<void> {
  const doubt = (n: number) => ({
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
    words: LONGEST_WORDS,
    ...more,
  });
  await page.route(/\/api\/v1\/doubts(\?|$)/, (route) => {
    board.asked.push(new URL(route.request().url()));
    const data = Array.from({ length: board.rows }, (_, index) => doubt(index + 1));
    return route.fulfill({ json: { success: true, data, counts: board.counts } });
  });
}

test.afterEach(async ({ service }) => {
  const till = await Till.open(service);
  await till.post('/sandbox/gateway', { mode: 'normal' });
  for (const { id } of (await till.read<Doubt[]>('/doubts')).data) await till.post(`/doubts/${id}/inquire`, {});
});

test('what is in doubt stands on its board, is asked about by a key, and goes once the gateway has said what became of it', async ({
  signedIn,
  service,
}) => {
  const { id, transactionId, amount } = await leaveInDoubt(service);
  const till = await Till.open(service);
  await signedIn.goto('/#/doubts');
  const row = signedIn.locator(`[data-id="${id}"]`);
  await expect(row).toContainText('In doubt');
  await expect(row).toContainText(amount);
  await expect(row).toContainText('Visa 6975');
  await expect(row).toContainText("The gateway's answer was lost");
  await expect(row.getByRole('button', { name: 'Decide…' })).toBeHidden();
  await expect(signedIn.getByRole('navigation').getByText('1 in doubt')).toBeAttached();
  await row.getByRole('button', { name: 'Ask now' }).click();
  await expect(signedIn.getByRole('main')).toContainText('the gateway does not say yet what became of it');
  await row.click();
  const drawer = signedIn.getByRole('dialog');
  await expect(drawer).toContainText('The processor has not said yet what became of this');
  await expect(signedIn).toHaveURL(new RegExp(transactionId));
  await drawer.getByRole('link', { name: 'See what is in doubt' }).click();
  await expect(row).toBeVisible();

  await till.post('/sandbox/gateway', { mode: 'normal' });
  await signedIn.keyboard.press('a');
  await expect(signedIn.getByText('Nothing is in doubt')).toBeVisible();
  await expect(signedIn.getByRole('main')).toContainText('The payment is approved.');
  await expect(signedIn.getByRole('navigation').getByText('1 in doubt')).toBeHidden();
});

test('after an hour a person decides by keyboard what the gateway shows, with a note that stands in the history', async ({
  signedIn,
  service,
}) => {
  const { id, transactionId, processorRef, amount } = await leaveInDoubt(service);
  const till = await Till.open(service);
  await till.post('/sandbox/clock', { advanceSeconds: TWO_HOURS_S });
  await signedIn.goto('/#/doubts');
  const row = signedIn.locator(`[data-id="${id}"]`);
  await expect(row).toContainText('Needs you');
  await signedIn.keyboard.press('d');
  const dialog = signedIn.getByRole('dialog', { name: `Decide: sale of ${amount} USD` });
  await expect(dialog).toContainText(processorRef);
  await dialog.getByRole('button', { name: 'Record' }).click();
  await expect(dialog).toContainText('Choose what the gateway shows.');
  await dialog.getByLabel('It has nothing of it, or shows that it failed').check();
  await expect(dialog).toContainText('If the gateway did take it, the customer pays twice.');
  await dialog.getByLabel('It has the sale, approved').check();
  await expect(dialog).toContainText('counts as taken');
  await dialog.getByLabel('What you saw there').fill('In today’s batch as number 17');
  await signedIn.keyboard.press('Enter');
  await expect(dialog).toContainText('Captures and refunds name it');
  await dialog.getByLabel('The gateway’s reference of it').fill('seen-17');
  await signedIn.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(signedIn.getByRole('main')).toContainText('recorded as you saw it. The payment is approved.');
  await signedIn.goto(`/#/transactions/${transactionId}`);
  await expect(signedIn.getByRole('dialog')).toContainText('In today’s batch as number 17');
});

for (const { role, may, sees } of [
  { role: 'accountant', may: 'Decide…', sees: 'Needs you' },
  { role: 'cashier', may: 'Ask now', sees: 'Needs somebody' },
  { role: 'viewer', may: undefined, sees: 'Needs somebody' },
]) {
  test(`on the board a ${role} has the button of what the role may do, and no other`, async ({ page, service }) => {
    const { id } = await leaveInDoubt(service);
    const till = await Till.open(service);
    await till.post('/sandbox/clock', { advanceSeconds: TWO_HOURS_S });
    const person = { email: `${role}-${process.pid}@doubts.example`, role, password: 'seven quiet herons' };
    const { merchantId } = (await till.read<{ merchantId: string }[]>('/merchants?limit=200')).data.at(-1) ?? {};
    await till.post(`/merchants/${merchantId}/users`, person);
    await page.goto('/');
    await new SignInPage(page).enter(person.email, person.password);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'In doubt' }).click();
    const row = page.locator(`[data-id="${id}"]`);
    await expect(row).toContainText(sees);
    for (const name of ['Ask now', 'Decide…']) await expect(row.getByRole('button', { name })).toHaveCount(name === may ? 1 : 0);
    await page.keyboard.press('d');
    await expect(page.getByRole('dialog')).toHaveCount(may === 'Decide…' ? 1 : 0);
  });
}

test('a long board is the merchant’s own, says how much of it is listed, can be read in full, and its page follows it ends', async ({
  signedIn,
}) => {
  const board: Board = { rows: 200, counts: { inDoubt: 0, inReview: 230, needsPerson: 1 }, asked: [] };
  await playBoard(signedIn, board);
  await signedIn.goto('/#/doubts');
  await expect(signedIn.getByRole('main')).toContainText('The oldest 200 of 230 are listed.');
  await expect(signedIn.getByRole('navigation', { name: 'Main' }).getByText('1 needs somebody')).toBeAttached();
  expect(board.asked.filter(({ searchParams }) => !searchParams.get('merchantId'))).toEqual([]);
  const words = signedIn.locator('[data-id="att_2"]').getByText(LONGEST_WORDS);
  await words.scrollIntoViewIfNeeded();
  expect(await words.evaluate((cell) => cell.scrollWidth <= cell.clientWidth && cell.scrollHeight <= cell.clientHeight)).toBe(true);
  for (const last of ['att_51', 'att_101', 'att_151']) {
    await signedIn.getByRole('button', { name: 'Go to next page' }).click();
    await expect(signedIn.locator(`[data-id="${last}"]`)).toBeVisible();
  }
  board.rows = 60;
  board.counts = { inDoubt: 0, inReview: 60, needsPerson: 1 };
  await expect(signedIn.locator('[data-id="att_51"]')).toBeVisible();
  await expect(signedIn.getByRole('main')).not.toContainText('are listed');
  // The count stands at the corner of its sign where the rail has no words.
  await signedIn.setViewportSize({ width: 640, height: 800 });
  const rail = signedIn.getByRole('navigation', { name: 'Main' });
  await expect(rail.getByText('1 needs somebody')).toBeVisible();
  expect(await rail.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
});

test('a payment that is held for review at another station is not called lost by the terminal', async ({ signedIn }) => {
  await playBoard(signedIn, { rows: 13, counts: { inDoubt: 0, inReview: 13, needsPerson: 0 }, asked: [] });
  const sell = new SellPage(signedIn);
  await sell.open();
  await sell.sell({ amount: '13.00' });
  await expect(sell.notice).toContainText('The gateway holds this charge for review');
  await expect(sell.notice).toContainText('Charging again may take the money twice.');
  await expect(sell.notice).not.toContainText('in doubt');
  await expect(sell.said).toContainText('holds this charge for review');
});

test('the terminal warns of a charge that is in doubt at another station; waiting keeps the form, and charging anyway takes a press', async ({
  signedIn,
  service,
  faults,
}) => {
  faults.expect(/50[23]/);
  const { transactionId, amount } = await leaveInDoubt(service);
  const till = await Till.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.sell({ amount, card: ANSWER_LOST });
  await expect(sell.notice).toContainText(`A payment of ${amount} USD with Visa ending in 6975 is still in doubt since`);
  await expect(sell.notice).toContainText(transactionId);
  await expect(sell.notice).toContainText('Charging again may take the money twice.');
  await expect(signedIn.getByRole('button', { name: 'Wait' })).toBeFocused();
  await expect(signedIn.getByRole('link', { name: 'Look' })).toBeVisible();
  await signedIn.getByRole('button', { name: 'Wait' }).click();
  await expect(sell.notice).toBeHidden();
  await expect(sell.charge).toBeFocused();
  await expect(sell.amount).toHaveValue(amount);
  await sell.charge.click();
  await expect(sell.notice).toContainText('Charging again may take the money twice.');
  expect(await sell.recorded(amount)).toHaveLength(1);

  await signedIn.getByRole('button', { name: 'Charge anyway' }).click();
  await expect.poll(async () => (await sell.recorded(amount)).length).toBe(2);
  await till.post('/sandbox/gateway', { mode: 'normal' });
});

test('the terminal charges all the same when it is not told in time whether the charge is in doubt', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  let asked = 0;
  await signedIn.route(/\/api\/v1\/doubts\?.*last4=/, () => {
    asked += 1;
  });
  await sell.sell({ amount: '77.10' });
  await expect(sell.approved).toBeVisible();
  expect(asked).toBe(1);
});

test('the board of doubt has no accessibility fault in either scheme and fits a small screen', async ({ signedIn, service }) => {
  const { id } = await leaveInDoubt(service);
  await (await Till.open(service)).post('/sandbox/clock', { advanceSeconds: TWO_HOURS_S });
  await signedIn.goto('/#/doubts');
  const row = signedIn.locator(`[data-id="${id}"]`);
  await expect(row).toContainText('Needs you');
  await expectAccessible(signedIn, 'board');
  await signedIn.keyboard.press('d');
  await expect(signedIn.getByRole('dialog')).toBeVisible();
  await expectAccessible(signedIn, 'decision');
  await signedIn.setViewportSize({ width: 640, height: 360 });
  expect(await signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('what has ended and left something to a person is taken off the board with a note of what was done', async ({ signedIn }) => {
  const board: Board = { rows: 1, counts: { inDoubt: 0, inReview: 0, needsPerson: 1 }, asked: [] };
  await playBoard(signedIn, board, { stage: 'ended', alert: 'capture-refused', pendingReason: null });
  const notes: unknown[] = [];
  await signedIn.route('**/api/v1/doubts/att_1/acknowledge', (route) => {
    notes.push(route.request().postDataJSON());
    board.rows = 0;
    return route.fulfill({ json: { success: true, data: { id: 'att_1', acknowledged: true } } });
  });
  await signedIn.goto('/#/doubts');
  const row = signedIn.locator('[data-id="att_1"]');
  await expect(row.getByRole('button', { name: 'Ask now' })).toBeHidden();
  await row.getByRole('button', { name: 'Seen to…' }).click();
  const dialog = signedIn.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Take it off the board' }).click();
  await expect(dialog).toContainText('Write some words');
  await dialog.getByLabel('What you did about it').fill('paid by check');
  await dialog.getByRole('button', { name: 'Take it off the board' }).click();
  await expect(dialog).toBeHidden();
  await expect(signedIn.getByText('Nothing is in doubt')).toBeVisible();
  expect(notes).toEqual([{ note: 'paid by check' }]);
});
