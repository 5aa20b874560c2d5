import type { Channel, MessageChannelRow } from './schema.ts';

/** `none` uses no encryption, `starttls` starts without encryption and then requires TLS, `tls` uses TLS from the first byte. */
const SECURITIES = ['none', 'starttls', 'tls'] as const;
export type Security = (typeof SECURITIES)[number];

/** Settings of outgoing email; the password is stored separately. */
export interface EmailSettings {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
  /** Null if the server requires no sign-in. */
  readonly user: string | null;
  readonly fromName: string | null;
  readonly fromAddress: string;
  /** Address for replies; null means the merchant's address. */
  readonly replyTo: string | null;
}

/** Settings of outgoing text messages; the token is stored separately. */
export interface SmsSettings {
  readonly provider: 'twilio';
  readonly accountSid: string;
  /** A phone number, a sender name, or a messaging service (MG…). */
  readonly from: string;
  readonly apiUrl: string;
}

/** Settings of a channel for display: whether there is a secret, never the secret itself. */
type ShownSettings = (EmailSettings & { readonly hasPassword: boolean }) | (SmsSettings & { readonly hasToken: boolean });

/** A channel with its settings and its recent results. */
export interface ChannelState {
  readonly channel: Channel;
  readonly isSetUp: boolean;
  readonly settings: ShownSettings | null;
  readonly lastOkAt: string | null;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
  /** Number of messages that a person must resend, because the channel was not set up when they were written. */
  readonly waiting: number;
  readonly failed: number;
}

export const CHANNELS: readonly Channel[] = ['email', 'sms'];

export const emailSettingsOf = (row: Pick<MessageChannelRow, 'settings'>) => JSON.parse(row.settings) as EmailSettings;
export const smsSettingsOf = (row: Pick<MessageChannelRow, 'settings'>) => JSON.parse(row.settings) as SmsSettings;

/** Returns the purpose under which the password or token of a channel is encrypted. */
export const channelPurpose = (channel: Channel) => `message-channel/${channel}`;

export function shownSettings(row: MessageChannelRow): ShownSettings {
  const hasSecret = row.secret !== null;
  return row.channel === 'email' ? { ...emailSettingsOf(row), hasPassword: hasSecret } : { ...smsSettingsOf(row), hasToken: hasSecret };
}
