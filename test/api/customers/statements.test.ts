import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { cardPaymentBody, createInvoice, getInvoice, payInvoice } from '../../support/invoices.ts';
import { CARDS, createSale } from '../../support/sales.ts';
import {
  type ApiFixture,
  apiOf,
  DATABASES,
  describeOnSmallData,
  expectData,
  expectError,
  onAnyDatabase,
  startTestServer,
} from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';
import { type MailServer, startMailServer } from '../notifications/fake-mail-server.ts';
import { type MessageRecord, setMailServer } from '../notifications/outbox.ts';
import { type StatementRecord, statementOf } from './statement-history.ts';

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.stop());

const ZONE = 'America/New_York';
const DAY_MS = 86_400_000;

const ALL = { startDate: '2020-01-01' };

const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

async function newMerchant({ api }: ApiFixture): Promise<string> {
  const body = { name: `Stated ${randomUUID().slice(0, 8)}`, timezone: ZONE };
  return (await expectData(api.admin.post<{ merchantId: string }>('/merchants', body), 201)).merchantId;
}

async function newCustomer(service: ApiFixture, more: object = {}) {
  return createCustomer(service, {
    merchantId: await newMerchant(service),
    email: `stated${randomUUID().slice(0, 8)}@customer.example`,
    ...more,
  });
}

const moveDays = async ({ api }: ApiFixture, days: number) => {
  const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
  await expectData(api.admin.post('/sandbox/clock', { now: new Date(Date.parse(now) + days * DAY_MS).toISOString() }));
};

