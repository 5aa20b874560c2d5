import { integer, type RowOf, table, text } from '#core/database';
import type { Language } from '#shared/languages';

export type Environment = 'sandbox' | 'live';
export const TIERS = ['sandbox', 'standard', 'professional', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/**
 * Order of the tiers, starting with the strictest limits. Requests of `sandbox` are not limited; the limit of
 * `enterprise` is a setting.
 */
const TIER_RANKS: Readonly<Record<Tier, number>> = { standard: 0, professional: 1, enterprise: 2, sandbox: 2 };

/** Returns true if a tier's limits are at most those of another. */
export const isTierWithin = (tier: Tier, most: Tier): boolean => TIER_RANKS[tier] <= TIER_RANKS[most];

export const TWO_FACTORS = ['off', 'email', 'sms', 'totp'] as const;
export type TwoFactor = (typeof TWO_FACTORS)[number];
/** Kind of a session. A `screen` session cannot be refreshed after it was idle; an `api` session can. */
export const SESSION_KINDS = ['screen', 'api'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];
/** `switched`: another person took over the screen with a PIN. */
export type SessionEnd = 'switched' | 'signed-out' | 'revoked' | 'token-reused' | 'password-changed' | 'user-removed';
/** Purpose of a code; `verification` is for an integrator's own customers, and `customer-page` for the page of a customer. */
export type CodePurpose = 'sign-in' | 'verification' | 'customer-page';

export const KEY_SCOPES = ['merchant', 'tenant'] as const;
export const CODE_CHANNELS = ['email', 'sms', 'totp'] as const;

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
    /** Name of the person; null if none was entered. */
    name: text.optional,
    /** Language of the person's screens; null if none was chosen. */
    language: text.of<Language>().optional,
    /** Empty until the invitation is accepted. */
    password_hash: text,
    /** Name of a built-in role, or ID of a custom role. */
    role: text,
    /** Wrong passwords and codes of sign-ins since the last right one. Each is counted before it is checked. */
    failed_logins: integer,
    /** Real time in milliseconds until which no sign-in is accepted. */
    locked_until_ms: integer,
    /** The same for confirmations in a running session. */
    failed_confirmations: integer,
    confirmations_locked_until_ms: integer,
    two_factor: text.of<TwoFactor>(),
    phone: text.optional,
    /** JSON array of permissions that replace those of the role; null means those of the role. */
    permissions: text.optional,
    /** The merchant that the user acts for; null for all merchants of the tenant. */
    merchant_id: text.optional,
    last_seen_at: text.optional,
    /** Real time until which the user may connect an account of the company's provider, which an administrator allowed; null if not. */
    company_link_until_ms: integer.optional,
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
    scope: text.of<(typeof KEY_SCOPES)[number]>(),
    merchant_id: text.optional,
    /** SHA-256 of the key; the key itself is returned once and never stored. */
    hash: text,
    last4: text,
    /** JSON array of permissions; null means the default permissions of an API key. */
    permissions: text.optional,
    tier: text.optional,
    expires_at: text.optional,
    revoked_at: text.optional,
    last_used_at: text.optional,
    /** JSON of `SpendingLimits`; null means none. */
    spending_limits: text.optional,
    /** The day (UTC, by the tenant's clock) that `spent_minor` belongs to. */
    spent_day: text.optional,
    /** Sum of the operations of that day that moved money; counted only while the key has limits. */
    spent_minor: integer,
    /** JSON array of the origins whose pages may use the key on the SDK surface; null means none. */
    allowed_origins: text.optional,
    /** JSON array of the addresses and networks from which the key may be used; null means all. */
    allowed_addresses: text.optional,
    /** Name of the creator. */
    created_by: text.optional,
    /** ID of the user who made the key; null for a key of the demo. */
    creator_id: text.optional,
    /** ID of the user who last changed what the key may do; null if nobody did. */
    changer_id: text.optional,
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
    /** 1 if the person switched to this session with a PIN. It has the permissions of `PIN_PERMISSIONS` only and is never extended. */
    by_pin: integer,
    /** Merchant to which a session by PIN is limited: that of the person who signed in with a password; null for all. */
    merchant_id: text.optional,
    ip: text.optional,
    user_agent: text.optional,
    /** Identity at the company's provider with which the session began; null for every other session. */
    company_identity_id: text.optional,
    /** Session at the provider. */
    company_sid: text.optional,
    /** Encrypted refresh token of the provider. */
    company_token: text.optional,
    /** Real time of the last answer of the provider about the account. */
    company_checked_ms: integer.optional,
    /** Real time at which the person signed in at the provider; null if the provider does not tell it. */
    company_auth_ms: integer.optional,
    /** Real time of the last request, to the minute. */
    last_seen_ms: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'sessions_by_user', columns: ['tenant_id', 'user_id'] }] },
);

export type SessionRow = RowOf<typeof SESSIONS>;

/** Custom roles of a tenant; the built-in roles are not stored. */
export const ROLE_ROWS = table(
  'roles',
  {
    tenant_id: text,
    id: text,
    name: text,
    /** JSON array. */
    permissions: text,
    /** JSON array of the addresses and networks from which its users may work; null means all. */
    allowed_addresses: text.optional,
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
    channel: text.of<(typeof CODE_CHANNELS)[number]>(),
    destination: text,
    /** Keyed hash, because six digits are easily guessed from a plain hash. */
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
    /** Encrypted; null until the first code is confirmed. */
    secret: text.optional,
    /** Encrypted secret of an app whose first code is not confirmed yet. */
    pending_secret: text.optional,
    /** Time step of the newest used code, so that each code works once. */
    last_step: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'user_id'] },
);

/** Codes that replace the second factor once. */
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

/** PINs by which users approve operations and switch between people at a workstation. */
export const USER_PINS = table(
  'user_pins',
  {
    tenant_id: text,
    user_id: text,
    /** Argon2id hash of a keyed hash, so that the database alone does not suffice to guess the few digits. */
    hash: text,
    /** Attempts since the last right one. Each attempt is counted before it is checked. */
    attempts: integer,
    /** Real time in milliseconds until which no PIN is accepted. */
    locked_until_ms: integer,
    /** Locks in a row, without a right PIN between them. */
    locks: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'user_id'] },
);

/** Keys that sign a tenant's tokens. A replaced key verifies its tokens until they expire. */
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
