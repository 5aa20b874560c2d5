import type { AccountHolder } from '#shared/channels';

/** A card, for one call of a connector. */
export interface CardSource {
  readonly kind: 'card';
  readonly number: string;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly brand: string;
  /** Security code, for this call only; never stored. */
  readonly cvv?: string;
}

/** A bank account, for one call of a connector. */
export interface BankSource {
  readonly kind: 'ach';
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly accountType: string;
  readonly accountHolderName: string;
  readonly holder: AccountHolder;
}

/** A card that a card reader read, and that one gateway stores under a reference. Paydesk never had its number, so no other gateway can charge it. */
export interface CardAtGateway {
  readonly kind: 'card-at-gateway';
  readonly gatewayId: string;
  readonly reference: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
}

/** The card or bank account that a payment is charged to. */
export type Source = CardSource | BankSource | CardAtGateway;

/** Returns the last four digits of a card or account. */
export function last4Of(source: Source): string {
  if (source.kind === 'card-at-gateway') return source.last4;
  return (source.kind === 'card' ? source.number : source.accountNumber).slice(-4);
}

/** Returns the number by which processors and imports know a card or account; undefined if only a gateway has it. */
export function numberOf(source: Source): string | undefined {
  if (source.kind === 'card-at-gateway') return undefined;
  return source.kind === 'card' ? source.number : source.accountNumber;
}
