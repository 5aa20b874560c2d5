import {
  amount,
  count,
  currencyCode,
  day,
  flag,
  group,
  id,
  list,
  literals,
  nullable,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { DISCREPANCY_TYPES, LINE_KINDS, SOURCES } from './schema.ts';
import { ENCODINGS } from './upload-file.ts';

const state = literals(
  ['balanced', 'explained', 'open', 'unsettled'],
  'explained: all discrepancies are resolved; open: there are unresolved discrepancies; unsettled: nothing of the day is settled',
);
const merchantId = nullable(id('mer', 'ID of the merchant'));
const discrepancyCount = count('Number of discrepancies', 1);
const openCount = count('Number of discrepancies that are not resolved', 1);
const totals = {
  currency: currencyCode(),
  transactionsTotal: amount('Captures less refunds with this settlement date', 980),
  settlementsTotal: amount('Total of the gateway or the file', 960),
};

/** A line of a run: one that matched, or a discrepancy. */
export const ReconciliationItem = record('ReconciliationItem', {
  id: nullable(id('dsc', 'ID of the discrepancy; null for a match')),
  type: literals([...DISCREPANCY_TYPES, 'matched'], 'Result of the comparison'),
  kind: literals(LINE_KINDS, 'Kind of the line'),
  merchantId,
  transactionId: nullable(id('txn', 'ID of the transaction; null if Paydesk has none')),
  refundId: nullable(text('ID of the refund; null for another line', null)),
  settlementReference: nullable(text('Reference of the other side', null)),
  currency: currencyCode(),
  transactionAmount: nullable(amount('Amount in Paydesk; refunds are negative', 20)),
  settledAmount: nullable(amount('Amount of the other side; for a duplicate the sum', null)),
  difference: amount('transactionAmount less settledAmount; a missing side counts as 0', 20),
  note: nullable(text('Explanation', null)),
  resolvedBy: nullable(text('Person or program that explained it', null)),
  resolvedAt: nullable(time('Time of the explanation', null)),
  status: literals(['matched', 'open', 'resolved'], 'Status'),
});
export type ReconciliationItem = RecordOf<typeof ReconciliationItem>;

/** A comparison of a date, without its lines. */
export const ReconciliationRun = record('ReconciliationRun', {
  runId: nullable(id('rec', 'ID of the run; null if nothing of the date is settled, because the run is not stored then')),
  date: day('Settlement date'),
  merchantId: nullable(id('mer', 'ID of the merchant; null for all merchants')),
  state,
  source: literals(SOURCES, 'What the payments were compared with'),
  importId: nullable(text('ID of the imported file; null for the report of the gateway', null)),
  ...totals,
  totals: list(
    group('Totals in one currency', { ...totals, difference: amount('transactionsTotal less settlementsTotal', 20) }),
    'Totals by currency',
  ),
  matched: flag('True if both sides are equal, line for line', false),
  matchedCount: count('Number of lines that matched', 11),
  discrepancyCount,
  openCount,
  createdAt: nullable(time('Time of the comparison; null if it is not stored')),
});
export type ReconciliationRun = RecordOf<typeof ReconciliationRun>;

/** A line of a run that did not match. */
export const Discrepancy = record('Discrepancy', {
  ...ReconciliationItem.properties,
  id: id('dsc', 'ID of the discrepancy'),
  type: literals(DISCREPANCY_TYPES, 'Result of the comparison'),
  status: literals(['open', 'resolved'], 'Status'),
});
export type Discrepancy = RecordOf<typeof Discrepancy>;

/** A run with its discrepancies. */
export const Reconciliation = record('Reconciliation', {
  ...ReconciliationRun.properties,
  discrepancies: list(Discrepancy, 'Discrepancies, at most 1,000; the pages of the items contain all'),
});
export type Reconciliation = RecordOf<typeof Reconciliation>;

/** A day of a month. */
export const ReconciliationDay = record('ReconciliationDay', {
  date: day('Settlement date'),
  state,
  currency: nullable(currencyCode('ISO 4217 code of the currency; null before the day is compared')),
  difference: nullable(amount('Captures less the total of the other side; null before the day is compared', 20)),
  discrepancyCount,
  openCount,
  runId: nullable(id('rec', 'ID of the last run; null before the day is compared')),
  compared: flag('Whether the run includes everything that is settled', true),
});
export type ReconciliationDay = RecordOf<typeof ReconciliationDay>;

/** Result of reading a file. */
export const ReconciliationImport = record('ReconciliationImport', {
  importId: id('imp', 'ID of the import'),
  rows: count('Number of rows of the file', 42),
  imported: count('Number of rows that were imported', 41),
  badRows: list(
    group('A row that cannot be read', { line: count('Line of the file', 7), reason: text('Reason', 'The amount is not a number.') }),
    'Rows that were left out, the first 200',
  ),
  badRowCount: count('Number of rows that were left out', 1),
  startDate: nullable(day('First date of the file; null if no row was imported')),
  endDate: nullable(day('Last date of the file; null if no row was imported')),
  encoding: literals(ENCODINGS, 'Encoding of the file'),
  delimiter: text('Separator of the file, such as `;`, or `tab`', ','),
});
export type ReconciliationImport = RecordOf<typeof ReconciliationImport>;
