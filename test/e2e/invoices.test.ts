import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { GOOD_SWIPE, swipe } from './pages/card-reader.ts';
import { InvoicesPage, newCustomer, newInvoice, type Recorded, record } from './pages/invoices-page.ts';
import { openMerchantApi } from './pages/merchant-api.ts';
import { expectRefused } from './record-actions.ts';

const SCREEN = { width: 1280, height: 720 };
const SMALL_SCREEN = { width: 640, height: 400 };
const VISA = '4111111111111111';
const COVERED = 'A pending payment covers the full amount due. Wait for its outcome.';
const DECLINING = '4000000000000002';
const LOST_ANSWER = '4000000000006975';
const THREE_LINES = [
  { description: 'Catering for twelve', quantity: '12', price: '24.50' },
  { description: 'Linen, by the metre', quantity: '2.5', price: '8' },
  { description: 'Delivery', quantity: '1', price: '18.75' },
];

async function opened(page: Page, service: Service, more: object = {}, isSent = true) {
  const api = await ApiSession.open(service);
  const invoice = await newInvoice(api, more, isSent);
  const invoices = new InvoicesPage(page);
  await invoices.openOne(invoice.invoiceId);
  return { till: api, invoice, invoices };
}

const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('creates an invoice of three items, sends it, records a partial cash payment and copies its link, by keyboard only', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const api = await ApiSession.open(service);
  const { name, email } = await newCustomer(api);
  const invoices = new InvoicesPage(page);
  await invoices.open();
  await strokes.reset();
  await page.keyboard.press('n');
  await invoices.chooseCustomer(name);
  await invoices.writeLines(THREE_LINES);
  await expect(invoices.total).toContainText('332.75');
  await expect(invoices.preview).toContainText(name);
  await expect(invoices.preview).toContainText('332.75 USD');
  await page.keyboard.press('Control+Enter');
  await expect(invoices.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(invoices.announcement).toHaveText(new RegExp(`^Invoice INV-\\d+ for ${email} waits in the outbox: email isn’t set up\\.$`));
  await expect(invoices.drawer.locator('[data-state=waiting_for_email]').first()).toHaveText('Waiting for email');
  await expect(invoices.drawer.getByRole('row', { name: 'Linen, by the metre 2.5 8.00 20.00' })).toBeVisible();
  await expect(invoices.drawer.getByRole('link', { name: `Invoice to ${email}` })).toBeVisible();
  await page.keyboard.press('$');
  await expect(invoices.amount).toBeFocused();
  await expect(invoices.amount).toHaveValue('332.75');
  await page.keyboard.type('100');
  await page.keyboard.press('Enter');
  await expect(invoices.announcement).toHaveText('Recorded 100.00 USD. 232.75 USD remaining.');
  await expect(invoices.drawer.locator('[data-state=partially_paid]')).toHaveText('Partially paid');
  await expect(invoices.payments).toContainText(['PaidCash']);
  await page.keyboard.press('c');
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(strokes.clicks()).toBe(0);
  const invoice = await record(api, { invoiceId: page.url().split('/').at(-1) ?? '' });
  expect(await clipboardOf(page)).toBe(invoice.shortUrl);
  expect([invoice.status, invoice.amount, invoice.amountPaid, invoice.amountDue]).toEqual(['partially_paid', 332.75, 100, 232.75]);
  await page.keyboard.press('Escape');
  await expect(page.locator(`[data-id="${invoice.invoiceId}"]`)).toContainText('232.75');
});

test('Backspace removes an empty item, Enter in one moves to the note, and missing values are reported at their cells @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { customerId } = await newCustomer(api);
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
  await expect(page.getByLabel('Note to the customer (optional)')).toBeFocused();
  await expect(invoices.cell(2, 'description')).toHaveCount(0);
  await page.keyboard.type('Thank you.');
  await expect(invoices.preview).toContainText('Thank you.');
  await invoices.cell(1, 'price').fill('12.345');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Enter the price like 45 or 45.50.')).toBeVisible();
  await expect(invoices.cell(1, 'price')).toBeFocused();
  await invoices.cell(1, 'price').fill('12.34');
  await page.getByRole('button', { name: '7 days', exact: true }).click();
  await page.keyboard.press('Control+s');
  await expect(invoices.drawer).toContainText('Not sent yet.');
  await expect(invoices.announcement).toHaveText(/^Invoice INV-\d+ is saved as a draft\.$/);
});

