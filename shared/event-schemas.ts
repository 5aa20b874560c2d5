/** JSON Schema of a value, with the TypeScript type of the value. */
export interface Schema<Value> {
  readonly [keyword: string]: unknown;
  /** Carries the type; undefined at run time. */
  readonly value?: Value;
}

export type Fields = Readonly<Record<string, Schema<unknown>>>;
export type ValueOf<ValueSchema extends Schema<unknown>> = ValueSchema extends Schema<infer Value> ? Value : never;
export type ValuesOf<Schemas extends Fields> = { readonly [Name in keyof Schemas]: ValueOf<Schemas[Name]> };

export const text = (description: string): Schema<string> => ({ type: 'string', description });
export const amount = (meaning: string): Schema<number> => ({ type: 'number', description: `${meaning}, in major units` });
export const count = (description: string): Schema<number> => ({ type: 'integer', description });
export const flag = (description: string): Schema<boolean> => ({ type: 'boolean', description });
export const time = (description: string): Schema<string> => ({ type: 'string', format: 'date-time', description });
export const day = (description: string): Schema<string> => ({ type: 'string', format: 'date', description });
export const record = (description: string): Schema<Readonly<Record<string, unknown>>> => ({ type: 'object', description });
export const orNull = <Value>(schema: Schema<Value>): Schema<Value | null> => ({ anyOf: [schema, { type: 'null' }] });
export const list = <Value>(items: Schema<Value>, description: string): Schema<readonly Value[]> => ({ type: 'array', items, description });
/** Returns a schema with a description. */
export const described = <Value>(description: string, schema: Schema<Value>): Schema<Value> => ({ ...schema, description });

/** Returns a schema under a name of its own, which several events share. */
export const titled = <Value>(title: string, schema: Schema<Value>): Schema<Value> => ({ ...schema, title });

export function object<Required extends Fields>(required: Required): Schema<ValuesOf<Required>>;
export function object<Required extends Fields, Optional extends Fields>(
  required: Required,
  optional: Optional,
): Schema<ValuesOf<Required> & Partial<ValuesOf<Optional>>>;
export function object(required: Fields, optional: Fields = {}): Schema<unknown> {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

/** Fields of many events. */
const FIELDS = {
  transactionId: text('ID of the transaction'),
  customerId: text('ID of the customer'),
  invoiceId: text('ID of the invoice'),
  terminalId: text('ID of the card reader'),
  shiftId: text('ID of the shift'),
  paymentMethodId: text('ID of the stored payment method'),
  amount: amount('Amount'),
  tipAmount: amount('Tip within the amount'),
  surchargeAmount: amount('Surcharge within the amount'),
  taxAmount: amount('Sales tax within the amount'),
  discountAmount: amount('Discount'),
  currency: text('ISO 4217 code of the currency'),
  status: text('Status'),
  state: text('State'),
  type: text('Type'),
  kind: text('Kind'),
  name: text('Name'),
  reason: text('Reason'),
  channel: text('Channel by which the payment reached the merchant'),
  declineCode: text('Decline code'),
  declineReason: text('Explanation of the decline'),
  email: text('Email address'),
  brand: text('Brand of the card'),
  last4: text('Last four digits'),
  dueDate: day('Day on which the payment is due'),
  approvedBy: text('Person who approved the operation as the second one; null if none was needed'),
  discountApprovedBy: text('Person who approved the discount as the second one; null if none was needed'),
  canceledBy: text('Person or program that canceled it'),
  cancelledAt: time('Time of the cancellation'),
  amountDue: amount('Amount that is still due'),
  amountPaid: amount('Amount paid so far'),
  attempt: count('Number of the attempt, from 1'),
  returned: flag('true if the bank returned a payment that it had approved'),
  installmentAmount: amount('Amount of the installment'),
} as const;

/** Returns some of the fields of many events. */
export const common = <const Names extends readonly (keyof typeof FIELDS)[]>(...names: Names) =>
  Object.fromEntries(names.map((name) => [name, FIELDS[name]])) as unknown as Pick<typeof FIELDS, Names[number]>;

/** Returns some of the fields of many events, which may be null. */
export const commonOrNull = <const Names extends readonly (keyof typeof FIELDS)[]>(...names: Names) =>
  Object.fromEntries(names.map((name) => [name, orNull(FIELDS[name] as Schema<unknown>)])) as unknown as {
    readonly [Name in Names[number]]: Schema<ValueOf<(typeof FIELDS)[Name]> | null>;
  };

export const payer = described('Customer of the payment, the subscription or the invoice', object(commonOrNull('email')));
export const customer = orNull(payer);

/** Groups of event types on the screen. */
export type EventGroup =
  | 'Transactions'
  | 'Refunds'
  | 'Failed refunds'
  | 'Chargebacks'
  | 'Payment methods'
  | 'Subscriptions'
  | 'Invoices'
  | 'Register'
  | 'Orders'
  | 'Gift cards'
  | 'Customers'
  | 'Approvals'
  | 'Charge later'
  | 'Installments'
  | 'Card readers'
  | 'Connection'
  | 'Sign-ins'
  | 'Changes of access';

/** Declaration of an event type: its group on the screen, the schema of its `data`, and sample data for test deliveries. */
export interface Declaration<Data> {
  readonly group: EventGroup;
  readonly data: Schema<Data>;
  readonly sample: (at: string) => Data;
}

export const event = <Data>(group: EventGroup, data: Schema<Data>, sample: (at: string) => NoInfer<Data>): Declaration<Data> => ({
  group,
  data,
  sample,
});

export const TRANSACTION_ID = 'txn_00000000000000000000000000';
export const SAMPLE_AMOUNT = 49.99;
export const CUSTOMER = { email: 'customer@example.com' };
export const DECLINED = { declineCode: 'insufficient_funds', declineReason: 'Insufficient funds' };
export const dayOf = (at: string) => at.slice(0, 10);
