import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInvoice } from '../../support/invoices.ts';
import { createOrder } from '../../support/orders.ts';
import { startPublicHost } from '../../support/public-host.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { takeTender } from '../../support/tenders.ts';
import { until } from '../../support/until.ts';
import { type MailServer, startMailServer } from '../notifications/fake-mail-server.ts';
import { setMailServer } from '../notifications/outbox.ts';
import { openPage } from '../pages/pay-page-client.ts';
import { linkTo, newCustomer } from './customer-page-client.ts';

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.stop());

describeOnAnyDatabase('links to the page of a customer in emails', (fixture) => {
  let host: Awaited<ReturnType<typeof startPublicHost>> | undefined;
  const settings = ({ api, credentials }: ApiFixture, change: object) =>
    expectData(api.admin.put(`/merchants/${credentials.merchantId}/settings`, change));

  async function start() {
    const service = fixture();
    host ??= await startPublicHost(service.baseUrl);
    await settings(service, { publicUrl: host.url });
    await setMailServer(service.api, mail);
    return service;
  }
  afterAll(async () => {
    await settings(fixture(), { publicUrl: null });
    host?.close();
  });

  const send = async ({ api }: ApiFixture, invoiceId: string, email?: string) =>
    expectData(api.admin.post(`/invoices/${invoiceId}/send`, email === undefined ? {} : { email }));
  const mailTo = (to: string) => until('the email arrives', () => mail.mails.find(({ envelopeTo }) => envelopeTo.includes(to)));
  const ADDRESS = /http:\/\/pay\.example:\d+(\/account\/[\w-]{27})/;

  test('ends invoices and receipts with a link that is not in the outbox', async () => {
    const service = await start();
    const { customerId, email } = await newCustomer(service);
    const { invoiceId, number } = await createInvoice(service, customerId);
    await send(service, invoiceId);
    const invoice = await mailTo(String(email));
    const [, path = ''] = ADDRESS.exec(invoice?.text ?? '') ?? [];
    expect(invoice?.html).toContain(`${path}"`);
    expect((await openPage(service, path)).text).toContain(number);
    const messages = await expectData(service.api.admin.get<object[]>('/notifications/messages?limit=50'));
    expect(JSON.stringify(messages)).not.toContain('/account/');
    const links = await expectData(service.api.admin.get<{ source: string }[]>(`/customers/${customerId}/page-links`));
    expect(links.map(({ source }) => source)).toEqual(['email']);
  });

  test('ends statements and receipts of cash, refunds and orders with a link, and an order without a customer with none', async () => {
    const service = await start();
    const { api } = service;
    const customer = await newCustomer(service);
    const { customerId } = customer;
    const email = String(customer.email);
    let received = 0;
    /** Returns the path of the link in the next email to the customer; null without one. */
    const nextLink = async () => {
      const { text = '' } = await until('the email arrives', () => mail.to(email)[received]);
      received += 1;
      return ADDRESS.exec(text)?.[1] ?? null;
    };
    const receipt = (body: object) => expectData(api.admin.post('/notifications/receipt/email', { email, ...body }));
    const tender = await takeTender(service, 20, { customerId });
    await receipt({ tenderId: tender.tenderId });
    expect((await openPage(service, (await nextLink()) ?? '')).status).toBe(200);
    const { refundId } = await expectData(api.admin.post<{ refundId: string }>(`/tenders/${tender.tenderId}/refund`, { amount: 5 }), 201);
    await receipt({ tenderId: tender.tenderId, refundId });
    expect(await nextLink()).not.toBeNull();
    await expectData(api.admin.post(`/customers/${customerId}/statement/email`, {}));
    expect(await nextLink()).not.toBeNull();

    // An order names its customer itself.
    for (const order of [{ customerId }, {}]) {
      const { orderId } = await createOrder(service, { amount: 10, ...order });
      await takeTender(service, 10, { orderId, customerId });
      await receipt({ orderId });
      expect((await nextLink()) !== null).toBe('customerId' in order);
    }
  });

  test('leaves the link out of an email to another address, and where the merchant switched it off', async () => {
    const service = await start();
    const { customerId, email } = await newCustomer(service);
    const { invoiceId } = await createInvoice(service, customerId);
    await send(service, invoiceId, 'accountant@office.example');
    expect((await mailTo('accountant@office.example'))?.raw).not.toContain('/account/');
    await settings(service, { customerPageInEmails: false });
    await send(service, (await createInvoice(service, customerId)).invoiceId);
    expect((await mailTo(String(email)))?.raw).not.toContain('/account/');
    await settings(service, { customerPageInEmails: true });
  });

  test('previews the email of a reminder as it is sent, with both links', async () => {
    const service = await start();
    const { api, credentials } = service;
    const { customerId, email } = await newCustomer(service, { firstName: 'Ines', lastName: 'Brandt' });
    const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
    const dayAfter = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);
    await expectData(api.admin.put(`/merchants/${credentials.merchantId}`, { timezone: 'UTC' }));
    const path = `/merchants/${credentials.merchantId}/reminder-settings`;
    const steps = [{ days: 1, channel: 'email', texts: { en: { subject: null, message: 'Dear {{customer}},\n\nyou owe {{amount}}.' } } }];
    await expectData(api.admin.put(path, { enabled: true, steps, weekdays: [0, 1, 2, 3, 4, 5, 6] }));
    const { life } = await expectData(
      api.admin.post<{ life: { texts: { subject: string; message: string }[] }[] }>(`${path}/dry-run?dueInDays=2`, {}),
    );
    const items = [{ description: 'Repair', quantity: 1, unitPrice: 125 }];
    const { invoiceId } = await createInvoice(service, customerId, { amount: 125, items, dueDate: dayAfter(2) });
    await send(service, invoiceId);
    await expectData(api.admin.post('/sandbox/clock', { now: `${dayAfter(3)}T23:30:00Z` }));
    const sent = await until('the reminder arrives', () => mail.to(String(email)).find(({ text }) => text?.includes('you owe')));
    await expectData(api.admin.put(path, { enabled: false }));
    const general = (text = '') =>
      text
        .trim()
        .replace(/INV-\d+/g, 'INV')
        .replace(/(\/pay|\/account)\/[\w-]+/g, '$1/…');
    const [preview] = life[0]?.texts ?? [];
    expect(general(preview?.message)).toBe(general(sent.text));
    expect(general(preview?.message)).toMatch(/\/pay\/…\n[\s\S]*\/account\/…$/);
    expect(general(preview?.subject)).toBe(general(sent.subject));
  });

  test('sends a link that staff made to the address on file, sealed in the outbox', async () => {
    const service = await start();
    const { customerId, email } = await newCustomer(service);
    const { url, messageIds } = await linkTo(service, customerId, { sendVia: ['email'] });
    const sent = await mailTo(String(email));
    expect(sent?.text).toContain(url);
    const message = await expectData(
      service.api.admin.get<{ body: string; isSecret: boolean }>(`/notifications/messages/${messageIds[0]}`),
    );
    expect(message).toMatchObject({ kind: 'customer-page', body: '', isSecret: true });
  });
});
