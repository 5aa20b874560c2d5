import { Type } from 'typebox';
import {
  amount,
  count,
  currencyCode,
  day,
  described,
  flag,
  group,
  id,
  list,
  literals,
  nullable,
  one,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { DATE_FORMATS } from '#shared/file-cells';
import { FORMATS } from '#shared/statement-formats';
import { PART_KINDS, RULE_KINDS } from './schema.ts';

/**
 * Names of the figures. `sales`: captures less refunds, by settlement date. `disputes`, `fees`: deducted in settlements. `payouts`: paid out. `bank`: movements of
 * the bank account.
 */
export const FIGURES = ['sales', 'disputes', 'fees', 'payouts', 'bank'] as const;
export type FigureName = (typeof FIGURES)[number];
export const SIDES = ['ledger', 'processor', 'bank'] as const;
export type Side = (typeof SIDES)[number];
/** Ways in which a suggestion is found; for invoices, its evidence. */
const SUGGESTION_REASONS = [
  'reference',
  'amount',
  'sum',
  'fee',
  'rule',
  'invoice_number',
  'invoice_typo',
  'former_payer',
  'customer_name',
  'invoice_amount',
  'deposit',
  'refund',
  'duplicate',
  'amount_differs',
] as const;
export type SuggestionReason = (typeof SUGGESTION_REASONS)[number];

const merchantId = id('mer', 'ID of the merchant');
const bankAccountId = id('bac', 'ID of the bank account');
const lineId = id('bln', 'ID of the bank line');
const createdAt = time('Time of creation');
const createdBy = text('Person or API key that did it', 'admin@demo.example');
const signed = (meaning: string, example: number) => amount(`${meaning}; debits are negative`, example);

export const BankAccount = record('MerchantBankAccount', {
  bankAccountId,
  merchantId,
  name: text('Name on screen', 'Business checking'),
  currency: currencyCode(),
  last4: nullable(text('Last four characters of the account number; null until the number is known', '4321')),
  lastStatementDay: nullable(day('Last day of the newest statement; null before the first one')),
  openLines: count('Number of its lines that are not matched completely', 12),
  matchedLines: count('Number of its lines that are matched', 0),
  createdAt,
});
export type BankAccount = RecordOf<typeof BankAccount>;

const SkippedPart = group('Statements of one account in one currency', {
  reason: literals(['account', 'currency'], 'What differs from the bank account'),
  last4: nullable(text('Last four characters of the account number; null if the statement has none', '9876')),
  currency: nullable(text('ISO 4217 code of the currency', 'EUR')),
  count: count('Number of statements, or of lines of a CSV file', 1),
});
export type SkippedPart = RecordOf<typeof SkippedPart>;

export const BankStatement = record('BankStatement', {
  bankStatementId: id('bst', 'ID of the bank statement'),
  bankAccountId,
  format: literals(FORMATS, 'Format of the file'),
  filename: nullable(text('Name of the imported file', 'statement-november.ofx')),
  startDate: nullable(day('First day of the statement')),
  endDate: nullable(day('Last day of the statement')),
  openingBalance: nullable(signed('Balance before the first line; null if the file has none', 1200)),
  closingBalance: nullable(signed('Balance after the last line; null if the file has none', 2180)),
  currency: currencyCode(),
  lineCount: count('Number of lines in the file', 42),
  added: count('Lines that were not in an earlier statement', 42),
  repeated: flag('True if the same statement was imported before, so that nothing was added', false),
  skipped: list(SkippedPart, 'Statements of other accounts and currencies in the file', []),
  createdAt,
  createdBy,
});
export type BankStatement = RecordOf<typeof BankStatement>;

const cell = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, ...described(description, 'Column A') });
const column = (description: string) => Type.Optional(cell(200, description));
/** Columns of a bank's CSV file, by name, or by number from 1 if `header` is `none`. Either `amount`, or `credit` and `debit`, is given. */
export const CsvMapping = Type.Object(
  {
    date: cell(200, 'the name of a column'),
    amount: column('the name of a column'),
    credit: column('the name of a column'),
    debit: column('the name of a column'),
    direction: column('column that says whether an amount is a debit'),
    debitValues: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
        maxItems: 20,
        description: 'values of `direction` for debits; without them, the usual words are known',
      }),
    ),
    currency: column('column of the currency; rows in other currencies are left out'),
    account: column('column of the account number; rows of other accounts are left out'),
    text: Type.Array(cell(200, 'the name of a column'), { minItems: 1, maxItems: 6, description: 'columns whose texts describe a line' }),
    reference: column('the name of a column'),
    balance: column('column of the balance after each line, with which every line is checked'),
    dateFormat: Type.Optional(literals(DATE_FORMATS, 'by default YYYY-MM-DD, or the only format in which the dates can be read')),
    sign: Type.Optional(literals(['positive', 'negative'], '`negative` if credits are negative in the file')),
    header: Type.Optional(literals(['none'], '`none` if the file has no header; columns are then numbers from 1, as text')),
  },
  { additionalProperties: false, description: 'Columns of the file by field' },
);
export type CsvMapping = RecordOf<typeof CsvMapping>;
export const BankMapping = record('BankMapping', {
  name: text('Name of the mapping', 'First Bank'),
  mapping: CsvMapping,
});
export type BankMapping = RecordOf<typeof BankMapping>;

