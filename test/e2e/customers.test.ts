import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { actOn } from './record-actions.ts';

const VISA = '4111111111111111';
const MASTERCARD = '5555555555554444';
const DAY_MS = 86_400_000;

type Known = Record<'customerId' | 'name' | 'email', string>;

let made = 0;

/** Creates a customer for one test. */
async function newCustomer(service: Service, more: object = {}): Promise<Known> {
  const lastName = `Ahorn${process.pid}x${++made}`;
  const email = `${lastName.toLowerCase()}@customer.example`;
  const { customerId } = await (await ApiSession.open(service)).post<Known>('/customers', { firstName: 'Ann', lastName, email, ...more });
  return { customerId, name: `Ann ${lastName}`, email };
}

async function store(service: Service, { customerId }: Known, number = VISA, expiryMonth = '12', expiryYear = '2039'): Promise<void> {
  const body = { card: { number, expiryMonth, expiryYear }, consentText: 'I agree to be charged.' };
  await (await ApiSession.open(service)).post(`/customers/${customerId}/payment-methods`, body);
}

/** The current time of the tenant, whose clock other tests may have moved. */
async function presentMs(service: Service): Promise<number> {
  return Date.parse((await (await ApiSession.open(service)).read<{ now: string }>('/sandbox/clock')).data.now);
}

/** Stores a card that is valid until the end of this month. */
async function storeEnding(service: Service, known: Known): Promise<void> {
  const [year, month] = new Date(await presentMs(service)).toISOString().split('-');
  return store(service, known, VISA, month, year);
}

const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Customer', exact: true });
const headOf = (page: Page, name: string) => drawerOf(page).getByRole('heading', { name, level: 2 });
const rowOf = (page: Page, { customerId }: Known) => page.locator(`[role=row][data-id="${customerId}"]`);
const cardOf = (page: Page, name: string) => drawerOf(page).getByRole('listitem').filter({ hasText: name });

async function open(page: Page, address = ''): Promise<void> {
  await page.goto(`/#/customers${address}`);
  // An open drawer hides the page below it from screen readers.
  await expect(page.getByRole('heading', { name: 'Customers', level: 1, includeHidden: true })).toBeVisible();
  if (address.startsWith('/')) await expect(drawerOf(page).getByRole('heading', { level: 2 })).toBeFocused();
}

/** Types a card into the open drawer, as a clerk does. */
async function keyCard(page: Page, number: string, expiry = '1239'): Promise<void> {
  await page.keyboard.press('a');
  await expect(drawerOf(page).getByLabel('Card number')).toBeFocused();
  await page.keyboard.type(number);
  await expect(drawerOf(page).getByLabel('Expiry')).toBeFocused();
  await page.keyboard.type(expiry);
  await page.keyboard.press('Enter');
}

test('creates a customer with two cards, makes the second one the default and charges it, by keyboard only', async ({
  signedIn: page,
  strokes,
}) => {
  await open(page);
  await strokes.reset();
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'New customer' }).getByLabel('First name')).toBeFocused();
  const name = `Quill${process.pid}`;
  for (const text of ['Ada', name, 'Quill & Sons', `${name}@customer.example`]) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('(207) 555-0142');
  await page.keyboard.press('Enter');
  await expect(headOf(page, `Ada ${name}`)).toBeFocused();
  await expect(drawerOf(page)).toContainText('(207) 555-0142');
  const before = strokes.keys();
  await keyCard(page, VISA);
  const visa = cardOf(page, 'Visa ••1111');
  await expect(visa.locator('[data-state=active]')).toHaveText('Default');
  await expect(visa).toContainText(/I authorize .+ to store this card and to charge it for purchases I agree to\./);
  await expect(visa).toContainText(/Agreed to on [A-Z][a-z]{2} \d+, \d{4}\./);
  await keyCard(page, MASTERCARD);
  await expect(drawerOf(page).getByRole('button', { name: 'Set as default, Mastercard ••4444' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'Mastercard ••4444').locator('[data-state=active]')).toHaveText('Default');
  await expect(visa.locator('[data-state=active]')).toHaveCount(0);
  await page.keyboard.press('$');
  await expect(page).toHaveURL(/#\/sell\?customerId=cus_/);
  expect(strokes.keys() - before - 2 * (VISA.length + '1239'.length)).toBeLessThanOrEqual(9);
  expect(strokes.clicks()).toBe(0);
});

