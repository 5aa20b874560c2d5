import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, getInvoice, payInvoice } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { ANY_DATABASE, apiOf, describeOnAnyDatabase, expectData, FULL, startTestServer } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { BANK_FORM, CARD_FORM, createInvoicePage, createLinkPage, openPage, pay, prefilledFields, submitForm } from './pay-page-client.ts';

const ITEMS = [
  { description: 'Brake pads', quantity: 2, unitPrice: 14.75 },
  { description: 'Full service', quantity: 1, unitPrice: 120 },
];

describeOnAnyDatabase('the pay page', (fixture) => {
  const gateway = (mode: string) => expectData(fixture().api.admin.post('/sandbox/gateway', { mode }));
  const merchant = (path: string, body: object) =>
    expectData(fixture().api.admin.put(`/merchants/${fixture().credentials.merchantId}${path}`, body));
  const messagesTo = async (to: string) =>
    (await expectData(fixture().api.admin.get<{ to: string }[]>('/sandbox/messages?limit=200'))).filter((message) => message.to === to);

  test('shows merchant, purpose, amount and due date in one document without storage or external requests', async () => {
    const { path, number } = await createInvoicePage(fixture(), {
      amount: undefined,
      items: ITEMS,
      note: 'Thank you.',
      dueDate: '2039-12-05',
    });
    const { status, headers, text } = await openPage(fixture(), path);
    expect(status).toBe(200);
    for (const text of [number, 'Brake pads', '29.50 USD', '149.50 USD', 'Due Dec 5, 2039', 'Thank you.', 'SANDBOX', 'Pay 149.50 USD'])
      expect(text).toContain(text);
    expect(text).toContain('<html lang="en">');
    for (const [id, token] of Object.entries({
      number: 'cc-number',
      expiry: 'cc-exp',
      cvv: 'cc-csc',
      zip: 'postal-code',
      name: 'cc-name',
      email: 'email',
    }))
      expect(text).toMatch(new RegExp(`<input id="${id}"[^>]* autocomplete="${token}"`));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = headers.get('content-security-policy') ?? '';
    const nonce = /<style nonce="([^"]+)">/.exec(text)?.[1] ?? '';
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    for (const rule of ["default-src 'none'", "script-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/(src|href|action)="(https?:|\/\/)/);
    expect(text).not.toMatch(/ (on\w+|style)=/);
  });

  test('lets browsers cache the files of the page forever under names of their content, and answers HEAD without a body', async () => {
    const { path } = await createLinkPage(fixture());
    const { text } = await openPage(fixture(), path);
    for (const [, url = ''] of text.matchAll(/(?:href|src)="(\/pay\/assets\/[^"]+)"/g)) {
      const { status, headers } = await openPage(fixture(), url);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    const head = await fetch(`${fixture().baseUrl}${path}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('pays with a card by a plain form, and shows the receipt', async () => {
    const { path, invoiceId } = await createInvoicePage(fixture());
    const { answer, after } = await pay(fixture(), path);
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(new RegExp(`^${path}\\?payment=ivp_`));
    expect(after.status).toBe(200);
    for (const text of ['Paid. Thank you.', '100.00 USD', 'Visa ending 1111', 'Receipt as PDF']) expect(after.text).toContain(text);
    const { status, amountPaid, payments } = await getInvoice(fixture(), invoiceId);
    expect({ status, amountPaid, payments: payments.map(({ origin, status: paymentStatus }) => [origin, paymentStatus]) }).toEqual({
      status: 'paid',
      amountPaid: 100,
      payments: [['page', 'succeeded']],
    });
    const [, receipt = ''] = /href="([^"]+receipt\.pdf[^"]+)"/.exec(after.text) ?? [];
    for (const file of [receipt.replaceAll('&amp;', '&'), `${path}/invoice.pdf`]) {
      const pdf = await openPage(fixture(), file);
      expect([pdf.status, pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
    }
    const again = await openPage(fixture(), path);
    expect([again.status, again.text.includes('This is already paid. Thank you.')]).toEqual([200, true]);
    expect((await submitForm(fixture(), path, { ...CARD_FORM, attempt: 'another-attempt-1234', amount: '100.00' })).status).toBe(409);
  });

  test('pays with a bank account', async () => {
    const { path, invoiceId } = await createLinkPage(fixture());
    const { after } = await pay(fixture(), path, BANK_FORM);
    expect(after.text).toContain('Bank account ending 6789');
    expect((await getInvoice(fixture(), invoiceId)).status).toBe('paid');
  });

  test('emails the receipt once, however often the form is sent', async () => {
    const { path } = await createLinkPage(fixture());
    const email = `payer-${path.slice(-6).toLowerCase()}@customer.example`;
    const form = { ...prefilledFields(await openPage(fixture(), path)), ...CARD_FORM, email };
    const [first, second] = await Promise.all([submitForm(fixture(), path, form), submitForm(fixture(), path, form)]);
    expect(second?.location).toBe(first?.location);
    const cookie = first?.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await openPage(fixture(), first?.location ?? '', { cookie })).text).toContain(`The receipt is sent to ${email}.`);
    expect((await openPage(fixture(), first?.location ?? '')).text).not.toContain(email);
    await expect.poll(async () => (await messagesTo(email)).length).toBe(1);
  });

  test('shows problems at their fields, and returns the form without number and code', async () => {
    const { path, invoiceId } = await createLinkPage(fixture());
    const wrong = { number: '4111111111111112', expiry: '13/39', cvv: '9', zip: '04101', name: 'Ann Marsh', email: 'ann@nowhere' };
    const { answer } = await pay(fixture(), path, wrong);
    expect(answer.status).toBe(400);
    for (const id of ['number', 'expiry', 'cvv', 'email']) {
      expect(answer.text).toMatch(new RegExp(`<input id="${id}"[^>]* aria-describedby="[^"]*${id}-fault"[^>]* aria-invalid="true"`));
      expect(answer.text).toContain(`<a href="#${id}">`);
    }
    expect(answer.text).toContain('role="alert" tabindex="-1" autofocus');
    for (const kept of ['value="Ann Marsh"', 'value="04101"', 'value="ann@nowhere"']) expect(answer.text).toContain(kept);
    expect(answer.text).not.toMatch(/\b4111|value="9"/);
    expect((await getInvoice(fixture(), invoiceId)).payments).toEqual([]);
  });

  test.for([
    ['nothing at all', { number: '', expiry: '', cvv: '', zip: '', name: '' }, ['number', 'expiry', 'cvv', 'zip', 'name']],
    ['an expired card', { expiry: '01/20' }, ['expiry']],
    ['a card number for a name', { name: '4111 1111 1111 1111' }, ['name']],
    ['a wrong routing number', { ...BANK_FORM, routing: '021000022' }, ['routing']],
    ['a short account number', { ...BANK_FORM, account: '12' }, ['account']],
  ] as [string, Record<string, string>, string[]][])('refuses %s at the fields', async ([, form, fields]) => {
    const { path } = await createLinkPage(fixture());
    const { answer } = await pay(fixture(), path, form);
    expect(answer.status).toBe(400);
    expect([...answer.text.matchAll(/id="(\w+)-fault"/g)].map(([, id]) => id).sort()).toEqual([...fields].sort());
    expect(answer.text).not.toMatch(/\b4111/);
  });

  test.for(['12/39', '1239', '12 / 39', '12/2039', '12-39'])('accepts an expiry date typed as %s', async (expiry) => {
    const { path } = await createLinkPage(fixture());
    expect((await pay(fixture(), path, { expiry })).after.text).toContain('Paid. Thank you.');
  });

  test.for([
    [CARDS.declined, 'Your card was declined. Nothing was charged. Try another card.'],
    ['4100000000000019', 'Your card was declined. Nothing was charged. Try another card.'],
    [CARDS.noFunds, 'The card or account does not have enough money for this payment.'],
    ['4000000000000127', 'Check your entries, or try another card.'],
  ] as const)('explains a decline of %s to the payer with a new form that keeps the rest', async ([number, words]) => {
    const { path } = await createLinkPage(fixture());
    const { answer, after } = await pay(fixture(), path, { number });
    expect(answer.status).toBe(303);
    expect(after.text).toContain(words);
    expect(after.text).not.toMatch(/fraud|suspect/i);
    expect(after.text).toContain('value="Ann Marsh"');
    expect(after.text).not.toContain(number.slice(0, 6));
    const form = { ...prefilledFields(after), ...CARD_FORM };
    const paid = await submitForm(fixture(), path, form);
    expect((await openPage(fixture(), paid.location ?? '')).text).toContain('Paid. Thank you.');
  });

  test.for([
    [CARDS.answerLost, 'Paid. Thank you.', 25, 1],
    [CARDS.neverReceived, 'Nothing was charged.', 0, 0],
  ] as const)('shows the outcome of a lost answer (%s) when it is known, and emails one receipt', async ([number, said, paid, mails]) => {
    const { path, invoiceId } = await createLinkPage(fixture());
    const email = `waits-${path.slice(-6).toLowerCase()}@customer.example`;
    const form = { ...prefilledFields(await openPage(fixture(), path)), ...CARD_FORM, number, email };
    const answer = await submitForm(fixture(), path, form);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    await advanceClock(fixture(), 3_600);
    // The page is not requested again before the receipt is written.
    await expect.poll(async () => (await messagesTo(email)).length).toBe(mails);
    await expect.poll(async () => (await openPage(fixture(), answer.location ?? '', { cookie })).text).toContain(said);
    expect(await messagesTo(email)).toHaveLength(mails);
    expect((await getInvoice(fixture(), invoiceId)).amountPaid).toBe(paid);
  });

  test('charges nothing while the processor is unavailable, and asks the payer to try again later', async () => {
    const { path, invoiceId } = await createLinkPage(fixture());
    await gateway('down');
    const { after } = await pay(fixture(), path).finally(() => gateway('normal'));
    expect(after.text).toMatch(/Nothing was charged\. Please try again later\./);
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ amountPaid: 0, amountPending: 0, status: 'sent' });
    expect((await pay(fixture(), path)).after.text).toContain('Paid. Thank you.');
  });

  test('accepts a part if allowed, and refuses more than the amount due at the field', async () => {
    const { path, invoiceId } = await createInvoicePage(fixture(), { allowPartial: true });
    const { answer } = await pay(fixture(), path, { amount: '100.01' });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/id="amount-fault">This is more than the amount due\. Enter 100\.00 USD or less\./);
    for (const amount of ['0', '-5', '1e2', '10.001', 'all'])
      expect((await pay(fixture(), path, { amount })).answer.text).toContain('id="amount-fault"');
    const part = await pay(fixture(), path, { amount: '40,00 USD' });
    expect(part.after.text).toContain('60.00 USD is still due.');
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'partially_paid', amountPaid: 40, amountDue: 60 });
    expect((await pay(fixture(), path)).after.text).toContain('Paid. Thank you.');
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'paid', amountPaid: 100 });
  });

  test('shows a changed amount again instead of charging it', async () => {
    const { path, invoiceId } = await createInvoicePage(fixture());
    const form: Record<string, string> = { ...prefilledFields(await openPage(fixture(), path)), ...CARD_FORM };
    await expectData(payInvoice(fixture(), invoiceId, { amount: 30 }));
    for (const amount of [form.amount ?? '', '5.00']) {
      const answer = await submitForm(fixture(), path, { ...form, amount });
      expect([answer.status === 409 || answer.status === 422, answer.text.includes('The amount due has changed')]).toEqual([true, true]);
      expect(prefilledFields(answer).amount).toBe('70.00');
    }
    expect((await getInvoice(fixture(), invoiceId)).amountPaid).toBe(30);
  });

  test('shows an amount in another currency again instead of charging it', async () => {
    const { customerId } = await createCustomer(fixture());
    const { invoiceId, url } = await createInvoice(fixture(), customerId, { amount: 10 });
    const { pathname } = new URL(url);
    const form: Record<string, string> = { ...prefilledFields(await openPage(fixture(), pathname)), ...CARD_FORM };
    await expectData(fixture().api.admin.put(`/invoices/${invoiceId}`, { currency: 'EUR', amount: 10 }));
    const answer = await submitForm(fixture(), pathname, form);
    expect([answer.status, answer.text.includes('The amount due has changed')]).toEqual([409, true]);
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ amountPaid: 0, amountPending: 0 });
  });

  test('treats an invalid payment ID as unknown', async () => {
    const { path } = await createLinkPage(fixture());
    for (const file of ['', '/receipt.pdf']) expect((await openPage(fixture(), `${path}${file}?payment=%00`)).status).toBe(404);
  });

  test('creates one payment for twenty parallel submissions of one form', async () => {
    const { path, invoiceId } = await createInvoicePage(fixture(), { allowPartial: true });
    const form = { ...prefilledFields(await openPage(fixture(), path)), ...CARD_FORM, amount: '20.00' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => submitForm(fixture(), path, form)));
    expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    const { amountPaid, payments } = await getInvoice(fixture(), invoiceId);
    expect([amountPaid, payments.length]).toEqual([20, 1]);
    const later = await submitForm(fixture(), path, form);
    expect(later.location).toBe(answers[0]?.location);
    expect((await getInvoice(fixture(), invoiceId)).amountPaid).toBe(20);
  });

  test('never exceeds the amount due with two parallel forms', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { path, invoiceId } = await createInvoicePage(fixture(), { allowPartial: true });
      const forms = await Promise.all(
        [1, 2, 3].map(async () => ({ ...prefilledFields(await openPage(fixture(), path)), ...CARD_FORM, amount: '60.00' })),
      );
      const answers = await Promise.all(forms.map((form) => submitForm(fixture(), path, form)));
      expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
      expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ amountPaid: 60, amountPending: 0 });
    }
  });

  test("asks for security code, ZIP code and bank account according to the merchant's settings", async () => {
    const { path } = await createLinkPage(fixture());
    await merchant('/vt-settings', { requireCvv: false, requireZip: false, allowedModes: ['card', 'token'] });
    try {
      const { text } = await openPage(fixture(), path);
      expect(text).not.toMatch(/id="(cvv|zip|routing|method-ach)"/);
      expect((await pay(fixture(), path, { cvv: '', zip: '' })).after.text).toContain('Paid. Thank you.');
      await merchant('/vt-settings', { allowedModes: ['token'] });
      expect((await openPage(fixture(), (await createLinkPage(fixture())).path)).text).toContain('Payments are no longer accepted');
    } finally {
      await merchant('/vt-settings', { requireCvv: true, requireZip: true, allowedModes: ['card', 'ach', 'token'] });
    }
  });

  test('shows the page in Spanish for a Spanish merchant', async () => {
    const { path } = await createLinkPage(fixture());
    await merchant('/settings', { language: 'es' });
    try {
      const { text } = await openPage(fixture(), path);
      expect(text).toContain('<html lang="es">');
      expect(text).toContain('Pagar 25.00 USD');
      expect((await pay(fixture(), path, { number: CARDS.declined })).after.text).toContain('Su tarjeta fue rechazada.');
    } finally {
      await merchant('/settings', { language: 'en' });
    }
  });

  test('reports a voided payment, and accepts another one', async () => {
    const { path, invoiceId } = await createLinkPage(fixture());
    const { answer } = await pay(fixture(), path);
    const [paid] = (await getInvoice(fixture(), invoiceId)).payments;
    await expectData(fixture().api.admin.post(`/transactions/${paid?.transactionId}/void`, {}));
    expect((await openPage(fixture(), answer.location ?? '')).text).toContain('This payment was canceled');
    expect((await openPage(fixture(), (answer.location ?? '').replace('?', '/receipt.pdf?'))).status).toBe(404);
    expect((await pay(fixture(), path)).after.text).toContain('Paid. Thank you.');
  });

  test('accepts payments of an overdue invoice and shows its date', FULL, async () => {
    const { path, invoiceId } = await createInvoicePage(fixture());
    await expectData(fixture().api.admin.post(`/invoices/${invoiceId}/send`, { email: 'late@customer.example' }));
    await advanceClock(fixture(), 40 * 86_400);
    expect((await openPage(fixture(), path)).text).toMatch(/This was due on \w+ \d+, \d+\. You can still pay it here\./);
    expect((await pay(fixture(), path)).after.text).toContain('Paid. Thank you.');
  });
});