const NamedPayout = Type.Object({
  payoutId: id('pay', 'ID of the payout'),
  reference: text('Reference in the bank text', 'PAYDESK-7K2M'),
  amount: amount('Amount of the payout', 980),
  paidAt: nullable(time('Time of the payment')),
});
export type NamedPayout = RecordOf<typeof NamedPayout>;

/** An invoice that a line names, pays or could pay. */
const NamedInvoice = record('BankInvoice', {
  invoiceId: id('inv', 'ID of the invoice'),
  number: text('Number of the invoice', 'INV-000042'),
  customerName: nullable(text('Name of the customer', 'Harbor Street')),
  dueDate: nullable(day('Day on which the payment is due')),
  amount: amount('Amount of the invoice', 49.99),
  amountDue: amount('Unpaid amount of the invoice', 49.99),
});
export type NamedInvoice = RecordOf<typeof NamedInvoice>;

const depositFields = {
  kind: literals(['cash', 'check', 'refund'], 'What it is'),
  shiftId: nullable(id('sft', 'Closed shift whose cash it is')),
  tenderId: nullable(text('The check, or the payment in cash without a shift', null)),
  refundId: nullable(text('Refund of a bank transfer', null)),
  label: text('Drawer and Z report of a shift, number of a check, or number of a payment or refund', 'Front, Z 12'),
  day: day('Day of the close, check or refund'),
  amount: amount('Amount', 300),
};
/** The cash of a closed shift or of a payment without a shift, a check, or a refund of a bank transfer, that a line contains or could contain. */
const NamedDeposit = record('BankDeposit', depositFields);
export type NamedDeposit = RecordOf<typeof NamedDeposit>;
/** Cash of a closed shift, a check, or a refund of a bank transfer, that bank lines do not contain as a whole. */
export const OpenBankDeposit = record('OpenBankDeposit', {
  ...depositFields,
  currency: currencyCode(),
  remaining: amount('Part without a bank line', 300),
});
export type OpenBankDeposit = RecordOf<typeof OpenBankDeposit>;

