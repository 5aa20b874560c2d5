import { expect, onTestFinished, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { giveGiftCard, orderGiftCard, redeem } from '../../support/gift-cards.ts';
import { expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { takeTender } from '../../support/tenders.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';
import { startMailServer } from '../notifications/fake-mail-server.ts';
import { forget, freshAddress, sent, setMailServer } from '../notifications/outbox.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

interface MessageRecord {
  readonly messageId: string;
  readonly kind: string;
  readonly to: string;
  readonly body: string;
  readonly isSecret: boolean;
}

describeWithLedger('codes of gift cards', (server) => {
  const fixture = () => server().service;
  const post = <Data>(path: string, body: object) => fixture().api.admin.post<Data>(path, body);
  const email = (code: string, more: object = {}) =>
    post<{ messageId: string }>('/gift-cards/email', { code, email: 'ida@friends.example', ...more });

  test('are emailed to their holder, readable for no one else, and cannot be sent again', async () => {
    const { api } = fixture();
    const { giftCardId, code } = await giveGiftCard(fixture(), 25);
    const typed = String(code).toLowerCase().replaceAll('-', ' ');
    const { messageId } = await expectData(email(typed));
    const path = `/notifications/messages/${messageId}`;
    expect(await expectData(api.admin.get<MessageRecord>(path))).toMatchObject({
      kind: 'gift-card',
      to: 'ida@friends.example',
      resourceId: giftCardId,
      isSecret: true,
      // In a sandbox, its owner may read what would be sent.
      body: expect.stringContaining(String(code)),
    });
    const cashier = await createUser(fixture(), 'cashier');
    const as = surfaceOf(fixture().baseUrl, '/api/v1', () => cashier.headers);
    const seen = await as.get<MessageRecord>(path);
    expect(seen.text).not.toContain(code);
    const refused = await expectError(api.admin.post(`${path}/resend`, {}), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toMatchObject({ reason: 'secret' });
    const mail = await startMailServer();
    onTestFinished(() => mail.stop());
    await setMailServer(api, mail);
    const to = freshAddress();
    await expectData(email(typed, { email: to }));
    const delivered = await sent(api, to);
    expect(JSON.stringify(mail.to(to))).toContain(code);
    expect(delivered.body).toBe('');
    expect(await server().runSql(`SELECT sealed FROM messages WHERE id = '${delivered.messageId}'`)).toEqual([{ sealed: null }]);
    // A server that refuses the message can quote it.
    mail.answer = () => ({ code: 550, text: `5.7.1 Refused: ${code}` });
    const { messageId: refusedId } = await expectData(email(typed, { email: freshAddress() }));
    const failed = await until('the message is refused', async () => {
      const answer = await api.admin.get<MessageRecord & { status: string }>(`/notifications/messages/${refusedId}`);
      return (await expectData(answer)).status === 'failed' && answer;
    });
    expect(failed.text).not.toContain(code);
    expect(await server().runSql(`SELECT sealed, body FROM messages WHERE id = '${refusedId}'`)).toEqual([{ sealed: null, body: '' }]);
    await forget(fixture(), 'email');
  });

  test('are sent only for active cards, and unknown ones count as guesses', async () => {
    const merchantId = await createMerchant(fixture());
    const { giftCardId, code } = await giveGiftCard(fixture(), 5, { merchantId });
    await expectError(email(String(code)), 404, 'NOT_FOUND');
    await expectError(email(String(code), { merchantId, email: 'nowhere' }), 400, 'INVALID_EMAIL');
    await expectData(post(`/gift-cards/${giftCardId}/block`, {}));
    await expectError(email(String(code), { merchantId }), 409, 'RESOURCE_CONFLICT');
    const { code: pending } = await orderGiftCard(fixture(), 5, { merchantId });
    await expectError(email(pending, { merchantId }), 404, 'NOT_FOUND');
    const cashier = await createUser(fixture(), 'cashier', {}, merchantId);
    const as = surfaceOf(fixture().baseUrl, '/api/v1', () => cashier.headers);
    const guess = () => as.post('/gift-cards/email', { code: 'X4TN-81QB-0KDW-7K2M', email: 'ida@friends.example' });
    const answers = [];
    for (let index = 0; index < 21; index += 1) answers.push((await guess()).status);
    expect(answers.filter((status) => status === 404).length).toBeLessThanOrEqual(20);
    expect(answers.at(-1)).toBe(429);
  });

  test('leave neither by events, the change stream and the audit log, nor are they stored', async () => {
    const { api, baseUrl } = fixture();
    const owner = await createUser(fixture(), 'admin', { allMerchants: true });
    const stop = new AbortController();
    const stream = await fetch(`${baseUrl}/api/v1/changes`, { headers: owner.headers, signal: stop.signal });
    let heard = '';
    const listening = (async () => {
      for await (const chunk of stream.body as ReadableStream<Uint8Array>) heard += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    const { orderId, code, giftCardId } = await orderGiftCard(fixture(), 40);
    await takeTender(fixture(), 40, { orderId });
    await expectData(post('/gift-cards/balance', { code }));
    await expectData(redeem(fixture(), code, 10), 201);
    await expectData(email(code));
    const replaced = await expectData(post<{ code: string }>(`/gift-cards/${giftCardId}/replace`, { reason: 'Lost' }), 201);
    const cash = await takeTender(fixture(), 12, {});
    const refund = await expectData(post<{ giftCard: { code: string } }>('/gift-cards/refund', { paymentId: cash.tenderId }), 201);
    const gift = await giveGiftCard(fixture(), 5);
    const codes = [code, replaced.code, refund.giftCard.code, String(gift.code)];
    await until('the stream announces the cards', () => heard.includes('gift-cards'));
    stop.abort();
    await listening;
    const events = (await api.admin.get('/webhooks/events?limit=200')).text;
    const audit = (await api.admin.get('/audit-logs?limit=200')).text;
    const lists = (await Promise.all(['/gift-cards', '/orders', '/tenders'].map((path) => api.admin.get(`${path}?limit=100`)))).map(
      ({ text }) => text,
    );
    for (const text of [heard, events, audit, ...lists, await server().stored()])
      for (const secret of codes) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(secret.replaceAll('-', ''));
      }
  });
});
