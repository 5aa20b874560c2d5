import type { Reconciliation, ReconciliationDay, ReconciliationLine } from '#renderer/client';
import { toMinor, writeAmount, writeMoney } from '#renderer/money';
import { dayText } from '#renderer/ui';

/** State of a day with its label. */
interface Verdict {
  readonly state: 'balanced' | 'explained' | 'out' | 'unsettled';
  readonly word: string;
}

type Standing = Pick<Reconciliation, 'state' | 'currency' | 'totals' | 'discrepancyCount' | 'openCount'>;

/** "Balanced", "Out by 1.00", "Balanced, 3 explained": never balanced while anything is open. */
export function verdictOf({ state, currency, totals, discrepancyCount, openCount }: Standing): Verdict {
  switch (state) {
    case 'balanced':
      return { state, word: 'Balanced' };
    case 'explained':
      return { state, word: explainedWord(discrepancyCount) };
    case 'unsettled':
      return { state, word: 'Nothing settled' };
    case 'open': {
      const isOne = totals.every((total) => total.currency === currency);
      const outs = totals.filter(({ difference }) => difference !== 0).map((total) => sizeOf(total.difference, total.currency, isOne));
      return { state: 'out', word: outs.length === 0 ? leftWord(openCount) : `Out by ${outs.join(' and ')}` };
    }
  }
}

const explainedWord = (count: number) => `Balanced, ${count} explained`;
const sizeOf = (difference: number, currency: string, isOne: boolean) =>
  isOne ? writeAmount(Math.abs(difference), currency) : writeMoney(Math.abs(difference), currency);

/** "3 to explain". */
export const leftWord = (count: number) => `${count} to explain`;

/** Announcement after a line was resolved. */
export function afterwards({ discrepancyCount, openCount }: Standing): string {
  const left = openCount - 1;
  return left > 0 ? `Resolved. ${leftWord(left)}.` : `Resolved. ${explainedWord(discrepancyCount)}.`;
}

/** A day of the strip, as a state and in words. A day that is settled and was not compared since is not yet judged. */
export function dayLook({ date, state, currency, difference, discrepancyCount, openCount, compared }: ReconciliationDay): {
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
      const out = difference === null || difference === 0 || currency === null ? '' : `out by ${sizeOf(difference, currency, true)}, `;
      return { state: 'out', text: `${day}: ${out}${leftWord(openCount)}` };
    }
  }
}

/** Subject of a line, for the list and the address. */
export const subjectOf = ({ refundId, transactionId, settlementReference }: ReconciliationLine) =>
  refundId ?? transactionId ?? settlementReference ?? '';

/** A line with a key that stays the same when the day is compared again. */
export interface KeyedLine extends ReconciliationLine {
  readonly key: string;
}

export function keyed(lines: readonly ReconciliationLine[]): KeyedLine[] {
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
  const what = line.kind === 'refund' ? 'refund' : 'payment';
  switch (line.type) {
    case 'matched':
      return null;
    case 'missing_in_settlement':
      return {
        brief: `The processor does not report this ${what}`,
        long: `The processor does not report this ${what}. It may come with its next report; if it does not, ask the processor for it.`,
        note: 'Not in the report of this day; asked the processor for it.',
      };
    case 'missing_in_transactions':
      return line.transactionId === null
        ? {
            brief: `Nobody here knows this ${what}`,
            long: `The processor reports a ${what} that is not on record here. It may have been made outside of Paydesk, with the processor itself or another till.`,
            note: 'Made outside of Paydesk.',
          }
        : {
            brief: line.kind === 'refund' ? 'Refunded by the processor, not here' : 'Taken by the processor, not captured here',
            long: `The processor reports a ${what} of a transaction that is on record here without it. An answer of the processor may have been lost, or a void may have come too late.`,
            note: 'The processor carried it out; put right with the processor.',
          };
    case 'amount_mismatch':
      return amountCause(line, what);
    case 'duplicate':
      return duplicateCause(line, what);
  }
}

function amountCause({ difference, currency, kind }: ReconciliationLine, what: string): Cause {
  const size = writeAmount(Math.abs(difference), currency);
  const isLess = kind === 'refund' ? difference < 0 : difference > 0;
  return isLess
    ? {
        brief: `Settled ${size} less than was ${kind === 'refund' ? 'refunded' : 'captured'}`,
        long: `The processor settled ${size} less than this ${what}. A fee may have been kept back, or only a part was taken.`,
        note: `The processor kept back ${size}.`,
      }
    : {
        brief: `Settled ${size} more than was ${kind === 'refund' ? 'refunded' : 'captured'}`,
        long: `The processor settled ${size} more than this ${what}. The amount may have been corrected on its side.`,
        note: `The processor settled ${size} too much; told the processor.`,
      };
}

function duplicateCause({ transactionAmount, settledAmount, currency }: ReconciliationLine, what: string): Cause {
  const ours = transactionAmount === null ? 0 : toMinor(transactionAmount, currency);
  const times = ours === 0 || settledAmount === null ? 0 : toMinor(settledAmount, currency) / ours;
  const often = times === 2 ? 'twice' : Number.isInteger(times) && times > 2 ? `${times} times` : 'more than once';
  return {
    brief: `The processor reports it ${often}`,
    long: `The processor reports this ${what} ${often}. It was probably sent again after a lost answer; what is too much has to go back.`,
    note: `Reported ${often}; told the processor.`,
  };
}
