import { expect, test } from 'vitest';
import { startServerProcess } from '../support/process.ts';
import { cardBody } from '../support/sales.ts';
import { createSampleInstallation } from '../support/sample-data.ts';
import { ANY_DATABASE, type Api, type ApiFixture, apiOf, expectData } from '../support/server.ts';
import { storedData } from '../support/stored-data.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../support/webhook-receiver.ts';

/** Numbers and a code that occur nowhere else in the test. */
const CARDS = ['4242424242424242', '5105105105105100', '371449635398431', '6011000990139424', '4000000000009995', '4000000000006975'];
const ACCOUNT = '90817263544';
const CODE = '7391';

/** The forms in which a number could be stored: as typed, in groups, in base64 with each offset, in hexadecimal, in two bytes per digit. */
function disguises(text: string): string[] {
  const phases = ['', 'x', 'xx'].map((lead) =>
    Buffer.from(lead + text)
      .toString('base64')
      .slice(4, -4),
  );
  return [
    text,
    text.replace(/(\d{4})(?=\d)/g, '$1 '),
    text.replace(/(\d{4})(?=\d)/g, '$1-'),
    Buffer.from(text).toString('hex'),
    Buffer.from(text, 'utf16le').toString('latin1'),
    ...phases,
  ];
}

/** Passwords, tokens, keys and credentials, each of which is returned at most once and never stored in clear text. */
async function secretsShownOnce(
  { admin, bare, public: open }: Api,
  { merchantId, tenantId, adminPassword: currentPassword }: ApiFixture['credentials'],
): Promise<Record<string, string>> {
  const at = `/merchants/${merchantId}`;
  const password = 'canary password of a user';
  const email = 'canary@demo.example';
  await expectData(admin.post(`${at}/users`, { email, role: 'cashier', password }), 201);
  const signedIn = await expectData(
    bare.post<{ token: string; refreshToken: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId }),
  );
  const wrong = 'canary of a wrong password';
  await bare.post('/api/v1/auth/login', { email, password: wrong }, { 'X-Tenant-ID': tenantId });
  await bare.post('/api/v1/auth/forgot-password', { email }, { 'X-Tenant-ID': tenantId });
  const [message] = await expectData(admin.get<{ body: string }[]>('/sandbox/messages'));
  const invited = await expectData(
    admin.post<{ inviteUrl: string }>(`${at}/users`, { email: 'invited@demo.example', role: 'viewer' }, { 'Idempotency-Key': 'invite' }),
    201,
  );
  const key = await expectData(
    admin.post<{ key: string }>('/api-keys', { name: 'k', scope: 'merchant', merchantId, currentPassword }),
    201,
  );
  const credentials = { login: 'canary-gateway-login', secret: 'canary-gateway-secret' };
  await expectData(admin.post(`${at}/gateways`, { type: 'sandbox', name: 'second', credentials }), 201);
  const { clientToken } = await expectData(open.post<{ clientToken: string }>('/client-token', {}));
  const tokenIn = (text = '') => /token=(\S+)/.exec(text)?.[1] ?? '';
  const endpoint = { url: 'https://receiver.demo.example/hook', events: ['invoice.paid'] };
  const { secret } = await expectData(admin.post<{ secret: string }>('/webhooks', endpoint, { 'Idempotency-Key': 'endpoint' }), 201);
  return {
    password,
    webhookSecret: secret,
    wrong,
    accessToken: signedIn.token,
    refreshToken: signedIn.refreshToken,
    resetToken: tokenIn(message?.body),
    inviteToken: tokenIn(invited.inviteUrl),
    apiKey: key.key,
    clientToken,
    gatewayLogin: credentials.login,
    gatewaySecret: credentials.secret,
  };
}

/** Codes and PINs of gift cards that were sold, given, redeemed and guessed. */
async function giftCardSecrets({ admin }: ReturnType<typeof apiOf>): Promise<Record<string, string>> {
  const key = { 'Idempotency-Key': 'gift' };
  const given = await expectData(admin.post<{ code: string }>('/gift-cards', { amount: 5, reason: 'Canary' }, key), 201);
  const printed = { code: '735188264019553', pin: '481926375048' };
  await expectData(admin.post('/gift-cards', { amount: 5, reason: 'Canary', ...printed }), 201);
  const order = await expectData(
    admin.post<{ giftCards: { code: string }[] }>('/orders', { giftCards: [{ amount: 5 }] }, { 'Idempotency-Key': 'order' }),
    201,
  );
  const payment = { kind: 'gift_card', amount: 1, giftCardCode: printed.code, giftCardPin: printed.pin };
  await expectData(admin.post('/tenders', payment, { 'Idempotency-Key': 'tender' }), 201);
  await expectData(admin.post('/gift-cards/balance', { code: given.code }));
  const sold = order.giftCards[0]?.code ?? '';
  const plain = (code: string) => code.replaceAll('-', '');
  return {
    given: given.code,
    givenPlain: plain(given.code),
    sold,
    soldPlain: plain(sold),
    printedCode: printed.code,
    printedPin: printed.pin,
  };
}

