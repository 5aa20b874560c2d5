import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeOnAnyDatabase, expectData, expectError, FULL } from '../../support/server.ts';
import { type MailServer, startMailServer } from './fake-mail-server.ts';
import {
  advance,
  channelOf,
  forget,
  freshAddress,
  type MessageRecord,
  messageTo,
  putChannel,
  sent,
  setMailServer,
  settingsFor,
  tellOfRefund,
  tried,
} from './outbox.ts';

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterEach(() => {
  mail.answer = () => undefined;
});
afterAll(() => mail.stop());

const resend = (messageId: string) => `/notifications/messages/${messageId}/resend`;
const EMAIL = '/notifications/channels/email';

describeOnAnyDatabase('email', (fixture) => {
  test('keeps messages without a mail server for a person, and sends new ones automatically after the setup', async () => {
    const { api } = fixture();
    await forget(fixture(), 'email');
    const to = freshAddress();
    await tellOfRefund(api, to);
    const waiting = await messageTo(api, to);
    expect(waiting).toMatchObject({ status: 'waiting', attempts: 0, nextTryAt: null, kind: 'refund' });
    const refused = await expectError(api.admin.post(resend(waiting.messageId)), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toEqual({ reason: 'not_set_up' });
    const resendAll = { channel: 'email' };
    await expectError(api.admin.post('/notifications/messages/resend-waiting', resendAll), 409, 'RESOURCE_CONFLICT');
    const { waiting: count } = await setMailServer(api, mail);
    expect(count).toBeGreaterThan(0);
    const next = freshAddress();
    await tellOfRefund(api, next);
    await sent(api, next);
    expect(mail.to(to)).toHaveLength(0);
    expect(await messageTo(api, to)).toMatchObject({ status: 'waiting' });
    expect(await expectData(api.admin.post(resend(waiting.messageId)))).toMatchObject({ status: 'queued', lastError: null });
    await sent(api, to);
    expect(mail.to(to)).toHaveLength(1);
  });

  test('sends text and HTML from the merchant in its language without external content', async () => {
    const { api, credentials } = fixture();
    const at = `/merchants/${credentials.merchantId}`;
    await setMailServer(api, mail, { fromName: null });
    await expectData(api.admin.put(at, { email: 'hello@harbor.example', phone: '+12075550142' }));
    await api.admin.put(`${at}/branding`, { companyName: 'Harbor & Sons <b>', primaryColor: '#FFFF00', logoUrl: LOGO });
    await expectData(api.admin.put(`${at}/settings`, { language: 'es' }));
    const to = freshAddress();
    const transactionId = await tellOfRefund(api, to);
    await expectData(api.admin.put(`${at}/settings`, { language: 'en' }));
    const message = await sent(api, to);
    expect(message).toMatchObject({ resourceId: transactionId, channel: 'email', attempts: 1, isSecret: false, lastError: null });
    const [got] = mail.to(to);
    expect(got?.subject).toBe('Su reembolso de 5.00 USD');
    expect(got?.from).toEqual({ name: 'Harbor & Sons <b>', address: 'till@shop.example' });
    expect(got?.replyTo).toEqual([{ name: '', address: 'hello@harbor.example' }]);
    expect(got?.to).toEqual([{ name: '', address: to }]);
    expect(got?.messageId).toBe(`<${message.messageId}@shop.example>`);
    expect(got?.text?.trim()).toBe(message.body);
    expect(got?.html).toContain('Reembolsamos 5.00 USD');
    expect(got?.html).toContain('Harbor &amp; Sons &lt;b&gt;');
    expect(got?.html).toContain('+12075550142');
    expect(got?.html?.toLowerCase()).not.toContain('#ffff00');
    expect(got?.html).toMatch(/<html lang="en|es">/);
    expect([...(got?.html ?? '').matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toEqual(['cid:logo@paydesk']);
    expect(got?.attachments).toMatchObject([{ mimeType: 'image/png', disposition: 'inline', contentId: '<logo@paydesk>' }]);
  });

  test('sends a receipt with its PDF', async () => {
    const { api } = fixture();
    await setMailServer(api, mail);
    const to = freshAddress();
    const transactionId = await tellOfRefund(api, freshAddress());
    await expectData(api.admin.post('/notifications/receipt/email', { transactionId, email: to }));
    expect(await sent(api, to)).toMatchObject({ kind: 'receipt', resourceId: transactionId, attachment: `receipt:${transactionId}` });
    const [got] = mail.to(to);
    const document = got?.attachments.find(({ mimeType }) => mimeType === 'application/pdf');
    expect(document).toMatchObject({ filename: `${transactionId}.pdf`, disposition: 'attachment' });
    expect(
      Buffer.from(document?.content as ArrayBuffer)
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  test('writes hostile names as text, and refuses those of several lines', async () => {
    const { api, credentials } = fixture();
    await setMailServer(api, mail, { fromName: null });
    const at = `/merchants/${credentials.merchantId}/branding`;
    const lines = { companyName: 'Evil\r\nBcc: everybody@example.com' };
    await expectError(api.admin.put(at, lines), 400, 'VALIDATION_ERROR', 'companyName');
    const name = 'Evil, Bcc: everybody@example.com <script>alert(1)</script>';
    await api.admin.put(at, { companyName: name, logoUrl: null });
    const to = freshAddress();
    await tellOfRefund(api, to);
    await sent(api, to);
    await api.admin.put(at, { companyName: 'Harbor' });
    const [got] = mail.to(to);
    expect(got?.envelopeTo).toEqual([to]);
    expect(got?.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(got?.from?.name).toBe(name);
    expect(got?.html).not.toContain('<script');
  });

  test('retries a temporarily refused email after a minute and then less often, until it fails', FULL, async () => {
    const { api } = fixture();
    await setMailServer(api, mail);
    const to = freshAddress();
    mail.answer = () => ({ code: 451, text: '4.7.1 greylisted' });
    await tellOfRefund(api, to);
    const first = await tried(api, to);
    expect(first).toMatchObject({ status: 'queued', attempts: 1, lastError: expect.stringContaining('greylisted') });
    const seen = [];
    for (const seconds of [60, 300, 1_800, 7_200, 43_200]) {
      await advance(api, seconds + 1);
      const { status, attempts } = await messageTo(api, to);
      seen.push([status, attempts]);
    }
    expect(seen).toEqual([
      ['queued', 2],
      ['queued', 3],
      ['queued', 4],
      ['queued', 5],
      ['failed', 6],
    ]);
    expect((await channelOf(api, 'email')).failed).toBeGreaterThan(0);
    mail.answer = () => undefined;
    await expectData(api.admin.post(resend(first.messageId)));
    expect(await sent(api, to)).toMatchObject({ attempts: 1, lastError: null });
    expect(mail.to(to)).toHaveLength(1);
  });

  test('sends the same email with the same ID again after a 421', async () => {
    const { api } = fixture();
    await setMailServer(api, mail);
    const to = freshAddress();
    let asked = 0;
    mail.answer = (recipient) => (recipient === to && ++asked === 1 ? { code: 421, text: 'too busy' } : undefined);
    await tellOfRefund(api, to);
    const { messageId } = await tried(api, to);
    await advance(api, 61);
    expect(await messageTo(api, to)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(mail.to(to).map((got) => got.messageId)).toEqual([`<${messageId}@shop.example>`]);
  });

  test('fails a message to a refused recipient immediately with the reason, and sends it to another address by hand', async () => {
    const { api } = fixture();
    await setMailServer(api, mail);
    const [wrong, right] = [freshAddress(), freshAddress()];
    mail.answer = (to) => (to === wrong ? { code: 550, text: '5.1.1 no such user\u0007' } : undefined);
    await tellOfRefund(api, wrong);
    const failed = await tried(api, wrong);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, nextTryAt: null });
    expect(failed.lastError).toContain('no such user');
    await expectError(api.admin.post(resend(failed.messageId), { to: 'two@a.example, three@a.example' }), 400, 'INVALID_EMAIL', 'to');
    await expectData(api.admin.post(resend(failed.messageId), { to: right }));
    expect(await sent(api, right)).toMatchObject({ messageId: failed.messageId });
    expect(mail.to(right)).toHaveLength(1);
    await expectData(api.admin.post(resend(failed.messageId)));
    await expect.poll(() => mail.to(right).length).toBe(2);
    const [one, two] = mail.to(right).map(({ messageId }) => messageId);
    expect(one).not.toBe(two);
  });

  test('keeps every message while the sign-in is refused, and sends them with the correct password', async () => {
    const { api } = fixture();
    const strict = await startMailServer({ login: { user: 'till', password: 'the right pass' } });
    const password = 'canary+wrong pass';
    await setMailServer(api, strict, { user: 'till', password });
    const to = freshAddress();
    await tellOfRefund(api, to);
    const kept = await tried(api, to);
    expect(kept).toMatchObject({ status: 'queued', attempts: 0, lastError: expect.stringContaining('sign-in') });
    await advance(api, 7_201);
    expect(await messageTo(api, to)).toMatchObject({ status: 'queued', attempts: 0 });
    const state = await channelOf(api, 'email');
    expect(state.lastError).toContain('535');
    expect(JSON.stringify([kept, state])).not.toContain('canary');
    expect(state.settings).toMatchObject({ user: 'till', hasPassword: true });
    expect(state.settings).not.toHaveProperty('password');
    const fixed = await setMailServer(api, strict, { user: 'till', password: 'the right pass' });
    expect(fixed).toMatchObject({ lastError: null });
    await sent(api, to);
    expect(await channelOf(api, 'email')).toMatchObject({ lastError: null, lastOkAt: expect.any(String) });
    await strict.stop();
  });

  test('suspends the queue of a failing channel, tries it every two hours, and sends everything after the correction', FULL, async () => {
    const { api } = fixture();
    const strict = await startMailServer({ login: { user: 'till', password: 'first' } });
    await setMailServer(api, strict, { user: 'till', password: 'first' });
    strict.answer = () => ({ code: 451, text: 'later' });
    const addresses = Array.from({ length: 5 }, freshAddress);
    for (const to of addresses) await tellOfRefund(api, to);
    for (const to of addresses) await tried(api, to);
    strict.answer = () => undefined;
    strict.login = { user: 'till', password: 'second' };
    strict.signIns.length = 0;
    await advance(api, 90);
    expect(strict.signIns).toHaveLength(1);
    const late = freshAddress();
    await tellOfRefund(api, late);
    const resting = await Promise.all([...addresses, late].map((to) => messageTo(api, to)));
    expect(new Set(resting.map(({ nextTryAt }) => nextTryAt)).size).toBe(1);
    for (const message of resting.slice(0, -1))
      expect(message).toMatchObject({ status: 'queued', lastError: expect.stringContaining('sign-in') });
    await advance(api, 7_300);
    expect(strict.signIns).toHaveLength(2);
    await setMailServer(api, strict, { user: 'till', password: 'second' });
    for (const to of [...addresses, late]) await sent(api, to);
    for (const to of [...addresses, late]) expect(strict.to(to)).toHaveLength(1);
    await strict.stop();
  });

  test('resumes a suspended queue after a successful test', FULL, async () => {
    const { api } = fixture();
    const strict = await startMailServer({ login: { user: 'till', password: 'first' } });
    await setMailServer(api, strict, { user: 'till', password: 'second' });
    const to = freshAddress();
    await tellOfRefund(api, to);
    await tried(api, to);
    strict.login = { user: 'till', password: 'second' };
    expect(await expectData(api.admin.post(`${EMAIL}/test`, { to: 'me@shop.example' }))).toEqual({ ok: true });
    await sent(api, to);
    await strict.stop();
  });

  test('fails messages that a failing channel has kept for seven days', FULL, async () => {
    const { api } = fixture();
    await forget(fixture(), 'email');
    const addresses = Array.from({ length: 3 }, freshAddress);
    for (const to of addresses) await tellOfRefund(api, to);
    await advance(api, 6.9 * 86_400);
    const strict = await startMailServer({ login: { user: 'till', password: 'right' } });
    await setMailServer(api, strict, { user: 'till', password: 'wrong' });
    for (const to of addresses) await api.admin.post(resend((await messageTo(api, to)).messageId));
    for (const to of addresses) expect(await tried(api, to)).toMatchObject({ status: 'queued', attempts: 0 });
    strict.signIns.length = 0;
    await advance(api, 7_300);
    expect(strict.signIns).toHaveLength(1);
    for (const to of addresses)
      expect(await messageTo(api, to)).toMatchObject({ status: 'failed', nextTryAt: null, lastError: expect.stringContaining('sign-in') });
    await strict.stop();
  });

  test('keeps omitted fields, but requires the password again for another server', async () => {
    const { api } = fixture();
    await forget(fixture(), 'email');
    await expectError(putChannel(api, EMAIL, { host: 'localhost' }), 400, 'REQUIRED_FIELD_MISSING', 'port');
    await setMailServer(api, mail, { user: 'till', password: 'canary of a password', fromName: 'Till' });
    const changed = await expectData(putChannel(api, EMAIL, { replyTo: 'desk@shop.example' }));
    expect(changed.settings).toEqual({
      ...settingsFor(mail),
      user: 'till',
      hasPassword: true,
      fromName: 'Till',
      replyTo: 'desk@shop.example',
    });
    await expectError(putChannel(api, EMAIL, { host: '127.0.0.1' }), 400, 'REQUIRED_FIELD_MISSING', 'password');
    await expectError(putChannel(api, EMAIL, { fromAddress: 'a@b.example>\r\nBcc: c@d.example' }), 400, 'INVALID_EMAIL', 'fromAddress');
    await expectError(putChannel(api, EMAIL, { fromName: 'Till\r\nBcc: c@d.example' }), 400, 'VALIDATION_ERROR', 'fromName');
    await expectError(putChannel(api, EMAIL, { host: 'localhost/x' }), 400, 'VALIDATION_ERROR', 'host');
    await expectError(putChannel(api, EMAIL, { port: 70_000 }), 400, 'VALIDATION_ERROR', 'port');
    expect((await expectData(putChannel(api, EMAIL, { user: null }))).settings).toMatchObject({
      user: null,
      hasPassword: false,
    });
    const entries = await expectData(api.admin.get<unknown[]>('/audit-logs?limit=200&action=message_channel.updated'));
    expect(entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(entries)).not.toContain('canary');
  });

  test('requires TLS with a valid certificate if it is configured', async () => {
    const { api } = fixture();
    const secure = await startMailServer({ tls: 'starttls', login: { user: 'till', password: 'right' } });
    const wrapped = await startMailServer({ tls: 'tls' });
    const stranger = await startMailServer({ tls: 'starttls', certificate: 'stranger' });
    for (const [server, more] of [
      [secure, { security: 'starttls', user: 'till', password: 'right' }],
      [wrapped, { security: 'tls', user: null }],
    ] as const) {
      await setMailServer(api, server, more);
      const to = freshAddress();
      await tellOfRefund(api, to);
      await sent(api, to);
      expect(server.to(to)).toMatchObject([{ isSecure: true }]);
      expect(server.mails.every(({ isSecure }) => isSecure)).toBe(true);
    }
    for (const [server, words] of [
      [stranger, 'certificate'],
      [mail, 'secure connection'],
    ] as const) {
      await setMailServer(api, server, { security: 'starttls', user: null });
      const to = freshAddress();
      await tellOfRefund(api, to);
      expect(await tried(api, to)).toMatchObject({ status: 'queued', lastError: expect.stringContaining(words) });
      expect(server.to(to)).toHaveLength(0);
    }
    await setMailServer(api, mail, { user: null });
    await Promise.all([secure, wrapped, stranger].map((server) => server.stop()));
  });

  test("sends a real test email and returns the server's answer", async () => {
    const { api } = fixture();
    await setMailServer(api, mail, { user: null });
    const path = `${EMAIL}/test`;
    expect(await expectData(api.admin.post(path, { to: 'me@shop.example' }))).toEqual({ ok: true });
    expect(mail.to('me@shop.example').at(-1)?.subject).toBe('Test message from Paydesk');
    expect(await messageTo(api, 'me@shop.example')).toMatchObject({ kind: 'test', status: 'sent' });
    mail.answer = () => ({ code: 550, text: 'we do not know you' });
    const refused = await expectData(api.admin.post<{ ok: boolean; error: string }>(path, { to: 'me@shop.example' }));
    expect(refused).toEqual({ ok: false, error: expect.stringContaining('we do not know you') });
    await expectError(api.admin.post(path, { to: 'nobody' }), 400, 'INVALID_EMAIL', 'to');
    await forget(fixture(), 'email');
    await expectError(api.admin.post(path, { to: 'me@shop.example' }), 409, 'RESOURCE_CONFLICT');
    await expectError(api.admin.delete(EMAIL, {}, { currentPassword: api.adminPassword }), 404, 'NOT_FOUND');
    await expectError(api.admin.post('/notifications/channels/pigeon/test', { to: 'me@shop.example' }), 404, 'NOT_FOUND');
  });

  test('keeps queued messages after the channel is deleted, and does not send them automatically later', FULL, async () => {
    const { api } = fixture();
    await setMailServer(api, mail);
    mail.answer = () => ({ code: 451, text: 'later' });
    const to = freshAddress();
    await tellOfRefund(api, to);
    await tried(api, to);
    await forget(fixture(), 'email');
    expect(await messageTo(api, to)).toMatchObject({ status: 'waiting', nextTryAt: null });
    mail.answer = () => undefined;
    await setMailServer(api, mail);
    await advance(api, 86_400);
    expect(await messageTo(api, to)).toMatchObject<Partial<MessageRecord>>({ status: 'waiting' });
  });

  test('sends the messages that waited for the setup once if ten requests arrive together', async () => {
    const { api } = fixture();
    await forget(fixture(), 'email');
    const recipients = [freshAddress(), freshAddress()];
    for (const to of recipients) await tellOfRefund(api, to);
    await setMailServer(api, mail);
    const asked = await Promise.all(
      Array.from({ length: 10 }, () =>
        expectData(api.admin.post<{ resent: number }>('/notifications/messages/resend-waiting', { channel: 'email' })),
      ),
    );
    expect(asked.filter(({ resent }) => resent > 0)).toHaveLength(1);
    for (const to of recipients) {
      await sent(api, to);
      expect(mail.to(to)).toHaveLength(1);
    }
  });
});

const LOGO = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
