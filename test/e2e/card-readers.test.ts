import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { openMerchantApi } from './pages/merchant-api.ts';
import { SellPage } from './pages/sell-page.ts';

interface Reader {
  readonly terminalId: string;
  readonly name: string;
}

let readers = 0;

/** Pairs a card reader and makes it the one of this workstation. */
async function useReader(page: Page, api: ApiSession, more: { asksTip?: boolean } = {}): Promise<Reader> {
  readers += 1;
  const reader = await api.post<Reader>('/terminals', {
    code: 'SIM123',
    name: `Lane ${readers}`,
    workstation: `Nowhere ${readers}`,
    ...more,
  });
  await chooseReader(page, reader);
  return reader;
}

async function chooseReader(page: Page, { name }: Reader): Promise<void> {
  await page.getByRole('button', { name: 'Reader', exact: true }).click();
  await page.getByRole('combobox', { name: 'Card reader' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

const present = (api: ApiSession, { terminalId }: Reader, action: string, cardNumber?: string) =>
  api.post(`/sandbox/terminals/${terminalId}/present`, { action, ...(cardNumber && { cardNumber }) });

const running = (page: Page) => page.locator('[data-result="on-reader"]');

test('takes a chip payment with the keyboard: the amount and Enter, and shows how the card was read', async ({
  signedIn,
  service,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const reader = await useReader(signedIn, api);
  await sell.newSale();
  await strokes.reset();
  await signedIn.keyboard.type('31.10');
  await signedIn.keyboard.press('Enter');
  await expect(running(signedIn)).toHaveAttribute('data-reader-state', 'waiting_for_card');
  await expect(sell.announcement).toHaveText('Ask the customer to tap, insert or swipe');
  await present(api, reader, 'chip');
  await expect(sell.approved).toBeVisible();
  await expect.poll(() => strokes.keys()).toBe(6);
  await expect(signedIn.getByText(`${reader.name}, Chip`)).toBeVisible();
  await expect(signedIn.getByText('Visa Credit (A0000000031010)')).toBeVisible();
  await expect(signedIn.getByText('PIN', { exact: true })).toBeVisible();
  expect(await sell.recorded('31.1')).toMatchObject([{ status: 'approved', channel: 'chip' }]);
});

test('shows the tip that the customer chooses on the reader, before and after the card @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const reader = await useReader(signedIn, api, { asksTip: true });
  await sell.amount.fill('40.40');
  await sell.charge.press('Enter');
  await expect(running(signedIn)).toHaveAttribute('data-reader-state', 'choosing_tip');
  await expect(sell.announcement).toHaveText('The customer is choosing a tip');
  await api.post(`/sandbox/terminals/${reader.terminalId}/present`, { action: 'tip', tipAmount: 6.1 });
  await expect(running(signedIn)).toContainText('46.50');
  await expect(sell.announcement).toHaveText('Ask the customer to tap, insert or swipe');
  await present(api, reader, 'chip');
  await expect(sell.approved).toBeVisible();
  await expect(signedIn.locator('[data-result]')).toContainText('46.50');
  expect(await sell.recorded('46.5')).toMatchObject([{ status: 'approved', tipAmount: 6.1 }]);
});

test('pays money to the card that is presented, from the list of card readers @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const reader = await api.post<Reader>('/terminals', { code: 'SIM123', name: 'Returns' });
  await signedIn.goto('/#/settings/readers');
  await signedIn.getByRole('button', { name: 'Pay to a card on Returns' }).click();
  await signedIn.getByLabel(/^Amount in/).fill('7.70');
  await signedIn.getByRole('button', { name: 'Pay to a card', exact: true }).click();
  const state = signedIn.locator('[data-credit-state]');
  await expect(state).toContainText('Ask the customer to present the card');
  await expectAccessible(signedIn, 'credit on a card reader');
  await present(api, reader, 'chip');
  await expect(state).toContainText('Credited');
});

test('pays to a card once if its request is sent again after a lost response @full', async ({ signedIn, service, faults }) => {
  faults.expect(/ERR_FAILED/);
  const api = await ApiSession.open(service);
  await api.post('/terminals', { code: 'SIM123', name: 'Refund desk' });
  const keys: (string | undefined)[] = [];
  await signedIn.route('**/api/v1/terminals/*/credit', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const response = await route.fetch();
    if (keys.length === 1) await route.abort('failed');
    else await route.fulfill({ response });
  });
  await signedIn.goto('/#/settings/readers');
  await signedIn.getByRole('button', { name: 'Pay to a card on Refund desk' }).click();
  await signedIn.getByLabel(/^Amount in/).fill('7.80');
  await signedIn.keyboard.press('Enter');
  const dialog = signedIn.getByRole('dialog', { name: 'Pay to a card on Refund desk' });
  await expect(dialog.getByRole('alert')).toBeVisible();
  await signedIn.getByLabel(/^Amount in/).press('Enter');
  await expect(signedIn.locator('[data-credit-state]')).toContainText('Ask the customer to present the card');
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toBeTruthy();
});

test('adds the surcharge to a credit card, and shows the highest total before and the surcharge after @full', async ({
  signedIn,
  service,
}) => {
  const api = await ApiSession.open(service);
  const merchantApi = await openMerchantApi(service);
  await merchantApi.change('amount-settings', { surchargePercent: 3 });
  // Its former state forbids surcharges.
  await merchantApi.profile({ state: 'NH' });
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const reader = await useReader(signedIn, api);
  await sell.amount.fill('100');
  await expect(signedIn.locator('[data-reader-surcharge]')).toContainText('102.90 USD');
  await sell.charge.press('Enter');
  await expect(running(signedIn)).toBeVisible();
  await present(api, reader, 'chip');
  await expect(sell.approved).toBeVisible();
  await expect(signedIn.locator('[data-result]')).toContainText('2.90');
  await sell.newSale();
  await sell.amount.fill('100');
  await sell.charge.press('Enter');
  await expect(running(signedIn)).toBeVisible();
  await present(api, reader, 'chip', '4000056655665556');
  await expect(sell.approved).toBeVisible();
  await expect(signedIn.locator('[data-result]')).not.toContainText('Surcharge');
  await merchantApi.change('amount-settings', { surchargePercent: 0 });
});

test('cancels the payment on the reader with Esc, and keeps the entries for another way to pay', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const reader = await useReader(signedIn, api);
  await sell.amount.fill('32.20');
  await sell.charge.press('Enter');
  await expect(sell.announcement).toHaveText('Ask the customer to tap, insert or swipe');
  await signedIn.keyboard.press('F2');
  await expect(sell.announcement).toHaveText(`A payment runs on ${reader.name}. Cancel it first.`);
  await signedIn.keyboard.press('Escape');
  await expect(sell.notice).toContainText(`Canceled on ${reader.name}`);
  await expect(sell.amount).toHaveValue('32.20');
  await signedIn.keyboard.press('F7');
  await expect(sell.number).toBeFocused();
  expect(await sell.recorded('32.2')).toMatchObject([{ status: 'failed', terminal: { canceledBy: 'clerk' } }]);
});

