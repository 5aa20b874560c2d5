import type { BankLine, BankMatchBody } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { fromMinor, toMinor, writeMoney } from '#renderer/base/money';
import { dayText } from '#renderer/kit/ui';

export type PartKind = BankMatchBody['parts'][number]['kind'];
export type Part = NonNullable<BankLine['suggestion']>['parts'][number];

/** Returns the ID of the shift, check or refund of a deposit. */
export const depositId = ({ shiftId, tenderId, refundId }: Pick<NonNullable<Part['deposit']>, 'shiftId' | 'tenderId' | 'refundId'>) =>
  shiftId ?? tenderId ?? refundId ?? '';

/** Identifies a part within its line. */
export const keyOf = ({ kind, payout, invoice, deposit }: Part): string =>
  payout?.payoutId ?? invoice?.invoiceId ?? (deposit ? depositId(deposit) : kind);

/** Returns what a suggestion leaves open of its line; 0 if it explains the whole line or needs a decision. */
export function restOf({ remaining, suggestion, currency }: BankLine): number {
  if (!suggestion || suggestion.parts.length === 0) return 0;
  const minor = suggestion.parts.reduce((left, { amount }) => left - toMinor(amount, currency), toMinor(remaining, currency));
  return fromMinor(minor, currency);
}

/** Names of the explanations of a line. */
export const KIND_NAMES: Readonly<Record<PartKind, string>> = {
  payout: t('Payout'),
  invoice: t('Invoice'),
  cash: t('Cash deposit'),
  check: t('Check'),
  refund: t('Refund by bank transfer'),
  fee: t('Processing fee'),
  chargeback: t('Chargeback'),
  own: t('Own transfer'),
  ignore: t('Unrelated to payments'),
};

/** Returns a part as text: "Payout ABCDEFGH23, fee 2.00 USD withheld". */
export function partText({ kind, payout, invoice, deposit, fee }: Part, currency: string): string {
  const name = payout
    ? t('Payout {{reference}}', { reference: payout.reference })
    : invoice
      ? [invoice.number, invoice.customerName].filter((each) => each !== null).join(', ')
      : deposit
        ? depositText(deposit)
        : KIND_NAMES[kind];
  return fee > 0 ? `${name}, ${t('fee {{amount}} withheld', { amount: writeMoney(fee, currency) })}` : name;
}

/** Returns a suggested part as text; for a part of an invoice, with the amount due. */
export function suggestedText(part: Part, currency: string): string {
  const { invoice, amount } = part;
  if (!invoice || invoice.amountDue <= amount) return partText(part, currency);
  return `${partText(part, currency)}, ${t('part of {{amount}}', { amount: writeMoney(invoice.amountDue, currency) })}`;
}

/** Returns cash, a check or a refund as text: "Cash of Drawer 1, Z 12, Mar 2", "Cash T-000011, Mar 2", "Check 1042", "Refund T-000012, Mar 2". */
export function depositText({
  kind,
  shiftId,
  label,
  day,
}: Pick<NonNullable<Part['deposit']>, 'kind' | 'shiftId' | 'label' | 'day'>): string {
  if (kind === 'check') return t('Check {{number}}', { number: label });
  if (kind === 'refund') return t('Refund {{number}}, {{day}}', { number: label, day: dayText(day) });
  return shiftId === null
    ? t('Cash {{number}}, {{day}}', { number: label, day: dayText(day) })
    : t('Cash of {{drawer}}, {{day}}', { drawer: label, day: dayText(day) });
}

const REASONS: Readonly<Record<NonNullable<BankLine['suggestion']>['reason'], string>> = {
  reference: t('The line names the payout’s reference.'),
  amount: t('The amount is equal, within five business days.'),
  sum: t('These payouts sum to the amount.'),
  fee: t('The payout is higher by a withheld fee.'),
  rule: t('A rule applies to the text.'),
  invoice_number: t('The line names the invoice’s number.'),
  invoice_typo: t('The number in the line differs by one character, and the amount is equal.'),
  former_payer: t('This payer has paid invoices of the customer before.'),
  customer_name: t('The line names the customer, and the amount fits.'),
  invoice_amount: t('No other open invoice has this amount.'),
  deposit: t('Cash and checks of these days sum to the amount.'),
  refund: t('A refund of a bank transfer has this amount.'),
  duplicate: t('Another bank line has this payout or invoice already. Check whether it was paid twice.'),
  amount_differs: t('The line names a payout of another amount. Check whether references were exchanged.'),
};

/** Returns why a rule or a known payer applies, with its text. */
function ruleReasonText(reason: NonNullable<BankLine['suggestion']>['reason'], text: string): string | null {
  if (reason === 'rule') return t('The rule “{{text}}” applies to the text.', { text });
  return reason === 'former_payer' ? t('“{{text}}” has paid invoices of the customer before.', { text }) : null;
}

/** Returns the reason of a suggestion in one sentence. */
export function reasonText({ reason, ambiguous, parts, ruleText }: NonNullable<BankLine['suggestion']>): string {
  if (parts.some(({ kind, amount }) => kind === 'check' && amount < 0)) return t('A returned check has this amount.');
  if (reason === 'refund' && ambiguous)
    return t('A refund of a bank transfer has this amount, but the text names neither its number nor the customer.');
  const text = (ruleText !== null && ruleReasonText(reason, ruleText)) || REASONS[reason];
  return ambiguous ? `${text} ${t('Others fit as well.')}` : text;
}

/** Returns a suggestion in a few words, for the list. */
export function briefText({ suggestion, currency, matches }: BankLine): string {
  if (matches.length > 0) return matches.map((part) => partText(part, currency)).join('; ');
  if (!suggestion) return '';
  if (suggestion.reason === 'duplicate')
    return suggestion.invoices[0] ? t('{{number}} paid twice?', { number: suggestion.invoices[0].number }) : t('Credited twice?');
  if (suggestion.reason === 'amount_differs')
    return t('Other amount than payout {{reference}}', { reference: suggestion.payouts[0]?.reference ?? '' });
  return suggestion.parts.map((part) => suggestedText(part, currency)).join('; ');
}

/** Returns the parts of a suggestion as a request; undefined if it needs a decision. */
export function acceptedParts({ suggestion }: BankLine): BankMatchBody['parts'] | undefined {
  if (!suggestion || suggestion.parts.length === 0) return undefined;
  // Who may not see invoices may not pay them.
  if (suggestion.parts.some(({ kind, invoice }) => kind === 'invoice' && !invoice)) return undefined;
  return suggestion.parts.map(({ kind, payout, invoice, deposit, amount, fee }) => ({
    kind,
    amount: Math.abs(amount),
    ...(payout ? { payoutId: payout.payoutId } : {}),
    ...(invoice ? { invoiceId: invoice.invoiceId } : {}),
    ...(deposit?.shiftId ? { shiftId: deposit.shiftId } : {}),
    ...(deposit?.tenderId ? { tenderId: deposit.tenderId } : {}),
    ...(deposit?.refundId ? { refundId: deposit.refundId } : {}),
    ...(fee > 0 ? { fee } : {}),
  }));
}
