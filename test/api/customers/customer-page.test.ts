import { expect, test } from 'vitest';
import { getSubscription, storeCard, subscribe } from '../../support/customers.ts';
import { createInvoice, getInvoice, payInvoice } from '../../support/invoices.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, describeOnBothDatabases, expectData, FULL } from '../../support/server.ts';
import { takeTender } from '../../support/tenders.ts';
import { readPdf } from '../../unit/documents/read-pdf.ts';
import { openPage, pathOf } from '../pages/pay-page-client.ts';
import {
  CARD_PART,
  cardForm,
  confirmed,
  fieldsOf,
  linkTo,
  newCustomer,
  openPayment,
  pageWithInvoices,
  STORED_PART,
  submit,
} from './customer-page-client.ts';

const settings = ({ api, credentials }: ApiFixture, change: object) =>
  expectData(api.admin.put(`/merchants/${credentials.merchantId}/settings`, change));
const paymentsOf = ({ api }: ApiFixture, customerId: string) =>
  expectData(api.admin.get<TransactionRecord[]>(`/customers/${customerId}/transactions?limit=200`));

describeOnAnyDatabase('the page of a customer', (fixture) => {
  test('shows open invoices, subscriptions, cards and receipts with the link only, and no draft', async () => {
    const service = fixture();
    const { customer, invoices, path } = await pageWithInvoices(service, [100, 50]);
    await storeCard(service, customer.customerId);
    await subscribe(service, customer.customerId, { amount: 12 });
    await expectData(service.api.admin.post('/invoices', { customerId: customer.customerId, amount: 777 }), 201);
    const page = await openPage(service, path);
    expect(page.status).toBe(200);
    for (const { number } of invoices) expect(page.text).toContain(number);
    for (const text of ['150.00', '12.00 USD every month', 'Visa ending 1111', 'Receipt for', 'SANDBOX']) expect(page.text).toContain(text);
    expect(page.text).not.toContain('777.00');
    expect(page.text).not.toContain(customer.email);
    expect(page.text).toMatch(/We send it to p•••@c•••\.example/);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toContain('no-store');
    const [receipt = ''] = /\/account\/[\w-]+\/receipts\/txn_\w+\.pdf/.exec(page.text) ?? [];
    const file = await openPage(service, receipt);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  test('pays some invoices with a new card, and shows the result with receipts', async () => {
    const service = fixture();
    const { invoices, path } = await pageWithInvoices(service, [40, 30, 20]);
    const [first, second, third] = invoices as [(typeof invoices)[0], (typeof invoices)[0], (typeof invoices)[0]];
    const form = await openPayment(service, path, [first, second]);
    expect(form.text).toContain('70.00');
    const answer = await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm()]);
    expect(answer.status).toBe(303);
    const result = await openPage(service, answer.location ?? '');
    expect(result.text).toContain('Paid. Thank you.');
    expect(result.text).toContain('70.00');
    expect(await Promise.all([first, second, third].map(async ({ invoiceId }) => (await getInvoice(service, invoiceId)).status))).toEqual([
      'paid',
      'paid',
      'sent',
    ]);
  });

  test('stops at a payment that is not approved, and says which invoices were not charged', async () => {
    const service = fixture();
    const { customer, invoices, path } = await pageWithInvoices(service, [41, 31, 21]);
    await expectData(service.api.admin.put(`/merchants/${service.credentials.merchantId}/fraud-settings`, { maxPerCardPerHour: 1 }));
    const form = await openPayment(service, path, invoices);
    const answer = await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm({ number: '4242424242424242' })]);
    await expectData(service.api.admin.put(`/merchants/${service.credentials.merchantId}/fraud-settings`, { maxPerCardPerHour: null }));
    const { text } = await openPage(service, answer.location ?? '');
    expect(text).toContain('Some invoices were paid');
    expect(text.match(/Not charged/g)).toHaveLength(2);
    const after = await Promise.all(invoices.map(({ invoiceId }) => getInvoice(service, invoiceId)));
    expect(after.map(({ status }) => status)).toEqual(['paid', 'sent', 'sent']);
    expect(after.map(({ amountPending }) => amountPending)).toEqual([0, 0, 0]);
    expect((await paymentsOf(service, customer.customerId)).filter(({ status }) => status === 'approved')).toHaveLength(1);
  });

  test('charges nothing more after a decline, and names the reason', async () => {
    const service = fixture();
    const { invoices, path, customer } = await pageWithInvoices(service, [42, 32]);
    const form = await openPayment(service, path, invoices);
    const answer = await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm({ number: CARDS.noFunds })]);
    const { text } = await openPage(service, answer.location ?? '');
    expect(text).toContain('Nothing was charged');
    expect(text).toContain('does not have enough money');
    expect(await paymentsOf(service, customer.customerId)).toHaveLength(1);
    expect((await getInvoice(service, invoices[1]?.invoiceId ?? '')).amountPending).toBe(0);
  });

  test('charges nothing more after a payment without an answer', async () => {
    const service = fixture();
    const { customer, invoices, path } = await pageWithInvoices(service, [43, 33]);
    const form = await openPayment(service, path, invoices);
    const answer = await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm({ number: CARDS.answerLost })]);
    const { text } = await openPage(service, answer.location ?? '');
    // An inquiry may have found the outcome already.
    expect(text).toMatch(/Being checked. Do not pay it again.|Some invoices were paid/);
    expect(text).toContain('Not charged');
    expect(await paymentsOf(service, customer.customerId)).toHaveLength(1);
  });

  test('cancels and skips a subscription after a code, where the merchant allows it', async () => {
    const service = fixture();
    const { customer, path, email } = await pageWithInvoices(service, []);
    await storeCard(service, customer.customerId);
    const one = await subscribe(service, customer.customerId, { amount: 5 });
    const two = await subscribe(service, customer.customerId, { amount: 6 });
    expect((await openPage(service, path)).text).not.toContain('/change/cancel/');
    const { headers, key } = await confirmed(service, path, email);
    const change = (kind: string, id: string, date = '') =>
      submit(
        service,
        `${path}/change/${kind}/${id}`,
        [
          ['key', key],
          ['date', date],
        ],
        headers,
      );
    expect((await change('cancel', one.subscriptionId)).status).toBe(404);
    await settings(service, { customerPageCancel: true, customerPageSkip: true });
    const before = await getSubscription(service, two.subscriptionId);
    const question = await openPage(service, `${path}/change/skip/${two.subscriptionId}`, headers);
    expect(question.text).toContain('Skip the next payment of 6.00 USD every month?');
    const skips = await Promise.all(Array.from({ length: 10 }, () => change('skip', two.subscriptionId, String(before.nextPaymentDate))));
    expect(skips.filter(({ status }) => status === 303)).toHaveLength(1);
    const { nextPaymentDate } = await getSubscription(service, two.subscriptionId);
    const second = await change('skip', two.subscriptionId, String(nextPaymentDate));
    expect([second.status, second.text.includes('is skipped already')]).toEqual([409, true]);
    expect((await getSubscription(service, two.subscriptionId)).nextPaymentDate).toBe(nextPaymentDate);
    expect((await change('cancel', one.subscriptionId)).location).toBe(`${path}?done=cancel`);
    await settings(service, { customerPageCancel: false, customerPageSkip: false });
    expect((await getSubscription(service, one.subscriptionId)).status).toBe('cancelled');
    const periods = await expectData(service.api.admin.get<{ dates: string[] }>(`/recurring/${two.subscriptionId}/upcoming?count=1`));
    expect(periods.dates[0]).not.toBe(before.nextPaymentDate);
  });

  test('replaces and removes cards after a code, but removes none that a subscription needs', async () => {
    const service = fixture();
    const { customer, path, email } = await pageWithInvoices(service, []);
    const visa = await storeCard(service, customer.customerId);
    await subscribe(service, customer.customerId);
    const { headers, key } = await confirmed(service, path, email);
    const change = (kind: string, id: string) => submit(service, `${path}/change/${kind}/${id}`, [['key', key]], headers);
    expect((await change('remove', visa.paymentMethodId)).status).toBe(404);
    const replaced = await change('replace', visa.paymentMethodId);
    expect(replaced.location).toMatch(/^\/card\/[\w-]+$/);
    const amex = await storeCard(service, customer.customerId, CARDS.amex);
    expect((await change('remove', amex.paymentMethodId)).status).toBe(303);
    expect((await openPage(service, path)).text).not.toContain('Amex');
  });

  test('pays with a card on file after a code', async () => {
    const service = fixture();
    const { customer, invoices, path, email } = await pageWithInvoices(service, [44]);
    const { paymentMethodId } = await storeCard(service, customer.customerId);
    const plain = await openPayment(service, path, invoices);
    expect(plain.text).toContain('To pay with a card on file, you need a code.');
    const { headers } = await confirmed(service, path, email);
    const form = await openPayment(service, path, invoices, headers);
    const answer = await submit(service, `${path}/pay`, [...fieldsOf(form, STORED_PART), ['stored', paymentMethodId]], headers);
    expect(answer.status).toBe(303);
    expect((await openPage(service, answer.location ?? '')).text).toContain('Paid. Thank you.');
    const [payment] = await paymentsOf(service, customer.customerId);
    expect(payment).toMatchObject({ channel: 'internet', status: 'approved' });
  });

  test('is in Spanish for a Spanish merchant', async () => {
    const service = fixture();
    const { path } = await pageWithInvoices(service, [45]);
    await settings(service, { language: 'es' });
    const { text } = await openPage(service, path);
    await settings(service, { language: 'en' });
    for (const words of ['lang="es"', 'Facturas pendientes', 'Pagar las facturas elegidas', 'Confirme que es usted'])
      expect(text).toContain(words);
  });

  test('is in the language that was chosen for the customer, or else that of the browser', async () => {
    const service = fixture();
    const { customer, path } = await pageWithInvoices(service, [45]);
    const languageFor = async (preferred: string) =>
      /<html lang="(\w+)"/.exec((await openPage(service, path, { 'accept-language': preferred })).text)?.[1];
    expect([await languageFor('es-MX,en;q=0.5'), await languageFor('fr-FR')]).toEqual(['es', 'en']);
    await expectData(service.api.admin.put(`/customers/${customer.customerId}/reminders`, { language: 'es' }));
    expect(await languageFor('en-US')).toBe('es');
  });

  test('leads to receipts, invoices, pay pages, codes and messages in the language that was chosen for the customer', async () => {
    const service = fixture();
    const { customer, path, email, invoices } = await pageWithInvoices(service, [46]);
    const { customerId } = customer;
    const { tenderId } = await takeTender(service, 20, { customerId });
    const stored = await storeCard(service, customerId);
    await expectData(service.api.admin.put(`/customers/${customerId}/reminders`, { language: 'es' }));
    const pdf = async (at: string) =>
      (await readPdf(Buffer.from(await (await fetch(`${service.baseUrl}${at}`)).arrayBuffer()))).text.toLowerCase();
    expect(await pdf(`${path}/receipts/${tenderId}.pdf`)).toContain('copia del cliente');
    const payPath = pathOf(invoices[0]?.url ?? '');
    expect((await openPage(service, payPath, { 'accept-language': 'en-US' })).text).toContain('lang="es"');
    expect(await pdf(`${payPath}/invoice.pdf`)).toContain('factura');
    const messages = () =>
      expectData(service.api.admin.get<{ to: string; subject: string | null }[]>('/notifications/messages?limit=20')).then((found) =>
        found.filter(({ to }) => to === email).map(({ subject }) => subject),
      );
    const { headers, key } = await confirmed(service, path, email);
    expect((await messages())[0]).toMatch(/código/i);
    const replacing = await submit(service, `${path}/change/replace/${stored.paymentMethodId}`, [['key', key]], headers);
    expect((await openPage(service, replacing.location ?? '')).text).toContain('lang="es"');
    await linkTo(service, customerId, { sendVia: ['email'] });
    expect((await messages())[0]).toMatch(/^Su cuenta con/);
    await expectData(service.api.admin.put(`/customers/${customerId}`, { email: `new-${email}` }));
    expect((await messages())[0]).toMatch(/^Se cambiaron sus datos/);
  });

  test('lists the receipts of a customer on pages, newest first, without returned checks', async () => {
    const service = fixture();
    const { customerId } = await newCustomer(service);
    const pay = (nth: number, more: object = {}) =>
      expectData(service.api.admin.post<{ tenderId: string }>('/tenders', { kind: 'cash', amount: 10 + nth, customerId, ...more }), 201);
    const check = await pay(90, { kind: 'check', checkNumber: '1042' });
    await expectData(service.api.admin.post(`/tenders/${check.tenderId}/return`, { reason: 'No funds' }));
    for (let nth = 0; nth < 26; nth += 1) await pay(nth);
    const path = pathOf((await linkTo(service, customerId)).url);
    const amountsOn = async (query: string) => {
      const { text } = await openPage(service, `${path}${query}`);
      return { amounts: [...text.matchAll(/Receipt for (\d+)\.00 USD/g)].map(([, amount]) => Number(amount)), text };
    };
    const [first, second, beyond] = [await amountsOn(''), await amountsOn('?receipts=2'), await amountsOn('?receipts=999')];
    expect(first.amounts).toEqual(Array.from({ length: 24 }, (_, nth) => 35 - nth));
    expect(first.text).toContain('Receipts 1 to 24 of 26');
    expect(first.text).toContain(`${path}?receipts=2#receipts`);
    expect([second.amounts, second.text.includes('Older receipts')]).toEqual([[11, 10], false]);
    expect(beyond.amounts).toEqual([11, 10]);
  });

  test('shows the total of all open invoices if it lists the first 200 of them', FULL, async () => {
    const service = fixture();
    const { customerId } = await newCustomer(service);
    for (let nth = 0; nth < 203; nth += 1) {
      const { invoiceId } = await createInvoice(service, customerId, { amount: 10, allowPartial: true });
      await expectData(payInvoice(service, invoiceId, { amount: 1 }));
    }
    const { text } = await openPage(service, pathOf((await linkTo(service, customerId)).url));
    expect(text).toContain('1,827.00 USD');
    expect(text).toContain('The first 200 of 203 invoices are listed.');
  });
});

