import { type BulkStatement, dueColumns, type GuardedUpdate, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';
import type { Format } from '#shared/statement-formats';

/**
 * A merchant's bank account. `due_ms` is the time at which suggestions for its open lines are to be computed again, or at which the rest of a removed
 * account is to be deleted. `due_from` is the earliest booking day of the lines that are to be explained; null for all of them.
 */
export const BANK_ACCOUNTS = table(
  'bank_accounts',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    name: text,
    currency: text,
    /** Account number or IBAN, sealed; null until a statement names it. */
    sealed_number: text.optional,
    last4: text.optional,
    created_at: text,
    created_by: text,
    /** Set until the lines of a removed account are deleted. For every operation, the account does not exist any more. */
    removed_at: text.optional,
    due_ms: integer.of<RealTime>().optional,
    due_from: text.optional,
    lease_ms: integer,
    fence: integer,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'bank_accounts_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'bank_accounts_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);
export type BankAccountRow = RowOf<typeof BANK_ACCOUNTS>;

/** Renews the lease of an account whose suggestions are computed. Fails if another run has claimed it since. */
export const RENEW_SUGGESTING: GuardedUpdate<BankAccountRow> = {
  table: BANK_ACCOUNTS,
  where: ['tenant_id', 'id', 'fence'],
  set: ['lease_ms'],
  guard: 'lease_ms > 0',
};

/**
 * An imported file of a bank account. A statement that is not `ready` is due and claimed by the request that reads it, whose lease each block of lines
 * renews. If that request ends without completing the import, the job removes the statement with its lines (decision 154).
 */
export const BANK_STATEMENTS = table(
  'bank_statements',
  {
    tenant_id: text,
    id: text,
    account_id: text,
    merchant_id: text,
    /** SHA-256 of its bytes. */
    fingerprint: text,
    format: text.of<Format>(),
    status: text.of<'reading' | 'removing' | 'ready'>(),
    /** Account number, sealed, that the account takes when the import is complete; null if it has its number. */
    sealed_number: text.optional,
    last4: text.optional,
    filename: text.optional,
    first_day: text.optional,
    last_day: text.optional,
    /** Null if the file has no such balance. */
    opening_minor: integer.optional,
    closing_minor: integer.optional,
    line_count: integer,
    /** Lines that were not in an earlier statement. */
    added_count: integer,
    created_at: text,
    created_by: text,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'account_id', 'fingerprint']],
    indexes: [
      { name: 'bank_statements_by_account', columns: ['tenant_id', 'account_id', 'last_day'] },
      { name: 'bank_statements_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);
export type BankStatementRow = RowOf<typeof BANK_STATEMENTS>;

/** A line of a bank account. Its ID sorts by booking day. */
export const BANK_LINES = table(
  'bank_lines',
  {
    tenant_id: text,
    id: text,
    account_id: text,
    merchant_id: text,
    statement_id: text,
    /** Line of the file. */
    line: integer,
    /** Booking day of the bank. */
    day: text,
    /** Day of the books: `day`, or the first open day after it if its period was closed before the import. */
    booked_day: text,
    currency: text,
    /** Debits are negative. */
    amount_minor: integer,
    /** Sum of its matches, with the sign of the amount. */
    matched_minor: integer,
    /** Part of `matched_minor` that is marked as unrelated to payments. */
    unrelated_minor: integer,
    state: text.of<'open' | 'matched'>(),
    text: text,
    reference: text.optional,
    /** Day, place in the statement, and keyed hashes of the text and of the bank's reference as the file has them (decision 166). */
    identity: text,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'account_id', 'identity']],
    indexes: [
      { name: 'bank_lines_by_state', columns: ['tenant_id', 'merchant_id', 'state', 'id'] },
      { name: 'bank_lines_by_account', columns: ['tenant_id', 'account_id', 'state', 'id'] },
      { name: 'bank_lines_of_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'bank_lines_of_account', columns: ['tenant_id', 'account_id', 'id'] },
      { name: 'bank_lines_by_booked_day', columns: ['tenant_id', 'merchant_id', 'booked_day', 'id'] },
    ],
  },
);
export type BankLineRow = RowOf<typeof BANK_LINES>;

/** Number of lines of an account in a state, for the totals of lists (decision 118). */
export const BANK_LINE_COUNTS = table(
  'bank_line_counts',
  { tenant_id: text, merchant_id: text, account_id: text, state: text.of<BankLineRow['state']>(), n: integer },
  { key: ['tenant_id', 'merchant_id', 'account_id', 'state'] },
);

/** Measures of the lines of a day: their number, the number of open ones, their amounts, and the parts unrelated to payments. */
export type LineMeasure = 'lines' | 'open_lines' | 'amount' | 'unrelated';

/** Sums of the lines that are booked on a day, from which the close of a period reads its figures (decision 121). */
export const BANK_DAY_SUMS = table(
  'bank_day_sums',
  { tenant_id: text, merchant_id: text, booked_day: text, currency: text, measure: text.of<LineMeasure>(), n: integer },
  { key: ['tenant_id', 'merchant_id', 'booked_day', 'currency', 'measure'] },
);

/**
 * Suggestion for an open line. The table is narrow because one statement of a bank changes the suggestions of all its lines, and PostgreSQL writes
 * a changed row with all its indexes again (decision 98).
 */
export const BANK_SUGGESTIONS = table(
  'bank_suggestions',
  {
    tenant_id: text,
    line_id: text,
    /** A `Suggestion` as JSON. Nothing is posted from it. */
    suggestion: text,
  },
  { key: ['tenant_id', 'line_id'] },
);
type BankSuggestionRow = RowOf<typeof BANK_SUGGESTIONS>;

/** Stores new and changed suggestions. */
export const STORE_SUGGESTION: BulkStatement<BankSuggestionRow> = {
  columns: { tenant_id: 'text', line_id: 'text', suggestion: 'text' },
  // SQLite needs the WHERE clause to tell ON CONFLICT from a join condition.
  sql: `INSERT INTO bank_suggestions (tenant_id, line_id, suggestion) SELECT given.tenant_id, given.line_id, given.suggestion FROM {rows} AS given WHERE true ON CONFLICT (tenant_id, line_id) DO UPDATE SET suggestion = excluded.suggestion`,
};

/** Removes the suggestions of lines that have none any more. */
export const REMOVE_SUGGESTION: BulkStatement<Pick<BankSuggestionRow, 'tenant_id' | 'line_id'>> = {
  columns: { tenant_id: 'text', line_id: 'text' },
  sql: `DELETE FROM bank_suggestions WHERE (tenant_id, line_id) IN (SELECT given.tenant_id, given.line_id FROM {rows} AS given)`,
};

/** Payout or invoice of a suggestion, by which the suggestion is found. A row may outlive its suggestion, so readers compare both. */
export const BANK_SUGGESTED_PAYOUTS = table(
  'bank_suggested_payouts',
  { tenant_id: text, payout_id: text, line_id: text },
  { key: ['tenant_id', 'payout_id', 'line_id'] },
);
type BankSuggestedPayoutRow = RowOf<typeof BANK_SUGGESTED_PAYOUTS>;

/** Stores the payouts of suggestions. */
export const STORE_SUGGESTED_PAYOUT: BulkStatement<BankSuggestedPayoutRow> = {
  columns: { tenant_id: 'text', payout_id: 'text', line_id: 'text' },
  sql: `INSERT INTO bank_suggested_payouts (tenant_id, payout_id, line_id) SELECT given.tenant_id, given.payout_id, given.line_id FROM {rows} AS given WHERE true ON CONFLICT (tenant_id, payout_id, line_id) DO NOTHING`,
};

/** Removes the payouts that the suggestion of a line does not have any more. */
export const REMOVE_SUGGESTED_PAYOUT: BulkStatement<BankSuggestedPayoutRow> = {
  columns: { tenant_id: 'text', payout_id: 'text', line_id: 'text' },
  sql: `DELETE FROM bank_suggested_payouts WHERE (tenant_id, payout_id, line_id) IN (SELECT given.tenant_id, given.payout_id, given.line_id FROM {rows} AS given)`,
};

/** Explanations of a part of a line. */
export const PART_KINDS = ['payout', 'invoice', 'cash', 'check', 'refund', 'fee', 'chargeback', 'own', 'ignore'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** Explanations that a rule can suggest. `invoice` names the customer that pays. */
export const RULE_KINDS = ['invoice', 'fee', 'chargeback', 'own', 'ignore'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** A part of a bank line with its explanation. Posted once; undoing it keeps the row. */
export const BANK_MATCHES = table(
  'bank_matches',
  {
    tenant_id: text,
    id: text,
    account_id: text,
    merchant_id: text,
    line_id: text,
    kind: text.of<PartKind>(),
    payout_id: text.optional,
    /** Invoice that the part pays. */
    invoice_id: text.optional,
    /** Tender of the payment of an invoice, or the deposited check. */
    tender_id: text.optional,
    /** Closed shift whose cash was deposited. */
    shift_id: text.optional,
    /** Refund of a bank transfer that a debit pays. */
    refund_id: text.optional,
    /** Part of the line, with its sign. */
    amount_minor: integer,
    /** Fee that was withheld from the payout; the payout is covered by `amount_minor + withheld_minor`. */
    withheld_minor: integer,
    state: text.of<'posted' | 'undone'>(),
    /** Day of the ledger movements. */
    day: text,
    note: text.optional,
    /** Rules that the match taught and those that it removed, as JSON; null if there are none. On the first match of a line only. */
    rule_changes: text.optional,
    created_at: text,
    created_by: text,
    undone_at: text.optional,
    undone_by: text.optional,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'bank_matches_by_line', columns: ['tenant_id', 'line_id', 'id'] },
      { name: 'bank_matches_by_account', columns: ['tenant_id', 'account_id'] },
      { name: 'bank_matches_by_payout', columns: ['tenant_id', 'payout_id', 'id'], where: 'payout_id IS NOT NULL' },
      { name: 'bank_matches_by_tender', columns: ['tenant_id', 'tender_id'], where: 'tender_id IS NOT NULL' },
    ],
  },
);
export type BankMatchRow = RowOf<typeof BANK_MATCHES>;

/** Part of a payout that bank lines and withheld fees cover. */
export const BANK_PAYOUTS = table(
  'bank_payouts',
  { tenant_id: text, payout_id: text, merchant_id: text, matched_minor: integer },
  { key: ['tenant_id', 'payout_id'] },
);

/** Part of the cash of a closed shift, of a check, or of a refund of a bank transfer, that bank lines contain. */
export const BANK_DEPOSITS = table(
  'bank_deposits',
  { tenant_id: text, subject_id: text, merchant_id: text, currency: text, matched_minor: integer },
  { key: ['tenant_id', 'subject_id'] },
);

/** A rule that suggests an explanation for lines by their text. */
export const BANK_RULES = table(
  'bank_rules',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** Text that a line contains; case and spaces do not matter. */
    contains: text,
    kind: text.of<RuleKind>(),
    /** Customer whose invoices the lines pay; null for other kinds. */
    customer_id: text.optional,
    origin: text.of<'learned' | 'written'>(),
    created_at: text,
    created_by: text,
    updated_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'bank_rules_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] }] },
);
export type BankRuleRow = RowOf<typeof BANK_RULES>;

/** A named mapping of the columns of a bank's CSV file. */
export const BANK_MAPPINGS = table(
  'bank_mappings',
  { tenant_id: text, merchant_id: text, name: text, mapping: text, updated_at: text },
  { key: ['tenant_id', 'merchant_id', 'name'] },
);

/** A closed period, and its figures at that time. Reopening keeps the row. */
export const PERIOD_CLOSES = table(
  'period_closes',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** A day YYYY-MM-DD or a month YYYY-MM. */
    period: text,
    state: text.of<'closed' | 'reopened'>(),
    /** The figures, as JSON. */
    figures: text,
    closed_at: text,
    closed_by: text,
    reopened_at: text.optional,
    reopened_by: text.optional,
    reason: text.optional,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'period_closes_by_period', columns: ['tenant_id', 'merchant_id', 'period', 'id'] },
      {
        name: 'period_closes_closed_once',
        columns: ['tenant_id', 'merchant_id', 'period'],
        where: "state = 'closed'",
        unique: true,
      },
    ],
  },
);
export type PeriodCloseRow = RowOf<typeof PERIOD_CLOSES>;
