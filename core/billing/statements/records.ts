import { amount, count, currencyCode, day, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';

const STATEMENT_KINDS = [
  'invoice',
  'late_fee',
  'late_fee_reversed',
  'cancellation',
  'sale',
  'payment',
  'void',
  'return',
  'refund',
  'store_credit',
  'credit',
] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** One entry of a customer's account. */
const StatementEntry = record('StatementEntry', {
  entryId: text('ID of the invoice or of the movement of money', 'att_01m7y495cj0020acfq3xv5ygj8'),
  at: time('Time'),
  date: day("Day in the merchant's time zone"),
  kind: literals(
    STATEMENT_KINDS,
    '`sale`: a payment without an invoice; `return`: the bank took a payment back; `store_credit`: a refund to a gift card or store credit, which moves no money; `credit`: an unlinked credit',
    'payment',
  ),
  currency: currencyCode(),
  charge: amount('Amount that the customer owes in addition', 0),
  credit: amount('Amount that the customer owes less', 49.99),
  balance: amount('Balance in this currency after the entry; negative if the merchant owes it', 0),
  money: amount('Money that moved, as in the ledger; negative if the customer got it, 0 for invoices', 49.99),
  invoiceId: nullable(id('inv', 'ID of the invoice')),
  invoiceNumber: nullable(text('Number of the invoice', 'INV-000042')),
  dueDate: nullable(day('Due date of an invoice', null)),
  transactionId: nullable(id('txn', 'ID of the transaction')),
  tenderId: nullable(text('ID of a payment without a processor', null)),
  method: nullable(text('Kind of the payment', 'card')),
  last4: nullable(text('Last four digits of the card or account', '1111')),
  reference: nullable(text('Reference, such as the number of a check', null)),
});
export type StatementEntry = RecordOf<typeof StatementEntry>;

const StatementAccount = record('StatementAccount', {
  currency: currencyCode(),
  openingBalance: amount('Balance at the beginning of the first day', 0),
  charges: amount('Sum of the charges', 49.99),
  credits: amount('Sum of the credits', 49.99),
  received: amount('Money received from the customer', 49.99),
  paidOut: amount('Money returned to the customer', 0),
  closingBalance: amount('Balance at the end of the last day; opening balance plus charges less credits', 0),
});
export type StatementAccount = RecordOf<typeof StatementAccount>;

/** Statement of the account of a customer. */
export const CustomerStatement = record('CustomerStatement', {
  customerId: id('cus', 'ID of the customer'),
  customerName: nullable(text('Name of the customer', 'Ines Brandt')),
  merchantId: id('mer', 'ID of the merchant'),
  startDate: day('First day'),
  endDate: day('Last day'),
  accounts: list(StatementAccount, 'Balances and sums of the whole period by currency'),
  total: count('Number of entries of the period', 1),
  entries: list(StatementEntry, 'Entries of the page, oldest first'),
});
export type CustomerStatement = RecordOf<typeof CustomerStatement>;
