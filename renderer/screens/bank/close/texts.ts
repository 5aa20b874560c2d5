import type { PeriodClose } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { Figure, Side } from './queries.ts';

export const FIGURE_NAMES: Readonly<Record<Figure['name'], string>> = {
  sales: t('Settled sales less refunds'),
  disputes: t('Disputes'),
  fees: t('Fees'),
  payouts: t('Paid out'),
  bank: t('Bank account'),
};
export const SIDE_NAMES: Readonly<Record<Side, string>> = { ledger: 'Paydesk', processor: t('Processor'), bank: t('Bank') };

type Blocker = PeriodClose['blockers'][number];

/** Returns what must be done before a period can be closed, and where. */
export function blockerText({ kind, count }: Blocker): { text: string; to: string | null } {
  switch (kind) {
    case 'not_over':
      return { text: t('The period isn’t over yet.'), to: null };
    case 'settling':
      return { text: t('A settlement of the period is still being made.'), to: '/settlement' };
    case 'not_compared':
      return { text: t('{{count, number}} days are being compared with the processor.', { count }), to: null };
    case 'discrepancies':
      return { text: t('{{count, number}} discrepancies with the processor', { count }), to: '/reconciliation' };
    case 'missing_payouts':
      return { text: t('{{count, number}} payouts missing at the bank', { count }), to: '/reconciliation/bank' };
    case 'statement_missing':
      return {
        text: t('{{count, number}} payouts after the last bank statement. Import a newer statement.', { count }),
        to: '/reconciliation/bank',
      };
    default:
      return { text: t('{{count, number}} bank lines without a match', { count }), to: '/reconciliation/bank' };
  }
}

/** Returns the address of a line of a figure; null if it has no page of its own. */
export function lineAddress({ kind, id }: { kind: string; id: string }): string | null {
  if (kind === 'settlement' || kind === 'payout') return `/settlement/${id}`;
  if (kind === 'comparison') return `/reconciliation/${id}`;
  if (kind === 'bank_line' || kind === 'match' || kind === 'movement') return `/reconciliation/bank?state=matched&line=${id}`;
  return null;
}
