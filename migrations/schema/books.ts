/** Tables and indexes of the capabilities disputes, settlement, reconciliation, bank and journal. */
export const BOOKS = [
  `CREATE TABLE bank_accounts (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, name text NOT NULL, currency text NOT NULL, sealed_number text,
    last4 text, created_at text NOT NULL, created_by text NOT NULL, removed_at text, due_ms bigint, lease_ms bigint NOT NULL,
    fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX bank_accounts_by_merchant ON bank_accounts (tenant_id, merchant_id, id)',
  'CREATE INDEX bank_accounts_due ON bank_accounts (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE bank_day_sums (
    tenant_id text NOT NULL, merchant_id text NOT NULL, booked_day text NOT NULL, currency text NOT NULL, measure text NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, booked_day, currency, measure)
  )`,
  `CREATE TABLE bank_line_counts (
    tenant_id text NOT NULL, merchant_id text NOT NULL, account_id text NOT NULL, state text NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, account_id, state)
  )`,
  `CREATE TABLE bank_lines (
    tenant_id text NOT NULL, id text NOT NULL, account_id text NOT NULL, merchant_id text NOT NULL, statement_id text NOT NULL,
    line bigint NOT NULL, day text NOT NULL, booked_day text NOT NULL, currency text NOT NULL, amount_minor bigint NOT NULL,
    matched_minor bigint NOT NULL, unrelated_minor bigint NOT NULL, state text NOT NULL, text text NOT NULL, reference text,
    identity text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, account_id, identity)
  )`,
  'CREATE INDEX bank_lines_by_state ON bank_lines (tenant_id, merchant_id, state, id)',
  'CREATE INDEX bank_lines_by_account ON bank_lines (tenant_id, account_id, state, id)',
  'CREATE INDEX bank_lines_of_merchant ON bank_lines (tenant_id, merchant_id, id)',
  'CREATE INDEX bank_lines_of_account ON bank_lines (tenant_id, account_id, id)',
  'CREATE INDEX bank_lines_by_booked_day ON bank_lines (tenant_id, merchant_id, booked_day, id)',
  'CREATE INDEX bank_lines_by_reference ON bank_lines (tenant_id, account_id, reference) WHERE reference IS NOT NULL',
  `CREATE TABLE bank_mappings (
    tenant_id text NOT NULL, merchant_id text NOT NULL, name text NOT NULL, mapping text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, name)
  )`,
  `CREATE TABLE bank_matches (
    tenant_id text NOT NULL, id text NOT NULL, account_id text NOT NULL, merchant_id text NOT NULL, line_id text NOT NULL,
    kind text NOT NULL, payout_id text, amount_minor bigint NOT NULL, withheld_minor bigint NOT NULL, state text NOT NULL,
    day text NOT NULL, note text, created_at text NOT NULL, created_by text NOT NULL, undone_at text, undone_by text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX bank_matches_by_line ON bank_matches (tenant_id, line_id, id)',
  'CREATE INDEX bank_matches_by_account ON bank_matches (tenant_id, account_id)',
  'CREATE INDEX bank_matches_by_payout ON bank_matches (tenant_id, payout_id, id) WHERE payout_id IS NOT NULL',
  `CREATE TABLE bank_payouts (
    tenant_id text NOT NULL, payout_id text NOT NULL, merchant_id text NOT NULL, matched_minor bigint NOT NULL,
    PRIMARY KEY (tenant_id, payout_id)
  )`,
  `CREATE TABLE bank_rules (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, contains text NOT NULL, kind text NOT NULL,
    origin text NOT NULL, created_at text NOT NULL, created_by text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX bank_rules_by_merchant ON bank_rules (tenant_id, merchant_id, id)',
  `CREATE TABLE bank_statements (
    tenant_id text NOT NULL, id text NOT NULL, account_id text NOT NULL, merchant_id text NOT NULL, fingerprint text NOT NULL,
    format text NOT NULL, status text NOT NULL, sealed_number text, last4 text, filename text, first_day text, last_day text,
    opening_minor bigint, closing_minor bigint, line_count bigint NOT NULL, added_count bigint NOT NULL, created_at text NOT NULL,
    created_by text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, account_id, fingerprint)
  )`,
  'CREATE INDEX bank_statements_by_account ON bank_statements (tenant_id, account_id, last_day)',
  'CREATE INDEX bank_statements_due ON bank_statements (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE bank_suggested_payouts (
    tenant_id text NOT NULL, payout_id text NOT NULL, line_id text NOT NULL,
    PRIMARY KEY (tenant_id, payout_id, line_id)
  )`,
  `CREATE TABLE bank_suggestions (
    tenant_id text NOT NULL, line_id text NOT NULL, suggestion text NOT NULL,
    PRIMARY KEY (tenant_id, line_id)
  )`,
  `CREATE TABLE dispute_attachments (
    tenant_id text NOT NULL, id text NOT NULL, dispute_id text NOT NULL, item text NOT NULL, name text NOT NULL, media_type text NOT NULL,
    bytes bigint NOT NULL, pages bigint NOT NULL, sha256 text NOT NULL, sealed text NOT NULL, sealed_pages text NOT NULL,
    created_by text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX dispute_attachments_by_dispute ON dispute_attachments (tenant_id, dispute_id, id)',
  `CREATE TABLE dispute_movements (
    tenant_id text NOT NULL, id text NOT NULL, dispute_id text NOT NULL, transaction_id text NOT NULL, merchant_id text NOT NULL,
    currency text NOT NULL, kind text NOT NULL, amount_minor bigint NOT NULL, at text NOT NULL, settled_at text, settlement_date text,
    settlement_id text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX dispute_movements_by_dispute ON dispute_movements (tenant_id, dispute_id, id)',
  'CREATE INDEX dispute_movements_unsettled ON dispute_movements (tenant_id, merchant_id, at) WHERE settled_at IS NULL',
  'CREATE INDEX dispute_movements_by_settlement ON dispute_movements (tenant_id, settlement_id, id) WHERE settlement_id IS NOT NULL',
  `CREATE TABLE dispute_packs (
    tenant_id text NOT NULL, id text NOT NULL, dispute_id text NOT NULL, pages bigint NOT NULL, pdf_bytes bigint NOT NULL,
    archive_bytes bigint NOT NULL, manifest_sha256 text NOT NULL, sealed_pdf text NOT NULL, sealed_archive text NOT NULL,
    created_by text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX dispute_packs_by_dispute ON dispute_packs (tenant_id, dispute_id, id)',
  `CREATE TABLE dispute_reports (
    tenant_id text NOT NULL, id text NOT NULL, gateway_id text NOT NULL, processor text NOT NULL, reference text NOT NULL,
    kind text NOT NULL, amount_minor bigint NOT NULL, currency text NOT NULL, reason_code text, reason text, processor_case text,
    reported_at text, merchant_id text, transaction_id text, dispute_id text, result text NOT NULL, note text, received_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX dispute_reports_by_reference ON dispute_reports (tenant_id, reference, received_at)',
  'CREATE INDEX dispute_reports_by_dispute ON dispute_reports (tenant_id, dispute_id, received_at) WHERE dispute_id IS NOT NULL',
  'CREATE INDEX dispute_reports_by_result ON dispute_reports (tenant_id, result, received_at)',
  `CREATE TABLE dispute_watches (
    tenant_id text NOT NULL, id text NOT NULL, read_until text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX dispute_watches_due ON dispute_watches (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE disputes (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, transaction_id text NOT NULL, status text NOT NULL,
    stage text NOT NULL, scheme text NOT NULL, reason_code text, reason text NOT NULL, amount_minor bigint NOT NULL,
    currency text NOT NULL, withheld_minor bigint NOT NULL, returned_minor bigint NOT NULL, fees_minor bigint NOT NULL,
    due_date text NOT NULL, origin text NOT NULL, processor_case text, notes text, created_by text NOT NULL, submitted_at text,
    submitted_pack_id text, concluded_at text, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL, created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX disputes_by_merchant ON disputes (tenant_id, merchant_id, id)',
  'CREATE INDEX disputes_by_transaction ON disputes (tenant_id, transaction_id, id)',
  'CREATE INDEX disputes_by_due_date ON disputes (tenant_id, status, due_date, id)',
  'CREATE INDEX disputes_due ON disputes (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE journal_accounts (
    tenant_id text NOT NULL, merchant_id text NOT NULL, accounts text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id)
  )`,
  `CREATE TABLE journal_entries (
    tenant_id text NOT NULL, merchant_id text NOT NULL, currency text NOT NULL, day text NOT NULL, kind text NOT NULL,
    subject text NOT NULL, revision bigint NOT NULL, booked_day text NOT NULL, amount_minor bigint NOT NULL, export_id text NOT NULL,
    PRIMARY KEY (tenant_id, merchant_id, currency, day, kind, subject, revision)
  )`,
  'CREATE INDEX journal_entries_by_booked_day ON journal_entries (tenant_id, merchant_id, booked_day)',
  `CREATE TABLE journal_exports (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, n bigint NOT NULL, start_date text NOT NULL,
    end_date text NOT NULL, contents text NOT NULL, entries bigint NOT NULL, new_entries bigint NOT NULL, created_by text NOT NULL,
    created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE UNIQUE INDEX journal_exports_by_merchant ON journal_exports (tenant_id, merchant_id, n)',
  `CREATE TABLE payout_lines (
    tenant_id text NOT NULL, payout_id text NOT NULL, settlement_id text NOT NULL, amount_minor bigint NOT NULL,
    PRIMARY KEY (tenant_id, payout_id, settlement_id)
  )`,
  'CREATE INDEX payout_lines_by_settlement ON payout_lines (tenant_id, settlement_id)',
  `CREATE TABLE payouts (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, kind text NOT NULL, currency text NOT NULL,
    status text NOT NULL, reference text NOT NULL, actor text NOT NULL, amount_minor bigint NOT NULL, gross_minor bigint NOT NULL,
    fees_minor bigint NOT NULL, transaction_count bigint NOT NULL, start_date text, end_date text, note text, paid_at text, due_ms bigint,
    lease_ms bigint NOT NULL, fence bigint NOT NULL, created_at text NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX payouts_by_merchant ON payouts (tenant_id, merchant_id, kind, id)',
  'CREATE INDEX payouts_by_reference ON payouts (tenant_id, reference)',
  'CREATE INDEX payouts_by_paid ON payouts (tenant_id, merchant_id, paid_at) WHERE paid_at IS NOT NULL',
  `CREATE INDEX payouts_in_transit ON payouts (tenant_id, merchant_id) WHERE status IN ('pending', 'processing')`,
  'CREATE INDEX payouts_due ON payouts (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE period_closes (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, period text NOT NULL, state text NOT NULL,
    figures text NOT NULL, closed_at text NOT NULL, closed_by text NOT NULL, reopened_at text, reopened_by text, reason text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX period_closes_by_period ON period_closes (tenant_id, merchant_id, period, id)',
  `CREATE UNIQUE INDEX period_closes_closed_once ON period_closes (tenant_id, merchant_id, period) WHERE state = 'closed'`,
  `CREATE TABLE reconciliation_comparisons (
    tenant_id text NOT NULL, id text NOT NULL, scope text NOT NULL, date text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL,
    fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX reconciliation_comparisons_due ON reconciliation_comparisons (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE reconciliation_items (
    tenant_id text NOT NULL, id text NOT NULL, run_id text NOT NULL, identity text NOT NULL, type text NOT NULL, kind text NOT NULL,
    merchant_id text, transaction_id text, refund_id text, settlement_reference text, currency text NOT NULL, transaction_minor bigint,
    settled_minor bigint, difference_minor bigint NOT NULL, status text NOT NULL, note text, resolved_by text, resolved_at text,
    created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX reconciliation_items_by_run ON reconciliation_items (tenant_id, run_id, id)',
  'CREATE INDEX reconciliation_items_by_identity ON reconciliation_items (tenant_id, run_id, identity)',
  'CREATE INDEX reconciliation_items_by_transaction ON reconciliation_items (tenant_id, run_id, transaction_id)',
  `CREATE TABLE reconciliation_runs (
    tenant_id text NOT NULL, id text NOT NULL, scope text NOT NULL, date text NOT NULL, source text NOT NULL, import_id text,
    basis text NOT NULL, is_settled bigint NOT NULL, currency text NOT NULL, transactions_minor bigint NOT NULL,
    settlements_minor bigint NOT NULL, totals text NOT NULL, matched_count bigint NOT NULL, discrepancy_count bigint NOT NULL,
    open_count bigint NOT NULL, created_at text NOT NULL, created_by text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX reconciliation_runs_by_scope ON reconciliation_runs (tenant_id, scope, id)',
  'CREATE INDEX reconciliation_runs_by_date ON reconciliation_runs (tenant_id, scope, date, id)',
  `CREATE TABLE settlement_import_lines (
    tenant_id text NOT NULL, import_id text NOT NULL, line bigint NOT NULL, reference text NOT NULL, subject text NOT NULL,
    kind text NOT NULL, currency text NOT NULL, amount_minor bigint NOT NULL, day text NOT NULL,
    PRIMARY KEY (tenant_id, import_id, line)
  )`,
  'CREATE INDEX settlement_import_lines_by_subject ON settlement_import_lines (tenant_id, import_id, subject, reference, line)',
  `CREATE TABLE settlement_imports (
    tenant_id text NOT NULL, id text NOT NULL, scope text NOT NULL, fingerprint text NOT NULL, status text NOT NULL, filename text,
    row_count bigint NOT NULL, imported bigint NOT NULL, bad_count bigint NOT NULL, first_date text, last_date text,
    created_at text NOT NULL, created_by text NOT NULL, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, scope, fingerprint)
  )`,
  'CREATE INDEX settlement_imports_due ON settlement_imports (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE settlement_schedules (
    tenant_id text NOT NULL, id text NOT NULL, frequency text NOT NULL, cutoff_time text NOT NULL, weekday bigint NOT NULL,
    day_of_month bigint NOT NULL, delay_days bigint NOT NULL, timezone text, idempotency_credential text, idempotency_key text,
    idempotency_route text, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX settlement_schedules_due ON settlement_schedules (tenant_id, due_ms) WHERE due_ms IS NOT NULL',
  `CREATE TABLE settlements (
    tenant_id text NOT NULL, id text NOT NULL, merchant_id text NOT NULL, currency text NOT NULL, status text NOT NULL,
    origin text NOT NULL, cutoff_at text NOT NULL, settlement_date text NOT NULL, captures_minor bigint NOT NULL,
    refunds_minor bigint NOT NULL, fees_minor bigint NOT NULL, transaction_count bigint NOT NULL, refund_count bigint NOT NULL,
    disputes_minor bigint NOT NULL, dispute_count bigint NOT NULL, paid_minor bigint NOT NULL, paid_at text, created_at text NOT NULL,
    updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX settlements_by_merchant ON settlements (tenant_id, merchant_id, id)',
  'CREATE INDEX settlements_by_status ON settlements (tenant_id, status, id)',
  'CREATE INDEX settlements_by_date ON settlements (tenant_id, settlement_date, id)',
  'CREATE INDEX settlements_by_merchant_date ON settlements (tenant_id, merchant_id, settlement_date, id)',
  `CREATE INDEX settlements_unpaid ON settlements (tenant_id, merchant_id, id) WHERE status = 'pending'`,
];