const partFields = {
  kind: literals(PART_KINDS, 'What the part is'),
  payout: nullable(NamedPayout, 'Payout that this part covers; null for another explanation'),
  invoice: nullable(NamedInvoice, 'Invoice that the part pays; null for callers without `invoices:read`', null),
  deposit: nullable(NamedDeposit, 'Cash of a shift, a check, or a refund of a bank transfer, that the part contains', null),
  amount: signed('Amount of the part', 980),
  fee: amount('Fee withheld from the payout; the payout is covered by amount + fee', 0),
};
const LineSuggestion = Type.Object({
  reason: literals(
    SUGGESTION_REASONS,
    'How it was found; for invoices, by the number, a number with a typing error, a former payer, the name of the customer, or the amount alone. `duplicate` and `amount_differs` have no parts: they need a decision',
  ),
  parts: list(Type.Object(partFields), 'Parts of the line, each with its own explanation'),
  payouts: list(NamedPayout, 'Payouts that the line names', []),
  invoices: list(NamedInvoice, 'Invoices that the line names, if another line pays them', []),
  ruleId: nullable(text('Rule that explains the line; null without one', null)),
  ruleText: nullable(
    text('Text of this rule, such as that of a payer; null without one, or if it was removed since', 'ACME PROCESSING FEE'),
  ),
  otherLineId: nullable(text('The line that has the payout, for a duplicate', null)),
  ambiguous: flag('True if other payouts, invoices or deposits fit as well', false),
});
const LineMatch = Type.Object({
  matchId: id('bmt', 'ID of the match'),
  ...partFields,
  note: nullable(text('Note', 'Rent')),
  createdAt,
  createdBy,
});

export const BankLine = record('BankLine', {
  lineId,
  bankAccountId,
  merchantId,
  bankStatementId: id('bst', 'ID of the bank statement'),
  day: day('Day on which the bank booked it'),
  bookedDay: day('`day`, or the first open day after it if its period was closed before the import'),
  currency: currencyCode(),
  amount: signed('Amount', 980),
  remaining: signed('Part without a match', 980),
  text: text('Text of the bank', 'PAYDESK-7K2M PAYOUT'),
  reference: nullable(text('Reference of the bank; null without one', '20261121-0042')),
  state: literals(['open', 'matched'], '`matched` once matches explain the whole amount'),
  suggestion: nullable(LineSuggestion, 'Explanation that Paydesk found and did not post; null without one'),
  matches: list(LineMatch, 'Accepted explanations of the line'),
});
export type BankLine = RecordOf<typeof BankLine>;

export const BankRule = record('BankRule', {
  ruleId: id('brl', 'ID of the rule'),
  merchantId,
  contains: text('Text of the lines to which the rule applies', 'ACME PROCESSING FEE'),
  kind: literals(RULE_KINDS, 'What such lines are'),
  customer: nullable(
    Type.Object({
      customerId: id('cus', 'ID of the customer'),
      name: nullable(text('Name of the customer; null for callers without `customers:read`', 'Harbor Street')),
    }),
    'Customer whose invoices the lines pay; null for other kinds',
    null,
  ),
  origin: literals(['learned', 'written'], '`learned` from an accepted match'),
  createdAt,
  createdBy,
});
export type BankRule = RecordOf<typeof BankRule>;

const learnedRule = nullable(BankRule, 'Rule that the match taught; null if it taught none', null);
const matchIds = (description: string) => list(id('bmt', 'ID of a match'), description);
export const BankMatch = record('BankMatch', {
  line: one(BankLine, 'The line after it'),
  matchIds: matchIds('Matches that this request made or undid'),
  learnedRule,
});
export const BankLineOutcome = record('BankLineOutcome', {
  lineId,
  matchIds: matchIds('Matches that this request made; empty if the line was not matched'),
  learnedRule,
  error: nullable(
    Type.Object({
      code: text('Error code', 'RESOURCE_CONFLICT'),
      message: text('Explanation for a person; may change, so programs compare `code`', 'This bank line is already matched.'),
      details: nullable(Type.Record(Type.String(), Type.Unknown()), 'Further facts about the error'),
    }),
    'Why the line was not matched, as `matchBankLine` returns it',
    null,
  ),
});

/** A payout without its bank line. */
export const OpenPayout = record('BankPayout', {
  payoutId: id('pay', 'ID of the payout'),
  reference: text('Reference in the bank text', 'PAYDESK-7K2M'),
  paidAt: time('Time of the payment'),
  day: day("Day of the payment in the merchant's time zone"),
  currency: currencyCode(),
  amount: amount('Amount of the payout', 980),
  remaining: amount('Part without a bank line', 980),
  expectedBy: day('Last day on which it is expected at the bank'),
  missing: flag('True if statements cover the days from the payment to that day and no line was found', false),
});
export type OpenPayout = RecordOf<typeof OpenPayout>;

