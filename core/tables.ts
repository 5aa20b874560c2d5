import { TABLES as APPROVAL_TABLES } from '#core/approvals';
import { TABLES as ARCHIVE_TABLES } from '#core/archive';
import { TABLES as AUDIT_TABLES } from '#core/audit';
import { TABLES as BACKUP_TABLES } from '#core/backup';
import { TABLES as BANK_TABLES } from '#core/bank';
import { TABLES as CARD_MASKING_TABLES, type FreeText } from '#core/card-masking';
import { TABLES as TRANSFER_TABLES } from '#core/customer-transfer';
import { TABLES as CUSTOMER_TABLES } from '#core/customers';
import { TABLES as DISCOUNT_TABLES } from '#core/discounts';
import { TABLES as DISPUTE_TABLES } from '#core/disputes';
import { SANDBOX_TABLES } from '#core/gateways';
import { TABLES as IDENTITY_TABLES } from '#core/identity';
import { TABLES as INSTALLMENT_TABLES } from '#core/installments';
import { TABLES as INVOICING_TABLES } from '#core/invoicing';
import { TABLES as ITEM_TABLES } from '#core/items';
import { TABLES as JOURNAL_TABLES } from '#core/journal';
import { TABLES as LATER_TABLES } from '#core/later';
import { TABLES as LEDGER_TABLES } from '#core/ledger';
import { TABLES as MERCHANT_TABLES } from '#core/merchants';
import { TABLES as MESSAGE_TABLES } from '#core/notifications';
import { TABLES as PAYMENT_TABLES } from '#core/payments';
import { TABLES as ONCE_TABLES } from '#core/platform/idempotency';
import { TABLES as LIMIT_TABLES } from '#core/platform/rate-limits';
import { MAINTENANCE } from '#core/platform/scheduling';
import { TABLES as REACH_TABLES } from '#core/reach';
import { TABLES as RECEIPT_TABLES } from '#core/receipts';
import { TABLES as RECONCILIATION_TABLES } from '#core/reconciliation';
import { TABLES as RECURRING_TABLES } from '#core/recurring';
import { TABLES as RECORDING_TABLES } from '#core/sandbox';
import { TABLES as SETTLEMENT_TABLES } from '#core/settlement';
import { TABLES as SHIFT_TABLES } from '#core/shifts';
import { TABLES as TENDER_TABLES } from '#core/tenders';
import { TABLES as VAULT_TABLES } from '#core/vault';
import { TABLES as WEBHOOK_TABLES } from '#core/webhooks';

/** Every table of the service. */
export const TABLES = [
  ...IDENTITY_TABLES,
  ...MERCHANT_TABLES,
  ...AUDIT_TABLES,
  ...APPROVAL_TABLES,
  ...LIMIT_TABLES,
  ...VAULT_TABLES,
  ...ONCE_TABLES,
  ...CUSTOMER_TABLES,
  ...ITEM_TABLES,
  ...DISCOUNT_TABLES,
  ...TRANSFER_TABLES,
  ...PAYMENT_TABLES,
  ...RECURRING_TABLES,
  ...LEDGER_TABLES,
  ...SETTLEMENT_TABLES,
  ...DISPUTE_TABLES,
  ...RECONCILIATION_TABLES,
  ...BANK_TABLES,
  ...JOURNAL_TABLES,
  ...WEBHOOK_TABLES,
  ...MESSAGE_TABLES,
  ...REACH_TABLES,
  ...TENDER_TABLES,
  ...SHIFT_TABLES,
  ...INVOICING_TABLES,
  ...INSTALLMENT_TABLES,
  ...LATER_TABLES,
  ...RECEIPT_TABLES,
  MAINTENANCE,
  ...CARD_MASKING_TABLES,
  ...BACKUP_TABLES,
  ...ARCHIVE_TABLES,
  ...RECORDING_TABLES,
];
/** The tables of each part that a backup is made of. */
export const BACKED_UP = { service: TABLES.map(({ name }) => name), sandbox: SANDBOX_TABLES.map(({ name }) => name) };

/** Settings, and what everything hangs on. */
const KEPT_AT_RESET: ReadonlySet<string> = new Set([
  'master_keys',
  'data_keys',
  'message_channels',
  'settlement_schedules',
  'event_heads',
  'event_starts',
  'bank_accounts',
  'bank_rules',
  'bank_mappings',
  'journal_accounts',
  'approval_rules',
  'card_ranges',
]);