test('warns while a card number is typed into free text, and not in a card field @full', async ({ signedIn: page, service }) => {
  const known = await newCustomer(service);
  const warning = page.getByRole('alert').filter({ hasText: 'This text contains a card number' });
  await open(page);
  await page.keyboard.press('n');
  const company = page.getByRole('dialog', { name: 'New customer' }).getByLabel('Company');
  await company.pressSequentially('card 4111 1111 1111 111');
  await expect(warning).toHaveCount(0);
  await company.pressSequentially('1');
  await expect(warning).toBeVisible();
  await company.fill('Quill & Sons');
  await expect(warning).toHaveCount(0);
  await page.keyboard.press('Escape');
  await open(page, `/${known.customerId}`);
  await page.keyboard.press('a');
  await drawerOf(page).getByLabel('Card number').pressSequentially(VISA);
  await expect(warning).toHaveCount(0);
});

test('keeps a card number in its own field only, and nowhere after the card is stored', async ({ signedIn: page, service }) => {
  const outside: string[] = [];
  page.on('console', (message) => outside.push(message.text()));
  page.on('request', (request) => outside.push(request.url()));
  await open(page, `/${(await newCustomer(service)).customerId}`);
  const number = drawerOf(page).getByLabel('Card number');
  await page.keyboard.press('a');
  await number.pressSequentially('4111111111111112');
  await page.keyboard.press('Enter');
  await expect(drawerOf(page).getByText('A digit is wrong: compare the number with the card.')).toBeVisible();
  await expect(number).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(number).toBeHidden();
  await keyCard(page, VISA, '0120');
  await expect(drawerOf(page).getByText('This card has expired.')).toBeVisible();
  await expect(number).toHaveValue('4111 1111 1111 1111');
  await expectNowhere('while it is typed');
  await drawerOf(page).getByLabel('Customer agreed by').click();
  await page.getByRole('option', { name: 'Mail' }).click();
  await drawerOf(page).getByLabel('Expiry').fill('12/39');
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'Visa ••1111')).toContainText('Channel: Mail');
  await expectNowhere('once it is stored');
  expect(await page.content()).not.toMatch(/4111 ?1111/);
  await page.keyboard.press('a');
  await number.pressSequentially(VISA);
  await page.keyboard.press('Control+L');
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value))).not.toContain('4111 1111 1111 1111');

  /** All storage that outlives the form. */
  async function expectNowhere(when: string): Promise<void> {
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie]));
    expect(await page.evaluate(async () => (await indexedDB.databases()).length), when).toBe(0);
    for (const text of [kept, ...outside]) expect(text.replace(/[ -]/g, ''), when).not.toContain(VISA);
  }
});

