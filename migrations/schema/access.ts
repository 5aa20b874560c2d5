/** Tables and indexes of the capabilities identity, approvals and platform. */
export const ACCESS = [
  `CREATE TABLE api_keys (
    tenant_id text NOT NULL, id text NOT NULL, name text NOT NULL, scope text NOT NULL, merchant_id text, hash text NOT NULL,
    last4 text NOT NULL, permissions text, tier text, expires_at text, revoked_at text, last_used_at text, spending_limits text,
    spent_day text, spent_minor bigint NOT NULL, allowed_origins text, created_by text, creator_id text, changer_id text,
    created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, hash)
  )`,
  'CREATE INDEX api_keys_by_hash ON api_keys (hash)',
  `CREATE TABLE approval_rules (
    tenant_id text NOT NULL, scope text NOT NULL, refund_above text, pay_out_above text, currency text, void_after_minutes bigint,
    unlinked_credit bigint NOT NULL, drawer_opening bigint NOT NULL, discount_above bigint, max_tip bigint,
    access_changes bigint NOT NULL, person_seconds bigint NOT NULL, key_seconds bigint NOT NULL, approvers_exempt bigint NOT NULL,
    updated_by text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, scope)
  )`,
  `CREATE TABLE approvals (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text, kind text NOT NULL, status text NOT NULL, operation text NOT NULL,
    permission text NOT NULL, resource text NOT NULL, amount_minor bigint, currency text, reason text NOT NULL, details text NOT NULL,
    requested_by text NOT NULL, requester_id text NOT NULL, requester_user_ids text NOT NULL, sealed_request text, request_key text,
    fingerprint text, decided_by text, decider_id text, decided_at text, decided_via text, note text, run_id text, result_status bigint,
    sealed_result text, executed_at text, expires_at text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, request_key)
  )`,
  'CREATE INDEX approvals_by_status ON approvals (tenant_id, status, id)',
  'CREATE INDEX approvals_by_requester ON approvals (tenant_id, requester_id, id)',
  'CREATE INDEX approvals_due ON approvals (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE authenticators (
    tenant_id text NOT NULL, user_id text NOT NULL, secret text, pending_secret text, last_step bigint NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
  )`,
  `CREATE TABLE chores (
    tenant_id text NOT NULL, id text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX chores_due ON chores (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE idempotency_keys (
    tenant_id text NOT NULL, credential_id text NOT NULL, key text NOT NULL, route text NOT NULL, fingerprint text NOT NULL,
    state text NOT NULL, status bigint, body text, created_at text NOT NULL, expires_ms bigint NOT NULL,
    PRIMARY KEY (tenant_id, credential_id, key)
  )`,
  'CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (tenant_id, expires_ms)',
  `CREATE INDEX idempotency_keys_running ON idempotency_keys (tenant_id, created_at) WHERE state = 'running'`,
  `CREATE TABLE one_time_codes (
    tenant_id text NOT NULL, id text NOT NULL, purpose text NOT NULL, subject text NOT NULL, channel text NOT NULL,
    destination text NOT NULL, code_hash text NOT NULL, tries bigint NOT NULL, resends bigint NOT NULL, sent_ms bigint NOT NULL,
    expires_ms bigint NOT NULL, used_at text, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX one_time_codes_by_id ON one_time_codes (id)',
  `CREATE TABLE password_tokens (
    tenant_id text NOT NULL, id text NOT NULL, user_id text NOT NULL, purpose text NOT NULL, expires_ms bigint NOT NULL, used_at text,
    created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX password_tokens_by_id ON password_tokens (id)',
  'CREATE INDEX password_tokens_by_user ON password_tokens (tenant_id, user_id)',
  `CREATE TABLE rate_windows (
    tenant_id text NOT NULL, scope text NOT NULL, length_ms bigint NOT NULL, at bigint NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (tenant_id, scope, length_ms, at)
  )`,
  `CREATE TABLE recovery_codes (
    tenant_id text NOT NULL, user_id text NOT NULL, hash text NOT NULL, used_at text,
    PRIMARY KEY (tenant_id, user_id, hash)
  )`,
  `CREATE TABLE roles (
    tenant_id text NOT NULL, id text NOT NULL, name text NOT NULL, permissions text NOT NULL, created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
  )`,
  `CREATE TABLE sessions (
    tenant_id text NOT NULL, id text NOT NULL, user_id text NOT NULL, refresh_hash text NOT NULL, expires_ms bigint NOT NULL,
    revoked_at text, end_reason text, kind text NOT NULL, by_pin bigint NOT NULL, merchant_id text, ip text, user_agent text,
    last_seen_ms bigint NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX sessions_by_user ON sessions (tenant_id, user_id)',
  `CREATE TABLE signing_keys (
    tenant_id text NOT NULL, id text NOT NULL, sealed text NOT NULL, created_ms bigint NOT NULL, retired_ms bigint,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX signing_keys_by_id ON signing_keys (id)',
  `CREATE TABLE tenants (
    id text NOT NULL, name text NOT NULL, environment text NOT NULL, tier text NOT NULL, clock_offset_ms bigint NOT NULL,
    created_at text NOT NULL,
    PRIMARY KEY (id)
  )`,
  `CREATE TABLE user_pins (
    tenant_id text NOT NULL, user_id text NOT NULL, hash text NOT NULL, attempts bigint NOT NULL, locked_until_ms bigint NOT NULL,
    locks bigint NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
  )`,
  `CREATE TABLE users (
    tenant_id text NOT NULL, id text NOT NULL, email text NOT NULL, name text, language text, password_hash text NOT NULL,
    role text NOT NULL, failed_logins bigint NOT NULL, locked_until_ms bigint NOT NULL, failed_confirmations bigint NOT NULL,
    confirmations_locked_until_ms bigint NOT NULL, two_factor text NOT NULL, phone text, permissions text, merchant_id text,
    last_seen_at text, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, email)
  )`,
  'CREATE INDEX users_by_email ON users (email)',
];