test('E edits a draft, the customer field adds a customer meanwhile, and leaving without saving asks first @full', async ({
  signedIn: page,
  service,
}) => {
  const { invoices, till: api, invoice } = await opened(page, service, { note: 'As agreed' }, false);
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { name: `Edit ${invoice.number}`, level: 1 })).toBeFocused();
  await expect(invoices.cell(1, 'price')).toHaveValue('15.00');
  await invoices.customer.fill('Olga');
  await invoices.customer.press('Enter');
  await expect(page.getByLabel('First name')).toBeFocused();
  const email = `olga${process.pid}@customer.example`;
  await page.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  await expect(invoices.customer).toHaveValue('Olga');
  await invoices.cell(1, 'quantity').fill('3');
  await expect(invoices.total).toContainText('45.00');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(invoices.cell(1, 'quantity')).toHaveValue('3');
  await invoices.cell(1, 'quantity').press('Control+Enter');
  await expect(invoices.announcement).toContainText(`Invoice ${invoice.number} for ${email} waits in the outbox`);
  const after = await record(api, invoice);
  expect([after.status, after.amount, after.customer?.email]).toEqual(['sent', 45, email]);
  await expect(invoices.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('e');
  await expect(page.getByText('Edit: Only a draft can be changed. This invoice was sent or paid.')).toBeVisible();
});

test('refuses more than the amount due and offers that amount; stores the number of a check @full', async ({ signedIn: page, service }) => {
  const { invoices, till: api, invoice } = await opened(page, service);
  await page.keyboard.press('$');
  await expect(invoices.amount).toBeFocused();
  await page.keyboard.type('30.01');
  await page.keyboard.press('Enter');
  await expect(invoices.drawer.getByText('Only 30.00 USD is due.')).toBeVisible();
  expect((await record(api, invoice)).payments).toEqual([]);
  await invoices.action('Use 30.00').click();
  await expect(invoices.amount).toHaveValue('30.00');
  await invoices.action('Check').click();
  await invoices.action('Record 30.00 USD').click();
  await expect(invoices.drawer.getByText('Enter the check number.')).toBeVisible();
  await invoices.drawer.getByLabel('Check number').fill('1042');
  await page.keyboard.press('Enter');
  await expect(invoices.drawer.locator('[data-state=paid]')).toBeVisible();
  await expect(invoices.payments).toContainText(['Check 1042']);
  await page.keyboard.press('$');
  await expect(page.getByText('Record payment: This invoice is paid.')).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByText('Cancel invoice: This invoice is paid. Refund the payment instead.')).toBeVisible();
});

test('records cash and prints its receipt in one step @full', async ({ signedIn: page, service }) => {
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
  await invoices.drawer.getByLabel('Print after recording').press('Enter');
  await page.getByRole('option', { name: 'Receipt' }).press('Enter');
  await invoices.action('Record 20.00 USD and print').press('Enter');
  await expect.poll(() => printed).toHaveLength(1);
  for (const words of ['SANDBOX', invoice.number, invoice.name, 'Cash', 'Paid20.00 USD', 'Amount due10.00 USD']) {
    expect(printed[0]).toContain(words);
  }
});

test('shows the refusal of the service if another workstation recorded a payment in the meantime @full', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/422/);
  const { invoices, till: api, invoice } = await opened(page, service);
  await page.keyboard.press('$');
  await expect(invoices.amount).toBeFocused();
  // The service's refusal arrives before the change notification.
  await page.route(/\/api\/v1\/invoices\/inv_\w+$/, (route) => route.abort());
  faults.expect(/ERR_FAILED/);
  await api.post(`/invoices/${invoice.invoiceId}/payment`, { paymentMethod: 'cash', amount: '20.00' });
  await page.keyboard.press('Enter');
  await expect(invoices.drawer.getByText(/more than is due|Only 10\.00 USD is due/)).toBeVisible();
  await page.unroute(/\/api\/v1\/invoices\/inv_\w+$/);
  expect((await record(api, invoice)).amountPaid).toBe(20);
});

