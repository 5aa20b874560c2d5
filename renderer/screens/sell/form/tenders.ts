import type { Merchant } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { SaleMode, TenderMode } from './form.ts';

const OTHER = 'other:';

/** Returns the tenders that a merchant takes beside cards; gift cards as soon as there are any. */
export function tenderModes({ vtSettings: { tenders, otherTenders } }: Merchant, hasGiftCards: boolean): readonly TenderMode[] {
  return [
    ...(['cash', 'check'] as const).filter((kind) => tenders.includes(kind)),
    ...(hasGiftCards ? (['gift_card'] as const) : []),
    ...otherTenders.map((name) => `${OTHER}${name}` as const),
  ];
}

/** Returns the merchant's name of another tender; null for every other payment method. */
export const otherName = (mode: SaleMode): string | null => (mode.startsWith(OTHER) ? mode.slice(OTHER.length) : null);

/** Returns the name of a tender within a sentence. */
export function tenderInSentence(mode: TenderMode): string {
  if (mode === 'cash') return t('cash');
  if (mode === 'gift_card') return t('gift card');
  return mode === 'check' ? t('check') : (otherName(mode) ?? '').toLowerCase();
}
