import type { Currency } from '#core/kernel';
import type { ChannelFacts, Market } from './channels.ts';
import type { Connector } from './connector.ts';
import type { HttpClient } from './http-client.ts';
import type { ReaderDialogs } from './reader-dialogs.ts';

/** A merchant's account at a live processor. */
export interface GatewayAccount {
  readonly tenantId: string;
  readonly gatewayId: string;
  /** Values by the names of the processor's credential fields. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Environment of the processor to which the credentials belong. */
  readonly mode: 'test' | 'live';
  /**
   * Replaces the address of the processor: the host of a reseller, or a local simulator. Origin only, such as https://secure.example.com.
   */
  readonly origin?: string;
  readonly currency: Currency;
  /** IANA time zone of the account's days and cutoff. */
  readonly timezone: string;
  /** Markets of the account at the last check; null or absent if they are unknown. */
  readonly markets?: readonly Market[] | null;
}

/** A field that is entered to set up an account. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  /** True if it is masked while typing and never shown again. */
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** True for a text of several lines, whose line ends become spaces. */
  readonly isMultiline?: boolean;
  /** True if another value may belong to the same account, as a new version of its key does. */
  readonly isReplaceable?: boolean;
  /** True if it selects a part of the account, whose reports cover all parts. */
  readonly selectsPart?: boolean;
  readonly lengthMax: number;
  /** Says in one sentence where to find the value at the processor. */
  readonly hint: string;
}

/** Result of checking an account at the processor, without side effects. */
export type AccountCheck =
  | {
      readonly kind: 'ok';
      /** Name of the merchant at the processor. */
      readonly merchantName?: string;
      readonly currencies?: readonly string[];
      readonly timezone?: string;
      readonly takesBankAccounts?: boolean;
      /** Markets that the account is set up for; absent if the processor does not tell. */
      readonly markets?: readonly Market[] | null;
    }
  /** The processor refused, or the account does not support the intended use. The text is for the person who set it up. */
  | { readonly kind: 'refused'; readonly reason: string; readonly field?: string }
  /** No response, so nothing is known about the credentials. */
  | { readonly kind: 'unreachable'; readonly reason: string };

/** A processor that live tenants may choose. A new processor needs this, its mapping, and must pass the conformance kit (docs/connectors.md). */
export interface Processor {
  /** Value of a gateway's `type`, such as `authorizenet`. */
  readonly type: string;
  readonly label: string;
  readonly credentials: readonly CredentialField[];
  /** True if resellers offer the processor under other host names, so that the host is part of the setup. */
  readonly hasOwnHosts: boolean;
  /** Way to pair a card reader: by the code that it shows, or by its address in the local network; absent without readers. */
  readonly pairsReadersBy?: 'code' | 'address';
  /** True if its accounts take payments on card readers only. */
  readonly isForReadersOnly?: boolean;
  /** Says where to find the other settings at the processor, one sentence each. */
  readonly hints?: { readonly cutoffTime?: string };
  /** Returns the connector of an account. Outcomes, errors and logs never contain its credentials. */
  open(account: GatewayAccount, httpClient: HttpClient, dialogs?: ReaderDialogs): Connector;
  /** Returns the reason why an account of these markets cannot take a payment of a channel; null if it can. */
  channelObstacle?(facts: ChannelFacts, markets: readonly Market[] | null): string | null;
  check(account: GatewayAccount, httpClient: HttpClient): Promise<AccountCheck>;
}
