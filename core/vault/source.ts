/** A card as a connector needs it for one call. */
export interface CardSource {
  readonly kind: 'card';
  readonly number: string;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly brand: string;
  /** For this one call; never stored. */
  readonly cvv?: string;
}

/** A bank account as a connector needs it for one call. */
export interface BankSource {
  readonly kind: 'ach';
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly accountType: string;
  readonly accountHolderName: string;
}

/** The card or bank account that a payment is charged to. */
export type Source = CardSource | BankSource;
