import { TABLES as AUDIT_TABLES } from '#core/audit';
import { TABLES as BACKUP_TABLES } from '#core/backup';
import { TABLES as CUSTOMER_TABLES } from '#core/customers';
import { SANDBOX_TABLES } from '#core/gateways';
import { TABLES as IDENTITY_TABLES } from '#core/identity';
import { TABLES as INVOICING_TABLES } from '#core/invoicing';
import { TABLES as LEDGER_TABLES } from '#core/ledger';
import { TABLES as LIMIT_TABLES } from '#core/limits';
import { TABLES as MERCHANT_TABLES } from '#core/merchants';
import { TABLES as MESSAGE_TABLES } from '#core/notifications';
import { TABLES as ONCE_TABLES } from '#core/once';
import { TABLES as PAYMENT_TABLES } from '#core/payments';
import { TABLES as RECEIPT_TABLES } from '#core/receipts';
import { TABLES as RECONCILIATION_TABLES } from '#core/reconciliation';
import { TABLES as RECURRING_TABLES } from '#core/recurring';
import { CHORES } from '#core/scheduling';
import { TABLES as SETTLEMENT_TABLES } from '#core/settlement';
import { TABLES as VAULT_TABLES } from '#core/vault';
import { TABLES as WEBHOOK_TABLES } from '#core/webhooks';

const TABLES = [
  ...IDENTITY_TABLES,
  ...MERCHANT_TABLES,
  ...AUDIT_TABLES,
  ...LIMIT_TABLES,
  ...VAULT_TABLES,
  ...ONCE_TABLES,
  ...CUSTOMER_TABLES,
  ...PAYMENT_TABLES,
  ...RECURRING_TABLES,
  ...LEDGER_TABLES,
  ...SETTLEMENT_TABLES,
  ...RECONCILIATION_TABLES,
  ...WEBHOOK_TABLES,
  ...MESSAGE_TABLES,
  ...INVOICING_TABLES,
  ...RECEIPT_TABLES,
  CHORES,
  ...BACKUP_TABLES,
];
/** Every table of the service, for TypeORM. */
export const ENTITIES = TABLES.map((table) => table.entity);
/** The tables of each part that a backup is made of. */
export const BACKED_UP = { service: TABLES.map(({ name }) => name), sandbox: SANDBOX_TABLES.map(({ name }) => name) };

/** Settings, and what everything hangs on. */
const KEPT_AT_RESET: ReadonlySet<string> = new Set(['master_keys', 'data_keys', 'message_channels', 'settlement_schedules']);

/** What payments leave behind, cards and keys of requests included: a sandbox reset empties it. */
export const PAYMENT_DATA = [
  ...CUSTOMER_TABLES,
  ...RECURRING_TABLES,
  ...PAYMENT_TABLES,
  ...LEDGER_TABLES,
  ...SETTLEMENT_TABLES,
  ...RECONCILIATION_TABLES,
  ...WEBHOOK_TABLES,
  ...MESSAGE_TABLES,
  ...INVOICING_TABLES,
  ...RECEIPT_TABLES,
  ...ONCE_TABLES,
  ...VAULT_TABLES,
].filter(({ name }) => !KEPT_AT_RESET.has(name));
