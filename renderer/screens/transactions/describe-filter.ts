import { t } from '#renderer/base/language';
import { dayText, sentenceCase } from '#renderer/kit/ui';
import { daysText } from '#renderer/session/date-entry';
import { BRAND_OPTIONS } from './brand-options.ts';
import { OPTION_FILTERS, type TransactionFilter } from './filter.ts';
import { PERIOD_OPTIONS } from './period.ts';

/** Describes the filter in one line: “1111”, Status: Declined, Today. */
export function describeFilter(filter: TransactionFilter): string {
  const optionTexts = OPTION_FILTERS.flatMap(({ key, label, options }) => {
    const name = options.find(({ value }) => value === filter[key])?.name;
    return name ? [`${label}: ${name}`] : [];
  });
  const settled = filter.settlementDate && t('Settled on {{day}}', { day: dayText(filter.settlementDate) });
  const brand = BRAND_OPTIONS.find(({ value }) => value === filter.brand)?.name;
  const declined = filter.declineCode && t('Decline: {{reason}}', { reason: sentenceCase(filter.declineCode) });
  const captured = daysText({ startDate: filter.capturedFrom, endDate: filter.capturedTo });
  const refunded = daysText({ startDate: filter.refundedFrom, endDate: filter.refundedTo });
  return [
    filter.q && `“${filter.q}”`,
    daysText(filter, PERIOD_OPTIONS),
    ...optionTexts,
    brand,
    declined,
    captured && t('Captured {{days}}', { days: captured }),
    refunded && t('Refunded {{days}}', { days: refunded }),
    settled,
    filter.shiftId && t('the chosen shift'),
    filter.settlementId && t('Settlement {{id}}', { id: filter.settlementId }),
  ]
    .filter(Boolean)
    .join(', ');
}
