import type { Tender } from '#renderer/base/client';
import { t } from '#renderer/base/language';

/** Describes a tender: "Cash", "Check 1042", "Meal voucher". */
export function tenderText({
  kind,
  name,
  checkNumber,
  giftCardLastCharacters,
}: Pick<Tender, 'kind' | 'name' | 'checkNumber' | 'giftCardLastCharacters'>): string {
  if (kind === 'gift_card')
    return giftCardLastCharacters ? t('Gift card {{characters}}', { characters: giftCardLastCharacters }) : t('Store credit');
  if (kind === 'cash') return t('Cash');
  if (kind === 'check') return checkNumber ? t('Check {{number}}', { number: checkNumber }) : t('Check');
  return name ?? t('Other');
}
