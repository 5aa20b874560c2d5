import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, type Service, test } from './fixtures.ts';
import { GOOD_SWIPE, swipe } from './pages/card-reader.ts';
import { InvoicesPage, newCustomer, newInvoice, type Recorded, record } from './pages/invoices-page.ts';
import { Till } from './till.ts';

const SCREEN = { width: 1280, height: 720 };
const SMALL_SCREEN = { width: 640, height: 400 };
const VISA = '4111111111111111';
const DECLINING = '4000000000000002';
const LOST_ANSWER = '4000000000006975';
const THREE_LINES = [
  { description: 'Catering for twelve', quantity: '12', price: '24.50' },
  { description: 'Linen, by the metre', quantity: '2.5', price: '8' },
  { description: 'Delivery', quantity: '1', price: '18.75' },
];

async function opened(page: Page, service: Service, more: object = {}, isSent = true) {
  const till = await Till.open(service);
  const invoice = await newInvoice(till, more, isSent);
  const invoices = new InvoicesPage(page);
  await invoices.openOne(invoice.invoiceId);
  return { till, invoice, invoices };
}

const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('an invoice of three lines is written, sent, paid in part by cash and its link copied, by keys alone', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const till = await Till.open(service);
  const { name, email } = await newCustomer(till);
  const invoices = new InvoicesPage(page);
  await invoices.open();
  strokes.reset();
  await page.keyboard.press('n');
  await invoices.chooseCustomer(name);
  await invoices.writeLines(THREE_LINES);
  await expect(invoices.total).toContainText('332.75');
  await expect(invoices.preview).toContainText(name);
  await expect(invoices.preview).toContainText('332.75 USD');
  await page.keyboard.press('Control+Enter');
  await expect(invoices.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(invoices.said).toHaveText(new RegExp(`^Invoice INV-\\d+ goes to ${email}\\.$`));
  await expect(invoices.drawer.getByRole('row', { name: 'Linen, by the metre 2.5 8.00 20.00' })).toBeVisible();
  await expect(invoices.drawer.getByRole('link', { name: `Invoice to ${email}` })).toBeVisible();
  await page.keyboard.press('$');
  await expect(invoices.amount).toBeFocused();
  await expect(invoices.amount).toHaveValue('332.75');
  await page.keyboard.type('100');
  await page.keyboard.press('Enter');
  await expect(invoices.said).toHaveText('Recorded 100.00 USD. 232.75 USD is left.');
  await expect(invoices.drawer.locator('[data-state=partially_paid]')).toHaveText('Partially paid');
  await expect(invoices.payments).toContainText(['PaidCash']);
  await page.keyboard.press('c');
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(strokes.clicks()).toBe(0);
  const invoice = await record(till, { invoiceId: page.url().split('/').at(-1) ?? '' });
  expect(await clipboardOf(page)).toBe(invoice.shortUrl);
  expect([invoice.status, invoice.amount, invoice.amountPaid, invoice.amountDue]).toEqual(['partially_paid', 332.75, 100, 232.75]);
  await page.keyboard.press('Escape');
  await expect(page.locator(`[data-id="${invoice.invoiceId}"]`)).toContainText('232.75');
});

