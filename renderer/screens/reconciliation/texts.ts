import type { Reconciliation, ReconciliationDay, ReconciliationLine } from '#renderer/base/client';
import { locale, t } from '#renderer/base/language';
import { writeAmount, writeMoney } from '#renderer/base/money';
import { dayText } from '#renderer/kit/ui';

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
      return { state, label: t('Balanced') };
    case 'explained':
      return { state, label: explainedText(discrepancyCount) };
    case 'unsettled':
      return { state, label: t('Nothing settled') };
    case 'open': {
      const isOneCurrency = totals.every((total) => total.currency === currency);
      const outs = totals
        .filter(({ difference }) => difference !== 0)
        .map((total) => differenceText(total.difference, total.currency, isOneCurrency));
      return {
        state: 'out',
        label:
          outs.length === 0 ? unexplainedText(openCount) : t('Off by {{amounts}}', { amounts: new Intl.ListFormat(locale()).format(outs) }),
      };
    }
  }
}

const explainedText = (count: number) => t('Balanced, {{count, number}} explained', { count });
const differenceText = (difference: number, currency: string, isOne: boolean) =>
  isOne ? writeAmount(Math.abs(difference), currency) : writeMoney(Math.abs(difference), currency);

/** "3 unexplained". */
export const unexplainedText = (count: number) => t('{{count, number}} unexplained', { count });

/** Announcement after a line was resolved. */
export function resolvedAnnouncement({ discrepancyCount, openCount }: DayResult): string {
  const left = openCount - 1;
  return `${t('Resolved.')} ${left > 0 ? unexplainedText(left) : explainedText(discrepancyCount)}.`;
}

/** Returns the status and text of a day in the month strip. A settled day without a comparison is "not compared yet". */
export function dayStatus({ date, state, currency, difference, discrepancyCount, openCount, compared }: ReconciliationDay): {
  readonly state: string;
  readonly text: string;
} {
  const day = dayText(date);
  switch (state) {
    case 'balanced':
      return { state, text: t('{{day}}: balanced', { day }) };
    case 'explained':
      return { state, text: t('{{day}}: balanced, {{count, number}} explained', { day, count: discrepancyCount }) };
    case 'unsettled':
      return { state, text: t('{{day}}: nothing settled', { day }) };
    case 'open': {
      if (!compared) return { state: 'uncompared', text: t('{{day}}: settled, not compared yet', { day }) };
      const text =
        difference === null || difference === 0 || currency === null
          ? t('{{day}}: {{count, number}} unexplained', { day, count: openCount })
          : t('{{day}}: off by {{amount}}, {{count, number}} unexplained', {
              day,
              amount: differenceText(difference, currency, true),
              count: openCount,
            });
      return { state: 'out', text };
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
