import type { DailySummary } from '#renderer/client';

/** Returns tips, surcharges and tax of a day, as far as there are any. */
export function includedParts({ tipsAmount, surchargesAmount, taxesAmount }: DailySummary): { name: string; amount: number }[] {
  return [
    { name: 'Tips', amount: tipsAmount },
    { name: 'Surcharges', amount: surchargesAmount },
    { name: 'Sales tax', amount: taxesAmount },
  ].filter(({ amount }) => amount !== 0);
}
