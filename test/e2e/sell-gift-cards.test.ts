import type { Page } from '@playwright/test';
import QRCode from 'qrcode';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';
import { createPerson, signInElsewhere, switchTo } from './people.ts';
import { type Service, sessionOf } from './session.ts';

interface Card {
  readonly giftCardId: string;
  readonly code: string;
  readonly balance: number;
  readonly status: string;
}

interface Order {
  readonly orderId: string;
  readonly status: string;
  readonly remainingAmount: number;
  readonly payments: readonly { readonly kind: string; readonly shareAmount: number }[];
  readonly giftCards: readonly { readonly giftCardId: string; readonly amount: number; readonly loadedAmount: number }[];
}

/** Returns what the service answers to a read, or to a write if there is a body. */
async function call<Data>(page: Page, service: Service, path: string, data?: Record<string, unknown>): Promise<Data> {
  const { token, user } = await sessionOf(service);
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': user.tenantId };
  const response = await page.request.fetch(`/api/v1${path}`, { headers, ...(data && { method: 'POST', data }) });
  expect(response.ok(), await response.text()).toBe(true);
  return ((await response.json()) as { data: Data }).data;
}

const give = (page: Page, service: Service, amount: number, more: Record<string, unknown> = {}) =>
  call<Card>(page, service, '/gift-cards', { amount, reason: 'Late delivery', ...more });
const cardOf = (page: Page, service: Service, id: string) => call<Card>(page, service, `/gift-cards/${id}`);
const lastOrder = async (page: Page, service: Service) => {
  const [order] = await call<readonly Order[]>(page, service, '/orders?limit=1');
  return call<Order>(page, service, `/orders/${order?.orderId}`);
};

/** Begins a sale, and waits until the screen offers gift cards. */
async function openSell(page: Page, service: Service): Promise<SellPage> {
  const sell = new SellPage(page, service);
  await sell.open();
  await expect(page.getByRole('button', { name: 'Gift', exact: true })).toBeVisible();
  return sell;
}

const codeField = (page: Page) => page.getByLabel('Gift card code');
/** The button that takes the payment. */
const take = (page: Page, amount: string) => page.getByRole('button', { name: `Take ${amount}, gift card` });

test('pays a whole sale with a gift card, by keyboard, and leaves its code nowhere', async ({ signedIn: page, service }) => {
  const card = await give(page, service, 50);
  const urls: string[] = [];
  const logged: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  page.on('console', (message) => logged.push(message.text()));
  await openSell(page, service);
  await page.keyboard.type('12.50');
  await page.keyboard.press('Control+Shift+g');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(card.code.toLowerCase().replaceAll('-', ' '));
  await page.keyboard.press('Enter');
  await expect(page.getByText(new RegExp(`Gift card ${card.code.slice(-4)}: balance 50\\.00 USD`))).toBeVisible();
  await expect(take(page, '12.50')).toBeFocused();
  await expectAccessible(page, 'a payment with a gift card');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `Gift card ${card.code.slice(-4)} received` })).toBeVisible();
  expect(await cardOf(page, service, card.giftCardId)).toMatchObject({ balance: 37.5 });
  const secret = card.code.replaceAll('-', '');
  const kept = await page.evaluate(() =>
    [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), location.href, JSON.stringify(history.state)].join(' '),
  );
  const shown = await page.evaluate(
    () => `${document.documentElement.outerHTML} ${[...document.querySelectorAll('input')].map((input) => input.value).join(' ')}`,
  );
  for (const text of [kept, shown, ...urls, ...logged]) expect(text.toUpperCase().replace(/[ -]/g, '')).not.toContain(secret);
});

