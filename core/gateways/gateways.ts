import { ServiceError } from '#core/kernel';
import { authorizeNet } from './authorizenet/index.ts';
import type { Connector } from './connector.ts';
import { createHealth, type GatewayHealth, type GatewayName, type Probed } from './health.ts';
import type { HttpClient } from './http-client.ts';
import { nmi } from './nmi/index.ts';
import type { AccountCheck, GatewayAccount, Processor } from './processor.ts';

/** The processors that live tenants may choose, by the `type` of a gateway. */
const PROCESSORS: readonly Processor[] = [authorizeNet, nmi];

/** No question of a live gateway is open longer: the slowest asks three times before it gives up. */
const LIVE_ANSWERS_WITHIN_MS = 180_000;

/** A gateway of a live tenant with its credentials, as its processor is opened by. The same object for as long as nothing of it was changed. */
export interface OpenAccount {
  readonly type: string;
  readonly account: GatewayAccount;
}

interface GatewaysOptions {
  readonly sandbox: Connector;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  /** A gateway of a live tenant, removed ones too; null where there is none or it cannot be opened. */
  readonly accountOf: (tenantId: string, gatewayId: string) => Promise<OpenAccount | null>;
  /** Every gateway of a live tenant, removed ones too: those of one merchant where it is named. */
  readonly accountsOf: (tenantId: string, merchantId?: string) => Promise<readonly OpenAccount[]>;
  readonly wire: HttpClient;
  /** Called when the health of a gateway of the tenant changes. */
  readonly healthChanged: (tenantId: string) => void;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** The gateways of an installation. A sandbox tenant only ever reaches the sandbox gateway; a live one never does (decisions 3). */
export interface Gateways {
  /** The connector of one of a tenant's gateways; GATEWAY_UNAVAILABLE for a live tenant without it. */
  of(tenantId: string, gatewayId: string | null): Promise<Connector>;
  /** Every connector that may report on payments of a tenant, or of one of its merchants, but for some gateways; each account once. */
  reporters(tenantId: string, merchantId?: string, without?: ReadonlySet<string>): Promise<readonly Connector[]>;
  isLive(tenantId: string): boolean;
  /** After so many milliseconds no question of the tenant's gateways is open any more. */
  answersWithinMs(tenantId: string): number;
  /** The processors that a tenant of an environment may choose beside the sandbox. */
  processorsFor(environment: 'sandbox' | 'live'): readonly Processor[];
  /** Checks an account at the processor, without side effects. */
  check(type: string, account: GatewayAccount): Promise<AccountCheck>;
  /**
   * Returns true if the gateway does not answer, so that new payments should use another one. A payment that is sent nevertheless fails
   * with `unavailable`.
   */
  isOpen(gatewayId: string): boolean;
  /** Returns this server's circuit state of a gateway; always closed for the sandbox. */
  healthOf(gatewayId: string): GatewayHealth;
  close(): Promise<void>;
}

export function createGateways(options: GatewaysOptions): Gateways {
  const { sandbox, environmentOf, accountOf, accountsOf, wire, healthChanged, report } = options;
  const opened = new WeakMap<OpenAccount, Connector>();
  const health = createHealth({ probe, changed: ({ tenantId }) => healthChanged(tenantId), report });

  /** Only a usable account counts as an answer, because payments to another would be refused. */
  async function probe({ tenantId, gatewayId }: GatewayName): Promise<Probed> {
    const open = await accountOf(tenantId, gatewayId);
    if (open === null) return { kind: 'gone' };
    const checked = await processorOf(open.type).check(open.account, wire);
    return checked.kind === 'ok' ? { kind: 'answers' } : { kind: 'silent', reason: checked.reason, isRefused: checked.kind === 'refused' };
  }

  function connectorOf(open: OpenAccount): Connector {
    const known = opened.get(open);
    if (known) return known;
    const { tenantId, gatewayId } = open.account;
    const connector = health.guard({ tenantId, gatewayId }, processorOf(open.type).open(open.account, wire));
    opened.set(open, connector);
    return connector;
  }

  return {
    async of(tenantId, gatewayId) {
      if (environmentOf(tenantId) === 'sandbox') return sandbox;
      const open = gatewayId === null ? null : await accountOf(tenantId, gatewayId);
      if (open === null) throw new ServiceError('GATEWAY_UNAVAILABLE', 'The gateway is not set up. Nothing was charged.');
      return connectorOf(open);
    },
    async reporters(tenantId, merchantId, without) {
      if (environmentOf(tenantId) === 'sandbox') return [sandbox];
      const accounts = (await accountsOf(tenantId, merchantId)).filter(({ account }) => !without?.has(account.gatewayId));
      return [...new Map(accounts.map((open) => [accountName(open), open])).values()].map(connectorOf);
    },
    isLive: (tenantId) => environmentOf(tenantId) === 'live',
    answersWithinMs: (tenantId) => (environmentOf(tenantId) === 'sandbox' ? sandbox.capabilities.answersWithinMs : LIVE_ANSWERS_WITHIN_MS),
    processorsFor: (environment) => (environment === 'live' ? PROCESSORS : []),
    async check(type, account) {
      const checked = await processorOf(type).check(account, wire);
      if (checked.kind === 'ok') health.answered(account.gatewayId);
      return checked;
    },
    isOpen: health.isOpen,
    healthOf: health.standingOf,
    async close() {
      health.stop();
      await wire.close();
    },
  };
}

function processorOf(type: string): Processor {
  const processor = PROCESSORS.find((one) => one.type === type);
  if (!processor) throw new ServiceError('GATEWAY_UNAVAILABLE', `There is no connector for ${type}. Nothing was charged.`);
  return processor;
}

/** The same for gateways that stand for one account at the processor: its report would come twice. */
function accountName({ type, account: { mode, origin, credentials } }: OpenAccount): string {
  return JSON.stringify([type, mode, origin ?? null, Object.entries(credentials).sort()]);
}
