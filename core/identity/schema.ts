import { table } from '#core/database';

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

export interface TenantRow {
  id: string;
  name: string;
  environment: Environment;
  tier: Tier;
  /** How far the tenant's clock is ahead of real time; sandbox tenants only. */
  clock_offset_ms: number;
  created_at: string;
}

export const TENANTS = table<TenantRow>(
  'tenants',
  { id: 'text', name: 'text', environment: 'text', tier: 'text', clock_offset_ms: 'integer', created_at: 'text' },
  { key: ['id'] },
);

export interface UserRow {
  tenant_id: string;
  id: string;
  email: string;
  /** Empty until the invitation is taken up. */
  password_hash: string;
  /** A built-in role's name, or the id of one of the tenant's own. */
  role: string;
  failed_logins: number;
  /** Real time in milliseconds until which no password is accepted. */
  locked_until_ms: number;
  two_factor: TwoFactor;
  phone: string | null;
  /** JSON array of permissions that take the place of the role's; null leaves them to the role. */
  permissions: string | null;
  /** The one merchant that the user acts for; null for all of the tenant. */
  merchant_id: string | null;
  last_seen_at: string | null;
  created_at: string;
}

export const USERS = table<UserRow>(
  'users',
  {
    tenant_id: 'text',
    id: 'text',
    email: 'text',
    password_hash: 'text',
    role: 'text',
    failed_logins: 'integer',
    locked_until_ms: 'integer',
    two_factor: 'text',
    phone: 'text?',
    permissions: 'text?',
    merchant_id: 'text?',
    last_seen_at: 'text?',
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'email']], indexes: [{ name: 'users_by_email', columns: ['email'] }] },
);

export interface ApiKeyRow {
  tenant_id: string;
  id: string;
  name: string;
  scope: 'merchant' | 'tenant';
  merchant_id: string | null;
  /** SHA-256 of the key; the key itself is shown once and never kept. */
  hash: string;
  last4: string;
  /** JSON array of permissions; null grants what its scope may do. */
  permissions: string | null;
  tier: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  /** Name of who made it. */
  created_by: string | null;
  created_at: string;
}

export const API_KEYS = table<ApiKeyRow>(
  'api_keys',
  {
    tenant_id: 'text',
    id: 'text',
    name: 'text',
    scope: 'text',
    merchant_id: 'text?',
    hash: 'text',
    last4: 'text',
    permissions: 'text?',
    tier: 'text?',
    expires_at: 'text?',
    revoked_at: 'text?',
    last_used_at: 'text?',
    created_by: 'text?',
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'hash']], indexes: [{ name: 'api_keys_by_hash', columns: ['hash'] }] },
);

export interface SessionRow {
  tenant_id: string;
  id: string;
  user_id: string;
  refresh_hash: string;
  expires_ms: number;
  revoked_at: string | null;
  /** Why it ended before its time. */
  end_reason: SessionEnd | null;
  kind: SessionKind;
  ip: string | null;
  user_agent: string | null;
  /** Real time of its last request, to the minute. */
  last_seen_ms: number;
  created_at: string;
}

export const SESSIONS = table<SessionRow>(
  'sessions',
  {
    tenant_id: 'text',
    id: 'text',
    user_id: 'text',
    refresh_hash: 'text',
    expires_ms: 'integer',
    revoked_at: 'text?',
    end_reason: 'text?',
    kind: 'text',
    ip: 'text?',
    user_agent: 'text?',
    last_seen_ms: 'integer',
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'sessions_by_user', columns: ['tenant_id', 'user_id'] }] },
);

/** A role of the tenant's own; the built-in ones are not kept. */
export interface RoleRow {
  tenant_id: string;
  id: string;
  name: string;
  /** JSON array. */
  permissions: string;
  created_at: string;
  updated_at: string;
}

export const ROLE_ROWS = table<RoleRow>(
  'roles',
  { tenant_id: 'text', id: 'text', name: 'text', permissions: 'text', created_at: 'text', updated_at: 'text' },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'name']] },
);

/** A one-time code that was sent. */
export interface CodeRow {
  tenant_id: string;
  id: string;
  purpose: CodePurpose;
  /** Whom it is for: a user's id. */
  subject: string;
  /** `totp`: nothing was sent; the code comes from the user's authenticator app. */
  channel: 'email' | 'sms' | 'totp';
  destination: string;
  /** Keyed hash: six digits are guessed in no time from a plain one. */
  code_hash: string;
  tries: number;
  resends: number;
  /** Real time. */
  sent_ms: number;
  /** The tenant's time. */
  expires_ms: number;
  used_at: string | null;
  created_at: string;
}

export const CODES = table<CodeRow>(
  'one_time_codes',
  {
    tenant_id: 'text',
    id: 'text',
    purpose: 'text',
    subject: 'text',
    channel: 'text',
    destination: 'text',
    code_hash: 'text',
    tries: 'integer',
    resends: 'integer',
    sent_ms: 'integer',
    expires_ms: 'integer',
    used_at: 'text?',
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'one_time_codes_by_id', columns: ['id'] }] },
);

/** A link to set a password, sent to a new user or to one who forgot. */
export interface PasswordTokenRow {
  tenant_id: string;
  /** SHA-256 of the token; the token itself is only in the message. */
  id: string;
  user_id: string;
  purpose: 'invite' | 'reset';
  expires_ms: number;
  used_at: string | null;
  created_at: string;
}

export const PASSWORD_TOKENS = table<PasswordTokenRow>(
  'password_tokens',
  { tenant_id: 'text', id: 'text', user_id: 'text', purpose: 'text', expires_ms: 'integer', used_at: 'text?', created_at: 'text' },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'password_tokens_by_id', columns: ['id'] },
      { name: 'password_tokens_by_user', columns: ['tenant_id', 'user_id'] },
    ],
  },
);

/** The authenticator app of a user. */
export interface AuthenticatorRow {
  tenant_id: string;
  user_id: string;
  /** Sealed. null until the first code was confirmed. */
  secret: string | null;
  /** Sealed secret of an app that waits for its first code. */
  pending_secret: string | null;
  /** The newest time step of which a code was used: a code works once. */
  last_step: number;
  created_at: string;
}

export const AUTHENTICATORS = table<AuthenticatorRow>(
  'authenticators',
  { tenant_id: 'text', user_id: 'text', secret: 'text?', pending_secret: 'text?', last_step: 'integer', created_at: 'text' },
  { key: ['tenant_id', 'user_id'] },
);

/** A code that takes the place of the second factor once. */
export interface RecoveryCodeRow {
  tenant_id: string;
  user_id: string;
  /** Keyed hash of the code; the code itself is shown once. */
  hash: string;
  used_at: string | null;
}

export const RECOVERY_CODES = table<RecoveryCodeRow>(
  'recovery_codes',
  { tenant_id: 'text', user_id: 'text', hash: 'text', used_at: 'text?' },
  { key: ['tenant_id', 'user_id', 'hash'] },
);

/** A key that signs a tenant's tokens; one that was replaced still opens what it signed, until that has expired. */
export interface SigningKeyRow {
  tenant_id: string;
  id: string;
  sealed: string;
  created_ms: number;
  retired_ms: number | null;
}

export const SIGNING_KEYS = table<SigningKeyRow>(
  'signing_keys',
  { tenant_id: 'text', id: 'text', sealed: 'text', created_ms: 'integer', retired_ms: 'integer?' },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'signing_keys_by_id', columns: ['id'] }] },
);
