import type { DailySummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';

/** Returns tips, surcharges and tax of a day, as far as there are any. */
export function includedParts({ tipsAmount, surchargesAmount, taxesAmount }: DailySummary): { name: string; amount: number }[] {
  return [
    { name: t('Tips'), amount: tipsAmount },
    { name: t('Surcharges'), amount: surchargesAmount },
    { name: t('Sales tax'), amount: taxesAmount },
  ].filter(({ amount }) => amount !== 0);
}