const SIDE_STATES = ['none', 'balanced', 'explained', 'transit', 'open'] as const;
export type SideState = (typeof SIDE_STATES)[number];
const sideState = (side: string) => literals(SIDE_STATES, `State of ${side}; \`transit\`: payouts are on their way to the bank`);
const figureName = literals(FIGURES, 'Name of the figure');
const onSide = (side: string) => nullable(signed(`Figure ${side}; null if it has none`, 980));
/** A figure of one currency on the three sides. */
const CloseFigure = Type.Object({
  name: figureName,
  currency: currencyCode(),
  ledger: onSide('of the own ledger'),
  processor: onSide('of the reports of the processor'),
  bank: onSide('of the bank statements'),
  difference: signed('Own ledger less the other side', 0),
  state: sideState('the figure'),
});
export type CloseFigure = RecordOf<typeof CloseFigure>;
const Blocker = Type.Object({
  kind: literals(['not_over', 'settling', 'not_compared', 'discrepancies', 'missing_payouts', 'statement_missing', 'open_lines'], 'Kind'),
  count: count('Number of such things', 1),
});
export type Blocker = RecordOf<typeof Blocker>;
const CloseDay = Type.Object({
  date: day('The day'),
  processor: sideState('the comparison with the processor'),
  payouts: sideState('the payouts'),
  bank: sideState('the bank lines'),
  closed: flag('True if the day is closed', false),
});
export type CloseDay = RecordOf<typeof CloseDay>;
/** The three-way close of a day or month. */
export const PeriodClose = record('PeriodClose', {
  period: text('A day YYYY-MM-DD or a month YYYY-MM', '2026-11'),
  startDate: day('First day', '2026-11-01'),
  endDate: day('Last day', '2026-11-30'),
  merchantId,
  closed: flag('True if the period is closed', false),
  hasBankAccount: flag('True if the merchant has a bank account in Paydesk', true),
  figures: list(CloseFigure, 'Figures of the close if the period is closed, otherwise of now'),
  unrelated: list(
    Type.Object({ currency: currencyCode(), amount: signed('Sum of the lines', 12) }),
    'Bank lines that are marked as unrelated to payments; not part of the figures',
  ),
  adjustments: list(
    Type.Object({
      period: text('Closed period that changed', '2026-10'),
      name: figureName,
      side: literals(SIDES, 'Side that changed'),
      currency: currencyCode(),
      amount: signed('Change', 12),
    }),
    'Changes of closed periods that count in this one',
  ),
  blockers: list(Blocker, 'What must be done before the period can be closed'),
  days: list(CloseDay, 'Days of the period'),
  history: list(
    Type.Object({
      state: literals(['closed', 'reopened'], 'Present state of this close'),
      closedAt: time('Time of the close'),
      closedBy: text('Person who closed the period', 'owner@example.com'),
      reopenedAt: nullable(time('Time of the reopening; null while the period is closed', null)),
      reopenedBy: nullable(text('Person who reopened the period; null while it is closed', null)),
      reason: nullable(text('Reason of the reopening', null)),
    }),
    'Closes of the period, newest first',
  ),
});
export type PeriodClose = RecordOf<typeof PeriodClose>;

/** A line of a figure. */
export const CloseLine = record('CloseLine', {
  date: day('Day of the line'),
  id: id('stl', 'ID of the settlement, payout or bank line, or the day of a comparison'),
  kind: literals(['settlement', 'comparison', 'payout', 'match', 'movement', 'bank_line'], 'What the line is'),
  text: text('Text of the line', 'Settlement'),
  currency: currencyCode(),
  amount: signed('Amount', 980),
});
export type CloseLine = RecordOf<typeof CloseLine>;