test('proposes the balance of a gift card, and leaves the rest to another payment @full', async ({ signedIn: page, service }) => {
  const card = await give(page, service, 20);
  const sell = await openSell(page, service);
  await page.keyboard.type('31.50');
  await page.keyboard.press('Control+Shift+g');
  await page.keyboard.type(card.code);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Remaining after this payment: 11.50 USD')).toBeVisible();
  await expect(take(page, '20.00')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Remaining: 11.50 USD' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/11\.50/);
  await expect(sell.amount).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The sale is paid in full.')).toBeVisible();
  expect(await lastOrder(page, service)).toMatchObject({
    status: 'paid',
    payments: [
      { kind: 'gift_card', shareAmount: 20 },
      { kind: 'cash', shareAmount: 11.5 },
    ],
  });
});

test('looks up a gift card before the amount is entered, by keyboard', async ({ signedIn: page, service }) => {
  const card = await give(page, service, 20);
  const sell = await openSell(page, service);
  await page.keyboard.press('Control+Shift+g');
  await codeField(page).focus();
  await page.keyboard.type(card.code);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Gift card ${card.code.slice(-4)}: balance 20.00 USD.`)).toBeVisible();
  await expect(sell.amount).toBeFocused();
  await page.keyboard.type('7.25');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `Gift card ${card.code.slice(-4)} received` })).toBeVisible();
  expect(await cardOf(page, service, card.giftCardId)).toMatchObject({ balance: 12.75 });
});

test('says why an unknown, a blocked and a spent gift card pay nothing', async ({ signedIn: page, service, faults }) => {
  faults.expect(/404/);
  const blocked = await give(page, service, 5);
  await call(page, service, `/gift-cards/${blocked.giftCardId}/block`, {});
  const spent = await give(page, service, 5);
  await call(page, service, '/tenders', { kind: 'gift_card', giftCardCode: spent.code, amount: 5 });
  await openSell(page, service);
  await page.keyboard.type('3');
  await page.keyboard.press('Control+Shift+g');
  for (const [code, message] of [
    ['X4TN-81QB-0KDW-7K2M', 'No gift card has this code. Check the code and the PIN.'],
    [blocked.code, 'This gift card is blocked. It pays nothing until it is unblocked.'],
    [spent.code, 'This gift card is spent: its balance is 0.00 USD.'],
  ] as const) {
    await expect(codeField(page)).toBeFocused();
    await codeField(page).selectText();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await expect(page.locator('#sale-giftCode-helper-text')).toHaveText(message);
  }
});

test('pays with a scanned code and with the stripe of a card, whatever has the focus @full', async ({ signedIn: page, service }) => {
  const scanned = await give(page, service, 9);
  await openSell(page, service);
  await page.keyboard.type('4');
  await page.keyboard.press('ArrowRight');
  await typeFast(page, scanned.code);
  await expect(take(page, '4.00')).toBeFocused();
  const code = '6006491234500018';
  await give(page, service, 8, { code, pin: '4821' });
  await page.keyboard.press('F2');
  await page.keyboard.type('5');
  await page.keyboard.press('Control+Shift+g');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4821');
  await typeFast(page, `;${code}=99121010000?`);
  await expect(page.getByText('Gift card 0018: balance 8.00 USD.')).toBeVisible();
  await expect(take(page, '5.00')).toBeFocused();
});

/** Types a text and Enter as a scanner or a card reader does. */
const typeFast = (page: Page, text: string) =>
  page.evaluate((typed) => {
    for (const key of [...typed, 'Enter'])
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }, text);

test('uses the store credit of the customer without a code @full', async ({ signedIn: page, service }) => {
  const { customerId } = await call<{ customerId: string }>(page, service, '/customers', { firstName: 'Ida', lastName: 'Credit' });
  const { giftCardId } = await give(page, service, 15, { customerId });
  const sell = new SellPage(page, service);
  await page.goto(`/#/sell?customerId=${customerId}`);
  await expect(sell.customer).toHaveValue('Ida Credit');
  await sell.amount.focus();
  await page.keyboard.type('6');
  await page.keyboard.press('Control+Shift+g');
  await expect(page.getByText('Without a code, the store credit of Ida Credit pays: balance 15.00 USD.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Store credit received' })).toBeVisible();
  expect(await cardOf(page, service, giftCardId)).toMatchObject({ balance: 9 });
});

test('lets one of two tills spend a gift card, and shows the other one its balance @full', async ({ signedIn: page, service, faults }) => {
  faults.expect(/422/);
  const card = await give(page, service, 10);
  await openSell(page, service);
  await page.keyboard.type('8');
  await page.keyboard.press('Control+Shift+g');
  await page.keyboard.type(card.code);
  await page.keyboard.press('Enter');
  await expect(take(page, '8.00')).toBeFocused();
  await call(page, service, '/tenders', { kind: 'gift_card', giftCardCode: card.code, amount: 7 });
  await page.keyboard.press('Enter');
  await expect(page.getByText('The payment exceeds the balance of the gift card.').first()).toBeVisible();
  expect(await cardOf(page, service, card.giftCardId)).toMatchObject({ balance: 3 });
  await expect(take(page, '3.00')).toBeFocused();
  await expect(page.getByText(`Gift card ${card.code.slice(-4)}: balance 3.00 USD. Remaining after this payment: 5.00 USD.`)).toBeVisible();
});

