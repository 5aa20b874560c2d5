import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { InvoicesPage, newInvoice } from './pages/invoices-page.ts';

test('creates the payment page of the gateway for an invoice, on which a payer pays it', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { invoiceId } = await newInvoice(api, {}, true);
  await new InvoicesPage(page).openOne(invoiceId);
  const section = page.getByRole('region', { name: 'Payment page of the gateway' });
  await expect(section).toContainText('has its own payment page');
  await section.getByRole('button', { name: 'Create payment page' }).click();
  const entry = section.getByRole('listitem');
  await expect(entry).toContainText('Open');
  await expectAccessible(page, 'invoice with a payment page of the gateway');

  const [address = ''] = /https?:\/\/[\w.:]+\/sandbox\/pay\/[\w-]{24}/.exec((await entry.textContent()) ?? '') ?? [];
  const payer = await page.context().newPage();
  await payer.goto(address);
  await expectAccessible(payer, 'payment page of the sandbox processor');
  await payer.getByLabel('Card number').fill('4111111111111111');
  await payer.getByLabel('Expiry month').fill('12');
  await payer.getByLabel('Expiry year').fill('2039');
  await payer.getByLabel('Security code').fill('123');
  await payer.getByRole('button', { name: 'Pay' }).click();
  await expect(payer.getByRole('heading')).toHaveText('This payment was made');
  await payer.close();

  await entry.getByRole('button', { name: 'Check now' }).click();
  await expect(entry).toContainText('Paid');
  await expect(entry.getByRole('link', { name: 'Show payment' })).toBeVisible();
  await expect(section.getByRole('button', { name: 'Create payment page' })).toBeHidden();
});

test('keeps an overpaid page in To do until a person notes it', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { invoiceId } = await newInvoice(api, {}, true);
  const { url } = await api.post<{ url: string }>(`/invoices/${invoiceId}/hosted-pages`, {});
  const { data: invoice } = await api.read<{ amountDue: number; number: string }>(`/invoices/${invoiceId}`);
  const card = { number: '4111111111111111', month: '12', year: '2039', code: '123' };
  // While the processor is silent, the payment at the counter does not find the one on the page.
  await api.post('/sandbox/gateway', { mode: 'silent' });
  await fetch(new URL(new URL(url).pathname, service.baseUrl), { method: 'POST', body: new URLSearchParams(card) });
  await api.post(`/invoices/${invoiceId}/payment`, { paymentMethod: 'cash', amount: invoice.amountDue });
  await api.post('/sandbox/gateway', { mode: 'normal' });
  await api.post(`/invoices/${invoiceId}/hosted-pages/check`, {});

  await page.goto('/#/to-do?kind=hosted_page');
  const item = page.getByRole('list', { name: 'To do' }).getByRole('link').filter({ hasText: 'A payment was not needed. Refund it.' });
  await expect(item).toHaveCount(1);
  await new InvoicesPage(page).openOne(invoiceId);
  const entry = page.getByRole('region', { name: 'Payment page of the gateway' }).getByRole('listitem');
  await expect(entry).toContainText('Paid more than was due: refund what is too much');
  await expect(entry.getByRole('link', { name: 'Show payment to refund' })).toHaveAttribute('href', /transactions\/txn_/);
  await expect(entry.getByRole('button', { name: 'Mark as done' })).toBeDisabled();
  await expectAccessible(page, 'an overpaid page of the gateway');
  await entry.getByRole('textbox', { name: 'Note' }).fill('Kept as a deposit');
  await page.keyboard.press('Enter');
  await expect(entry).toContainText('Note: Kept as a deposit');
  await expect(entry.getByRole('textbox', { name: 'Note' })).toHaveCount(0);
  await page.goto('/#/to-do?kind=hosted_page');
  await expect(page.getByRole('heading', { level: 1, name: 'To do' })).toBeVisible();
  await expect(item).toHaveCount(0);
});

test('offers another form when the time of the last one is over', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { invoiceId } = await newInvoice(api, {}, true);
  await api.post(`/invoices/${invoiceId}/hosted-pages`, {});
  let problem: string | null = 'in_review';
  // The sandbox has no forms, so its page is shown as one.
  await page.route(`**/invoices/${invoiceId}/hosted-pages`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { pages: object[]; offer: object } };
    const [shown] = body.data.pages;
    const over = { delivery: 'form', url: null, opensUntil: '2026-01-01T00:00:00.000Z', problem };
    await route.fulfill({
      response,
      json: { ...body, data: { offer: { ...body.data.offer, delivery: 'form' }, pages: [{ ...shown, ...over }] } },
    });
  });
  await new InvoicesPage(page).openOne(invoiceId);
  const section = page.getByRole('region', { name: 'Payment page of the gateway' });
  await expect(section.getByRole('listitem')).toContainText('Open');
  const create = section.getByRole('button', { name: 'Prepare payment form' });
  await expect(create).toHaveCount(0);
  problem = null;
  await section.getByRole('button', { name: 'Check now' }).click();
  await expect(create).toBeVisible();
  await expect(section.getByRole('listitem')).toContainText('Expired');
  await page.unroute(`**/invoices/${invoiceId}/hosted-pages`);
});
