import type { Page } from '@playwright/test';
import { XSS } from '../api/pages/hostile-names.ts';
import type { InvoiceRecord } from '../support/invoices.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { openMerchantApi } from './pages/merchant-api.ts';
import { PayPage } from './pages/pay-page.ts';

const PHONE = { width: 360, height: 740 };
const ITEMS = [
  { description: 'Full service, steel touring bicycle', quantity: 1, unitPrice: 120 },
  { description: 'Brake pads', quantity: 2, unitPrice: 14.75 },
  { description: 'Chain', quantity: 1, unitPrice: 35 },
];

let made = 0;

/** Creates a draft invoice of 184.50 with three items. */
async function drafted(api: ApiSession, more: object = {}, name = 'Marsh'): Promise<InvoiceRecord> {
  made += 1;
  const customer = { firstName: 'Ann', lastName: name, email: `ann${made}@customer.example` };
  const { customerId } = await api.post<{ customerId: string }>('/customers', customer);
  return api.post<InvoiceRecord>('/invoices', { customerId, items: ITEMS, dueDate: '2039-12-05', ...more });
}

const invoiceOf = async (api: ApiSession, id: string) => (await api.read<InvoiceRecord>(`/invoices/${id}`)).data;

async function linked(api: ApiSession, more: object = {}): Promise<InvoiceRecord> {
  const { invoiceId } = await api.post<{ invoiceId: string }>('/payment-links', { amount: 49.99, description: 'Deposit', ...more });
  return invoiceOf(api, invoiceId);
}

/** Records violations of the page's security policy, and whether a name was executed as code. */
async function watch(page: Page): Promise<{ reports: string[]; hits: string[] }> {
  const noted = { reports: [] as string[], hits: [] as string[] };
  await page.exposeFunction('noteReport', (what: string) => noted.reports.push(what));
  await page.exposeFunction('hit', () => noted.hits.push(page.url()));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      (Reflect.get(window, 'noteReport') as (what: string) => void)(`${violatedDirective} ${blockedURI}`);
    });
  });
  return noted;
}

test.use({ viewport: PHONE });

for (const [size, tag] of [
  [{ width: 360, height: 640 }, ''],
  [{ width: 1280, height: 720 }, ' @full'],
] as const)
  test(`shows the amount and the Pay button without scrolling at ${size.width} × ${size.height}, and hides no focused field under it${tag}`, async ({
    page,
    service,
  }) => {
    await page.setViewportSize(size);
    const { url } = await drafted(await ApiSession.open(service));
    await page.goto(url);
    const payPage = new PayPage(page);
    await expect(page.getByText('184.50 USD', { exact: true }).first()).toBeInViewport({ ratio: 1 });
    await expect(payPage.button).toBeInViewport({ ratio: 1 });
    await payPage.field('email').focus();
    const { y, height } = (await payPage.field('email').boundingBox()) ?? { y: Number.NaN, height: 0 };
    const pay = await payPage.button.boundingBox();
    expect(y + height).toBeLessThanOrEqual(pay?.y ?? 0);
    await expect(page.getByText('Brake pads')).toBeVisible();
  });

test('pays an invoice of three items in parts by keyboard only, from draft to paid, and delivers its webhooks', async ({
  page,
  service,
  strokes,
}) => {
  const receiver = await startReceiver();
  const api = await ApiSession.open(service);
  await api.post('/webhooks', { url: receiver.url('/paid'), events: ['invoice.partially_paid', 'invoice.paid'] });
  const { invoiceId, url, status } = await drafted(api, { allowPartial: true });
  expect(status).toBe('draft');
  expect((await api.post<InvoiceRecord>(`/invoices/${invoiceId}/send`, {})).status).toBe('sent');
  const noted = await watch(page);
  const pay = new PayPage(page);
  await page.goto(url);
  await expect(page.locator('.sum')).toHaveText('184.50 USD');
  await pay.typeInto({ amount: '84.50', number: '4111111111111111', expiry: '1239', cvv: '123', zip: '04101', name: 'Ann Marsh' });
  await expect(pay.field('number')).toHaveValue('4111 1111 1111 1111');
  await expect(page.locator('#brand')).toHaveText('Visa');
  await expect(pay.field('expiry')).toHaveValue('12/39');
  await expect(pay.button).toHaveText('Pay 84.50 USD');
  await pay.typeInto({ email: 'ann@customer.example' });
  await page.keyboard.press('Enter');
  await expect(pay.paid).toBeVisible();
  await expect(page.getByText('The receipt is sent to ann@customer.example.')).toBeVisible();
  expect((await invoiceOf(api, invoiceId)).status).toBe('partially_paid');

  const rest = page.getByRole('link', { name: 'Pay the remaining amount' });
  await pay.tabTo(rest);
  await page.keyboard.press('Enter');
  await expect(pay.field('amount')).toHaveValue('100.00');
  await pay.tabTo(page.getByLabel('Card', { exact: true }));
  await page.keyboard.press('ArrowRight');
  await expect(pay.field('number')).toBeHidden();
  await pay.typeInto({ routing: '021000021', account: '000123456789', name: 'Ann Marsh' });
  await pay.tabTo(pay.button);
  await page.keyboard.press('Enter');
  await expect(pay.paid).toBeVisible();
  await expect(page.getByText('Bank account ending 6789')).toBeVisible();
  expect(await invoiceOf(api, invoiceId)).toMatchObject({ status: 'paid', amountPaid: 184.5 });
  expect(strokes.clicks()).toBe(0);
  const events = (await receiver.waitFor('/paid', 2)).map(({ event }) => event);
  expect(events.map(({ type, data }) => [type, data.invoiceId, data.amountPaid])).toEqual([
    ['invoice.partially_paid', invoiceId, 84.5],
    ['invoice.paid', invoiceId, 184.5],
  ]);
  expect(noted).toEqual({ reports: [], hits: [] });
  await receiver.stop();
});

