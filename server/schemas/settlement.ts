import { Type } from 'typebox';
import type {
  BatchPayout,
  FundingReport,
  FundingSums,
  Payout,
  Schedule,
  Settlement,
  SettlementLine,
  SettlementSummary,
  UnsettledLine,
} from '#core/books/settlement';
import { toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';
import { paginated } from './page.ts';
import { PaymentFactsOut, type WithPayment } from './payment-facts.ts';

const Rule = {
  frequency: literals(['daily', 'weekly', 'monthly', 'manual']),
  cutoffTime: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'a time of day, HH:mm' }),
  delayDays: Type.Integer({ minimum: 0, maximum: 30, description: 'whole days, 0 to 30' }),
  timezone: Text(60, 'an IANA time zone'),
  timezoneSource: literals(['merchant', 'schedule']),
  weekday: Type.Integer({ minimum: 1, maximum: 7, description: 'for weekly settlement; 1 is Monday' }),
  dayOfMonth: Type.Integer({ minimum: 1, maximum: 31, description: 'for monthly settlement, 1 to 31; shorter months use their last day' }),
};

/** Settlement schedule of a merchant. */
export const ScheduleOut = named('SettlementSchedule', Type.Object({ merchantId: Type.String(), ...Rule, nextCutoffAt: Maybe(Timestamp) }));
/** Fields of a change of the schedule. The complete response of GET may be sent back. */
export const ScheduleBody = Type.Object({
  ...(Object.fromEntries(Object.entries(Rule).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Name in keyof typeof Rule]: ReturnType<typeof Type.Optional<(typeof Rule)[Name]>>;
  }),
  merchantId: Type.Optional(Text(60, 'must be the merchant of the path')),
  nextCutoffAt: Type.Optional(Maybe(Type.String({ maxLength: 40, description: 'read-only; ignored' }))),
});

export const scheduleRecord = ({ merchantId, schedule }: { merchantId: string; schedule: Schedule }) => ({ merchantId, ...schedule });

const Amount = Type.Number({ description: 'major units' });

/** A settlement. */
export const SettlementOut = named(
  'Settlement',
  Type.Object({
    settlementId: Type.String(),
    merchantId: Type.String(),
    currency: Type.String(),
    amount: Type.Number({ description: 'captures less refunds, plus `disputes`, in major units' }),
    captures: Amount,
    refunds: Amount,
    disputes: Type.Number({ description: 'reversals less chargebacks and dispute fees; negative if money was withheld' }),
    fees: Amount,
    netAmount: Type.Number({ description: 'amount less fees' }),
    paidAmount: Type.Number({ description: 'part of netAmount that is paid' }),
    transactionCount: Type.Integer(),
    refundCount: Type.Integer(),
    disputeCount: Type.Integer({ description: 'movements of disputes' }),
    settlementDate: Type.String({ description: 'day of the cutoff plus the delay, YYYY-MM-DD' }),
    cutoffAt: Timestamp,
    status: literals(['pending', 'paid']),
    origin: literals(['schedule', 'manual']),
    paidAt: Maybe(Timestamp),
    createdAt: Timestamp,
  }),
);

export function settlementRecord(settlement: Settlement) {
  const { amount, captures, refunds, disputes, fees, netAmount, paidAmount, ...rest } = settlement;
  return {
    ...rest,
    amount: toNumber(amount),
    captures: toNumber(captures),
    refunds: toNumber(refunds),
    disputes: toNumber(disputes),
    fees: toNumber(fees),
    netAmount: toNumber(netAmount),
    paidAmount: toNumber(paidAmount),
  };
}

export const SettlementLineOut = named(
  'SettlementLine',
  Type.Object({
    kind: literals(['capture', 'refund', 'chargeback', 'chargeback_reversed', 'dispute_fee']),
    id: Type.String({ description: 'ID of the transaction, of the refund or of the dispute movement' }),
    transactionId: Type.String(),
    amount: Type.Number({ description: 'major units; negative for a refund, a chargeback and a dispute fee' }),
    fee: Amount,
    netAmount: Amount,
    at: Timestamp,
    payment: PaymentFactsOut,
  }),
);

export const settlementLineRecord = ({ amount, fee, netAmount, payment, ...rest }: WithPayment<SettlementLine>) => ({
  ...rest,
  payment,
  amount: toNumber(amount),
  fee: toNumber(fee),
  netAmount: toNumber(netAmount),
});

/** A capture or refund that is not settled yet. */
export const UnsettledLineOut = named(
  'UnsettledLine',
  Type.Object({
    kind: literals(['capture', 'refund', 'chargeback', 'chargeback_reversed', 'dispute_fee']),
    id: Type.String({ description: 'ID of the transaction, of the refund or of the dispute movement' }),
    transactionId: Type.String(),
    amount: Type.Number({ description: 'major units; negative for a refund, a chargeback and a dispute fee' }),
    at: Timestamp,
    payment: PaymentFactsOut,
  }),
);