test('Backspace takes an empty line away, Enter in one leads on to the note, and what is missing is said at its cell', async ({
  signedIn: page,
  service,
}) => {
  const till = await Till.open(service);
  const { customerId } = await newCustomer(till);
  const invoices = new InvoicesPage(page);
  await page.goto(`/#/invoices/new?customerId=${customerId}`);
  await invoices.cell(1, 'description').fill('Rent');
  await invoices.cell(1, 'price').fill('900');
  await page.keyboard.press('Enter');
  await expect(invoices.cell(2, 'description')).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(invoices.cell(2, 'description')).toHaveCount(0);
  await expect(invoices.cell(1, 'price')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(invoices.cell(2, 'description')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Note to the customer, optional')).toBeFocused();
  await expect(invoices.cell(2, 'description')).toHaveCount(0);
  await page.keyboard.type('Thank you.');
  await expect(invoices.preview).toContainText('Thank you.');
  await invoices.cell(1, 'price').fill('12.345');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Write the price like 45 or 45.50.')).toBeVisible();
  await expect(invoices.cell(1, 'price')).toBeFocused();
  await invoices.cell(1, 'price').fill('12.34');
  await page.getByRole('button', { name: '7 days', exact: true }).click();
  await page.keyboard.press('Control+s');
  await expect(invoices.drawer).toContainText('A draft: nobody was written to.');
  await expect(invoices.said).toHaveText(/^Invoice INV-\d+ is saved as a draft\.$/);
});

test('a draft is changed by E, with a new customer made on the way by N; who leaves unsaved is asked', async ({
  signedIn: page,
  service,
}) => {
  const { invoices, till, invoice } = await opened(page, service, { note: 'As agreed' }, false);
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { name: `Edit ${invoice.number}`, level: 1 })).toBeFocused();
  await expect(invoices.cell(1, 'price')).toHaveValue('15.00');
  await page.keyboard.press('n');
  await expect(page.getByLabel('First name')).toBeFocused();
  const email = `olga${process.pid}@customer.example`;
  await page.keyboard.type('Olga');
  await page.getByLabel('E-mail').fill(email);
  await page.keyboard.press('Enter');
  await expect(invoices.customer).toHaveValue('Olga');
  await expect(invoices.cell(1, 'description')).toBeFocused();
  await invoices.cell(1, 'quantity').fill('3');
  await expect(invoices.total).toContainText('45.00');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(invoices.cell(1, 'quantity')).toHaveValue('3');
  await invoices.cell(1, 'quantity').press('Control+Enter');
  await expect(invoices.said).toHaveText(`Invoice ${invoice.number} goes to ${email}.`);
  const after = await record(till, invoice);
  expect([after.status, after.amount, after.customer?.email]).toEqual(['sent', 45, email]);
  await expect(invoices.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('e');
  await expect(page.getByText('Edit: It was sent or paid on: cancel it and write another.')).toBeVisible();
});

test('more than is due is refused in words, with what is due at a press; a check keeps its number', async ({ signedIn: page, service }) => {
  const { invoices, till, invoice } = await opened(page, service);
  await page.keyboard.press('$');
  await expect(invoices.amount).toBeFocused();
  await page.keyboard.type('30.01');
  await page.keyboard.press('Enter');
  await expect(invoices.drawer.getByText('Only 30.00 USD is due.')).toBeVisible();
  expect((await record(till, invoice)).payments).toEqual([]);
  await invoices.action('Use 30.00').click();
  await expect(invoices.amount).toHaveValue('30.00');
  await invoices.action('Check').click();
  await invoices.action('Record 30.00 USD').click();
  await expect(invoices.drawer.getByText('Enter the number of the check.')).toBeVisible();
  await invoices.drawer.getByLabel('Check number').fill('1042');
  await page.keyboard.press('Enter');
  await expect(invoices.drawer.locator('[data-state=paid]')).toBeVisible();
  await expect(invoices.payments).toContainText(['Check 1042']);
  await page.keyboard.press('$');
  await expect(page.getByText('Record payment: It is paid.')).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByText('Cancel: It is paid: refund the payment instead.')).toBeVisible();
});

test('cash is recorded and its receipt printed in one step', async ({ signedIn: page, service }) => {
  const printed: string[] = [];
  await page.exposeFunction('tellPrint', (text: string) => void printed.push(text));
  await page.addInitScript(() => {
    window.print = () => void (Reflect.get(window.top ?? window, 'tellPrint') as (text: string) => void)(document.body.textContent ?? '');
  });
  await page.reload();
  const { invoices, invoice } = await opened(page, service);
  await page.keyboard.press('$');
  await expect(invoices.amount).toBeFocused();
  await page.keyboard.type('20');
  await invoices.drawer.getByLabel('Then print').press('Enter');
  await page.getByRole('option', { name: 'A receipt' }).press('Enter');
  await invoices.action('Record 20.00 USD and print').press('Enter');
  await expect.poll(() => printed).toHaveLength(1);
  for (const words of ['SANDBOX', invoice.number, invoice.name, 'Cash', 'Paid20.00 USD', 'Left to pay10.00 USD']) {
    expect(printed[0]).toContain(words);
  }
});

test('what another station took meanwhile is refused by the service, in words', async ({ signedIn: page, service, faults }) => {
  faults.expect(/422/);
  const { invoices, till, invoice } = await opened(page, service);
  await page.keyboard.press('$');
  await expect(invoices.amount).toBeFocused();
  // The service's word comes before the news of it.
  await page.route(/\/api\/v1\/invoices\/inv_\w+$/, (route) => route.abort());
  faults.expect(/ERR_FAILED/);
  await till.post(`/invoices/${invoice.invoiceId}/payment`, { paymentMethod: 'cash', amount: '20.00' });
  await page.keyboard.press('Enter');
  await expect(invoices.drawer.getByText(/More than is due|Only 10\.00 USD is due/)).toBeVisible();
  await page.unroute(/\/api\/v1\/invoices\/inv_\w+$/);
  expect((await record(till, invoice)).amountPaid).toBe(20);
});