test.each(ANY_DATABASE)('waits for a pending payment and prevents a second one (%s)', async (database) => {
  // The gateway is slow until the test ends it, however long the requests take.
  const { server, stop } = await startTestServer(database, { sandboxSlowMs: 60_000 });
  const { baseUrl, credentials } = server;
  if (credentials === undefined) throw new Error('A server with demo tenants has their credentials.');
  const fixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  const gateway = (mode: string) => expectData(fixture.api.admin.post('/sandbox/gateway', { mode }));
  try {
    const { path, invoiceId } = await createLinkPage(fixture);
    const form = { ...prefilledFields(await openPage(fixture, path)), ...CARD_FORM };
    await gateway('slow');
    const slow = submitForm(fixture, path, form);
    await expect.poll(async () => (await openPage(fixture, path)).text).toContain('A payment is in progress');
    const pressedAgain = await submitForm(fixture, path, form);
    const { status, text } = await openPage(fixture, pressedAgain.location ?? '');
    expect(status).toBe(200);
    expect(text).toContain('We are checking this payment. Do not pay again.');
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
    expect((await submitForm(fixture, path, { ...CARD_FORM, attempt: 'another-attempt-1234', amount: '25.00' })).status).toBe(409);
    await gateway('normal');
    expect((await slow).location).toBe(pressedAgain.location);
    expect((await openPage(fixture, pressedAgain.location ?? '')).text).toContain('Paid. Thank you.');
    expect(await getInvoice(fixture, invoiceId)).toMatchObject({ amountPaid: 25, amountPending: 0 });
  } finally {
    await gateway('normal');
    await stop();
  }
});