/** Tables that payments write, including stored cards and idempotency keys. A sandbox reset empties them. */
export const PAYMENT_DATA = [
  ...CUSTOMER_TABLES,
  ...TRANSFER_TABLES,
  ...RECURRING_TABLES,
  ...PAYMENT_TABLES,
  ...LEDGER_TABLES,
  ...SETTLEMENT_TABLES,
  ...DISPUTE_TABLES,
  ...RECONCILIATION_TABLES,
  ...BANK_TABLES,
  ...JOURNAL_TABLES,
  ...WEBHOOK_TABLES,
  ...MESSAGE_TABLES,
  ...TENDER_TABLES,
  ...SHIFT_TABLES,
  ...INVOICING_TABLES,
  ...INSTALLMENT_TABLES,
  ...LATER_TABLES,
  ...RECEIPT_TABLES,
  ...ONCE_TABLES,
  ...VAULT_TABLES,
  ...APPROVAL_TABLES,
  ...DISCOUNT_TABLES,
].filter(({ name }) => !KEPT_AT_RESET.has(name));

/** Columns of text that a caller or a processor wrote. In the audit log, long numbers are masked before they are stored. */
const FREE_TEXT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['name', 'created_by'],
  sessions: ['user_agent'],
  merchants: [
    'name',
    'legal_name',
    'email',
    'address',
    'city',
    'state',
    'zip',
    'vt_settings',
    'amount_settings',
    'settings',
    'fraud_settings',
    'branding',
    'dunning_settings',
    'routing',
  ],
  gateways: ['name', 'settings', 'last_check'],
  customers: ['first_name', 'last_name', 'email', 'company', 'address', 'notes', 'metadata'],
  payment_methods: ['consent_text', 'external_id'],
  customer_external_ids: ['external_id'],
  customer_imports: ['filename', 'created_by', 'started_by'],
  customer_import_lines: ['name', 'external_id'],
  transfer_keys: ['name', 'created_by'],
  customer_exports: ['recipient', 'created_by'],
  transactions: [
    'void_reason',
    'decline_reason',
    'customer_name',
    'customer_email',
    'save_consent',
    'billing',
    'order_id',
    'description',
    'metadata',
    'pending_reason',
    'bank_authorization',
  ],
  refunds: ['reason', 'metadata', 'decline_reason'],
  attempts: ['reason', 'actor'],
  discounts: ['reason', 'requested_by'],
  approvals: ['reason', 'details', 'requested_by', 'decided_by', 'note'],
  refund_decline_queue: [
    'decline_reason',
    'last_error',
    'customer_name',
    'customer_email',
    'resolved_by',
    'resolution_notes',
    'refund_method',
    'cancelled_by',
    'cancellation_reason',
    'cancellation_notes',
  ],
  later_payments: ['customer_name', 'customer_email', 'order_id', 'description', 'created_by', 'decline_reason', 'changed_by'],
  subscriptions: ['plan_id', 'agreement', 'last_reason', 'cancel_reason', 'cancelled_by'],
  subscription_payments: ['decline_reason'],
  dispute_attachments: ['name'],
  disputes: ['reason', 'processor_case', 'notes', 'created_by'],
  dispute_reports: ['reason', 'processor_case'],
  payouts: ['note', 'actor'],
  reconciliation_items: ['note', 'resolved_by'],
  settlement_imports: ['filename', 'created_by'],
  bank_accounts: ['name', 'created_by'],
  bank_statements: ['filename', 'created_by'],
  bank_lines: ['text', 'reference'],
  bank_matches: ['note', 'created_by', 'undone_by'],
  bank_rules: ['contains', 'created_by'],
  bank_mappings: ['mapping'],
  period_closes: ['closed_by', 'reopened_by', 'reason'],
  journal_accounts: ['accounts'],
  journal_exports: ['created_by'],
  events: ['data'],
  recordings: ['name', 'created_by'],
  recording_steps: ['step'],
  webhook_endpoints: ['description'],
  webhook_attempts: ['response_body', 'error_message'],
  messages: ['subject', 'body', 'html', 'last_error'],
  invoices: ['customer_name', 'customer_email', 'items', 'note', 'description', 'cancel_reason', 'cancelled_by'],
  invoice_payments: ['reference', 'note', 'actor', 'decline_reason', 'receipt_email'],
  installment_plans: ['consent_text', 'last_reason', 'canceled_by', 'cancel_reason', 'created_by'],
  installment_payments: ['decline_reason'],
  items: ['name'],
  tenders: [
    'name',
    'check_number',
    'check_bank',
    'customer_name',
    'customer_email',
    'order_id',
    'description',
    'drawer',
    'created_by',
    'return_reason',
  ],
  tender_refunds: ['reason', 'drawer', 'created_by'],
  shifts: ['drawer', 'note', 'note_by', 'report', 'opened_by', 'closed_by'],
  shift_movements: ['reason', 'actor'],
  once_keys: ['body'],
};

/** The tables whose texts are searched for card numbers, with their columns. */
export const FREE_TEXT: readonly FreeText[] = [
  ...TABLES.flatMap((table) => {
    const columns = FREE_TEXT_COLUMNS[table.name];
    return columns === undefined ? [] : [{ table, columns }];
  }),
  ...CUSTOMER_TABLES.filter(({ name }) => name === 'customer_words').map((table) => ({ table, columns: ['word'], removes: true as const })),
];
