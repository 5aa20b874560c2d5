import { TABLES as APPROVAL_TABLES } from '#core/approvals';
import { TABLES as ARCHIVE_TABLES } from '#core/archive';
import { TABLES as AUDIT_TABLES } from '#core/audit';
import { TABLES as BACKUP_TABLES } from '#core/backup';
import { TABLES as BANK_TABLES } from '#core/bank';
import { TABLES as CONNECTIVITY_TABLES } from '#core/connectivity';
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
import { TABLES as LEDGER_TABLES } from '#core/ledger';
import { TABLES as MERCHANT_TABLES } from '#core/merchants';
import { TABLES as MESSAGE_TABLES } from '#core/notifications';
import { TABLES as PAYMENT_TABLES } from '#core/payments';
import { TABLES as IDEMPOTENCY_TABLES } from '#core/platform/idempotency';
import { TABLES as LIMIT_TABLES } from '#core/platform/rate-limits';
import { MAINTENANCE } from '#core/platform/scheduling';
import { TABLES as QUEUED_PAYMENT_TABLES } from '#core/queued-payments';
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
  ...IDEMPOTENCY_TABLES,
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
  ...CONNECTIVITY_TABLES,
  ...TENDER_TABLES,
  ...SHIFT_TABLES,
  ...INVOICING_TABLES,
  ...INSTALLMENT_TABLES,
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
  ...QUEUED_PAYMENT_TABLES,
  ...RECEIPT_TABLES,
  ...IDEMPOTENCY_TABLES,
  ...VAULT_TABLES,
  ...APPROVAL_TABLES,
  ...DISCOUNT_TABLES,
].filter(({ name }) => !KEPT_AT_RESET.has(name));
