import { expect, test } from 'vitest';
import { getInvoice } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnAnyDatabase, describeOnBothDatabases, expectData } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { readPdf } from '../../unit/documents/read-pdf.ts';
import { factsOf } from '../disputes/evidence-facts.ts';
import { openPage, pathOf } from '../pages/pay-page-client.ts';
import { CARD_PART, cardForm, confirmed, fieldsOf, linkTo, openPayment, pageWithInvoices, submit } from './customer-page-client.ts';

const BROWSER = 'Mozilla/5.0 (evidence)';
const FAILURES_MAX = 10;

describeOnBothDatabases('failed payments on the page of a customer', (fixture) => {
  test('charges at most ten declined cards within an hour, however many invoices, links and parallel submissions there are', async () => {
    const service = fixture();
    const { customer, invoices, path } = await pageWithInvoices(
      service,
      Array.from({ length: 16 }, (_, nth) => 50 + nth),
    );
    const other = pathOf((await linkTo(service, customer.customerId)).url);
    const forms = await Promise.all(invoices.map((invoice, nth) => openPayment(service, nth % 2 === 0 ? path : other, [invoice])));
    const decline = (nth: number) =>
      submit(service, `${nth % 2 === 0 ? path : other}/pay`, [
        ...fieldsOf(forms[nth] as (typeof forms)[0], CARD_PART),
        ...cardForm({ number: CARDS.declined }),
      ]);
    const answers = await Promise.all(invoices.map((_, nth) => decline(nth)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(FAILURES_MAX).fill(303), ...Array(6).fill(429)]);
    const [blocked] = invoices.filter((_, nth) => answers[nth]?.status === 429);
    const invoice = await getInvoice(service, blocked?.invoiceId ?? '');
    expect([invoice.status, invoice.amountPending]).toEqual(['sent', 0]);
    await advanceClock(service, 3_601);
    const form = await openPayment(service, path, [blocked as (typeof invoices)[0]]);
    expect((await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm()])).status).toBe(303);
  });

  test('counts one submission for many invoices once', async () => {
    const service = fixture();
    const { invoices, path } = await pageWithInvoices(
      service,
      Array.from({ length: 12 }, (_, nth) => 20 + nth),
    );
    const form = await openPayment(service, path, invoices);
    const { location } = await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm()]);
    expect((await openPage(service, location ?? '')).text).toContain('Paid. Thank you.');
  });
});

describeOnAnyDatabase('documents and evidence of the page of a customer', (fixture) => {
  test('shows no email address and no phone number in the invoice of a link, and both in that of staff', async () => {
    const service = fixture();
    const phone = '+15555550145';
    const { invoices, path, email } = await pageWithInvoices(service, [61], { phone });
    const [, invoicePath = ''] = /href="(\/pay\/[\w-]+)"/.exec((await openPage(service, path)).text) ?? [];
    const pdf = async (url: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${service.baseUrl}${url}`, { headers });
      return (await readPdf(Buffer.from(await answer.arrayBuffer()))).text;
    };
    const shown = await pdf(`${invoicePath}/invoice.pdf`);
    expect(shown).toContain(invoices[0]?.number);
    expect(shown).not.toContain(email);
    expect(shown).not.toContain(phone);
    const { tenantId, adminEmail, adminPassword: password } = service.credentials;
    const login = service.api.bare.post<{ token: string }>(
      '/api/v1/auth/login',
      { email: adminEmail, password },
      { 'X-Tenant-ID': tenantId },
    );
    const headers = { authorization: `Bearer ${(await expectData(login)).token}`, 'X-Tenant-ID': tenantId };
    const own = await pdf(`/api/v1/invoices/${invoices[0]?.invoiceId}/pdf`, headers);
    expect([own.includes(email), own.includes(phone)]).toEqual([true, true]);
  });

  test('keeps the device and the visits of a payer as evidence, as the page of an invoice does', async () => {
    const service = fixture();
    const { invoices, path, email } = await pageWithInvoices(service, [62, 63]);
    const { headers: session } = await confirmed(service, path, email);
    const first = await openPayment(service, path, invoices, { 'user-agent': BROWSER });
    const device = /paydesk_device=([\w-]{22})/.exec(first.headers.get('set-cookie') ?? '')?.[1] ?? '';
    expect(first.headers.get('set-cookie')).toContain('Path=/account;');
    const headers = { 'user-agent': BROWSER, cookie: `${session.cookie}; paydesk_device=${device}` };
    const form = await openPayment(service, path, invoices, headers);
    expect((await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm()], headers)).status).toBe(303);
    for (const { invoiceId } of invoices) {
      const [payment] = (await getInvoice(service, invoiceId)).payments;
      const facts = await factsOf(service, payment?.transactionId ?? '');
      expect(facts.payerContext).toMatchObject({ ipAddress: '127.0.0.1', userAgent: BROWSER, deviceId: device });
      expect(facts.invoice?.visits).toMatchObject([{ userAgent: BROWSER, deviceId: device, visits: 2 }]);
    }
  });
});