test('pays once after a double click, and charges nothing after going back or reloading', async ({ page, service }) => {
  const api = await ApiSession.open(service);
  const { invoiceId, url } = await linked(api, { allowPartial: true });
  const pay = new PayPage(page);
  await page.goto(url);
  await pay.fillCard();
  await pay.field('amount').fill('20');
  await pay.button.dblclick();
  await expect(pay.paid).toBeVisible();
  await page.reload();
  await expect(pay.paid).toBeVisible();
  await page.goBack();
  await expect(page.locator('.sum')).toHaveText('29.99 USD');
  await expect(pay.field('number')).toHaveValue('');
  await page.goForward();
  await expect(pay.paid).toBeVisible();
  const { amountPaid, payments } = await invoiceOf(api, invoiceId);
  expect([amountPaid, payments.length]).toEqual([20, 1]);
});

test('shows on the button that a payment is in progress, and shows the outcome automatically @full', async ({ page, context, service }) => {
  const api = await ApiSession.open(service);
  const { url } = await linked(api);
  const pay = new PayPage(page);
  await page.goto(url);
  await pay.fillCard();
  // No answer arrives until the mode changes, however long the pages take.
  await api.post('/sandbox/gateway', { mode: 'silent' });
  const said = await pay.button.evaluate((button: HTMLButtonElement) => {
    button.click();
    return button.textContent;
  });
  expect(said).toBe('Paying…');
  const other = await context.newPage();
  await expect(async () => {
    await other.goto(url);
    await expect(other.getByText('Do not pay again.')).toBeVisible({ timeout: 500 });
  }).toPass();
  await api.post('/sandbox/gateway', { mode: 'normal' });
  await expect(pay.paid).toBeVisible();
  await expect(other.getByRole('heading', { name: 'This is already paid. Thank you.' })).toBeVisible();
});

test('focuses and links an invalid field, and keeps all values except card number and security code', async ({ page, service, faults }) => {
  faults.expect(/status of 400/);
  const api = await ApiSession.open(service);
  const { url } = await linked(api);
  const pay = new PayPage(page);
  await page.goto(url);
  await pay.fillCard({ number: '4111111111111112', email: 'ann@customer.example' });
  await pay.button.click();
  await expect(pay.faults).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(pay.field('number')).toBeFocused();
  await expect(pay.field('number')).toHaveAccessibleDescription('This is not a valid card number. Compare it with the card.');
  await expect(pay.field('name')).toHaveValue('Ann Marsh');
  await expect(pay.field('email')).toHaveValue('ann@customer.example');
  for (const empty of ['number', 'cvv'] as const) await expect(pay.field(empty)).toHaveValue('');
  await pay.fillCard();
  await pay.button.click();
  await expect(pay.paid).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('accepts a card and a bank account', async ({ page, service, faults }) => {
    faults.expect(/status of 400/);
    const api = await ApiSession.open(service);
    for (const method of ['card', 'ach']) {
      const { invoiceId, url } = await linked(api);
      const pay = new PayPage(page);
      await page.goto(url);
      await pay.button.click();
      await expect(pay.faults).toBeVisible();
      await page.locator(`#method-${method}`).check();
      if (method === 'card') await pay.fillCard();
      else {
        await pay.field('routing').fill('021000021');
        await pay.field('account').fill('000123456789');
        await pay.field('name').fill('Ann Marsh');
      }
      await pay.button.click();
      await expect(pay.paid).toBeVisible();
      expect((await invoiceOf(api, invoiceId)).status).toBe('paid');
    }
  });
});

