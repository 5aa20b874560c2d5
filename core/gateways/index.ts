import { ServiceError } from '#core/kernel';
import type { Connector } from './connector.ts';

export type {
  BankSource,
  BillingAddress,
  CardSource,
  Connector,
  FollowUp,
  Order,
  Outcome,
  ReportPeriod,
  SettlementLine,
  Source,
} from './connector.ts';
export { evaluate, type Facts, type Reason } from './routing/evaluate.ts';
export { parseExpression } from './routing/expression.ts';
export {
  createSandboxGateway,
  openSandboxLedger,
  type PastBooks,
  SANDBOX_MIGRATIONS,
  SANDBOX_TABLES,
  type SandboxGateway,
  type SandboxGatewayOptions,
  type SandboxMode,
} from './sandbox/index.ts';

/** The gateways of an installation. */
export interface Gateways {
  /** The connector that takes a tenant's payments; GATEWAY_UNAVAILABLE for a live tenant without one. */
  of(tenantId: string): Connector;
  /** The connectors that a tenant of an environment may use, by name. */
  namesFor(environment: 'sandbox' | 'live'): readonly string[];
}

/** A sandbox tenant only ever reaches the sandbox gateway; a live one never does (decisions 3). */
export function createGateways(sandbox: Connector, environmentOf: (tenantId: string) => 'sandbox' | 'live'): Gateways {
  return {
    of(tenantId) {
      if (environmentOf(tenantId) === 'sandbox') return sandbox;
      throw new ServiceError('GATEWAY_UNAVAILABLE', 'No payment gateway is set up for this account. Nothing was charged.');
    },
    namesFor: (environment) => (environment === 'sandbox' ? [sandbox.name] : []),
  };
}
