import { expect } from 'vitest';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Api, type ApiFixture, expectData } from '../../support/server.ts';
import type { MailServer } from './fake-mail-server.ts';

/** A message as the outbox returns it. */
export interface MessageRecord {
  messageId: string;
  channel: 'email' | 'sms';
  kind: string;
  resourceId: string | null;
  to: string;
  subject: string | null;
  body: string;
  status: string;
  attempts: number;
  lastError: string | null;
  sentAt: string | null;
  nextTryAt: string | null;
  isSecret: boolean;
  attachment: string | null;
  createdAt: string;
}

export interface ChannelRecord {
  channel: string;
  isSetUp: boolean;
  settings: Record<string, unknown> | null;
  lastOkAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
  waiting: number;
  failed: number;
}

let made = 0;
/** Returns an address that nothing else in the file uses. */
export const freshAddress = () => `payer${++made}@shop.example`;

/** The settings of a mail server that a test started. */
export const settingsFor = ({ port }: MailServer, more: Record<string, unknown> = {}) => ({
  host: 'localhost',
  port,
  security: 'none',
  fromAddress: 'till@shop.example',
  ...more,
});

/** Changes fields of a channel, confirmed with the password of the administrator. */
export const putChannel = ({ admin, adminPassword }: Api, path: string, body: Record<string, unknown>) =>
  admin.put<ChannelRecord>(path, { currentPassword: adminPassword, ...body });

export const setMailServer = (api: Api, server: MailServer, more: Record<string, unknown> = {}) =>
  expectData(putChannel(api, '/notifications/channels/email', settingsFor(server, more)));

/** Notifies the customer of a sale about a refund; returns the sale. */
export async function tellOfRefund({ admin, public: open }: Api, email: string, amount = 5): Promise<string> {
  const body = cardBody(60, undefined, { customer: { email } });
  const { transactionId } = await expectData(admin.post<TransactionRecord>('/transactions', body));
  await expectData(open.post('/refund', { transactionId, amount }));
  return transactionId;
}

/** The newest message to an address. */
export async function messageTo({ admin }: Api, to: string): Promise<MessageRecord> {
  const [found] = await expectData(admin.get<MessageRecord[]>(`/notifications/messages?q=${encodeURIComponent(to)}`));
  if (!found) throw new Error(`there is a message to ${to}`);
  return found;
}

/** Returns the newest message to an address, once its first attempt has ended. */
export async function settled(api: Api, to: string, isSettled: (message: MessageRecord) => boolean): Promise<MessageRecord> {
  await expect.poll(async () => isSettled(await messageTo(api, to)), { interval: 25 }).toBe(true);
  return messageTo(api, to);
}

export const sent = (api: Api, to: string) => settled(api, to, ({ status }) => status === 'sent');
export const tried = (api: Api, to: string) => settled(api, to, ({ lastError }) => lastError !== null);

export const advance = ({ admin }: Api, advanceSeconds: number) => expectData(admin.post('/sandbox/clock', { advanceSeconds }));

export async function channelOf({ admin }: Api, channel: 'email' | 'sms'): Promise<ChannelRecord> {
  const channels = await expectData(admin.get<ChannelRecord[]>('/notifications/channels'));
  return channels.find((each) => each.channel === channel) as ChannelRecord;
}

export const forget = async ({ api }: ApiFixture, channel: 'email' | 'sms') =>
  void (await api.admin.delete(`/notifications/channels/${channel}`, {}, { currentPassword: api.adminPassword }));
