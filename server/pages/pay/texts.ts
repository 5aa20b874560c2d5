import type { ShippingField } from './shipping.ts';

/** Messages for an empty and for an invalid field. */
interface FieldTexts {
  readonly missing: string;
  readonly wrong: string;
}

/** Texts of the payment pages, besides those of the merchant. */
export interface Texts {
  readonly sandbox: string;
  readonly requestedBy: (merchant: string) => string;
  readonly invoice: (number: string) => string;
  readonly payment: string;
  readonly billTo: string;
  readonly amountDue: string;
  readonly due: (day: string) => string;
  readonly overdue: (day: string) => string;
  readonly purchaseOrder: string;
  readonly taxIncluded: string;
  readonly total: string;
  readonly paidSoFar: string;
  readonly stillDue: string;
  readonly installments: {
    readonly title: string;
    readonly date: string;
    readonly amount: string;
    readonly states: Readonly<Record<'paid' | 'next' | 'open', string>>;
    readonly automatic: (last4: string) => string;
    readonly stopped: string;
    readonly payRest: (amount: string) => string;
  };
  readonly itemsCaption: string;
  readonly details: string;
  readonly item: string;
  readonly amount: string;
  readonly pdf: string;
  readonly payWith: string;
  readonly card: string;
  readonly bank: string;
  readonly fillOnlyChosen: string;
  readonly amountToPay: string;
  readonly amountHint: (max: string) => string;
  readonly name: string;
  readonly nameCard: string;
  readonly nameBank: string;
  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly cvv: string;
  readonly cvvHint: string;
  readonly zip: string;
  readonly shipping: Readonly<Record<'title' | ShippingField, string>>;
  readonly routing: string;
  readonly routingHint: string;
  readonly account: string;
  readonly accountType: string;
  readonly accountHolder: string;
  readonly person: string;
  readonly company: string;
  readonly checking: string;
  readonly savings: string;
  readonly email: string;
  readonly emailHint: string;
  readonly pay: (amount: string) => string;
  readonly payWithoutAmount: string;
  readonly tip: {
    readonly title: string;
    readonly none: string;
    readonly custom: string;
    readonly amount: string;
    /** Label of the tip in a payment. */
    readonly label: string;
  };
  readonly surcharge: {
    readonly label: string;
    readonly mayApply: (percent: number) => string;
    readonly line: (surcharge: string, percent: number, total: string) => string;
    /** Asks the payer to accept a surcharge that the page did not show. */
    readonly notShown: (line: string) => string;
  };
  readonly paying: string;
  readonly mandate: (merchant: string) => string;
  readonly contact: string;
  readonly errors: {
    readonly title: string;
    readonly titlePrefix: string;
    readonly retype: string;
    readonly amount: FieldTexts & { readonly tooMuch: (max: string) => string };
    readonly tipAmount: FieldTexts;
    readonly name: FieldTexts;
    readonly number: FieldTexts;
    readonly expiry: FieldTexts & { readonly expired: string };
    readonly cvv: FieldTexts;
    readonly zip: FieldTexts;
    readonly shippingStreet: FieldTexts;
    readonly shippingCity: FieldTexts;
    readonly shippingState: FieldTexts;
    readonly shippingZip: FieldTexts;
    readonly shippingCountry: FieldTexts;
    readonly routing: FieldTexts;
    readonly account: FieldTexts;
    readonly email: FieldTexts;
    /** The form has no key that identifies a second submission. */
    readonly stale: string;
    readonly refused: string;
    readonly changed: string;
    readonly unavailable: string;
    readonly repeated: string;
    readonly tooManyAttempts: (minutes: number) => string;
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
    readonly remaining: (amount: string) => string;
    readonly payRemaining: string;
    readonly receipt: string;
    readonly receiptSent: (email: string) => string;
    readonly amount: string;
    readonly date: string;
    readonly paidWith: string;
    readonly reference: string;
    readonly cardEnding: (brand: string, last4: string) => string;
    readonly bankEnding: (last4: string) => string;
    readonly alreadyPaid: string;
    readonly nothingDue: string;
    readonly bankDelay: string;
  };
  readonly pending: { readonly title: string; readonly text: string; readonly reloadNote: string };
  readonly busy: { readonly title: string; readonly text: string };
  readonly voided: { readonly title: string; readonly text: string };
  readonly states: Readonly<Record<'cancelled' | 'expired' | 'closed', { readonly title: string; readonly text: string }>>;
  readonly messages: Readonly<
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
      { readonly title: string; readonly text: string }
    >
  >;
}