test('charges a swiped or typed card for an invoice, reports a decline without charging, and offers cards on file @full', async ({
  signedIn: page,
  service,
}) => {
  const { invoices, till: api, invoice } = await opened(page, service);
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
  await expect(invoices.action('Card on file')).toHaveCount(0);
  await invoices.amount.fill('10');
  await swipe(page, GOOD_SWIPE);
  await expect(invoices.drawer.getByLabel('Card number')).toHaveValue('4111 1111 1111 1111');
  await expect(invoices.drawer.getByLabel(/^CVV/)).toBeFocused();
  await expect(invoices.amount).toHaveValue('10');
  await key(DECLINING);
  await expect(invoices.drawer.getByRole('alert').filter({ hasText: 'Declined.' })).toContainText('Nothing was charged');
  await expect(invoices.drawer.getByLabel(/^CVV/)).toHaveValue('');
  await key(VISA);
  await expect(invoices.announcement).toHaveText('Charged 10.00 USD. 20.00 USD remaining.');
  await expect(invoices.payments.filter({ hasText: 'Visa ••1111' })).toContainText('Paid');
  await expect(invoices.payments.filter({ hasText: 'Visa ••0002' })).toContainText('Declined');
  const card = { number: VISA, expiryMonth: '12', expiryYear: '2039' };
  await api.post(`/customers/${invoice.customerId}/payment-methods`, { card });
  await page.keyboard.press('$');
  await invoices.action('Card on file').click();
  await expect(invoices.drawer.getByLabel('Card on file')).toContainText('Visa ••1111, expires 12/39 (default)');
  await invoices.action('Charge 20.00 USD').click();
  await expect(invoices.drawer.locator('[data-state=paid]')).toBeVisible();
  const { payments } = await record(api, invoice);
  expect(payments.map(({ method, status }) => `${method} ${status}`).sort()).toEqual(['card failed', 'card succeeded', 'token succeeded']);
  await page.getByRole('link', { name: 'Transaction of 20.00 USD' }).click();
  await expect(page).toHaveURL(/#\/transactions\/txn_/);
});

test('reserves the amount of an unconfirmed payment and prevents another charge until its outcome is known @full', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/502/);
  const { invoices, till: api, invoice } = await opened(page, service);
  // However soon the outcome is known, the page shows the payment in progress until the test has seen the unavailable button.
  let isSeen = false;
  await page.route(/\/api\/v1\/invoices\/inv_\w+$/, async (route) => {
    const response = await route.fetch();
    const { data, ...envelope } = (await response.json()) as { data: Recorded & { actions: object } };
    const actions = { ...data.actions, pay: { allowed: false, code: 'PAYMENT_EXCEEDS_DUE', message: COVERED } };
    const underWay = { ...data, status: 'sent', amountPaid: 0, amountPending: data.amount, amountDue: data.amount, actions };
    await route.fulfill({ response, json: { ...envelope, data: data.status === 'paid' && !isSeen ? underWay : data } });
  });
  await page.keyboard.press('$');
  await invoices.action('New card').click();
  await invoices.drawer.getByLabel('Card number').pressSequentially(LOST_ANSWER);
  await invoices.drawer.getByLabel('Expiry').fill('1239');
  await invoices.drawer.getByLabel(/^CVV/).fill('123');
  await page.keyboard.press('Enter');
  await expect(invoices.announcement).toHaveText('Checking with the processor, do not charge again.');
  await expect(invoices.drawer.getByRole('alert').first()).toContainText('do not charge again. 30.00 USD is pending');
  await page.keyboard.press('$');
  await expect(page.getByText(`Record payment: ${COVERED}`)).toBeVisible();
  await expect(invoices.amount).toHaveCount(0);
  isSeen = true;
  await expect(invoices.drawer.locator('[data-state=paid]')).toBeVisible({ timeout: 60_000 });
  const { payments, amountPaid } = await record(api, invoice);
  expect([payments.length, amountPaid]).toEqual([1, 30]);
});