export const unsettledLineRecord = ({ amount, payment, ...rest }: WithPayment<UnsettledLine>) => ({
  ...rest,
  payment,
  amount: toNumber(amount),
});

const FundingTotals = {
  count: Type.Integer({ description: 'settlements of the period' }),
  totalCaptures: Amount,
  totalRefunds: Amount,
  totalDisputes: Type.Number({ description: 'reversals less chargebacks and dispute fees' }),
  totalAmount: Type.Number({ description: 'captures less refunds, plus `totalDisputes`' }),
  totalFees: Amount,
  totalNet: Amount,
};

const FundingRest = {
  startDate: Type.String(),
  endDate: Type.String(),
  currency: Type.String(),
  ...FundingTotals,
  otherCurrencies: Type.Array(Type.Object({ currency: Type.String(), ...FundingTotals }), {
    description: 'totals of the period in other currencies; use `currency` to get their settlements',
  }),
};
/** Fields of a funding report besides its settlements. */
export const FundingRestOut = Type.Object(FundingRest);
/** The funding report. */
export const FundingOut = named('FundingReport', Type.Object({ settlements: Type.Array(SettlementOut), ...FundingRest }));

export const fundingTotals = ({ count, totalCaptures, totalRefunds, totalDisputes, totalAmount, totalFees, totalNet }: FundingSums) => ({
  count,
  totalCaptures: toNumber(totalCaptures),
  totalRefunds: toNumber(totalRefunds),
  totalDisputes: toNumber(totalDisputes),
  totalAmount: toNumber(totalAmount),
  totalFees: toNumber(totalFees),
  totalNet: toNumber(totalNet),
});
export const fundingSumsRecord = (sums: FundingSums) => ({ currency: sums.currency, ...fundingTotals(sums) });

/** A page of the report in the envelope of lists. */
export function fundingRecord({ startDate, endDate, sums, settlements, otherCurrencies }: FundingReport) {
  const { success, data, pagination } = paginated(settlements, settlementRecord);
  return {
    success,
    data: {
      startDate,
      endDate,
      currency: sums.currency,
      settlements: data,
      ...fundingTotals(sums),
      otherCurrencies: otherCurrencies.map(fundingSumsRecord),
    },
    pagination,
  };
}

const SumOut = named('CountAndAmount', Type.Object({ count: Type.Integer(), amount: Amount }));
export const SettlementStatusOut = named(
  'SettlementStatus',
  Type.Object({
    merchantId: Maybe(Type.String({ description: 'null if every merchant is covered' })),
    currency: Type.String(),
    unsettled: SumOut,
    settledUnpaid: SumOut,
    inTransit: SumOut,
    paidIn30Days: SumOut,
    paidSince: Timestamp,
    frequency: Maybe(Rule.frequency),
    nextCutoffAt: Maybe(Timestamp),
  }),
);

type Sum = SettlementSummary['unsettled'];
const sumRecord = ({ count, amount }: Sum) => ({ count, amount: toNumber(amount) });
export const settlementStatusRecord = ({ unsettled, settledUnpaid, inTransit, paidIn30Days, ...rest }: SettlementSummary) => ({
  ...rest,
  unsettled: sumRecord(unsettled),
  settledUnpaid: sumRecord(settledUnpaid),
  inTransit: sumRecord(inTransit),
  paidIn30Days: sumRecord(paidIn30Days),
});

const PayoutStatus = literals(['pending', 'processing', 'paid', 'failed']);

export const PayoutOut = named(
  'Payout',
  Type.Object({
    payoutId: Type.String(),
    merchantId: Type.String(),
    amount: Amount,
    currency: Type.String(),
    status: PayoutStatus,
    reference: Type.String({ description: 'text on the bank statement' }),
    settlements: Type.Array(Type.Object({ settlementId: Type.String(), amount: Amount })),
    paidAt: Maybe(Timestamp),
    createdAt: Timestamp,
  }),
);

export const payoutRecord = ({ amount, settlements, ...rest }: Payout) => ({
  ...rest,
  amount: toNumber(amount),
  settlements: settlements.map((part) => ({ settlementId: part.settlementId, amount: toNumber(part.amount) })),
});

/** A batch payout. */
export const BatchOut = named(
  'PayoutBatch',
  Type.Object({
    batchId: Type.String(),
    merchantId: Type.String(),
    transactionCount: Type.Integer(),
    totalAmount: Amount,
    fees: Amount,
    netAmount: Amount,
    currency: Type.String(),
    status: PayoutStatus,
    startDate: Type.String(),
    endDate: Type.String(),
    reference: Type.String(),
    settlementIds: Type.Array(Type.String()),
    note: Maybe(Type.String()),
    paidAt: Maybe(Timestamp),
    createdAt: Timestamp,
  }),
);

export const batchRecord = ({ totalAmount, fees, netAmount, ...rest }: BatchPayout) => ({
  ...rest,
  totalAmount: toNumber(totalAmount),
  fees: toNumber(fees),
  netAmount: toNumber(netAmount),
});
