import { t } from '#renderer/base/language';
import { brandName, lastFourText } from '#shared/card-brands';

/** Brands whose name is too long for a column. */
const SHORT_BRANDS: Readonly<Record<string, string>> = { amex: 'Amex' };

/** "Visa ••1111", "Amex ••0005". */
export const cardText = ({ brand, last4 }: { readonly brand: string | null; readonly last4: string }): string =>
  `${SHORT_BRANDS[brand?.toLowerCase() ?? ''] ?? brandName(brand ?? t('Card'))} ${lastFourText(last4)}`;

/** "Bank account ••6789". */
export const accountText = ({ last4 }: { readonly last4: string }): string => `${t('Bank account')} ${lastFourText(last4)}`;

interface StoredMethod {
  readonly type: string;
  readonly brand: string | null;
  readonly last4: string;
}

/** Returns a stored card or bank account as every screen writes it. */
export const methodText = (method: StoredMethod): string => (method.type === 'ach' ? accountText(method) : cardText(method));
