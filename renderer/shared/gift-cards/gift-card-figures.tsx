import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { FactList, Section } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { giftCardReportQuery, hasGiftCardsQuery } from './queries.ts';

interface GiftCardFiguresProps {
  readonly merchantId: string;
  readonly startDate: string;
  readonly endDate: string;
}

/** Gift cards of the days of a close, with the amount that is owed to their holders; nothing for a merchant without gift cards. */
export function GiftCardFigures({ merchantId, startDate, endDate }: GiftCardFiguresProps) {
  const may = useMay();
  const { data: hasGiftCards } = useQuery({ ...hasGiftCardsQuery(merchantId), enabled: may('gift-cards:read') });
  const enabled = hasGiftCards === true && may('reporting:read');
  const { data } = useQuery({ ...giftCardReportQuery(merchantId, { startDate, endDate }, 'month'), enabled });
  if (data === undefined) return null;
  const { totals, currency } = data;
  const money = (amount: number) => writeMoney(amount, currency);
  return (
    <Section title={t('Gift cards')}>
      <FactList
        facts={[
          [t('Issued'), money(totals.issuedAmount)],
          [t('Reloaded'), totals.reloadedAmount > 0 && money(totals.reloadedAmount)],
          [t('Redeemed'), money(totals.redeemedAmount)],
          [t('Refunded to cards'), totals.refundedAmount > 0 && money(totals.refundedAmount)],
          [t('Expired'), money(totals.expiredAmount)],
          [t('Owed at the end'), money(totals.openAmount)],
        ]}
      />
    </Section>
  );
}
