import { type Money, money, storedCurrency } from '#core/kernel';
import { brandOfDigits } from '#core/records/vault';
import { surchargeOn } from '#shared/surcharge';
import type { ReaderAction } from '#shared/terminals';
import type { ChargedAmount } from '../outcome.ts';
import type { AllowedChanges } from '../terminals.ts';
import { sandboxFundingOf } from './cards.ts';
import type { DialogRow } from './ledger.ts';
import type { ReaderScreen } from './records.ts';

type Dialog = NonNullable<ReaderScreen['dialog']>;

/** Changes of the amount that a dialog allows, as it stores them. */
interface StoredChanges extends AllowedChanges {
  /** Amount on which a surcharge is computed. */
  readonly baseMinor: number;
}

export const changesOf = ({ changes }: DialogRow): Partial<StoredChanges> =>
  changes === null ? {} : (JSON.parse(changes) as StoredChanges);

/** Returns what a waiting reader asks for, with the tip that was chosen. */
export function waitingFor(dialog: DialogRow): { readonly step: 'choosing_tip' | 'waiting_for_card'; readonly tip?: Money } {
  const { tip } = changesOf(dialog);
  if (tip === undefined) return { step: 'waiting_for_card' };
  if (dialog.tip_minor === null) return { step: 'choosing_tip' };
  return { step: 'waiting_for_card', tip: money(dialog.tip_minor, storedCurrency(dialog.currency)) };
}

/** Returns the surcharge for a card: a credit card has the percentage of its brand. */
export function surchargeFor(dialog: DialogRow, number: string): number {
  const { surchargePercents, baseMinor = 0 } = changesOf(dialog);
  const percent = sandboxFundingOf(number) === 'credit' ? (surchargePercents?.[brandOfDigits(number)] ?? 0) : 0;
  return surchargeOn(baseMinor, percent);
}

const totalOf = ({ amount_minor, tip_minor, surcharge_minor }: DialogRow) => amount_minor + (tip_minor ?? 0) + (surcharge_minor ?? 0);

export function chargedOf(dialog: DialogRow, amountMinor: number): ChargedAmount {
  const amountIn = (minor: number) => money(minor, storedCurrency(dialog.currency));
  return { amount: amountIn(amountMinor), tip: amountIn(dialog.tip_minor ?? 0), surcharge: amountIn(dialog.surcharge_minor ?? 0) };
}

/** Returns the amounts on the screen of a reader. */
export function shownAmounts(dialog: DialogRow): Pick<Dialog, 'amount' | 'tipChoices' | 'tipAmount' | 'surchargeAmount'> {
  const { tip } = changesOf(dialog);
  const amountIn = (minor: number) => money(minor, storedCurrency(dialog.currency));
  const shown = (minor: number | null) => (minor === null ? null : amountIn(minor));
  const isChoosing = dialog.state === 'waiting' && waitingFor(dialog).step === 'choosing_tip';
  const choices = tip?.percents.map((percent) => Math.min(surchargeOn(dialog.amount_minor, percent), tip.max.minor)) ?? [];
  return {
    amount: amountIn(totalOf(dialog)),
    tipChoices: isChoosing ? choices.map(amountIn) : null,
    tipAmount: shown(dialog.tip_minor),
    surchargeAmount: shown(dialog.surcharge_minor),
  };
}

/** Returns the amount that the processor charges: with `part` a half, and with `other_amount` one that Paydesk did not ask for. */
export function amountCharged(dialog: DialogRow, way?: ReaderAction): number {
  const total = totalOf(dialog);
  if (dialog.operation === 'verification') return total;
  if (way === 'part') return Math.trunc(total / 2);
  return way === 'other_amount' ? total + 1 : total;
}