test('a card is swiped or keyed for it; a decline says so and takes nothing; a card on file is offered', async ({
  signedIn: page,
  service,
}) => {
  const { invoices, till, invoice } = await opened(page, service);
  const key = async (number: string) => {
    await invoices.drawer.getByLabel('Card number').fill('');
    await invoices.drawer.getByLabel('Card number').pressSequentially(number);
    await expect(invoices.drawer.getByLabel('Expiry')).toBeFocused();
    await invoices.drawer.getByLabel('Expiry').fill('');
    await page.keyboard.type('1239');
    await expect(invoices.drawer.getByLabel(/^CVV/)).toBeFocused();
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
  };
  await page.keyboard.press('$');
  await expect(invoices.action('On file')).toHaveCount(0);
  await invoices.amount.fill('10');
  await swipe(page, GOOD_SWIPE);
  await expect(invoices.drawer.getByLabel('Card number')).toHaveValue('4111 1111 1111 1111');
  await expect(invoices.drawer.getByLabel(/^CVV/)).toBeFocused();
  await expect(invoices.amount).toHaveValue('10');
  await key(DECLINING);
  await expect(invoices.drawer.getByRole('alert').filter({ hasText: 'Declined.' })).toContainText('Nothing was charged');
  await expect(invoices.drawer.getByLabel(/^CVV/)).toHaveValue('');
  await key(VISA);
  await expect(invoices.said).toHaveText('Charged 10.00 USD. 20.00 USD is left.');
  await expect(invoices.payments.filter({ hasText: 'Visa 1111' })).toContainText('Paid');
  await expect(invoices.payments.filter({ hasText: 'Visa 0002' })).toContainText('Declined');
  const card = { number: VISA, expiryMonth: '12', expiryYear: '2039' };
  await till.post(`/customers/${invoice.customerId}/payment-methods`, { card });
  await page.keyboard.press('$');
  await invoices.action('On file').click();
  await expect(invoices.drawer.getByLabel('Card on file')).toContainText('Visa 1111, expires 12/39 (default)');
  await invoices.action('Charge 20.00 USD').click();
  await expect(invoices.drawer.locator('[data-state=paid]')).toBeVisible();
  const { payments } = await record(till, invoice);
  expect(payments.map(({ method, status }) => `${method} ${status}`).sort()).toEqual(['card failed', 'card succeeded', 'token succeeded']);
  await page.getByRole('link', { name: 'Transaction of 20.00 USD' }).click();
  await expect(page).toHaveURL(/#\/transactions\/txn_/);
});

test('a lost answer holds what it may have taken and bars another charge until its outcome is found', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/502/);
  const { invoices, till, invoice } = await opened(page, service);
  // However soon the outcome is found, the page sees the payment under way until the bar has been seen.
  let isSeen = false;
  await page.route(/\/api\/v1\/invoices\/inv_\w+$/, async (route) => {
    const response = await route.fetch();
    const { data, ...envelope } = (await response.json()) as { data: Recorded };
    const underWay = { ...data, status: 'sent', amountPaid: 0, amountPending: data.amount, amountDue: data.amount };
    const isFound = data.status === 'paid' && !isSeen;
    await route.fulfill({ response, json: { ...envelope, data: isFound ? underWay : data } });
  });
  await page.keyboard.press('$');
  await invoices.action('New card').click();
  await invoices.drawer.getByLabel('Card number').pressSequentially(LOST_ANSWER);
  await invoices.drawer.getByLabel('Expiry').fill('1239');
  await invoices.drawer.getByLabel(/^CVV/).fill('123');
  await page.keyboard.press('Enter');
  await expect(invoices.said).toHaveText('Checking with the processor, do not charge again.');
  await expect(invoices.drawer.getByRole('alert').first()).toContainText('do not charge again. 30.00 USD is under way');
  await page.keyboard.press('$');
  await expect(page.getByText('Record payment: A payment under way holds all that is due.')).toBeVisible();
  await expect(invoices.amount).toHaveCount(0);
  isSeen = true;
  await expect(invoices.drawer.locator('[data-state=paid]')).toBeVisible({ timeout: 30_000 });
  const { payments, amountPaid } = await record(till, invoice);
  expect([payments.length, amountPaid]).toEqual([1, 30]);
});

