import { id, nullable, type RecordOf, record, text } from '#core/platform/fields';

export const CardToken = record('CardToken', {
  token: id('tok', 'Token of the card or bank account; can be charged again'),
  brand: nullable(text('Brand of the card', 'visa')),
  last4: text('Last four digits', '1111'),
  expiryMonth: nullable(text('Month of expiry, two digits', '12')),
  expiryYear: nullable(text('Year of expiry, four digits', '2031')),
});

/** Public details of a token. */
export const TokenDetails = record('CardTokenDetails', {
  ...CardToken.properties,
  maskedNumber: text('First six and last four digits', '411111******1111'),
  fingerprint: text('Equal for equal card numbers of this tenant', '6e1d3c…'),
  gatewayId: nullable(id('gw', 'Gateway that stores the card and alone can charge it; null if Paydesk has the number')),
});
export interface TokenDetails extends RecordOf<typeof TokenDetails> {
  readonly kind: 'card' | 'ach';
  readonly accountType: string | null;
}
