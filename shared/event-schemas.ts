/** JSON Schema of a value, with the TypeScript type of the value. */
export interface Schema<Value> {
  readonly [keyword: string]: unknown;
  /** Carries the type; undefined at run time. */
  readonly value?: Value;
}

export type Fields = Readonly<Record<string, Schema<unknown>>>;
export type ValueOf<ValueSchema extends Schema<unknown>> = ValueSchema extends Schema<infer Value> ? Value : never;
export type ValuesOf<Schemas extends Fields> = { readonly [Name in keyof Schemas]: ValueOf<Schemas[Name]> };

export const text: Schema<string> = { type: 'string' };
export const amount: Schema<number> = { type: 'number', description: 'in major units' };
export const count: Schema<number> = { type: 'integer' };
export const flag: Schema<boolean> = { type: 'boolean' };
export const time: Schema<string> = { type: 'string', format: 'date-time' };
export const day: Schema<string> = { type: 'string', format: 'date' };
export const record: Schema<Readonly<Record<string, unknown>>> = { type: 'object' };
export const orNull = <Value>(schema: Schema<Value>): Schema<Value | null> => ({ anyOf: [schema, { type: 'null' }] });
export const list = <Value>(items: Schema<Value>): Schema<readonly Value[]> => ({ type: 'array', items });

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
