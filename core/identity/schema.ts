import { integer, type RowOf, table, text } from '#core/database';

export type Environment = 'sandbox' | 'live';
export type Tier = 'sandbox' | 'standard' | 'professional' | 'enterprise';

/** The order of tiers from the tightest limits on (specification 8). Requests of `sandbox` are not limited, and those of `enterprise` by a setting. */
const TIER_RANKS: Readonly<Record<Tier, number>> = { standard: 0, professional: 1, enterprise: 2, sandbox: 2 };

/** Returns true if a tier's limits are at most those of another. */
export const isTierWithin = (tier: Tier, most: Tier): boolean => TIER_RANKS[tier] <= TIER_RANKS[most];

export type TwoFactor = 'off' | 'email' | 'sms' | 'totp';
/** A session of the screens ends its refreshing when it was idle; one of a program does not (decisions 3). */
export type SessionKind = 'screen' | 'api';
export type SessionEnd = 'signed-out' | 'revoked' | 'token-reused' | 'password-changed' | 'user-removed';
/** `verification` is of an integrator's own customers. */
export type CodePurpose = 'sign-in' | 'verification';

export const TENANTS = table(
  'tenants',
  {
    id: text,
    name: text,
    environment: text.of<Environment>(),
    tier: text.of<Tier>(),
    /** Time that the tenant's clock is ahead of real time; sandbox tenants only. */
    clock_offset_ms: integer,
    created_at: text,
  },
  { key: ['id'] },
);

export type TenantRow = RowOf<typeof TENANTS>;

export const USERS = table(
  'users',
  {
    tenant_id: text,
    id: text,
    email: text,
    /** Empty until the invitation is taken up. */
    password_hash: text,
    /** A built-in role's name, or the id of one of the tenant's own. */
    role: text,
    failed_logins: integer,
    /** Real time in milliseconds until which no password is accepted. */
    locked_until_ms: integer,
    two_factor: text.of<TwoFactor>(),
    phone: text.optional,
    /** JSON array of permissions that take the place of the role's; null leaves them to the role. */
    permissions: text.optional,
    /** The one merchant that the user acts for; null for all of the tenant. */
    merchant_id: text.optional,
    last_seen_at: text.optional,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'email']], indexes: [{ name: 'users_by_email', columns: ['email'] }] },
);

export type UserRow = RowOf<typeof USERS>;

export const API_KEYS = table(
  'api_keys',
  {
    tenant_id: text,
    id: text,
    name: text,
    scope: text.of<'merchant' | 'tenant'>(),
    merchant_id: text.optional,
    /** SHA-256 of the key; the key itself is shown once and never kept. */
    hash: text,
    last4: text,
    /** JSON array of permissions; null grants what its scope may do. */
    permissions: text.optional,
    tier: text.optional,
    expires_at: text.optional,
    revoked_at: text.optional,
    last_used_at: text.optional,
    /** Name of the creator. */
    created_by: text.optional,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'hash']], indexes: [{ name: 'api_keys_by_hash', columns: ['hash'] }] },
);

export type ApiKeyRow = RowOf<typeof API_KEYS>;

export const SESSIONS = table(
  'sessions',
  {
    tenant_id: text,
    id: text,
    user_id: text,
    refresh_hash: text,
    expires_ms: integer,
    revoked_at: text.optional,
    /** Reason for an early end. */
    end_reason: text.of<SessionEnd>().optional,
    kind: text.of<SessionKind>(),
    ip: text.optional,
    user_agent: text.optional,
    /** Real time of its last request, to the minute. */
    last_seen_ms: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'sessions_by_user', columns: ['tenant_id', 'user_id'] }] },
);

export type SessionRow = RowOf<typeof SESSIONS>;

/** A role of the tenant's own; the built-in ones are not kept. */
export const ROLE_ROWS = table(
  'roles',
  {
    tenant_id: text,
    id: text,
    name: text,
    /** JSON array. */
    permissions: text,
    created_at: text,
    updated_at: text,
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'name']] },
);

export type RoleRow = RowOf<typeof ROLE_ROWS>;

/** A one-time code that was sent. */
export const CODES = table(
  'one_time_codes',
  {
    tenant_id: text,
    id: text,
    purpose: text.of<CodePurpose>(),
    /** ID of the user that it is for. */
    subject: text,
    /** `totp`: nothing was sent; the code comes from the user's authenticator app. */
    channel: text.of<'email' | 'sms' | 'totp'>(),
    destination: text,
    /** Keyed hash: six digits are guessed in no time from a plain one. */
    code_hash: text,
    tries: integer,
    resends: integer,
    /** Real time. */
    sent_ms: integer,
    /** The tenant's time. */
    expires_ms: integer,
    used_at: text.optional,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'one_time_codes_by_id', columns: ['id'] }] },
);

export type CodeRow = RowOf<typeof CODES>;

/** Links to set a password, sent to a new user or after a forgotten password. */
export const PASSWORD_TOKENS = table(
  'password_tokens',
  {
    tenant_id: text,
    /** SHA-256 of the token; the token itself is only in the message. */
    id: text,
    user_id: text,
    purpose: text.of<'invite' | 'reset'>(),
    expires_ms: integer,
    used_at: text.optional,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'password_tokens_by_id', columns: ['id'] },
      { name: 'password_tokens_by_user', columns: ['tenant_id', 'user_id'] },
    ],
  },
);

export type PasswordTokenRow = RowOf<typeof PASSWORD_TOKENS>;

/** The authenticator app of a user. */
export const AUTHENTICATORS = table(
  'authenticators',
  {
    tenant_id: text,
    user_id: text,
    /** Sealed. null until the first code was confirmed. */
    secret: text.optional,
    /** Sealed secret of an app that waits for its first code. */
    pending_secret: text.optional,
    /** The newest time step of which a code was used: a code works once. */
    last_step: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'user_id'] },
);

export type AuthenticatorRow = RowOf<typeof AUTHENTICATORS>;

/** A code that takes the place of the second factor once. */
export const RECOVERY_CODES = table(
  'recovery_codes',
  {
    tenant_id: text,
    user_id: text,
    /** Keyed hash of the code; the code itself is shown once. */
    hash: text,
    used_at: text.optional,
  },
  { key: ['tenant_id', 'user_id', 'hash'] },
);

export type RecoveryCodeRow = RowOf<typeof RECOVERY_CODES>;

/** A key that signs a tenant's tokens; one that was replaced still opens what it signed, until that has expired. */
export const SIGNING_KEYS = table(
  'signing_keys',
  {
    tenant_id: text,
    id: text,
    sealed: text,
    created_ms: integer,
    retired_ms: integer.optional,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'signing_keys_by_id', columns: ['id'] }] },
);

export type SigningKeyRow = RowOf<typeof SIGNING_KEYS>;
