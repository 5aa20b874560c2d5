import type { EventType } from '#shared/webhook-events';
import type { Flow, TriggerRun } from './trigger-run.ts';

type SecurityEventType = Extract<EventType, `security.${string}`>;

const SMS_CHANNEL = { path: '/notifications/channels/sms', params: { channel: 'sms' } };
/** Settings of a provider that does not exist, so that no text message leaves the sandbox. */
const UNREACHABLE_PROVIDER = {
  accountSid: `AC${'0'.repeat(32)}`,
  authToken: 'not the token of an account',
  from: '+12075550142',
  apiUrl: 'https://sms.invalid',
};

/** Confirms the settings of text messages or, if there are none, sets up a provider and removes it. */
async function changeChannel(run: TriggerRun): Promise<void> {
  const { office } = run;
  const channels = await office.get<readonly { channel: string; isSetUp: boolean }[]>('/notifications/channels');
  const hasSettings = channels.some(({ channel, isSetUp }) => channel === 'sms' && isSetUp);
  await office.put(SMS_CHANNEL.path, { ...(hasSettings ? {} : UNREACHABLE_PROVIDER), ...run.confirmation() });
  if (hasSettings) return;
  await office.delete('/notifications/channels/{channel}', { params: SMS_CHANNEL.params, body: run.confirmation() });
}

/** Sets the address of the server as public address of the merchant, and restores the former one. */
async function changePublicAddress(run: TriggerRun): Promise<void> {
  const params = { id: await run.merchantId() };
  const path = '/merchants/{id}/settings';
  const { publicUrl } = await run.office.get<{ publicUrl: string | null }>(path, { params });
  const own = run.connection.url;
  await run.office.put(path, { publicUrl: publicUrl === own ? null : own }, { params });
  await run.office.put(path, { publicUrl }, { params });
}

/** Turns on codes by email for a new user, and signs the user in with a wrong code if `isWrongCode`. */
const secondFactor =
  (isWrongCode: boolean): Flow =>
  (run) =>
    run.withUser('cashier', async ({ email, password }) => {
      const session = await run.connection.asUser({ email, password });
      await session.put('/auth/two-factor', { enabled: true, channel: 'email', currentPassword: password });
      if (!isWrongCode) return;
      const visitor = run.connection.withoutCredential();
      const { otpId } = await visitor.post<{ otpId: string }>('/auth/login', { email, password });
      await visitor.post('/auth/verify-otp', { otpId, code: 'wrong' }).catch(() => {});
    });

/** Sends requests as a program that the account has not seen before. */
const asNewDevice: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('user-agent', `paydesk-trigger/${crypto.randomUUID()}`);
  return fetch(input, { ...init, headers });
};

/** Flows of security activity. A user whom a flow changes is created for it and removed afterwards. */
export const SECURITY_FLOWS: Record<SecurityEventType, Flow> = {
  'security.sign_in': async ({ connection }) => void (await connection.asAdministrator()),
  'security.sign_in_failed': async ({ connection }) => {
    const user = { email: connection.required('email'), password: 'not the password of this user' };
    await connection.asUser(user).catch(() => {});
  },
  'security.second_factor_failed': secondFactor(true),
  'security.new_device': async ({ connection }) => void (await connection.asAdministrator(asNewDevice)),
  'security.session_revoked': (run) =>
    run.withUser('cashier', async ({ userId, ...user }) => {
      await run.connection.asUser(user);
      const sessions = await run.office.get<readonly { id: string }[]>('/user-sessions', { query: { userId } });
      for (const { id } of sessions) await run.office.delete('/user-sessions/{id}', { params: { id } });
    }),
  'security.password_changed': (run) =>
    run.withUser('cashier', async ({ email, password }) => {
      const session = await run.connection.asUser({ email, password });
      await session.put('/auth/password', { currentPassword: password, newPassword: crypto.randomUUID() });
    }),
  'security.two_factor_changed': secondFactor(false),
  'security.role_changed': (run) => run.withUser('cashier', async () => {}),
  'security.company_sign_in': (run) =>
    run.withUser('cashier', async ({ userId }) => {
      await run.office.post('/users/{userId}/company-account', run.confirmation(), { params: { userId } });
    }),
  'security.key_changed': async ({ office, connection }) => {
    const body = { name: 'Made by paydesk trigger', scope: 'tenant', currentPassword: connection.required('password') };
    const { id } = await office.post<{ id: string }>('/api-keys', body);
    await office.delete('/api-keys/{id}', { params: { id } });
  },
  'security.channel_changed': changeChannel,
  'security.payer_address_changed': changePublicAddress,
  'security.destination_changed': async ({ office }) => {
    const endpoint = { url: 'https://receiver.invalid', events: ['transaction.approved'] };
    const { id } = await office.post<{ id: string }>('/webhooks/endpoints', endpoint);
    await office.delete('/webhooks/endpoints/{id}', { params: { id } });
  },
};
