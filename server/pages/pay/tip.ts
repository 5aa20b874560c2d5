import type { TipChoice } from '#core/billing/invoicing';
import type { PayView } from './view.ts';

/** Tip as the form has it: empty, a suggested percentage, or `custom` with an amount. */
export interface TipValues {
  readonly tip: string;
  readonly tipAmount: string;
}

/** Value of the field `tip` with which the payer enters an amount. */
export const CUSTOM_TIP = 'custom';

/** Returns true if the page offers the tip of a form. */
export function isTipOffered({ tip }: Pick<TipValues, 'tip'>, { tips }: Pick<PayView, 'tips'>): boolean {
  if (tip === '') return true;
  return tip === CUSTOM_TIP ? tips?.takesAmount === true : tips?.suggested.some(({ percent }) => percent === tip) === true;
}

export function tipChoice({ tip, tipAmount }: TipValues): TipChoice | undefined {
  if (tip === '') return undefined;
  return tip === CUSTOM_TIP ? { amount: tipAmount } : { percent: Number(tip) };
}