describeOnSmallData('the statement of a customer', DATABASES, (fixture, inFull) => {
  test('lists invoices, payments, refunds, voids and cancellations with balances', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const { customerId, merchantId } = await newCustomer(service);
    const invoice = await createInvoice(service, customerId, { amount: 100 });
    await createInvoice(service, customerId, { amount: 7, description: 'A draft is not owed' });
    await expectData(api.admin.post(`/invoices/${invoice.invoiceId}/send`, {}));
    await expectData(payInvoice(service, invoice.invoiceId, { amount: 30, paymentMethod: 'check', reference: '=1+1' }));
    await expectData(payInvoice(service, invoice.invoiceId, cardPaymentBody(CARDS.visa, { amount: 20 })));
    const { payments } = await getInvoice(service, invoice.invoiceId);
    const card = payments.find(({ method }) => method === 'card');
    await expectData(api.admin.post(`/transactions/${card?.transactionId}/refund`, { amount: 5 }));
    const { transactionId } = await createSale(service, 40, { customerId, merchantId });
    const statement = await statementOf(service, customerId);
    expect(statement.accounts).toEqual([
      { currency: 'USD', openingBalance: 0, charges: 145, credits: 95, received: 90, paidOut: 5, closingBalance: 50 },
    ]);
    expect((await getInvoice(service, invoice.invoiceId)).amountDue).toBe(50);
    expect(statement.entries.map(({ kind, charge, credit, balance, money }) => [kind, charge, credit, balance, money])).toEqual([
      ['invoice', 100, 0, 100, 0],
      ['payment', 0, 30, 70, 30],
      ['payment', 0, 20, 50, 20],
      ['refund', 5, 5, 50, -5],
      ['sale', 40, 40, 50, 40],
    ]);
    expect(statement.entries[4]).toMatchObject({ transactionId, invoiceId: null, method: 'card', last4: '1111' });
    await expectData(api.admin.post(`/transactions/${transactionId}/void`, {}));
    await expectData(api.admin.post(`/invoices/${invoice.invoiceId}/cancel`, { reason: 'Not delivered' }));
    const after = await statementOf(service, customerId);
    // 50.00 were paid for the canceled invoice, and 5.00 of them returned.
    expect(after.accounts[0]).toMatchObject({ closingBalance: -45, received: 90, paidOut: 45 });
    const csv = await api.admin.get<string>(`/customers/${customerId}/statement/export`);
    expect(csv.text).toContain(",'=1+1,");
    expect(csv.text.trim().split('\r\n')).toHaveLength(1 + after.entries.length);
    const pdf = await api.admin.get(`/customers/${customerId}/statement/pdf`);
    expect(pdf.status).toBe(200);
    expect(pdf.text.startsWith('%PDF')).toBe(true);
  });

  test('leaves out a draft whose payment at the desk was voided, which keeps its customer', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const { customerId, merchantId } = await newCustomer(service);
    const other = await createCustomer(service, { merchantId });
    const { invoiceId } = await createInvoice(service, customerId, { amount: 100 });
    await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa, { amount: 100 })));
    expect((await statementOf(service, customerId)).accounts).toMatchObject([{ charges: 100, credits: 100, closingBalance: 0 }]);
    const { payments } = await getInvoice(service, invoiceId);
    await expectData(api.admin.post(`/transactions/${payments[0]?.transactionId}/void`, {}));
    expect(await getInvoice(service, invoiceId)).toMatchObject({ status: 'draft' });
    expect((await statementOf(service, customerId)).entries).toEqual([]);
    const refused = await expectError(
      api.admin.put(`/invoices/${invoiceId}`, { customerId: other.customerId }),
      409,
      'RESOURCE_CONFLICT',
      'customerId',
    );
    expect(refused.details).toMatchObject({ reason: 'paid_before' });
  });

  test('divides its days in the time zone of the merchant, and carries the balance over', inFull, async () => {
    const service = fixture();
    const { customerId } = await newCustomer(service);
    const { invoiceId } = await createInvoice(service, customerId, { amount: 12.34 });
    await expectData(service.api.admin.post(`/invoices/${invoiceId}/send`, {}));
    const { entries } = await statementOf(service, customerId);
    const date = entries[0]?.date ?? '';
    expect(date).toBe(new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format(Date.parse(entries[0]?.at ?? '')));
    await moveDays(service, 2);
    await expectData(payInvoice(service, invoiceId, { amount: 2.34 }));
    const later = await statementOf(service, customerId, { startDate: addDays(date, 1), endDate: addDays(date, 3) });
    expect(later.accounts[0]).toMatchObject({ openingBalance: 12.34, charges: 0, credits: 2.34, closingBalance: 10 });
    const error = await expectError(
      service.api.admin.get(`/customers/${customerId}/statement?startDate=${date}&endDate=${addDays(date, -1)}`),
      400,
      'VALIDATION_ERROR',
    );
    expect(error.message).toContain('endDate');
  });

  test('keeps the day of a payment after a change of the time zone, as the ledger does', inFull, async () => {
    const service = fixture();
    const { customerId, merchantId } = await newCustomer(service);
    // It is never the same day in both zones.
    const move = (timezone: string) => expectData(service.api.admin.put(`/merchants/${merchantId}`, { timezone }));
    await move('Pacific/Pago_Pago');
    const { invoiceId } = await createInvoice(service, customerId, { amount: 12 });
    await expectData(payInvoice(service, invoiceId));
    const payment = (await statementOf(service, customerId)).entries.find(({ kind }) => kind === 'payment');
    const date = payment?.date ?? '';
    await move('Pacific/Kiritimati');
    const { accounts, entries } = await statementOf(service, customerId, { startDate: date, endDate: date });
    expect([accounts[0]?.received, entries.map(({ entryId }) => entryId)]).toEqual([12, [payment?.entryId]]);
  });

  test('lists a refund to store credit, which moves no money', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const { customerId, merchantId } = await newCustomer(service);
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { storeCreditForCards: true }));
    const { invoiceId } = await createInvoice(service, customerId, { amount: 60 });
    const paid = await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa, { amount: 60 })));
    const paymentId = paid.payments[0]?.transactionId;
    await expectData(api.admin.post('/gift-cards/refund', { paymentId, customerId, amount: 25 }), 201);
    const { accounts, entries } = await statementOf(service, customerId, ALL);
    expect(entries.at(-1)).toMatchObject({ kind: 'store_credit', charge: 25, credit: 25, money: 0, balance: 0 });
    expect(accounts).toMatchObject([{ received: 60, paidOut: 0, closingBalance: 0 }]);
  });

  test('goes by email to the address on file only, once per key, and with its PDF', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const { customerId } = await createCustomer(service, { email: `stated${randomUUID().slice(0, 8)}@customer.example` });
    expect((await expectData(api.public.get<StatementRecord>(`/customer/${customerId}/statement`))).accounts).toEqual([]);
    const { email } = await expectData(api.admin.get<{ email: string }>(`/customers/${customerId}`));
    const path = `/customers/${customerId}/statement/email`;
    const key = { 'Idempotency-Key': randomUUID() };
    const sent = await expectData(api.admin.post<{ messageId: string; to: string }>(path, { email: 'thief@elsewhere.example' }, key));
    expect(sent.to).toBe(email);
    expect(await expectData(api.admin.post(path, { email: 'thief@elsewhere.example' }, key))).toEqual(sent);
    const message = await expectData(api.admin.get<MessageRecord>(`/notifications/messages/${sent.messageId}`));
    expect(message).toMatchObject({ kind: 'statement', to: email, resourceId: customerId });
    expect(message.attachment).toMatch(new RegExp(`^statement:${customerId}_`));
    const tenTimes = await Promise.all(
      Array.from({ length: 10 }, () => api.admin.post(path, {}, { 'Idempotency-Key': `${customerId}-10` })),
    );
    const outbox = await expectData(api.admin.get<MessageRecord[]>(`/notifications/messages?resourceId=${customerId}`));
    expect(tenTimes.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(outbox).toHaveLength(2);
    await setMailServer(api, mail);
    const resend = `/notifications/messages/${sent.messageId}/resend`;
    const stolen = await expectError(api.admin.post(resend, { to: 'thief@elsewhere.example' }), 409, 'RESOURCE_CONFLICT');
    expect(stolen.details).toMatchObject({ reason: 'address_on_file' });
    await expectData(api.admin.post(resend, {}));
    const got = await until('the statement arrived', async () => mail.mails.find(({ to }) => JSON.stringify(to).includes(email)));
    expect(got.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf']);
    const moved = `stated${randomUUID().slice(0, 8)}@customer.example`;
    await expectData(api.admin.put(`/customers/${customerId}`, { email: moved }));
    await expectData(api.admin.post(resend, {}));
    await until('the statement is not sent to the former address', async () => {
      const { status, lastError } = await expectData(api.admin.get<MessageRecord>(`/notifications/messages/${sent.messageId}`));
      return status === 'expired' && lastError?.includes('another email address');
    });
    const { customerId: silent } = await newCustomer(service, { email: undefined });
    await expectError(api.admin.post(`/customers/${silent}/statement/email`, {}), 409, 'RESOURCE_CONFLICT');
  });

  test('is closed to people of other merchants, and its sending and export to a viewer', inFull, async () => {
    const service = fixture();
    const { customerId } = await newCustomer(service);
    const manager = await createUser(service, 'manager', {}, await newMerchant(service));
    for (const end of ['', '/pdf', '/export'])
      await expectError(
        service.api.bare.get(`/api/v1/customers/${customerId}/statement${end}`, manager.headers),
        403,
        'MERCHANT_NOT_AUTHORIZED',
      );
    const email = `/api/v1/customers/${customerId}/statement/email`;
    await expectError(service.api.bare.post(email, {}, manager.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    const { merchantId } = await expectData(service.api.admin.get<{ merchantId: string }>(`/customers/${customerId}`));
    const viewer = await createUser(service, 'viewer', {}, merchantId);
    expect((await service.api.bare.get(`/api/v1/customers/${customerId}/statement`, viewer.headers)).status).toBe(200);
    await expectError(service.api.bare.get(`/api/v1/customers/${customerId}/statement/export`, viewer.headers), 403, 'PERMISSION_DENIED');
    await expectError(service.api.bare.post(email, {}, viewer.headers), 403, 'PERMISSION_DENIED');
  });
});

onAnyDatabase('a leaked key cannot mail statements en masse', async ({ database }) => {
  const limits = { spacingMs: 30_000, perDestination: 10, perTenant: 4 };
  const { server, stop } = await startTestServer(database, { messageLimits: limits }, 'small');
  try {
    const { baseUrl, credentials } = server;
    if (!credentials) throw new Error('the sample data has credentials');
    const api = apiOf(baseUrl, credentials);
    const service = { database, baseUrl, credentials, api };
    const sendTo = async () => api.public.post(`/customer/${(await createCustomer(service)).customerId}/statement/email`, {});
    const statuses = [];
    for (let nth = 0; nth < 7; nth += 1) statuses.push((await sendTo()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429]);
  } finally {
    await stop();
  }
});
