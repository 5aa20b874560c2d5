import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { NOT_FREE_TEXT } from '#server/http';
import { EmailIn, Maybe, ProtectedText, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const CHANNELS = ['email', 'sms'] as const;
export const MESSAGE_STATUSES = ['waiting', 'queued', 'sent', 'failed', 'expired'] as const;
export const MESSAGE_KINDS = [
  'receipt',
  'refund',
  'invoice',
  'statement',
  'link',
  'card-update',
  'customer-page',
  'gift-card',
  'dunning',
  'code',
  'password',
  'test',
  'notice',
] as const;

/** A message in the outbox. */
export const MessageOut = named(
  'Message',
  Type.Object({
    messageId: Type.String(),
    channel: literals(CHANNELS),
    kind: literals(MESSAGE_KINDS),
    resourceId: Maybe(Type.String({ description: 'related record: a transaction, an invoice or a subscription' })),
    to: Type.String(),
    subject: Maybe(Type.String({ description: 'null on a text message' })),
    body: Type.String({ description: 'empty for a secret' }),
    status: literals(MESSAGE_STATUSES),
    attempts: Type.Integer({ description: 'attempts since it was last queued' }),
    lastError: Maybe(Type.String({ description: 'response of the server to the last attempt' })),
    sentAt: Maybe(Timestamp),
    nextTryAt: Maybe(Timestamp),
    isSecret: Type.Boolean({ description: 'it contains a code or a password link' }),
    attachment: Maybe(Type.String({ description: 'attached document, such as `invoice:inv_…`' })),
    createdAt: Timestamp,
  }),
);

const EmailShown = named(
  'EmailSettings',
  Type.Object({
    host: Type.String(),
    port: Type.Integer(),
    security: literals(['none', 'starttls', 'tls']),
    user: Maybe(Type.String()),
    hasPassword: Type.Boolean(),
    fromName: Maybe(Type.String()),
    fromAddress: Type.String(),
    replyTo: Maybe(Type.String()),
  }),
);
const SmsShown = named(
  'SmsSettings',
  Type.Object({
    provider: Type.Literal('twilio'),
    accountSid: Type.String(),
    hasToken: Type.Boolean(),
    from: Type.String(),
    apiUrl: Type.String(),
  }),
);

const StateFields = {
  isSetUp: Type.Boolean(),
  lastOkAt: Maybe(Timestamp),
  lastError: Maybe(Type.String()),
  lastErrorAt: Maybe(Timestamp),
  waiting: Type.Integer({ description: 'messages from before the setup, which are not sent automatically' }),
  failed: Type.Integer({ description: 'messages that could not be sent' }),
};
/** A channel with its state. Its password or token is never returned. */
export const EmailChannelOut = named(
  'EmailChannel',
  Type.Object({ channel: Type.Literal('email'), settings: Maybe(EmailShown), ...StateFields }),
);
export const SmsChannelOut = named('SmsChannel', Type.Object({ channel: Type.Literal('sms'), settings: Maybe(SmsShown), ...StateFields }));
export const ChannelOut = named('MessageChannel', Type.Union([EmailChannelOut, SmsChannelOut]));

export const EmailChannelIn = Type.Object({
  host: Type.Optional(Text(253, 'host name of the mail server')),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: '1 to 65535' })),
  security: Type.Optional(Type.Union([Type.Literal('none'), Type.Literal('starttls'), Type.Literal('tls')])),
  user: Type.Optional(Maybe(Text(320))),
  password: Type.Optional(Maybe(ProtectedText(1_024, 'unchanged if absent; required again if the server changes'))),
  fromName: Type.Optional(Maybe(Text(100))),
  fromAddress: Type.Optional(EmailIn),
  replyTo: Type.Optional(Maybe(EmailIn)),
});
export const SmsChannelIn = Type.Object({
  provider: Type.Optional(Type.Literal('twilio')),
  accountSid: Type.Optional(Text(60, 'AC and 32 hexadecimal digits')),
  authToken: Type.Optional(ProtectedText(1_024, 'unchanged if absent; required again if the address changes')),
  from: Type.Optional(
    Type.String({ [NOT_FREE_TEXT]: 'phone', maxLength: 60, description: 'a phone number, a sender name, or a messaging service (MG…)' }),
  ),
  apiUrl: Type.Optional(Maybe(Text(500, 'address of the API; by default https://api.twilio.com'))),
});
export const TestSentOut = named(
  'TestMessage',
  Type.Object({
    ok: Type.Boolean(),
    error: Type.Optional(Type.String({ description: 'response of the server' })),
  }),
);

const PhoneOrEmail = Type.String({
  [NOT_FREE_TEXT]: 'phone',
  maxLength: 254,
  description: 'an email address, or a phone number such as +12075550142',
});
export const ResendIn = Type.Object({ to: Type.Optional(PhoneOrEmail) });
export const ChannelTestIn = Type.Object({ to: PhoneOrEmail });

export const PasscodeIn = Type.Object({
  type: Type.Union([Type.Literal('sms'), Type.Literal('email')]),
  destination: PhoneOrEmail,
});
/** A passcode that was sent to an integrator's customer. */
export const PasscodeOut = named('OneTimeCode', Type.Object({ otpId: Type.String(), expiresAt: Timestamp }));