describeOnBothDatabases('the page of a customer', (fixture) => {
  test('pays all invoices once when the same form is sent ten times in parallel, and when ten forms are', async () => {
    const service = fixture();
    for (const isSameForm of [true, false]) {
      const { customer, invoices, path } = await pageWithInvoices(service, [10, 11, 12]);
      const forms = await Promise.all(Array.from({ length: isSameForm ? 1 : 10 }, () => openPayment(service, path, invoices)));
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, nth) =>
          submit(service, `${path}/pay`, [...fieldsOf(forms[isSameForm ? 0 : nth] as never, CARD_PART), ...cardForm()]),
        ),
      );
      const places = new Set(answers.filter(({ status }) => status === 303).map(({ location }) => location));
      expect(places.size).toBe(1);
      expect(answers.filter(({ status }) => ![303, 409].includes(status))).toEqual([]);
      const payments = await paymentsOf(service, customer.customerId);
      expect(payments.map(({ status }) => status)).toEqual(['approved', 'approved', 'approved']);
      const after = await Promise.all(invoices.map(({ invoiceId }) => getInvoice(service, invoiceId)));
      expect(after.map(({ status, amountPending }) => [status, amountPending])).toEqual(Array(3).fill(['paid', 0]));
      const again = await submit(service, `${path}/pay`, [...fieldsOf(forms[0] as never, CARD_PART), ...cardForm()]);
      expect(isSameForm ? again.location : again.status).toBe(isSameForm ? [...places][0] : again.status);
      expect(await paymentsOf(service, customer.customerId)).toHaveLength(3);
    }
  });

  test('revokes one link or all, and shows nothing of the customer afterwards', async () => {
    const service = fixture();
    const { customer, path, link } = await pageWithInvoices(service, [46]);
    const second = await linkTo(service, customer.customerId, { validDays: 1 });
    const revoke = (linkId = '') =>
      expectData(service.api.admin.delete<{ revoked: number }>(`/customers/${customer.customerId}/page-links${linkId}`));
    expect(await revoke(`/${link.linkId}`)).toEqual({ revoked: 1 });
    const gone = await openPage(service, path);
    expect([gone.status, gone.text.includes('This link is no longer valid'), gone.text.includes('46.00')]).toEqual([410, true, false]);
    expect((await openPage(service, pathOf(second.url))).status).toBe(200);
    expect(await revoke()).toEqual({ revoked: 1 });
    expect((await openPage(service, pathOf(second.url))).status).toBe(410);
    const links = await expectData(
      service.api.admin.get<{ status: string; url?: string }[]>(`/customers/${customer.customerId}/page-links`),
    );
    expect(links.map(({ status, url }) => [status, url])).toEqual([
      ['revoked', undefined],
      ['revoked', undefined],
    ]);
  });
});
