/** Tables and indexes of the capabilities audit, ledger, vault, backup, archive, notifications and webhooks. */
export const RECORDS = [
  `CREATE TABLE archive_settings (
    tenant_id text NOT NULL, id text NOT NULL, is_on bigint NOT NULL, keep_years bigint NOT NULL, folder text, updated_at text NOT NULL,
    due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX archive_settings_due ON archive_settings (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE archived_frames (
    tenant_id text NOT NULL, year bigint NOT NULL, frame bigint NOT NULL, contents text NOT NULL, position bigint NOT NULL,
    first_n bigint NOT NULL, last_n bigint NOT NULL, previous_hash text NOT NULL, last_hash text NOT NULL,
    PRIMARY KEY (tenant_id, year, frame)
  )`,
  `CREATE TABLE archives (
    tenant_id text NOT NULL, id text NOT NULL, year bigint NOT NULL, status text NOT NULL, actor text NOT NULL, station text, folder text,
    name text, sha256 text, bytes bigint, entries bigint, events bigint, message text, check_status text NOT NULL, checked_at text,
    check_message text, created_at text NOT NULL, finished_at text, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX archives_due ON archives (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE audit_blocks (
    tenant_id text NOT NULL, block bigint NOT NULL, first_at text NOT NULL, last_at text NOT NULL,
    PRIMARY KEY (tenant_id, block)
  )`,
  `CREATE TABLE audit_entries (
    tenant_id text NOT NULL, n bigint NOT NULL, id text NOT NULL, at text NOT NULL, actor text NOT NULL, actor_id text NOT NULL,
    action text NOT NULL, resource text NOT NULL, merchant_id text, before text, after text, ip text, user_agent text,
    request_id text NOT NULL, previous_hash text NOT NULL, hash text NOT NULL,
    PRIMARY KEY (tenant_id, n)
  )`,
  'CREATE INDEX audit_entries_by_resource ON audit_entries (tenant_id, resource, n)',
  'CREATE INDEX audit_entries_by_action ON audit_entries (tenant_id, action, n)',
  `CREATE TABLE audit_heads (
    tenant_id text NOT NULL, n bigint NOT NULL, hash text NOT NULL, seal text NOT NULL,
    PRIMARY KEY (tenant_id)
  )`,
  `CREATE TABLE audit_starts (
    tenant_id text NOT NULL, n bigint NOT NULL, hash text NOT NULL, seal text NOT NULL,
    PRIMARY KEY (tenant_id)
  )`,
  `CREATE TABLE backup_schedules (
    tenant_id text NOT NULL, id text NOT NULL, is_on bigint NOT NULL, folder text, time text NOT NULL, keep bigint NOT NULL,
    due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE backups (
    tenant_id text NOT NULL, id text NOT NULL, status text NOT NULL, origin text NOT NULL, actor text NOT NULL, station text, folder text,
    name text, bytes bigint, transactions bigint, row_count bigint, message text, check_status text NOT NULL, checked_at text,
    check_message text, findings text, created_at text NOT NULL, finished_at text, due_ms bigint, lease_ms bigint NOT NULL,
    fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX backups_due ON backups (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE data_keys (
    tenant_id text NOT NULL, version bigint NOT NULL, wrapped text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, version)
  )`,
  `CREATE TABLE event_counts (
    tenant_id text NOT NULL, block bigint NOT NULL, type text NOT NULL, merchant_id text NOT NULL, first_at text NOT NULL,
    last_at text NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (tenant_id, block, type, merchant_id)
  )`,
  `CREATE TABLE event_heads (
    tenant_id text NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (tenant_id)
  )`,
  `CREATE TABLE event_starts (
    tenant_id text NOT NULL, n bigint NOT NULL, closed_n bigint NOT NULL,
    PRIMARY KEY (tenant_id)
  )`,
  `CREATE TABLE events (
    tenant_id text NOT NULL, id text NOT NULL, n bigint NOT NULL, type text NOT NULL, merchant_id text NOT NULL,
    resource_id text NOT NULL, data text NOT NULL, test bigint NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE UNIQUE INDEX events_by_number ON events (tenant_id, n)',
  `CREATE TABLE ledger_balances (
    tenant_id text NOT NULL, merchant_id text NOT NULL, currency text NOT NULL, account text NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, currency, account)
  )`,
  `CREATE TABLE ledger_transfers (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, currency text NOT NULL, kind text NOT NULL, debit text NOT NULL,
    credit text NOT NULL, amount_minor bigint NOT NULL, subject_id text NOT NULL, day text NOT NULL, at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX ledger_transfers_by_day ON ledger_transfers (tenant_id, merchant_id, day, kind)',
  `CREATE TABLE ledger_unsettled_lines (
    tenant_id text NOT NULL, merchant_id text NOT NULL, currency text NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, currency)
  )`,
  `CREATE TABLE master_keys (
    id text NOT NULL, key_id text NOT NULL, wrapped text NOT NULL, since text NOT NULL, recovery_saved_at text,
    installation_id text NOT NULL,
    PRIMARY KEY (id)
  )`,
  `CREATE TABLE message_channels (
    tenant_id text NOT NULL, channel text NOT NULL, settings text NOT NULL, secret text, last_ok_at text, last_error text,
    last_error_at text, rest_ms bigint, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, channel)
  )`,
  `CREATE TABLE message_counts (
    tenant_id text NOT NULL, counter text NOT NULL, day bigint NOT NULL, n bigint NOT NULL, last_ms bigint NOT NULL,
    PRIMARY KEY (tenant_id, counter)
  )`,
  `CREATE TABLE messages (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, channel text NOT NULL, kind text NOT NULL, resource_id text,
    recipient text NOT NULL, subject text, body text NOT NULL, sealed text, html text, attachment text, status text NOT NULL,
    attempts bigint NOT NULL, last_error text, sent_at text, provider_id text, expires_ms bigint, due_ms bigint, lease_ms bigint NOT NULL,
    fence bigint NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX messages_by_status ON messages (tenant_id, status, id)',
  'CREATE INDEX messages_by_resource ON messages (tenant_id, resource_id) WHERE resource_id IS NOT NULL',
  'CREATE INDEX messages_by_merchant ON messages (tenant_id, merchant_id, id)',
  'CREATE INDEX messages_due ON messages (tenant_id, channel, due_ms, id) WHERE due_ms IS NOT NULL',
  'CREATE INDEX messages_of_tenant_due ON messages (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE INDEX messages_expiring ON messages
    (tenant_id, expires_ms)
    WHERE expires_ms IS NOT NULL AND status NOT IN ('sent', 'failed', 'expired')`,
  `CREATE INDEX messages_secret ON messages (tenant_id, id) WHERE kind IN ('code', 'password')`,
  `CREATE TABLE owner_keys (
    tenant_id text NOT NULL, owner text NOT NULL, key_version bigint NOT NULL, wrapped text NOT NULL,
    PRIMARY KEY (tenant_id, owner)
  )`,
  'CREATE INDEX owner_keys_by_key_version ON owner_keys (tenant_id, key_version, owner)',
  `CREATE TABLE restores (
    tenant_id text NOT NULL, id text NOT NULL, backup_created_at text NOT NULL, restored_at text NOT NULL, resumed_at text,
    resumed_by text,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE vault_entries (
    tenant_id text NOT NULL, id text NOT NULL, kind text NOT NULL, owner text, merchant_id text, key_version bigint NOT NULL,
    sealed text NOT NULL, fingerprint text NOT NULL, brand text, bin text, last4 text NOT NULL, expiry_month text, expiry_year text,
    account_type text, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX vault_entries_by_key_version ON vault_entries (tenant_id, key_version, id)',
  'CREATE INDEX vault_entries_by_fingerprint ON vault_entries (tenant_id, fingerprint, id)',
  'CREATE INDEX vault_entries_by_owner ON vault_entries (tenant_id, owner) WHERE owner IS NOT NULL',
  `CREATE TABLE webhook_attempts (
    tenant_id text NOT NULL, delivery_id text NOT NULL, n bigint NOT NULL, endpoint_id text NOT NULL, cause text NOT NULL,
    attempted_ms bigint NOT NULL, duration_ms bigint NOT NULL, response_status bigint, error_kind text, error_message text,
    request_headers text NOT NULL, response_headers text, response_body text,
    PRIMARY KEY (tenant_id, delivery_id, n)
  )`,
  'CREATE INDEX webhook_attempts_by_endpoint ON webhook_attempts (tenant_id, endpoint_id, attempted_ms)',
  `CREATE TABLE webhook_catch_ups (
    tenant_id text NOT NULL, id text NOT NULL, endpoint_id text NOT NULL, state text NOT NULL, types text NOT NULL, from_at text,
    cursor bigint NOT NULL, until bigint NOT NULL, total bigint NOT NULL, queued bigint NOT NULL, created_at text NOT NULL, due_ms bigint,
    lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, endpoint_id)
  )`,
  'CREATE INDEX webhook_catch_ups_due ON webhook_catch_ups (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE webhook_deliveries (
    tenant_id text NOT NULL, id text NOT NULL, endpoint_id text NOT NULL, event_id text NOT NULL, event_type text NOT NULL,
    resource_id text NOT NULL, position bigint NOT NULL, test bigint NOT NULL, status text NOT NULL, attempt_count bigint NOT NULL,
    tries bigint NOT NULL, first_attempt_ms bigint, last_attempt_at text, response_status bigint, duration_ms bigint, error_kind text,
    error_message text, created_at text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, endpoint_id, due_ms, id) WHERE due_ms IS NOT NULL',
  'CREATE INDEX webhook_deliveries_of_tenant_due ON webhook_deliveries (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  'CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (tenant_id, endpoint_id, id)',
  `CREATE INDEX webhook_deliveries_open ON webhook_deliveries (tenant_id, endpoint_id, resource_id, id) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (tenant_id, last_attempt_at) WHERE status = 'failed'`,
  'CREATE INDEX webhook_deliveries_by_resource ON webhook_deliveries (tenant_id, resource_id, id)',
  `CREATE TABLE webhook_endpoints (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text, security bigint NOT NULL, url text NOT NULL, events text NOT NULL,
    description text, status text NOT NULL, mark text NOT NULL, secret text NOT NULL, previous_secret text, previous_until_ms bigint,
    secret_rotated_at text, created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, mark)
  )`,
  `CREATE TABLE webhook_subscriptions (
    tenant_id text NOT NULL, type text NOT NULL, endpoint_id text NOT NULL, as_type text, merchant_id text, mark text NOT NULL,
    PRIMARY KEY (tenant_id, type, endpoint_id)
  )`,
];
