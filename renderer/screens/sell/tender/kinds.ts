import type { Merchant } from '#renderer/base/client';
import { t } from '#renderer/base/language';

/** A tender that the merchant takes beside cards. */
export type TenderChoice =
  | { readonly kind: 'cash' | 'check'; readonly label: string; readonly labelInSentence: string; readonly keys: string }
  | { readonly kind: 'other'; readonly name: string; readonly label: string; readonly labelInSentence: string; readonly keys: string };

const OTHER_KEY = 'F10';

/** Returns the tenders of a merchant with their keys. Of the other tenders, the first one has a key; the rest are chosen in the dialog. */
export function tendersOf({ vtSettings: { tenders, otherTenders } }: Merchant): readonly TenderChoice[] {
  return [
    ...(tenders.includes('cash') ? [{ kind: 'cash', label: t('Cash'), labelInSentence: t('cash'), keys: 'F6' } as const] : []),
    ...(tenders.includes('check') ? [{ kind: 'check', label: t('Check'), labelInSentence: t('check'), keys: 'F3' } as const] : []),
    ...otherTenders.map(
      (name, index) =>
        ({ kind: 'other', name, label: name, labelInSentence: name.toLowerCase(), keys: index === 0 ? OTHER_KEY : '' }) as const,
    ),
  ];
}

/** Identifies a choice: its kind, or the name of another tender. */
export const idOf = (choice: TenderChoice) => (choice.kind === 'other' ? `other ${choice.name}` : choice.kind);
