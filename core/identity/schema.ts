import { table } from '#core/database';

export type Environment = 'sandbox' | 'live';
export type Tier = 'sandbox' | 'standard' | 'professional' | 'enterprise';

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

export interface MerchantRow {
  tenant_id: string;
  id: string;
  name: string;
  legal_name: string | null;
  email: string | null;
  phone: string | null;
  currency: string;
  timezone: string;
  country: string;
  address: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  /** JSON of the virtual terminal settings that differ from the defaults. */
  vt_settings: string;
  created_at: string;
}

export const MERCHANTS = table<MerchantRow>(
  'merchants',
  {
    tenant_id: 'text',
    id: 'text',
    name: 'text',
    legal_name: 'text?',
    email: 'text?',
    phone: 'text?',
    currency: 'text',
    timezone: 'text',
    country: 'text',
    address: 'text?',
    city: 'text?',
    state: 'text?',
    zip: 'text?',
    vt_settings: 'text',
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'] },
);

export interface UserRow {
  tenant_id: string;
  id: string;
  email: string;
  password_hash: string;
  role: string;
  failed_logins: number;
  /** Real time in milliseconds until which no password is accepted. */
  locked_until_ms: number;
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
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'hash']], indexes: [{ name: 'api_keys_by_hash', columns: ['hash'] }] },
);

export interface SessionRow {
  tenant_id: string;
  id: string;
  user_id: string;
  refresh_hash: string;
  /** The token that the present one replaced; presented again it betrays a theft. */
  used_hash: string | null;
  expires_ms: number;
  revoked_at: string | null;
  created_at: string;
}

export const SESSIONS = table<SessionRow>(
  'sessions',
  {
    tenant_id: 'text',
    id: 'text',
    user_id: 'text',
    refresh_hash: 'text',
    used_hash: 'text?',
    expires_ms: 'integer',
    revoked_at: 'text?',
    created_at: 'text',
  },
  { key: ['tenant_id', 'id'] },
);
