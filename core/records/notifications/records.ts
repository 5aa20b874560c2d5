import { Type } from 'typebox';
import { count, flag, id, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { CHANNELS, MESSAGE_KINDS, MESSAGE_STATUSES } from './schema.ts';

/** A message in the outbox. */
export const Message = record('Message', {
  messageId: id('msg', 'ID of the message'),
  channel: literals(CHANNELS, 'Email or text message'),
  kind: literals(MESSAGE_KINDS, 'Kind of message'),
  resourceId: nullable(id('txn', 'Related record: a transaction, an invoice or a subscription')),
  to: text('Recipient', 'ann@example.com'),
  subject: nullable(text('Subject; null on a text message', 'Your receipt')),
  body: text('Text; empty for a secret that is not shown or was deleted', 'Thank you for your payment.'),
  status: literals(
    MESSAGE_STATUSES,
    '`waiting`: its channel was not set up, so only a person can send it; `queued`: it will be sent; `sent`: the provider has accepted it; `failed`: the last attempt failed; `expired`: its code or link expired before it was sent',
  ),
  attempts: count('Attempts since it was last queued', 1),
  lastError: nullable(text('Response of the server to the last attempt; null after a success', null)),
  sentAt: nullable(time('Time at which it was sent; null while unsent')),
  nextTryAt: nullable(time('Time of the next attempt to send', null)),
  isSecret: flag('It contains a code or a password link', false),
  attachment: nullable(text('Attached document, such as `invoice:inv_…`', null)),
  createdAt: time('Time of creation'),
});
export type Message = RecordOf<typeof Message>;

/** Result of a message that was queued. */
export const SentMessage = record('SentMessage', { messageId: id('msg', 'ID of the message') });

/** `none` uses no encryption, `starttls` starts without encryption and then requires TLS, `tls` uses TLS from the first byte. */
export const SECURITIES = ['none', 'starttls', 'tls'] as const;

const EmailSettings = record('EmailSettings', {
  host: text('Host name of the mail server', 'smtp.harbor.example'),
  port: count('Port of the mail server', 587),
  security: literals(SECURITIES, 'Encryption of the connection'),
  user: nullable(text('User; null if the server requires no sign-in', 'paydesk')),
  hasPassword: flag('True if a password is stored'),
  fromName: nullable(text('Name of the sender', 'Harbor Street Coffee')),
  fromAddress: text('Address of the sender', 'hello@harbor.example'),
  replyTo: nullable(text("Address for replies; null means the merchant's address", null)),
});
/** Settings of outgoing email; the password is stored separately. */
export type EmailSettings = Omit<RecordOf<typeof EmailSettings>, 'hasPassword'>;

const SmsSettings = record('SmsSettings', {
  provider: Type.Literal('twilio', { description: 'Provider of text messages' }),
  accountSid: text('Account at the provider', 'AC5b1f9f86d081884c7d659a2feaa0c55ad0'),
  hasToken: flag('True if a token is stored'),
  from: text('A phone number, a sender name, or a messaging service (MG…)', '+12075550100'),
  apiUrl: text('Address of the API', 'https://api.twilio.com'),
});
/** Settings of outgoing text messages; the token is stored separately. */
export type SmsSettings = Omit<RecordOf<typeof SmsSettings>, 'hasToken'>;

const state = {
  isSetUp: flag('True if the channel can send'),
  lastOkAt: nullable(time('Time of the last message that was sent')),
  lastError: nullable(text('Reason of the last failure', null)),
  lastErrorAt: nullable(time('Time of the last failure', null)),
  waiting: count('Messages from before the setup, which are not sent automatically', 0),
  failed: count('Messages that could not be sent', 0),
};
/** Channels with their settings and recent results. The password or token is never returned. */
export const EmailChannel = record('EmailChannel', {
  channel: Type.Literal('email', { description: 'Email' }),
  settings: nullable(EmailSettings, 'Settings; null if there are none'),
  ...state,
});
export const SmsChannel = record('SmsChannel', {
  channel: Type.Literal('sms', { description: 'Text message' }),
  settings: nullable(SmsSettings, 'Settings; null if there are none'),
  ...state,
});
export const MessageChannel = Type.Union([EmailChannel, SmsChannel], { title: 'MessageChannel' });
export interface ChannelStates {
  readonly email: RecordOf<typeof EmailChannel>;
  readonly sms: RecordOf<typeof SmsChannel>;
}

export const TestMessage = record('TestMessage', {
  ok: flag('True if the server accepted the message'),
  error: Type.Optional(text('Response of the server', 'Invalid password.')),
});
export type TestMessage = RecordOf<typeof TestMessage>;
