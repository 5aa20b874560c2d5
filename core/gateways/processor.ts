import type { Currency } from '#core/kernel';
import type { Connector } from './connector.ts';
import type { HttpClient } from './http-client.ts';

/** A merchant's account at a live processor, as its connector needs it. */
export interface GatewayAccount {
  readonly tenantId: string;
  readonly gatewayId: string;
  /** Values by the names of the processor's credential fields. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Which of the processor's two worlds the credentials belong to. */
  readonly mode: 'test' | 'live';
  /**
   * Replaces the address of the processor: the host of a reseller, or a local simulator. Origin only, such as https://secure.example.com.
   */
  readonly origin?: string;
  readonly currency: Currency;
  /** IANA name; the account's days and cut-off are in it. */
  readonly timezone: string;
}

/** One thing that is entered to set an account up. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  /** Shown never again, and masked while it is typed. */
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  readonly lengthMax: number;
  /** Says in one sentence where to find the value at the processor. */
  readonly hint: string;
}

/** Result of checking an account at the processor, without side effects. */
export type AccountCheck =
  | {
      readonly kind: 'ok';
      /** The name that the processor knows the merchant by. */
      readonly merchantName?: string;
      readonly currencies?: readonly string[];
      readonly timezone?: string;
      readonly takesBankAccounts?: boolean;
    }
  /** The processor refused, or the account does not support the intended use. The text is for the person who set it up. */
  | { readonly kind: 'refused'; readonly reason: string; readonly field?: string }
  /** No answer: nothing is known about the credentials. */
  | { readonly kind: 'unreachable'; readonly reason: string };

/** A processor that live tenants may choose. Adding one is this, its mapping, and passing the conformance kit (docs/connectors.md). */
export interface Processor {
  /** Value of a gateway's `type`, such as `authorizenet`. */
  readonly type: string;
  readonly label: string;
  readonly credentials: readonly CredentialField[];
  /** True if resellers offer the processor under other host names, so that the host is part of the setup. */
  readonly hasOwnHosts: boolean;
  /** Says where to find the other settings at the processor, one sentence each. */
  readonly hints?: { readonly cutoffTime?: string };
  /** The connector of one account. Credentials never leave it: not in an outcome, an error or a log. */
  open(account: GatewayAccount, wire: HttpClient): Connector;
  check(account: GatewayAccount, wire: HttpClient): Promise<AccountCheck>;
}