test('sells a gift card and goods for cash, and shows the code once', async ({ signedIn: page, service }) => {
  const sell = new SellPage(page, service);
  await sell.open();
  await page.keyboard.type('7');
  await page.keyboard.press('Control+g');
  const dialog = page.getByRole('dialog', { name: 'Sell gift card' });
  await expect(dialog.getByLabel('Amount, USD')).toBeFocused();
  await page.keyboard.type('25');
  await expectAccessible(page, 'the dialog that sells a gift card');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Lines of the sale' })).toContainText(/Gift card.*25\.00/);
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  const sold = page.getByRole('region', { name: 'Gift cards of this sale' });
  await expect(sold).toContainText(/\w{4}(-\w{4}){3}.*25\.00 USD/);
  await expectAccessible(page, 'a sold gift card');
  const code = /\w{4}(-\w{4}){3}/.exec((await sold.textContent()) ?? '')?.[0] ?? '';
  const order = await lastOrder(page, service);
  expect(order).toMatchObject({ status: 'paid', giftCards: [{ amount: 25, loadedAmount: 25 }] });
  expect(await call<Card>(page, service, '/gift-cards/balance', { code })).toMatchObject({ status: 'active', balance: 25 });
  await page.keyboard.press('Enter');
  await expect(sell.amount).toBeFocused();
  await page.goto(`/#/orders/${order.orderId}`);
  await expect(page.getByText(`Gift card ${code.slice(-4)}`).first()).toBeVisible();
  await page.goBack();
  await expect(sell.amount).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(code);
});

test('prints a new gift card with its QR code, and emails its code, by keyboard', async ({ signedIn: page, service }) => {
  const printed: string[] = [];
  await page.exposeFunction('tellPrint', (html: string) => void printed.push(html));
  await page.addInitScript(() => {
    window.print = () => void (Reflect.get(window.top ?? window, 'tellPrint') as (html: string) => void)(document.body.innerHTML);
  });
  const sell = new SellPage(page, service);
  await sell.open();
  await page.reload();
  await sell.amount.focus();
  await page.keyboard.press('Control+g');
  await expect(page.getByLabel('Amount, USD')).toBeFocused();
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  const sold = page.getByRole('region', { name: 'Gift cards of this sale' });
  await expect(sold).toContainText(/\w{4}(-\w{4}){3}/);
  const code = /\w{4}(-\w{4}){3}/.exec((await sold.textContent()) ?? '')?.[0] ?? '';
  await sold.getByRole('button', { name: 'Print gift card' }).press('Enter');
  await expect.poll(() => printed).toHaveLength(1);
  const modules = await QRCode.toString(code, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
  expect(printed[0]).toContain(/ d="([^"]{50,})"/.exec(modules)?.[1]);
  expect(printed[0]).toContain(code);
  await sold.getByRole('button', { name: 'Email gift card' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Email gift card' });
  await expect(dialog.getByLabel('Email')).toBeFocused();
  await page.keyboard.type('ida@friends.example');
  await expectAccessible(page, 'the email of a gift card');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Gift card sent to ida@friends.example')).toBeVisible();
  const [message] = await call<{ kind: string; isSecret: boolean; body: string }[]>(page, service, '/notifications/messages?limit=1');
  expect(message).toMatchObject({ kind: 'gift-card', isSecret: true, body: expect.stringContaining(code) });
});

/** Returns true if the memory of a page contains a text. */
async function remembers(page: Page, text: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  let snapshot = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    snapshot += chunk;
  });
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot');
  await session.detach();
  return snapshot.includes(text);
}

