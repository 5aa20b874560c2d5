export { api, take, takeData, takePage } from './api.ts';
export {
  dropCredential,
  dropRequests,
  IDLE_LIMIT_MS,
  noteActivity,
  onSessionEnd,
  resumeCredential,
  setCredential,
} from './credentials.ts';
export { failedRefundsQuery } from './failed-refunds.ts';
export { ApiFailure } from './failure.ts';
export { describeFailure } from './failure-texts.ts';
export { requestFile } from './files.ts';
export { gatewayHealthQuery, gatewaysQuery } from './gateways.ts';
export { type Health, useHealth } from './health.ts';
export { listenForChanges } from './live-changes.ts';
export { messageChannelsQuery } from './message-channels.ts';
export { newIdempotencyKey, useMoneyMutation } from './money-mutation.ts';
export { queryClient } from './query-client.ts';
export type {
  ApiKey,
  AuditEntry,
  AuditQuery,
  Backup,
  BackupOverview,
  BatchPayout,
  ClockAdvance,
  Customer,
  DailySummary,
  Delivery,
  DeliveryDetail,
  ExpiringCard,
  FundingReport,
  Gateway,
  GatewayHealthReport,
  GatewayType,
  HistoryEntry,
  Invoice,
  InvoicePayment,
  InvoiceSummary,
  Me,
  Merchant,
  Message,
  MessageChannel,
  MessageQuery,
  PageOf,
  PaymentMethod,
  Payout,
  QueueEntry,
  QueueEntryDetail,
  QueueStats,
  Reconciliation,
  ReconciliationDay,
  ReconciliationLine,
  Refund,
  RefundAnalysis,
  RevenueAnalysis,
  Role,
  SecurityActivity,
  SecurityQuery,
  Settlement,
  SettlementImport,
  SettlementSchedule,
  SettlementSummary,
  SetupBody,
  SignedIn,
  StatusItem,
  Subscription,
  SubscriptionPayment,
  SubscriptionSummary,
  SystemStatus,
  Transaction,
  TransactionAnalysis,
  TransactionDetail,
  TransactionQuery,
  UnconfirmedCounts,
  UnconfirmedOperation,
  UnsettledLine,
  User,
  UserSession,
  WebhookEndpoint,
} from './shapes.ts';
export { unconfirmedCountsQuery } from './unconfirmed-counts.ts';
