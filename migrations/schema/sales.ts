/** Tables and indexes of the capabilities items, discounts, payments, shifts and tenders. */
export const SALES = [
  `CREATE TABLE attempts (
    tenant_id text NOT NULL, id text NOT NULL, transaction_id text NOT NULL, refund_id text, operation text NOT NULL,
    gateway text NOT NULL, gateway_id text, processor_ref text NOT NULL, amount_minor bigint NOT NULL, tip_minor bigint NOT NULL,
    surcharge_minor bigint NOT NULL, tax_minor bigint NOT NULL, currency text NOT NULL, state text NOT NULL, result text, reason text,
    actor text NOT NULL, actor_id text, approved_by text, request_id text, ip text, shift_id text, shift_report_id text,
    idempotency_credential text, idempotency_key text, idempotency_route text, inquiries bigint NOT NULL, last_inquiry_at text,
    missed bigint, alert text, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL, created_at text NOT NULL, concluded_at text,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, processor_ref)
  )`,
  'CREATE INDEX attempts_by_transaction ON attempts (tenant_id, transaction_id, id)',
  'CREATE INDEX attempts_due ON attempts (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  'CREATE INDEX attempts_alerts ON attempts (tenant_id, id) WHERE alert IS NOT NULL',
  'CREATE INDEX attempts_unreported ON attempts (tenant_id, shift_id) WHERE shift_id IS NOT NULL AND shift_report_id IS NULL',
  'CREATE INDEX attempts_by_shift_report ON attempts (tenant_id, shift_report_id, id) WHERE shift_report_id IS NOT NULL',
  `CREATE TABLE authorization_expiries (
    tenant_id text NOT NULL, id text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX authorization_expiries_due ON authorization_expiries (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE card_ranges (
    tenant_id text NOT NULL, first_digits text NOT NULL, funding text NOT NULL,
    PRIMARY KEY (tenant_id, first_digits)
  )`,
  `CREATE TABLE card_uses (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, fingerprint text NOT NULL, amount_minor bigint NOT NULL,
    currency text NOT NULL, at_ms bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX card_uses_by_card ON card_uses (tenant_id, merchant_id, fingerprint, at_ms)',
  'CREATE INDEX card_uses_by_time ON card_uses (tenant_id, at_ms)',
  `CREATE TABLE discounts (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, status text NOT NULL, currency text NOT NULL,
    price_minor bigint NOT NULL, discount_minor bigint NOT NULL, reason text, requested_by text NOT NULL, requester_id text NOT NULL,
    approved_by text, payment_id text, expires_at text NOT NULL, used_at text, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE gateway_return_watches (
    tenant_id text NOT NULL, id text NOT NULL, read_until text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX gateway_return_watches_due ON gateway_return_watches (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE items (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, kind text NOT NULL, name text NOT NULL,
    price_minor bigint NOT NULL, currency text NOT NULL, tax_rate bigint, tax_included bigint NOT NULL, key text, barcode text,
    category text, position bigint NOT NULL, archived_at text, created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX items_by_merchant ON items (tenant_id, merchant_id, position, id)',
  'CREATE UNIQUE INDEX items_by_key ON items (tenant_id, merchant_id, key) WHERE key IS NOT NULL',
  'CREATE UNIQUE INDEX items_by_barcode ON items (tenant_id, merchant_id, barcode) WHERE barcode IS NOT NULL',
  `CREATE TABLE payment_contexts (
    tenant_id text NOT NULL, id text NOT NULL, sealed text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE refund_decline_queue (
    tenant_id text NOT NULL, id text NOT NULL, transaction_id text NOT NULL, refund_id text NOT NULL, merchant_id text NOT NULL,
    status text NOT NULL, amount_minor bigint NOT NULL, currency text NOT NULL, decline_code text NOT NULL, decline_reason text NOT NULL,
    gateway text NOT NULL, attempt_count bigint NOT NULL, max_attempts bigint NOT NULL, last_attempt_at text, last_error text,
    scheduled_ms bigint, customer_name text, customer_email text, card_brand text, last4 text NOT NULL, card_expiry text,
    account_type text, resolved_at text, resolved_by text, resolution_notes text, refund_method text, refund_date text, cancelled_at text,
    cancelled_by text, cancellation_reason text, cancellation_notes text, created_ms bigint NOT NULL, resolved_ms bigint, due_ms bigint,
    lease_ms bigint NOT NULL, fence bigint NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, refund_id)
  )`,
  'CREATE INDEX refund_queue_by_status ON refund_decline_queue (tenant_id, status, id)',
  'CREATE INDEX refund_queue_due ON refund_decline_queue (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE refunds (
    tenant_id text NOT NULL, id text NOT NULL, transaction_id text NOT NULL, merchant_id text NOT NULL, status text NOT NULL,
    amount_minor bigint NOT NULL, tip_minor bigint NOT NULL, surcharge_minor bigint NOT NULL, tax_minor bigint NOT NULL,
    remaining_minor bigint NOT NULL, currency text NOT NULL, type text NOT NULL, reason text, metadata text, refunded_at text,
    settled_at text, settlement_date text, settlement_id text, decline_code text, decline_reason text, retry_scheduled_at text,
    notify_customer bigint NOT NULL, card_brand text, last4 text NOT NULL, card_expiry text, account_type text,
    processor_ref text NOT NULL, approved_by text, sent_as text, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX refunds_by_transaction ON refunds (tenant_id, transaction_id, id)',
  `CREATE INDEX refunds_by_void ON refunds (tenant_id, transaction_id) WHERE sent_as = 'void'`,
  'CREATE INDEX refunds_by_status ON refunds (tenant_id, status, id)',
  'CREATE INDEX refunds_by_merchant ON refunds (tenant_id, merchant_id, id)',
  'CREATE INDEX refunds_unsettled ON refunds (tenant_id, merchant_id, refunded_at) WHERE settled_at IS NULL AND refunded_at IS NOT NULL',
  'CREATE INDEX refunds_unsettled_of_tenant ON refunds (tenant_id, refunded_at, id) WHERE settled_at IS NULL AND refunded_at IS NOT NULL',
  'CREATE INDEX refunds_by_settlement ON refunds (tenant_id, settlement_id, id) WHERE settlement_id IS NOT NULL',
  `CREATE INDEX refunds_by_settlement_date ON refunds
    (tenant_id, settlement_date, transaction_id, id, settlement_id, amount_minor)
    WHERE settlement_date IS NOT NULL`,
  `CREATE TABLE shift_movements (
    tenant_id text NOT NULL, id text NOT NULL, shift_id text NOT NULL, merchant_id text NOT NULL, kind text NOT NULL,
    currency text NOT NULL, amount_minor bigint NOT NULL, discount_minor bigint NOT NULL, reason text, actor text NOT NULL,
    day text NOT NULL, at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX shift_movements_by_shift ON shift_movements (tenant_id, shift_id, id)',
  'CREATE INDEX shift_movements_by_day ON shift_movements (tenant_id, merchant_id, day, kind)',
  `CREATE TABLE shift_numbers (
    tenant_id text NOT NULL, merchant_id text NOT NULL, last bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id)
  )`,
  `CREATE TABLE shifts (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, drawer text NOT NULL, open_key text, status text NOT NULL,
    currency text NOT NULL, float_minor bigint NOT NULL, expected_minor bigint NOT NULL, counted_minor bigint, variance_minor bigint,
    note text, note_by text, z_number bigint, report text, opened_by text NOT NULL, created_at text NOT NULL, closed_by text,
    closed_at text, closed_day text, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX shifts_by_merchant ON shifts (tenant_id, merchant_id, id)',
  'CREATE UNIQUE INDEX shifts_open ON shifts (tenant_id, open_key) WHERE open_key IS NOT NULL',
  'CREATE INDEX shifts_by_closed_day ON shifts (tenant_id, merchant_id, closed_day) WHERE closed_day IS NOT NULL',
  `CREATE TABLE stored_credentials (
    tenant_id text NOT NULL, token text NOT NULL, gateway_id text NOT NULL, purpose text NOT NULL, chain_reference text NOT NULL,
    amount_minor bigint NOT NULL, currency text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, token, gateway_id, purpose)
  )`,
  `CREATE TABLE tender_numbers (
    tenant_id text NOT NULL, merchant_id text NOT NULL, last bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id)
  )`,
  `CREATE TABLE tender_refunds (
    tenant_id text NOT NULL, id text NOT NULL, tender_id text NOT NULL, merchant_id text NOT NULL, number bigint NOT NULL,
    currency text NOT NULL, amount_minor bigint NOT NULL, tax_minor bigint, reason text, drawer text NOT NULL, shift_id text,
    created_by text NOT NULL, approved_by text, is_return bigint NOT NULL, day text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, merchant_id, number)
  )`,
  'CREATE INDEX tender_refunds_by_tender ON tender_refunds (tenant_id, tender_id, id)',
  `CREATE TABLE tenders (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, number bigint NOT NULL, kind text NOT NULL, name text,
    currency text NOT NULL, amount_minor bigint NOT NULL, tax_minor bigint NOT NULL, discount_minor bigint NOT NULL, discount_id text,
    discount_approved_by text, refunded_minor bigint NOT NULL, given_minor bigint, check_number text, check_bank text, customer_id text,
    customer_name text, customer_email text, order_id text, description text, line_items text, invoice_id text, drawer text NOT NULL,
    shift_id text, created_by text NOT NULL, returned_at text, return_reason text, day text NOT NULL, created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, merchant_id, number)
  )`,
  'CREATE INDEX tenders_by_merchant ON tenders (tenant_id, merchant_id, id)',
  'CREATE INDEX tenders_by_customer ON tenders (tenant_id, customer_id, id) WHERE customer_id IS NOT NULL',
  'CREATE INDEX tenders_by_shift ON tenders (tenant_id, shift_id, id) WHERE shift_id IS NOT NULL',
  'CREATE INDEX tenders_by_kind ON tenders (tenant_id, kind, merchant_id, id)',
  'CREATE INDEX tenders_with_items ON tenders (tenant_id, merchant_id, day, id) WHERE line_items IS NOT NULL',
  `CREATE TABLE token_contexts (
    tenant_id text NOT NULL, id text NOT NULL, sealed text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE transaction_counts (
    tenant_id text NOT NULL, merchant_id text NOT NULL, day text NOT NULL, status text NOT NULL, type text NOT NULL, method text NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, day, status, type, method)
  )`,
  `CREATE TABLE transaction_facts (
    tenant_id text NOT NULL, merchant_id text NOT NULL, fact text NOT NULL, day text NOT NULL, currency text NOT NULL, type text NOT NULL,
    method text NOT NULL, brand text NOT NULL, detail text NOT NULL, measure text NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, fact, day, currency, type, method, brand, detail, measure)
  )`,
  `CREATE TABLE transactions (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, type text NOT NULL, method text NOT NULL, status text NOT NULL,
    amount_minor bigint NOT NULL, tip_minor bigint NOT NULL, surcharge_minor bigint NOT NULL, tax_minor bigint NOT NULL,
    discount_minor bigint NOT NULL, discount_id text, discount_approved_by text, currency text NOT NULL, captured_minor bigint NOT NULL,
    captured_at text, refunded_minor bigint NOT NULL, reserved_minor bigint NOT NULL, disputed_minor bigint NOT NULL, voided_at text,
    void_reason text, settled_at text, settlement_date text, settlement_id text, fee_minor bigint, gateway text NOT NULL, gateway_id text,
    processor_ref text NOT NULL, gateway_reference text, auth_code text, avs_response text, cvv_response text, decline_code text,
    decline_reason text, token text NOT NULL, card_brand text, last4 text NOT NULL, card_expiry text, account_type text, bank_name text,
    customer_name text, customer_email text, customer_id text, subscription_id text, invoice_id text, queued_payment_id text,
    save_consent text, billing text, rerun_of text, credit_of text, rerun_transaction_id text, order_id text, purchase_order_number text,
    description text, line_items text, metadata text, source text NOT NULL, channel text NOT NULL, sec_code text, bank_authorization text,
    created_by text NOT NULL, pending_reason text, capture_held_until text, returned_at text, return_code text, retry_advice text,
    approved_by text, shift_id text, pending_attempt text, day text NOT NULL, created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT transactions_refunds_within_captured CHECK (refunded_minor + reserved_minor <= captured_minor),
    CONSTRAINT transactions_captured_within_amount CHECK (captured_minor <= amount_minor)
  )`,
  'CREATE INDEX transactions_by_status ON transactions (tenant_id, status, id)',
  'CREATE INDEX transactions_by_merchant ON transactions (tenant_id, merchant_id, id)',
  'CREATE INDEX transactions_by_last4 ON transactions (tenant_id, last4, id)',
  'CREATE INDEX transactions_by_amount ON transactions (tenant_id, amount_minor, id)',
  'CREATE INDEX transactions_by_order ON transactions (tenant_id, order_id, id) WHERE order_id IS NOT NULL',
  'CREATE INDEX transactions_by_email ON transactions (tenant_id, customer_email, id) WHERE customer_email IS NOT NULL',
  'CREATE INDEX transactions_by_customer ON transactions (tenant_id, customer_id, id) WHERE customer_id IS NOT NULL',
  'CREATE INDEX transactions_by_decline ON transactions (tenant_id, decline_code, id) WHERE decline_code IS NOT NULL',
  'CREATE INDEX transactions_with_items ON transactions (tenant_id, merchant_id, day, id) WHERE line_items IS NOT NULL',
  'CREATE INDEX transactions_by_credit ON transactions (tenant_id, credit_of) WHERE credit_of IS NOT NULL',
  'CREATE INDEX transactions_credits_by_day ON transactions (tenant_id, merchant_id, day) WHERE credit_of IS NOT NULL',
  'CREATE INDEX transactions_to_save ON transactions (tenant_id, id) WHERE save_consent IS NOT NULL',
  `CREATE INDEX transactions_unsettled ON transactions
    (tenant_id, merchant_id, captured_at)
    WHERE settled_at IS NULL AND captured_minor > 0`,
  `CREATE INDEX transactions_unsettled_of_tenant ON transactions
    (tenant_id, captured_at, id)
    WHERE settled_at IS NULL AND captured_minor > 0`,
  `CREATE INDEX transactions_refunded ON transactions
    (tenant_id, id, merchant_id, type, method, status, card_brand, captured_minor, refunded_minor, settled_at)
    WHERE refunded_minor > 0`,
  `CREATE INDEX transactions_uncaptured ON transactions
    (tenant_id, status, captured_minor, id)
    WHERE status = 'approved' AND captured_minor = 0 AND settled_at IS NULL`,
  `CREATE INDEX transactions_settled_unapproved ON transactions (tenant_id, id) WHERE status <> 'approved' AND settled_at IS NOT NULL`,
  'CREATE INDEX transactions_by_shift ON transactions (tenant_id, shift_id, id) WHERE shift_id IS NOT NULL',
  'CREATE INDEX transactions_by_settlement ON transactions (tenant_id, settlement_id, id) WHERE settlement_id IS NOT NULL',
  `CREATE INDEX transactions_by_settlement_date ON transactions
    (tenant_id, settlement_date, id, settlement_id, type, captured_minor)
    WHERE settlement_date IS NOT NULL`,
  'CREATE INDEX transactions_by_gateway_reference ON transactions (tenant_id, gateway_reference) WHERE settlement_date IS NOT NULL',
];
