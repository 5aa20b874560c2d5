import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getInvoice, type LinkRecord } from '../../support/invoices.ts';
import { CONFIRMED, startLiveServer } from '../../support/live-server.ts';
import { type Api, type ApiFixture, describeOnAnyDatabase, expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { type MailServer, startMailServer } from '../notifications/fake-mail-server.ts';
import { ACCOUNT, FROM, startTextServer, type TextServer, TOKEN } from '../notifications/fake-sms-provider.ts';
import { forget, freshAddress, type MessageRecord, putChannel, sent, setMailServer, settingsFor } from '../notifications/outbox.ts';

type SentLink = LinkRecord & { messageIds: string[] };

let mail: MailServer;
let provider: TextServer;
beforeAll(async () => {
  [mail, provider] = await Promise.all([startMailServer(), startTextServer()]);
});
afterAll(() => Promise.all([mail.stop(), provider.stop()]));

const SMS = '/notifications/channels/sms';
let made = 0;
const freshPhone = () => `+1207555${String(++made).padStart(4, '0')}`;
const linksOf = async ({ admin }: Pick<Api, 'admin'>) =>
  (await expectData(admin.get<{ invoiceId: string }[]>('/invoices?kind=link&limit=200'))).length;
const messagesTo = ({ api }: ApiFixture, to: string) =>
  expectData(api.admin.get<MessageRecord[]>(`/notifications/messages?q=${encodeURIComponent(to)}`));

describeOnAnyDatabase('payment links that are sent when they are created', (fixture) => {
  test('sends a link by email and text message, and shows it as sent', async () => {
    const service = fixture();
    const { api } = service;
    await setMailServer(api, mail);
    await expectData(putChannel(api, SMS, { apiUrl: provider.apiUrl, accountSid: ACCOUNT, authToken: TOKEN, from: FROM }));
    for (const create of [
      (body: object) => api.admin.post<SentLink>('/payment-links', body),
      (body: object) => api.public.post<SentLink>('/generate-url', body),
    ]) {
      const [email, phone] = [freshAddress(), freshPhone()];
      const link = await expectData(
        create({ amount: 12, description: 'Deposit', sendVia: ['email', 'sms'], customerEmail: email, phone }),
        201,
      );
      expect(link.messageIds).toHaveLength(2);
      expect(await sent(api, email)).toMatchObject({
        messageId: link.messageIds[0],
        kind: 'link',
        resourceId: link.invoiceId,
        subject: expect.stringMatching(/^Payment request from .+: 12\.00 USD$/),
        body: expect.stringContaining(link.url),
      });
      expect(await sent(api, phone)).toMatchObject({ messageId: link.messageIds[1], kind: 'link', resourceId: link.invoiceId });
      expect(provider.to(phone).map(({ body }) => body)).toEqual([
        expect.stringMatching(new RegExp(`^Pay 12.00 USD to .+: ${link.shortUrl}$`)),
      ]);
      const invoice = await getInvoice(service, link.invoiceId);
      expect(invoice).toMatchObject({ status: 'sent', sentAt: invoice.createdAt, customer: { email, phone } });
      const audit = await expectData(
        api.admin.get<{ action: string; after: { sentTo?: string } }[]>(`/audit-logs?resource=invoices/${link.invoiceId}`),
      );
      expect(audit).toMatchObject([{ action: 'invoice.link_created', after: { sentTo: `${email}, ${phone}` } }]);
    }
    await forget(service, 'email');
    await forget(service, 'sms');
  });

  test('keeps the phone number of a link for a later message, and sends nothing without `sendVia`', async () => {
    const service = fixture();
    const phone = freshPhone();
    const link = await expectData(service.api.admin.post<SentLink>('/payment-links', { amount: 12, phone }), 201);
    expect(link.messageIds).toEqual([]);
    expect(await getInvoice(service, link.invoiceId)).toMatchObject({ sentAt: null, customer: { email: null, phone } });
    expect(await messagesTo(service, phone)).toEqual([]);
    await expectData(service.api.admin.post(`/invoices/${link.invoiceId}/send`, { sendVia: ['sms'] }));
    expect(await messagesTo(service, phone)).toHaveLength(1);
  });

  test('creates and sends a link once for parallel and repeated requests with an idempotency key', async () => {
    const service = fixture();
    const { api } = service;
    const phone = freshPhone();
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { amount: 12, sendVia: ['sms'], phone };
    const create = () => api.public.post<SentLink>('/generate-url', body, key);
    const before = await linksOf(api);
    const answers = await Promise.all(Array.from({ length: 10 }, create));
    const [first] = answers.filter(({ status }) => status === 201);
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    expect((await create()).text).toBe(first?.text);
    expect(await linksOf(api)).toBe(before + 1);
    expect((await messagesTo(service, phone)).map(({ messageId }) => messageId)).toEqual(first?.body.data.messageIds);
  });

  test('names the missing or invalid recipient, and creates no link', async () => {
    const service = fixture();
    const { api } = service;
    const before = await linksOf(api);
    const refused = (body: object, code: string, field: string) =>
      expectError(api.admin.post('/payment-links', { amount: 12, ...body }), 400, code, field);
    await refused({ sendVia: ['email'] }, 'REQUIRED_FIELD_MISSING', 'customerEmail');
    await refused({ sendVia: ['email'], phone: freshPhone() }, 'REQUIRED_FIELD_MISSING', 'customerEmail');
    await refused({ sendVia: ['email', 'sms'], customerEmail: freshAddress() }, 'REQUIRED_FIELD_MISSING', 'phone');
    await refused({ sendVia: ['sms'], phone: '207' }, 'INVALID_PHONE', 'phone');
    await refused({ phone: '207' }, 'INVALID_PHONE', 'phone');
    await refused({ sendVia: ['fax'] }, 'VALIDATION_ERROR', 'sendVia');
    await refused({ sendVia: ['sms', 'sms'], phone: freshPhone() }, 'VALIDATION_ERROR', 'sendVia');
    expect(await linksOf(api)).toBe(before);
  });
});

onAnyDatabase('creates no link on a live account if its message cannot be sent', async ({ database }) => {
  const live = await startLiveServer(database, { privateHosts: 'localhost' });
  try {
    const { api } = live;
    const [customerEmail, phone] = [freshAddress(), freshPhone()];
    const create = (sendVia: string[]) => api.admin.post<SentLink>('/payment-links', { amount: 12, sendVia, customerEmail, phone });
    expect(await expectError(create(['email']), 409, 'RESOURCE_CONFLICT', 'sendVia')).toMatchObject({
      message: 'Email is not set up on this account yet, so the link cannot be sent. No link was created.',
      details: { reason: 'no_delivery', channel: 'email' },
    });
    expect(await expectError(create(['email', 'sms']), 409, 'RESOURCE_CONFLICT', 'sendVia')).toMatchObject({
      details: { reason: 'no_delivery', channel: 'email' },
    });
    await expectData(api.admin.put('/notifications/channels/email', { ...CONFIRMED, ...settingsFor(mail) }));
    expect(await expectError(create(['email', 'sms']), 409, 'RESOURCE_CONFLICT', 'sendVia')).toMatchObject({
      details: { reason: 'no_delivery', channel: 'sms' },
    });
    expect(await linksOf(api)).toBe(0);
    expect((await expectData(create(['email']), 201)).messageIds).toHaveLength(1);
  } finally {
    await live.stop();
  }
});
