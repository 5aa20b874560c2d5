export { api, authorizedFetch, take, takeData, takePage } from './api.ts';
export { newIdempotencyKey, useMoneyMutation } from './attempt.ts';
export { listenForChanges } from './changes.ts';
export {
  currentCredential,
  dropCredential,
  holdCredential,
  IDLE_LIMIT_MS,
  noteActivity,
  onSessionEnd,
  resumeCredential,
} from './credentials.ts';
export { failedRefundsQuery } from './failed-refunds.ts';
export { ApiFailure, UNREACHABLE } from './failure.ts';
export { type Health, useHealth } from './health.ts';
export { messageChannelsQuery } from './message-channels.ts';
export { queryClient } from './query-client.ts';
export type {
  ApiKey,
  AuditEntry,
  AuditQuery,
  ClockMoved,
  Customer,
  Delivery,
  DeliveryDetail,
  ExpiringCard,
  Gateway,
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
  QueueEntry,
  QueueEntryDetail,
  QueueStats,
  Refund,
  Role,
  SetUp,
  SignedIn,
  Subscription,
  SubscriptionPayment,
  SubscriptionSummary,
  Transaction,
  TransactionDetail,
  TransactionQuery,
  User,
  UserSession,
  WebhookEndpoint,
} from './shapes.ts';
export { type Words, wordsOf } from './words.ts';
