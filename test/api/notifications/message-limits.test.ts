import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MESSAGE_LIMITS } from '#core/records/notifications';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, createPaymentLink } from '../../support/invoices.ts';
import { cardBody } from '../../support/sales.ts';
import {
  ANY_DATABASE,
  type ApiFixture,
  apiOf,
  DATABASES,
  expectData,
  expectError,
  fullOnPostgres,
  startTestServer,
} from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

interface Message {
  readonly messageId: string;
  readonly to: string;
  readonly subject: string | null;
  readonly kind: string;
}

const NOON = Date.parse('2027-03-01T12:00:00.000Z');
/** The server runs in this process, so that its real time can be moved. */
const at = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: NOON + seconds * 1_000 });
beforeEach(() => void at(0));
afterEach(() => void vi.useRealTimers());

const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);
const times = (n: number) => Array.from({ length: n }, (_, index) => index);

describe.each(DATABASES)('Messages to one destination (%s)', (database) => {
  const inFull = fullOnPostgres(database);
  let started: ApiFixture;
  let stop: () => Promise<void>;
  const fixture = () => started;
  beforeAll(async () => {
    const { server, ...rest } = await startTestServer(database, { messageLimits: MESSAGE_LIMITS });
    const { baseUrl, credentials } = server;
    if (credentials === undefined) throw new Error('the sample data has credentials');
    started = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
    stop = rest.stop;
  });
  afterAll(() => stop?.());
  const otp = (destination: string, type = 'sms') => fixture().api.public.post('/otp/generate', { type, destination });
  const messagesTo = async (to: string) =>
    (await expectData(fixture().api.admin.get<Message[]>('/sandbox/messages?limit=200'))).filter((message) => message.to === to);

  test('accepts one of forty parallel requests, and writes one message', async () => {
    const to = '+12075550100';
    const answers = await Promise.all(times(40).map(() => otp(to)));
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses(answers))).toEqual(new Set([200, 429]));
    expect(await messagesTo(to)).toHaveLength(1);
  });

  test('accepts the next one after 30 seconds and names the wait, and ten in a day', inFull, async () => {
    const to = '+12075550101';
    await expectData(otp(to));
    at(29);
    const early = await otp(to);
    expect([early.status, early.headers.get('retry-after'), early.body.error.code]).toEqual([429, '1', 'RATE_LIMIT_EXCEEDED']);
    for (const nth of times(9)) {
      at(31 * (nth + 1));
      await expectData(otp(to));
    }
    at(400);
    const eleventh = await otp(to);
    expect([eleventh.status, eleventh.body.error.code]).toEqual([429, 'DAILY_LIMIT_EXCEEDED']);
    expect(Number(eleventh.headers.get('retry-after'))).toBe(43_200 - 400);
    at(43_200);
    await expectData(otp(to));
  });

  test('counts an email address in any case and with any tag as one', inFull, async () => {
    await expectData(otp('Casey@buyer.example', 'email'));
    for (const same of ['casey@buyer.example', 'CASEY@Buyer.Example', 'casey+shop@buyer.example', 'Casey+1+2@buyer.example'])
      await expectError(otp(same, 'email'), 429, 'RATE_LIMIT_EXCEEDED');
    await expectData(otp('casey2@buyer.example', 'email'));
  });

  test('holds for every operation that sends a message, and a refused one changes nothing', inFull, async () => {
    const { api } = fixture();
    const [phone, email] = ['+12075550102', 'limits@buyer.example'];
    const { transactionId } = await expectData(api.admin.post<{ transactionId: string }>('/transactions', cardBody(20)));
    const { customerId } = await createCustomer(fixture(), { email, phone });
    const { invoiceId } = await createInvoice(fixture(), customerId);
    const link = await createPaymentLink(fixture());
    await expectData(otp(phone));
    await expectData(otp(email, 'email'));
    const before = [...(await messagesTo(phone)), ...(await messagesTo(email))];
    const url = link.url;
    const sends: readonly (() => Promise<{ readonly status: number }>)[] = [
      () => api.admin.post('/notifications/receipt/sms', { transactionId, phone }),
      () => api.admin.post('/notifications/receipt/email', { transactionId, email }),
      () => api.public.post('/shorten-url-sms', { url, phone }),
      () => api.public.post('/shorten-url-payment-sms', { url, phone }),
      () => api.admin.post(`/invoices/${invoiceId}/send`, { sendVia: ['email'] }),
      () => api.admin.post(`/invoices/${invoiceId}/send`, { sendVia: ['sms'] }),
      () => api.admin.post(`/customers/${customerId}/update-link`, { sendVia: ['email'] }),
      () => api.admin.post('/payment-links', { amount: 5, description: 'A book', sendVia: ['sms'], phone }),
      () => api.admin.post('/reporting/email', { report: 'revenue', email }),
      () => api.admin.post('/settlement/funding-report/email', { email, startDate: '2027-02-01', endDate: '2027-02-28' }),
    ];
    for (const send of sends) expect((await send()).status, String(send)).toBe(429);
    expect([...(await messagesTo(phone)), ...(await messagesTo(email))]).toEqual(before);
    expect(await expectData(api.admin.get(`/invoices/${invoiceId}`))).toMatchObject({ status: 'draft' });
  });

  test('answers requests for password links the same for everybody, and sends no further message', inFull, async () => {
    const { api, credentials } = fixture();
    const { email } = await createUser(fixture(), 'viewer');
    const forgot = (address: string) =>
      api.bare.post('/api/v1/auth/forgot-password', { email: address }, { 'X-Tenant-ID': credentials.tenantId });
    const answers = [...(await Promise.all(times(5).map(() => forgot(email)))), await forgot('nobody@demo.example')];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toHaveLength(1);
    expect(await messagesTo(email)).toHaveLength(1);
  });

  test('messages to customers do not use up the sign-in codes of a person with the same address', inFull, async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'manager');
    await expectData(
      api.bare.put('/api/v1/auth/two-factor', { enabled: true, channel: 'email', currentPassword: user.password }, user.headers),
    );
    await expectData(otp(user.email, 'email'));
    const tenant = { 'X-Tenant-ID': fixture().credentials.tenantId };
    const signIn = () => api.bare.post('/api/v1/auth/login', { email: user.email, password: user.password }, tenant);
    await expectData(signIn());
    expect((await signIn()).status).toBe(429);
  });
});

