import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MESSAGE_LIMITS } from '#core/records/notifications';
import { storeCard, subscribe } from '../../support/customers.ts';
import { getInvoice } from '../../support/invoices.ts';
import { type ApiFixture, apiOf, describeOnAnyDatabase, expectData, expectError, startTestServer } from '../../support/server.ts';
import { takeTender } from '../../support/tenders.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { openPage, pathOf, submitForm } from '../pages/pay-page-client.ts';
import {
  CARD_PART,
  cardForm,
  confirmed,
  fieldsOf,
  linkTo,
  newCustomer,
  openPayment,
  pageWithInvoices,
  requestCode,
  STORED_PART,
  submit,
} from './customer-page-client.ts';

describeOnAnyDatabase('attacks on the page of a customer', (fixture) => {
  test('opens no page for a guessed, cut or changed token, and none after the link expired', async () => {
    const service = fixture();
    const { path } = await pageWithInvoices(service, [61]);
    const token = path.split('/').at(-1) ?? '';
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const guess of [changed, token.slice(1), token.toUpperCase(), 'x', `${token}0`, '%00', '..%2f..'])
      expect([404, 400]).toContain((await openPage(service, `/account/${guess}`)).status);
    const short = await linkTo(service, (await newCustomer(service)).customerId, { validDays: 1 });
    await advanceClock(service, 2 * 86_400);
    const expired = await openPage(service, pathOf(short.url));
    expect([expired.status, expired.text.includes('This link has expired')]).toEqual([410, true]);
    for (const part of ['/code', '/confirm', '/pay', '/end', '/change/cancel/sub_1'])
      expect((await submit(service, `${pathOf(short.url)}${part}`, [])).status).toBe(410);
  });

  test('reaches no invoice, subscription, card, receipt or payment of another customer', async () => {
    const service = fixture();
    const mine = await pageWithInvoices(service, [62]);
    const theirs = await pageWithInvoices(service, [63]);
    const card = await storeCard(service, theirs.customer.customerId);
    const subscription = await subscribe(service, theirs.customer.customerId);
    await expectData(
      service.api.admin.put(`/merchants/${service.credentials.merchantId}/settings`, { customerPageCancel: true, customerPageSkip: true }),
    );
    const { headers, key } = await confirmed(service, mine.path, mine.email);
    const change = (kind: string, id: string) =>
      submit(
        service,
        `${mine.path}/change/${kind}/${id}`,
        [
          ['key', key],
          ['date', '2030-01-01'],
        ],
        headers,
      );
    for (const kind of ['cancel', 'skip']) expect((await change(kind, subscription.subscriptionId)).status).toBe(404);
    for (const kind of ['replace', 'remove']) expect((await change(kind, card.paymentMethodId)).status).toBe(404);
    const payment = await openPayment(service, mine.path, theirs.invoices);
    expect([payment.status, payment.text.includes('63.00')]).toEqual([400, false]);
    const form = await openPayment(service, mine.path, mine.invoices, headers);
    const swapped = fieldsOf(form, CARD_PART).map(([name, value]): [string, string] =>
      name === 'invoice' ? [name, `${theirs.invoices[0]?.invoiceId}:6300`] : [name, value],
    );
    expect((await submit(service, `${mine.path}/pay`, [...swapped, ...cardForm()])).status).toBe(409);
    const stored = [...fieldsOf(form, CARD_PART), ['key', key], ['stored', card.paymentMethodId]] as [string, string][];
    expect((await submit(service, `${mine.path}/pay`, stored, headers)).status).toBeGreaterThanOrEqual(400);
    expect((await getInvoice(service, mine.invoices[0]?.invoiceId ?? '')).status).toBe('sent');
    const paid = await openPayment(service, theirs.path, theirs.invoices);
    const { location } = await submit(service, `${theirs.path}/pay`, [...fieldsOf(paid, CARD_PART), ...cardForm()]);
    expect((await openPage(service, (location ?? '').replace(theirs.path, mine.path))).status).toBe(404);
    const { tenderId } = await takeTender(service, 12, { kind: 'check', checkNumber: '77', customerId: theirs.customer.customerId });
    const theirPage = (await openPage(service, theirs.path)).text;
    for (const kind of ['txn', 'tnd']) {
      const [receipt = ''] = new RegExp(`receipts/${kind}_\\w+\\.pdf`).exec(theirPage) ?? [];
      expect((await openPage(service, `${theirs.path}/${receipt}`)).status).toBe(200);
      expect((await openPage(service, `${mine.path}/${receipt}`)).status).toBe(404);
    }
    // A returned check has no receipt any more.
    await expectData(service.api.admin.post(`/tenders/${tenderId}/return`, {}));
    expect((await openPage(service, theirs.path)).text).not.toContain(tenderId);
    expect((await openPage(service, `${theirs.path}/receipts/${tenderId}.pdf`)).status).toBe(404);
    await expectData(
      service.api.admin.put(`/merchants/${service.credentials.merchantId}/settings`, {
        customerPageCancel: false,
        customerPageSkip: false,
      }),
    );
  });

  test('changes the amounts of no invoice: a form with another amount or currency is refused', async () => {
    const service = fixture();
    const { path, invoices } = await pageWithInvoices(service, [64]);
    const form = fieldsOf(await openPayment(service, path, invoices), CARD_PART);
    for (const amount of ['1', '6401', '-6400', '6400.5', '6400:1'])
      expect(
        (
          await submit(service, `${path}/pay`, [
            ...form.map(([name, value]): [string, string] => (name === 'invoice' ? [name, value.replace('6400', amount)] : [name, value])),
            ...cardForm(),
          ])
        ).status,
      ).toBe(409);
    const twice = [...form, ...form.filter(([name]) => name === 'invoice'), ...cardForm()];
    expect((await submit(service, `${path}/pay`, twice)).status).toBe(409);
    expect(await getInvoice(service, invoices[0]?.invoiceId ?? '')).toMatchObject({ status: 'sent', amountPending: 0 });
  });

  test('makes no change with the link alone, with a code of another link, or with the session of another link', async () => {
    const service = fixture();
    const { customer, path, email, invoices } = await pageWithInvoices(service, [65]);
    const card = await storeCard(service, customer.customerId);
    const other = pathOf((await linkTo(service, customer.customerId)).url);
    const session = await confirmed(service, other, email);
    const remove = (form: [string, string][], headers: Record<string, string> = {}) =>
      submit(service, `${path}/change/remove/${card.paymentMethodId}`, form, headers);
    expect((await remove([])).status).toBe(403);
    expect((await remove([['key', session.key]], session.headers)).status).toBe(403);
    expect((await remove([['key', '']], { cookie: 'paydesk_account=' })).status).toBe(403);
    const { codeId, code } = await requestCode(service, other, email);
    expect((await submitForm(service, `${path}/confirm`, { codeId, code })).status).toBe(409);
    const form = await openPayment(service, other, invoices, session.headers);
    const stored = [...fieldsOf(form, STORED_PART), ['stored', card.paymentMethodId]] as [string, string][];
    expect((await submit(service, `${path}/pay`, stored, session.headers)).status).toBe(403);
    expect((await submit(service, `${other}/pay`, stored)).status).toBe(403);
    expect((await getInvoice(service, invoices[0]?.invoiceId ?? '')).status).toBe('sent');
  });

  test('takes no session that the browser brings along, and ends it with the link and by a click', async () => {
    const service = fixture();
    const { customer, path, email, link } = await pageWithInvoices(service, [66]);
    const card = await storeCard(service, customer.customerId);
    const planted = 'paydesk_account=AAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const { codeId, code } = await requestCode(service, path, email);
    const answer = await submit(
      service,
      `${path}/confirm`,
      [
        ['codeId', codeId],
        ['code', code],
      ],
      { cookie: planted },
    );
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(new RegExp(`^paydesk_account=[\\w-]{27}; Path=${path}; Max-Age=1200; HttpOnly; SameSite=Strict$`));
    expect(cookie).not.toContain('AAAAAAAAAAA');
    expect((await openPage(service, path, { cookie: planted })).text).toContain('Send a code');
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    const key = /name="key" value="([^"]+)"/.exec((await openPage(service, path, headers)).text)?.[1] ?? '';
    expect(key).not.toBe('');
    await submit(service, `${path}/end`, [['key', key]], headers);
    expect((await openPage(service, path, headers)).text).toContain('Send a code');
    const again = await confirmed(service, path, email);
    await expectData(service.api.admin.delete(`/customers/${customer.customerId}/page-links/${link.linkId}`));
    const late = await submit(service, `${path}/change/remove/${card.paymentMethodId}`, [['key', again.key]], again.headers);
    expect(late.status).toBe(410);
  });

  test('refuses forms of other sites and of a page without its key', async () => {
    const service = fixture();
    const { customer, path, email } = await pageWithInvoices(service, [67]);
    const card = await storeCard(service, customer.customerId);
    const { headers, key } = await confirmed(service, path, email);
    const remove = (form: [string, string][], more: Record<string, string>) =>
      submit(service, `${path}/change/remove/${card.paymentMethodId}`, form, { ...headers, ...more });
    expect((await remove([['key', key]], { origin: 'https://evil.example' })).status).toBe(400);
    expect((await remove([['key', key]], { origin: 'null' })).status).toBe(400);
    expect((await remove([], {})).status).toBe(403);
    expect((await openPage(service, path)).text).toContain('Visa ending 1111');
  });

  test('checks at most five guesses of a code, however many are sent in parallel', async () => {
    const service = fixture();
    const { path, email } = await pageWithInvoices(service, [68]);
    const { codeId, code } = await requestCode(service, path, email);
    const guesses = Array.from({ length: 40 }, (_, nth) => String(nth).padStart(6, '0')).filter((guess) => guess !== code);
    const answers = await Promise.all(guesses.map((guess) => submitForm(service, `${path}/confirm`, { codeId, code: guess })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await submitForm(service, `${path}/confirm`, { codeId, code })).status).toBe(400);
    const next = await requestCode(service, path, email);
    const used = await Promise.all(Array.from({ length: 5 }, () => submitForm(service, `${path}/confirm`, next)));
    expect(used.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  test('returns after a code to its own pages only', async () => {
    const service = fixture();
    const { path } = await pageWithInvoices(service, [69]);
    for (const next of ['https://evil.example', '//evil.example', '../../', 'change/cancel/../../x', 'pay?invoice=inv_1"><script>']) {
      const { location } = await submit(service, `${path}/code`, [['next', next]]);
      if (location !== null) expect(new URL(location, service.baseUrl).searchParams.get('next')).toBe('');
    }
    const shown = await openPage(
      service,
      `${path}/code?id=otp_${'0'.repeat(26)}&next=${encodeURIComponent('"><script>alert(1)</script>')}`,
    );
    expect(shown.text).not.toContain('<script>alert');
  });

  test('shows nothing after the customer was deleted or the merchant was closed', async () => {
    const service = fixture();
    const { customer, path } = await pageWithInvoices(service, []);
    await expectData(service.api.admin.delete(`/customers/${customer.customerId}`));
    expect((await openPage(service, path)).status).toBe(404);
    const merchant = await expectData(
      service.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Closing', currency: 'USD', timezone: 'UTC' }),
      201,
    );
    const theirs = await newCustomer(service, { merchantId: merchant.merchantId });
    const link = await linkTo(service, theirs.customerId);
    expect((await openPage(service, pathOf(link.url))).status).toBe(200);
    await expectData(service.api.admin.delete(`/merchants/${merchant.merchantId}`));
    const closed = await openPage(service, pathOf(link.url));
    expect([closed.status, closed.text.includes('This link is no longer valid')]).toEqual([410, true]);
    await expectError(service.api.admin.post(`/customers/${theirs.customerId}/page-links`, {}), 404, 'MERCHANT_NOT_FOUND');
  });
});

describe('codes and secrets of the page of a customer', () => {
  async function started(messageLimits: Partial<typeof MESSAGE_LIMITS>) {
    const { server, stop, dataDir } = await startTestServer('sqlite', { messageLimits });
    const { baseUrl, credentials } = server;
    if (credentials === undefined) throw new Error('the sample data has credentials');
    const service: ApiFixture = { database: 'sqlite', baseUrl, credentials, api: apiOf(baseUrl, credentials) };
    return { service, stop, dataDir };
  }

  test('sends one code for 64 requests in parallel', async () => {
    const { service, stop } = await started(MESSAGE_LIMITS);
    try {
      const { path } = await pageWithInvoices(service, []);
      const answers = await Promise.all(Array.from({ length: 64 }, () => submit(service, `${path}/code`, [])));
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 429]));
    } finally {
      await stop();
    }
  });

  test('sends five codes in a day, and stores no token, cookie, code or card number', async () => {
    const { service, stop, dataDir } = await started({ spacingMs: 0, perDestination: 1_000 });
    try {
      const { path, email, invoices } = await pageWithInvoices(service, [71]);
      const { headers } = await confirmed(service, path, email);
      const form = await openPayment(service, path, invoices);
      const number = '4242424242424242';
      expect((await submit(service, `${path}/pay`, [...fieldsOf(form, CARD_PART), ...cardForm({ number })])).status).toBe(303);
      const codes: string[] = [];
      for (let nth = 0; nth < 4; nth += 1) codes.push((await requestCode(service, path, email)).code);
      expect((await submit(service, `${path}/code`, [])).status).toBe(429);
      const files = (await readdir(dataDir)).filter((name) => name.includes('.sqlite'));
      const stored = Buffer.concat(await Promise.all(files.map((name) => readFile(join(dataDir, name))))).toString('latin1');
      expect(stored).toContain('customer_page_links');
      for (const secret of [path.split('/').at(-1), headers.cookie.split('=')[1], number])
        expect(stored.includes(String(secret))).toBe(false);
      for (const code of codes) expect(stored.includes(`is ${code}.`)).toBe(false);
    } finally {
      await stop();
    }
  });
});
