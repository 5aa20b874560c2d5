import type { Page } from '@playwright/test';
import { expectAccessible, SCHEMES } from './accessibility.ts';
import { expect, type Service, test } from './fixtures.ts';
import { Till } from './till.ts';

const VISA = '4111111111111111';
const MASTERCARD = '5555555555554444';
const CONSENT = /I authorize .+ to store this card and to charge it for purchases I agree to\./;

interface Known {
  readonly customerId: string;
}

let made = 0;

/** A customer of its own for one test. */
async function newCustomer(service: Service, more: object = {}): Promise<Known & { readonly lastName: string; readonly email: string }> {
  made += 1;
  const lastName = `Ahorn${process.pid}x${made}`;
  const email = `${lastName.toLowerCase()}@customer.example`;
  const till = await Till.open(service);
  const { customerId } = await till.post<Known>('/customers', { firstName: 'Ann', lastName, email, ...more });
  return { customerId, lastName, email };
}

async function store(service: Service, customerId: string, number = VISA, month = '12', year = '2039'): Promise<void> {
  const consentText = 'I agree to be charged.';
  const card = { number, expiryMonth: month, expiryYear: year };
  await (await Till.open(service)).post(`/customers/${customerId}/payment-methods`, { card, consentText });
}

const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Customer', exact: true });
const rowOf = (page: Page, id: string) => page.locator(`[role=row][data-id="${id}"]`);

async function open(page: Page, address = ''): Promise<void> {
  await page.goto(`/#/customers${address}`);
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
}

test('a customer is made, given two cards, the second made the default and charged, by keyboard alone', async ({
  signedIn: page,
  strokes,
}) => {
  await open(page);
  strokes.reset();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New customer' });
  await expect(dialog.getByLabel('First name')).toBeFocused();
  const name = `Quill${process.pid}`;
  for (const text of ['Ada', name, 'Quill & Sons', `${name}@customer.example`]) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('(207) 555-0142');
  await page.keyboard.press('Enter');
  const drawer = drawerOf(page);
  await expect(drawer.getByRole('heading', { name: `Ada ${name}` })).toBeFocused();
  await expect(drawer).toContainText('+12075550142');
  await expect(drawer).toContainText('Nothing on file.');

  strokes.reset();
  await page.keyboard.press('a');
  await expect(drawer.getByLabel('Card number')).toBeFocused();
  await expect(drawer.getByLabel('What the customer agreed to')).toHaveValue(CONSENT);
  await page.keyboard.type(VISA);
  await expect(drawer.getByLabel('Expiry')).toBeFocused();
  await page.keyboard.type('1239');
  await page.keyboard.press('Enter');
  const visa = drawer.getByRole('listitem').filter({ hasText: 'Visa 1111' });
  await expect(visa).toContainText('Default');
  await expect(visa).toContainText('12/39');
  await expect(visa).toContainText(CONSENT);
  await expect(visa).toContainText(/Agreed to on [A-Z][a-z]{2} \d+, \d{4}\./);

  await page.keyboard.press('a');
  await expect(drawer.getByLabel('Card number')).toBeFocused();
  await page.keyboard.type(MASTERCARD);
  await expect(drawer.getByLabel('Expiry')).toBeFocused();
  await page.keyboard.type('1239');
  await page.keyboard.press('Enter');
  await expect(drawer.getByRole('button', { name: 'Set Mastercard 4444 as default' })).toBeFocused();
  await page.keyboard.press('Enter');
  const mastercard = drawer.getByRole('listitem').filter({ hasText: 'Mastercard 4444' });
  await expect(mastercard.locator('[data-state=active]')).toHaveText('Default');
  await expect(visa.locator('[data-state=active]')).toHaveCount(0);
  await page.keyboard.press('$');
  await expect(page).toHaveURL(/#\/sell\?customerId=cus_/);
  const typed = VISA.length + MASTERCARD.length + 2 * '1239'.length;
  expect(strokes.keys() - typed).toBeLessThanOrEqual(9);
  expect(strokes.clicks()).toBe(0);
});

test('a card number stands in its field alone, and nowhere once the card is stored', async ({ signedIn: page, service }) => {
  const { customerId } = await newCustomer(service);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('request', (request) => said.push(request.url()));
  await open(page, `/${customerId}`);
  await page.keyboard.press('a');
  const number = drawerOf(page).getByLabel('Card number');
  await number.pressSequentially(VISA);
  await expect(number).toHaveValue('4111 1111 1111 1111');
  await expectNowhere('while it is typed');
  await drawerOf(page).getByLabel('Expiry').fill('12/39');
  await page.keyboard.press('Enter');
  await expect(drawerOf(page)).toContainText('Visa 1111');
  await expectNowhere('once it is stored');
  expect(await page.content()).not.toMatch(/4111 ?1111/);

  await page.keyboard.press('a');
  await number.pressSequentially(VISA);
  await page.keyboard.press('Control+L');
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => [...document.querySelectorAll('input')].map((input) => input.value))).not.toContain(
    '4111 1111 1111 1111',
  );

  /** Everywhere that outlives the form. */
  async function expectNowhere(when: string): Promise<void> {
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.cookie]),
    );
    expect(await page.evaluate(async () => (await indexedDB.databases()).length), when).toBe(0);
    for (const text of [kept, ...said]) expect(text.replace(/[ -]/g, ''), when).not.toContain(VISA);
  }
});

