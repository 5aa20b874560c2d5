import type { PeriodClose } from '#renderer/client';
import type { Figure, Side } from './queries.ts';

export const FIGURE_NAMES: Readonly<Record<Figure['name'], string>> = {
  sales: 'Settled sales less refunds',
  disputes: 'Disputes',
  fees: 'Fees',
  payouts: 'Paid out',
  bank: 'Bank account',
};
export const SIDE_NAMES: Readonly<Record<Side, string>> = { ledger: 'Paydesk', processor: 'Processor', bank: 'Bank' };

type Blocker = PeriodClose['blockers'][number];
const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Returns what must be done before a period can be closed, and where. */
export function blockerText({ kind, count }: Blocker): { text: string; to: string | null } {
  switch (kind) {
    case 'not_over':
      return { text: 'The period isn’t over yet.', to: null };
    case 'settling':
      return { text: 'A settlement of the period is still being made.', to: '/settlement' };
    case 'not_compared':
      return { text: `${counted(count, 'day is', 'days are')} being compared with the processor.`, to: null };
    case 'discrepancies':
      return { text: `${counted(count, 'discrepancy', 'discrepancies')} with the processor`, to: '/reconciliation' };
    case 'missing_payouts':
      return { text: `${counted(count, 'payout')} missing at the bank`, to: '/reconciliation/bank' };
    case 'statement_missing':
      return { text: `${counted(count, 'payout')} after the last bank statement. Import a newer statement.`, to: '/reconciliation/bank' };
    default:
      return { text: `${counted(count, 'bank line')} without a match`, to: '/reconciliation/bank' };
  }
}

/** Returns the address of a line of a figure; null if it has no page of its own. */
export function lineAddress({ kind, id }: { kind: string; id: string }): string | null {
  if (kind === 'settlement' || kind === 'payout') return `/settlement/${id}`;
  if (kind === 'comparison') return `/reconciliation/${id}`;
  if (kind === 'bank_line' || kind === 'match' || kind === 'movement') return `/reconciliation/bank?state=matched&line=${id}`;
  return null;
}
