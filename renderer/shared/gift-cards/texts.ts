import type { GiftCard, GiftCardDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';

/** Names a card by the last characters of its code: "Gift card 7K2M". */
export const cardName = ({ lastCharacters }: Pick<GiftCard, 'lastCharacters'>): string =>
  lastCharacters === null ? t('Store credit') : t('Gift card {{characters}}', { characters: lastCharacters });

const ENTRIES: Readonly<Record<GiftCardDetail['entries'][number]['kind'], string>> = {
  sold: t('Sold'),
  taken_back: t('Taken back by a refund'),
  given: t('Given'),
  redeemed: t('Payment'),
  refunded: t('Refund'),
  moved_in: t('Moved from another card'),
  moved_out: t('Moved to another card'),
  expired: t('Expired'),
  reinstated: t('Reinstated'),
};
export const entryText = (kind: GiftCardDetail['entries'][number]['kind']): string => ENTRIES[kind];
