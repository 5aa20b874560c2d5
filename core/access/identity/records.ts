import { Type } from 'typebox';
import type { Permission } from '#core/kernel';
import { count, flag, group, id, list, literals, nullable, number, one, type RecordOf, record, text, time } from '#core/platform/fields';
import { LANGUAGE_CODES } from '#shared/languages';
import { CODE_CHANNELS, KEY_SCOPES, SESSION_KINDS, TIERS, TWO_FACTORS } from './schema.ts';

const userId = id('usr', 'ID of the user');
const email = text('Email address', 'ann@harbor.example');
const name = nullable(text('Name of the person; null if none was entered', 'Ann Marsh'));
const hasPin = flag('True if the user has set a PIN');
const permissionList = (description: string) =>
  list(Type.Unsafe<Permission>(Type.String()), description, ['transactions:read', 'transactions:write']);
const createdAt = time('Time of creation');

export const ScreenLanguage = literals(LANGUAGE_CODES, `one of ${LANGUAGE_CODES.join(', ')}`);
export const TwoFactorMethod = literals(TWO_FACTORS, 'Second factor of sign-ins');

export const User = record('User', {
  id: userId,
  userId: id('usr', 'The same as id'),
  email,
  name,
  language: nullable(literals(LANGUAGE_CODES, 'Language of the screens; null if none was chosen', null)),
  phone: nullable(text('Phone number with country code', '+12075550142')),
  role: text('Name of the role', 'cashier'),
  permissions: permissionList('All permissions of the user'),
  ownPermissions: flag("Whether the user's own permissions replace those of the role", false),
  merchantId: nullable(id('mer', 'The only merchant that the user has access to; null means all merchants')),
  twoFactor: TwoFactorMethod,
  hasPin,
  status: literals(['active', 'invited', 'locked'], 'Status'),
  lastSeenAt: nullable(time('Time of the last request')),
  createdAt,
});
export type User = RecordOf<typeof User>;
export const CreatedUser = group('The user', {
  ...User.properties,
  inviteUrl: Type.Optional(text('Address of the page to set the password', 'https://pay.harbor.example/#/set-password')),
});
export type CreatedUser = RecordOf<typeof CreatedUser>;
/** The signed-in user, with the rights of the session. */
export const SelfUser = group('The signed-in user', {
  userId,
  email,
  name,
  language: User.properties.language,
  role: User.properties.role,
  permissions: permissionList('Permissions of the session'),
  merchantId: User.properties.merchantId,
  twoFactor: TwoFactorMethod,
  phone: User.properties.phone,
  hasPin,
  byPin: flag('True if the user took over the screen with a PIN', false),
  byCompany: flag('True if the user has no password and signed in at the company’s provider', false),
});

/** A person who may approve an operation, or switch to a workstation. */
export const Person = group('A person', { userId, email, name, hasPin });
export type Person = RecordOf<typeof Person>;

const addresses = (description: string) => list(Type.String(), description, ['203.0.113.0/24']);

export const Role = record('Role', {
  id: id('rol', 'ID of the role, or name of a built-in one'),
  name: text('Name', 'Tills'),
  permissions: permissionList('Permissions'),
  allowedAddresses: addresses('Addresses and networks from which users of the role may work; empty means all, as for every built-in role'),
  builtIn: flag('True for a role that every tenant has', false),
});
export type RoleRecord = RecordOf<typeof Role>;

const SpendingLimits = record('SpendingLimits', {
  currency: text('Currency of the amounts; the key moves money in no other one', 'USD'),
  perPayment: nullable(
    number('Largest total of one payment, and largest sum that is returned of it, in major units; null means no limit', 50),
  ),
  perDay: nullable(number('Largest sum of a day in UTC, by the account’s clock, in major units; null means no limit', 200)),
  liveWrites: flag('True if the key may change data of a live account', false),
  overLimit: literals(['refuse', 'ask'], '`ask` requests the approval of a person for an operation above a limit; `refuse` refuses it'),
  movedToday: number('Sum that the key has moved today, including declined payments, in major units', 0),
});
export type ShownSpendingLimits = RecordOf<typeof SpendingLimits>;

