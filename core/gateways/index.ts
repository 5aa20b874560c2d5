export type {
  Alert,
  Connector,
  FollowUp,
  Inquiry,
  Order,
  Outcome,
  ReportPeriod,
  RetryAdvice,
  ReturnedItem,
  SettlementLine,
  StoredCredential,
} from './connector.ts';

export { ACH_DECLINE_CODES, CARD_DECLINE_CODES, REFUND_REFUSED } from './decline-codes.ts';
export { createGateways, type Gateways, type OpenAccount } from './gateways.ts';
export type { GatewayHealth } from './health.ts';
export { createHttpWire } from './http-wire.ts';
export type { AccountCheck, CredentialField, GatewayAccount, Processor } from './processor.ts';
export { evaluate, type Facts, type Reason } from './routing/evaluate.ts';
export { parseExpression } from './routing/expression.ts';
export {
  createSandboxGateway,
  openSandboxLedger,
  type PastBooks,
  SANDBOX_MIGRATIONS,
  SANDBOX_TABLES,
  type SandboxGateway,
  type SandboxMode,
} from './sandbox/index.ts';
export type { Wire } from './wire.ts';