describe.each(ANY_DATABASE)('Messages of an account in a day (%s)', (database) => {
  test('are refused above the limit of the account, with one warning to owners, while sign-in codes are sent', async () => {
    const { server, stop } = await startTestServer(database, { messageLimits: { ...MESSAGE_LIMITS, perTenant: 5 } });
    try {
      const { credentials, baseUrl } = server;
      if (credentials === undefined) throw new Error('the sample data has credentials');
      const api = apiOf(baseUrl, credentials);
      const answers = await Promise.all(
        times(12).map((n) => api.public.post('/otp/generate', { type: 'sms', destination: `+120755502${10 + n}` })),
      );
      expect(statuses(answers).filter((status) => status === 200)).toHaveLength(5);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.map(({ body }) => body.error.details?.reason)).toEqual(refused.map(() => 'account'));
      // Emails have a count of their own.
      await expectData(api.public.post('/otp/generate', { type: 'email', destination: 'other@buyer.example' }));
      const messages = await expectData(api.admin.get<Message[]>('/sandbox/messages?limit=200'));
      expect(
        messages.filter(({ subject }) => subject === 'Your Paydesk account has sent 5 text messages today').map(({ to }) => to),
      ).toEqual([credentials.adminEmail]);
      const activity = await expectData(api.admin.get<{ action: string }[]>('/security-activity?kind=channel-changed'));
      expect(activity.filter(({ action }) => action === 'messages.limit_reached')).toHaveLength(1);
    } finally {
      await stop();
    }
  });
});
