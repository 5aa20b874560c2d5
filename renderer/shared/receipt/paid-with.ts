import type { PaymentFacts } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { brandName } from '#shared/card-brands';

const SHORT_BRANDS: Readonly<Record<string, string>> = { amex: 'Amex' };

/** Returns the payment method, such as "Visa ••1111" or "Checking ••6789". */
export function paidWith({
  card,
  bankAccount,
}: Pick<PaymentFacts, 'bankAccount'> & { readonly card: Pick<NonNullable<PaymentFacts['card']>, 'brand' | 'last4'> | null }): string {
  if (card) return `${SHORT_BRANDS[card.brand.toLowerCase()] ?? brandName(card.brand)} ••${card.last4}`;
  if (bankAccount) return `${bankAccount.bankName ?? accountName(bankAccount.accountType)} ••${bankAccount.last4}`;
  return '';
}

function accountName(accountType: string): string {
  return accountType === 'savings' ? t('Savings') : t('Checking', { context: 'account' });
}
