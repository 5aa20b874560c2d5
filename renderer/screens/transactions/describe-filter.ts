import { dayText } from '#renderer/ui';
import { periodText } from './date-chips.tsx';
import { type TransactionFilter, WORD_FILTERS } from './filter.ts';

/** The filter in one line: “1111”, Status: Declined, Today. */
export function describeFilter(filter: TransactionFilter): string {
  const words = WORD_FILTERS.flatMap(({ key, label, options }) => {
    const name = options.find(({ value }) => value === filter[key])?.name;
    return name ? [`${label}: ${name}`] : [];
  });
  const settled = filter.settlementDate && `Settled on ${dayText(filter.settlementDate)}`;
  return [filter.q && `“${filter.q}”`, periodText(filter), ...words, settled].filter(Boolean).join(', ');
}