test('a wrong card number and a lapsed expiry are told at their fields, and no request is made', async ({ signedIn: page, service }) => {
  const { customerId } = await newCustomer(service);
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await open(page, `/${customerId}`);
  await page.keyboard.press('a');
  const drawer = drawerOf(page);
  await drawer.getByLabel('Card number').pressSequentially('4111111111111112');
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('A digit is wrong: compare the number with the card.')).toBeVisible();
  await expect(drawer.getByLabel('Card number')).toBeFocused();
  await drawer.getByLabel('Card number').fill(VISA);
  await drawer.getByLabel('Expiry').fill('0120');
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('This card has expired.')).toBeVisible();
  expect(sent.filter((url) => url.includes('payment-methods'))).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(drawer.getByLabel('Card number')).toBeHidden();
  await expect(drawer).toBeVisible();
});

test('an address that somebody has already is told beneath the field, leads there, and stops nobody', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/400/);
  const known = await newCustomer(service);
  await open(page);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New customer' });
  await dialog.getByLabel('First name').fill('Twin');
  await dialog.getByLabel('E-mail').fill(known.email.toUpperCase());
  await expect(dialog.getByText('has this e-mail address already')).toBeVisible();
  await dialog.getByLabel('Phone').fill('12');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Write the number with its country: +12075550142.')).toBeVisible();
  await expect(dialog.getByLabel('Phone')).toBeFocused();
  await dialog.getByLabel('Notes').fill(`Card ${VISA}`);
  await dialog.getByRole('button', { name: 'Add customer' }).click();
  await expect(dialog.getByText('This holds a card number.')).toBeVisible();
  await dialog.getByLabel('Notes').fill('');
  await dialog.getByLabel('Phone').fill('');
  await page.keyboard.press('Enter');
  await expect(drawerOf(page).getByRole('heading', { name: 'Twin' })).toBeVisible();

  await page.keyboard.press('e');
  const edit = drawerOf(page).getByRole('form', { name: 'Edit customer' });
  await expect(edit.getByLabel('E-mail')).toHaveValue(known.email);
  await edit.getByRole('button', { name: `Ann ${known.lastName}` }).click();
  await expect(page).toHaveURL(new RegExp(`/customers/${known.customerId}`));
  await expect(drawerOf(page).getByRole('heading', { name: `Ann ${known.lastName}` })).toBeVisible();
  await page.keyboard.press('e');
  await edit.getByLabel('Company').fill('Marsh Ltd');
  await edit.getByLabel('City').fill('Portland');
  await page.keyboard.press('Enter');
  await expect(edit).toBeHidden();
  await expect(drawerOf(page)).toContainText('Marsh Ltd');
  await expect(drawerOf(page)).toContainText('Portland');
});

