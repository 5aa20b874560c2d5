import type { paths } from '#client-types';

/** Body of a JSON response with status 200. */
type Body<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer Answer } } } } ? Answer : never;
/** The `data` of the envelope in it. */
type Data<Operation> = Body<Operation> extends infer Answer ? (Answer extends { data: infer Inner } ? Inner : never) : never;

/** The `data` of a response with status 201. */
type Created<Operation> = Operation extends { responses: { 201: { content: { 'application/json': { data: infer Inner } } } } }
  ? Inner
  : never;

/** A payment as lists show it. */
export type Transaction = Data<paths['/api/v1/transactions']['get']>[number];
/** A payment with the history of its operations. */
export type TransactionDetail = Data<paths['/api/v1/transactions/{id}']['get']>;
export type HistoryEntry = TransactionDetail['history'][number];
/** An operation with an unknown outcome. */
export type UnconfirmedOperation = Data<paths['/api/v1/unconfirmed-payments']['get']>[number];
export type UnconfirmedCounts = Body<paths['/api/v1/unconfirmed-payments']['get']>['counts'];
/** Work that waits for a person. */
export type ToDoList = Data<paths['/api/v1/to-do']['get']>;
export type ToDoItem = ToDoList['items'][number];
/** A plan that pays an invoice in installments. */
export type InstallmentPlanDetail = Data<paths['/api/v1/installment-plans/{id}']['get']>;
export type InstallmentPlan = Data<paths['/api/v1/installment-plans']['get']>[number];
/** Settlements of a period with their totals. */
export type SettlementReport = Body<paths['/api/v1/reporting/batches']['get']>;
/** An order, which several payments can pay. */
export type Order = Data<paths['/api/v1/orders']['get']>[number];
export type OrderDetail = Data<paths['/api/v1/orders/{id}']['get']>;
/** A new order with the codes of the gift cards that it sells. */
export type CreatedOrder = Created<paths['/api/v1/orders']['post']>;
export type NewReportMail = NonNullable<paths['/api/v1/reporting/email']['post']['requestBody']>['content']['application/json'];
export type NewOrder = NonNullable<paths['/api/v1/orders']['post']['requestBody']>['content']['application/json'];
/** A refund. */
export type Refund = Data<paths['/api/v1/refunds']['get']>[number];
/** A request for the approval of a second person. */
export type Approval = Data<paths['/api/v1/approvals']['get']>[number];
/** A person who may approve, or who can take over the screen with a PIN. */
export type ApprovalWithResult = Data<paths['/api/v1/approvals/{id}']['get']>;
export type ApprovalPerson = Data<paths['/api/v1/approvals/{id}/approvers']['get']>['people'][number];
/** An entry of the refund decline queue. */
export type QueueEntry = Data<paths['/api/v1/refund-decline-queue']['get']>[number];
/** An entry with its retries. */
export type DisputeDetail = Data<paths['/api/v1/disputes/{id}']['get']>;
export type Dispute = Data<paths['/api/v1/disputes/{id}']['put']>;
export type DisputeListItem = Data<paths['/api/v1/disputes']['get']>[number];
export type DisputeEvidence = Data<paths['/api/v1/disputes/{id}/evidence']['get']>;
export type QueueEntryDetail = Data<paths['/api/v1/refund-decline-queue/{entryId}']['get']>;
export type QueueStats = Data<paths['/api/v1/refund-decline-queue/stats']['get']>;
/** A webhook endpoint with its figures. */
export type WebhookEndpoint = Data<paths['/api/v1/webhooks']['get']>[number];
/** An event of the history. */
export type HistoryEvent = Data<paths['/api/v1/webhooks/events']['get']>[number];
/** A delivery of an archived event. */
export type ArchivedDelivery = NonNullable<Data<paths['/api/v1/webhooks/events/{id}']['get']>['deliveries']>[number];
/** An event as the built-in receiver catches it. */
export type EventRequest = Data<paths['/api/v1/webhooks/events/{id}/request']['get']>;
/** An event on its way to an endpoint. */
export type Delivery = Data<paths['/api/v1/webhooks/{id}/deliveries']['get']>[number];
export type DeliveryDetail = Data<paths['/api/v1/webhooks/{id}/deliveries/{deliveryId}']['get']>;
export type ClockAdvance = Data<paths['/api/v1/sandbox/clock']['post']>;
/** An API key in a list. */
export type ApiKey = Data<paths['/api/v1/api-keys']['get']>[number];
export type User = Data<paths['/api/v1/merchants/{merchantId}/users']['get']>[number];
export type Role = Data<paths['/api/v1/roles']['get']>[number];
export type UserSession = Data<paths['/api/v1/user-sessions']['get']>[number];
/** System status by item. */
export type SystemStatus = Data<paths['/api/v1/system/status']['get']>;
export type StatusItem = SystemStatus['items'][number];
/** A backup with the result of its restore check. */
export type Backup = Data<paths['/api/v1/system/backups']['get']>[number];
export type BackupOverview = Data<paths['/api/v1/system/backup']['get']>;
/** Archives of old audit entries and webhook events with their settings. */
export type ArchiveOverview = Data<paths['/api/v1/system/archive']['get']>;
export type Archive = ArchiveOverview['archives'][number];
/** Failover rehearsals of the database with their certificates. */
export type FailoverRehearsals = Data<paths['/api/v1/system/failover-rehearsal']['get']>;
export type AuditEntry = Data<paths['/api/v1/audit-logs']['get']>[number];
export type SecurityActivity = Data<paths['/api/v1/security-activity']['get']>[number];
export type SecurityQuery = NonNullable<paths['/api/v1/security-activity']['get']['parameters']['query']>;
export type AuditQuery = NonNullable<paths['/api/v1/audit-logs']['get']['parameters']['query']>;
export type Gateway = Data<paths['/api/v1/merchants/{id}/gateways']['get']>[number];
/** Health of a gateway as the server sees it. */
export type GiftCard = Data<paths['/api/v1/gift-cards']['get']>[number];
export type GiftCardBalance = Data<paths['/api/v1/gift-cards/balance']['post']>;
export type GiftCardDetail = Data<paths['/api/v1/gift-cards/{id}']['get']>;
/** A payment with a saved card that is charged later. */
export type QueuedPayment = Data<paths['/api/v1/queued-payments']['get']>[number];
export type NewQueuedPayment = NonNullable<paths['/api/v1/queued-payments']['post']['requestBody']>['content']['application/json'];
/** Connection to the gateways of a merchant, and what works. */
export type ConnectivityReport = Data<paths['/api/v1/system/connectivity']['get']>;
export type GatewayHealthReport = Data<paths['/api/v1/gateways/health']['get']>[number];
/** A supported processor with its credential fields. */
export type GatewayType = Data<paths['/api/v1/gateway-types']['get']>[number];
/** A card reader. */
export type CardReader = Data<paths['/api/v1/terminals']['get']>[number];
/** Display of a simulated card reader. */
/** A request to store the card that a customer presents to a card reader. */
export type CardSave = Data<paths['/api/v1/card-saves/{id}']['get']>;
export type SimulatedReader = Data<paths['/api/v1/sandbox/terminals/{id}']['get']>;
/** A customer. */
export type Customer = Data<paths['/api/v1/customers']['get']>[number];
/** Statement of a customer's account. */
export type CustomerStatement = Data<paths['/api/v1/customers/{id}/statement']['get']>;
/** A card or account on a customer's file. */
export type PaymentMethod = Data<paths['/api/v1/customers/{id}/payment-methods']['get']>[number];
export type ExpiringCard = Data<paths['/api/v1/customers/expiring-cards']['get']>[number];
/** A subscription. */
export type SubscriptionDetail = Data<paths['/api/v1/recurring/{id}']['get']>;
export type Subscription = Data<paths['/api/v1/recurring']['get']>[number];
export type SubscriptionPayment = Data<paths['/api/v1/recurring/{id}/payments']['get']>[number];
export type SubscriptionSummary = Data<paths['/api/v1/recurring/summary']['get']>;
/** An invoice, or a payment link. */
export type InvoiceDetail = Data<paths['/api/v1/invoices/{id}']['get']>;
export type HostedPages = Data<paths['/api/v1/invoices/{id}/hosted-pages']['get']>;
export type Invoice = Data<paths['/api/v1/invoices']['get']>[number];
export type InvoicePayment = Invoice['payments'][number];
export type InvoiceSummary = Data<paths['/api/v1/invoices/summary']['get']>;
/** An item or quick amount of a merchant. */
export type Item = Data<paths['/api/v1/items']['get']>[number];
export type ItemReport = Data<paths['/api/v1/reporting/items']['get']>;
export type GiftCardReport = Data<paths['/api/v1/reporting/gift-cards']['get']>;
export type GiftCardImport = Data<paths['/api/v1/gift-cards/import']['post']>;
export type ItemImport = Data<paths['/api/v1/items/import']['post']>;
/** Cash, a check or another payment at the counter. */
export type Tender = Data<paths['/api/v1/tenders']['get']>[number];
export type TenderDetail = Data<paths['/api/v1/tenders/{id}']['get']>;
export type NewTender = NonNullable<paths['/api/v1/tenders']['post']['requestBody']>['content']['application/json'];
/** A shift at a cash drawer. */
export type Shift = Data<paths['/api/v1/shifts']['get']>[number];
export type ShiftDetail = Data<paths['/api/v1/shifts/{id}']['get']>;
export type ShiftReport = Data<paths['/api/v1/shifts/{id}/report']['get']>;
/** Unsettled, unpaid and recently paid amounts. */
export type SettlementSummary = Data<paths['/api/v1/settlement/summary']['get']> & { readonly merchantId: string };
export type SettlementSchedule = Data<paths['/api/v1/settlement/schedule/{merchantId}']['get']>;
/** A settlement. */
export type Settlement = Data<paths['/api/v1/settlement/settlements/{id}']['get']>;
export type SettlementLine = Data<paths['/api/v1/settlement/settlements/{id}/lines']['get']>[number];
export type Payout = Data<paths['/api/v1/settlement/payouts']['get']>[number];
export type BatchPayout = Data<paths['/api/v1/settlement/batch-payouts']['get']>[number];
export type BatchPayoutDetail = Data<paths['/api/v1/settlement/batch-payouts/{batchId}']['get']>;
/** Facts by which a person recognizes the payment of a line. */
export type PaymentFacts = NonNullable<SettlementLine['payment']>;
export type UnsettledLine = Data<paths['/api/v1/settlement/unsettled']['get']>[number];
export type FundingReport = Data<paths['/api/v1/settlement/funding-report']['get']>;
/** An email or text message of the outbox. */
export type Message = Data<paths['/api/v1/notifications/messages']['get']>[number];
export type MessageQuery = NonNullable<paths['/api/v1/notifications/messages']['get']['parameters']['query']>;
/** Settings of a channel for email or text messages. */
export type MessageChannel = Data<paths['/api/v1/notifications/channels']['get']>[number];
/** Comparison of a day with the processor's report or a file. */
export type Reconciliation = Data<paths['/api/v1/settlement/reconciliation']['get']>;
export type ReconciliationDay = Data<paths['/api/v1/settlement/reconciliation/days']['get']>[number];
/** A merchant's bank account. */
export type MerchantBankAccount = Data<paths['/api/v1/settlement/bank-accounts']['get']>[number];
/** A line of a bank account with its suggestion or matches. */
export type BankLine = Data<paths['/api/v1/settlement/bank-lines']['get']>[number];
export type BankMatch = Data<paths['/api/v1/settlement/bank-lines/{lineId}/match']['post']>;
export type BankMatchBody = NonNullable<
  paths['/api/v1/settlement/bank-lines/{lineId}/match']['post']['requestBody']
