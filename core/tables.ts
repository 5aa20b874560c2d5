import { TABLES as APPROVAL_TABLES } from '#core/access/approvals';
import { TABLES as IDENTITY_TABLES } from '#core/access/identity';
import { TABLES as CUSTOMER_PAGE_TABLES } from '#core/billing/customer-page';
import { TABLES as INSTALLMENT_TABLES } from '#core/billing/installments';
import { TABLES as INVOICING_TABLES } from '#core/billing/invoicing';
import { TABLES as QUEUED_PAYMENT_TABLES } from '#core/billing/queued-payments';
import { TABLES as RECEIPT_TABLES } from '#core/billing/receipts';
import { TABLES as RECURRING_TABLES } from '#core/billing/recurring';
import { TABLES as BANK_TABLES } from '#core/books/bank';
import { TABLES as DISPUTE_TABLES } from '#core/books/disputes';
import { TABLES as JOURNAL_TABLES } from '#core/books/journal';
import { TABLES as RECONCILIATION_TABLES } from '#core/books/reconciliation';
import { TABLES as SETTLEMENT_TABLES } from '#core/books/settlement';
import { ROW_COUNTS } from '#core/database';
import { TABLES as TRANSFER_TABLES } from '#core/operation/customer-transfer';
import { TABLES as RECORDING_TABLES } from '#core/operation/sandbox';
import { TABLES as IDEMPOTENCY_TABLES } from '#core/platform/idempotency';
import { TABLES as LIMIT_TABLES } from '#core/platform/rate-limits';
import { MAINTENANCE } from '#core/platform/scheduling';
import { TABLES as CONNECTIVITY_TABLES } from '#core/processing/connectivity';
import { SANDBOX_TABLES } from '#core/processing/gateways';
import { TABLES as MERCHANT_TABLES } from '#core/processing/merchants';
import { TABLES as TERMINAL_TABLES } from '#core/processing/terminals';
import { TABLES as ARCHIVE_TABLES } from '#core/records/archive';
import { TABLES as AUDIT_TABLES } from '#core/records/audit';
import { TABLES as ANCHOR_TABLES } from '#core/records/audit-anchors';
import { TABLES as BACKUP_TABLES } from '#core/records/backup';
import { TABLES as LEDGER_TABLES } from '#core/records/ledger';
import { TABLES as MESSAGE_TABLES } from '#core/records/notifications';
import { TABLES as VAULT_TABLES } from '#core/records/vault';
import { TABLES as WEBHOOK_TABLES } from '#core/records/webhooks';
import { TABLES as CARD_SAVE_TABLES } from '#core/sales/card-saves';
import { TABLES as CUSTOMER_TABLES } from '#core/sales/customers';
import { TABLES as DISCOUNT_TABLES } from '#core/sales/discounts';
import { TABLES as GIFT_CARD_TABLES } from '#core/sales/gift-cards';
import { TABLES as ITEM_TABLES } from '#core/sales/items';
import { TABLES as ORDER_TABLES } from '#core/sales/orders';
import { TABLES as PAYMENT_TABLES } from '#core/sales/payments';
import { TABLES as SHIFT_TABLES } from '#core/sales/shifts';
import { TABLES as TENDER_TABLES } from '#core/sales/tenders';

/** Every table of the service. */
export const TABLES = [
  ROW_COUNTS,
  ...IDENTITY_TABLES,
  ...MERCHANT_TABLES,
  ...AUDIT_TABLES,
  ...ANCHOR_TABLES,
  ...APPROVAL_TABLES,
  ...LIMIT_TABLES,
  ...VAULT_TABLES,
  ...IDEMPOTENCY_TABLES,
  ...CUSTOMER_TABLES,
  ...CARD_SAVE_TABLES,
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
  ...CONNECTIVITY_TABLES,
  ...TERMINAL_TABLES,
  ...TENDER_TABLES,
  ...ORDER_TABLES,
  ...GIFT_CARD_TABLES,
  ...SHIFT_TABLES,
  ...INVOICING_TABLES,
  ...INSTALLMENT_TABLES,
  ...CUSTOMER_PAGE_TABLES,
  ...QUEUED_PAYMENT_TABLES,
  ...RECEIPT_TABLES,
  MAINTENANCE,
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
  'reminder_runs',
]);

/** Tables that payments write, including stored cards and idempotency keys. A sandbox reset empties them. */
export const PAYMENT_DATA = [
  ...CUSTOMER_TABLES,
  ...CARD_SAVE_TABLES,
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
  ...ORDER_TABLES,
  ...GIFT_CARD_TABLES,
  ...SHIFT_TABLES,
  ...INVOICING_TABLES,
  ...INSTALLMENT_TABLES,
  ...CUSTOMER_PAGE_TABLES,
  ...QUEUED_PAYMENT_TABLES,
  ...RECEIPT_TABLES,
  ...IDEMPOTENCY_TABLES,
  ...VAULT_TABLES,
  ...APPROVAL_TABLES,
  ...DISCOUNT_TABLES,
].filter(({ name }) => !KEPT_AT_RESET.has(name));