const keyFields = {
  id: id('key', 'ID of the API key'),
  keyId: id('key', 'The same as id'),
  name: text('Name', 'Web shop'),
  scope: literals(KEY_SCOPES, '`merchant`: one merchant; `tenant`: all merchants'),
  merchantId: nullable(id('mer', 'ID of the merchant; null for a key of all merchants')),
  permissions: permissionList('Permissions'),
  tier: nullable(literals(TIERS, "The key's own tier, at most the tenant's; null uses the tenant's", null)),
  last4: text('Last four characters of the key', '4f2a'),
  status: literals(['active', 'expired', 'revoked'], 'Status'),
  expiresAt: nullable(time('Time at which it expires; null if it does not expire', null)),
  revokedAt: nullable(time('Time of the revocation', null)),
  lastUsedAt: nullable(time('Time of the last request with the key')),
  spendingLimits: nullable(SpendingLimits, 'Limits of the payments that the key may make; null if there are none', null),
  allowedOrigins: list(Type.String(), 'Origins of web pages that may call the SDK surface with this key; empty means none', [
    'https://shop.example',
  ]),
  allowedAddresses: addresses('Addresses and networks from which the key may be used; empty means all'),
  createdBy: nullable(text('Name of the person who made the key', 'Ann Marsh')),
  createdById: nullable(id('usr', 'ID of that person; null for a key of the sample data')),
  isCreatorRemoved: flag('Whether that person was removed', false),
  createdAt,
};
/** An API key. The key itself is returned once, when it is created. */
export const ApiKey = record('ApiKey', keyFields);
export type ApiKey = RecordOf<typeof ApiKey>;
export const ApiKeyWithSecret = record('ApiKeyWithSecret', {
  ...keyFields,
  key: text('The key itself, in this response only', 'sk_sandbox_5b1f…'),
});
export type ApiKeyWithSecret = RecordOf<typeof ApiKeyWithSecret>;

export const Session = record('Session', {
  id: id('ses', 'ID of the session'),
  userId,
  email,
  kind: literals(SESSION_KINDS, '`screen`: a session of the screens; `api`: of a program'),
  device: nullable(text('User agent of the client', 'Mozilla/5.0')),
  ip: nullable(text('Network address of the caller', '203.0.113.7')),
  startedAt: time('Time of the sign-in'),
  lastSeenAt: time('Time of the last request'),
  current: flag("Whether the caller's own token belongs to it"),
});
export type Session = RecordOf<typeof Session>;

const signedIn = {
  token: text('Access token for `Authorization: Bearer`', 'eyJhbGciOi…'),
  refreshToken: text('Token for the next access token; can be used once', 'ses_01m7y495cj0020acfq3xv5ygj8.0.5b1f…'),
  tokenType: Type.Literal('Bearer', { description: 'Kind of the access token' }),
  expiresIn: count('Time for which the access token is valid, in seconds', 900),
  user: one(
    record('SessionUser', { userId, email, role: User.properties.role, tenantId: id('ten', 'ID of the tenant') }),
    'The signed-in user',
  ),
};
export const SignedIn = group('The tokens', signedIn);
export type SignedIn = RecordOf<typeof SignedIn>;
export const SignedInWithAccessToken = group('The tokens', { ...signedIn, accessToken: text('The same as token', 'eyJhbGciOi…') });
export const NewInstallation = group('The tokens of the owner', {
  ...signedIn,
  tenantId: id('ten', 'ID of the tenant'),
  merchantId: id('mer', 'ID of the merchant'),
});

const sentCode = {
  otpId: id('otp', 'ID of the code'),
  expiresAt: time('Time at which the code expires'),
  expiresIn: count('Time for which the code is valid, in seconds', 600),
};
/** A code that was sent. */
export const SentCode = group('The code', sentCode);
export type SentCode = RecordOf<typeof SentCode>;
/** A passcode that was sent to an integrator's customer. */
export const SentPasscode = record('OneTimeCode', { otpId: sentCode.otpId, expiresAt: sentCode.expiresAt });
export type SentPasscode = RecordOf<typeof SentPasscode>;
/** Response to a correct password if a code is required. */
export const OtpRequired = group('The code that the sign-in needs', {
  otpRequired: Type.Literal(true, { description: 'Always true' }),
  ...sentCode,
  channel: literals(CODE_CHANNELS, 'totp: the code is in the authenticator app of the user; nothing is sent'),
  destination: nullable(text('Masked address to which the code was sent; null for an authenticator app', 'a•••@harbor.example')),
});
export type OtpRequired = RecordOf<typeof OtpRequired>;