test('hostile names and brands run no script, report no violation and load nothing @full', async ({ page, service }) => {
  const api = await ApiSession.open(service);
  const noted = await watch(page);
  const merchantApi = await openMerchantApi(service);
  const { data: config } = await api.read<{ name: string; merchantId: string }[]>('/merchants?limit=200');
  for (const text of XSS) {
    await merchantApi.change('branding', { companyName: text.slice(0, 100) });
    const items = [{ description: text, quantity: 1, unitPrice: 5 }];
    const { url } = await drafted(api, { items, note: text, description: text }, text.slice(0, 90));
    await page.goto(url);
    await expect(page.locator('.sum')).toHaveText('5.00 USD');
    expect(await page.locator('script, img, iframe, object, embed, svg, video, audio, base').count()).toBe(1);
  }
  await merchantApi.change('branding', { companyName: config.at(-1)?.name });
  expect(noted).toEqual({ reports: [], hits: [] });
});

test('no state of the pay page has an accessibility fault at 360 pixels in either color scheme @full', async ({
  page,
  service,
  faults,
}) => {
  faults.expect(/status of 4\d\d/);
  const api = await ApiSession.open(service);
  const merchantApi = await openMerchantApi(service);
  const pay = new PayPage(page);
  const seen = async (where: string) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(PHONE.width);
    await expectAccessible(page, where);
  };
  // The brightest and the darkest brand colors are as readable as any other.
  for (const primaryColor of ['#FFFF00', '#000000', '#0F5C73']) {
    await merchantApi.change('branding', { primaryColor });
    const { url } = await drafted(api, { allowPartial: true, note: 'Thank you.' });
    await page.goto(url);
    await seen(`open, ${primaryColor}`);
    await pay.button.focus();
    await seen(`focused, ${primaryColor}`);
    await page.getByLabel('Bank account').check();
    await seen(`bank account, ${primaryColor}`);
    await pay.field('amount').fill('900');
    await pay.button.click();
    await expect(pay.faults).toBeVisible();
    await seen(`errors, ${primaryColor}`);
  }
  const { url, invoiceId } = await drafted(api, { allowPartial: true });
  await page.goto(url);
  await pay.fillCard({ number: '4000000000000002' });
  await pay.button.click();
  await expect(pay.faults).toContainText('Your card was declined.');
  await seen('declined');
  await pay.fillCard({ email: 'ann@customer.example' });
  await pay.field('amount').fill('50');
  await pay.button.click();
  await expect(pay.paid).toBeVisible();
  await seen('part paid');
  await page.goto(url);
  await pay.fillCard();
  await api.post('/sandbox/gateway', { mode: 'silent' });
  const form = await page
    .locator('form')
    .evaluate((element) => new URLSearchParams([...new FormData(element as HTMLFormElement)] as string[][]).toString());
  const sent = fetch(url, {
    method: 'POST',
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    redirect: 'manual',
  });
  await expect(async () => {
    await page.goto(url);
    await expect(page.getByText('Do not pay again.')).toBeVisible({ timeout: 500 });
  }).toPass();
  await seen('busy');
  const location = (await sent).headers.get('location') ?? '';
  await api.post('/sandbox/gateway', { mode: 'normal' });
  await page.goto(location);
  await expect(pay.paid).toBeVisible();
  await seen('paid');
  await page.goto(url);
  await seen('already paid');
  expect((await invoiceOf(api, invoiceId)).status).toBe('paid');
  const cancelled = await drafted(api);
  await api.post(`/invoices/${cancelled.invoiceId}/cancel`, {});
  for (const [where, address] of [
    ['cancelled', cancelled.url],
    ['unknown', '/pay/unknown'],
    ['unknown short address', '/s/unknown1'],
  ] as const) {
    await page.goto(address);
    await seen(where);
  }
});

test('adds a tip by keyboard, with the total on the button @full', async ({ page, service }) => {
  const api = await ApiSession.open(service);
  const merchantApi = await openMerchantApi(service);
  await merchantApi.change('amount-settings', { pageTips: 'links', tipPercents: [15, 20], tipCustomAmount: true });
  const { invoiceId, url } = await linked(api, { amount: 61.3, allowPartial: true });
  const pay = new PayPage(page);
  await page.goto(url);
  await expectAccessible(page, 'pay page with a tip');
  await expect(page.getByLabel('15% 9.20 USD')).toBeVisible();
  await expect(pay.field('tipAmount')).toBeHidden();
  await pay.typeInto({ amount: '40' });
  await expect(page.getByLabel('20% 8.00 USD')).toBeVisible();
  await pay.tabTo(page.getByLabel('No tip'));
  await page.keyboard.press('ArrowDown');
  await expect(pay.button).toHaveText('Pay 46.00 USD');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(pay.field('tipAmount')).toBeVisible();
  await pay.typeInto({ tipAmount: '7.35', number: '4111111111111111', expiry: '1239', cvv: '123', zip: '04101', name: 'Ann Marsh' });
  await expect(pay.button).toHaveText('Pay 47.35 USD');
  await page.keyboard.press('Enter');
  await expect(pay.paid).toBeVisible();
  await expect(page.locator('dl')).toContainText('Tip7.35 USD');
  expect(await invoiceOf(api, invoiceId)).toMatchObject({ amountPaid: 40, amountDue: 21.3 });
  await merchantApi.change('amount-settings', { pageTips: 'off' });
});