test('warns about an email address that another customer has, links to that customer, and allows saving @full', async ({
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
  await dialog.getByLabel('Email').fill(known.email.toUpperCase());
  await expect(dialog.getByText('already has this email address')).toBeVisible();
  await dialog.getByLabel('Phone').fill('12');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter the number with its country code: +12075550142.')).toBeVisible();
  await expect(dialog.getByLabel('Phone')).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await expect(headOf(page, 'Twin')).toBeFocused();

  await page.keyboard.press('e');
  const edit = drawerOf(page).getByRole('form', { name: 'Edit customer' });
  await edit.getByRole('button', { name: known.name }).click();
  await expect(headOf(page, known.name)).toBeFocused();
});

test('finds customers by last four digits and by name, also from the URL, and J moves to the next one @full', async ({
  signedIn: page,
  service,
}) => {
  const [one, other] = [await newCustomer(service), await newCustomer(service)];
  await store(service, one, '6011111111111117');
  await store(service, other);
  await open(page);
  await expect(rowOf(page, other)).toContainText('Visa ••1111');
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search customers')).toBeFocused();
  await page.keyboard.type('1117');
  await expect(rowOf(page, other)).toHaveCount(0);
  await expect(page).toHaveURL(/q=1117/);
  await page.reload();
  const box = page.getByLabel('Search customers');
  await expect(box).toHaveValue('1117');
  await expect(rowOf(page, one)).toContainText('Discover ••1117');
  await box.fill('nobody is called this');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await box.fill('Ahorn');
  await expect(page).toHaveURL(/q=Ahorn/);
  await expect(rowOf(page, one)).toBeVisible();
  await box.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(headOf(page, other.name)).toBeFocused();
  await page.keyboard.press('j');
  await expect(headOf(page, one.name)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(rowOf(page, one).locator('[role=gridcell]:focus')).toHaveCount(1);
});

test('deleting a customer lists the consequences, asks once and cancels the subscriptions @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const known = await newCustomer(service);
  await store(service, known);
  const plan = { customerId: known.customerId, amount: 25, frequency: 'monthly' };
  const first = await api.post<{ subscriptionId: string }>('/recurring', { ...plan, planId: 'Gym' });
  await api.post('/recurring', { ...plan, startDate: '2039-01-31' });
  await open(page, `/${known.customerId}`);
  const drawer = drawerOf(page);
  await expect(drawer.getByRole('link', { name: 'Gym' })).toHaveAttribute('href', `#/recurring/${first.subscriptionId}`);
  await expect(drawer).toContainText('next payment Jan 31, 2039');
  await expect(drawer.getByRole('region', { name: 'Transactions' }).getByRole('link')).toHaveCount(1);
  await actOn(drawer, 'Delete');
  await expect(drawer).toContainText('2 subscriptions are canceled, and 1 card is deleted. 1 transaction is kept. This can’t be undone.');
  await page.keyboard.press('Enter');
  await expect(drawer).toBeHidden();
  await expect(rowOf(page, known)).toHaveCount(0);
  expect((await api.read<{ status: string }>(`/recurring/${first.subscriptionId}`)).data.status).toBe('cancelled');
});

test("shows the days until cards expire and cards stored elsewhere, and prints a card's consent @full", async ({
  signedIn: page,
  service,
}) => {
  const printed: string[] = [];
  await page.exposeFunction('tellPrint', (text: string) => void printed.push(text));
  await page.addInitScript(() => {
    window.print = () => void (Reflect.get(window.top ?? window, 'tellPrint') as (text: string) => void)(document.body.textContent ?? '');
  });
  const known = await newCustomer(service);
  await storeEnding(service, known);
  await open(page);
  await page.reload();
  await page.getByRole('tab', { name: /^Expiring cards \(\d+\)$/ }).click();
  const row = page.getByRole('row').filter({ hasText: known.name });
  await expect(row).toContainText(/Visa ••1111expires (today|in \d+ days?)/);
  await row.getByRole('gridcell').first().focus();
  await page.keyboard.press('Enter');
  await expect(headOf(page, known.name)).toBeFocused();
  await expect(cardOf(page, 'Visa ••1111')).toContainText(/expires (today|in \d+ days?)/);
  await store(service, known, MASTERCARD);
  await drawerOf(page).getByRole('button', { name: 'Print consent for Mastercard ••4444' }).click();
  await expect.poll(() => printed.join()).toContain('Mastercard ••4444');
  expect(printed[0]).toContain('I agree to be charged.');
  await page.keyboard.press('Escape');
  // Other tests share the clock of the tenant, so the response is changed to look older instead.
  const { data: cards, pagination } = await (await ApiSession.open(service)).read<{ expiresOn: string }[]>('/customers/expiring-cards');
  const expiresOn = new Date((await presentMs(service)) - 5 * DAY_MS).toISOString().slice(0, 10);
  const data = cards.map((card) => ({ ...card, expiresOn }));
  await page.route('**/expiring-cards*', (route) => route.fulfill({ json: { success: true, data, pagination } }));
  await page.reload();
  await expect(page.getByText(/expired [456] days ago/).first()).toBeVisible();
});

test('the customer screens have no accessibility fault in either color scheme and fit a small screen @full', async ({
  signedIn: page,
  service,
}) => {
  const known = await newCustomer(service, { notes: 'Calls on Mondays.' });
  await storeEnding(service, known);
  await store(service, known, MASTERCARD);
  for (const address of ['?tab=expiring', '?q=nobody', '']) {
    await open(page, address);
    await expect(page.getByText(/expires |No match|Last payment/).first()).toBeVisible();
    await expectAccessible(page, `list ${address}`);
  }
  await page.keyboard.press('n');
  await expect(page.getByLabel('First name')).toBeFocused();
  await expectAccessible(page, 'new customer');
  await page.keyboard.press('Escape');
  await rowOf(page, known).click();
  await expect(cardOf(page, 'Mastercard ••4444')).toBeVisible();
  await page.keyboard.press('a');
  await expectAccessible(page, 'add card');
  await actOn(drawerOf(page), 'Delete');
  await expectAccessible(page, 'delete');
  for (const width of [1280, 640]) {
    await page.setViewportSize({ width, height: (width * 9) / 16 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
});

test('stores the card that a customer presents to a card reader, after a canceled one, and charges it @full', async ({
  signedIn,
  service,
}) => {
  const known = await newCustomer(service);
  const api = await ApiSession.open(service);
  const { terminalId } = await api.post<{ terminalId: string }>('/terminals', { code: 'SIM123', name: 'Cards on file' });
  const present = (action: string) => api.post(`/sandbox/terminals/${terminalId}/present`, { action });
  await signedIn.goto(`/#/customers/${known.customerId}`);
  await expect(headOf(signedIn, known.name)).toBeVisible();
  await actOn(drawerOf(signedIn), 'Add card by reader');
  const dialog = drawerOf(signedIn).getByRole('form', { name: 'Add card by reader' });
  await dialog.getByRole('combobox', { name: 'Card reader' }).click();
  await signedIn.getByRole('option', { name: 'Cards on file', exact: true }).click();
  await expectAccessible(signedIn, 'card by a reader');
  await dialog.getByRole('button', { name: 'Ask for the card' }).click();
  const state = signedIn.locator('[data-card-save]');
  await expect(state).toHaveText('Ask the customer to tap, insert or swipe');
  await present('cancel');
  await expect(state).toHaveText('The customer canceled on Cards on file');
  await dialog.getByRole('button', { name: 'Ask for the card again' }).click();
  await dialog.getByRole('button', { name: 'Ask for the card' }).click();
  await expect(state).toHaveText('Ask the customer to tap, insert or swipe');
  await present('chip');
  await expect(dialog).toBeHidden();
  await expect(drawerOf(signedIn).getByText('Read by a card reader: only its processor can charge it.')).toBeVisible();
  const sale = await api.post<{ status: string }>('/transactions', { amount: 12.3, customerId: known.customerId });
  expect(sale.status).toBe('approved');
});

test('shows the balance of a customer and its statement, saves it and sends it', async ({ signedIn: page, service }) => {
  const session = await ApiSession.open(service);
  const lastName = `Esche${process.pid}`;
  const email = `${lastName.toLowerCase()}@customer.example`;
  const { customerId } = await session.post<{ customerId: string }>('/customers', { firstName: 'Ines', lastName, email });
  const invoice = await session.post<{ invoiceId: string; number: string }>('/invoices', { customerId, amount: 125, allowPartial: true });
  await session.post(`/invoices/${invoice.invoiceId}/send`, { email: `books-${email}` });
  await session.post(`/invoices/${invoice.invoiceId}/payment`, { paymentMethod: 'check', amount: 25, reference: '1042' });
  await page.goto(`/#/customers/${customerId}`);
  const drawer = page.getByRole('dialog', { name: 'Customer', exact: true });
  await expect(drawer.getByText('Balance')).toBeVisible();
  await expect(drawer.getByText('100.00').first()).toBeVisible();
  await expect(drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: `Statement of Ines ${lastName}` });
  const table = dialog.getByRole('table', { name: 'Statement in USD' });
  await expect(table.getByRole('row').filter({ hasText: `Invoice ${invoice.number}` })).toContainText('125.00');
  await expect(table.getByRole('row').filter({ hasText: 'Payment' })).toContainText('1042');
  await expect(table.getByRole('row').filter({ hasText: 'Closing balance' })).toContainText('100.00');
  await expectAccessible(page, 'the statement of a customer');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'PDF' }).click();
  expect((await download).suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-01-.*\.pdf$/);
  await dialog.getByRole('button', { name: 'Send by email' }).click();
  await expect(dialog).toBeHidden();
  const { data: messages } = await session.read<{ kind: string; to: string }[]>(`/notifications/messages?resourceId=${customerId}`);
  expect(messages).toMatchObject([{ kind: 'statement', to: email }]);
});
