import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { SECURITY_KINDS } from '#core/records/audit';
import { NOT_FREE_TEXT } from '#server/http';
import { LANGUAGE_CODES } from '#shared/languages';
import { AmountIn, CurrencyIn, Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

export const PermissionsIn = Type.Array(Text(60), {
  maxItems: 60,
  description: 'areas such as `transactions`, or `area:read` and `area:write`',
  examples: [['transactions', 'refunds:read']],
});
export const PhoneIn = Type.String({
  'x-error-code': 'INVALID_PHONE',
  [NOT_FREE_TEXT]: 'phone',
  description: 'a phone number in E.164, such as +12075550142',
  pattern: '^\\+[1-9]\\d{6,14}$',
});

export const TwoFactorMethod = Type.Union([Type.Literal('off'), Type.Literal('email'), Type.Literal('sms'), Type.Literal('totp')]);

/** Language of a user's screens. */
export const ScreenLanguageField = literals(LANGUAGE_CODES, `one of ${LANGUAGE_CODES.join(', ')}`);

/** A user. */
export const UserOut = named(
  'User',
  Type.Object({
    id: Type.String(),
    userId: Type.String({ description: 'the same as id' }),
    email: Type.String(),
    name: Maybe(Type.String({ description: 'name of the person' })),
    language: Maybe(ScreenLanguageField),
    phone: Maybe(Type.String()),
    role: Type.String(),
    permissions: Type.Array(Type.String(), { description: 'all permissions of the user' }),
    ownPermissions: Type.Boolean({ description: "whether the user's own permissions replace those of the role" }),
    merchantId: Maybe(Type.String({ description: 'the only merchant that the user has access to; null means all merchants' })),
    twoFactor: TwoFactorMethod,
    hasPin: Type.Boolean({ description: 'true if the user has set a PIN' }),
    status: Type.Union([Type.Literal('active'), Type.Literal('invited'), Type.Literal('locked')]),
    lastSeenAt: Maybe(Timestamp),
    createdAt: Timestamp,
  }),
);

export const RoleOut = named(
  'Role',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    permissions: Type.Array(Type.String()),
    allowedAddresses: Type.Array(Type.String(), {
      description: 'addresses and networks from which users of the role may work; empty means all',
    }),
    builtIn: Type.Boolean(),
  }),
);