>['content']['application/json'];
export type BankMapping = Data<paths['/api/v1/settlement/bank-mappings']['get']>[number];
export type BankRule = Data<paths['/api/v1/settlement/bank-rules']['get']>[number];
/** The three-way close of a day or month. */
export type PeriodClose = Data<paths['/api/v1/settlement/close']['get']>;
export type JournalAccounts = Data<paths['/api/v1/reporting/journal/accounts']['get']>;
/** An export of the journal, whose file can be downloaded again. */
export type JournalExport = Data<paths['/api/v1/reporting/journal/exports']['get']>[number];
export type ReconciliationLine = Data<paths['/api/v1/settlement/reconciliation/{runId}/items']['get']>[number];
/** Result of reading a settlement file. */
export type SettlementImport = Data<paths['/api/v1/settlement/imports']['post']>;
/** The close of a day. */
export type TodayComparison = Data<paths['/api/v1/reporting/today']['get']>;
export type DailySummary = Data<paths['/api/v1/reporting/daily-summary']['get']>;
/** Money, payments and refunds over time. */
export type RevenueAnalysis = Data<paths['/api/v1/analytics/revenue']['get']>;
export type TransactionAnalysis = Data<paths['/api/v1/analytics/transactions']['get']>;
export type RefundAnalysis = Data<paths['/api/v1/analytics/refunds']['get']>;
export type SignedIn = Data<paths['/api/v1/auth/refresh']['post']>;
/** The signed-in user with tenant and accessible merchants. */
export type Me = Data<paths['/api/v1/auth/me']['get']>;
export type Merchant = Me['merchants'][number];
export type PaymentQuery = NonNullable<paths['/api/v1/payments']['get']['parameters']['query']>;
/** A payment of any kind: a transaction or a tender. */
export type Payment = Data<paths['/api/v1/payments']['get']>[number];
export type SetupBody = NonNullable<paths['/api/v1/setup']['post']['requestBody']>['content']['application/json'];

/** One page of a list. */
export interface PageOf<Item> {
  items: Item[];
  page: number;
  limit: number;
  total: number;
}

/** Credential of a request. */
export interface Credential {
  readonly token: string;
  readonly refreshToken: string;
  readonly tenantId: string;
}

/** An import of customers with its progress. */
export type CustomerImport = Data<paths['/api/v1/customers/imports/{id}']['get']>;
/** A line of its report. */
export type CustomerImportLine = Data<paths['/api/v1/customers/imports/{id}/lines']['get']>[number];
/** A key to which an earlier provider encrypts its file. */
export type TransferKey = Data<paths['/api/v1/customers/transfer-keys']['get']>[number];
/** An export with card numbers. */
export type CustomerExport = Data<paths['/api/v1/customers/exports']['get']>[number];
