import { adminApiKeys } from './access/api-keys.ts';
import { adminAuth } from './access/auth.ts';
import { adminCompanySignIn } from './access/company-sign-in.ts';
import { adminKeys } from './access/keys.ts';
import { adminPins } from './access/pins.ts';
import { adminUsers } from './access/users.ts';
import { adminApprovals } from './approvals/routes.ts';
import { adminBank } from './bank/admin.ts';
import { cardSaveRoutes } from './card-saves/routes.ts';
import { connectivityRoutes } from './connectivity/routes.ts';
import { adminCustomerTransfer } from './customer-transfer/admin.ts';
import { adminCustomers } from './customers/admin.ts';
import { customerPageLinks } from './customers/page-links.ts';
import { statementRoutes } from './customers/statements.ts';
import { discountRoutes } from './discounts/routes.ts';
import { disputeRoutes } from './disputes/routes.ts';
import { adminGateways } from './gateways/admin.ts';
import { adminGatewayHealth } from './gateways/health.ts';
import { giftCardRoutes } from './gift-cards/routes.ts';
import { installmentRoutes } from './installments/routes.ts';
import { adminInvoices } from './invoices/admin.ts';
import { adminHostedPages } from './invoices/hosted-pages.ts';
import { adminLateFees } from './invoices/late-fees.ts';
import { adminReminders } from './invoices/reminders.ts';
import { itemRoutes } from './items/routes.ts';
import { adminJournal } from './journal/admin.ts';
import { adminMerchants } from './merchants/admin.ts';
import { adminNotifications } from './notifications/admin.ts';
import { orderRoutes } from './orders/routes.ts';
import { adminPayments } from './payments/admin.ts';
import { adminTransactions } from './payments/transactions.ts';
import { adminUnconfirmedPayments } from './payments/unconfirmed.ts';
import { queuedPaymentRoutes } from './queued-payments/routes.ts';
import { adminReceipts } from './receipts/admin.ts';
import { adminReconciliation } from './reconciliation/admin.ts';
import { adminRecurring } from './recurring/admin.ts';
import { adminRefunds } from './refunds/admin.ts';
import { adminRefundQueue } from './refunds/refund-queue.ts';
import { adminReporting } from './reporting/admin.ts';
import { adminSandbox } from './sandbox/admin.ts';
import { adminSandboxReaders } from './sandbox/readers.ts';
import { adminSandboxRecordings } from './sandbox/recordings.ts';
import { adminSettlement } from './settlement/admin.ts';
import { adminSettlementFiles } from './settlement/files.ts';
import { adminPayouts } from './settlement/payouts.ts';
import { shiftRoutes } from './shifts/routes.ts';
import { cardRangeRoutes, surchargeQuoteRoute } from './surcharge/routes.ts';
import { adminSystem } from './system/admin.ts';
import { adminArchive } from './system/archive.ts';
import { adminAudit } from './system/audit.ts';
import { adminBackup } from './system/backup.ts';
import { adminChanges } from './system/changes.ts';
import { adminFailoverRehearsal } from './system/failover-rehearsal.ts';
import { adminRateStatus } from './system/rate-status.ts';
import { adminRequestLog } from './system/request-log.ts';
import { tenderRoutes } from './tenders/routes.ts';
import { terminalRoutes } from './terminals/routes.ts';
import { adminToDo } from './to-do/admin.ts';
import { adminWebhooks } from './webhooks/admin.ts';

/** Routes of the Admin surface, with an access token and X-Tenant-ID. */
export const adminRoutes = [
  ...adminAuth,
  ...adminCompanySignIn,
  ...adminPins,
  ...adminApprovals,
  ...adminToDo,
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
  ...statementRoutes({ surface: 'admin', tag: 'Customers', customerPath: '/customers' }),
  ...customerPageLinks,
  ...adminCustomerTransfer,
  ...adminRecurring,
  ...adminInvoices,
  ...adminHostedPages,
  ...adminReminders,
  ...adminLateFees,
  ...itemRoutes('admin'),
  ...discountRoutes('admin'),
  ...tenderRoutes('admin'),
  ...orderRoutes('admin'),
  ...giftCardRoutes('admin'),
  ...shiftRoutes('admin'),
  ...terminalRoutes('admin'),
  ...cardSaveRoutes('admin'),
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
  ...adminSandboxReaders,
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