test('shows a decline with its reason, and charges another card without typing again', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const reader = await useReader(signedIn, api);
  await sell.amount.fill('33.30');
  await sell.charge.press('Enter');
  await expect(running(signedIn)).toBeVisible();
  await present(api, reader, 'contactless', '4000000000009995');
  await expect(sell.declined).toContainText('does not have enough funds');
  await expect(sell.amount).toBeFocused();
  await sell.charge.press('Enter');
  await expect(running(signedIn)).toBeVisible();
  await present(api, reader, 'cancel');
  await expect(sell.notice).toContainText(`The customer canceled on ${reader.name}`);
});

test('finds the payment on the reader again after the page is loaded again @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const reader = await useReader(signedIn, api);
  await sell.amount.fill('34.40');
  await sell.charge.press('Enter');
  await expect(running(signedIn)).toBeVisible();
  await signedIn.reload();
  await expect(running(signedIn)).toContainText('34.40');
  await present(api, reader, 'swipe');
  await expect(sell.approved).toBeVisible();
  expect(await sell.recorded('34.4')).toHaveLength(1);
});

test('ends the payment on the reader when the clerk leaves the screen @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await useReader(signedIn, api);
  await sell.amount.fill('35.50');
  await sell.charge.press('Enter');
  await expect(running(signedIn)).toBeVisible();
  await signedIn.getByRole('link', { name: 'Transactions' }).first().click();
  await expect.poll(async () => (await sell.recorded('35.5'))[0]?.status).toBe('failed');
});

test('says what to do while the reader does not answer, and shows the outcome after it is found', async ({ signedIn, service, faults }) => {
  faults.expect(/409/);
  const api = await ApiSession.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const reader = await useReader(signedIn, api);
  await sell.amount.fill('36.60');
  await sell.charge.press('Enter');
  await expect(running(signedIn)).toBeVisible();
  await present(api, reader, 'unplug_after_approval');
  await expect(running(signedIn)).toContainText(`${reader.name} doesn’t answer, do not charge again`);
  await expect(running(signedIn).getByRole('link', { name: 'View unconfirmed payments' })).toBeVisible();
  const { data: listed } = await api.read<{ id: string }[]>('/unconfirmed-payments?amount=36.6');
  const inquire = () => api.post<{ isInquiring?: boolean }>(`/unconfirmed-payments/${listed[0]?.id}/inquire`, {});
  await expect.poll(async () => (await inquire()).isInquiring ?? false).toBe(false);
  await expect(sell.approved).toBeVisible();
  await sell.newSale();
  await expect(signedIn.getByText('Check its power and its network, or key the card.')).toBeVisible();
  await sell.amount.fill('37');
  await sell.charge.press('Enter');
  await expect(sell.notice).toContainText('The card reader is offline');
});