test('charges a card for an invoice with the surcharge of the rule, which is shown first @full', async ({ signedIn: page, service }) => {
  const merchantApi = await openMerchantApi(service);
  await merchantApi.change('amount-settings', { surchargePercent: 3 });
  await merchantApi.profile({ state: 'NH' });
  await page.reload();
  const { invoices, till: api, invoice } = await opened(page, service);
  await page.keyboard.press('$');
  await invoices.action('New card').click();
  await invoices.drawer.getByLabel('Card number').pressSequentially('4000056655665556');
  await expect(invoices.drawer.getByText('No surcharge: A surcharge is not allowed on debit cards.')).toBeVisible();
  await invoices.drawer.getByLabel('Card number').fill('4111111111111111');
  await expect(invoices.drawer.getByText('A surcharge of 0.87 USD is charged in addition.')).toBeVisible();
  await invoices.drawer.getByLabel('Expiry').fill('1239');
  await invoices.drawer.getByLabel(/^CVV/).fill('123');
  await expect(invoices.action('Charge 30.87 USD')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(invoices.drawer.locator('[data-state=paid]')).toBeVisible();
  await expect(invoices.payments).toContainText(['plus 0.87 USD surcharge']);
  expect((await record(api, invoice)).amountPaid).toBe(30);
  await merchantApi.change('amount-settings', { surchargePercent: 0 });
});

test('shows the reason of a canceled invoice, and unavailable actions with the reason @full', async ({ signedIn: page, service }) => {
  const { invoices } = await opened(page, service);
  await page.keyboard.press('x');
  await expect(invoices.drawer.getByLabel('Reason (optional)')).toBeFocused();
  await page.keyboard.type('Ordered twice');
  await page.keyboard.press('Enter');
  await expect(invoices.drawer).toContainText('Reason: Ordered twice. No payment is due.');
  await expect(invoices.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  for (const name of ['Send', 'Record payment', 'Copy link', 'QR code', 'Edit', 'Cancel invoice'])
    await expectRefused(invoices.drawer, name, '');
  await page.keyboard.press('s');
  await expect(page.getByText('Send: This invoice was canceled.')).toBeVisible();
});

test('resends an invoice by email and text message from the message @full', async ({ signedIn: page, service }) => {
  const { invoices, invoice } = await opened(page, service);
  await page.keyboard.press('s');
  await expect(invoices.drawer.getByLabel('Personal message (optional)')).toBeFocused();
  const email = invoices.drawer.getByLabel('Email').last();
  await expect(email).toHaveValue(invoice.email);
  // The invoice was sent to this address before, and an address gets one message in 30 seconds.
  const other = `accounts.${invoice.email}`;
  await email.fill(other);
  await invoices.drawer.getByRole('checkbox', { name: 'Text' }).check();
  await invoices.drawer.getByLabel('Personal message (optional)').fill('A friendly reminder.');
  await page.keyboard.press('Control+Enter');
  await expect(invoices.drawer.getByText('Enter a phone number.')).toBeVisible();
  await expect(invoices.drawer.locator('input:focus')).toBeVisible();
  await page.keyboard.type('+1 207 555 0142');
  await page.keyboard.press('Control+Enter');
  await expect(invoices.announcement).toContainText(`Invoice ${invoice.number} for ${other} and +1 207 555 0142 waits in the outbox`);
  await expect(invoices.drawer.getByRole('link', { name: 'Invoice to +12075550142' })).toBeVisible();
});

test('creates a payment link by keyboard with QR code, copy and text message, and explains that it opens on this computer only', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const api = await ApiSession.open(service);
  const invoices = new InvoicesPage(page);
  await invoices.open('?tab=links');
  await strokes.reset();
  await page.keyboard.press('l');
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter the amount.')).toBeVisible();
  await page.keyboard.type('45');
  await expect(page.getByRole('button', { name: 'Create link for 45.00 USD' })).toBeVisible();
  await page.keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'Payment link created' });
  await expect(made.getByRole('button', { name: 'Copy link', exact: true })).toBeFocused();
  await expect(made.getByRole('img', { name: /^QR code for http/ })).toBeVisible();
  await expect(made.getByRole('alert')).toContainText('This link opens only on this computer.');
  await expect(made.getByRole('link', { name: 'Set the public address' })).toHaveAttribute('href', /#\/settings\/payers$/);
  await page.keyboard.press('c');
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(strokes.clicks()).toBe(0);
  const shortUrl = await clipboardOf(page);
  expect(shortUrl).toContain('/s/');
  await made.getByLabel('Phone').fill('+12075550143');
  await page.keyboard.press('Enter');
  await expect(made.getByText(/for \+12075550143 waits in the outbox/)).toBeVisible();
  await made.getByRole('button', { name: 'View link' }).click();
  await expect(invoices.drawer).toContainText('Anyone with the link can pay 45.00 USD.');
  await page.keyboard.press('q');
  const code = page.getByRole('dialog', { name: /^Pay Payment link INV-/ });
  await expect.poll(() => code.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  const saved = page.waitForEvent('download');
  await code.getByRole('button', { name: 'Save PNG' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^INV-\d+-qr\.png$/);
  await page.keyboard.press('Escape');
  await expect(code).toHaveCount(0);
  const { data } = await api.read<Recorded[]>('/invoices?kind=link');
  expect(data.find((link) => link.shortUrl === shortUrl)?.status).toBe('sent');
});

test('opens the PDF of an invoice with a key, and saves it under the invoice number where no tab can show it @full', async ({
  signedIn: page,
  service,
}) => {
  const { invoice } = await opened(page, service);
  // The packaged browser shows no PDF files; an installed one may.
  if (await page.evaluate(() => navigator.pdfViewerEnabled)) {
    const [tab] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('d')]);
    expect(tab.url()).toMatch(/^blob:/);
    await tab.close();
    return;
  }
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

test('the invoice list keeps its filter in the URL, finds by number, and distinguishes an empty list from no match @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const invoice = await newInvoice(api);
  const invoices = new InvoicesPage(page);
  await invoices.open();
  await page.keyboard.press('/');
  await expect(page.locator('input:focus')).toBeVisible();
  await page.keyboard.type(invoice.number);
  await expect(page).toHaveURL(new RegExp(`q=${invoice.number}`));
  await expect(invoices.rows).toHaveCount(1);
  await expect(invoices.rows.first()).toContainText('Waiting for email');
  await expect(invoices.rows.first().locator('[data-field=sentAt]')).toHaveText('');
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Paid', exact: true }).click();
  await expect(page).toHaveURL(/status=paid/);
  await expect(page.getByText('No match')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(page.locator(`[data-id="${invoice.invoiceId}"]`)).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Go to anything' })).toBeFocused();
  await page.keyboard.type(invoice.invoiceId);
  await page.keyboard.press('Enter');
  await expect(invoices.drawer).toContainText(`Invoice ${invoice.number}`);
  await invoices.drawer.getByRole('link', { name: invoice.name }).click();
  await expect(page.getByRole('dialog', { name: 'Customer' }).getByRole('link', { name: invoice.number })).toBeVisible();
});

test('shows text entered by customers as text only @full', async ({ signedIn: page, service }) => {
  const trap = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const items = [{ description: trap, quantity: 1, unitPrice: '10.00' }];
  const { invoices, invoice } = await opened(page, service, { items, note: trap }, false);
  await expect(invoices.drawer.getByText(trap)).toHaveCount(2);
  await page.goto(`/#/invoices/${invoice.invoiceId}/edit`);
  await expect(invoices.preview.getByText(trap)).toHaveCount(2);
  await expect(page).toHaveTitle(/Paydesk/);
});

test('invoices and payment links have no accessibility fault in either color scheme and fit a small screen @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const invoice = await newInvoice(api, { note: 'Thank you.' });
  await api.post(`/invoices/${invoice.invoiceId}/payment`, { paymentMethod: 'cash', amount: '10.00' });
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

test('the forms for invoices and payment links have no accessibility fault in either color scheme, also on a small screen @full', async ({
  signedIn: page,
  service,
}) => {
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  const { customerId } = await newCustomer(await ApiSession.open(service));
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
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.type('45');
  await expect(page.getByRole('button', { name: 'Create link for 45.00 USD' })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, 'new link');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy link', exact: true })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, 'link made');
  expect(await fits()).toBe(true);
});
