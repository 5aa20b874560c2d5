/** Messages for mistakes by field. */
interface FieldWords {
  readonly missing: string;
  readonly wrong: string;
}

/** Texts of the payer pages besides those of the merchant. */
export interface Words {
  readonly sandbox: string;
  readonly asks: (merchant: string) => string;
  readonly invoice: (number: string) => string;
  readonly payment: string;
  readonly billTo: string;
  readonly amountDue: string;
  readonly due: (day: string) => string;
  readonly overdue: (day: string) => string;
  readonly total: string;
  readonly paidSoFar: string;
  readonly stillDue: string;
  readonly items: string;
  readonly item: string;
  readonly amount: string;
  readonly pdf: string;
  readonly payWith: string;
  readonly card: string;
  readonly bank: string;
  readonly onlyOne: string;
  readonly amountToPay: string;
  readonly amountHint: (most: string) => string;
  readonly name: string;
  readonly nameCard: string;
  readonly nameBank: string;
  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly cvv: string;
  readonly cvvHint: string;
  readonly zip: string;
  readonly routing: string;
  readonly routingHint: string;
  readonly account: string;
  readonly accountType: string;
  readonly checking: string;
  readonly savings: string;
  readonly email: string;
  readonly emailHint: string;
  readonly pay: (amount: string) => string;
  readonly payWithout: string;
  readonly paying: string;
  readonly mandate: (merchant: string) => string;
  readonly contact: string;
  readonly errors: {
    readonly title: string;
    readonly titlePrefix: string;
    readonly again: string;
    readonly amount: FieldWords & { readonly tooMuch: (most: string) => string };
    readonly name: FieldWords;
    readonly number: FieldWords;
    readonly expiry: FieldWords & { readonly over: string };
    readonly cvv: FieldWords;
    readonly zip: FieldWords;
    readonly routing: FieldWords;
    readonly account: FieldWords;
    readonly email: FieldWords;
    /** The form came without the sign by which a second press is known. */
    readonly stale: string;
    readonly refused: string;
    readonly changed: string;
    readonly unavailable: string;
    readonly repeated: string;
    readonly tooManyTries: (minutes: number) => string;
  };
  readonly declined: {
    readonly title: string;
    readonly card: string;
    readonly funds: string;
    readonly expired: string;
    readonly details: string;
    readonly bank: string;
    readonly failed: string;
  };
  readonly paid: {
    readonly title: string;
    readonly thanks: (amount: string, merchant: string) => string;
    readonly rest: (amount: string) => string;
    readonly payRest: string;
    readonly receipt: string;
    readonly mailed: (email: string) => string;
    readonly amount: string;
    readonly when: string;
    readonly with: string;
    readonly reference: string;
    readonly ending: (brand: string, last4: string) => string;
    readonly bankEnding: (last4: string) => string;
    readonly already: string;
    readonly alreadyWords: string;
    readonly bankNote: string;
  };
  readonly pending: { readonly title: string; readonly words: string; readonly meanwhile: string };
  readonly busy: { readonly title: string; readonly words: string };
  readonly voided: { readonly title: string; readonly words: string };
  readonly states: Readonly<Record<'cancelled' | 'expired' | 'closed', { readonly title: string; readonly words: string }>>;
  readonly plain: Readonly<
    Record<
      | 'unknown'
      | 'unknownShort'
      | 'expiredShort'
      | 'noReceipt'
      | 'tooMany'
      | 'notReady'
      | 'tooLarge'
      | 'unreadable'
      | 'wrongAddress'
      | 'broken',
      { readonly title: string; readonly words: string }
    >
  >;
}
