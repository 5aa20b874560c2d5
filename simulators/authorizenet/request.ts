/** The part of a request that describes a transaction; the schema has been checked. */
export interface TransactionRequest {
  readonly transactionType: string;
  readonly amount?: string;
  readonly currencyCode?: string;
  readonly payment?: {
    readonly creditCard?: { readonly cardNumber: string; readonly expirationDate: string; readonly cardCode?: string };
    readonly bankAccount?: {
      readonly routingNumber: string;
      readonly accountNumber: string;
      readonly nameOnAccount: string;
      readonly accountType?: string;
      readonly echeckType?: string;
    };
  };
  readonly refTransId?: string;
  readonly order?: { readonly invoiceNumber?: string; readonly description?: string };
  readonly lineItems?: { readonly lineItem: readonly Line[] };
  readonly tax?: { readonly amount: string };
  readonly surcharge?: { readonly amount: string };
  readonly tip?: { readonly amount: string };
  readonly retail?: { readonly marketType: string; readonly deviceType: string };
  readonly processingOptions?: Readonly<Record<string, string>>;
  readonly poNumber?: string;
  readonly customer?: { readonly id?: string };
  readonly billTo?: Readonly<Record<string, string>>;
  readonly transactionSettings?: { readonly setting: readonly { readonly settingName: string; readonly settingValue: string }[] };
}

export interface Line {
  readonly name: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly totalAmount?: string;
  readonly discountAmount?: string;
}
