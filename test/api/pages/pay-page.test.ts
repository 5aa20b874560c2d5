import { expect, test } from 'vitest';
import { customer } from '../../support/customers.ts';
import { invoice, invoiceOf, payment } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { advance } from '../../support/webhooks.ts';
import { asked, BANK_FORM, CARD_FORM, hidden, linked, look, pays, press } from './payer.ts';

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
    const { path, number } = await asked(fixture(), { amount: undefined, items: ITEMS, note: 'Thank you.', dueDate: '2039-12-05' });
    const { status, headers, text } = await look(fixture(), path);
    expect(status).toBe(200);
    for (const said of [number, 'Brake pads', '29.50 USD', '149.50 USD', 'Due Dec 5, 2039', 'Thank you.', 'SANDBOX', 'Pay 149.50 USD'])
      expect(text).toContain(said);
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

  test('files of the page are kept for ever under names of their content, and HEAD answers without a body', async () => {
    const { path } = await linked(fixture());
    const { text } = await look(fixture(), path);
    for (const [, url = ''] of text.matchAll(/(?:href|src)="(\/pay\/assets\/[^"]+)"/g)) {
      const { status, headers } = await look(fixture(), url);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    const head = await fetch(`${fixture().baseUrl}${path}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('pays with a card by a plain form, and shows the receipt', async () => {
    const { path, invoiceId } = await asked(fixture());
    const { answer, after } = await pays(fixture(), path);
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(new RegExp(`^${path}\\?payment=ivp_`));
    expect(after.status).toBe(200);
    for (const said of ['Paid. Thank you.', '100.00 USD', 'Visa ending 1111', 'Receipt PDF']) expect(after.text).toContain(said);
    const { status, amountPaid, payments } = await invoiceOf(fixture(), invoiceId);
    expect({ status, amountPaid, payments: payments.map(({ origin, status: of }) => [origin, of]) }).toEqual({
      status: 'paid',
      amountPaid: 100,
      payments: [['page', 'succeeded']],
    });
    const [, receipt = ''] = /href="([^"]+receipt\.pdf[^"]+)"/.exec(after.text) ?? [];
    for (const file of [receipt.replaceAll('&amp;', '&'), `${path}/invoice.pdf`]) {
      const pdf = await look(fixture(), file);
      expect([pdf.status, pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
    }
    const again = await look(fixture(), path);
    expect([again.status, again.text.includes('This is paid. Thank you.')]).toEqual([200, true]);
    expect((await press(fixture(), path, { ...CARD_FORM, attempt: 'another-attempt-1234', amount: '100.00' })).status).toBe(409);
  });

  test('pays with a bank account', async () => {
    const { path, invoiceId } = await linked(fixture());
    const { after } = await pays(fixture(), path, BANK_FORM);
    expect(after.text).toContain('Bank account ending 6789');
    expect((await invoiceOf(fixture(), invoiceId)).status).toBe('paid');
  });

  test('emails the receipt once, however often the form is sent', async () => {
    const { path } = await linked(fixture());
    const email = `payer-${path.slice(-6).toLowerCase()}@customer.example`;
    const form = { ...hidden(await look(fixture(), path)), ...CARD_FORM, email };
    const [first, second] = await Promise.all([press(fixture(), path, form), press(fixture(), path, form)]);
    expect(second?.location).toBe(first?.location);
    const cookie = first?.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await look(fixture(), first?.location ?? '', { cookie })).text).toContain(`The receipt is sent to ${email}.`);
    expect((await look(fixture(), first?.location ?? '')).text).not.toContain(email);
    await expect.poll(async () => (await messagesTo(email)).length).toBe(1);
  });

  test('shows problems at their fields, and returns the form without number and code', async () => {
    const { path, invoiceId } = await linked(fixture());
    const wrong = { number: '4111111111111112', expiry: '13/39', cvv: '9', zip: '04101', name: 'Ann Marsh', email: 'ann@nowhere' };
    const { answer } = await pays(fixture(), path, wrong);
    expect(answer.status).toBe(400);
    for (const id of ['number', 'expiry', 'cvv', 'email']) {
      expect(answer.text).toMatch(new RegExp(`<input id="${id}"[^>]* aria-describedby="[^"]*${id}-fault"[^>]* aria-invalid="true"`));
      expect(answer.text).toContain(`<a href="#${id}">`);
    }
    expect(answer.text).toContain('role="alert" tabindex="-1" autofocus');
    for (const kept of ['value="Ann Marsh"', 'value="04101"', 'value="ann@nowhere"']) expect(answer.text).toContain(kept);
    expect(answer.text).not.toMatch(/\b4111|value="9"/);
    expect((await invoiceOf(fixture(), invoiceId)).payments).toEqual([]);
  });

  test.for([
    ['nothing at all', { number: '', expiry: '', cvv: '', zip: '', name: '' }, ['number', 'expiry', 'cvv', 'zip', 'name']],
    ['an expired card', { expiry: '01/20' }, ['expiry']],
    ['a card number for a name', { name: '4111 1111 1111 1111' }, ['name']],
    ['a wrong routing number', { ...BANK_FORM, routing: '021000022' }, ['routing']],
    ['a short account number', { ...BANK_FORM, account: '12' }, ['account']],
  ] as [string, Record<string, string>, string[]][])('%s is refused at the fields', async ([, form, fields]) => {
    const { path } = await linked(fixture());
    const { answer } = await pays(fixture(), path, form);
    expect(answer.status).toBe(400);
    expect([...answer.text.matchAll(/id="(\w+)-fault"/g)].map(([, id]) => id).sort()).toEqual([...fields].sort());
    expect(answer.text).not.toMatch(/\b4111/);
  });

  test.for(['12/39', '1239', '12 / 39', '12/2039', '12-39'])('accepts an expiry date typed as %s', async (expiry) => {
    const { path } = await linked(fixture());
    expect((await pays(fixture(), path, { expiry })).after.text).toContain('Paid. Thank you.');
  });

  test.for([
    [CARDS.declined, 'Your card was declined. Nothing was charged. Try another card.'],
    ['4100000000000019', 'Your card was declined. Nothing was charged. Try another card.'],
    [CARDS.noFunds, 'There is not enough money for this payment.'],
    ['4000000000000127', 'Check what you typed, or try another card.'],
  ] as const)('explains a decline of %s to the payer with a new form that keeps the rest', async ([number, words]) => {
    const { path } = await linked(fixture());
    const { answer, after } = await pays(fixture(), path, { number });
    expect(answer.status).toBe(303);
    expect(after.text).toContain(words);
    expect(after.text).not.toMatch(/fraud|suspect/i);
    expect(after.text).toContain('value="Ann Marsh"');
    expect(after.text).not.toContain(number.slice(0, 6));
    const form = { ...hidden(after), ...CARD_FORM };
    const paid = await press(fixture(), path, form);
    expect((await look(fixture(), paid.location ?? '')).text).toContain('Paid. Thank you.');
  });

  test('waits for a pending payment and prevents a second one', async () => {
    const { path, invoiceId } = await linked(fixture());
    const form = { ...hidden(await look(fixture(), path)), ...CARD_FORM };
    await gateway('slow');
    try {
      const slow = press(fixture(), path, form);
      await expect.poll(async () => (await look(fixture(), path)).text).toContain('A payment is under way');
      const pressedAgain = await press(fixture(), path, form);
      const { status, text } = await look(fixture(), pressedAgain.location ?? '');
      expect(status).toBe(200);
      expect(text).toContain('We are checking this payment. Do not pay again.');
      expect(text).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
      expect((await press(fixture(), path, { ...CARD_FORM, attempt: 'another-attempt-1234', amount: '25.00' })).status).toBe(409);
      expect((await slow).location).toBe(pressedAgain.location);
      expect((await look(fixture(), pressedAgain.location ?? '')).text).toContain('Paid. Thank you.');
    } finally {
      await gateway('normal');
    }
    expect(await invoiceOf(fixture(), invoiceId)).toMatchObject({ amountPaid: 25, amountPending: 0 });
  });

  test.for([
    [CARDS.answerLost, 'Paid. Thank you.', 25, 1],
    [CARDS.neverReceived, 'Nothing was charged.', 0, 0],
  ] as const)('shows the outcome of a lost answer (%s) when it is known, and emails one receipt', async ([number, said, paid, mails]) => {
    const { path, invoiceId } = await linked(fixture());
    const email = `waits-${path.slice(-6).toLowerCase()}@customer.example`;
    const form = { ...hidden(await look(fixture(), path)), ...CARD_FORM, number, email };
    const answer = await press(fixture(), path, form);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    await advance(fixture(), 3_600);
    // Nobody looks at the page again before the receipt is written.
    await expect.poll(async () => (await messagesTo(email)).length).toBe(mails);
    await expect.poll(async () => (await look(fixture(), answer.location ?? '', { cookie })).text).toContain(said);
    expect(await messagesTo(email)).toHaveLength(mails);
    expect((await invoiceOf(fixture(), invoiceId)).amountPaid).toBe(paid);
  });

  test('while the processor is away nothing is charged and the payer is asked to come later', async () => {
    const { path, invoiceId } = await linked(fixture());
    await gateway('down');
    const { after } = await pays(fixture(), path).finally(() => gateway('normal'));
    expect(after.text).toMatch(/Nothing was charged\. Please try again later\./);
    expect(await invoiceOf(fixture(), invoiceId)).toMatchObject({ amountPaid: 0, amountPending: 0, status: 'sent' });
    expect((await pays(fixture(), path)).after.text).toContain('Paid. Thank you.');
  });

  test('accepts a part if allowed, and refuses more than the amount due at the field', async () => {
    const { path, invoiceId } = await asked(fixture(), { allowPartial: true });
    const { answer } = await pays(fixture(), path, { amount: '100.01' });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/id="amount-fault">That is more than is due\. Pay 100\.00 USD or less\./);
    for (const amount of ['0', '-5', '1e2', '10.001', 'all'])
      expect((await pays(fixture(), path, { amount })).answer.text).toContain('id="amount-fault"');
    const part = await pays(fixture(), path, { amount: '40,00 USD' });
    expect(part.after.text).toContain('60.00 USD is still due.');
    expect(await invoiceOf(fixture(), invoiceId)).toMatchObject({ status: 'partially_paid', amountPaid: 40, amountDue: 60 });
    expect((await pays(fixture(), path)).after.text).toContain('Paid. Thank you.');
    expect(await invoiceOf(fixture(), invoiceId)).toMatchObject({ status: 'paid', amountPaid: 100 });
  });

  test('shows a changed amount again instead of charging it', async () => {
    const { path, invoiceId } = await asked(fixture());
    const form: Record<string, string> = { ...hidden(await look(fixture(), path)), ...CARD_FORM };
    await expectData(payment(fixture(), invoiceId, { amount: 30 }));
    for (const amount of [form.amount ?? '', '5.00']) {
      const answer = await press(fixture(), path, { ...form, amount });
      expect([answer.status === 409 || answer.status === 422, answer.text.includes('The amount due has changed')]).toEqual([true, true]);
      expect(hidden(answer).amount).toBe('70.00');
    }
    expect((await invoiceOf(fixture(), invoiceId)).amountPaid).toBe(30);
  });

  test('shows an amount in another currency again instead of charging it', async () => {
    const { customerId } = await customer(fixture());
    const { invoiceId, url } = await invoice(fixture(), customerId, { amount: 10 });
    const { pathname } = new URL(url);
    const form: Record<string, string> = { ...hidden(await look(fixture(), pathname)), ...CARD_FORM };
    await expectData(fixture().api.admin.put(`/invoices/${invoiceId}`, { currency: 'EUR', amount: 10 }));
    const answer = await press(fixture(), pathname, form);
    expect([answer.status, answer.text.includes('The amount due has changed')]).toEqual([409, true]);
    expect(await invoiceOf(fixture(), invoiceId)).toMatchObject({ amountPaid: 0, amountPending: 0 });
  });

  test('treats an invalid payment ID as unknown', async () => {
    const { path } = await linked(fixture());
    for (const file of ['', '/receipt.pdf']) expect((await look(fixture(), `${path}${file}?payment=%00`)).status).toBe(404);
  });

  test('makes one payment of twenty parallel submissions of one form', async () => {
    const { path, invoiceId } = await asked(fixture(), { allowPartial: true });
    const form = { ...hidden(await look(fixture(), path)), ...CARD_FORM, amount: '20.00' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => press(fixture(), path, form)));
    expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    const { amountPaid, payments } = await invoiceOf(fixture(), invoiceId);
    expect([amountPaid, payments.length]).toEqual([20, 1]);
    const later = await press(fixture(), path, form);
    expect(later.location).toBe(answers[0]?.location);
    expect((await invoiceOf(fixture(), invoiceId)).amountPaid).toBe(20);
  });

  test('never exceeds the amount due with two parallel forms', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { path, invoiceId } = await asked(fixture(), { allowPartial: true });
      const forms = await Promise.all(
        [1, 2, 3].map(async () => ({ ...hidden(await look(fixture(), path)), ...CARD_FORM, amount: '60.00' })),
      );
      const answers = await Promise.all(forms.map((form) => press(fixture(), path, form)));
      expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
      expect(await invoiceOf(fixture(), invoiceId)).toMatchObject({ amountPaid: 60, amountPending: 0 });
    }
  });

  test('security code and ZIP are asked for where the merchant wants them, and bank accounts where it takes them', async () => {
    const { path } = await linked(fixture());
    await merchant('/vt-settings', { requireCvv: false, requireZip: false, allowedModes: ['card', 'token'] });
    try {
      const { text } = await look(fixture(), path);
      expect(text).not.toMatch(/id="(cvv|zip|routing|method-ach)"/);
      expect((await pays(fixture(), path, { cvv: '', zip: '' })).after.text).toContain('Paid. Thank you.');
      await merchant('/vt-settings', { allowedModes: ['token'] });
      expect((await look(fixture(), (await linked(fixture())).path)).text).toContain('No longer taking payments');
    } finally {
      await merchant('/vt-settings', { requireCvv: true, requireZip: true, allowedModes: ['card', 'ach', 'token'] });
    }
  });

  test('Spanish is spoken where the merchant speaks it', async () => {
    const { path } = await linked(fixture());
    await merchant('/settings', { language: 'es' });
    try {
      const { text } = await look(fixture(), path);
      expect(text).toContain('<html lang="es">');
      expect(text).toContain('Pagar 25.00 USD');
      expect((await pays(fixture(), path, { number: CARDS.declined })).after.text).toContain('Su tarjeta fue rechazada.');
    } finally {
      await merchant('/settings', { language: 'en' });
    }
  });

  test('reports a voided payment, and accepts another one', async () => {
    const { path, invoiceId } = await linked(fixture());
    const { answer } = await pays(fixture(), path);
    const [paid] = (await invoiceOf(fixture(), invoiceId)).payments;
    await expectData(fixture().api.admin.post(`/transactions/${paid?.transactionId}/void`, {}));
    expect((await look(fixture(), answer.location ?? '')).text).toContain('This payment was cancelled');
    expect((await look(fixture(), (answer.location ?? '').replace('?', '/receipt.pdf?'))).status).toBe(404);
    expect((await pays(fixture(), path)).after.text).toContain('Paid. Thank you.');
  });

  test('accepts payments of an overdue invoice and shows its date', async () => {
    const { path, invoiceId } = await asked(fixture());
    await expectData(fixture().api.admin.post(`/invoices/${invoiceId}/send`, { email: 'late@customer.example' }));
    await advance(fixture(), 40 * 86_400);
    expect((await look(fixture(), path)).text).toMatch(/Was due \w+ \d+, \d+\. You can still pay it here\./);
    expect((await pays(fixture(), path)).after.text).toContain('Paid. Thank you.');
  });
});