test('a cancelled invoice gives its reason, and what is barred stays in sight with its own', async ({ signedIn: page, service }) => {
  const { invoices } = await opened(page, service);
  await page.keyboard.press('x');
  await expect(invoices.drawer.getByLabel('Reason, optional')).toBeFocused();
  await page.keyboard.type('Ordered twice');
  await page.keyboard.press('Enter');
  await expect(invoices.drawer.getByRole('alert').first()).toContainText('Reason: Ordered twice. Nothing more is asked for.');
  await expect(invoices.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  for (const name of ['Send', 'Record payment', 'Copy link', 'QR code', 'Edit', 'Cancel']) {
    await expect(invoices.drawer.getByRole('button', { name, exact: true })).toHaveAttribute('aria-disabled', 'true');
  }
  await page.keyboard.press('s');
  await expect(page.getByText('Send: It is cancelled.')).toBeVisible();
});

test('it is sent again by e-mail and text at once, from within the message', async ({ signedIn: page, service }) => {
  const { invoices, invoice } = await opened(page, service);
  await page.keyboard.press('s');
  await expect(invoices.drawer.getByLabel('A sentence of your own, optional')).toBeFocused();
  await expect(invoices.drawer.getByLabel('E-mail').last()).toHaveValue(invoice.email);
  await invoices.drawer.getByRole('checkbox', { name: 'Text' }).check();
  await invoices.drawer.getByLabel('A sentence of your own, optional').fill('A friendly reminder.');
  await page.keyboard.press('Control+Enter');
  await expect(invoices.drawer.getByText('Enter where it goes.')).toBeVisible();
  await page.keyboard.type('+1 207 555 0142');
  await page.keyboard.press('Control+Enter');
  await expect(invoices.said).toHaveText(`Invoice ${invoice.number} goes to ${invoice.email} and +1 207 555 0142.`);
  await expect(invoices.drawer.getByRole('link', { name: 'Invoice to +12075550142' })).toBeVisible();
});

test('a payment link is made by keys; its QR code, its copy and its text are at hand, and it opens only here', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const till = await Till.open(service);
  const invoices = new InvoicesPage(page);
  await invoices.open('?tab=links');
  strokes.reset();
  await page.keyboard.press('l');
  await expect(page.getByLabel('Amount, USD')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter the amount.')).toBeVisible();
  await page.keyboard.type('45');
  await expect(page.getByRole('button', { name: 'Make a link for 45.00 USD' })).toBeVisible();
  await page.keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'The link is made' });
  await expect(made.getByRole('button', { name: 'Copy link', exact: true })).toBeFocused();
  await expect(made.getByRole('img', { name: /^QR code of http/ })).toBeVisible();
  await expect(made.getByRole('alert')).toContainText('This link opens only on this computer.');
  await expect(made.getByRole('link', { name: 'Set the address that payers reach' })).toHaveAttribute('href', /#\/settings\/payers$/);
  await page.keyboard.press('c');
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(strokes.clicks()).toBe(0);
  const shortUrl = await clipboardOf(page);
  expect(shortUrl).toContain('/s/');
  await made.getByLabel('Text it to').fill('+12075550143');
  await page.keyboard.press('Enter');
  await expect(made.getByText('It goes to +12075550143.')).toBeVisible();
  await made.getByRole('button', { name: 'Open it' }).click();
  await expect(invoices.drawer).toContainText('Open: whoever has the link can pay 45.00 USD.');
  await page.keyboard.press('q');
  const code = page.getByRole('dialog', { name: /^Pay Payment link INV-/ });
  await expect.poll(() => code.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  const saved = page.waitForEvent('download');
  await code.getByRole('button', { name: 'Save PNG' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^INV-\d+-qr\.png$/);
  await page.keyboard.press('Escape');
  await expect(code).toHaveCount(0);
  const { data } = await till.read<Recorded[]>('/invoices?kind=link');
  expect(data.find((link) => link.shortUrl === shortUrl)?.status).toBe('sent');
});

test('its PDF comes at a key, and is named after it where no tab can show it', async ({ signedIn: page, service }) => {
  const { invoice } = await opened(page, service);
  for (const [key, words] of [
    ['d', `${invoice.number}.pdf saved`],
    ['Control+p', `${invoice.number}.pdf saved; print it from there`],
  ] as const) {
    const [answer, file] = await Promise.all([
      page.waitForResponse(/\/invoices\/inv_\w+\/pdf$/),
      page.waitForEvent('download'),
      page.keyboard.press(key),
    ]);
    expect(answer.headers()['content-type']).toContain('application/pdf');
    expect(file.suggestedFilename()).toBe(`${invoice.number}.pdf`);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
});

test('the list keeps its filter in the address, finds by number, and tells nothing yet from no match', async ({
  signedIn: page,
  service,
}) => {
  const till = await Till.open(service);
  const invoice = await newInvoice(till);
  const invoices = new InvoicesPage(page);
  await invoices.open();
  await page.keyboard.press('/');
  await page.keyboard.type(invoice.number);
  await expect(page).toHaveURL(new RegExp(`q=${invoice.number}`));
  await expect(invoices.rows).toHaveCount(1);
  await expect(invoices.rows.first()).toContainText('Sent');
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Paid', exact: true }).click();
  await expect(page).toHaveURL(/status=paid/);
  await expect(page.getByText('No match')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(page.locator(`[data-id="${invoice.invoiceId}"]`)).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(invoice.invoiceId);
  await page.keyboard.press('Enter');
  await expect(invoices.drawer).toContainText(`Invoice ${invoice.number}`);
  await invoices.drawer.getByRole('link', { name: invoice.name }).click();
  await expect(page.getByRole('dialog', { name: 'Customer' }).getByRole('link', { name: invoice.number })).toBeVisible();
});

test('what customers wrote is text and nothing else', async ({ signedIn: page, service }) => {
  const trap = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const items = [{ description: trap, quantity: 1, unitPrice: '10.00' }];
  const { invoices, invoice } = await opened(page, service, { items, note: trap }, false);
  await expect(invoices.drawer.getByText(trap)).toHaveCount(2);
  await page.goto(`/#/invoices/${invoice.invoiceId}/edit`);
  await expect(invoices.preview.getByText(trap)).toHaveCount(2);
  await expect(page).toHaveTitle(/Paydesk/);
});

test('invoices and links have no accessibility fault in either scheme and fit a small screen', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  const invoice = await newInvoice(till, { note: 'Thank you.' });
  await till.post(`/invoices/${invoice.invoiceId}/payment`, { paymentMethod: 'cash', amount: '10.00' });
  const invoices = new InvoicesPage(page);
  await invoices.open('?tab=all');
  await expect(page.locator(`[data-id="${invoice.invoiceId}"]`)).toBeVisible();
  await expectAccessible(page, 'list');
  await invoices.openOne(invoice.invoiceId);
  await expectAccessible(page, 'invoice');
  await page.keyboard.press('$');
  await invoices.action('New card').click();
  await expectAccessible(page, 'record payment');
  for (const size of [SCREEN, SMALL_SCREEN]) {
    await page.setViewportSize(size);
    await invoices.action('Charge 20.00 USD').scrollIntoViewIfNeeded();
    await expect.poll(() => invoices.drawer.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
  }
  await page.setViewportSize(SCREEN);
  await invoices.action('Cancel').last().click();
  await page.keyboard.press('s');
  await expectAccessible(page, 'send');
});

test('an invoice and a link are made without an accessibility fault in either scheme, on a small screen too', async ({
  signedIn: page,
  service,
}) => {
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  const { customerId } = await newCustomer(await Till.open(service));
  const invoices = new InvoicesPage(page);
  await page.goto(`/#/invoices/new?customerId=${customerId}`);
  await invoices.cell(1, 'description').fill('Breakfast');
  await invoices.cell(1, 'price').fill('12');
  await expectAccessible(page, 'editor');
  for (const size of [SCREEN, SMALL_SCREEN]) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Save and send' }).scrollIntoViewIfNeeded();
    await expect(page.getByRole('button', { name: 'Save and send' })).toBeInViewport({ ratio: 1 });
    await expect.poll(() => page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth)).toBe(true);
    expect(await fits()).toBe(true);
  }
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(invoices.heading).toBeVisible();
  await page.keyboard.press('l');
  await expect(page.getByLabel('Amount, USD')).toBeFocused();
  await page.keyboard.type('45');
  await expect(page.getByRole('button', { name: 'Make a link for 45.00 USD' })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, 'new link');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy link', exact: true })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, 'link made');
  expect(await fits()).toBe(true);
});
