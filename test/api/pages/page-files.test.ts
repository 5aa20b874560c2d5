import { expect, test } from 'vitest';
import { getInvoice } from '../../support/invoices.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, FULL } from '../../support/server.ts';
import { readPdf } from '../../unit/documents/read-pdf.ts';
import { createInvoicePage, openPage, pay } from './pay-page-client.ts';

const ASKS = 50;

/** A file of a page as received. */
async function file({ baseUrl }: ApiFixture, path: string): Promise<Buffer> {
  const answer = await fetch(`${baseUrl}${path}`);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  return Buffer.from(await answer.arrayBuffer());
}

const textOf = async (fixture: ApiFixture, path: string) => (await readPdf(await file(fixture, path))).text;

describeOnAnyDatabase('the files of a pay page', (fixture) => {
  test('caches rendered files until their content changes', FULL, async () => {
    const { path, invoiceId } = await createInvoicePage(fixture());
    const invoicePdf = `${path}/invoice.pdf`;
    const before = await file(fixture(), invoicePdf);
    expect(before.equals(await file(fixture(), invoicePdf))).toBe(true);
    const { answer } = await pay(fixture(), path);
    const receiptPdf = (answer.location ?? '').replace('?', '/receipt.pdf?');
    const receipt = await file(fixture(), receiptPdf);
    expect(receipt.equals(await file(fixture(), receiptPdf))).toBe(true);
    expect(await textOf(fixture(), invoicePdf)).toContain('****1111');
    const [paid] = (await getInvoice(fixture(), invoiceId)).payments;
    await expectData(fixture().api.admin.post(`/transactions/${paid?.transactionId}/refund/partial`, { amount: 12.34 }));
    for (const each of [invoicePdf, receiptPdf]) expect(await textOf(fixture(), each)).toContain('12.34');
    const merchant = async (section: string, body: object) => {
      const { status } = await fixture().api.admin.put(`/merchants/${fixture().credentials.merchantId}/${section}`, body);
      expect(status).toBe(200);
    };
    await merchant('settings', { language: 'es' });
    await merchant('branding', { companyName: 'Taller Nuevo' });
    try {
      const text = await textOf(fixture(), invoicePdf);
      for (const said of ['Factura', 'Taller Nuevo']) expect(text).toContain(said);
      expect((await textOf(fixture(), receiptPdf)).toLowerCase()).toContain('copia del cliente');
    } finally {
      await merchant('settings', { language: 'en' });
    }
  });

  test('name the tax on a line of its own and the purchase order, as the page does', FULL, async () => {
    const { path } = await createInvoicePage(fixture(), { amount: 108.25, taxAmount: 8.25, purchaseOrderNumber: 'PO-4711' });
    const { text } = await openPage(fixture(), path);
    expect(text).toContain('<tr><td>Tax included</td><td>8.25 USD</td></tr><tr><td>Total</td><td>108.25 USD</td></tr>');
    expect(text).toContain('PO-4711');
    const invoice = await textOf(fixture(), `${path}/invoice.pdf`);
    for (const said of ['Tax included', '8.25 USD', 'Purchase order', 'PO-4711']) expect(invoice).toContain(said);
    const { answer } = await pay(fixture(), path);
    const receipt = await textOf(fixture(), (answer.location ?? '').replace('?', '/receipt.pdf?'));
    for (const said of ['8.25 USD', 'PO-4711']) expect(receipt).toContain(said);
  });

  test('limits an address to twenty files a minute, while the pay page still opens', async () => {
    const { path } = await createInvoicePage(fixture());
    const answers = await Promise.all(Array.from({ length: ASKS }, () => openPage(fixture(), `${path}/invoice.pdf`)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    // The minute may change during the requests, and the files of the previous test count in their own minute.
    for (const window of Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset')).values())
      expect(window.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20);
    for (const { headers, text } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('x-ratelimit-limit')).toBe('20');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toContain('Too many requests');
    }
    expect((await openPage(fixture(), path)).status).toBe(200);
  });
});