for (const [end, tag] of [
  ['another person', ''],
  ['a sign-out', ' @full'],
] as const)
  test(`forgets the code of a new gift card after ${end} at its screen${tag}`, async ({ service, browser }) => {
    const [cashier, manager] = [`gifts-${tag.length}@demo.example`, `gifts-boss-${tag.length}@demo.example`];
    await createPerson(service, 'cashier', cashier);
    await createPerson(service, 'manager', manager);
    const page = await signInElsewhere(browser, service, cashier);
    const sell = new SellPage(page, service);
    await sell.open();
    await page.keyboard.press('Control+g');
    await expect(page.getByLabel('Amount, USD')).toBeFocused();
    await page.keyboard.type('25');
    await page.keyboard.press('Enter');
    await page.keyboard.press('F6');
    await expect(page.getByLabel('Amount given, USD')).toBeFocused();
    await page.keyboard.press('Enter');
    const sold = page.getByRole('region', { name: 'Gift cards of this sale' });
    await expect(sold).toContainText(/\w{4}(-\w{4}){3}.*25\.00 USD/);
    const code = /\w{4}(-\w{4}){3}/.exec((await sold.textContent()) ?? '')?.[0] ?? '';
    expect(await remembers(page, code)).toBe(true);
    if (end === 'another person') await switchTo(page, manager);
    else {
      await page.getByRole('button', { name: `Signed in as ${cashier}` }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expect(page.getByLabel('Email')).toBeVisible();
    }
    await expect.poll(() => remembers(page, code)).toBe(false);
    await page.context().close();
  });

test('sells a gift card by card in two parts, and loads it with the last one @full', async ({ signedIn: page, service }) => {
  const sell = new SellPage(page, service);
  await sell.open();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Shift+e');
  await expect(page.locator('[data-remaining]')).toHaveText(/30\.00/);
  await expect(sell.amount).toBeFocused();
  await expect(page.getByRole('button', { name: 'Park' })).toBeDisabled();
  await sell.amount.selectText();
  await sell.sell({ amount: '10' });
  await expect(sell.approved).toBeVisible();
  await expect(page.getByRole('region', { name: 'Gift cards of this sale' })).toBeHidden();
  expect(await lastOrder(page, service)).toMatchObject({ remainingAmount: 20, giftCards: [{ loadedAmount: 0 }] });
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-remaining]')).toHaveText(/20\.00/);
  await expect(sell.amount).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Gift cards of this sale' })).toContainText(/\w{4}(-\w{4}){3}/);
  expect(await lastOrder(page, service)).toMatchObject({ status: 'paid', giftCards: [{ loadedAmount: 30 }] });
});

test('reloads a card that the customer shows @full', async ({ signedIn: page, service }) => {
  const card = await give(page, service, 5);
  await new SellPage(page, service).open();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('10');
  await page.getByRole('button', { name: 'Reload', exact: true }).press('Enter');
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await page.keyboard.type(card.code);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Lines of the sale' })).toContainText(`Reload of gift card ${card.code.slice(-4)}`);
  await page.keyboard.press('F6');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The sale is paid in full.')).toBeVisible();
  expect(await cardOf(page, service, card.giftCardId)).toMatchObject({ balance: 15 });
});

test('pays for goods but for no gift card with a gift card @full', async ({ signedIn: page, service }) => {
  const card = await give(page, service, 50);
  await openSell(page, service);
  await page.keyboard.press('Control+g');
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Shift+g');
  await codeField(page).focus();
  await page.keyboard.type(card.code);
  await page.keyboard.press('Enter');
  await expect(page.locator('#sale-giftCode-helper-text')).toHaveText('Gift cards pay for no gift cards. Choose another payment method.');
  expect(await cardOf(page, service, card.giftCardId)).toMatchObject({ balance: 50 });
});

test('refunds cash to a new gift card, and an order to a card that the customer has, by keyboard', async ({ signedIn: page, service }) => {
  const amount = page.getByRole('textbox', { name: 'Amount, USD' });
  const { tenderId } = await call<{ tenderId: string }>(page, service, '/tenders', { kind: 'cash', amount: 18 });
  await page.goto(`/#/cash/${tenderId}`);
  await page.getByRole('button', { name: 'Refund to store credit' }).press('Enter');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue('18.00');
  await page.keyboard.type('5');
  await expectAccessible(page, 'a refund to store credit');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It can’t be shown again.')).toBeVisible();
  const code =
    (await page
      .locator('.mono')
      .filter({ hasText: /^(\w{4}-){3}\w{4}$/ })
      .textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(page.getByText(code)).toBeHidden();
  expect(await call<Card>(page, service, '/gift-cards/balance', { code })).toMatchObject({ balance: 5 });

  const { orderId } = await call<Order>(page, service, '/orders', { amount: 12 });
  await call(page, service, '/tenders', { kind: 'cash', amount: 12, orderId });
  await page.goto(`/#/orders/${orderId}`);
  await page.getByRole('button', { name: 'Refund to store credit' }).press('Enter');
  await expect(amount).toHaveValue('12.00');
  await page.getByRole('button', { name: 'Gift card by code' }).press('Enter');
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Payments of this sale' })).toContainText(/12\.00.* refunded/);
  expect(await call<Card>(page, service, '/gift-cards/balance', { code })).toMatchObject({ balance: 17 });
});
