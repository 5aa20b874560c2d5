/** Tables and indexes of the capabilities merchants, connectivity, sandbox, customer-transfer and customers. */
export const PROCESSING = [
  `CREATE TABLE card_update_links (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, customer_id text NOT NULL, payment_method_id text,
    subscription_id text, expires_ms bigint NOT NULL, used_at text, created_by text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX card_update_links_by_customer ON card_update_links (tenant_id, customer_id, id)',
  'CREATE INDEX card_update_links_by_id ON card_update_links (id)',
  `CREATE TABLE connectivity_states (
    tenant_id text NOT NULL, merchant_id text NOT NULL, state text NOT NULL, since text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id)
  )`,
  `CREATE TABLE customer_exports (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text, layout text NOT NULL, recipient text NOT NULL,
    recipient_fingerprint text NOT NULL, public_key text NOT NULL, status text NOT NULL, customer_count bigint NOT NULL,
    method_count bigint NOT NULL, created_by text NOT NULL, created_at text NOT NULL, expires_at text NOT NULL, finished_at text,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE customer_external_ids (
    tenant_id text NOT NULL, merchant_id text NOT NULL, source text NOT NULL, external_id text NOT NULL, customer_id text NOT NULL,
    created_at text NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, source, external_id)
  )`,
  'CREATE INDEX customer_external_ids_by_customer ON customer_external_ids (tenant_id, customer_id)',
  `CREATE TABLE customer_import_lines (
    tenant_id text NOT NULL, import_id text NOT NULL, n bigint NOT NULL, line bigint NOT NULL, customer_key text NOT NULL,
    fingerprint text, action text NOT NULL, reason text, reference text, name text, external_id text, brand text, last4 text, sealed text,
    customer_id text, method_id text,
    PRIMARY KEY (tenant_id, import_id, n)
  )`,
  'CREATE INDEX customer_import_lines_by_action ON customer_import_lines (tenant_id, import_id, action, n)',
  'CREATE INDEX customer_import_lines_by_customer ON customer_import_lines (tenant_id, import_id, customer_key, n)',
  `CREATE INDEX customer_import_lines_by_card ON customer_import_lines
    (tenant_id, import_id, fingerprint, n)
    WHERE fingerprint IS NOT NULL`,
  `CREATE TABLE customer_imports (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, provider text, filename text, transfer_key_id text,
    status text NOT NULL, shared_cards text NOT NULL, line_count bigint NOT NULL, cursor_n bigint NOT NULL, planned text NOT NULL,
    results text NOT NULL, created_by text NOT NULL, started_by text, created_at text NOT NULL, updated_at text NOT NULL,
    finished_at text, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX customer_imports_by_merchant ON customer_imports (tenant_id, merchant_id, id)',
  'CREATE INDEX customer_imports_due ON customer_imports (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE customer_words (
    tenant_id text NOT NULL, word text NOT NULL, customer_id text NOT NULL,
    PRIMARY KEY (tenant_id, word, customer_id)
  )`,
  'CREATE INDEX customer_words_by_customer ON customer_words (tenant_id, customer_id)',
  `CREATE TABLE customers (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, first_name text, last_name text, email text, phone text,
    company text, address text, notes text, metadata text, default_method_id text, deleted_at text, created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX customers_by_merchant ON customers (tenant_id, merchant_id, id)',
  'CREATE INDEX customers_by_email ON customers (tenant_id, merchant_id, email) WHERE email IS NOT NULL',
  `CREATE TABLE gateways (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, type text NOT NULL, name text NOT NULL, credentials text,
    status text NOT NULL, priority bigint NOT NULL, settings text, last_check text, removed_at text, created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, merchant_id, name)
  )`,
  `CREATE TABLE merchants (
    tenant_id text NOT NULL, id text NOT NULL, name text NOT NULL, legal_name text, email text, phone text, currency text NOT NULL,
    timezone text NOT NULL, country text NOT NULL, address text, city text, state text, zip text, vt_settings text NOT NULL,
    amount_settings text NOT NULL, settings text NOT NULL, fraud_settings text NOT NULL, branding text NOT NULL,
    permissions text NOT NULL, dunning_settings text NOT NULL, routing text NOT NULL, public_url_change text, deleted_at text,
    updated_at text, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE payment_methods (
    tenant_id text NOT NULL, id text NOT NULL, customer_id text NOT NULL, merchant_id text NOT NULL, kind text NOT NULL,
    token text NOT NULL, fingerprint text NOT NULL, brand text, last4 text NOT NULL, expiry_month text, expiry_year text, expires_on text,
    account_type text, consent_text text, consent_at text, agreement_channel text, external_id text, network_transaction_id text,
    created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, customer_id, fingerprint)
  )`,
  'CREATE INDEX payment_methods_by_customer ON payment_methods (tenant_id, customer_id, id)',
  'CREATE INDEX payment_methods_by_expiry ON payment_methods (tenant_id, expires_on) WHERE expires_on IS NOT NULL',
  'CREATE INDEX payment_methods_by_fingerprint ON payment_methods (tenant_id, merchant_id, fingerprint)',
  `CREATE TABLE recording_steps (
    tenant_id text NOT NULL, recording_id text NOT NULL, position bigint NOT NULL, step text NOT NULL,
    PRIMARY KEY (tenant_id, recording_id, position)
  )`,
  `CREATE TABLE recordings (
    tenant_id text NOT NULL, id text NOT NULL, name text NOT NULL, state text NOT NULL, steps bigint NOT NULL, started_ms bigint NOT NULL,
    created_by text NOT NULL, created_at text NOT NULL, stopped_at text,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE transfer_keys (
    tenant_id text NOT NULL, id text NOT NULL, name text NOT NULL, fingerprint text NOT NULL, public_key text NOT NULL,
    sealed_private text, created_by text NOT NULL, created_at text NOT NULL, expires_at text NOT NULL, destroyed_at text,
    destroyed_reason text,
    PRIMARY KEY (tenant_id, id)
  )`,
];
