import { AddPayments1763600000000 } from './1763600000000-add-payments.ts';
import { AddVault1763600000001 } from './1763600000001-add-vault.ts';
import { AddIdentity1763600000002 } from './1763600000002-add-identity.ts';
import { AddWebhooks1763600000003 } from './1763600000003-add-webhooks.ts';
import { AddRefundQueueAndScheduledWork1763600000004 } from './1763600000004-add-refund-queue-and-scheduled-work.ts';
import { AddRateWindows1763600000005 } from './1763600000005-add-rate-windows.ts';
import { AddAuditLog1763600000006 } from './1763600000006-add-audit-log.ts';
import { AddRolesAndGateways1763600000007 } from './1763600000007-add-roles-and-gateways.ts';
import { AddCustomersAndSubscriptions1763600000008 } from './1763600000008-add-customers-and-subscriptions.ts';
import { AddInvoicesAndPaymentLinks1763600000009 } from './1763600000009-add-invoices-and-payment-links.ts';
import { AddLedgerAndSettlement1763600000010 } from './1763600000010-add-ledger-and-settlement.ts';
import { AddSettlementLineOrder1763600000011 } from './1763600000011-add-settlement-line-order.ts';
import { AddBackups1763600000012 } from './1763600000012-add-backups.ts';
import { AddInstallationKey1763600000014 } from './1763600000014-add-installation-key.ts';
import { AddAggregateTotals1763600000015 } from './1763600000015-add-aggregate-totals.ts';
import { AddLiveGateways1763600000016 } from './1763600000016-add-live-gateways.ts';
import { IndexFailedDeliveries1763600000017 } from './1763600000017-index-failed-deliveries.ts';
import { AddRerunClaim1763600000018 } from './1763600000018-add-rerun-claim.ts';
import { AddAuthenticators1763600000019 } from './1763600000019-add-authenticators.ts';
import { AddAuditUserAgent1763600000020 } from './1763600000020-add-audit-user-agent.ts';
import { ScanStoredCardNumbers1763600000021 } from './1763600000021-scan-stored-card-numbers.ts';
import { AddDeliveryPosition1763600000025 } from './1763600000025-add-delivery-position.ts';
import { AddSecurityEndpoints1763600000026 } from './1763600000026-add-security-endpoints.ts';

/** Every change of the schema, in order. Written by `npm run migrations`. */
export const MIGRATIONS = [
  AddPayments1763600000000,
  AddVault1763600000001,
  AddIdentity1763600000002,
  AddWebhooks1763600000003,
  AddRefundQueueAndScheduledWork1763600000004,
  AddRateWindows1763600000005,
  AddAuditLog1763600000006,
  AddRolesAndGateways1763600000007,
  AddCustomersAndSubscriptions1763600000008,
  AddInvoicesAndPaymentLinks1763600000009,
  AddLedgerAndSettlement1763600000010,
  AddSettlementLineOrder1763600000011,
  AddBackups1763600000012,
  AddInstallationKey1763600000014,
  AddAggregateTotals1763600000015,
  AddLiveGateways1763600000016,
  IndexFailedDeliveries1763600000017,
  AddRerunClaim1763600000018,
  AddAuthenticators1763600000019,
  AddAuditUserAgent1763600000020,
  ScanStoredCardNumbers1763600000021,
  AddDeliveryPosition1763600000025,
  AddSecurityEndpoints1763600000026,
];
