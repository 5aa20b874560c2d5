import type { Reconciliation, ReconciliationDay, ReconciliationLine } from '#renderer/client';
import { toMinor, writeAmount, writeMoney } from '#renderer/money';
import { dayText } from '#renderer/ui';

/** State of a day with its label. */
interface Verdict {
  readonly state: 'balanced' | 'explained' | 'out' | 'unsettled';
  readonly label: string;
}

type DayResult = Pick<Reconciliation, 'state' | 'currency' | 'totals' | 'discrepancyCount' | 'openCount'>;

/** Returns the status of a day: "Balanced", "Off by 1.00", "Balanced, 3 explained". A day with an unexplained line is never balanced. */
export function verdictOf({ state, currency, totals, discrepancyCount, openCount }: DayResult): Verdict {
  switch (state) {
    case 'balanced':
      return { state, label: 'Balanced' };
    case 'explained':
      return { state, label: explainedText(discrepancyCount) };
    case 'unsettled':
      return { state, label: 'Nothing settled' };
    case 'open': {
      const isOneCurrency = totals.every((total) => total.currency === currency);
      const outs = totals
        .filter(({ difference }) => difference !== 0)
        .map((total) => differenceText(total.difference, total.currency, isOneCurrency));
      return { state: 'out', label: outs.length === 0 ? unexplainedText(openCount) : `Off by ${outs.join(' and ')}` };
    }
  }
}

const explainedText = (count: number) => `Balanced, ${count} explained`;
const differenceText = (difference: number, currency: string, isOne: boolean) =>
  isOne ? writeAmount(Math.abs(difference), currency) : writeMoney(Math.abs(difference), currency);

/** "3 unexplained". */
export const unexplainedText = (count: number) => `${count} unexplained`;

/** Announcement after a line was resolved. */
export function resolvedAnnouncement({ discrepancyCount, openCount }: DayResult): string {
  const left = openCount - 1;
  return left > 0 ? `Resolved. ${unexplainedText(left)}.` : `Resolved. ${explainedText(discrepancyCount)}.`;
}

/** Returns the status and text of a day in the month strip. A settled day without a comparison is "not compared yet". */
export function dayStatus({ date, state, currency, difference, discrepancyCount, openCount, compared }: ReconciliationDay): {
  readonly state: string;
  readonly text: string;
} {
  const day = dayText(date);
  switch (state) {
    case 'balanced':
      return { state, text: `${day}: balanced` };
    case 'explained':
      return { state, text: `${day}: balanced, ${discrepancyCount} explained` };
    case 'unsettled':
      return { state, text: `${day}: nothing settled` };
    case 'open': {
      if (!compared) return { state: 'uncompared', text: `${day}: settled, not compared yet` };
      const out =
        difference === null || difference === 0 || currency === null ? '' : `off by ${differenceText(difference, currency, true)}, `;
      return { state: 'out', text: `${day}: ${out}${unexplainedText(openCount)}` };
    }
  }
}

/** Subject of a line, for the list and the address. */
export const subjectOf = ({ refundId, transactionId, settlementReference }: ReconciliationLine) =>
  refundId ?? transactionId ?? settlementReference ?? '';

/** A line with a key that is stable when the day is compared again. */
export interface KeyedLine extends ReconciliationLine {
  readonly key: string;
}

export function withKeys(lines: readonly ReconciliationLine[]): KeyedLine[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const name = `${line.kind}.${subjectOf(line)}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return { ...line, key: count === 0 ? name : `${name}.${count}` };
  });
}

/** Probable cause of a difference: a short and a long text, and a note to accept. */
interface Cause {
  readonly brief: string;
  readonly long: string;
  readonly note: string;
}

export function causeOf(line: ReconciliationLine): Cause | null {
  if (line.kind === 'chargeback') return chargebackCause(line);
  const what = line.kind === 'refund' ? 'refund' : 'payment';
  switch (line.type) {
    case 'matched':
      return null;
    case 'missing_in_settlement':
      return {
        brief: `The processor didn’t report this ${what}`,
        long: `The processor didn’t report this ${what}. It may be in the next report; if not, ask the processor.`,
        note: 'Not in the report of this day; asked the processor.',
      };
    case 'missing_in_transactions':
      return line.transactionId === null
        ? {
            brief: `This ${what} isn’t in Paydesk`,
            long: `The processor reports a ${what} that isn’t in Paydesk. It may have been made outside of Paydesk, directly with the processor or in other software.`,
            note: 'Made outside of Paydesk.',
          }
        : {
            brief: line.kind === 'refund' ? 'Refunded at the processor, not in Paydesk' : 'Captured at the processor, not in Paydesk',
            long: `The processor reports a ${what} that Paydesk didn’t record for this transaction. A response may have been lost, or a void may have come too late.`,
            note: 'Processed at the processor; corrected with the processor.',
          };
    case 'amount_mismatch':
      return amountCause(line, what);
    case 'duplicate':
      return duplicateCause(line, what);
  }
}

/** Chargebacks without a dispute: those of unknown payments, and those that contradict a dispute. */
const chargebackCause = ({ transactionId }: ReconciliationLine): Cause =>
  transactionId === null
    ? {
        brief: 'Charged back at the processor, payment not in Paydesk',
        long: 'The processor reports a chargeback, or its reversal, of a payment that isn’t in Paydesk. The payment may have been made in other software.',
        note: 'Payment made outside of Paydesk; handled there.',
      }
    : {
        brief: 'Chargeback that doesn’t fit the dispute',
        long: 'The processor reports a chargeback, or its reversal, that contradicts the dispute of this payment. Compare the dispute with the processor’s case, and record the decision.',
        note: 'Compared with the processor’s case; dispute corrected.',
      };

function amountCause({ difference, currency, kind }: ReconciliationLine, what: string): Cause {
  const size = writeAmount(Math.abs(difference), currency);
  const isLess = kind === 'refund' ? difference < 0 : difference > 0;
  return isLess
    ? {
        brief: `Settled ${size} less than was ${kind === 'refund' ? 'refunded' : 'captured'}`,
        long: `The processor settled ${size} less than this ${what}. It may have deducted a fee or captured only a part.`,
        note: `The processor deducted ${size}.`,
      }
    : {
        brief: `Settled ${size} more than was ${kind === 'refund' ? 'refunded' : 'captured'}`,
        long: `The processor settled ${size} more than this ${what}. The processor may have corrected the amount.`,
        note: `The processor settled ${size} too much; reported to the processor.`,
      };
}

function duplicateCause({ transactionAmount, settledAmount, currency }: ReconciliationLine, what: string): Cause {
  const ours = transactionAmount === null ? 0 : toMinor(transactionAmount, currency);
  const times = ours === 0 || settledAmount === null ? 0 : toMinor(settledAmount, currency) / ours;
  const repetition = times === 2 ? 'twice' : Number.isInteger(times) && times > 2 ? `${times} times` : 'more than once';
  return {
    brief: `Reported ${repetition} by the processor`,
    long: `The processor reports this ${what} ${repetition}. It was probably sent again after a lost response; the excess must be returned.`,
    note: `Reported ${repetition}; asked the processor to correct it.`,
  };
}
