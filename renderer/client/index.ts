export { api, take, takeData, takePage } from './api.ts';
export { newIdempotencyKey, useMoneyMutation } from './attempt.ts';
export { listenForChanges } from './changes.ts';
export {
  dropCredential,
  dropRequests,
  holdCredential,
  IDLE_LIMIT_MS,
  noteActivity,
  onSessionEnd,
  resumeCredential,
} from './credentials.ts';
export { doubtCountsQuery } from './doubts.ts';
export { failedRefundsQuery } from './failed-refunds.ts';
export { ApiFailure } from './failure.ts';
export { requestFile } from './files.ts';
export { gatewayHealthQuery, gatewaysQuery } from './gateways.ts';
export { type Health, useHealth } from './health.ts';
export { messageChannelsQuery } from './message-channels.ts';
export { queryClient } from './query-client.ts';
export type {
  ApiKey,
  AuditEntry,
  AuditQuery,
  Backup,
  BackupOverview,
  BatchPayout,
  ClockMoved,
  Customer,
  DailySummary,
  Delivery,
  DeliveryDetail,
  Doubt,
  DoubtCounts,
  ExpiringCard,
  FundingReport,
  Gateway,
  GatewayStanding,
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
  SettlementStanding,
  SetUp,
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
  UnsettledLine,
  User,
  UserSession,
  WebhookEndpoint,
} from './shapes.ts';
export { wordsOf } from './words.ts';
