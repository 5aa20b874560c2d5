import type { PaymentFacts } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { cardText } from '#renderer/base/payment-methods';
import { lastFourText } from '#shared/card-brands';

/** Returns the payment method, such as "Visa ••1111" or "Checking ••6789". */
export function paidWith({
  card,
  bankAccount,
}: Pick<PaymentFacts, 'bankAccount'> & { readonly card: Pick<NonNullable<PaymentFacts['card']>, 'brand' | 'last4'> | null }): string {
  if (card) return cardText(card);
  if (bankAccount) return `${bankAccount.bankName ?? accountName(bankAccount.accountType)} ${lastFourText(bankAccount.last4)}`;
  return '';
}

function accountName(accountType: string): string {
  return accountType === 'savings' ? t('Savings') : t('Checking', { context: 'account' });
}