test('one box finds by last four digits and by name, from the address too, and says when nothing matches', async ({
  signedIn: page,
  service,
}) => {
  const one = await newCustomer(service);
  const other = await newCustomer(service);
  await store(service, one.customerId, '6011111111111117');
  await store(service, other.customerId);
  await open(page);
  await expect(rowOf(page, other.customerId)).toContainText('Visa 1111');
  await page.keyboard.press('/');
  await page.keyboard.type('1117');
  await expect(rowOf(page, other.customerId)).toHaveCount(0);
  await expect(rowOf(page, one.customerId)).toContainText('Discover 1117');
  await expect(page).toHaveURL(/q=1117/);
  await page.reload();
  await expect(page.getByLabel('Search customers')).toHaveValue('1117');
  await expect(rowOf(page, one.customerId)).toBeVisible();
  await page.getByLabel('Search customers').press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(drawerOf(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawerOf(page)).toBeHidden();
  await expect(page.locator('[role=gridcell]:focus')).toHaveCount(1);
  await page.getByLabel('Search customers').fill('nobody is called this');
  await expect(page.getByText('No match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(rowOf(page, other.customerId)).toBeVisible();
  await expect(page).not.toHaveURL(/q=/);
});

test('what another station does shows without a reload; a removed default hands on, and a consent is printed', async ({
  signedIn: page,
  service,
}) => {
  const printed: string[] = [];
  await page.exposeFunction('tellPrint', (text: string) => void printed.push(text));
  await page.addInitScript(() => {
    window.print = () => void (Reflect.get(window.top ?? window, 'tellPrint') as (text: string) => void)(document.body.innerText);
  });
  await open(page);
  await page.reload();
  const { customerId, lastName } = await newCustomer(service, { company: 'Nails <b>&</b> Co' });
  await expect(rowOf(page, customerId)).toContainText(lastName);
  await rowOf(page, customerId).click();
  const drawer = drawerOf(page);
  await store(service, customerId);
  await expect(drawer).toContainText('Visa 1111');
  await store(service, customerId, MASTERCARD);
  await expect(drawer).toContainText('Mastercard 4444');
  await drawer.getByRole('button', { name: 'Print consent for Visa 1111' }).click();
  await expect.poll(() => printed.length).toBe(1);
  for (const words of [`Ann ${lastName}`, 'Visa ending in 1111', 'I agree to be charged.', 'SANDBOX', 'Signature']) {
    expect(printed[0]).toContain(words);
  }
  await drawer.getByRole('button', { name: 'Remove Visa 1111' }).click();
  await expect(drawer).toContainText('The newest other one becomes the default.');
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('Visa 1111')).toHaveCount(0);
  await expect(drawer.getByRole('listitem').filter({ hasText: 'Mastercard 4444' })).toContainText('Default');
});

test('deleting lists what goes, asks once and cancels the plans', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  const { customerId, lastName } = await newCustomer(service);
  await store(service, customerId);
  const plan = { customerId, amount: 25, frequency: 'monthly' };
  const first = await till.post<{ subscriptionId: string }>('/recurring', { ...plan, planId: 'Gym' });
  await till.post('/recurring', { ...plan, startDate: '2039-01-31' });
  await open(page, `/${customerId}`);
  const drawer = drawerOf(page);
  await expect(drawer.getByRole('link', { name: 'Gym' })).toHaveAttribute('href', `#/recurring/${first.subscriptionId}`);
  await expect(drawer).toContainText('25.00USD every month');
  await expect(drawer).toContainText('next on Jan 31, 2039');
  await expect(drawer.getByRole('region', { name: 'Transactions' }).getByRole('link')).toHaveCount(1);
  await drawer.getByRole('button', { name: 'Delete' }).click();
  await expect(drawer).toContainText('2 subscriptions stop, 1 card is destroyed; 1 transaction stays. This cannot be taken back.');
  await expect(drawer.getByRole('button', { name: `Delete Ann ${lastName}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(drawer).toBeHidden();
  await expect(rowOf(page, customerId)).toHaveCount(0);
  await expect(page).not.toHaveURL(/cus_/);
  const { data } = await till.read<{ status: string }>(`/recurring/${first.subscriptionId}`);
  expect(data.status).toBe('cancelled');
});

test('cards that are about to expire are counted, listed with their days, and Enter opens the customer', async ({
  signedIn: page,
  service,
}) => {
  const now = new Date();
  const { customerId, lastName } = await newCustomer(service);
  await store(service, customerId, VISA, String(now.getMonth() + 1).padStart(2, '0'), String(now.getFullYear()));
  await open(page);
  const tab = page.getByRole('tab', { name: /^Expiring cards \(\d+\)$/ });
  await tab.click();
  await expect(page).toHaveURL(/tab=expiring/);
  const row = page.getByRole('row').filter({ hasText: lastName });
  await expect(row).toContainText('Visa 1111');
  await expect(row).toContainText(/expires (today|in \d+ days?)/);
  await row.getByRole('gridcell').first().focus();
  await page.keyboard.press('Enter');
  await expect(drawerOf(page).getByRole('heading', { name: `Ann ${lastName}` })).toBeFocused();
  await expect(drawerOf(page).getByRole('listitem').first()).toContainText(/expires (today|in \d+ days?)/);
  await store(service, customerId);
  await expect(drawerOf(page).getByRole('listitem').first()).toContainText('12/39');
  await page.keyboard.press('Escape');
  await expect(row).toHaveCount(0);
});

test('who may only read finds no button that writes', async ({ page, service }) => {
  const till = await Till.open(service);
  const { customerId } = await newCustomer(service);
  await store(service, customerId);
  const role = await till.post<{ id: string }>('/roles', { name: `reader${process.pid}`, permissions: ['customers:read'] });
  const { data: me } = await till.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const account = { email: `reader${process.pid}@demo.example`, password: 'the password of a reader' };
  await till.post(`/merchants/${me.merchants[0]?.merchantId}/users`, { ...account, role: role.id });
  await page.goto(`/#/customers/${customerId}`);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(drawerOf(page)).toContainText('Visa 1111');
  await expect(drawerOf(page).getByRole('button', { name: /Charge|Add card|Edit|Delete|Remove|default/ })).toHaveCount(0);
  await page.keyboard.press('a');
  await page.keyboard.press('$');
  await expect(drawerOf(page).getByLabel('Card number')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(drawerOf(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'New customer' })).toHaveCount(0);
});

for (const colorScheme of SCHEMES) {
  test(`customers have no accessibility fault in the ${colorScheme} scheme and fit a small screen`, async ({ signedIn: page, service }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const now = new Date();
    const { customerId } = await newCustomer(service, { notes: 'Calls on Mondays.' });
    await store(service, customerId, VISA, String(now.getMonth() + 1).padStart(2, '0'), String(now.getFullYear()));
    await store(service, customerId, MASTERCARD);
    await open(page);
    await expect(rowOf(page, customerId)).toBeVisible();
    await expectAccessible(page, 'list');
    await expectFits(1280, 720);
    await page.keyboard.press('n');
    await expect(page.getByLabel('First name')).toBeFocused();
    await expectAccessible(page, 'new customer');
    await page.keyboard.press('Escape');
    await rowOf(page, customerId).click();
    await expect(drawerOf(page)).toContainText('Mastercard 4444');
    await expectAccessible(page, 'customer');
    await page.keyboard.press('a');
    await expect(page.getByLabel('Card number')).toBeFocused();
    await page.keyboard.press('Enter');
    await expectAccessible(page, 'add card');
    await page.keyboard.press('Escape');
    await drawerOf(page).getByRole('button', { name: 'Delete' }).click();
    await expectAccessible(page, 'delete');
    await expectFits(640, 360);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.goto('/#/customers?tab=expiring');
    await expect(page.getByText(/expires /).first()).toBeVisible();
    await expectAccessible(page, 'expiring cards');
    await expectFits(640, 360);
    await page.goto('/#/customers?q=nobody');
    await expect(page.getByText('No match')).toBeVisible();
    await expectAccessible(page, 'no match');

    async function expectFits(width: number, height: number): Promise<void> {
      await page.setViewportSize({ width, height });
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
  });
}
