import { Type } from 'typebox';
import {
  type BankAccount,
  type BankLine,
  type BankRule,
  FIGURES,
  type FigureLine,
  type ImportedStatement,
  type LineOutcome,
  type LinePart,
  type ListedDeposit,
  type NamedDeposit,
  type NamedInvoice,
  type NamedPayout,
  type OpenPayout,
  PART_KINDS,
  type PeriodClose,
  RULE_KINDS,
  SIDES,
  SUGGESTION_REASONS,
} from '#core/books/bank';
import { BOOK_ACCOUNTS } from '#core/books/journal';
import { type Money, money, toNumber } from '#core/kernel';
import { failure } from '#server/http';
import { DATE_FORMATS } from '#shared/file-cells';
import { FORMATS } from '#shared/statement-formats';
import { AmountIn, CurrencyIn, Lines, Maybe, ProtectedText, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const literals = (values: readonly string[], description = `one of ${values.join(', ')}`) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  );
const Amount = Type.Number({ description: 'major units; debits are negative' });
const Day = Type.String({ description: 'a day, YYYY-MM-DD', examples: ['2027-01-31'] });
const merchantId = Type.Optional(Text(60, "one merchant; by default the caller's"));

export const MerchantBankAccountIn = Type.Object({
  merchantId,
  name: Type.String({ maxLength: 80, description: 'name on screen', examples: ['Business checking'] }),
  currency: Type.Optional(CurrencyIn),
  accountNumber: Type.Optional(
    ProtectedText(60, 'account number or IBAN; stored encrypted, and only its last four characters are returned'),
  ),
});
export const BankAccountChangeIn = Type.Object({
  name: Type.String({ maxLength: 80, description: 'new name on screen', examples: ['Savings'] }),
  previousName: Type.Optional(Type.String({ maxLength: 80, description: 'name that was read before', examples: ['Business checking'] })),
});
export const MerchantBankAccountOut = named(
  'MerchantBankAccount',
  Type.Object({
    bankAccountId: Type.String(),
    merchantId: Type.String(),
    name: Type.String(),
    currency: Type.String(),
    last4: Maybe(Type.String({ description: 'null until the number is known' })),
    lastStatementDay: Maybe(Day),
    openLines: Type.Integer({ description: 'number of its lines that are not matched completely' }),
    matchedLines: Type.Integer({ description: 'number of its lines that are matched' }),
    createdAt: Timestamp,
  }),
);

const column = Type.String({ minLength: 1, maxLength: 200, description: 'the name of a column' });
const CsvMappingIn = Type.Object(
  {
    date: column,
    amount: Type.Optional(column),
    credit: Type.Optional(column),
    debit: Type.Optional(column),
    direction: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'column that says whether an amount is a debit' })),
    debitValues: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
        maxItems: 20,
        description: 'values of `direction` for debits; without them, the usual words are known',
      }),
    ),
    currency: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'column of the currency; rows in other currencies are left out' }),
    ),
    account: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'column of the account number; rows of other accounts are left out' }),
    ),
    text: Type.Array(column, { minItems: 1, maxItems: 6, description: 'columns whose texts describe a line' }),
    reference: Type.Optional(column),
    balance: Type.Optional(column),
    dateFormat: Type.Optional(literals(DATE_FORMATS, 'by default YYYY-MM-DD, or the only format in which the dates can be read')),
    sign: Type.Optional(literals(['positive', 'negative'], '`negative` if credits are negative in the file')),
    header: Type.Optional(literals(['none'], '`none` if the file has no header; columns are then numbers from 1, as text')),
  },
  { additionalProperties: false },
);
/** Fields of the form of an import; `mapping` is JSON. */
export const StatementFields = Type.Object({
  bankAccountId: Text(60),
  mapping: Type.Optional(CsvMappingIn),
  mappingName: Type.Optional(Text(60, 'a saved mapping; with `mapping`, the name under which it is saved')),
  doubtfulLines: Type.Optional(literals(['add', 'skip'], 'what to do with lines that may be stored already')),
});
export const BankStatementOut = named(
  'BankStatement',
  Type.Object({
    bankStatementId: Type.String(),
    bankAccountId: Type.String(),
    format: literals(FORMATS),
    filename: Maybe(Type.String()),
    startDate: Maybe(Day),
    endDate: Maybe(Day),
    openingBalance: Maybe(Amount),
    closingBalance: Maybe(Amount),
    currency: Type.String(),
    lineCount: Type.Integer(),
    added: Type.Integer({ description: 'lines that were not in an earlier statement' }),
    repeated: Type.Boolean({ description: 'true if the same statement was imported before, so that nothing was added' }),
    skipped: Type.Array(
      Type.Object({
        reason: literals(['account', 'currency']),
        last4: Maybe(Type.String()),
        currency: Maybe(Type.String()),
        count: Type.Integer({ description: 'number of statements, or of lines of a CSV file' }),
      }),
      { description: 'statements of other accounts and currencies in the file' },
    ),
    createdAt: Timestamp,
    createdBy: Type.String(),
  }),
);
export const BankMappingOut = named('BankMapping', Type.Object({ name: Type.String(), mapping: CsvMappingIn }));