test.each(ANY_DATABASE)(
  'never stores, logs or returns card numbers, account numbers and security codes, and never stores or logs secrets (%s)',
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database, 'small');
    const server = await startServerProcess(dataDir, url, ['--log-level', 'trace', '--webhook-ca', RECEIVER_CA_FILE]);
    const api = apiOf(server.baseUrl, server.credentials);
    const receiver = await startReceiver();
    const { body: endpoint } = await api.admin.post<{ id: string; secret: string }>('/webhooks', { url: receiver.url(), events: ['*'] });
    const answers: string[] = [];
    const payWith = async (number: string, index: number) => {
      const month = { expiryMonth: '12', expiryYear: '2031' };
      const sent = await Promise.all([
        api.admin.post(
          '/transactions',
          { ...cardBody(10 + index), card: { number, ...month, cvv: CODE } },
          { 'Idempotency-Key': `admin-${index}` },
        ),
        api.public.post('/transaction', {
          Amount: 10,
          CardNumber: number.replace(/(\d{4})/g, '$1 '),
          ExpiryMonth: '12',
          ExpiryYear: '2031',
          CVV: CODE,
        }),
        api.sdk.post('/transaction', { Amount: '10.00', CardNumber: number, ExpiryDate: '1231', Cvv: CODE }),
        api.public.post('/tokenize-card', { cardNumber: number, ...month }),
        // Each is invalid in one respect: an error must not repeat the refused value.
        api.admin.post('/transactions', { ...cardBody('bad'), card: { number, ...month, cvv: CODE } }),
        api.public.post('/transaction', { Amount: 10, CardNumber: `${number}0`, ExpiryMonth: '12', ExpiryYear: '2031', CVV: CODE }),
        api.bare.post(`/api/v1/nowhere/${number}x`, { number }),
      ]);
      answers.push(...sent.slice(0, 6).map(({ text }) => text));
      const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', { lastName: 'Canary' }), 201);
      const kept = await Promise.all([
        api.admin.post(`/customers/${customerId}/payment-methods`, { card: { number, ...month }, consentText: 'I agree.' }),
        api.public.post(`/customer/${customerId}/payment-method`, { cardNumber: number, ...month }),
        api.admin.post('/recurring', { customerId, amount: 10, frequency: 'daily', card: { number, ...month, cvv: CODE } }),
        api.admin.post('/transactions', {
          ...cardBody(11),
          card: { number, ...month, cvv: CODE },
          customerId,
          saveConsent: 'I agree.',
        }),
      ]);
      // By the stored card, with its code.
      kept.push(
        await api.admin.post(
          '/transactions',
          { type: 'sale', amount: 12, customerId, cvv: CODE },
          { 'Idempotency-Key': `stored-${index}` },
        ),
        await api.admin.post('/queued-payments', { customerId, amount: 12, cvv: CODE }),
      );
      const token = (sent[0]?.body as { data?: { token?: string } } | undefined)?.data?.token ?? '';
      kept.push(
        await api.public.post('/token-transaction', { token, amount: 13, cvv: CODE }, { 'Idempotency-Key': `token-${index}` }),
        await api.public.post('/token-transaction', { token, amount: 13, cvv: `${CODE}00` }),
      );
      kept.push(await api.admin.get(`/customers/${customerId}/payment-methods`), await api.admin.delete(`/customers/${customerId}`));
      answers.push(...kept.map(({ text }) => text));
    };
    // The sandbox takes two seconds for a payment without an answer.
    await Promise.all(CARDS.map(payWith));
    answers.push((await api.admin.get('/sandbox/messages?limit=200')).text, (await api.admin.get('/audit-logs?limit=200')).text);
    const bankAccount = { accountNumber: ACCOUNT, routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' };
    answers.push((await api.admin.post('/transactions', { amount: 20, paymentMethod: 'ach', bankAccount })).text);
    answers.push((await api.admin.get('/transactions?limit=200')).text);
    const shown = { ...(await secretsShownOnce(api, server.credentials)), ...(await giftCardSecrets(api)) };
    await receiver.waitFor('/', CARDS.length);
    answers.push(...receiver.received.map(({ headers, body }) => JSON.stringify(headers) + body));
    answers.push((await api.admin.get(`/webhooks/${endpoint.data.id}/deliveries?limit=200`)).text);
    answers.push((await api.admin.get('/webhooks')).text);
    // While the server runs, the write-ahead log contains the last writes; it is read before the server empties it.
    const running = await storedData(dataDir, url);
    await server.stop();
    await receiver.stop();
    const stored = [running, await storedData(dataDir, url), server.log()].join('\n');
    for (const [what, secret] of Object.entries(shown)) {
      expect(secret.length, what).toBeGreaterThan(11);
      for (const form of disguises(secret)) expect(stored.includes(form), `${what} as ${form}`).toBe(false);
    }
    const kept = [stored, ...answers].join('\n');
    for (const secret of [...CARDS, ACCOUNT, endpoint.data.secret]) {
      for (const form of disguises(secret)) expect(kept.includes(form), `${secret} as ${form}`).toBe(false);
    }
    expect(new RegExp(`"(cvv|Cvv|CVV)"\\s*:\\s*"${CODE}"`).test(kept)).toBe(false);
    // As a separate word, because four digits may occur within a random identifier.
    const alone = new RegExp(`(?<![0-9A-Za-z])${CODE}(?![0-9A-Za-z])`);
    expect(answers.join('\n')).not.toMatch(alone);
    expect(server.log()).not.toMatch(alone);
    await remove();
  },
);
