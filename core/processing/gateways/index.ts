export { creditSecCode, MARKETS, type Market, secCodeOf } from './channels.ts';
export type {
  ChargeRequest,
  Connector,
  ReferencedRequest,
  ReportedDispute,
  ReportPeriod,
  ReturnedItem,
  SettlementLine,
  StatusInquiry,
  StoredCredential,
} from './connector.ts';
export { ACH_DECLINE_CODES, CARD_DECLINE_CODES, REFUND_REFUSED } from './decline-codes.ts';
export { channelObstacle, createGateways, type Gateways, type OpenAccount, PROCESSORS } from './gateways.ts';
export {
  extraReference,
  HOSTED_PAGE_DELIVERIES,
  type HostedPageAddress,
  type HostedPageConnector,
  type HostedPageCreation,
  type HostedPageDelivery,
  type HostedPageInquiry,
  type HostedPageReference,
  type HostedPageStatus,
  type HostedPayment,
  isAmountOf,
  type NewHostedPage,
  outcomeOnPage,
  pageReferenceOf,
} from './hosted-pages.ts';
export type { HttpClient } from './http-client.ts';
export type { Alert, AmountParts, CardPresent, ChargedAmount, Outcome, RetryAdvice } from './outcome.ts';
export type { AccountCheck, GatewayAccount, Processor } from './processor.ts';
export { GatewayHealth } from './records.ts';
export { evaluate, type Reason, type RoutingAttributes } from './routing/evaluate.ts';
export { parseExpression } from './routing/expression.ts';
export { SANDBOX_CARDS, sandboxFundingOf } from './sandbox/cards.ts';
export {
  createSandboxGateway,
  installationOfLedger,
  openSandboxLedger,
  type ReaderInput,
  ReaderScreen,
  SANDBOX_MIGRATIONS,
  SANDBOX_MODES,
  SANDBOX_TABLES,
  type SampleBooks,
  type SandboxGateway,
  type SandboxMode,
} from './sandbox/index.ts';
export type { AllowedChanges, TerminalAnswer, TerminalConnector, TerminalDevice, TerminalFeature, TerminalInquiry } from './terminals.ts';
export { createHttpClient, isNetworkFault } from './undici-client.ts';
