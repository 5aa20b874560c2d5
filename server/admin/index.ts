import { adminApprovals } from '../approval-routes.ts';
import { connectivityRoutes } from '../connectivity-routes.ts';
import { discountRoutes } from '../discount-routes.ts';
import { disputeRoutes } from '../dispute-routes.ts';
import { installmentRoutes } from '../installment-routes.ts';
import { itemRoutes } from '../item-routes.ts';
import { queuedPaymentRoutes } from '../queued-payment-routes.ts';
import { shiftRoutes } from '../shift-routes.ts';
import { cardRangeRoutes, surchargeQuoteRoute } from '../surcharge-routes.ts';
import { tenderRoutes } from '../tender-routes.ts';
import { adminApiKeys } from './api-keys.ts';
import { adminArchive } from './archive.ts';
import { adminAudit } from './audit.ts';
import { adminAuth } from './auth.ts';
import { adminBackup } from './backup.ts';
import { adminBank } from './bank.ts';
import { adminChanges } from './changes.ts';
import { adminCustomerTransfer } from './customer-transfer.ts';
import { adminCustomers } from './customers.ts';
import { adminFailoverRehearsal } from './failover-rehearsal.ts';
import { adminGatewayHealth } from './gateway-health.ts';
import { adminGateways } from './gateways.ts';
import { adminInvoices } from './invoices.ts';
import { adminJournal } from './journal.ts';
import { adminKeys } from './keys.ts';
import { adminMerchants } from './merchants.ts';
import { adminNotifications } from './notifications.ts';
import { adminPayments } from './payments.ts';
import { adminPayouts } from './payouts.ts';
import { adminPins } from './pins.ts';
import { adminRateStatus } from './rate-status.ts';
import { adminReceipts } from './receipts.ts';
import { adminReconciliation } from './reconciliation.ts';
import { adminRecurring } from './recurring.ts';
import { adminRefundQueue } from './refund-queue.ts';
import { adminRefunds } from './refunds.ts';
import { adminReporting } from './reporting.ts';
import { adminRequestLog } from './request-log.ts';
import { adminSandbox } from './sandbox.ts';
import { adminSandboxRecordings } from './sandbox-recordings.ts';
import { adminSettlement } from './settlement.ts';
import { adminSettlementFiles } from './settlement-files.ts';
import { adminSystem } from './system.ts';
import { adminTransactions } from './transactions.ts';
import { adminUnconfirmedPayments } from './unconfirmed-payments.ts';
import { adminUsers } from './users.ts';
import { adminWebhooks } from './webhooks.ts';

/** Routes of the Admin surface, with an access token and X-Tenant-ID. */
export const adminRoutes = [
  ...adminAuth,
  ...adminPins,
  ...adminApprovals,
  ...adminApiKeys,
  ...adminUsers,
  ...adminMerchants,
  ...adminGatewayHealth,
  ...adminGateways,
  ...adminTransactions,
  ...adminPayments,
  surchargeQuoteRoute('admin', 'Transactions'),
  ...cardRangeRoutes,
  ...adminUnconfirmedPayments,
  ...adminRefunds,
  ...adminRefundQueue,
  ...adminCustomers,
  ...adminCustomerTransfer,
  ...adminRecurring,
  ...adminInvoices,
  ...itemRoutes('admin'),
  ...discountRoutes('admin'),
  ...tenderRoutes('admin'),
  ...shiftRoutes('admin'),
  ...installmentRoutes('admin'),
  ...queuedPaymentRoutes('admin'),
  ...disputeRoutes('admin'),
  ...adminSettlement,
  ...adminPayouts,
  ...adminSettlementFiles,
  ...adminReconciliation,
  ...adminBank,
  ...adminWebhooks,
  ...adminNotifications,
  ...adminReceipts,
  ...adminSandbox,
  ...adminSandboxRecordings,
  ...adminChanges,
  ...adminAudit,
  ...adminReporting,
  ...adminJournal,
  ...adminRateStatus,
  ...adminRequestLog,
  ...adminBackup,
  ...adminArchive,
  ...adminFailoverRehearsal,
  ...adminKeys,
  ...adminSystem,
  ...connectivityRoutes('admin'),
];