const ApiKeyFields = {
  id: Type.String(),
  keyId: Type.String({ description: 'the same as id' }),
  name: Type.String(),
  scope: Type.Union([Type.Literal('merchant'), Type.Literal('tenant')]),
  merchantId: Maybe(Type.String()),
  permissions: Type.Array(Type.String()),
  tier: Maybe(Type.String({ description: "the key's own tier, at most the tenant's; null uses the tenant's" })),
  last4: Type.String(),
  status: Type.Union([Type.Literal('active'), Type.Literal('expired'), Type.Literal('revoked')]),
  expiresAt: Maybe(Timestamp),
  revokedAt: Maybe(Timestamp),
  lastUsedAt: Maybe(Timestamp),
  spendingLimits: Maybe(
    named(
      'SpendingLimits',
      Type.Object({
        currency: Type.String({ description: 'currency of the amounts; the key moves money in no other one' }),
        perPayment: Maybe(
          Type.Number({ description: 'largest total of one payment, and largest sum that is returned of it; null means no limit' }),
        ),
        perDay: Maybe(Type.Number({ description: 'largest sum of a day in UTC, by the account’s clock; null means no limit' })),
        liveWrites: Type.Boolean({ description: 'true if the key may change data of a live account' }),
        overLimit: Type.Union([Type.Literal('refuse'), Type.Literal('ask')], {
          description: '`ask` requests the approval of a person for an operation above a limit; `refuse` refuses it',
        }),
        movedToday: Type.Number({ description: 'sum that the key has moved today, including declined payments' }),
      }),
    ),
  ),
  allowedOrigins: Type.Array(Type.String(), {
    description: 'origins of web pages that may call the SDK surface with this key; empty means none',
    examples: [['https://shop.example']],
  }),
  allowedAddresses: Type.Array(Type.String(), { description: 'addresses and networks from which the key may be used; empty means all' }),
  createdBy: Maybe(Type.String({ description: 'name of the person who made the key' })),
  createdById: Maybe(Type.String({ description: 'ID of that person; null for a key of the sample data' })),
  isCreatorRemoved: Type.Boolean({ description: 'whether that person was removed' }),
  createdAt: Timestamp,
};
/** Origins in a request. */
export const AllowedOriginsIn = Type.Array(Text(200), {
  maxItems: 20,
  description:
    'at most 20 origins of web pages that may call the SDK surface with this key, such as `https://shop.example`; `http://` only for this computer. Everyone who opens such a page can read the key, so limit its permissions and spending.',
  examples: [['https://shop.example']],
});
/** Addresses and networks in a request. */
export const AllowedAddressesIn = Type.Array(Text(50), {
  maxItems: 50,
  description:
    'at most 50 addresses and networks, such as `203.0.113.7` or `10.0.0.0/8`, from which requests are accepted; empty for all. Behind a proxy, the address that a trusted proxy reports counts.',
  examples: [['203.0.113.0/24']],
});
/** Spending limits in a request; null removes them. */
export const SpendingLimitsIn = Maybe(
  named(
    'SpendingLimitsInput',
    Type.Object(
      {
        currency: CurrencyIn,
        perPayment: Type.Optional(Maybe(AmountIn)),
        perDay: Type.Optional(Maybe(AmountIn)),
        liveWrites: Type.Optional(Type.Boolean({ description: 'true lets the key change data of a live account; false by default' })),
        overLimit: Type.Optional(
          Type.Union([Type.Literal('refuse'), Type.Literal('ask')], {
            description:
              '`ask` requests the approval of a person for an operation above a limit, with a token or a stored customer; `refuse` by default',
          }),
        ),
      },
      {
        description:
          'Limits for keys of programs that are not fully trusted, such as agents. They hold on every surface. An operation above a limit gets PERMISSION_DENIED, or waits for an approval if `overLimit` is `ask`. A new subscription counts once, with its amount; its later payments are not limited. The day starts at midnight in UTC, by the account’s clock.',
        examples: [{ currency: 'USD', perPayment: 50, perDay: 200 }],
      },
    ),
  ),
);
export const ApiKeyOut = named('ApiKey', Type.Object(ApiKeyFields));
export const ApiKeyWithSecret = named(
  'ApiKeyWithSecret',
  Type.Object({ ...ApiKeyFields, key: Type.String({ description: 'the key itself, in this response only' }) }),
);

export const SessionOut = named(
  'Session',
  Type.Object({
    id: Type.String(),
    userId: Type.String(),
    email: Type.String(),
    kind: Type.Union([Type.Literal('screen'), Type.Literal('api')]),
    device: Maybe(Type.String({ description: 'user agent of the client' })),
    ip: Maybe(Type.String()),
    startedAt: Timestamp,
    lastSeenAt: Timestamp,
    current: Type.Boolean({ description: "whether the caller's own token belongs to it" }),
  }),
);

const Fields = Maybe(Type.Record(Type.String(), Type.Unknown()));
export const AuditEntryOut = named(
  'AuditEntry',
  Type.Object({
    id: Type.String(),
    at: Timestamp,
    actor: Type.String(),
    action: Type.String(),
    resource: Type.String({ description: 'path of the changed resource, below /api/v1' }),
    merchantId: Maybe(Type.String()),
    before: Fields,
    after: Fields,
    ip: Maybe(Type.String()),
    requestId: Type.String(),
    hash: Type.String(),
    previousHash: Type.String(),
  }),
);

export const SecurityKind = literals(SECURITY_KINDS);
export const SecurityActivityOut = named(
  'SecurityActivity',
  Type.Object({
    id: Type.String(),
    at: Timestamp,
    kind: SecurityKind,
    action: Type.String({ description: 'the action in the audit log' }),
    actor: Type.String({ description: 'email address of the user, name of the API key, or service' }),
    resource: Type.String({ description: 'path of the changed resource, below /api/v1' }),
    before: Fields,
    after: Fields,
    ip: Maybe(Type.String()),
    userAgent: Maybe(Type.String({ description: 'user agent of the client; at most 300 characters' })),
    requestId: Type.String(),
  }),
);

/** Response of every deletion. */
export const Deleted = named('Deleted', Type.Object({ id: Type.String(), deleted: Type.Literal(true) }));
