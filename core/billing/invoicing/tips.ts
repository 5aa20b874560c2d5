import { type Money, parseMoneyOrZero, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { InvoiceRow } from './schema.ts';

/** Tips that a pay page offers. */
export interface TipOffer {
  /** Suggested percentages of the amount to pay, as the merchant ordered them. */
  readonly percents: readonly number[];
  /** True if the payer may enter an amount. */
  readonly takesAmount: boolean;
}

/** Tip that the payer chose on the page: a suggested percentage, or an amount in major units. */
export type TipChoice = { readonly percent: number } | { readonly amount: string };

const PERCENT = 100n;

/** Choice of a link whether its page asks for a tip; `default` follows the setting of the merchant. */
export const ASK_FOR_TIP = ['default', 'yes', 'no'] as const;
export type AskForTip = (typeof ASK_FOR_TIP)[number];

/** Returns the tips that the page of an invoice or a link offers; null for none. */
export function tipOfferOf(merchant: Merchant, { kind, ask_for_tip }: Pick<InvoiceRow, 'kind' | 'ask_for_tip'>): TipOffer | null {
  const { pageTips, tipPercents, tipCustomAmount } = merchant.amountSettings;
  const byMerchant = pageTips === 'links_and_invoices' || (pageTips === 'links' && kind === 'link');
  const isAsked = ask_for_tip === null ? byMerchant : ask_for_tip === 'yes';
  if (!isAsked || !hasTipChoice(merchant)) return null;
  return { percents: tipPercents, takesAmount: tipCustomAmount };
}

const hasTipChoice = ({ amountSettings: { tipPercents, tipCustomAmount } }: Merchant) => tipCustomAmount || tipPercents.length > 0;

/** Returns whether a new link asks for a tip, as it is stored. @throws ServiceError VALIDATION_ERROR if the settings of the merchant contain no tip to choose. */
export function askForTipFrom(requested: AskForTip | undefined, merchant: Merchant): InvoiceRow['ask_for_tip'] {
  if (requested === undefined || requested === 'default') return null;
  if (requested === 'no' || hasTipChoice(merchant)) return requested;
  throw new ServiceError(
    'VALIDATION_ERROR',
    'The page has no tip to choose. Set `tipPercents` or `tipCustomAmount` in `amount-settings` first.',
    {
      field: 'askForTip',
    },
  );
}

/** Returns a percentage of an amount in minor units, rounded half up. */
export function tipOnAmount(amountMinor: number, percent: number): number {
  return Number((BigInt(amountMinor) * BigInt(percent) + PERCENT / 2n) / PERCENT);
}

/**
 * Returns the tip that a payer adds to an amount, in minor units. @throws ServiceError VALIDATION_ERROR for a tip that the page does not offer,
 * INVALID_AMOUNT for a tip above the amount.
 */
export function tipOf(choice: TipChoice | undefined, offer: TipOffer | null, amount: Money): number {
  if (choice === undefined) return 0;
  if ('percent' in choice && offer?.percents.includes(choice.percent)) return tipOnAmount(amount.minor, choice.percent);
  if (!('amount' in choice && offer?.takesAmount))
    throw new ServiceError('VALIDATION_ERROR', 'This page does not offer this tip.', { field: 'tip' });
  const tip = parseMoneyOrZero(choice.amount, amount.currency, 'tipAmount').minor;
  if (tip <= amount.minor) return tip;
  throw new ServiceError('INVALID_AMOUNT', 'The tip exceeds the amount to pay.', { field: 'tipAmount' });
}
