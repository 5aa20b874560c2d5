import type { Page } from '@playwright/test';
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
async function openAccount(api: ApiSession, name: string, more: { readonly merchantId?: string } = {}) {
  const email = `${name.toLowerCase()}-${process.pid}@customer.example`;
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: name, lastName: 'Page', email, ...more });
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
  await strokes.reset();
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

/** Creates a merchant with a customer who has chosen a language, and has invoices, an installment plan, a subscription and two cards. */
async function openFullAccount(api: ApiSession, language: string, name: string) {
  const { merchantId } = await api.post<{ merchantId: string }>('/merchants', { name: `Wharf ${name}` });
  await api.put(`/merchants/${merchantId}/settings`, { language, customerPageCancel: true, customerPageSkip: true });
  const account = await openAccount(api, name, { merchantId });
  const { customerId } = account;
  await api.put(`/customers/${customerId}/reminders`, { language });
  const { paymentMethodId } = await api.post<{ paymentMethodId: string }>(`/customers/${customerId}/payment-methods`, {
    card: { number: '5555555555554444', expiryMonth: '11', expiryYear: '2038' },
    consentText: 'I agree to the installments.',
  });
  const { invoiceId } = await api.post<{ invoiceId: string }>('/invoices', { customerId, amount: '90.00', description: 'New sails' });
  await api.post(`/invoices/${invoiceId}/send`, { email: `${invoiceId}@billing.example` });
  // Other tests move the clock.
  const { data: clock } = await api.read<{ now: string }>('/sandbox/clock');
  const firstDate = new Date(Date.parse(clock.now) + 7 * 86_400_000).toISOString().slice(0, 10);
  await api.post('/installment-plans', { invoiceId, paymentMethodId, count: 3, interval: 'weekly', firstDate });
  const { url } = await api.post<{ url: string }>(`/customers/${customerId}/page-links`, {});
  return { ...account, url };
}

/** Returns the names of all elements that take the focus, in the order of the Tab key. Expects that each is inside the window and has a visible focus. */
async function tabThrough(page: Page): Promise<string[]> {
  const stops = await page.locator('a[href], button, input:not([type=hidden]), summary').count();
  const names: string[] = [];
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    await expect(focused).toBeInViewport();
    const { name, outline } = await focused.evaluate((element: HTMLElement) => ({
      name: (element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent ?? element.textContent)
        .replaceAll(/\s+/g, ' ')
        .trim(),
      outline: getComputedStyle(element).outlineStyle,
    }));
    expect(outline, name).not.toBe('none');
    names.push(name);
  }
  return names;
}

const TEXTS = {
  en: {
    headings: ['Open invoices', 'Installment plans', 'Subscriptions', 'Cards on file', 'Receipts', 'Confirm that it’s you'],
    total: '125.50 USD',
    pay: 'Pay the chosen invoices',
    skip: /^Skip the next payment: /,
    remove: 'Remove: Mastercard ending 4444',
    needed: 'Payments that you agreed to are charged to it. Replace it instead of removing it.',
    send: 'Send a code',
    code: 'Code',
    check: 'Continue',
    confirm: 'Skip this payment',
    done: 'The payment is skipped.',
  },
  es: {
    headings: ['Facturas pendientes', 'Pagos a plazos', 'Suscripciones', 'Tarjetas guardadas', 'Recibos', 'Confirme que es usted'],
    total: '125.50 USD',
    pay: 'Pagar las facturas elegidas',
    skip: /^Omitir el próximo pago: /,
    remove: 'Quitar: Mastercard terminada en 4444',
    needed: 'En ella se cobran pagos que usted ha aceptado. Sustitúyala en lugar de quitarla.',
    send: 'Enviar un código',
    code: 'Código',
    check: 'Continuar',
    confirm: 'Omitir este pago',
    done: 'El pago se ha omitido.',
  },
} as const;

for (const [language, viewport, tag] of [
  ['en', PHONE, ''],
  ['es', PHONE, ' @full'],
  ['en', DESKTOP, ' @full'],
  ['es', DESKTOP, ' @full'],
] as const)
  test(`leads a keyboard and a screen reader through invoices, a plan, a subscription and cards, ${language}, ${viewport.width} px${tag}`, async ({
    service,
    browser,
  }) => {
    const api = await ApiSession.open(service);
    const texts = TEXTS[language];
    const { email, url } = await openFullAccount(api, language, `Ines${language}${viewport.width}`);
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const expectFits = async (where: string) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(viewport.width);
      await expectAccessible(page, where);
    };
    await page.goto(url);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(texts.headings);
    await expect(page.getByText(texts.total)).toBeVisible();
    await expectFits('the account');
    const names = await tabThrough(page);
    expect(new Set(names).size, 'each name says what it is for').toBe(names.length);
    const order = [/80\.00 USD/, /45\.50 USD/, texts.pay, texts.skip].map((wanted) =>
      names.findIndex((name) => (typeof wanted === 'string' ? name === wanted : wanted.test(name))),
    );
    expect(order.toSorted((left, right) => left - right)).toEqual(order);
    expect(order[0]).toBeGreaterThanOrEqual(0);

    await page.getByRole('button', { name: texts.pay }).press('Enter');
    await expectFits('the payment');
    await page.goBack();
    await page.getByRole('link', { name: texts.skip }).press('Enter');
    await expectFits('the request of a code');
    await page.getByRole('button', { name: texts.send }).press('Enter');
    await expect(page.getByRole('status')).toBeVisible();
    await expectFits('the code');
    await page.getByLabel(texts.code, { exact: true }).focus();
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeFocused();
    await expectFits('a wrong code');
    const { data: messages } = await api.read<Message[]>('/sandbox/messages?limit=50');
    const code = /\d{6}/.exec(messages.find(({ to, body }) => to === email && /\d{6}/.test(body))?.body ?? '')?.[0] ?? '';
    await page.getByLabel(texts.code, { exact: true }).fill(code);
    await page.getByRole('button', { name: texts.check }).press('Enter');
    await expectFits('the question');
    await page.getByRole('button', { name: texts.confirm }).press('Enter');
    await expect(page.getByRole('status')).toHaveText(texts.done);
    await expectFits('the account after a change');
    await context.close();
  });
