/** Tables and indexes of the capabilities recurring, invoicing, installments, queued-payments and receipts. */
export const BILLING = [
  `CREATE TABLE installment_payments (
    tenant_id text NOT NULL, id text NOT NULL, plan_id text NOT NULL, number bigint NOT NULL, attempt bigint NOT NULL,
    amount_minor bigint NOT NULL, status text NOT NULL, transaction_id text, decline_code text, decline_reason text,
    created_at text NOT NULL, concluded_at text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX installment_payments_by_plan ON installment_payments (tenant_id, plan_id, id)',
  'CREATE INDEX installment_payments_by_transaction ON installment_payments (tenant_id, transaction_id) WHERE transaction_id IS NOT NULL',
  `CREATE UNIQUE INDEX installment_payments_once ON installment_payments (tenant_id, plan_id) WHERE status = 'pending'`,
  `CREATE TABLE installment_plans (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, customer_id text NOT NULL, invoice_id text NOT NULL,
    payment_method_id text, consent_text text NOT NULL, consent_at text NOT NULL, agreement_channel text, currency text NOT NULL,
    invoice_minor bigint NOT NULL, amount_minor bigint NOT NULL, base_minor bigint NOT NULL, paid_minor bigint NOT NULL,
    installment_count bigint NOT NULL, charge_interval text, status text NOT NULL, next_number bigint, failed_attempts bigint NOT NULL,
    retry_ms bigint, unsent_tries bigint NOT NULL, last_payment_at text, last_decline_code text, last_reason text,
    pending_transaction text, pending_payment text, renewed_during text, pause_reason text, paused_at text, past_due_at text,
    completed_at text, canceled_at text, canceled_by text, cancel_reason text, created_by text NOT NULL, idempotency_credential text,
    idempotency_key text, idempotency_route text, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX installment_plans_by_status ON installment_plans (tenant_id, status, id)',
  'CREATE INDEX installment_plans_by_customer ON installment_plans (tenant_id, customer_id, id)',
  'CREATE INDEX installment_plans_by_invoice ON installment_plans (tenant_id, invoice_id, id)',
  `CREATE UNIQUE INDEX installment_plans_one_open ON installment_plans
    (tenant_id, invoice_id)
    WHERE status IN ('active', 'past_due', 'paused')`,
  'CREATE INDEX installment_plans_by_idempotency_key ON installment_plans (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL',
  'CREATE INDEX installment_plans_due ON installment_plans (tenant_id, due_ms, id) WHERE due_ms IS NOT NULL',
  `CREATE TABLE installments (
    tenant_id text NOT NULL, plan_id text NOT NULL, number bigint NOT NULL, due_date text NOT NULL, amount_minor bigint NOT NULL,
    paid_minor bigint NOT NULL, paid_at text, transaction_id text,
    PRIMARY KEY (tenant_id, plan_id, number)
  )`,
  `CREATE TABLE invoice_numbers (
    tenant_id text NOT NULL, merchant_id text NOT NULL, last bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id)
  )`,
  `CREATE TABLE invoice_payments (
    tenant_id text NOT NULL, id text NOT NULL, invoice_id text NOT NULL, amount_minor bigint NOT NULL, tax_minor bigint NOT NULL,
    tip_minor bigint NOT NULL, surcharge_minor bigint NOT NULL, currency text NOT NULL, method text NOT NULL, status text NOT NULL,
    origin text NOT NULL, actor text NOT NULL, transaction_id text, tender_id text, reference text, note text, attempt_key text,
    decline_code text, decline_reason text, receipt_email text, idempotency_credential text, idempotency_key text, idempotency_route text,
    due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL, created_at text NOT NULL, concluded_at text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX invoice_payments_by_invoice ON invoice_payments (tenant_id, invoice_id, id)',
  'CREATE UNIQUE INDEX invoice_payments_once ON invoice_payments (tenant_id, invoice_id, attempt_key) WHERE attempt_key IS NOT NULL',
  'CREATE INDEX invoice_payments_by_transaction ON invoice_payments (tenant_id, transaction_id) WHERE transaction_id IS NOT NULL',
  'CREATE INDEX invoice_payments_due ON invoice_payments (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE invoice_visits (
    tenant_id text NOT NULL, invoice_id text NOT NULL, visitor text NOT NULL, sealed text NOT NULL, visits bigint NOT NULL,
    first_at text NOT NULL, last_at text NOT NULL,
    PRIMARY KEY (tenant_id, invoice_id, visitor)
  )`,
  'CREATE INDEX invoice_visits_by_time ON invoice_visits (tenant_id, last_at)',
  `CREATE TABLE invoices (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, kind text NOT NULL, number text NOT NULL, customer_id text,
    customer_name text, customer_email text, customer_phone text, currency text NOT NULL, amount_minor bigint NOT NULL,
    tax_minor bigint NOT NULL, paid_minor bigint NOT NULL, pending_minor bigint NOT NULL, status text NOT NULL, due_date text,
    items text NOT NULL, note text, description text, purchase_order_number text, order_id text, payment_lines text,
    tip_minor bigint NOT NULL, discount_minor bigint NOT NULL, discount_id text, discount_approved_by text, allow_partial bigint NOT NULL,
    collect_shipping bigint NOT NULL, ask_for_tip text, page_token text NOT NULL, short_code text NOT NULL, expires_ms bigint,
    sent_at text, paid_at text, overdue_at text, cancelled_at text, cancelled_by text, cancel_reason text, due_ms bigint,
    lease_ms bigint NOT NULL, fence bigint NOT NULL, created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, merchant_id, number)
  )`,
  'CREATE INDEX invoices_by_merchant ON invoices (tenant_id, merchant_id, id)',
  'CREATE INDEX invoices_by_status ON invoices (tenant_id, status, id)',
  'CREATE INDEX invoices_by_customer ON invoices (tenant_id, customer_id, id)',
  'CREATE INDEX invoices_by_email ON invoices (tenant_id, customer_email, id) WHERE customer_email IS NOT NULL',
  'CREATE INDEX invoices_by_paid ON invoices (tenant_id, merchant_id, paid_at) WHERE paid_at IS NOT NULL',
  'CREATE INDEX invoices_by_page ON invoices (page_token)',
  'CREATE INDEX invoices_due ON invoices (tenant_id, due_ms, id) WHERE due_ms IS NOT NULL',
  `CREATE TABLE queued_payments (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, status text NOT NULL, amount_minor bigint NOT NULL,
    tip_minor bigint NOT NULL, tax_minor bigint NOT NULL, discount_minor bigint NOT NULL, discount_id text, discount_approved_by text,
    currency text NOT NULL, customer_id text NOT NULL, customer_name text, customer_email text, payment_method_id text NOT NULL,
    method_kind text NOT NULL, card_brand text, last4 text NOT NULL, order_id text, description text, line_items text,
    channel text NOT NULL, created_by text NOT NULL, unsent_tries bigint NOT NULL, transaction_id text, decline_code text,
    decline_reason text, invoice_id text, idempotency_credential text, idempotency_key text, idempotency_route text, changed_by text,
    expires_ms bigint NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL, concluded_at text,
    created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX queued_payments_by_status ON queued_payments (tenant_id, merchant_id, status, id)',
  'CREATE INDEX queued_payments_by_customer ON queued_payments (tenant_id, customer_id, status)',
  'CREATE INDEX queued_payments_by_transaction ON queued_payments (tenant_id, transaction_id) WHERE transaction_id IS NOT NULL',
  'CREATE INDEX queued_payments_due ON queued_payments (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE receipt_prints (
    tenant_id text NOT NULL, subject_id text NOT NULL, copy text NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, copy)
  )`,
  `CREATE TABLE short_links (
    tenant_id text NOT NULL, code text NOT NULL, target text NOT NULL, invoice_id text, expires_ms bigint, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, code)
  )`,
  'CREATE UNIQUE INDEX short_links_by_code ON short_links (code)',
  `CREATE TABLE subscription_payments (
    tenant_id text NOT NULL, id text NOT NULL, subscription_id text NOT NULL, due_date text NOT NULL, periods bigint NOT NULL,
    attempt bigint NOT NULL, amount_minor bigint NOT NULL, currency text NOT NULL, status text NOT NULL, transaction_id text,
    decline_code text, decline_reason text, created_at text NOT NULL, concluded_at text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX subscription_payments_by_subscription ON subscription_payments (tenant_id, subscription_id, id)',
  `CREATE UNIQUE INDEX subscription_payments_once ON subscription_payments
    (tenant_id, subscription_id, due_date)
    WHERE status IN ('pending', 'succeeded')`,
  `CREATE TABLE subscriptions (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, customer_id text NOT NULL, plan_id text, payment_method_id text,
    amount_minor bigint NOT NULL, tax_minor bigint NOT NULL, currency text NOT NULL, purchase_order_number text, agreement text,
    frequency text NOT NULL, status text NOT NULL, start_date text NOT NULL, anchor_date text NOT NULL, next_index bigint NOT NULL,
    next_date text, end_date text, total_payments bigint, payments_made bigint NOT NULL, failed_attempts bigint NOT NULL, retry_ms bigint,
    unsent_tries bigint NOT NULL, last_payment_at text, last_result text, last_reason text, pending_transaction text,
    pending_payment text, pending_index bigint, paused_at text, cancelled_at text, cancelled_by text, cancel_reason text, expired_at text,
    deleted_at text, idempotency_credential text, idempotency_key text, idempotency_route text, due_ms bigint, lease_ms bigint NOT NULL,
    fence bigint NOT NULL, created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX subscriptions_by_status ON subscriptions (tenant_id, status, id)',
  'CREATE INDEX subscriptions_by_customer ON subscriptions (tenant_id, customer_id, id)',
  'CREATE INDEX subscriptions_by_next_date ON subscriptions (tenant_id, next_date) WHERE next_date IS NOT NULL',
  'CREATE INDEX subscriptions_busy ON subscriptions (tenant_id, pending_transaction) WHERE pending_transaction IS NOT NULL',
  'CREATE INDEX subscriptions_by_idempotency_key ON subscriptions (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL',
  'CREATE INDEX subscriptions_due ON subscriptions (tenant_id, due_ms, id) WHERE due_ms IS NOT NULL',
];
