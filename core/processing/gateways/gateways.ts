import { type ProcessExchange, ServiceError } from '#core/kernel';
import type { Channel } from '#shared/channels';
import { authorizeNet } from './authorizenet/index.ts';
import type { ChannelFacts, Market } from './channels.ts';
import type { Connector } from './connector.ts';
import { createHealth, type GatewayKey, type ProbeResult } from './health.ts';
import type { HttpClient } from './http-client.ts';
import { nexo } from './nexo/index.ts';
import { nmi } from './nmi/index.ts';
import type { AccountCheck, GatewayAccount, Processor } from './processor.ts';
import { ReaderDialogs } from './reader-dialogs.ts';
import type { GatewayHealth } from './records.ts';

/** The processors that live tenants may choose, by the `type` of a gateway. */
export const PROCESSORS: readonly Processor[] = [authorizeNet, nmi, nexo];

/** Longest time of a request to a live gateway. The slowest connector sends up to three requests one after another. */
const LIVE_ANSWERS_WITHIN_MS = 180_000;

/** A gateway of a live tenant with its credentials. The object stays the same until the gateway is changed, so that its connector can be cached. */
export interface OpenAccount {
  readonly type: string;
  readonly account: GatewayAccount;
}

interface GatewaysOptions {
  readonly sandbox: Connector;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  /** Returns a gateway of a live tenant, also a removed one; null if there is none or its credentials cannot be decrypted. */
  readonly accountOf: (tenantId: string, gatewayId: string) => Promise<OpenAccount | null>;
  /** Returns every gateway of a live tenant or of one merchant, including removed ones. */
  readonly accountsOf: (tenantId: string, merchantId?: string) => Promise<readonly OpenAccount[]>;
  readonly httpClient: HttpClient;
  readonly processes: ProcessExchange;
  /** Called when the health of a gateway of the tenant changes. */
  readonly healthChanged: (tenantId: string) => void;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** The gateways of an installation. A sandbox tenant only ever reaches the sandbox gateway; a live one never does. */
export interface Gateways {
  /** Takes over the circuit states of the other processes of the server. */
  start(): Promise<void>;
  /** Returns the connector of a tenant's gateway. @throws ServiceError GATEWAY_UNAVAILABLE if a live tenant does not have it. */
  connectorFor(tenantId: string, gatewayId: string | null): Promise<Connector>;
  /** Returns the connectors that may report payments of a tenant or merchant, one per account, without the excluded gateways. */
  reporters(tenantId: string, merchantId?: string, excluded?: ReadonlySet<string>): Promise<readonly Connector[]>;
  isLive(tenantId: string): boolean;
  /** Returns the longest time of a request to the tenant's gateways, in milliseconds. */
  answersWithinMs(tenantId: string): number;
  /** Returns the processors that a tenant of an environment may choose, without the sandbox. */
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
  const { sandbox, environmentOf, accountOf, accountsOf, httpClient: wire, healthChanged, report } = options;
  const connectors = new WeakMap<OpenAccount, Connector>();
  const dialogs = new ReaderDialogs(options.processes);
  const health = createHealth({ processes: options.processes, probe, changed: ({ tenantId }) => healthChanged(tenantId), report });

  /** Only a usable account counts as an answer, because payments through another one would be refused. */
  async function probe({ tenantId, gatewayId }: GatewayKey): Promise<ProbeResult> {
    const openAccount = await accountOf(tenantId, gatewayId);
    if (openAccount === null) return { kind: 'gone' };
    const checked = await processorOf(openAccount.type).check(openAccount.account, wire);
    return checked.kind === 'ok' ? { kind: 'answers' } : { kind: 'silent', reason: checked.reason, isRefused: checked.kind === 'refused' };
  }

  function connectorOf(openAccount: OpenAccount): Connector {
    const cached = connectors.get(openAccount);
    if (cached) return cached;
    const { tenantId, gatewayId } = openAccount.account;
    const connector = health.guard({ tenantId, gatewayId }, processorOf(openAccount.type).open(openAccount.account, wire, dialogs));
    connectors.set(openAccount, connector);
    return connector;
  }

  return {
    start: health.start,
    async connectorFor(tenantId, gatewayId) {
      if (environmentOf(tenantId) === 'sandbox') return sandbox;
      const openAccount = gatewayId === null ? null : await accountOf(tenantId, gatewayId);
      if (openAccount === null) throw new ServiceError('GATEWAY_UNAVAILABLE', 'The gateway is not set up. Nothing was charged.');
      return connectorOf(openAccount);
    },
    async reporters(tenantId, merchantId, excluded) {
      if (environmentOf(tenantId) === 'sandbox') return [sandbox];
      const accounts = (await accountsOf(tenantId, merchantId)).filter(({ account }) => !excluded?.has(account.gatewayId));
      return [...new Map(accounts.map((openAccount) => [accountKey(openAccount), openAccount])).values()].map(connectorOf);
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
    healthOf: health.healthOf,
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

/**
 * Returns the reason why a gateway does not take a payment of a channel; null if it does. `channels` are those that the gateway is limited to; null means all
 * that its account takes.
 */
export function channelObstacle(
  type: string,
  facts: ChannelFacts,
  { channels, markets }: { readonly channels: readonly Channel[] | null; readonly markets: readonly Market[] | null },
): string | null {
  if (channels !== null && !channels.includes(facts.channel))
    return `The gateway does not take payments with the channel \`${facts.channel}\`.`;
  const processor = PROCESSORS.find((each) => each.type === type);
  if (processor?.isForReadersOnly && !facts.isOnReader) return 'The gateway takes payments on its card readers only.';
  return processor?.channelObstacle?.(facts, markets) ?? null;
}

/** Returns a key that is equal for gateways with the same account at the processor, so that its report is read only once. */
function accountKey({ type, account: { mode, origin, credentials } }: OpenAccount): string {
  const names = processorOf(type)
    .credentials.filter(({ selectsPart }) => !selectsPart)
    .map(({ name }) => name);
  return JSON.stringify([type, mode, origin ?? null, names.map((name) => credentials[name] ?? null)]);
}
