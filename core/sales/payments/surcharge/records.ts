import { amount, count, currencyCode, flag, literals, nullable, number, type RecordOf, record, text } from '#core/platform/fields';

/** Types of cards. `unknown` if no card range contains its first digits. */
const FUNDINGS = ['credit', 'debit', 'prepaid', 'unknown'] as const;
export type Funding = (typeof FUNDINGS)[number];

const ranges = (what: string) => count(`number of ranges of ${what} cards`, 120);
/** Number of card ranges by the type of their cards. */
export const CardRanges = record('CardRanges', { credit: ranges('credit'), debit: ranges('debit'), prepaid: ranges('prepaid') });
export type CardRanges = RecordOf<typeof CardRanges>;

/** Reasons for which a payment has no surcharge. */
const REASONS = [
  'no_rule',
  'bank_account',
  'debit_card',
  'prepaid_card',
  'card_type_unknown',
  'country',
  'merchant_state_unknown',
  'merchant_state',
  'payer_state_unknown',
  'payer_state',
  'no_card_fee',
  'card_reader',
] as const;
export type SurchargeReason = (typeof REASONS)[number];

/** Surcharge of a payment before it is made. */
export const SurchargeQuote = record('SurchargeQuote', {
  surchargeAllowed: flag('True if the payment may have a surcharge'),
  surchargePercent: number('Highest percentage that is allowed; 0 if none is', 3),
  amount: amount('Amount without surcharge', 100),
  surchargeAmount: amount('Surcharge', 3),
  totalAmount: amount('Amount with the surcharge: the `amount` of the payment to make', 103),
  currency: currencyCode(),
  cardFunding: nullable(
    literals(
      FUNDINGS,
      'Type of the card; `unknown` if no card range contains it, null for a bank account or a card that a reader will read',
      'credit',
    ),
  ),
  reason: nullable(literals(REASONS, 'Reason for no surcharge', null)),
  message: nullable(text('The reason in words', null)),
});
export type SurchargeQuote = RecordOf<typeof SurchargeQuote>;