test('pairs, renames and removes a card reader in the settings, by keyboard', async ({ signedIn, faults }) => {
  faults.expect(/400/);
  await signedIn.goto('/#/settings/readers');
  const list = signedIn.getByRole('list', { name: 'Card readers' });
  await expect(list.getByRole('listitem', { name: 'Counter 1' })).toContainText('Online since');
  await signedIn.keyboard.press('n');
  await signedIn.keyboard.type('SIM000');
  await signedIn.getByLabel('Name').fill('Window');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByText('The code has expired. Enter the code that the reader shows now.')).toBeVisible();
  await expect(signedIn.getByLabel('Code on the card reader')).toBeFocused();
  await signedIn.getByLabel('Code on the card reader').fill('sim-123');
  await signedIn.keyboard.press('Enter');
  const reader = list.getByRole('listitem', { name: 'Window' });
  await expect(reader).toContainText('Simulated reader, SIM-');
  await reader.getByRole('button', { name: 'Edit Window' }).click();
  await signedIn.getByLabel('Name').fill('Window 2');
  await signedIn.getByLabel(/^Cash drawer/).fill('Drawer 9');
  await signedIn.keyboard.press('Enter');
  const renamed = list.getByRole('listitem', { name: 'Window 2' });
  await expect(renamed).toContainText('Drawer 9');
  await renamed.getByRole('button', { name: 'Remove Window 2' }).click();
  await signedIn.keyboard.press('Enter');
  await expect(renamed).toHaveCount(0);
});

test('pairs a reader in the local network by its ID and address, and shows a refusal beside its field @full', async ({
  signedIn,
  faults,
}) => {
  faults.expect(/400/);
  const sent: Record<string, unknown>[] = [];
  await signedIn.route('**/api/v1/gateway-types', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object[] };
    await route.fulfill({ response, json: { ...body, data: body.data.map((type) => ({ ...type, pairsReadersBy: 'address' })) } });
  });
  await signedIn.route('**/api/v1/terminals', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent.push(route.request().postDataJSON() as Record<string, unknown>);
    const error = { code: 'VALIDATION_ERROR', message: 'No card reader answers at the address.', field: 'address' };
    await route.fulfill({ status: 400, json: { success: false, error } });
  });
  await signedIn.goto('/#/settings/readers');
  await expect(signedIn.getByRole('list', { name: 'Card readers' })).toBeVisible();
  await signedIn.keyboard.press('n');
  await signedIn.getByLabel('ID of the card reader').fill('V400m-123456789');
  await signedIn.getByLabel('Name').fill('Lane at home');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByText('Enter the address of the card reader.')).toBeVisible();
  const address = signedIn.getByLabel('Address in the local network');
  await expect(address).toBeFocused();
  await address.fill('192.168.1.50');
  await expectAccessible(signedIn, 'pairing in the local network');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByText('No card reader answers at the address.')).toBeVisible();
  await expect(address).toBeFocused();
  expect(sent).toMatchObject([{ code: 'V400m-123456789', address: '192.168.1.50', name: 'Lane at home' }]);
});

test('pays at the simulated reader of the demo without leaving the Sell screen @full', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await signedIn.getByRole('button', { name: 'Reader', exact: true }).click();
  await sell.amount.fill('38.80');
  await sell.charge.press('Enter');
  await signedIn.getByRole('button', { name: 'Open simulated reader' }).click();
  const device = signedIn.locator('[data-simulated-reader]');
  const display = signedIn.locator('[data-reader-display]');
  await expect(display).toContainText('Tap, insert or swipe');
  await expect(display).toContainText('38.80');
  await device.getByRole('button', { name: 'What else can happen' }).click();
  await device.getByRole('button', { name: 'Enter wrong PIN' }).click();
  await expect(display).toContainText('Wrong PIN. Try again.');
  await device.getByRole('button', { name: 'Tap' }).click();
  await expect(display).toContainText('Approved');
  await expect(sell.approved).toBeVisible();
  // The workstation remembers the reader.
  await signedIn.keyboard.press('F2');
  await sell.amount.fill('38.90');
  await sell.charge.press('Enter');
  await expect(display).toContainText('38.90');
  await device.getByRole('button', { name: 'Walk away' }).click();
  await expect(sell.notice).toContainText('No card was presented to Counter 1 in time');
  await device.getByRole('button', { name: 'Unplug', exact: true }).click();
  await expect(display).toContainText('No power');
  await device.getByRole('button', { name: 'Connect' }).click();
  await expect(display).not.toContainText('No power');
});

test('screens of a payment on a reader, of the reader and of its settings have no accessibility fault in either color scheme @full', async ({
  signedIn,
  service,
}) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await signedIn.getByRole('button', { name: 'Reader', exact: true }).click();
  await expectAccessible(signedIn, 'entry with a reader');
  await sell.amount.fill('39.90');
  await sell.charge.press('Enter');
  await signedIn.getByRole('button', { name: 'Open simulated reader' }).click();
  const device = signedIn.locator('[data-simulated-reader]');
  await device.getByRole('button', { name: 'What else can happen' }).click();
  await expectAccessible(signedIn, 'payment on the reader');
  await device.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(sell.notice).toBeVisible();
  await expectAccessible(signedIn, 'canceled payment');
  await signedIn.goto('/#/settings/readers');
  await expect(signedIn.getByRole('list', { name: 'Card readers' })).toBeVisible();
  await expectAccessible(signedIn, 'settings');
});
