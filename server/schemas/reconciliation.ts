import { Type } from 'typebox';
import { type Day, DISCREPANCY_TYPES, type Imported, type Item, type Report, type Run } from '#core/books/reconciliation';
import { type Money, subtract, toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { DATE_FORMATS } from '#shared/file-cells';
import { DateIn, Lines, Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';
import { PaymentFactsOut, type WithPayment } from './payment-facts.ts';

const Amount = Type.Number({ description: 'major units' });
const State = literals(
  ['balanced', 'explained', 'open', 'unsettled'],
  'explained: all discrepancies are resolved; open: there are unresolved discrepancies; unsettled: nothing of the day is settled',
);
const KINDS = ['capture', 'refund', 'chargeback'];
const Parts = {
  kind: literals(KINDS),
  merchantId: Maybe(Type.String()),
  transactionId: Maybe(Type.String()),
  refundId: Maybe(Type.String()),
  settlementReference: Maybe(Type.String()),
  currency: Type.String(),
  transactionAmount: Maybe(Type.Number({ description: 'amount in Paydesk, in major units; refunds are negative' })),
  settledAmount: Maybe(Type.Number({ description: 'amount of the other side; for a duplicate the sum' })),
  difference: Type.Number({ description: 'transactionAmount less settledAmount; a missing side counts as 0' }),
  note: Maybe(Type.String()),
  resolvedBy: Maybe(Type.String()),
  resolvedAt: Maybe(Timestamp),
};

/** A discrepancy. */
export const DiscrepancyOut = named(
  'Discrepancy',
  Type.Object({
    id: Type.String(),
    type: literals(DISCREPANCY_TYPES),
    ...Parts,
    status: literals(['open', 'resolved']),
  }),
);
/** A line of a run. */
export const ReconciliationItemOut = named(
  'ReconciliationItem',
  Type.Object({
    id: Maybe(Type.String({ description: 'ID of the discrepancy; null for a match' })),
    type: literals([...DISCREPANCY_TYPES, 'matched']),
    ...Parts,
    status: literals(['matched', 'open', 'resolved']),
    payment: PaymentFactsOut,
  }),
);

/** A run without its discrepancies. */
export const ReconciliationRunOut = named(
  'ReconciliationRun',
  Type.Object({
    runId: Maybe(Type.String({ description: 'null if nothing of the date is settled; the run is not stored then' })),
    date: Type.String({ description: 'the settlement date, YYYY-MM-DD' }),
    merchantId: Maybe(Type.String({ description: 'null for all merchants' })),
    state: State,
    source: literals(['gateway', 'import']),
    importId: Maybe(Type.String()),
    currency: Type.String({ description: 'currency of the two totals' }),
    transactionsTotal: Type.Number({ description: 'captures less refunds with this settlement date' }),
    settlementsTotal: Type.Number({ description: 'total of the gateway or the file' }),
    totals: Type.Array(Type.Object({ currency: Type.String(), transactionsTotal: Amount, settlementsTotal: Amount, difference: Amount })),
    matched: Type.Boolean({ description: 'both sides are equal, line for line' }),
    matchedCount: Type.Integer(),
    discrepancyCount: Type.Integer(),
    openCount: Type.Integer(),
    createdAt: Maybe(Timestamp),
  }),
);
export const ReconciliationOut = named(
  'Reconciliation',
  Type.Object({
    ...ReconciliationRunOut.properties,
    discrepancies: Type.Array(DiscrepancyOut, { description: 'at most 1,000; the pages of the items contain all' }),
  }),
);
export const ReconciliationDayOut = named(
  'ReconciliationDay',
  Type.Object({
    date: Type.String(),
    state: State,
    currency: Maybe(Type.String()),
    difference: Maybe(Type.Number({ description: 'null before the day is compared' })),
    discrepancyCount: Type.Integer(),
    openCount: Type.Integer(),
    runId: Maybe(Type.String()),
    compared: Type.Boolean({ description: 'whether the run includes everything that is settled' }),
  }),
);

export const ReconciliationBody = Type.Object({
  date: DateIn('a settlement date, YYYY-MM-DD'),
  importId: Type.Optional(Text(60, 'an import to compare with, instead of the report of the gateway')),
  merchantId: Type.Optional(Text(60)),
});
export const ResolveBody = Type.Object({ note: Lines(1_000) });

const column = Type.String({ minLength: 1, maxLength: 200, description: 'the name of a column' });
/** Fields of the form of an import; `mapping` is JSON. */
export const ImportFields = Type.Object({
  mapping: Type.Object(
    {
      transactionId: column,
      amount: Type.Optional(column),
      credit: Type.Optional(column),
      debit: Type.Optional(column),
      direction: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'column that says whether an amount is a refund' }),
      ),
      debitValues: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
          maxItems: 20,
          description: 'values of `direction` for refunds; without them, the usual words are known',
        }),
      ),
      date: column,
      currency: Type.Optional(column),
      dateFormat: Type.Optional(literals(DATE_FORMATS)),
      sign: Type.Optional(literals(['positive', 'negative'])),
      unit: Type.Optional(literals(['major', 'minor'])),
    },
    { additionalProperties: false },
  ),
  merchantId: Type.Optional(Text(60)),
});
export const ImportOut = named(
  'ReconciliationImport',
  Type.Object({
    importId: Type.String(),
    rows: Type.Integer(),
    imported: Type.Integer(),
    badRows: Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() }), { description: 'the first 200' }),
    badRowCount: Type.Integer(),
    startDate: Maybe(Type.String()),
    endDate: Maybe(Type.String()),
    encoding: Type.String(),
    delimiter: literals([',', ';', 'tab']),
  }),
);

const orNull = (amount: Money | null) => (amount === null ? null : toNumber(amount));

export function itemRecord(item: Item) {
  const { transactionAmount, settledAmount, difference, ...rest } = item;
  return {
    ...rest,
    currency: difference.currency,
    transactionAmount: orNull(transactionAmount),
    settledAmount: orNull(settledAmount),
    difference: toNumber(difference),
  };
}

/** Returns a line of a run in the form of the API. */
export const runItemRecord = ({ payment, ...item }: WithPayment<Item>) => ({
  ...itemRecord(item),
  payment,
});

export function runRecord(run: Run) {
  const { transactionsTotal, settlementsTotal, totals, ...rest } = run;
  return {
    ...rest,
    currency: transactionsTotal.currency,
    transactionsTotal: toNumber(transactionsTotal),
    settlementsTotal: toNumber(settlementsTotal),
    totals: totals.map(({ transactions, settlements }) => ({
      currency: transactions.currency,
      transactionsTotal: toNumber(transactions),
      settlementsTotal: toNumber(settlements),
      difference: toNumber(subtract(transactions, settlements)),
    })),
  };
}

export function reconciliationRecord({ discrepancies, ...run }: Report) {
  return { ...runRecord(run), discrepancies: discrepancies.map(itemRecord) };
}

export function dayRecord({ difference, isCompared, ...day }: Day) {
  return { ...day, compared: isCompared, currency: difference?.currency ?? null, difference: orNull(difference) };
}

export const importRecord = (imported: Imported) => imported;
