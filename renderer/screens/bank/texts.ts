import type { BankLine, BankMatchBody } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';

export type PartKind = BankMatchBody['parts'][number]['kind'];
type Part = NonNullable<BankLine['suggestion']>['parts'][number];

/** Names of the explanations of a line. */
export const KIND_NAMES: Readonly<Record<PartKind, string>> = {
  payout: t('Payout'),
  fee: t('Processing fee'),
  chargeback: t('Chargeback'),
  own: t('Own transfer'),
  ignore: t('Unrelated to payments'),
};

/** Returns a part as text: "Payout ABCDEFGH23, fee 2.00 USD withheld". */
export function partText({ kind, payout, fee }: Pick<Part, 'kind' | 'payout' | 'fee'>, currency: string): string {
  const name = payout ? t('Payout {{reference}}', { reference: payout.reference }) : KIND_NAMES[kind];
  return fee > 0 ? `${name}, ${t('fee {{amount}} withheld', { amount: writeMoney(fee, currency) })}` : name;
}

const REASONS: Readonly<Record<NonNullable<BankLine['suggestion']>['reason'], string>> = {
  reference: t('The line names the payout’s reference.'),
  amount: t('The amount is equal, within five business days.'),
  sum: t('These payouts sum to the amount.'),
  fee: t('The payout is higher by a withheld fee.'),
  rule: t('A rule applies to the text.'),
  duplicate: t('Another bank line has this payout already. Ask the bank whether it was credited twice.'),
  amount_differs: t('The line names a payout of another amount. Check whether references were exchanged.'),
};

/** Returns the reason of a suggestion in one sentence. */
export function reasonText({ reason, ambiguous }: NonNullable<BankLine['suggestion']>): string {
  return ambiguous ? `${REASONS[reason]} ${t('Other payouts fit as well.')}` : REASONS[reason];
}

/** Returns a suggestion in a few words, for the list. */
export function briefText({ suggestion, currency, matches }: BankLine): string {
  if (matches.length > 0) return matches.map((part) => partText(part, currency)).join('; ');
  if (!suggestion) return '';
  if (suggestion.reason === 'duplicate') return t('Credited twice?');
  if (suggestion.reason === 'amount_differs')
    return t('Other amount than payout {{reference}}', { reference: suggestion.payouts[0]?.reference ?? '' });
  return suggestion.parts.map((part) => partText(part, currency)).join('; ');
}

/** Returns the parts of a suggestion as a request; undefined if it needs a decision. */
export function acceptedParts({ suggestion }: BankLine): BankMatchBody['parts'] | undefined {
  if (!suggestion || suggestion.parts.length === 0) return undefined;
  return suggestion.parts.map(({ kind, payout, amount, fee }) => ({
    kind,
    amount: Math.abs(amount),
    ...(payout ? { payoutId: payout.payoutId } : {}),
    ...(fee > 0 ? { fee } : {}),
  }));
}
