import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';

interface Customer {
  readonly customerId: string;
}

const FIRST = '4111111111111111';

/** Creates a customer with a unique beginning of the name, and a card on file. */
async function onFile(api: ApiSession, lastName: string, ...cards: string[]): Promise<Customer> {
  const customer = await api.post<Customer>('/customers', {
    firstName: 'Mia',
    lastName,
    email: `${lastName.toLowerCase()}@customer.example`,
  });
  for (const number of cards)
    await api.post(`/customers/${customer.customerId}/payment-methods`, { card: { number, expiryMonth: '11', expiryYear: '2039' } });
  return customer;
}

test('charges a saved card with nine keystrokes: F4, four letters, Enter, the amount, Enter', async ({ signedIn, service, strokes }) => {
  await onFile(await ApiSession.open(service), 'Quorndon', FIRST);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await strokes.reset();
  await signedIn.keyboard.press('F4');
  await expect(sell.customer).toBeFocused();
  await signedIn.keyboard.type('quor');
  await signedIn.keyboard.press('Enter');
  await expect(sell.amount).toBeFocused();
  await signedIn.keyboard.type('45');
  await signedIn.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  expect(strokes.keys()).toBeLessThanOrEqual(9);
  expect(strokes.clicks()).toBe(0);
  const [made, ...more] = await sell.recorded('45');
  expect(more).toEqual([]);
  expect(made).toMatchObject({ status: 'approved', customer: { name: 'Mia Quorndon' }, card: { last4: '1111' } });
});

test('switches to another card of the customer with one key, and starts a new sale without a customer @full', async ({
  signedIn,
  service,
}) => {
  await onFile(await ApiSession.open(service), 'Vexley', FIRST, '378282246310005');
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await signedIn.keyboard.press('F4');
  await expect(sell.customer).toBeFocused();
  await signedIn.keyboard.type('mia vexl');
  await signedIn.keyboard.press('Enter');
  await expect(sell.amount).toBeFocused();
  await signedIn.getByRole('button', { name: /^Amex ••/ }).press('Space');
  await sell.amount.fill('46.20');
  await sell.charge.press('Enter');
  await expect(sell.approved).toBeVisible();
  expect(await sell.recorded('46.2')).toMatchObject([{ card: { last4: '0005' } }]);
  await sell.newSale();
  await expect(sell.customer).toHaveValue('');
});

test('saves a typed card with the consent for a new customer, but not a declined card @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.key({ amount: '47.30' });
  await sell.more.click();
  const save = signedIn.getByRole('checkbox', { name: /^Save this card/ });
  await save.check();
  await expect(signedIn.getByLabel('Customer’s consent')).toHaveValue(/^I authorize Harbor Street Coffee to store this card/);
  await sell.charge.click();
  await expect(sell.name).toBeFocused();
  await expect(signedIn.getByText('Enter the name of the customer whose card is saved')).toBeVisible();
  expect(await sell.recorded('47.3')).toHaveLength(0);
  await sell.name.fill('Nora Plimsoll');
  await sell.charge.click();
  await expect(sell.approved).toBeVisible();
  await expect(signedIn.getByText('Nora Plimsoll; card saved')).toBeVisible();
  const { data } = await api.read<Customer[]>('/customers?q=plimsoll');
  const filed = `/customers/${data[0]?.customerId}/payment-methods`;
  const methods = (await api.read<{ last4: string; consentText: string }[]>(filed)).data;
  expect(methods).toMatchObject([{ last4: '1111', consentText: expect.stringContaining('I authorize') }]);

  await sell.newSale();
  await sell.more.click();
  await expect(save).not.toBeChecked();
  await sell.amount.focus();
  await sell.key({ amount: '47.40', card: '4000000000000002' });
  await signedIn.keyboard.press('F4');
  await expect(sell.customer).toBeFocused();
  await signedIn.keyboard.type('plimsoll');
  await signedIn.keyboard.press('Enter');
  await expect(sell.name).toHaveValue('Nora Plimsoll');
  await save.check();
  await sell.charge.click();
  await expect(sell.declined).toBeVisible();
  expect((await api.read<unknown[]>(filed)).data).toHaveLength(1);
});

test('opens the sale with the default card from a link to a customer @full', async ({ signedIn, service }) => {
  const { customerId } = await onFile(await ApiSession.open(service), 'Linkwood', FIRST);
  const sell = new SellPage(signedIn);
  await sell.open(`?customerId=${customerId}`);
  await expect(signedIn.getByRole('button', { name: /^Visa ••1111/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(sell.amount).toBeFocused();
  await signedIn.keyboard.type('48.10');
  await signedIn.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
});

test('ships a sale: the address is entered by keyboard, completed when it is not, and shown with the payment @full', async ({
  signedIn,
  service,
}) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.key({ amount: '48.35' });
  await expect(sell.more).toHaveAttribute('aria-expanded', 'false');
  await sell.more.press('Enter');
  await signedIn.getByLabel('Shipping street').focus();
  await signedIn.keyboard.type('12 Pier Road');
  await signedIn.keyboard.press('Escape');
  await expect(sell.more).toHaveAttribute('aria-expanded', 'false');
  await sell.charge.press('Enter');
  await expect(signedIn.getByLabel('Shipping city')).toBeFocused();
  await expect(signedIn.getByText('Enter the city.')).toBeVisible();
  for (const text of ['Portland', 'ME', '04101']) {
    await signedIn.keyboard.type(text);
    await signedIn.keyboard.press('Tab');
  }
  await sell.charge.press('Enter');
  await expect(sell.approved).toBeVisible();
  const [made] = (await sell.recorded('48.35')) as { transactionId: string }[];
  await signedIn.goto(`/#/transactions/${made?.transactionId}`);
  await expect(signedIn.getByRole('dialog', { name: 'Transaction' })).toContainText('12 Pier Road, Portland, ME 04101');
});

/** Forms in which a customer is chosen, each with the key that opens the field. */
const FORMS = [
  { name: 'a sale', path: 'sell', key: 'F4', field: 'Customer on file', tag: '' },
  { name: 'an invoice', path: 'invoices/new', key: undefined, field: 'Customer', tag: ' @full' },
  { name: 'a subscription', path: 'recurring?new=1', key: undefined, field: 'Customer', tag: ' @full' },
] as const;

for (const { name, path, key, field: label, tag } of FORMS)
  test(`adds the customer of ${name} where the customer is chosen, by keyboard${tag}`, async ({ signedIn: page, strokes }) => {
    await page.goto(`/#/${path}`);
    const field = page.getByRole('combobox', { name: label });
    await expect(field).toBeVisible();
    if (key) await page.keyboard.press(key);
    await expect(field).toBeFocused();
    await strokes.reset();
    const lastName = `Quill${path.slice(0, 3)}`;
    await page.keyboard.type(`Zora ${lastName}`);
    await expect(page.getByRole('option', { name: `New customer “Zora ${lastName}”` })).toBeVisible();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New customer' });
    await expect(dialog.getByLabel('First name')).toBeFocused();
    await expect(dialog.getByLabel('Last name')).toHaveValue(lastName);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(field).toHaveValue(`Zora ${lastName}`);
    expect(strokes.clicks()).toBe(0);
  });
