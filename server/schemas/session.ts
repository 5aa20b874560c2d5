import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const UserOut = named(
  'SessionUser',
  Type.Object({ userId: Type.String(), email: Type.String(), role: Type.String(), tenantId: Type.String() }),
);
/** Fields of a sign-in response. */
export const SignedInFields = {
  token: Type.String(),
  refreshToken: Type.String(),
  tokenType: Type.Literal('Bearer'),
  expiresIn: Type.Integer({ description: 'seconds' }),
  user: UserOut,
};

export const RefreshBody = Type.Object({ refreshToken: Text(400) });

/** A code that was sent. */
export const SentFields = { otpId: Type.String(), expiresAt: Timestamp, expiresIn: Type.Integer({ description: 'seconds' }) };
/** Response to a correct password if a code is required. */
export const OtpOut = Type.Object({
  otpRequired: Type.Literal(true),
  ...SentFields,
  channel: literals(['email', 'sms', 'totp'], 'totp: the code is in the authenticator app of the user; nothing is sent'),
  destination: Maybe(Type.String({ description: 'masked address to which the code was sent' })),
});
