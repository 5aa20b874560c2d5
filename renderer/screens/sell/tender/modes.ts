import type { Merchant } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { SaleMode, TenderMode } from '../form/form.ts';

const OTHER = 'other:';

/** Returns the tenders that a merchant takes beside cards. */
export function tenderModes({ vtSettings: { tenders, otherTenders } }: Merchant): readonly TenderMode[] {
  return [
    ...(['cash', 'check'] as const).filter((kind) => tenders.includes(kind)),
    ...otherTenders.map((name) => `${OTHER}${name}` as const),
  ];
}

/** Returns the merchant's name of another tender; null for every other payment method. */
export const otherName = (mode: SaleMode): string | null => (mode.startsWith(OTHER) ? mode.slice(OTHER.length) : null);

/** Returns the name of a tender within a sentence. */
export function tenderInSentence(mode: TenderMode): string {
  if (mode === 'cash') return t('cash');
  return mode === 'check' ? t('check') : (otherName(mode) ?? '').toLowerCase();
}
