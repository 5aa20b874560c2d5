// Payment pages of the sandbox processor, which stands for another company's website, by HTTP: the merchant creates them, and a payer pays in a browser.
import { expect, test } from 'vitest';
import { createPaymentLink, getInvoice, type LinkRecord, payInvoice } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

interface PageRecord {
  readonly hostedPageId: string;
  readonly status: string;
  readonly url: string | null;
  readonly transactionId: string | null;
}
interface PagesRecord {
  readonly offer: { readonly gateway: string; readonly delivery: string } | null;
  readonly pages: readonly PageRecord[];
}

describeOnAnyDatabase('payment pages of gateways', (fixture) => {
  const pagesOf = (id: string) => expectData(fixture().api.admin.get<PagesRecord>(`/invoices/${id}/hosted-pages`));
  const create = (id: string) => fixture().api.admin.post<PageRecord>(`/invoices/${id}/hosted-pages`, {});
  const check = (id: string) => fixture().api.admin.post<PageRecord>(`/invoices/${id}/hosted-pages/check`, {});
  const close = (id: string) => fixture().api.admin.post<PageRecord>(`/invoices/${id}/hosted-pages/close`, {});
  const addressOf = (url: string | null) => new URL(new URL(url ?? '').pathname, fixture().baseUrl);
  const payAt = (url: string | null, number: string = CARDS.visa) =>
    fetch(addressOf(url), {
      method: 'POST',
      body: new URLSearchParams({ number, month: '12', year: '2039', code: '123' }),
      redirect: 'follow',
    });
  const newLink = async (amount = 25): Promise<LinkRecord> => createPaymentLink(fixture(), { amount });

  test('a payer pays on the page, and the payment pays the link', async () => {
    const { invoiceId, url } = await newLink(25.5);
    expect(await pagesOf(invoiceId)).toMatchObject({ offer: { delivery: 'link' }, pages: [] });
    const page = await expectData(create(invoiceId));
    expect(page).toMatchObject({ status: 'open', url: expect.stringContaining('/sandbox/pay/') });
    expect((await expectData(create(invoiceId))).hostedPageId).toBe(page.hostedPageId);
    // Messages, QR codes and lists carry the address of the page instead of one that opens on this computer only.
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ url: page.url, shortUrl: page.url });
    const html = await (await fetch(addressOf(page.url))).text();
    expect(html).toContain('25.50');
    expect(await (await payAt(page.url, '4111111111111112')).text()).toContain('not valid');
    expect(await (await payAt(page.url)).text()).toContain('This payment was made');
    expect((await payAt(page.url)).status).toBe(200);
    const paid = await expectData(check(invoiceId));
    expect(paid).toMatchObject({ status: 'paid', transactionId: expect.stringMatching(/^txn_/) });
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'paid', url, amountPaid: 25.5 });
    await expectError(create(invoiceId), 409, 'INVOICE_ALREADY_PAID');
  });

  test('ten payers, ten inquiries and a cashier at the same time pay a link once', async () => {
    const { invoiceId } = await newLink(31);
    const { url } = await expectData(create(invoiceId));
    await Promise.all(Array.from({ length: 10 }, () => payAt(url)));
    const cash = payInvoice(fixture(), invoiceId, { amount: 31, paymentMethod: 'cash' });
    await Promise.all([cash, ...Array.from({ length: 10 }, () => check(invoiceId))]);
    await check(invoiceId);
    const { amountPaid, status, payments } = await getInvoice(fixture(), invoiceId);
    expect([amountPaid, status]).toEqual([31, 'paid']);
    const { pages } = await pagesOf(invoiceId);
    // If the cashier was faster than the inquiry, the payment on the page is kept for a refund.
    const isOverpaid = payments.some(({ method }) => method === 'cash');
    expect(pages.map((page) => page.status)).toEqual([isOverpaid ? 'overpaid' : 'paid']);
    expect(pages[0]?.transactionId).toMatch(/^txn_/);
  });

  test('a closed page takes no payment, and the link has its own address again', async () => {
    const { invoiceId, url } = await newLink();
    const page = await expectData(create(invoiceId));
    expect(await expectData(close(invoiceId))).toMatchObject({ status: 'closed', url: null });
    const answer = await payAt(page.url);
    expect([answer.status, await answer.text()]).toEqual([410, expect.stringContaining('closed')]);
    expect(await expectData(check(invoiceId))).toMatchObject({ status: 'closed', transactionId: null });
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'sent', url });
  });

  test('strangers cannot find a page, and a form that does not exist cannot be opened', async () => {
    const { baseUrl } = fixture();
    expect((await fetch(`${baseUrl}/sandbox/pay/${'A'.repeat(24)}`)).status).toBe(404);
    expect((await fetch(`${baseUrl}/sandbox/pay/x`)).status).toBe(404);
    const { invoiceId, url } = await newLink();
    await expectData(create(invoiceId));
    const form = await fetch(new URL(`${new URL(url).pathname}/gateway`, baseUrl));
    expect(form.status).toBe(410);
    expect((await fetch(`${baseUrl}/pay/${'a'.repeat(26)}/gateway`)).status).toBe(404);
  });

  test('a manager of another merchant, and a user who only reads, create, check and close nothing', async () => {
    const service = fixture();
    const { invoiceId } = await newLink();
    await expectData(create(invoiceId));
    const other = await expectData(service.api.admin.post<{ merchantId: string }>('/merchants', { name: 'North' }), 201);
    const { headers } = await createUser(service, 'manager', {}, other.merchantId);
    const at = (path: string) => `/api/v1/invoices/${invoiceId}/hosted-pages${path}`;
    await expectError(service.api.bare.get(at(''), headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    for (const path of ['', '/check', '/close'])
      await expectError(service.api.bare.post(at(path), {}, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    const reader = await createUser(service, 'viewer');
    for (const path of ['', '/check', '/close'])
      await expectError(service.api.bare.post(at(path), {}, reader.headers), 403, 'PERMISSION_DENIED');
    expect((await pagesOf(invoiceId)).pages).toMatchObject([{ status: 'open' }]);
  });

  test('refuses an unknown invoice, one without a page, and an invalid address', async () => {
    await expectError(create('inv_0'), 404, 'INVOICE_NOT_FOUND');
    const { invoiceId } = await newLink();
    await expectError(check(invoiceId), 404, 'NOT_FOUND');
    await expectError(fixture().api.admin.post(`/invoices/${invoiceId}/hosted-pages`, { email: 'x' }), 400, 'INVALID_EMAIL', 'email');
  });
});
