import { Type } from 'typebox';
import { described, literals } from '#core/platform/fields';
import { NOT_FREE_TEXT } from '#server/http';
import { EmailIn, Maybe, ProtectedText, Text } from './fields.ts';

export const EmailChannelIn = Type.Object({
  host: Type.Optional(Text(253, 'host name of the mail server')),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: '1 to 65535' })),
  security: Type.Optional(literals(['none', 'starttls', 'tls'], 'Encryption of the connection')),
  user: Type.Optional(Maybe(Text(320, 'User of the mail server'))),
  password: Type.Optional(Maybe(ProtectedText(1_024, 'unchanged if absent; required again if the server changes'))),
  fromName: Type.Optional(Maybe(Text(100, 'Name of the sender'))),
  fromAddress: Type.Optional(EmailIn('Address of the sender')),
  replyTo: Type.Optional(Maybe(EmailIn('Address for answers'))),
});
export const SmsChannelIn = Type.Object({
  provider: Type.Optional(Type.Literal('twilio', { description: 'Provider of text messages' })),
  accountSid: Type.Optional(Text(60, 'AC and 32 hexadecimal digits')),
  authToken: Type.Optional(ProtectedText(1_024, 'unchanged if absent; required again if the address changes')),
  from: Type.Optional(
    Type.String({ [NOT_FREE_TEXT]: 'phone', maxLength: 60, description: 'a phone number, a sender name, or a messaging service (MG…)' }),
  ),
  apiUrl: Type.Optional(Maybe(Text(500, 'address of the API; by default https://api.twilio.com'))),
});
const PhoneOrEmail = Type.String({
  [NOT_FREE_TEXT]: 'phone',
  maxLength: 254,
  ...described('an email address, or a phone number such as +12075550142', 'ann@customer.example'),
});
export const ResendIn = Type.Object({ to: Type.Optional(PhoneOrEmail) });
export const ChannelTestIn = Type.Object({ to: PhoneOrEmail });

export const PasscodeIn = Type.Object({
  type: literals(['sms', 'email'], 'Text message or email'),
  destination: PhoneOrEmail,
});
