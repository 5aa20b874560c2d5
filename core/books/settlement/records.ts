import { Type } from 'typebox';
import {
  amount,
  count,
  currencyCode,
  day,
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
import { FREQUENCIES, PAYOUT_STATUSES } from './schema.ts';

const settlementId = id('stl', 'ID of the settlement');
const merchantId = id('mer', 'ID of the merchant');
const paidAt = nullable(time('Time of the payment by the bank; null before', null));
const createdAt = time('Time of creation');

/** When the payments of a merchant are settled. */
export const SettlementSchedule = record('SettlementSchedule', {
  merchantId,
  frequency: literals(FREQUENCIES, 'Interval of the settlements'),
  cutoffTime: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'a time of day, HH:mm', example: '22:00' }),
  delayDays: Type.Integer({
    minimum: 0,
    maximum: 30,
    description: 'whole days from the cutoff to the settlement date, 0 to 30',
    example: 2,
  }),
  timezone: Type.String({ minLength: 1, maxLength: 60, description: 'an IANA time zone', example: 'America/New_York' }),
  timezoneSource: literals(['merchant', 'schedule'], '`merchant`: it follows the time zone of the merchant; `schedule`: it has its own'),
  weekday: Type.Integer({ minimum: 1, maximum: 7, description: 'for weekly settlement; 1 is Monday', example: 1 }),
  dayOfMonth: Type.Integer({
    minimum: 1,
    maximum: 31,
    description: 'for monthly settlement, 1 to 31; shorter months use their last day',
    example: 1,
  }),
  nextCutoffAt: nullable(time('Time of the next settlement; null if it is manual')),
});
export type SettlementSchedule = RecordOf<typeof SettlementSchedule>;

/** The payments of a merchant between two cutoffs, in one currency. */
export const Settlement = record('Settlement', {
  settlementId,
  merchantId,
  currency: currencyCode(),
  amount: amount('Captures less refunds, plus `disputes`', 980),
  captures: amount('Captures', 1000),
  refunds: amount('Refunds', 20),
  disputes: amount('Reversals less chargebacks and dispute fees; negative if money was withheld', 0),
  fees: amount('Fees of the processor', 29.3),
  netAmount: amount('Amount less fees', 950.7),
  paidAmount: amount('Part of netAmount that is paid', 0),
  transactionCount: count('Number of captures', 12),
  refundCount: count('Number of refunds', 1),
  disputeCount: count('Number of movements of disputes', 0),
  settlementDate: day('Day of the cutoff plus the delay'),
  cutoffAt: time('End of the settled period'),
  status: literals(['pending', 'paid'], '`paid` once everything is paid out'),
  origin: literals(['schedule', 'manual'], 'Cause of the settlement'),
  paidAt,
  createdAt,
});
export type Settlement = RecordOf<typeof Settlement>;

const line = {
  kind: literals(['capture', 'refund', 'chargeback', 'chargeback_reversed', 'dispute_fee'], 'Kind of the line'),
  id: id('txn', 'ID of the transaction, of the refund or of the dispute movement'),
  transactionId: id('txn', 'ID of the transaction'),
  amount: amount('Amount; negative for a refund, a chargeback and a dispute fee', 49.99),
};
const at = time('Time of the capture, refund or movement');

/** A capture, refund or dispute movement of a settlement. */
export const SettlementLine = record('SettlementLine', {
  ...line,
  fee: amount('Fee of the processor', 1.75),
  netAmount: amount('Amount less the fee', 48.24),
  at,
});
export type SettlementLine = RecordOf<typeof SettlementLine>;

/** A capture, refund or dispute movement that belongs to no settlement yet. */
export const UnsettledLine = record('UnsettledLine', { ...line, at });
export type UnsettledLine = RecordOf<typeof UnsettledLine>;

const sums = {
  count: count('Number of settlements of the period', 3),
  totalCaptures: amount('Captures', 3000),
  totalRefunds: amount('Refunds', 60),
  totalDisputes: amount('Reversals less chargebacks and dispute fees', 0),
  totalAmount: amount('Captures less refunds, plus `totalDisputes`', 2940),
  totalFees: amount('Fees of the processor', 87.9),
  totalNet: amount('Total amount less fees', 2852.1),
};
const FundingSums = group('Totals of the period in one currency', { currency: currencyCode(), ...sums });
export type FundingSums = RecordOf<typeof FundingSums>;

/** A funding report without its settlements. */
export const FundingTotals = record('FundingTotals', {
  startDate: day('First settlement date'),
  endDate: day('Last settlement date'),
  currency: currencyCode(),
  ...sums,
  otherCurrencies: list(FundingSums, 'Totals of the period in other currencies; use `currency` to get their settlements'),
});
export type FundingTotals = RecordOf<typeof FundingTotals>;

/** The settlements of a period and a currency by their date, oldest first, with the totals of the whole period. */
export const FundingReport = record('FundingReport', {
  settlements: list(Settlement, 'Settlements, oldest first'),
  ...FundingTotals.properties,
});
export type FundingReport = RecordOf<typeof FundingReport>;

const sum = (description: string) =>
  group(description, { count: count('Number of settlements or payments', 12), amount: amount('Sum', 980) });

/** Balances of a merchant, or of all merchants of the caller. */
export const SettlementStatus = record('SettlementStatus', {
  merchantId: nullable(merchantId, 'Null if every merchant is covered'),
  currency: currencyCode(),
  unsettled: sum('Captured and refunded, in no settlement yet'),
  unsettledDisputesAmount: amount('Part of `unsettled` by disputes: reversals less chargebacks and dispute fees', 0),
  settledUnpaid: sum('Settled, in no payout yet'),
  inTransit: sum('In payouts that the bank has not confirmed yet'),
  paidIn30Days: sum('Paid in the last thirty days'),
  paidSince: time('Start of the thirty days'),
  frequency: nullable(SettlementSchedule.properties.frequency, 'Frequency of the schedule; null if every merchant is covered'),
  nextCutoffAt: nullable(time('Time of the next settlement; null if it is manual, or if every merchant is covered')),
});
export type SettlementStatus = RecordOf<typeof SettlementStatus>;

const payoutStatus = literals(PAYOUT_STATUSES, 'Status at the bank');
const reference = text('Text on the bank statement', 'PAYDESK 01M7Y495');

/** A payout to the bank of a merchant. */
export const Payout = record('Payout', {
  payoutId: id('pay', 'ID of the payout'),
  merchantId,
  amount: amount('Amount', 950.7),
  currency: currencyCode(),
  status: payoutStatus,
  reference,
  settlements: list(
    group('Part of the payout', { settlementId, amount: amount('Part of the payout that pays the settlement', 950.7) }),
    'Settlements that it pays, with their parts',
  ),
  paidAt,
  createdAt,
});
export type Payout = RecordOf<typeof Payout>;

/** A payout of all unpaid settlements of a period. */
export const PayoutBatch = record('PayoutBatch', {
  batchId: id('bat', 'ID of the batch'),
  merchantId,
  transactionCount: count('Number of captures', 12),
  totalAmount: amount('Amount before fees', 980),
  fees: amount('Fees of the processor', 29.3),
  netAmount: amount('Amount less fees', 950.7),
  currency: currencyCode(),
  status: payoutStatus,
  startDate: day('First settlement date'),
  endDate: day('Last settlement date'),
  reference,
  settlementIds: list(settlementId, 'Settlements that it pays'),
  note: nullable(text('Note on the result at the bank', null)),
  paidAt,
  createdAt,
});
export type PayoutBatch = RecordOf<typeof PayoutBatch>;