const PayoutOut = Type.Object({ payoutId: Type.String(), reference: Type.String(), amount: Amount, paidAt: Maybe(Timestamp) });
const BankInvoiceOut = named(
  'BankInvoice',
  Type.Object({
    invoiceId: Type.String(),
    number: Type.String(),
    customerName: Maybe(Type.String()),
    dueDate: Maybe(Day),
    amount: Amount,
    amountDue: Amount,
  }),
);
const depositFields = {
  shiftId: Maybe(Type.String({ description: 'closed shift whose cash it is' })),
  tenderId: Maybe(Type.String({ description: 'the check' })),
  refundId: Maybe(Type.String({ description: 'refund of a bank transfer' })),
  label: Type.String({ description: 'drawer and Z report of a shift, number of a check, or number of a refund' }),
  day: Day,
  amount: Amount,
};
const DepositOut = named('BankDeposit', Type.Object(depositFields));
export const OpenDepositOut = named(
  'OpenBankDeposit',
  Type.Object({ ...depositFields, currency: Type.String(), remaining: Type.Number({ description: 'part without a bank line' }) }),
);
const PartOut = {
  kind: literals(PART_KINDS),
  payout: Maybe(PayoutOut),
  invoice: Type.Union([BankInvoiceOut, Type.Null()], { description: 'invoice that the part pays' }),
  deposit: Type.Union([DepositOut, Type.Null()], {
    description: 'cash of a shift, a check, or a refund of a bank transfer, that the part contains',
  }),
  amount: Amount,
  fee: Type.Number({ description: 'fee withheld from the payout; the payout is covered by amount + fee' }),
};
export const BankLineOut = named(
  'BankLine',
  Type.Object({
    lineId: Type.String(),
    bankAccountId: Type.String(),
    merchantId: Type.String(),
    bankStatementId: Type.String(),
    day: Day,
    bookedDay: Type.String({ description: '`day`, or the first open day after it if its period was closed before the import' }),
    currency: Type.String(),
    amount: Amount,
    remaining: Type.Number({ description: 'part without a match' }),
    text: Type.String(),
    reference: Maybe(Type.String()),
    state: literals(['open', 'matched']),
    suggestion: Maybe(
      Type.Object(
        {
          reason: literals(
            SUGGESTION_REASONS,
            'how it was found; for invoices, by the number, a number with a typing error, a former payer, the name of the customer, or the amount alone. `duplicate` and `amount_differs` have no parts: they need a decision',
          ),
          parts: Type.Array(Type.Object(PartOut)),
          payouts: Type.Array(PayoutOut, { description: 'payouts that the line names' }),
          invoices: Type.Array(BankInvoiceOut, { description: 'invoices that the line names, if another line pays them' }),
          ruleId: Maybe(Type.String()),
          otherLineId: Maybe(Type.String({ description: 'the line that has the payout, for a duplicate' })),
          ambiguous: Type.Boolean({ description: 'other payouts, invoices or deposits fit as well' }),
        },
        { description: 'found by Paydesk and not posted' },
      ),
    ),
    matches: Type.Array(
      Type.Object({ matchId: Type.String(), ...PartOut, note: Maybe(Type.String()), createdAt: Timestamp, createdBy: Type.String() }),
    ),
  }),
);
const MatchIn = {
  parts: Type.Array(
    Type.Object(
      {
        kind: literals(PART_KINDS, '`own`: a transfer of the merchant; `ignore`: unrelated to payments'),
        payoutId: Type.Optional(Text(60, 'required for `payout`')),
        invoiceId: Type.Optional(Text(60, 'required for `invoice`, which also requires invoices:read')),
        shiftId: Type.Optional(Text(60, 'closed shift whose cash was deposited; required for `cash`')),
        tenderId: Type.Optional(Text(60, 'deposited check; required for `check`')),
        refundId: Type.Optional(Text(60, 'refund of a bank transfer that the debit pays; required for `refund`')),
        amount: Type.Optional(AmountIn),
        fee: Type.Optional(AmountIn),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 50, description: 'parts of the line; `amount` may be absent if there is one part' },
  ),
  note: Type.Optional(Lines(500)),
};
export const BankMatchBody = Type.Object(MatchIn);
export const BankMatchesBody = Type.Object({
  matches: Type.Array(Type.Object({ lineId: Text(60), ...MatchIn }, { additionalProperties: false }), { minItems: 1, maxItems: 100 }),
});
export const BankRuleIn = {
  contains: Type.String({
    maxLength: 60,
    description: 'text of the lines; case and spaces do not matter',
    examples: ['ACME PROCESSING FEE'],
  }),
  kind: literals(RULE_KINDS),
  customerId: Type.Optional(Text(60, 'customer whose invoices the lines pay; required for `invoice`')),
};
export const BankRuleOut = named(
  'BankRule',
  Type.Object({
    ruleId: Type.String(),
    merchantId: Type.String(),
    contains: Type.String(),
    kind: BankRuleIn.kind,
    customer: Maybe(Type.Object({ customerId: Type.String(), name: Maybe(Type.String({ description: 'requires customers:read' })) })),
    origin: literals(['learned', 'written'], '`learned` from an accepted match'),
    createdAt: Timestamp,
    createdBy: Type.String(),
  }),
);
export const BankMatchOut = named(
  'BankMatch',
  Type.Object({
    line: BankLineOut,
    matchIds: Type.Array(Type.String(), { description: 'made or undone by this request' }),
    learnedRule: Maybe(BankRuleOut),
  }),
);
export const BankLineOutcomeOut = named(
  'BankLineOutcome',
  Type.Object({
    lineId: Type.String(),
    matchIds: Type.Array(Type.String(), { description: 'empty if the line was not matched' }),
    learnedRule: Maybe(BankRuleOut),
    error: Maybe(
      Type.Object(
        { code: Type.String(), message: Type.String(), details: Maybe(Type.Record(Type.String(), Type.Unknown())) },
        { description: 'why the line was not matched, as `matchBankLine` returns it' },
      ),
    ),
  }),
);
export const BankPayoutOut = named(
  'BankPayout',
  Type.Object({
    payoutId: Type.String(),
    reference: Type.String(),
    paidAt: Timestamp,
    day: Day,
    currency: Type.String(),
    amount: Amount,
    remaining: Type.Number({ description: 'part without a bank line' }),
    expectedBy: Day,
    missing: Type.Boolean({ description: 'a statement covers the expected days and has no line' }),
  }),
);

const STATES = ['none', 'balanced', 'explained', 'transit', 'open'];
export const PeriodCloseOut = named(
  'PeriodClose',
  Type.Object({
    period: Type.String({ description: 'a day YYYY-MM-DD or a month YYYY-MM' }),
    startDate: Day,
    endDate: Day,
    merchantId: Type.String(),
    closed: Type.Boolean(),
    hasBankAccount: Type.Boolean(),
    figures: Type.Array(
      Type.Object({
        name: literals(FIGURES),
        currency: Type.String(),
        ledger: Maybe(Amount),
        processor: Maybe(Amount),
        bank: Maybe(Amount),
        difference: Amount,
        state: literals(STATES),
      }),
      { description: 'of the close if the period is closed, otherwise of now' },
    ),
    unrelated: Type.Array(Type.Object({ currency: Type.String(), amount: Amount }), {
      description: 'bank lines that are marked as unrelated to payments; not part of the figures',
    }),
    adjustments: Type.Array(
      Type.Object({ period: Type.String(), name: literals(FIGURES), side: literals(SIDES), currency: Type.String(), amount: Amount }),
      { description: 'changes of closed periods that count in this one' },
    ),
    blockers: Type.Array(
      Type.Object({
        kind: literals(['not_over', 'settling', 'not_compared', 'discrepancies', 'missing_payouts', 'statement_missing', 'open_lines']),
        count: Type.Integer(),
      }),
      { description: 'what must be done before the period can be closed' },
    ),
    days: Type.Array(
      Type.Object({ date: Day, processor: literals(STATES), payouts: literals(STATES), bank: literals(STATES), closed: Type.Boolean() }),
    ),
    history: Type.Array(
      Type.Object({
        state: literals(['closed', 'reopened']),
        closedAt: Timestamp,
        closedBy: Type.String(),
        reopenedAt: Maybe(Timestamp),
        reopenedBy: Maybe(Type.String()),
        reason: Maybe(Type.String()),
      }),
    ),
  }),
);
export const CloseLineOut = named(
  'CloseLine',
  Type.Object({
    date: Day,
    id: Type.String(),
    kind: literals(['settlement', 'comparison', 'payout', 'match', 'movement', 'bank_line']),
    text: Type.String(),
    currency: Type.String(),
    amount: Amount,
  }),
);

const AccountName = Type.Object(
  {
    name: Type.String({ maxLength: 100, examples: ['Income:Sales'] }),
    code: Type.String({ maxLength: 20, description: 'number in the accounting program', examples: ['4000'] }),
  },
  { additionalProperties: false },
);
const ofAccounts = <Schema>(schema: Schema) =>
  Object.fromEntries(BOOK_ACCOUNTS.map((account) => [account, schema])) as Record<(typeof BOOK_ACCOUNTS)[number], Schema>;
export const JournalAccountsOut = named('JournalAccounts', Type.Object(ofAccounts(AccountName)));
export const JournalAccountsIn = Type.Object(ofAccounts(Type.Optional(Type.Partial(AccountName))), { additionalProperties: false });

export const JournalExportOut = named(
  'JournalExport',
  Type.Object({
    journalExportId: Type.String(),
    merchantId: Type.String(),
    startDate: Day,
    endDate: Day,
    only: Maybe(Type.Literal('new')),
    currency: Maybe(Type.String({ description: 'currency of the entries; null for all' })),
    entries: Type.Integer(),
    newEntries: Type.Integer(),
    createdBy: Type.String(),
    createdAt: Timestamp,
  }),
);

export const bankAccountRecord = (account: BankAccount) => account;

export function bankStatementRecord({ statement, added, isRepeated, skipped }: ImportedStatement) {
  const { openingMinor, closingMinor, addedCount: _, ...rest } = statement;
  const shown = (minor: number | null) => (minor === null ? null : toNumber(money(minor, statement.currency)));
  return { ...rest, openingBalance: shown(openingMinor), closingBalance: shown(closingMinor), added, repeated: isRepeated, skipped };
}

const payoutOf = (payout: NamedPayout) => ({ ...payout, amount: toNumber(payout.amount) });
const invoiceOf = (invoice: NamedInvoice) => ({ ...invoice, amount: toNumber(invoice.amount), amountDue: toNumber(invoice.amountDue) });
const depositOf = (deposit: NamedDeposit) => ({ ...deposit, amount: toNumber(deposit.amount) });
export const openDepositRecord = ({ remaining, ...deposit }: ListedDeposit) => ({
  ...depositOf(deposit),
  currency: remaining.currency,
  remaining: toNumber(remaining),
});
const partRecord = <Part extends LinePart>({ payout, invoice, deposit, amount, fee, ...rest }: Part) => ({
  ...rest,
  payout: payout && payoutOf(payout),
  invoice: invoice && invoiceOf(invoice),
  deposit: deposit && depositOf(deposit),
  amount: toNumber(amount),
  fee: toNumber(fee),
});

export function bankLineRecord({ amount, remaining, suggestion, matches, ...line }: BankLine) {
  return {
    ...line,
    currency: amount.currency,
    amount: toNumber(amount),
    remaining: toNumber(remaining),
    suggestion: suggestion && {
      reason: suggestion.reason,
      parts: suggestion.parts.map(partRecord),
      payouts: suggestion.payouts.map(payoutOf),
      invoices: suggestion.invoices.map(invoiceOf),
      ruleId: suggestion.ruleId,
      otherLineId: suggestion.otherLineId,
      ambiguous: suggestion.isAmbiguous,
    },
    matches: matches.map(partRecord),
  };
}

export const bankRuleRecord = (rule: BankRule) => rule;
export const bankMatchRecord = ({ line, matchIds, rule }: { line: BankLine; matchIds: readonly string[]; rule: BankRule | null }) => ({
  line: bankLineRecord(line),
  matchIds: [...matchIds],
  learnedRule: rule,
});

const outcomeError = ({ code, message, details = null }: ReturnType<typeof failure>['error']) => ({
  code,
  message,
  details: details as Record<string, unknown> | null,
});
export const bankLineOutcomeRecord = ({ lineId, matched, error }: LineOutcome) => ({
  lineId,
  matchIds: [...(matched?.matchIds ?? [])],
  learnedRule: matched?.rule ?? null,
  error: error && outcomeError(failure(error).error),
});

export const bankPayoutRecord = ({ amount, remaining, isMissing, ...payout }: OpenPayout) => ({
  ...payout,
  currency: amount.currency,
  amount: toNumber(amount),
  remaining: toNumber(remaining),
  missing: isMissing,
});

export function periodCloseRecord({ isClosed, figures, unrelated, adjustments, days, ...close }: PeriodClose) {
  const shown = (amount: Money | null) => (amount === null ? null : toNumber(amount));
  return {
    ...close,
    closed: isClosed,
    figures: figures.map(({ ledger, processor, bank, difference, ...figure }) => ({
      ...figure,
      ledger: shown(ledger),
      processor: shown(processor),
      bank: shown(bank),
      difference: toNumber(difference),
    })),
    unrelated: unrelated.map((amount) => ({ currency: amount.currency, amount: toNumber(amount) })),
    adjustments: adjustments.map(({ amount, ...adjustment }) => ({ ...adjustment, currency: amount.currency, amount: toNumber(amount) })),
    days: days.map(({ isClosed: closed, ...day }) => ({ ...day, closed })),
  };
}

export const closeLineRecord = ({ amount, ...line }: FigureLine) => ({ ...line, currency: amount.currency, amount: toNumber(amount) });
