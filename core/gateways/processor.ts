import type { Currency } from '#core/kernel';
import type { Connector } from './connector.ts';
import type { Wire } from './wire.ts';

/** A merchant's account at a live processor, as its connector needs it. */
export interface GatewayAccount {
  readonly tenantId: string;
  readonly gatewayId: string;
  /** By the names of the processor's credential fields. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Which of the processor's two worlds the credentials belong to. */
  readonly mode: 'test' | 'live';
  /** In place of the processor's own address: a reseller's host, or a local peer. Origin only, as https://secure.example.com. */
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
  /** Where it is found at the processor, in a sentence. */
  readonly hint: string;
}

/** What the processor says of an account, asked without side effect. */
export type AccountCheck =
  | {
      readonly kind: 'ok';
      /** The name that the processor knows the merchant by. */
      readonly merchantName?: string;
      readonly currencies?: readonly string[];
      readonly timezone?: string;
      readonly takesBankAccounts?: boolean;
    }
  /** The processor refused, or the account cannot be used for what it is meant to; in words for the person who set it up. */
  | { readonly kind: 'refused'; readonly reason: string; readonly field?: string }
  /** No answer: nothing is known about the credentials. */
  | { readonly kind: 'unreachable'; readonly reason: string };

/** A processor that live tenants may choose. Adding one is this, its mapping, and passing the conformance kit (docs/connectors.md). */
export interface Processor {
  /** What a gateway's `type` says, as `authorizenet`. */
  readonly type: string;
  readonly label: string;
  readonly credentials: readonly CredentialField[];
  /** Whether it is sold under other names, so that the host is part of the set-up. */
  readonly hasOwnHosts: boolean;
  /** Where the other settings are found at the processor, each in a sentence. */
  readonly hints?: { readonly cutoffTime?: string };
  /** The connector of one account. Credentials never leave it: not in an outcome, an error or a log. */
  open(account: GatewayAccount, wire: Wire): Connector;
  check(account: GatewayAccount, wire: Wire): Promise<AccountCheck>;
}
