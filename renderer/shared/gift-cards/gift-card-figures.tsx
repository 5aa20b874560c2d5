import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { FactList, Section } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { giftCardReportQuery, hasGiftCardsQuery } from './queries.ts';

interface GiftCardDays {
  readonly merchantId: string;
  readonly startDate: string;
  readonly endDate: string;
}

/** Figures of gift cards by name, with their amounts. */
export interface GiftCardFigureList {
  readonly currency: string;
  readonly figures: readonly (readonly [name: string, amount: number])[];
}

/**
 * Returns the figures of gift cards of the days of a close, with the amount that is owed to their holders; null if there were none, and undefined
 * until they are known.
 */
export function useGiftCardFigures({ merchantId, startDate, endDate }: GiftCardDays): GiftCardFigureList | null | undefined {
  const may = useMay();
  const mayRead = may('gift-cards:read') && may('reporting:read');
  const any = useQuery({ ...hasGiftCardsQuery(merchantId), enabled: mayRead });
  const report = useQuery({ ...giftCardReportQuery(merchantId, { startDate, endDate }, 'month'), enabled: mayRead && any.data === true });
  if (!mayRead || any.data === false || any.isError || report.isError) return null;
  // Figures of the day before are no figures of this day.
  if (report.data === undefined || report.isPlaceholderData) return undefined;
  const { totals, currency } = report.data;
  const figures: [string, number, isAlways?: boolean][] = [
    [t('Issued'), totals.issuedAmount, true],
    [t('Reloaded'), totals.reloadedAmount],
    [t('Imported'), totals.importedAmount],
    [t('Redeemed'), totals.redeemedAmount, true],
    [t('Refunded to cards'), totals.refundedAmount],
    [t('Taken back'), totals.takenBackAmount],
    [t('Expired'), totals.expiredAmount, true],
    [t('Reinstated'), totals.reinstatedAmount],
    [t('Owed at the end'), totals.openAmount, true],
  ];
  if (figures.every(([, amount]) => amount === 0)) return null;
  return { currency, figures: figures.filter(([, amount, isAlways]) => isAlways || amount !== 0).map(([name, amount]) => [name, amount]) };
}

/** Gift cards of the days of a close; nothing for a merchant without gift cards. */
export function GiftCardFigures(days: GiftCardDays) {
  const list = useGiftCardFigures(days);
  if (!list) return null;
  return (
    <Section title={t('Gift cards')}>
      <FactList facts={list.figures.map(([name, amount]) => [name, writeMoney(amount, list.currency)])} />
    </Section>
  );
}
