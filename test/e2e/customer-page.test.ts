import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { PayPage } from './pages/pay-page.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

interface Message {
  readonly to: string;
  readonly body: string;
}

/** Creates a customer with two sent invoices, a card and a subscription. */
async function openAccount(api: ApiSession, name: string) {
  const email = `${name.toLowerCase()}-${process.pid}@customer.example`;
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: name, lastName: 'Page', email });
  await api.post(`/customers/${customerId}/payment-methods`, {
    card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2039' },
  });
  for (const [amount, description] of [
    ['80.00', 'Repair of the boat'],
    ['45.50', 'Winter storage'],
  ]) {
    const { invoiceId } = await api.post<{ invoiceId: string }>('/invoices', { customerId, amount, description });
    await api.post(`/invoices/${invoiceId}/send`, { email: `${invoiceId}@billing.example` });
  }
  await api.post('/recurring', { customerId, amount: '25.00', frequency: 'monthly' });
  return { customerId, email };
}

test('creates a link to the page of a customer by keyboard, who pays all invoices on a phone by keyboard', async ({
  signedIn: page,
  service,
  context,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const { customerId } = await openAccount(api, 'Mara');
  await page.goto(`/#/customers/${customerId}`);
  const drawer = page.getByRole('dialog', { name: 'Customer' });
  await expect(drawer.getByRole('heading', { level: 2 })).toBeFocused();
  strokes.reset();
  await page.keyboard.press('l');
  await expect(drawer.getByRole('button', { name: 'Create link' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('Copy link')).toBeFocused();
  await expect(drawer.getByText('This link opens only on this computer.')).toBeVisible();
  await expectAccessible(page, 'a created link to the page of a customer');
  const url =
    (await drawer
      .getByText(/\/account\//)
      .first()
      .textContent()) ?? '';
  const customer = await context.newPage();
  await customer.setViewportSize(PHONE);
  await customer.goto(new URL(url).pathname);
  await expect(customer.getByText('125.50 USD')).toBeVisible();
  await expectAccessible(customer, 'the page of a customer on a phone');
  await customer.getByRole('checkbox').first().focus();
  await customer.keyboard.press('Enter');
  await expect(customer.getByRole('heading', { name: 'Pay invoices' })).toBeVisible();
  await expectAccessible(customer, 'the payment of several invoices');
  const form = new PayPage(customer);
  await form.typeInto({ number: '4242424242424242', expiry: '1239', cvv: '123', zip: '04101', name: 'Mara Page' });
  await customer.keyboard.press('Enter');
  await expect(customer.getByRole('heading', { name: 'Paid. Thank you.' })).toBeVisible();
  await expectAccessible(customer, 'the result of a payment of several invoices');
  expect(strokes.clicks()).toBe(0);
});

test('works without scripts, and lets a customer remove a card after a code @full', async ({ service, browser }) => {
  const api = await ApiSession.open(service);
  const { customerId, email } = await openAccount(api, 'Noor');
  const second = { card: { number: '5555555555554444', expiryMonth: '11', expiryYear: '2038' } };
  await api.post(`/customers/${customerId}/payment-methods`, second);
  const { url } = await api.post<{ url: string }>(`/customers/${customerId}/page-links`, {});
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: DESKTOP });
  const page = await context.newPage();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 2, name: 'Open invoices' })).toBeVisible();
  await page.getByRole('link', { name: 'Remove: Mastercard ending 4444' }).click();
  await page.getByRole('button', { name: 'Send a code' }).click();
  const { data: messages } = await api.read<Message[]>('/sandbox/messages?limit=50');
  const code = /\d{6}/.exec(messages.find(({ to, body }) => to === email && body.includes('code for'))?.body ?? '')?.[0] ?? '';
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await expect(page.getByText('The card is removed.')).toBeVisible();
  await expect(page.getByText('Mastercard ending 4444')).toHaveCount(0);
  await context.close();
});

test('is accessible at every step in both color schemes @full', async ({ service, browser }) => {
  const api = await ApiSession.open(service);
  const { customerId } = await openAccount(api, 'Otto');
  const { url } = await api.post<{ url: string }>(`/customers/${customerId}/page-links`, {});
  for (const colorScheme of ['light', 'dark'] as const)
    for (const viewport of [PHONE, DESKTOP]) {
      const context = await browser.newContext({ colorScheme, viewport });
      const page = await context.newPage();
      await page.goto(url);
      await expectAccessible(page, `the page of a customer, ${colorScheme}, ${viewport.width}`);
      await page.getByRole('button', { name: 'Pay the chosen invoices' }).click();
      await expectAccessible(page, `the payment, ${colorScheme}, ${viewport.width}`);
      await page.goto(`${url}/code?id=otp_${'0'.repeat(26)}`);
      await expectAccessible(page, `the code, ${colorScheme}, ${viewport.width}`);
      await context.close();
    }
});
