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

/** The card or bank account that a payment is charged to. */
export type Source = CardSource | BankSource;
